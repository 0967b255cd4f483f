"""What the log says of a row, in words."""

import re

import pytest
from flask.testing import FlaskClient

from app.scorebook.events.entries import EntryFields, entry_words
from tests.web_table import PlainGame, fields_of


@pytest.mark.parametrize(
    ("before", "typed", "said"),
    [
        ("", "1", "Ben: 1 point"),
        ("", "25", "Ben: 25 points"),
        ("", "10+5", "Ben: 15 points"),
        ("10", "1", "Ben: 1 point (was 10)"),
        ("10", "10+15", "Ben: 25 points (was 10)"),
        ("5+5", "-5", "Ben: -5 points (was 10)"),
        ("25", "10+15", "Ben: 25 points"),
        ("0", "10", "Ben: 10 points (was 0)"),
        ("10+", "10", "Ben: 10 points (was 10+)"),
        ("", "9" * 80, f"Ben: {'9' * 80} points"),
    ],
)
def test_points_are_said_in_their_number(before: str, typed: str, said: str):
    assert str(entry_words("Ben", {"typed": before}, {"typed": typed})) == said


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"counted": (0, 2)}, "Ben: cards counted"),
        ({"counted": ()}, "Ben: points typed"),
        ({"typed": "20", "counted": (0, 2)}, "Ben: 20 points"),
    ],
)
def test_another_count_of_the_same_points_is_said(fields: EntryFields, said: str):
    assert str(entry_words("Ben", {}, fields)) == said


@pytest.mark.parametrize("digits", [9, 10, 28, 80])
def test_points_of_any_number_of_digits_are_told(a_running_game: PlainGame, digits: int):
    """A phone that sends a key that was held down has it kept as it was typed."""
    game, field = a_running_game, f"{a_running_game.seats['Ben']}-typed"
    tap = {"changed": field, field: "9" * digits}
    row = f"/games/{game.key}/rounds/2/row"
    assert game.client.post(row, data=tap, headers={"HX-Request": "true"}).status_code == 422
    page = game.client.get(f"/games/{game.key}/activity").get_data(as_text=True)
    assert "9" * digits in page.replace(",", "")


def test_every_line_calls_the_players_what_they_are_called_now(client: FlaskClient):
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    at = f"/games/{game.key}"
    client.post(f"{at}/players", data={"name": "Dora"})
    client.post(f"{at}/players/{game.seats['Cleo']}/leave", data={"cards": ""})
    client.post(f"{at}/players", data={"name": "Cleo"})
    client.post(f"{at}/players/{game.seats['Ben']}/stand-in", data={"name": "Emil"})

    def lines() -> list[str]:
        page = client.get(f"{at}/activity").get_data(as_text=True)
        return re.findall(r'<p class="sentence">([^<]+)</p>', page)

    before = lines()
    assert any(
        line.startswith("The game started: Anna, Ben and Cleo. Anna deals") for line in before
    )
    people = re.findall(
        r'href="/players/(\d+)".*?person-name[^>]*>([^<]+)', client.get("/players").text, re.S
    )
    for player, name in people:
        client.post(f"/players/{player}/name", data={"name": f"{name[0]}x"})
    renamed = [line for line in lines() if "is now called" not in line]
    assert renamed == [
        re.sub(r"\b([ABCDE])(?:nna|en|leo|ora|mil)\b", r"\1x", one) for one in before
    ]


def test_an_edit_that_ended_a_game_names_who_held_the_winning_seat_then(client: FlaskClient):
    """Not who took it over for a round that is no longer played."""
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "2"})
    for number, out in ((1, "Ben"), (2, "Anna")):
        assert game.close(number, out=out).status_code == 303
    stand_in = f"/games/{game.key}/players/{game.seats['Ben']}/stand-in"
    assert client.post(stand_in, data={"name": "Emil"}).status_code == 303
    address = f"/games/{game.key}/rounds/2"
    sent = fields_of(client.get(address).text, "round") | {"out": str(game.seats["Ben"])}
    assert client.post(address, data=sent).status_code == 303
    said = client.get(f"/games/{game.key}/activity").text
    assert "The game is over: Ben wins!" in said
    assert "Emil wins" not in said
