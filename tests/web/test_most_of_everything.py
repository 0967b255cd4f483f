"""What the app lets a game come to is what a document can hold: at the bounds, both say no."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actions import importing, players, rulings
from app.extensions import db
from app.scorebook.decisions import Correction, TableDecisions, plain_decisions
from app.scorebook.limits import (
    MOST_CORRECTIONS,
    MOST_ROUNDS,
    MOST_RULE_CHANGES,
    MOST_SCORE,
    MOST_SEATS,
    MOST_VERSIONS,
)
from app.store.base import insert_rows
from app.store.engine import meaning_to_write
from app.store.games import StoredGame, StoredRound, StoredRuleChange
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, play_games
from tests.walk.copying import exported, import_document, multipart
from tests.web_table import PlainGame

KEY = "abcdefghjkmn"
Document = dict[str, Any]


def imported(app: Flask, client: FlaskClient, change: Callable[[Document], None]) -> PlainGame:
    """A running game that was brought in after somebody changed its document."""
    PlainGame.started(client, "frustration", "Anna Ben")
    document = exported(client)
    (game,) = document["games"]
    game["key"] = KEY
    change(game)
    phone = browser_in(app, play_games(app, 0))
    import_document(phone, document)
    page = phone.get(f"/games/{KEY}").get_data(as_text=True)
    seats = re.findall(r'id="row-(\d+)"', page)
    return PlainGame(phone, KEY, dict(zip(("Anna", "Ben"), map(int, seats), strict=True)))


def met(game: PlainGame, number: int) -> int:
    """The status with which a tap in the open round is answered."""
    tap = {"changed": f"{game.seats['Anna']}-met", f"{game.seats['Anna']}-met": "on"}
    return game.client.post(f"/games/{KEY}/rounds/{number}/row", data=tap).status_code


@ON_SQLITE
def test_a_game_with_as_many_changes_as_a_document_holds_takes_no_more(app, client):
    game = imported(app, client, lambda one: one.update(version=MOST_VERSIONS - 1))
    assert met(game, 1) == 303
    joined = game.client.post(f"/games/{KEY}/players", data={"name": "Cleo"})
    assert joined.status_code == 422
    exported(game.client)


def test_a_finished_game_whose_players_began_with_as_much_as_a_document_holds_comes_in(
    app: Flask, client: FlaskClient
):
    """What it came to, and the distance between its players, fit the columns."""
    game = PlainGame.started(client, "garbage-rummy", "Anna Ben")
    assert game.close(1, out="Anna", Ben="25").status_code == 303
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    document = exported(client)
    phone = browser_in(app, play_games(app, 0))
    anna, ben = document["games"][0]["seats"]
    anna["starting_score"], ben["starting_score"] = -MOST_SCORE, MOST_SCORE
    document["games"][0] |= {"key": KEY, "log": []}
    import_document(phone, document)
    assert f"{MOST_SCORE + 25}" in phone.get("/tables/games.csv").text
    anna["starting_score"] -= 1
    refused = phone.post("/data/import", **multipart(json.dumps(document).encode()))
    assert refused.status_code == 422
    assert "starting_score" in refused.text


@ON_SQLITE
def test_of_those_whose_joining_was_undone_no_more_are_named_than_could_have_sat(app, client):
    """A log that was imported may name any number for each of its lines."""
    at, tapped = "2026-01-01T00:00:00Z", {"before": {"met": False}, "after": {"met": True}}
    several = range(3 * MOST_SEATS)

    def all_at_once(kind: str) -> list[Document]:
        return [{"kind": kind, "after": {"player": f"Twin {number}"}} for number in several]

    said = [*all_at_once("joined"), {"kind": "row", "round": 1, **tapped}, *all_at_once("unjoined")]
    log = [{**one, "version": n, "at": at, "by": str(n)} for n, one in enumerate(said, start=1)]
    game = imported(app, client, lambda one: one.update(log=log, version=len(log)))
    page = game.client.get(f"/games/{KEY}/activity?until={len(several) + 1}")
    (line,) = re.findall(r"Twin 0 .*laid down", page.get_data(as_text=True))
    assert line.count("Twin") == MOST_SEATS


@ON_SQLITE
def test_a_game_with_as_many_rounds_as_a_document_holds_takes_no_more(app, client):
    at = "2026-01-01T00:00:00Z"
    nobody_out = [
        {"number": number, "closed_at": at, "nobody_out": True} for number in range(1, MOST_ROUNDS)
    ]
    game = imported(app, client, lambda one: one.update(rounds=nobody_out))
    assert met(game, MOST_ROUNDS) == 303
    assert game.close(MOST_ROUNDS, out="Anna").status_code == 303
    open_now = MOST_ROUNDS + 1
    assert met(game, open_now) != 303
    assert game.close(open_now, out="Anna").status_code != 303
    joined = game.client.post(f"/games/{KEY}/players", data={"name": "Cleo"})
    ruled = {"question": "ask=meld&kind=set&m=5H+5D+5C"}
    recorded = game.client.post(f"/games/{KEY}/rulings", data=ruled)
    assert (joined.status_code, recorded.status_code) == (422, 422)
    assert len(exported(game.client)["games"][0]["rounds"]) == MOST_ROUNDS


@ON_SQLITE
def test_a_game_with_as_many_rulings_as_a_document_holds_takes_no_more(
    app, client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rulings, "MOST_RULINGS", 2)  # else there would be thousands to record
    game = PlainGame.started(client, "frustration", "Anna Ben")
    ruled = {"question": "ask=meld&kind=set&m=5H+5D+5C"}
    told = [client.post(f"/games/{game.key}/rulings", data=ruled).status_code for _ in range(3)]
    assert told == [303, 303, 422]


@ON_SQLITE
def test_a_game_with_as_many_rule_changes_as_a_document_holds_takes_no_more(app, client):
    most = [
        {"from_round": number, "field": "run_suit", "value": ("same", "any")[number % 2]}
        for number in range(1, MOST_RULE_CHANGES + 1)
    ]
    game = imported(app, client, lambda one: one.update(rule_changes=most))
    asked = {"question": "ask=meld&kind=set&m=5H+5D+5C"}
    ruled = {**asked, "switch": "layoff_on_others=false"}
    refused = game.client.post(f"/games/{KEY}/rulings", data=ruled)
    assert refused.status_code == 422
    assert f"at most {MOST_RULE_CHANGES} rule changes" in refused.get_data(as_text=True)
    assert game.client.post(f"/games/{KEY}/rulings", data=asked).status_code == 303
    assert len(exported(game.client)["games"][0]["rule_changes"]) == MOST_RULE_CHANGES


def test_a_game_that_was_stored_with_more_than_it_can_hold_stays_readable_and_is_exported(
    app: Flask, client: FlaskClient
) -> None:
    table = PlainGame.started(client, "frustration", "Anna Ben")
    rounds, changes, corrections = MOST_ROUNDS + 2, MOST_RULE_CHANGES + 2, MOST_CORRECTIONS + 2
    with app.app_context(), meaning_to_write():
        session = db.session()
        game = session.scalars(select(StoredGame)).one()
        ended = {"game_id": game.id, "closed_at": game.started_at, "nobody_out": True}
        insert_rows(session, StoredRound, [{**ended, "number": n + 1} for n in range(rounds)])
        change = {"game_id": game.id, "field": "run_suit", "value": "any"}
        switched = [{**change, "from_round": n + 1} for n in range(changes)]
        insert_rows(session, StoredRuleChange, switched)
        corrected = Correction(1, table.seats["Anna"], 5)
        game.course = plain_decisions(TableDecisions(corrections=(corrected,) * corrections))
        session.commit()
    for part in ("", "/rounds", f"/rounds/{rounds}", "/activity", "/players", "/corrections"):
        assert client.get(f"/games/{table.key}{part}").status_code == 200, part
    with client.get("/data/export.json") as answer:
        (document,) = json.loads(answer.get_data(as_text=True))["games"]
    parts = document["rounds"], document["rule_changes"], document["course"]["corrections"]
    assert [len(part) for part in parts] == [rounds, changes, corrections]


@ON_SQLITE
def test_a_document_with_more_rule_changes_is_refused_by_the_number_that_it_may_have(app, client):
    more = [
        {"from_round": number, "field": "run_suit", "value": "any"}
        for number in range(1, MOST_RULE_CHANGES + 2)
    ]
    PlainGame.started(client, "frustration", "Anna Ben")
    document = exported(client)
    document["games"][0]["rule_changes"] = more
    told = client.post("/data/import", **multipart(json.dumps(document).encode()))
    assert told.status_code == 422
    limit = f"There are {MOST_RULE_CHANGES + 1}; the limit is {MOST_RULE_CHANGES}."
    assert limit in told.get_data(as_text=True)


@ON_SQLITE
def test_a_group_with_as_many_players_as_it_can_have_takes_no_more(
    app, client, monkeypatch: pytest.MonkeyPatch
):
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo")
    document = exported(client)
    for module in (players, importing):  # else there would be thousands to write down
        monkeypatch.setattr(module, "MOST_PLAYERS", 3)
    at_most = "at most 3 players"
    joined = client.post(f"/games/{game.key}/players", data={"name": "Dora"})
    assert (joined.status_code, at_most in joined.get_data(as_text=True)) == (422, True)
    names = {"variant": "frustration", "player": ["Anna", "Dora"]}
    started = client.post("/games", data=names)
    assert (started.status_code, at_most in started.get_data(as_text=True)) == (422, True)
    assert client.post("/games", data={**names, "player": ["Anna", "Ben"]}).status_code == 303
    document["players"][0]["name"] = "Dora"
    document["games"][0]["seats"][0] |= {"player": "Dora"}
    document["games"][0] |= {"key": KEY, "log": []}
    looked = client.post("/data/import", **multipart(json.dumps(document).encode()))
    assert (looked.status_code, at_most in looked.get_data(as_text=True)) == (422, True)


def test_many_players_are_listed_page_by_page_and_the_latest_offered(app, client):
    PlainGame.started(client, "frustration", "Anna Ben")
    document = exported(client)
    since = document["players"][0]["since"]
    document["players"] += [{"name": f"P{number:03}", "since": since} for number in range(248)]
    import_document(client, document)
    pages = [client.get(f"/players?page={n}").get_data(as_text=True) for n in (1, 2, 3, 99)]
    assert [page.count('person-name">') for page in pages] == [100, 100, 50, 50]
    assert "page=2" in pages[0]
    form = client.get("/games/new/frustration").get_data(as_text=True)
    assert form.count("add:") == 60
    assert "add:Anna" in form
