"""Reads of how figures went month by month."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import String, and_, func, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session, aliased
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from app.scorebook.statistics import PlayerSums
from app.store.queries.players import sums_over
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredSeatResult

Month = tuple[int, int]
"""Year and month, in UTC."""


class MonthOf(FunctionElement[str]):
    """The month of a moment as a text: 2026-11. SQLite has moments as texts that begin so.

    Its functions that read them take longer than all else that is summed up.
    """

    inherit_cache = True
    type = String()


@compiles(MonthOf)
def _month_by_format(month: MonthOf, compiler: SQLCompiler, **options: Any) -> str:
    return f"to_char({compiler.process(month.clauses, **options)}, 'YYYY-MM')"


@compiles(MonthOf, "sqlite")
def _month_by_letters(month: MonthOf, compiler: SQLCompiler, **options: Any) -> str:
    return f"substr({compiler.process(month.clauses, **options)}, 1, 7)"


class PlayedMonth(NamedTuple):
    """What a player's games of a month by one rule set came to, in counts that add up.

    Games, wins, games with a place and the sum of these places; then for each of the others in how
    many games the player finished ahead, and behind.
    """

    variant: str
    month: Month
    counts: Sequence[int]


def months_of(
    session: Session,
    player: int,
    selection: GameSelection = ALL_GAMES,
    others: Sequence[int] = (),
) -> list[PlayedMonth]:
    """The months of a player, the first one first, of games in which all the others were there."""
    own = StoredSeatResult
    there = tuple(one for one in selection.players if one not in (*others, player))
    month = MonthOf(own.finished_at)
    found = select(own.variant_id, month, *sums_over(own)[:4])
    for other in others:
        their = aliased(StoredSeatResult)
        found = found.join(their, and_(their.game_id == own.game_id, their.player_id == other))
        for counted in (own.place < their.place, own.place > their.place):
            found = found.add_columns(func.count().filter(counted))
    rows = session.execute(
        found.where(own.player_id == player, *replace(selection, players=there).conditions(own))
        .group_by(month, own.variant_id)
        .order_by(month, own.variant_id)
    )
    return [PlayedMonth(variant, _month(text), counts) for variant, text, *counts in rows]


def sums_of(
    session: Session, player: int, selection: GameSelection = ALL_GAMES
) -> dict[tuple[str, Month], PlayerSums]:
    """A player's sums by rule set and month: the first month first."""
    own = StoredSeatResult
    month = MonthOf(own.finished_at)
    rows = session.execute(
        select(own.variant_id, month, *sums_over(own))
        .where(own.player_id == player, *selection.conditions(own))
        .group_by(month, own.variant_id)
        .order_by(month, own.variant_id)
    )
    return {(variant, _month(text)): PlayerSums(*map(int, sums)) for variant, text, *sums in rows}


def rivalry_by_month(
    session: Session, player: int, rival: int, selection: GameSelection
) -> dict[Month, tuple[int, int]]:
    """In how many games of a month a player finished ahead of another, and behind."""
    found: dict[Month, tuple[int, int]] = {}
    for one in months_of(session, player, selection, [rival]):
        ahead, behind = found.get(one.month, (0, 0))
        found[one.month] = ahead + one.counts[4], behind + one.counts[5]
    return found


def others_chosen(selection: GameSelection, player: int) -> list[int]:
    """The players that the selection asks for, but this one."""
    return [one for one in selection.players if one != player]


def _month(text: str) -> Month:
    year, month = text.split("-")
    return int(year), int(month)
