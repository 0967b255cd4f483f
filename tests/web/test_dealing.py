"""What the table decides about dealing: on its page, in the record and activity, by programs."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.test_interface import Program, token_for
from tests.web.test_rules_of_the_game import claimed
from tests.web.test_told_change import told, undo_address
from tests.web_table import PlainGame, fields_of

MARK = re.compile(r'class="mark (mark-\d) .*?class="row-name">([^<]+)<', re.DOTALL)


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.split("<main", 1)[-1]).split())


def decide(game: PlainGame, number: int, what: str, status: int = 303, **sent: object) -> str:
    answer = game.client.post(f"/games/{game.key}/dealing/{number}/{what}", data=sent)
    assert answer.status_code == status
    return words(answer.get_data(as_text=True))


def shown(game: PlainGame, part: str) -> str:
    return words(game.client.get(f"/games/{game.key}{part}").get_data(as_text=True))


def deal_line(game: PlainGame) -> str:
    line = re.search(r'class="bar-deal[^>]*>(.*?)</p>', game.page, re.DOTALL)
    assert line
    return re.split(r"(?<=[a-z]{2})\.", words(line[1]))[0]  # no initial ends a sentence


def marks_by_name(game: PlainGame) -> dict[str, str]:
    """The color and shape of each player, on the page of the game."""
    return {name: mark for mark, name in MARK.findall(game.page)}


def test_the_menu_of_a_game_leads_to_a_void_round_and_to_the_dealer(client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    for label, asked, order in (
        ("Misdeal: start the round again", "?again=yes", ["void", "dealer", "seats"]),
        ("Dealer and seats", "", ["dealer", "seats", "void"]),
    ):
        assert f'<a href="/games/{game.key}/dealing{asked}">{label}</a>' in game.page
        page = client.get(f"/games/{game.key}/dealing{asked}").text
        assert re.findall(r'<form class="panel stack" id="(\w+)"', page) == order
        assert f"<h1>{label}</h1>" in page


def test_a_void_round_is_dealt_again_and_its_entries_come_back_by_undo(client: FlaskClient) -> None:
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    client.post(f"/games/{game.key}/rounds/1/save", data=game.sent(met="Ben", Cleo="15"))
    assert "Anna deals again" in shown(game, "/dealing")
    decide(game, 1, "void", passed_on="no", reason="11 cards")
    assert deal_line(game) == "Anna deals, Ben starts"
    assert 'value="15"' not in game.page
    activity = shown(game, "/activity")
    assert "Round 1 dealt again by Anna" in activity
    assert "11 cards" in activity
    undo = re.search(r"/activity/\d+/undo", client.get(f"/games/{game.key}/activity").text)
    assert undo
    assert client.post(f"/games/{game.key}{undo[0]}").status_code == 303
    assert 'value="15"' in game.page
    assert "An earlier change undone: Round 1 dealt again" in shown(game, "/activity")


def test_a_void_deal_can_be_passed_on_and_stands_in_the_record(client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    decide(game, 1, "void", passed_on="yes", reason="misdeal")
    assert deal_line(game) == "Ben deals, Cleo starts"
    game.close(1, out="Anna")
    record = shown(game, "/rounds")
    assert "dealt again 1 time" in record
    assert "Round 1 Dealt again: Anna dealt, then the deal passed on. misdeal" in record
    assert "1 round" in record


def test_another_player_deals_once_or_from_now_on(client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    decide(game, 1, "dealer", seat=game.seats["Cleo"], once="yes")
    assert deal_line(game) == "Cleo deals, Anna starts"
    game.close(1, out="Anna")
    assert deal_line(game) == "Ben deals, Cleo starts"
    decide(game, 2, "dealer", seat=game.seats["Anna"], once="no")
    game.close(2, out="Anna")
    assert deal_line(game) == "Ben deals, Cleo starts"
    record = shown(game, "/rounds")
    assert "Round 1 Cleo dealt, for this round only." in record
    assert "Round 2 Anna dealt, and the deal went on from there." in record
    assert "Anna deals from round 2 on" in shown(game, "/activity")


@pytest.mark.parametrize("cards", ["counted", "not_counted"])
def test_who_dealt_and_left_in_the_middle_is_said_to_have_dealt_and_not_to_deal(
    client: FlaskClient, cards: str
) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    address = f"/games/{game.key}/players/{game.seats['Anna']}/leave"
    assert client.post(address, data={"cards": cards}).status_code == 303
    for page in ("", "/screen"):
        assert "Anna deals" not in shown(game, page)
    activity = shown(game, "/activity")
    game.close(1, out="Ben")
    assert deal_line(game) == "Ben deals, Cleo starts"
    if cards == "not_counted":
        assert "Anna dealt round 1" in activity
        assert "Round 1 Anna dealt, and the deal went on from there." in shown(game, "/rounds")


@pytest.mark.parametrize("passed_on", ["no", "yes"])
def test_who_takes_the_dealers_seat_over_is_not_said_to_have_dealt_again(
    client: FlaskClient, passed_on: str
) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    decide(game, 1, "void", passed_on=passed_on)
    stand_in = f"/games/{game.key}/players/{game.seats['Anna']}/stand-in"
    assert client.post(stand_in, data={"name": "Emil"}).status_code == 303
    words = "dealt again, the deal passes on" if passed_on == "yes" else "dealt again"
    activity = shown(game, "/activity")
    assert f"Round 1 {words}" in activity
    assert "dealt again by Emil" not in activity
    game.close(1, out="Ben")
    record = shown(game, "/rounds")
    assert (
        "Dealt again, and the deal passed on." if passed_on == "yes" else "Dealt again."
    ) in record
    assert "again by Emil" not in record


def test_seats_are_arranged_before_they_are_saved(client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo Dora")
    game.close(1, out="Anna")
    sat = ["Anna", "Ben", "Cleo", "Dora"]
    page = decide(game, 2, "seats/arrange", 200, player=sat, arrange="up:3")
    assert "With these seats, Ben deals round 2 and Dora starts." in page
    assert deal_line(game) == "Ben deals, Cleo starts"
    marks = marks_by_name(game)
    decide(game, 2, "seats", player=["Anna", "Dora", "Cleo", "Ben"])
    assert marks_by_name(game) == marks
    assert deal_line(game) == "Dora deals, Cleo starts"
    assert "Round 2 New seats: Anna, Dora, Cleo and Ben." in shown(game, "/rounds")
    assert "Seats from round 2 on: Anna, Dora, Cleo and Ben" in shown(game, "/activity")


def test_who_plays_a_seat_is_named_where_the_table_decides_and_where_it_decided(
    client: FlaskClient,
) -> None:
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    decide(game, 1, "void", passed_on="no")
    decide(game, 1, "dealer", seat=game.seats["Ben"], once="yes")
    decide(game, 1, "seats", player=["Anna", "Cleo", "Ben"])
    correction = {"seat": game.seats["Ben"], "number": "1", "points": "25", "direction": "add"}
    assert client.post(f"/games/{game.key}/corrections", data=correction).status_code == 303
    game.close(1, out="Anna", Ben="5", Cleo="5")
    stand_in = f"/games/{game.key}/players/{game.seats['Ben']}/stand-in"
    assert client.post(stand_in, data={"name": "Emil"}).status_code == 303
    record = shown(game, "/rounds")
    for said in ("New seats: Anna, Cleo and Ben.", "Ben dealt, for this round only.", "Ben +25"):
        assert said in record
    decide(game, 2, "seats", player=["Anna", "Emil", "Cleo"])
    assert "New seats: Anna, Emil and Cleo." in shown(game, "/rounds")
    for page in ("/dealing", "/corrections"):
        assert "Emil" in shown(game, page)
    assert "Ben" not in shown(game, "/dealing")


def test_what_cannot_be_is_said_beside_the_form(client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben")
    assert "isn’t in this game" in decide(game, 1, "dealer", 422, seat="999")
    assert "each player of the game once" in decide(game, 1, "seats", 422, player=["Anna"])
    assert "200 characters" in decide(game, 1, "void", 422, reason="x" * 201)
    assert "Round 2 isn’t open." in decide(game, 2, "void", 409)
    game.close(1, out="Anna")
    assert "Round 1 isn’t open." in decide(game, 1, "void", 409)


def test_a_tap_that_was_made_for_a_void_deal_is_asked_about(
    app: Flask, client: FlaskClient
) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben")
    version = re.search(r'data-version="(\d+)"', game.page)
    assert version
    program = Program(app.test_client(), token_for(client, "score"))
    program.ask("POST", f"/games/{game.key}/rounds/1/void")
    field = f"{game.seats['Ben']}-met"
    tap = {"changed": field, field: "on", "seen": version[1]}
    address = f"/games/{game.key}/rounds/1/row"
    assert client.post(address, data=tap, headers={"HX-Request": "true"}).status_code == 409


def test_a_program_says_all_of_it_too(app: Flask, client: FlaskClient) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    anna, ben, cleo = game.seats.values()
    program = Program(app.test_client(), token_for(client, "score"))
    at = f"/games/{game.key}/rounds/1"
    stands = program.ask("POST", f"{at}/void", passed_on=True, reason="misdeal")
    assert stands["dealer"] == ben
    void = {"round": 1, "dealer": anna, "passed_on": True, "reason": "misdeal"}
    assert stands["voids"] == [void]
    assert program.ask("PUT", f"{at}/dealer", seat=cleo, once=True)["dealer"] == cleo
    seats = program.ask("PUT", f"{at}/seats", order=[cleo, ben, anna])["standings"]
    assert [one["seat"] for one in seats] == [cleo, ben, anna]
    program.ask("PUT", f"{at}/seats", 422, order=[cleo, ben])
    program.ask("PUT", f"{at}/dealer", 422, seat=999)
    program.ask("POST", f"/games/{game.key}/rounds/2/void", 409)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Anna", "You deal, Ben starts"),
        ("Ben", "Anna deals, you start"),
        ("Cleo", "Anna deals, Ben starts"),
    ],
)
def test_the_line_of_the_deal_speaks_to_whose_phone_it_is(
    client: FlaskClient, name: str, said: str
) -> None:
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    claimed(game, name)
    assert deal_line(game) == said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Anna, Ben, Cleo", "Anna deals, Ben starts"),
        ("Marie-Anne, Jo, Cleo", "Marie-Anne deals, Jo starts"),
        (
            "Jean-Sébastien Roy, Jean-Christophe, Cleo",
            "Jean-Sébastien Roy deals, Jean-Christophe starts",
        ),
        (
            "Maximilian-Alexander, Josephine-Elisabeth Roy, Cleo",
            "Maximilian… deals, Josephine… starts",
        ),
    ],
)
def test_who_deals_and_starts_is_said_whole_in_two_lines(
    client: FlaskClient, names: str, said: str
) -> None:
    began = client.post("/games", data={"variant": "frustration", "player": names.split(", ")})
    game = PlainGame.known(client, began.headers["location"].split("/")[-1])
    assert deal_line(game) == said


@pytest.mark.parametrize(
    "names", ["Josephine-Elisabeth Jean-Sébastien Cleo", "Jean-Serge Jo Jean-S"]
)
def test_names_are_whole_once_the_deal_is_known_and_always_on_the_big_screen(
    client: FlaskClient, names: str
) -> None:
    game = PlainGame.started(client, "frustration", names)
    first, second, third = names.split()
    screen = client.get(f"/games/{game.key}/screen").text
    assert f"<b>{first}</b> deals, <b>{second}</b> starts." in screen
    assert f"{second} deals next." in screen
    game.close(1, out=third)
    assert deal_line(game) == f"{second} deals, {third} starts"


def test_who_dealt_a_round_that_has_ended_is_put_right_and_undone(a_running_game: PlainGame):
    game = a_running_game
    game.close(2, out="Ben", Anna="25", Cleo="40")
    address = f"/games/{game.key}/rounds/1"
    later = deal_line(game)
    sent = fields_of(game.client.get(address).text, "round")
    assert sent["dealer"] == str(game.seats["Anna"])
    sent["dealer"] = str(game.seats["Cleo"])
    assert game.client.post(address, data=sent).status_code == 303
    assert told(game.client, game) == "Cleo deals round 1 only"
    assert fields_of(game.client.get(address).text, "round")["dealer"] == sent["dealer"]
    assert deal_line(game) == later
    edits = game.client.get(f"/games/{game.key}/rounds").text.split('id="edits-title"')[1]
    assert "Cleo deals round 1 only" in edits
    game.client.post(undo_address(game), data={"back": "game"})
    assert fields_of(game.client.get(address).text, "round")["dealer"] == str(game.seats["Anna"])


def test_a_round_whose_dealer_all_later_ones_follow_keeps_its_dealer(a_running_game: PlainGame):
    game = a_running_game
    fields = {"seat": game.seats["Cleo"], "once": "no"}
    game.client.post(f"/games/{game.key}/dealing/2/dealer", data=fields)
    game.close(2, out="Ben", Anna="25", Cleo="40")
    address = f"/games/{game.key}/rounds/2"
    sent = fields_of(game.client.get(address).text, "round") | {"dealer": str(game.seats["Ben"])}
    refused = game.client.post(address, data=sent)
    assert refused.status_code == 422
    assert "Rounds have been played since." in refused.text
