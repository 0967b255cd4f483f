"""Reads of how figures went month by month."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from math import ceil
from operator import add
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, and_, case, cast, func, select
from sqlalchemy.orm import Session, aliased

from app.exchange.days import day_of
from app.scorebook.statistics import PlayerSums
from app.store.queries.players import sums_over
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredPlayerResult

Month = tuple[int, int]
"""Year and month of the day of a moment (`day_of`)."""


def _month_of(moment: Any) -> ColumnElement[str]:
    """The `month` of a moment in UTC as a text, 2026-11; all of it where the server's may differ.

    So it may on a month's last day from the hour `late` on, and on its first before `early`. The
    functions of databases that read moments take longer than all else that is summed up.
    """
    west = time.timezone, time.altzone  # seconds from UTC, in winter and in summer
    late, early = 24 - max(0, ceil(-min(west) / 3600)), max(0, ceil(max(west) / 3600))
    text = cast(moment, Text)
    day, hour = func.substr(text, 9, 2), func.substr(text, 12, 2)
    may_differ = (hour >= f"{late:02}") & (day >= "28") | (hour < f"{early:02}") & (day == "01")
    return func.substr(text, 1, case((may_differ, 26), else_=7)).label("month")


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
    found = select(own.variant_id, _month_of(own.finished_at), *sums_over(own))
    for other in others:
        their = aliased(StoredPlayerResult)
        found = found.join(their, and_(their.game_id == own.game_id, their.player_id == other))
        for counted in (own.place < their.place, own.place > their.place):
            found = found.add_columns(func.count().filter(counted))
    rows = session.execute(
        found.where(
            own.player_id == player, *replace(selection, players=there).conditions(own)
        ).group_by("month", own.variant_id)
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
    """The sums of rows that begin with a rule set and a `_month_of`, the first month first."""
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
