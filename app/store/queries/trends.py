"""Reads of how figures went month by month."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from math import ceil
from operator import add
from typing import Any, NamedTuple

from sqlalchemy import String, and_, func, literal_column, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session, aliased
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from app.exchange.days import day_of
from app.scorebook.statistics import PlayerSums
from app.store.queries.players import sums_over
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredPlayerResult

Month = tuple[int, int]
"""Year and month of the day of a moment (`day_of`)."""


class MonthOf(FunctionElement[str]):
    """The month of a moment in UTC as a text, 2026-11; all of it where the server's may differ.

    So it may on a month's last day from the hour `late` on, and on its first before `early`.
    SQLite has moments as such texts; its functions that read them take longer than all else that
    is summed up.
    """

    inherit_cache = True
    type = String()


@compiles(MonthOf)
def _month_by_format(month: MonthOf, compiler: SQLCompiler, **options: Any) -> str:
    moment, *hours = (compiler.process(one, **options) for one in month.clauses)
    return _shortened(f"to_char({moment}, 'YYYY-MM-DD HH24:MI:SS.US')", *hours)


@compiles(MonthOf, "sqlite")
def _month_by_letters(month: MonthOf, compiler: SQLCompiler, **options: Any) -> str:
    return _shortened(*(compiler.process(one, **options) for one in month.clauses))


def _shortened(text: str, late: str, early: str) -> str:
    day, hour = f"substr({text}, 9, 2)", f"substr({text}, 12, 2)"
    may_differ = f"{hour} >= {late} AND {day} >= '28' OR {hour} < {early} AND {day} = '01'"
    return f"substr({text}, 1, CASE WHEN {may_differ} THEN 26 ELSE 7 END)"


def _month_of(moment: Any) -> MonthOf:
    west = time.timezone, time.altzone  # seconds from UTC, in winter and in summer
    late, early = 24 - max(0, ceil(-min(west) / 3600)), max(0, ceil(max(west) / 3600))
    return MonthOf(moment, *(literal_column(f"'{hour:02}'") for hour in (late, early)))


class PlayedMonth(NamedTuple):
    """What a player's games of a month by one rule set came to."""

    variant: str
    month: Month
    sums: PlayerSums
    against: Sequence[tuple[int, int]]
    """For each of the others in how many games the player finished ahead, and behind."""


_SUMS = len(fields(PlayerSums))


def months_of(
    session: Session,
    player: int,
    selection: GameSelection = ALL_GAMES,
    others: Sequence[int] = (),
) -> list[PlayedMonth]:
    """The months of a player, the first one first, of games in which all the others were there."""
    own = StoredPlayerResult
    there = tuple(one for one in selection.players if one not in (*others, player))
    month = _month_of(own.finished_at)
    found = select(own.variant_id, month, *sums_over(own))
    for other in others:
        their = aliased(StoredPlayerResult)
        found = found.join(their, and_(their.game_id == own.game_id, their.player_id == other))
        for counted in (own.place < their.place, own.place > their.place):
            found = found.add_columns(func.count().filter(counted))
    rows = session.execute(
        found.where(
            own.player_id == player, *replace(selection, players=there).conditions(own)
        ).group_by(month, own.variant_id)
    )
    return [
        PlayedMonth(
            variant,
            of,
            PlayerSums(*counts[:_SUMS]),
            [*zip(counts[_SUMS::2], counts[_SUMS + 1 :: 2], strict=True)],
        )
        for (of, variant), counts in _by_month(rows)
    ]


def rivalry_by_month(months: Iterable[PlayedMonth], other: int) -> dict[Month, tuple[int, int]]:
    """In how many games of a month a player finished ahead of another, and behind.

    `other` is their number, from 0, among the `others` of whom `months_of` was asked.
    """
    found: dict[Month, tuple[int, int]] = {}
    for one in months:
        before = found.get(one.month, (0, 0))
        found[one.month] = before[0] + one.against[other][0], before[1] + one.against[other][1]
    return found


def others_chosen(selection: GameSelection, player: int) -> list[int]:
    """The players that the selection asks for, but this one."""
    return [one for one in selection.players if one != player]


def _by_month(rows: Iterable[Sequence[Any]]) -> list[tuple[tuple[Month, str], list[int]]]:
    """The sums of rows that begin with a rule set and a `MonthOf`, the first month first."""
    found: dict[tuple[Month, str], list[int]] = {}
    for variant, text, *sums in rows:
        key, counts = (_month(text), variant), map(int, sums)
        found[key] = [*map(add, found[key], counts)] if key in found else [*counts]
    return sorted(found.items())


def _month(text: str) -> Month:
    if len(text) == len("2026-11"):
        return int(text[:4]), int(text[5:])
    day = day_of(datetime.fromisoformat(text).replace(tzinfo=UTC))
    return day.year, day.month
