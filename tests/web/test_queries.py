"""How often a page asks the database: seldom, however many games there are."""

import re

import pytest
from flask import Flask
from sqlalchemy import event

from app.extensions import db
from tests.test_routes import WHO, addresses
from tests.web_table import PlainGame

MOST_QUERIES = 10
MOST_OF_FIGURES = 13
"""On pages that sum up: an evening, a player, a season on the big screen."""
MOST_OF_EXPORTS = 19
"""For each hundred games or so."""
_SUMS_UP = re.compile(r"/(evenings|players)/\w+(/evening\.svg)?|/games/\w+/screen")
_ASKING = re.compile(r"(SELECT|INSERT|UPDATE|DELETE|WITH)\b")


@pytest.fixture
def asked(app: Flask) -> list[str]:
    """The queries so far, in order."""
    queries: list[str] = []
    with app.app_context():

        @event.listens_for(db.engine, "before_cursor_execute")
        def note(_connection, _cursor, statement: str, *_more: object) -> None:
            if _ASKING.match(statement):
                queries.append(statement)

    return queries


def test_no_page_asks_the_database_more_often_than_it_has_things_to_say(
    app: Flask, a_running_game: PlainGame, asked: list[str]
):
    client = a_running_game.client
    for _ in range(3):
        PlainGame.started(client, "frustration", "Anna Ben Cleo")
    ended = PlainGame.started(client, "garbage-rummy", "Anna Ben")
    while "wins" not in ended.page:
        ended.close(_round(ended), out="Anna", Ben="20")
    client.get("/")  # the phone is noted as seen
    counts: dict[str, int] = {}
    for endpoint in WHO:
        for game in (a_running_game, ended):
            for method, address in addresses(app, endpoint, game.key):
                if method == "GET":
                    asked.clear()
                    client.get(address).close()
                    counts[address] = len(asked)
    assert {address: of for address, of in counts.items() if of > _most(address)} == {}
    assert counts[f"/games/{a_running_game.key}"] >= 2  # they are counted


def test_a_tap_asks_the_database_seldom_too(a_running_game: PlainGame, asked: list[str]):
    seat = a_running_game.seats["Ben"]
    field = f"{seat}-typed"
    asked.clear()
    address = f"/games/{a_running_game.key}/rounds/2/row"
    sent = {"changed": field, field: "35", "request_key": "one"}
    answer = a_running_game.client.post(address, data=sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert len(asked) <= 2 * MOST_QUERIES


def _most(address: str) -> int:
    if re.fullmatch(r"/data/\w+\.(json|csv)", address):
        return MOST_OF_EXPORTS
    return MOST_OF_FIGURES if _SUMS_UP.fullmatch(address) else MOST_QUERIES


def _round(game: PlainGame) -> int:
    found = re.search(r"/rounds/(\d+)/close", game.page)
    assert found
    return int(found[1])
