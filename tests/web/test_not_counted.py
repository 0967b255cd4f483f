"""A table that has shuffled already closes its round without the points that nobody knows."""

import csv
import io
import json

import pytest
from flask import Flask

from tests.many_games import browser_in, play_games
from tests.web.test_data import brought_in, exported
from tests.web.test_interface import token_for
from tests.web.test_told_change import told
from tests.web_table import PlainGame

FRENCH = {"Accept-Language": "fr"}
CHECKBOX = "-not_counted"


def text(answer) -> str:
    return answer.get_data(as_text=True)


@pytest.fixture
def uncounted(a_running_game: PlainGame) -> PlainGame:
    """Round 2: Ben went out, Anna had 25, and nobody knows what Cleo had left."""
    sent = a_running_game.sent(out="Ben", Anna="25")
    sent[f"{a_running_game.seats['Cleo']}{CHECKBOX}"] = "on"
    assert a_running_game.close(2, sent).status_code == 303
    return a_running_game


def standings(game: PlainGame) -> dict:
    bearer = {"Authorization": f"Bearer {token_for(game.client, 'manage')}"}
    return game.client.get(f"/api/v1/games/{game.key}/standings", headers=bearer).json


def test_it_is_offered_beside_a_missing_penalty_and_nowhere_else(a_running_game: PlainGame):
    assert CHECKBOX not in a_running_game.page
    answer = a_running_game.close(2, out="Ben", Anna="25")
    assert answer.status_code == 422
    assert f'name="{a_running_game.seats["Cleo"]}{CHECKBOX}"' in text(answer)
    assert text(answer).count(CHECKBOX) == text(answer).count(
        f"{a_running_game.seats['Cleo']}{CHECKBOX}"
    )
    assert "Points unknown" in text(answer)
    french = a_running_game.client.post(
        f"/games/{a_running_game.key}/rounds/2/close",
        data=a_running_game.sent(out="Ben", Anna="25"),
        headers=FRENCH,
    )
    assert "Points inconnus" in text(french)


def test_a_round_is_closed_without_it_and_every_place_says_so(uncounted: PlainGame):
    assert "Round 3" in uncounted.page
    for address in ("", "/screen", "/rounds"):
        page = text(uncounted.client.get(f"/games/{uncounted.key}{address}"))
        assert "These points are unknown and add nothing: Cleo in round 2." in page
    record = text(uncounted.client.get(f"/games/{uncounted.key}/rounds"))
    assert '<span class="record-points">unknown</span>' in record
    picture = text(uncounted.client.get(f"/games/{uncounted.key}/result.svg"))
    assert picture.count("These points are unknown and add nothing: Cleo in round 2.") == 2
    lines = list(csv.DictReader(io.StringIO(text(uncounted.client.get("/data/rounds.csv")))))
    assert [one["player"] for one in lines if one["penalty"] == "not counted"] == ["Cleo"]
    log = text(uncounted.client.get(f"/games/{uncounted.key}/activity"))
    assert "Cleo: points unknown" in log
    french = text(uncounted.client.get(f"/games/{uncounted.key}", headers=FRENCH))
    assert "Ces points sont inconnus et n’ajoutent rien : Cleo, manche 2." in french.replace(
        "\u00a0", " "
    )


def test_it_adds_nothing(uncounted: PlainGame):
    plain = standings(uncounted)
    scores = {one["player"]: one["score"] for one in plain["standings"]}
    assert scores == {"Anna": 0, "Ben": -10, "Cleo": 30}
    assert plain["not_counted"] == [{"round": 2, "seat": uncounted.seats["Cleo"]}]


def test_points_that_turn_up_later_take_its_place(uncounted: PlainGame):
    address = f"/games/{uncounted.key}/rounds/2"
    page = text(uncounted.client.get(address))
    cleo = uncounted.seats["Cleo"]
    assert f'name="{cleo}{CHECKBOX}" id="not-counted-{cleo}" checked' in page
    sent = {
        "out": str(uncounted.seats["Ben"]),
        f"{uncounted.seats['Anna']}-typed": "75",
        f"{cleo}-typed": "80",
        f"{cleo}{CHECKBOX}": "on",
    }
    assert uncounted.client.post(address, data=sent).status_code == 303
    assert standings(uncounted)["not_counted"] == []
    log = text(uncounted.client.get(f"/games/{uncounted.key}/activity"))
    assert "Cleo: 80 points" in log
    assert "known after all" not in log


def test_a_tap_says_it_and_another_takes_it_back(a_running_game: PlainGame):
    cleo = a_running_game.seats["Cleo"]
    address = f"/games/{a_running_game.key}/rounds/2/row"
    for value, checked in (("on", True), ("", False)):
        tap = {"changed": f"{cleo}{CHECKBOX}", f"{cleo}{CHECKBOX}": value}
        assert a_running_game.client.post(address, data=tap).status_code == 303
        assert (f'id="not-counted-{cleo}" checked' in a_running_game.page) == checked


def test_who_goes_out_after_all_has_nothing_left_uncounted(a_running_game: PlainGame):
    cleo = a_running_game.seats["Cleo"]
    address = f"/games/{a_running_game.key}/rounds/2/row"
    for field, value in ((CHECKBOX, "on"), ("out", str(cleo))):
        changed = field if field == "out" else f"{cleo}{field}"
        a_running_game.client.post(address, data={"changed": changed, changed: value})
    assert CHECKBOX not in a_running_game.page


def test_it_is_undone_and_the_blank_is_asked_for_again(uncounted: PlainGame):
    at = f"/games/{uncounted.key}"
    assert uncounted.client.post(f"{at}/rounds/2/undo").status_code == 303
    sent = uncounted.sent()
    assert sent[f"{uncounted.seats['Cleo']}{CHECKBOX}"] == "on"
    del sent[f"{uncounted.seats['Cleo']}{CHECKBOX}"]
    assert uncounted.close(2, sent).status_code == 422


def test_a_program_says_it_too(a_running_game: PlainGame):
    seats = a_running_game.seats
    bearer = {"Authorization": f"Bearer {token_for(a_running_game.client, 'score')}"}
    rows = [
        {"seat": seats["Ben"], "went_out": True},
        {"seat": seats["Anna"], "points": "75"},
        {"seat": seats["Cleo"], "not_counted": True},
    ]
    address = f"/api/v1/games/{a_running_game.key}/rounds"
    answer = a_running_game.client.post(f"{address}/2/close", json={"rows": rows}, headers=bearer)
    assert answer.status_code == 200
    last = a_running_game.client.get(address, headers=bearer).json[-1]["rows"]
    assert {one["seat"]: one["not_counted"] for one in last} == {
        seats["Anna"]: False,
        seats["Ben"]: False,
        seats["Cleo"]: True,
    }


def test_a_document_takes_it_to_another_group_and_back(app: Flask, uncounted: PlainGame):
    before = json.loads(exported(uncounted.client))
    rows = before["games"][0]["rounds"][1]["rows"]
    assert [one.get("not_counted", False) for one in rows] == [False, False, True]
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(before))
    after = json.loads(exported(other))
    assert after["games"] == before["games"]


def test_what_the_round_came_to_says_that_they_are_unknown(uncounted: PlainGame):
    words = told(uncounted.client, uncounted)
    assert "Anna\u00a0+25" in words
    assert "Cleo: points unknown" in words
    assert "Cleo\u00a0+0" not in words
