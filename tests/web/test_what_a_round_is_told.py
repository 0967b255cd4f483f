"""What a round is told from outside: whose row it is, what is typed there, and how long it may be.

By the interface and by the forms; a fuzz of the same stands in `test_hostile_requests.py`.
"""

import ast
import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.config import TOP
from app.store.base import max_length
from app.store.games import LogEntry, StoredEntry, StoredGame
from tests.web.test_interface import Program, token_for
from tests.web.test_invites import joined, made_link
from tests.web_table import PlainGame, fields_of

ANNA, BEN, CLEO = "Anna", "Ben", "Cleo"
APP = TOP / "app"
LISTS = ["table.faults[:20]"]
"""What is cut, but is no text."""


@pytest.fixture
def game(a_running_game: PlainGame) -> PlainGame:
    return a_running_game


@pytest.fixture
def program(app: Flask, game: PlainGame) -> Program:
    return Program(app.test_client(), token_for(game.client, "manage"))


@pytest.fixture
def strangers_seat(app: Flask) -> int:
    """A seat of a game of another group."""
    other = PlainGame.started(app.test_client(), "frustration", "Dora Emil")
    return other.seats["Dora"]


def rows_of(game: PlainGame, **points: str) -> list[dict[str, object]]:
    return [
        {"seat": seat, "points": points.get(name, "")} | {"went_out": name == ANNA}
        for name, seat in game.seats.items()
    ]


def test_closing_takes_rows_for_players_of_that_round_alone(game, program, strangers_seat):
    close, edit = f"/games/{game.key}/rounds/2/close", f"/games/{game.key}/rounds/1"
    rows = rows_of(game, Ben="65", Cleo="65")
    before = program.ask("GET", f"/games/{game.key}/standings")
    for seat in (strangers_seat, 9999):
        for method, address in (("POST", close), ("PUT", edit)):
            told = program.ask(method, address, 422, rows=[*rows, {"seat": seat}])
            assert told["faults"][0]["field"] == "rows"
            assert told["faults"][0]["seat"] == seat
            told = program.ask(method, address, 422, rows=rows, first_down=seat)
            assert told["faults"][0]["field"] == "first_down"
        program.ask("PUT", f"/games/{game.key}/rounds/2/rows/{seat}", 422, met=True)
        program.ask("POST", f"/games/{game.key}/players", 422, name="Emil", after=seat)
        program.ask("DELETE", f"/games/{game.key}/players/{seat}", 422)
    assert program.ask("GET", f"/games/{game.key}/standings") == before
    program.ask("POST", close, rows=rows)


@pytest.mark.parametrize("number", [0, -1, 2**31, 10**30, "1", 1.5, True, None])
def test_a_seat_is_a_number_that_a_column_holds(game, program, number):
    close = f"/games/{game.key}/rounds/2/close"
    told = program.ask("POST", close, 422, rows=[{"seat": number}])
    assert told["errors"]["json"]["rows"]["0"]["seat"]
    if number is not None:
        assert program.ask("POST", close, 422, first_down=number)["errors"]["json"]["first_down"]


def test_a_number_of_five_thousand_digits_is_refused(game, program):
    headers = {"Authorization": f"Bearer {program.token}", "Content-Type": "application/json"}
    address = f"/api/v1/games/{game.key}/rounds/2/close"
    answer = program.client.post(address, headers=headers, data='{"seen": ' + "9" * 5000 + "}")
    assert answer.status_code == 400


def test_nobody_is_entered_twice_and_nobody_goes_out_where_one_does(game, program):
    close = f"/games/{game.key}/rounds/2/close"
    rows = rows_of(game, Ben="5", Cleo="5")
    told = program.ask("POST", close, 422, rows=[*rows, rows[1]])
    assert told["faults"][0]["message"] == "Ben is entered more than once."
    told = program.ask("POST", close, 422, rows=rows, nobody_out=True)
    assert told["faults"][0]["field"] == "nobody_out"


@pytest.mark.parametrize("points", ["5+", "5 +", "10++5", "10 5", "+5", "--5", "5-", "9" * 80])
def test_points_that_are_no_sum_are_refused_and_change_nothing(game, program, points):
    ben = game.seats[BEN]
    told = program.ask("PUT", f"/games/{game.key}/rounds/2/rows/{ben}", 422, points=points)
    assert told["faults"][0]["field"] == "penalty"
    assert points not in fields_of(game.page, "round").values()


