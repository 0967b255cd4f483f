"""Tables that the app exported, imported again: nothing is lost, and nothing comes twice."""

import json
import re

from flask import Flask
from flask.testing import FlaskClient

from tests.many_games import browser_in, play_games
from tests.web.test_data import PAPER, brought_in, exported, sent
from tests.web.test_history import text
from tests.web_table import PlainGame


def test_what_is_exported_as_a_table_adds_nothing_twice(app: Flask, client: FlaskClient):
    """Neither where it was exported nor elsewhere; what was changed in it since is told."""
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "1"})
    game.close(1, out="Anna", Ben="60")
    games, rounds = ("/tables/games.csv?separator=semicolon", "/data/rounds.csv")
    assert "This is a table of rounds." in text(sent(client, client.get(rounds).data, "x.csv"))
    here = text(sent(client, client.get(games).data, "x.csv"))
    assert "1 game already here<" in here
    assert "Nothing in this file is new." in here
    others = browser_in(app, play_games(app, 0))
    brought_in(others, PAPER)
    for address, told in ((games, client), (games, others), (rounds, others)):
        table = told.get(address).data
        third = browser_in(app, play_games(app, 0))
        brought_in(third, table)
        for group in (told, third):
            page = text(sent(group, table, "x.csv"))
            assert "Nothing in this file is new." in page
            assert "differ" not in page
        for key in {*re.findall(r'href="/games/(\w+)/rounds', text(third.get("/history")))}:
            assert third.post(f"/games/{key}/bin").status_code == 303
        assert all(one["deleted_at"] for one in json.loads(exported(third))["games"])
        page = text(sent(third, table, "x.csv"))
        assert "Nothing in this file is new." in page
        assert "differ" not in page  # as it was before it was deleted
        changed = text(sent(third, table.replace(b"2024-12-31", b"2024-12-30"), "x.csv"))
        assert ("differ" in changed) == (told is others)


def test_who_left_early_makes_no_game_differ_where_it_was_exported(app: Flask, client: FlaskClient):
    game = PlainGame.started(client, "garbage-rummy", "Anna Ben Cleo Dora")
    assert game.close(1, out="Anna", Ben="25", Cleo="30", Dora="5").status_code == 303
    for name in ("Cleo", "Dora"):
        client.post(f"/games/{game.key}/players/{game.seats[name]}/leave", data={"cards": ""})
    game.close(2, out="Anna", Ben="25")
    client.post(f"/games/{game.key}/stop", data={"result": "yes"})
    table = client.get("/tables/games.csv").data
    assert table.count(b",Garbage Rummy,") == 4
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(json.loads(exported(client))))
    for group in (client, other):
        page = text(sent(group, table, "x.csv"))
        assert "1 game already here<" in page
        assert "differ" not in page
    changed = text(sent(client, table.replace(b",Cleo,,", b",Cleo,2,"), "x.csv"))
    assert "differs" in changed


def test_a_game_that_came_with_another_key_is_known_in_a_table_of_games(
    app: Flask, client: FlaskClient
):
    client.post("/data")
    brought_in(client, PAPER)
    document = json.loads(exported(client))
    for number, one in enumerate(document["games"]):
        one["key"] = f"game-{number}"
    other = browser_in(app, play_games(app, 0))
    brought_in(other, json.dumps(document))
    for address in ("/tables/games.csv", "/data/rounds.csv"):
        page = text(sent(other, other.get(address).data, "x.csv"))
        assert "2 games already here<" in page
