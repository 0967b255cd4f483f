"""Reads of the tries at contracts, by player and contract."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.scorebook.statistics import ContractKind, ContractStats, ContractSums, contract_total
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredContractAttempts


@dataclass(frozen=True, slots=True)
class ContractTries:
    """What a player's tries at a contract of a rule set came to."""

    player: int
    variant: str
    stats: ContractStats


def contract_tries(
    session: Session, players: Sequence[int] | Select[int], selection: GameSelection = ALL_GAMES
) -> list[ContractTries]:
    """What these players' tries came to, for each of them, in order of the contracts."""
    tried = StoredContractAttempts
    keys = tried.player_id, tried.variant_id, tried.contract, tried.kind  # as the index has them
    rows = session.execute(
        select(
            *keys,
            func.count(),
            func.sum(tried.rounds),
            func.count().filter(tried.was_completed),
            func.max(tried.rounds),
        )
        .where(tried.player_id.in_(players), *selection.conditions(tried, players))
        .group_by(*keys)
        .order_by(*keys)
    )
    found = []
    for player, variant, number, kind, *sums, most in rows:
        of_kind, together = cast("ContractKind", kind), ContractSums(*map(int, sums))
        found.append(ContractTries(player, variant, ContractStats(number, of_kind, together, most)))
    return found


def contract_stats(tries: Iterable[ContractTries]) -> dict[str, list[ContractStats]]:
    """What the tries of all came to together: by rule set, in order of the contracts."""
    parts: defaultdict[tuple[str, int, str], list[ContractStats]] = defaultdict(list)
    for one in tries:
        parts[one.variant, one.stats.number, one.stats.kind].append(one.stats)
    found: dict[str, list[ContractStats]] = {}
    for (variant, number, kind), of in sorted(parts.items()):
        sums, most = contract_total(one.sums for one in of), max(one.most_rounds for one in of)
        stats = ContractStats(number, cast("ContractKind", kind), sums, most)
        found.setdefault(variant, []).append(stats)
    return found
