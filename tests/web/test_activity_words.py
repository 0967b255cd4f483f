"""What the log says of a row, in words."""

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.extensions import db
from app.scorebook.events.entries import EntryFields, entry_words
from app.store.engine import meaning_to_write
from app.store.games import LogEntry, StoredGame
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


def test_what_a_later_version_did_leaves_every_page_of_a_game_as_it_is(
    app: Flask, a_running_game: PlainGame
):
    """It may have run on these tables, as while hosts are updated one after the other."""
    client, at = a_running_game.client, f"/games/{a_running_game.key}"
    a_running_game.keep(2, out="Anna")
    with app.app_context(), meaning_to_write():
        (stored,) = db.session.scalars(select(StoredGame))
        last = db.session.scalars(select(LogEntry).order_by(LogEntry.version.desc())).first()
        assert last
        stored.version += 1
        of_tomorrow = {"version": stored.version, "kind": "of_tomorrow", "after": {"cards": [1]}}
        kept = ("game_id", "change", "at", "device_id", "round_number", "actor_name")
        same = {name: getattr(last, name) for name in kept}
        db.session.add(LogEntry(**same | {"before": {}, "reason": ""} | of_tomorrow))
        change = last.change
        db.session.commit()
    opened = 0
    for rule in app.url_map.iter_rules():
        if rule.arguments == {"key"} and "GET" in (rule.methods or ()):
            address = rule.rule.replace("<key>", a_running_game.key)
            opened += client.get(address).status_code in (200, 302, 303)
    assert opened > 8
    page = client.get(f"{at}/activity").get_data(as_text=True)
    assert "Something that this version doesn’t know" in page
    assert client.post(f"{at}/activity/{change}/undo").status_code == 422
    assert a_running_game.close(2, out="Anna", met="Ben", Ben="15", Cleo="30").status_code == 303
    (exported,) = json.loads(client.get("/data/export.json").data)["games"]
    assert "of_tomorrow" in {one["kind"] for one in exported["log"]}
