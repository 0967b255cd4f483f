"""Taps, closes, undos and repeats of each, in any order from many phones at once.

Whatever happens, the game ends as it would had the requests come one after another, and all that
was acknowledged is in the log. The log itself is the proof: it is replayed from the start, and each
of its entries must build on exactly what stood there before it.
"""

import json
import os
import random
import re
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.servers import Http, Production
from tests.web_table import PlainGame

HTMX = {"HX-Request": "true"}
PHONES, REQUESTS = 5, 40


@dataclass
class Acknowledged:
    """What one phone was told: versions before and after, and what it had asked for."""

    before: int
    after: int
    what: tuple[Any, ...]


@dataclass
class Phone:
    """One phone that presses at random, and often sends the same request twice."""

    http: Http
    key: str
    seats: dict[str, int]
    chance: random.Random
    texts: Iterator[str]
    acknowledged: list[Acknowledged] = field(default_factory=list)
    codes: set[int] = field(default_factory=set)
    version: int = 0

    def play(self) -> None:
        for number in range(REQUESTS):
            self.version, open_round = self.look()
            act = self.chance.choices(
                (self.types, self.meets, self.closes, self.undoes), (8, 4, 2, 1)
            )
            act[0](open_round, f"{id(self)}-{number}")

    def look(self) -> tuple[int, int]:
        page = self.http.get(f"/games/{self.key}").get_data(as_text=True)
        number = re.search(r"/rounds/(\d+)/close", page)
        return version_in(page), int(number[1]) if number else 0

    def types(self, number: int, key: str) -> None:
        seat, text = self.chance.choice([*self.seats.values()]), next(self.texts)
        tap = {"changed": f"{seat}-typed", f"{seat}-typed": text}
        if self.send(f"rounds/{number}/row", tap, key):
            self.note("row", number, seat, "typed", text)

    def meets(self, number: int, key: str) -> None:
        seat, met = self.chance.choice([*self.seats.values()]), self.chance.random() < 0.6
        tap = {"changed": f"{seat}-met", f"{seat}-met": "on" if met else ""}
        if self.send(f"rounds/{number}/row", tap, key):
            self.note("row", number, seat, "met", met)

    def closes(self, number: int, key: str) -> None:
        game = PlainGame(self.http, self.key, self.seats)
        out, *others = self.chance.sample(list(self.seats), len(self.seats))
        sent = game.sent(out, **{name: next(self.texts) for name in others})
        if self.send(f"rounds/{number}/close", sent, key):
            self.note("closed", number)

    def undoes(self, number: int, key: str) -> None:
        if self.send(f"rounds/{number - 1}/undo", {}, key):
            self.note("opened_again", number - 1)

    def send(self, where: str, sent: dict[str, str], key: str) -> bool:
        """Send it, perhaps again as after a lost answer; was it acknowledged?"""
        data = {**sent, "request_key": key}
        for _ in range(self.chance.choice((1, 1, 2, 3))):
            answer = self.http.post(f"/games/{self.key}/{where}", data, HTMX)
            self.codes.add(answer.status_code)
        self.told = version_in(answer.get_data(as_text=True))
        return answer.status_code == 200

    def note(self, *what: object) -> None:
        self.acknowledged.append(Acknowledged(self.version, self.told, what))


def version_in(page: str) -> int:
    found = re.search(r'data-version="(\d+)"', page)
    return int(found[1]) if found else 0


@dataclass
class Replayed:
    """The log played back: what stood at each version, and what each version did."""

    states: list[dict[tuple[int, int, str], Any]] = field(default_factory=lambda: [{}])
    kinds: list[tuple[str, int | None]] = field(default_factory=lambda: [("", None)])

    def add(
        self, version: int, kind: str, number: int, seat: int, before: dict, after: dict
    ) -> None:
        assert version == len(self.states), "the log has no gap and nothing twice"
        state = dict(self.states[-1])
        for name, value in after.items() if kind == "row" else ():
            blank = {
                "met": False,
                "went_out": False,
                "typed": "",
                "exact_deal": False,
                "counted": [],
            }
            stood = state.get((number, seat, name), blank.get(name))
            assert stood == before[name], f"version {version} overwrote what it did not see"
            state[number, seat, name] = value
        self.states.append(state)
        self.kinds.append((kind, number))


def replayed(database: Path) -> Replayed:
    log = Replayed()
    with sqlite3.connect(database) as connection:
        found = connection.execute(
            "SELECT version, kind, round_number, seat_id, before, after FROM log ORDER BY version"
        )
        for version, kind, number, seat, before, after in found:
            log.add(version, kind, number, seat, json.loads(before), json.loads(after))
    return log


@pytest.mark.parametrize("seed", range(int(os.environ.get("MELDKEEPER_INTERLEAVINGS", "1"))))
def test_the_end_is_that_of_some_order_and_what_was_acknowledged_is_in_the_log(
    tmp_path: Path, seed: int
) -> None:
    texts = iter([f"{5 * one}+{5 * other}" for one, other in product(range(60), range(20))])
    with Production(tmp_path, {"WORKERS": "2"}) as server:
        host = Http(server.port)
        game = PlainGame.started(host, "aggravation-rummy", "Anna Ben Cleo")
        phones = [
            Phone(
                Http(server.port).like(host),
                game.key,
                game.seats,
                random.Random(seed + place),
                texts,
            )
            for place in range(PHONES)
        ]
        threads = [threading.Thread(target=phone.play) for phone in phones]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set().union(*(phone.codes for phone in phones)) <= {200, 409, 410, 422}
    database = tmp_path / "meldkeeper.sqlite"
    log = replayed(database)
    assert kept_rows(database) == {place: value for place, value in log.states[-1].items() if value}
    assert_rounds_alternate(log)
    assert sum(len(phone.acknowledged) for phone in phones) > PHONES * REQUESTS / 4
    for phone in phones:
        for one in phone.acknowledged:
            assert_in_log(log, one)


def kept_rows(database: Path) -> dict[tuple[int, int, str], Any]:
    """What the rows hold in the end, by round, seat and field; blank fields left out."""
    kept: dict[tuple[int, int, str], Any] = {}
    with sqlite3.connect(database) as connection:
        found = connection.execute(
            "SELECT number, seat_id, met, went_out, typed, penalty FROM rows"
            " JOIN rounds ON rounds.id = rows.round_id"
        )
        for number, seat, met, out, typed, penalty in found:
            fields = {"met": bool(met), "went_out": bool(out), "typed": typed, "penalty": penalty}
            kept |= {(number, seat, name): value for name, value in fields.items() if value}
    return kept


def assert_rounds_alternate(log: Replayed) -> None:
    """Each round is closed once, and closed again only after it was opened again."""
    closed = 0
    for kind, number in log.kinds:
        if kind == "closed":
            closed += 1
            assert number == closed
        elif kind == "opened_again":
            assert number == closed
            closed -= 1


def assert_in_log(log: Replayed, told: Acknowledged) -> None:
    kind, *about = told.what
    if kind == "row":
        number, seat, name, value = about
        versions = log.states[told.before : told.after + 1]
        assert any(state.get((number, seat, name), False) == value for state in versions), told
    else:
        assert (kind, about[0]) in log.kinds[told.before + 1 : told.after + 1], told
