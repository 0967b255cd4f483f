"""The group that is walked through: its phone, its program, and what stands in it now."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from random import Random
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from app.extensions import db
from app.store import game_cache
from app.store.game_rows import read_games
from app.store.games import StoredGame
from app.store.groups import Player
from app.store.queries.games import LoadedGame, load_game, load_games
from tests.web.test_interface import token_for

NAMES = ("Anna", "Ben", "Cleo", "Dora", "anna", "Zoé", "Zoe\u0301", "ﬃ" * 40, "N" * 40)
TEXTS = ("", "With Dora", "=1+1", "x" * 80, "\t n° 5 \r\n🂡 é", "é <b>", "0", "null")
TYPED = ("", "0", "5", "10+5", "25", "10+", "500", " 15 ", "−5", "9" * 20)
REASONS = ("", "it was Ben", "x" * 200, "«\u00a0é\u00a0»")
RULE_SETS = (
    "frustration", "aggravation-rummy", "frustration-rummy", "garbage-rummy", "carioca",
    "points-only",
)  # fmt: skip

Step = Callable[["World"], TestResponse | None]
STEPS: dict[str, Step] = {}
"""Endpoint and the step that sends something to it; a step answers None where nothing is there."""


def step(endpoint: str) -> Callable[[Step], Step]:
    """Register the step of an endpoint."""

    def register(act: Step) -> Step:
        assert endpoint not in STEPS
        STEPS[endpoint] = act
        return act

    return register


@dataclass
class World:
    """A group in which everything is done at random, always the same for a seed."""

    app: Flask
    chance: Random
    phone: FlaskClient
    group: int
    program: FlaskClient = field(init=False)
    token: str = field(init=False)

    def __post_init__(self) -> None:
        self.program = self.app.test_client()
        self.token = token_for(self.phone, "manage", "Scoreboard é")

    # Doing something

    def post(self, address: str, **sent: Any) -> TestResponse:
        """Send a form; what it warns of is overruled, as a rule."""
        answer = self.phone.post(address, data=sent)
        page = answer.get_data(as_text=True)
        warnings = [unescape(one) for one in re.findall(r'name="accepted" value="([^"]+)"', page)]
        if answer.status_code == 422 and warnings and self.maybe(0.9):
            return self.phone.post(address, data={**sent, "accepted": warnings})
        return answer

    def ask(self, method: str, address: str, **sent: Any) -> TestResponse:
        """Send what a program sends; what it warns of is overruled."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = self.program.open(f"/api/v1{address}", method=method, headers=headers, json=sent)
        warnings = [one["mark"] for one in (answer.get_json(silent=True) or {}).get("doubts", ())]
        if answer.status_code == 422 and warnings:
            sent["accepted"] = warnings
            return self.program.open(f"/api/v1{address}", method=method, headers=headers, json=sent)
        return answer

    # Chance

    def maybe(self, share: float = 0.5) -> bool:
        return self.chance.random() < share

    def one_of(self, found: Any) -> Any:
        """Any of these; None where there are none."""
        found = list(found)
        return self.chance.choice(found) if found else None

    def name(self) -> str:
        return self.chance.choice(NAMES)

    # What is there

    @contextmanager
    def session(self) -> Iterator[Session]:
        with self.app.app_context():
            yield db.session()
            db.session.remove()

    def find(self, *columns: Any, where: tuple[Any, ...] = (), order: Any = None) -> list[Any]:
        """Rows of one of the group's own tables, in an order that is always the same."""
        table = columns[0].class_
        with self.session() as session:
            found = select(*columns).where(table.group_id == self.group, *where)
            rows = session.execute(found.order_by(order or table.id)).all()
        return [row[0] if len(columns) == 1 else row for row in rows]

    def game(self, *where: Any, binned: bool = False) -> str | None:
        """The key of a game, mostly one of the last that were started."""
        lies = StoredGame.deleted_at.is_not(None) if binned else StoredGame.deleted_at.is_(None)
        keys = self.find(StoredGame.key, where=(lies, *where))
        return self.one_of(keys[-3:] if self.maybe(0.8) else keys)

    def running_game(self) -> str | None:
        return self.game(StoredGame.finished_at.is_(None))

    def table(self, key: str) -> LoadedGame:
        with self.session() as session:
            game = session.scalars(select(StoredGame.id).where(StoredGame.key == key)).one()
            return load_game(session, game)

    def check_cache(self, memory: dict[int, LoadedGame]) -> None:
        """Serve by the process with that memory from now on; it knows the games as they are."""
        game_cache._games = memory
        games = self.find(StoredGame.id)[-3:]
        with self.session() as session:
            read = read_games(session.connection(), games)
            for one in load_games(session, games):
                for name in ("header", "game", "round_ends", "status"):
                    assert getattr(one, name) == getattr(read[one.id], name), name

    def player(self, *where: Any) -> int | None:
        return self.one_of(self.find(Player.id, where=where))

    # What is entered

    def round(self, table: LoadedGame, number: int) -> dict[str, Any]:
        """A whole round as a form sends it."""
        seats = [one.id for one in table.game.seats if one.plays_in(number)]
        sent: dict[str, Any] = {"reason": self.chance.choice(REASONS)}
        out = self.one_of([*seats, *seats, *seats, "nobody"]) if table.variant.contracts else ""
        sent |= {"out": str(out)} if out else {}
        for seat in seats:
            met = bool(out) and (seat == out or self.maybe())
            sent |= self.row(table, seat, met=met, out=seat == out)
        if self.maybe():
            sent["first_down"] = str(self.one_of(seats))
        return sent

    def row(self, table: LoadedGame, seat: int, *, met: bool, out: bool) -> Mapping[str, str]:
        sent = {f"{seat}-met": "on"} if met else {}
        if out:
            return sent
        if self.maybe(0.2):
            for place in range(len(table.variant.penalties.classes)):
                sent[f"{seat}-counted-{place}"] = str(self.chance.randrange(3))
        sent[f"{seat}-typed"] = self.chance.choice(TYPED if self.maybe(0.2) else ("5", "10+5"))
        return sent

    def players_to_merge(self) -> tuple[int | None, int | None]:
        return self.player(), self.player()
