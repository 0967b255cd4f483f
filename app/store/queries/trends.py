"""Reads for charts: how figures went month by month, and player by player."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import extract, func, select
from sqlalchemy.orm import Session, aliased

from app.store.groups import Player
from app.store.queries.players import player_ids
from app.store.queries.selection import GameSelection
from app.store.statistics import StoredContractAttempts, StoredSeatResult

Month = tuple[int, int]
"""Year and month, in UTC."""


def places_by_month(
    session: Session, player: int, selection: GameSelection
) -> dict[Month, tuple[int, int]]:
    """In how many games of a month a player had a place, and the sum of these places."""
    own = StoredSeatResult
    months = extract("year", own.finished_at), extract("month", own.finished_at)
    rows = session.execute(
        select(*months, func.count(), func.sum(own.place))
        .where(own.player_id == player, own.place.is_not(None), *selection.conditions(own))
        .group_by(*months)
        .order_by(*months)
    )
    return _by_month(rows)


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
    return _by_month(rows)


def _by_month(rows: Any) -> dict[Month, tuple[int, int]]:
    return {(int(row[0]), int(row[1])): (int(row[2]), int(row[3])) for row in rows}


class ContractRounds(NamedTuple):
    """A player's tries at a contract."""

    player: int
    name: str
    contract: int
    rounds: int
    completed: int


def contract_rounds(
    session: Session, group: int, variant: str, selection: GameSelection
) -> Sequence[ContractRounds]:
    """Each player's tries at each contract of a rule set, by the names of the players."""
    tried = StoredContractAttempts
    rows = session.execute(
        select(
            Player.id,
            Player.name,
            tried.contract,
            func.sum(tried.rounds),
            func.count().filter(tried.was_completed),
        )
        .join(tried, tried.player_id == Player.id)
        .where(
            Player.id.in_(player_ids(group)),
            tried.variant_id == variant,
            *selection.conditions(tried),
        )
        .group_by(Player.id, Player.name, tried.contract)
        .order_by(Player.name, tried.contract)
    )
    return [ContractRounds(*row) for row in rows]
