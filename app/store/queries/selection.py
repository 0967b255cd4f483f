"""Which finished games count: the one value by which every statistic is narrowed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import aliased

from app.store.statistics import StoredContractAttempts, StoredSeatResult


@dataclass(frozen=True, slots=True)
class GameSelection:
    """Which finished games count: of these rule sets, or of all if none is named, in a period.

    The period begins at `since` and ends before `until`; without one it is open on that side. All
    of the `players` took part.
    """

    variants: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    players: tuple[int, ...] = ()

    def conditions(
        self, facts: Any, of: Sequence[int] | Select[int] = (), *, lazily: bool = False
    ) -> list[ColumnElement[bool]]:
        """What has to hold for a row of a table of facts, or of an alias of one.

        Where only facts `of` some players are asked for, less is looked through; so it is if the
        players are looked for row by row, `lazily`, where few rows are read.
        """
        found = self.in_period(facts.finished_at)
        if self.variants:
            found.append(facts.variant_id.in_(self.variants))
        for player in self.players:
            there = aliased(StoredSeatResult)
            in_time = self.in_period(there.finished_at)
            shared = select(there.game_id).where(there.player_id == player, *in_time)
            if lazily:
                shared = shared.where(there.game_id == facts.game_id)
            if facts is StoredContractAttempts:
                # There are many tries: to look each up among the few of other games costs less.
                seat = StoredSeatResult
                theirs = [seat.player_id.in_(of)] if of != () else []
                others = seat.game_id.not_in(shared), *self.in_period(seat.finished_at), *theirs
                found.append(facts.seat_id.not_in(select(seat.seat_id).where(*others)))
            else:
                found.append(facts.game_id.in_(shared))
        return found

    def in_period(self, moment: Any) -> list[ColumnElement[bool]]:
        """What has to hold for a moment."""
        found: list[ColumnElement[bool]] = []
        if self.since is not None:
            found.append(moment >= self.since)
        if self.until is not None:
            found.append(moment < self.until)
        return found


ALL_GAMES = GameSelection()


def start_of(day: date) -> datetime:
    """The moment at which a day begins, by the clock of the server."""
    return datetime.combine(day, time()).astimezone()
