"""Reads of what tries at contracts came to, by player and contract."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.scorebook.statistics import ContractKind, ContractStats, ContractSums, contract_total
from app.store.queries.players import player_ids
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredContractAttempts, StoredSeatResult


@dataclass(frozen=True, slots=True)
class PlayerContractStats:
    """What a player's tries at one kind of a contract of a rule set came to."""

    player: int
    variant: str
    stats: ContractStats


def player_contract_stats(
    session: Session,
    group: int,
    selection: GameSelection = ALL_GAMES,
    *,
    player: int | None = None,
) -> list[PlayerContractStats]:
    """What a player's tries came to, or each of the group's: by player, rule set and contract."""
    tried, seat = StoredContractAttempts, StoredSeatResult
    players = player_ids(group) if player is None else [player]
    keys = tried.player_id, tried.variant_id, tried.contract, tried.kind  # as the index has them
    sums = (
        select(
            *keys,
            func.count(),
            func.sum(tried.rounds),
            func.count().filter(tried.was_completed),
            func.max(tried.rounds),
        )
        .where(tried.player_id.in_(players), *selection.conditions_but_players(tried))
        .group_by(*keys)
        .order_by(*keys)
    )
    few = selection.few_left_out
    if selection.players and few != ():
        # There are many tries, and mostly fewer games without the players than with them.
        games = selection.left_out(group) if few is None else few
        seats = select(seat.seat_id).where(seat.player_id.in_(players), seat.game_id.in_(games))
        # Distinct, so that SQLite finds them first, and not anew for each try.
        left_out = seats.distinct().subquery()
        sums = sums.outerjoin(left_out, left_out.c.seat_id == tried.seat_id)
        sums = sums.where(left_out.c.seat_id.is_(None))
    rows = session.execute(sums)
    found = []
    for whose, variant, number, kind, *counts, most in rows:
        of_kind, together = cast("ContractKind", kind), ContractSums(*map(int, counts))
        found.append(
            PlayerContractStats(whose, variant, ContractStats(number, of_kind, together, most))
        )
    return found


def contract_stats(by_player: Iterable[PlayerContractStats]) -> dict[str, list[ContractStats]]:
    """What the tries of all came to together: by rule set, in order of the contracts."""
    parts: defaultdict[tuple[str, int, str], list[ContractStats]] = defaultdict(list)
    for one in by_player:
        parts[one.variant, one.stats.number, one.stats.kind].append(one.stats)
    found: dict[str, list[ContractStats]] = {}
    for (variant, number, kind), of in sorted(parts.items()):
        sums, most = contract_total(one.sums for one in of), max(one.most_rounds for one in of)
        stats = ContractStats(number, cast("ContractKind", kind), sums, most)
        found.setdefault(variant, []).append(stats)
    return found
