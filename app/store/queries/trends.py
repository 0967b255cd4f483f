"""Reads of how figures went month by month."""

from dataclasses import replace

from sqlalchemy import extract, func, select
from sqlalchemy.orm import Session, aliased

from app.scorebook.statistics import PlayerSums
from app.store.queries.players import SUMS
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredSeatResult

Month = tuple[int, int]
"""Year and month, in UTC."""


def sums_of(
    session: Session, player: int, selection: GameSelection = ALL_GAMES
) -> dict[tuple[str, Month], PlayerSums]:
    """A player's sums by rule set and month: the first month first."""
    own = StoredSeatResult
    months = extract("year", own.finished_at), extract("month", own.finished_at)
    rows = session.execute(
        select(own.variant_id, *months, *SUMS)
        .where(own.player_id == player, *selection.conditions(own))
        .group_by(own.variant_id, *months)
        .order_by(*months, own.variant_id)
    )
    return {
        (variant, (int(year), int(month))): PlayerSums(*map(int, sums))
        for variant, year, month, *sums in rows
    }


def rivalry_by_month(
    session: Session, player: int, rival: int, selection: GameSelection
) -> dict[Month, tuple[int, int]]:
    """In how many games of a month a player finished ahead of another, and behind."""
    own, other = aliased(StoredSeatResult), aliased(StoredSeatResult)
    others = tuple(one for one in selection.players if one != rival)
    selection = replace(selection, players=others)  # the rival is there by the join
    months = extract("year", own.finished_at), extract("month", own.finished_at)
    ahead, behind = own.place < other.place, own.place > other.place
    rows = session.execute(
        select(*months, func.count().filter(ahead), func.count().filter(behind))
        .join(other, other.game_id == own.game_id)
        .where(own.player_id == player, other.player_id == rival, *selection.conditions(own))
        .group_by(*months)
        .order_by(*months)
    )
    return {(int(row[0]), int(row[1])): (row[2], row[3]) for row in rows}