def test_a_sum_that_is_not_finished_is_said_so_beside_the_field(game):
    ben = game.seats[BEN]
    sent = game.sent(out=ANNA, Ben="5+", Cleo="5")
    answer = game.close(2, sent)
    assert answer.status_code == 422
    shown = answer.get_data(as_text=True)
    assert 'value="5+"' in shown
    beside = shown.split(f'id="said-{ben}"')[1].split("</div>")[0]
    assert "The sum ends with +." in beside


KINDS = "cards of a kind"


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        ({0: "2"}, KINDS),
        ({0: "61"}, KINDS),
        ({0: "x"}, "Enter a number in digits."),
        (dict.fromkeys(range(9), "1"), KINDS),
    ],
)
def test_cards_that_cannot_be_counted_are_said_so_beside_the_field(game, counted, said):
    ben = game.seats[BEN]
    sent = game.sent(out=ANNA, Ben="5", Cleo="5")
    sent = {name: value for name, value in sent.items() if f"{ben}-counted" not in name}
    sent |= {f"{ben}-counted-{place}": number for place, number in counted.items()}
    answer = game.close(2, sent)
    assert answer.status_code == 422
    shown = answer.get_data(as_text=True)
    assert said in shown.split(f'id="said-{ben}"')[1].split("</div>")[0]


def test_points_are_not_lost_where_a_program_says_in_one_that_the_player_went_out(game, program):
    address = f"/games/{game.key}/rounds/2/rows/{game.seats[ANNA]}"
    program.ask("PUT", address, went_out=True, points="15")
    told = program.ask("POST", f"/games/{game.key}/rounds/2/close", 422)
    assert "penalty_for_out" in [one["code"] for one in told["faults"]]


def test_a_penalty_fits_its_column_or_is_refused_and_stays_as_it_was_typed(game, program):
    most, ben = max_length(StoredEntry.typed), game.seats[BEN]
    long = "1+" * (most // 2) + "1"
    row = {"request_key": "x" * 20, "changed": f"{ben}-typed", f"{ben}-typed": long}
    address = f"/games/{game.key}/rounds/2"
    answer = game.client.post(f"{address}/row", data=row, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert f"Use {most} characters or fewer." in answer.get_data(as_text=True)
    assert "data-refused" in answer.get_data(as_text=True)
    answer = game.close(2, game.sent(out=ANNA, Ben=long, Cleo="5"))
    assert answer.status_code == 422
    assert f'value="{long}"' in answer.get_data(as_text=True)
    told = program.ask("PUT", f"{address}/rows/{ben}", 422, points=long)
    assert told["errors"]["json"]["points"]
    assert long not in game.page
    program.ask("PUT", f"{address}/rows/{ben}", points=long[:-2].ljust(most))


@pytest.mark.parametrize("field", ["out", "first_down", "1000-met", "9999-typed"])
def test_a_form_that_names_somebody_else_is_refused(game, field, strangers_seat):
    for other in (strangers_seat, 9999, "x", "-1"):
        name = field.replace("1000", str(strangers_seat))
        sent = game.sent(out=ANNA, Ben="5", Cleo="5") | {name: str(other)}
        answer = game.close(2, sent)
        assert answer.status_code == 422, (field, other)
    assert "Round 2" in game.page


def test_why_a_round_is_edited_fits_the_log_or_is_refused(game, program):
    long = "x" * (max_length(LogEntry.reason) + 1)
    page = game.client.get(f"/games/{game.key}/rounds/1").get_data(as_text=True)
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', page)) | {"reason": long}
    answer = game.client.post(f"/games/{game.key}/rounds/1", data=fields)
    assert answer.status_code == 422
    assert long in answer.get_data(as_text=True)
    program.ask("PUT", f"/games/{game.key}/rounds/1", 422, reason=long)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "a\x00b"])
