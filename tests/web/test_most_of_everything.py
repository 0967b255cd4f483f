"""What the app lets a game come to is what a document can hold: at the bounds, both say no."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actions import rulings
from app.exchange.limits import MOST_ROUNDS, MOST_VERSIONS
from tests.many_games import browser_in, play_games
from tests.walk.copying import exported, import_document
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


def test_a_game_with_as_many_changes_as_a_document_holds_takes_no_more(app, client):
    game = imported(app, client, lambda one: one.update(version=MOST_VERSIONS - 1))
    assert met(game, 1) == 303
    joined = game.client.post(f"/games/{KEY}/players", data={"name": "Cleo"})
    assert joined.status_code == 422
    exported(game.client)


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


def test_a_game_with_as_many_rulings_as_a_document_holds_takes_no_more(
    app, client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rulings, "MOST_RULINGS", 2)  # else there would be thousands to record
    game = PlainGame.started(client, "frustration", "Anna Ben")
    ruled = {"question": "ask=meld&kind=set&m=5H+5D+5C"}
    told = [client.post(f"/games/{game.key}/rulings", data=ruled).status_code for _ in range(3)]
    assert told == [303, 303, 422]
