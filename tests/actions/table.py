"""A game in a real database, told in players' names."""

import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Unpack

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.actions import rounds
from app.actions.games import StartPlan, start_game
from app.actions.groups import JoiningBrowser, let_in_first_device
from app.actions.requests import Actor, KeyedRequest
from app.actions.rounds import Confirmation, Transition
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.scorebook.dealing import players_in
from app.scorebook.events.entries import EntryFields, SetEntry, Tap
from app.scorebook.game import Entry, Round
from app.scorebook.standings import game_status
from app.store.games import LogEntry, StoredGame
from app.store.queries.games import LoadedGame, load_game
from tests.builders import who_laid_down

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
_keys = itertools.count()


def somebody(key: str = "") -> Actor:
    """Somebody who does something now, with a request key of their own."""
    number = next(_keys)
    return by_key(key or f"key-{number}", timedelta(microseconds=number))


def by_key(key: str, later: timedelta = timedelta(0)) -> Actor:
    """The one device of these tests, with a request that asks for the same whenever it is sent."""
    return Actor(None, NOON + later, KeyedRequest("a device", key, "the same", None))


@dataclass
class KeptTable:
    """A kept game; seats are named by their players."""

    session: Session
    id: int
    group: int = field(default=0)

    @classmethod
    def started(
        cls, session: Session, variant_id: str, names: str, *, group: int = 0, **house_rules
    ) -> "KeptTable":
        group = group or let_in_first_device(session, JoiningBrowser(), NOON).group
        rules = with_house_rules(rule_set_by_id(variant_id), house_rules)
        key = start_game(session, somebody(), group, StartPlan(rules, names.split(), 0))
        game = session.scalars(select(StoredGame).where(StoredGame.key == key)).one()
        return cls(session, game.id, group)

    @property
    def now(self) -> LoadedGame:
        return load_game(self.session, self.id)

    def seat(self, name: str) -> int:
        return next(seat for seat, one in self.now.game.names.items() if one == name)

    def playing(self, number: int) -> dict[int, str]:
        now = self.now
        return {seat.id: now.game.names[seat.id] for seat in players_in(now.game, number)}

    def filled(
        self, out: str = "", met: str = "", first_down: str = "", *, number: int = 0, **typed: str
    ) -> Round:
        """A round as it is sent whole; who has few points left laid down."""
        laid_down = who_laid_down(out, met, typed).split()
        entries = tuple(
            Entry(
                seat,
                met=name in laid_down,
                went_out=name == out,
                typed=typed.get(name, ""),
            )
            for seat, name in self.playing(number or self.now.game.open_number).items()
        )
        first = self.seat(first_down) if first_down else None
        return Round(number or self.now.game.open_number, entries, first)

    def close(
        self, number: int, out: str = "", met: str = "", *, confirmation=None, actor=None, **typed
    ):
        filled = self.filled(out, met, number=number, **typed)
        rounds.end_round(
            self.session, actor or somebody(), self.id, filled, confirmation or Confirmation()
        )

    def edit(
        self, number: int, out: str = "", met: str = "", *, confirmation=None, **typed
    ) -> None:
        filled = self.filled(out, met, number=number, **typed)
        rounds.edit_round(self.session, somebody(), self.id, filled, confirmation or Confirmation())

    def enter(self, tap: Tap, actor: Actor | None = None, **how: Any) -> Transition:
        return rounds.apply_tap(self.session, actor or somebody(), self.id, tap, **how)

    def set(self, number: int, name: str, **changes: Unpack[EntryFields]) -> None:
        self.enter(SetEntry(number, self.seat(name), changes))

    def entry(self, number: int, name: str) -> Entry:
        return self.now.game.round(number).entry_of(self.seat(name))

    def contract_of(self, name: str) -> int | None:
        return game_status(self.now.game).standing(self.seat(name)).contract

    def score_of(self, name: str) -> int | None:
        return game_status(self.now.game).standing(self.seat(name)).score

    @property
    def winners(self) -> list[str]:
        return [self.now.game.names[seat] for seat in game_status(self.now.game).winners]

    @property
    def log(self) -> list[LogEntry]:
        return list(
            self.session.scalars(
                select(LogEntry).where(LogEntry.game_id == self.id).order_by(LogEntry.version)
            )
        )