def test_text_that_no_database_keeps_is_refused_by_every_door(game, program, text: str):
    rows = [{"seat": game.seats[BEN], "points": text}]
    told = program.ask("POST", f"/games/{game.key}/rounds/2/close", 400, rows=rows)
    assert told["errors"]["json"]["rows"]["0"]["points"]
    program.ask("POST", f"/games/{game.key}/players", 400, name=text)
    program.ask("POST", "/rule-sets", 400, document={text: 1})
    if "\x00" in text:  # no browser sends half a character by a form
        about = game.client.post(f"/games/{game.key}/about", data={"title": text})
        assert about.status_code == 400
        assert game.client.get("/history", query_string={"words": text}).status_code == 400
        assert game.client.get(f"/rules/{text}").status_code == 400


def test_text_is_kept_composed_and_without_what_cannot_be_seen(game, program):
    program.ask("POST", f"/games/{game.key}/players", 201, name="Zoe\u0308", score=0)
    assert "Zoë" in game.page
    about = {"title": "Cafe\u0301\x07", "note": "one\r\ntwo\x1b"}
    assert game.client.post(f"/games/{game.key}/about", data=about).status_code == 303
    document = program.ask("GET", "/export")
    (kept,) = document["games"]
    assert (kept["title"], kept["note"]) == ("Café", "one\ntwo")
    found = game.client.get("/history", query_string={"words": "cafe\u0301"})
    assert "Café" in found.get_data(as_text=True)


def test_what_is_too_long_is_refused_beside_its_field_and_never_cut(client: FlaskClient, game):
    most = max_length(StoredGame.title)
    for length, status in ((most, 303), (most + 1, 422)):
        title = "ü" * length
        answer = game.client.post(f"/games/{game.key}/about", data={"title": title})
        assert answer.status_code == status
        assert status == 303 or title in answer.get_data(as_text=True)
    ruled = {"question": "ask=meld&kind=set&m=5H+5D+5C", "decided": "x" * 201}
    answer = game.client.post(f"/games/{game.key}/rulings", data=ruled)
    assert answer.status_code == 422
    assert "Use 200 characters or fewer." in answer.get_data(as_text=True)


def test_who_asked_for_a_ruling_sits_at_the_table(game, strangers_seat):
    ruled = {"question": "ask=meld&kind=set&m=5H+5D+5C"}
    for seat, status in ((strangers_seat, 422), (9999, 422), ("x", 422), (game.seats[BEN], 303)):
        data = {**ruled, "asked_by": str(seat)}
        answer = game.client.post(f"/games/{game.key}/rulings", data=data)
        assert answer.status_code == status, seat


def test_a_phone_whose_player_is_refused_keeps_its_name_too(game, strangers_seat):
    answer = game.client.post("/group/me", data={"device": "Mine", "player": "9999"})
    assert answer.status_code == 422
    group = game.client.get("/group").get_data(as_text=True)
    assert 'value="Mine"' not in group


@pytest.mark.parametrize("file", sorted([*APP.glob("web/**/*.py"), *APP.glob("actions/**/*.py")]))
def test_no_text_from_outside_is_cut_to_fit(file: Path):
    """`text[:80]`, and the like with a name for the number; hashes are ours to cut."""
    cut = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Slice)
        and node.slice.lower is None
        and re.search(r"^\d\d+$|LONGEST", ast.unparse(node.slice.upper or ast.Constant("")))
    ]
    assert [one for one in cut if "hash" not in one and "hexdigest" not in one] in ([], LISTS)


def test_who_edits_a_round_that_another_device_edited_is_told_what_that_changed(
    app: Flask, a_running_game: PlainGame
):
    game = a_running_game
    other = PlainGame.known(joined(app, made_link(game, "score")), game.key)
    address, ben = f"/games/{game.key}/rounds/1", f"{game.seats['Ben']}-typed"
    mine, theirs = (fields_of(one.client.get(address).text, "round") for one in (game, other))
    assert other.client.post(address, data=theirs | {ben: "25"}).status_code == 303
    answer = game.client.post(address, data=mine | {ben: "20"})
    assert answer.status_code == 409
    doubt = unescape(answer.text.split('class="doubt stale"')[1].split("</div>")[0])
    assert "The game was changed meanwhile." in doubt
    assert "Ben: 25 points (was 15)" in doubt
