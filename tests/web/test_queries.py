"""How often a page asks the database: seldom, however many games there are."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest
from flask import Flask
from sqlalchemy import event

from app.web.infrastructure.access import engines_of
from tests.conftest import ON_SQLITE
from tests.test_routes import WHO, addresses
from tests.web.test_between_two_reads import same_phone
from tests.web_table import PlainGame, fields_of

MOST_QUERIES = 10
MOST_OF_FIGURES = 13
"""On pages that sum up: an evening, a player, the records, a season on the big screen."""
MOST_OF_EXPORTS = 19
"""For each hundred games or so."""
_SUMS_UP = re.compile(r"/(evenings|players)/\w+(/evening\.svg)?|/history/records|/games/\w+/screen")
HTMX = {"HX-Request": "true"}
_ASKING = re.compile(r"(SELECT|INSERT|UPDATE|DELETE|WITH)\b")


@pytest.fixture
def asked(app: Flask) -> list[str]:
    """The queries so far, in order."""
    queries: list[str] = []

    def note(_connection, _cursor, statement: str, *_more: object) -> None:
        if _ASKING.match(statement):
            queries.append(statement)

    for engine in engines_of(app):
        event.listen(engine, "before_cursor_execute", note)
    return queries


@ON_SQLITE
def test_no_page_asks_the_database_more_often_than_it_has_things_to_say(
    app: Flask, a_running_game: PlainGame, asked: list[str]
):
    client = a_running_game.client
    for _ in range(3):
        PlainGame.started(client, "frustration", "Anna Ben Cleo")
    ended = PlainGame.started(client, "garbage-rummy", "Anna Ben")
    while "/close" in ended.page:
        ended.close(_round(ended), out="Anna", Ben="75")
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


TRIPS = {
    "sqlite": {"tap": 6, "page": 4, "changed": 6, "unchanged": 1},
    "postgresql": {"tap": 9, "page": 4, "changed": 6, "unchanged": 1},
}
"""How often each asks the database; on PostgreSQL a tap begins, locks and commits besides."""


def kind_of(app: Flask) -> str:
    return engines_of(app).pop().dialect.name


@pytest.fixture
def trips(app: Flask, asked: list[str], tmp_path: Path) -> Iterator[Callable[[], int]]:
    """Counts how often the database was asked so far; on PostgreSQL, how often it answered."""
    pools, wire = [one.pool for one in engines_of(app)], tmp_path / "wire"
    if kind_of(app) == "sqlite":
        yield lambda: len(asked)
        return
    with wire.open("wb") as file:

        def trace(connection: psycopg.Connection, *_more: object) -> None:
            connection.pgconn.trace(file.fileno())

        for pool in pools:
            event.listen(pool, "checkout", trace)
        yield lambda: wire.read_bytes().count(b"ReadyForQuery")
        for pool in pools:
            event.remove(pool, "checkout", trace)
            pool.dispose()


def test_a_tap_a_page_and_a_live_check_ask_the_database_no_more_often_than_they_need(
    app: Flask, a_running_game: PlainGame, trips: Callable[[], int]
):
    game, other = a_running_game, same_phone(app, a_running_game).client
    field, address = f"{game.seats['Ben']}-typed", f"/games/{game.key}"
    shown, least = int(fields_of(game.page, "round")["seen"]), dict[str, int]()
    for number in range(8):  # the first ones open connections and prepare what others ask
        sent = {"changed": field, field: f"{number}", "request_key": f"{number}"}
        tapped, shown = {**sent, "shows": f"{shown}"}, shown + 1
        for what, ask in {
            "tap": partial(game.client.post, f"{address}/rounds/2/row", data=tapped, headers=HTMX),
            "page": partial(other.get, address),
            "changed": partial(other.get, f"{address}/live?v={shown - 1}", headers=HTMX),
            "unchanged": partial(other.get, f"{address}/live?v={shown}", headers=HTMX),
        }.items():
            before = trips()
            assert ask().status_code == (204 if what == "unchanged" else 200), what
            least[what] = min(trips() - before, least.get(what, 99))
    assert least == TRIPS[kind_of(app)]


def _most(address: str) -> int:
    if re.fullmatch(r"/data/\w+\.(json|csv)", address):
        return MOST_OF_EXPORTS
    return MOST_OF_FIGURES if _SUMS_UP.fullmatch(address) else MOST_QUERIES


def _round(game: PlainGame) -> int:
    found = re.search(r"/rounds/(\d+)/close", game.page)
    assert found
    return int(found[1])
