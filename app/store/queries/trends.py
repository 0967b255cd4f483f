"""Reads of how figures went month by month."""

from dataclasses import replace
from typing import Any

from sqlalchemy import String, func, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session, aliased
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from app.scorebook.statistics import PlayerSums
from app.store.queries.players import SUMS
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


def sums_of(
    session: Session, player: int, selection: GameSelection = ALL_GAMES
) -> dict[tuple[str, Month], PlayerSums]:
    """A player's sums by rule set and month: the first month first."""
    own = StoredSeatResult
    month_of = MonthOf(own.finished_at)
    rows = session.execute(
        select(own.variant_id, month_of, *SUMS)
        .where(own.player_id == player, *selection.conditions(own))
        .group_by(month_of, own.variant_id)
        .order_by(month_of, own.variant_id)
    )
    return {(variant, _month(text)): PlayerSums(*map(int, sums)) for variant, text, *sums in rows}


def rivalry_by_month(
    session: Session, player: int, rival: int, selection: GameSelection
) -> dict[Month, tuple[int, int]]:
    """In how many games of a month a player finished ahead of another, and behind."""
    own, other = aliased(StoredSeatResult), aliased(StoredSeatResult)
    others = tuple(one for one in selection.players if one != rival)
    selection = replace(selection, players=others)  # the rival is there by the join
    month_of = MonthOf(own.finished_at)
    ahead, behind = own.place < other.place, own.place > other.place
    rows = session.execute(
        select(month_of, func.count().filter(ahead), func.count().filter(behind))
        .join(other, other.game_id == own.game_id)
        .where(own.player_id == player, other.player_id == rival, *selection.conditions(own))
        .group_by(month_of)
        .order_by(month_of)
    )
    return {_month(text): (above, below) for text, above, below in rows}


def _month(text: str) -> Month:
    year, month = text.split("-")
    return int(year), int(month)
