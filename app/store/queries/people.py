"""Reads of players and of the group's statistics, all from the tallies."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, cast

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from app.scorebook.results import ContractKind
from app.scorebook.statistics import LEAST_SHARED, ContractRecord, ContractSums, PlayerSums
from app.store.games import KeptGame, KeptSeat
from app.store.groups import Player
from app.store.statistics import (
    ContractTally,
    KeptResult,
    KeptSeatResult,
    PlayerTally,
    RivalTally,
    Streak,
    StuckTally,
)

_SUMS = [getattr(PlayerTally, one.name) for one in fields(PlayerSums)]


@dataclass(frozen=True, slots=True)
class Person:
    """A player in the list of a group's people."""

    id: int
    name: str
    archived: bool
    sums: PlayerSums


@dataclass(frozen=True, slots=True)
class Known:
    """A player as kept; `also` are the other entries that were merged into this one."""

    id: int
    name: str
    archived_at: datetime | None
    merged_into: int | None
    also: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Stuck:
    """The most rounds that one contract ever took somebody in one game."""

    rounds: int
    variant: str
    contract: int


@dataclass(frozen=True, slots=True)
class Rival:
    """How a player came out against another: in how many shared games above, below, level."""

    id: int
    name: str
    shared: int
    above: int
    level: int

    @property
    def below(self) -> int:
        """In how many games the other finished above."""
        return self.shared - self.above - self.level


@dataclass(frozen=True, slots=True)
class Placed:
    """How a player did in one of the last games."""

    key: str
    finished_at: datetime
    place: int | None
    players: int
    won: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A game that holds a record of the group, and the value it holds it with."""

    key: str
    title: str
    variant: str
    finished_at: datetime
    value: int
    winners: tuple[str, ...]


def people_of(session: Session, group: int) -> Sequence[Person]:
    """The group's players, who has played most first; entries merged into others left out."""
    sums = [func.coalesce(func.sum(one), 0) for one in _SUMS]
    rows = session.execute(
        select(Player.id, Player.name, Player.archived_at, *sums)
        .outerjoin(PlayerTally, PlayerTally.player_id == Player.id)
        .where(Player.group_id == group, Player.merged_into_id.is_(None))
        .group_by(Player.id, Player.name, Player.archived_at)
        .order_by(sums[0].desc(), Player.name)
    )
    return [
        Person(row[0], row[1], row[2] is not None, PlayerSums(*map(int, row[3:]))) for row in rows
    ]


def known_in_group(session: Session, group: int, player: int) -> Known | None:
    """A player of that group; None for one of another group or of none."""
    row = session.execute(
        select(Player.id, Player.name, Player.archived_at, Player.merged_into_id).where(
            Player.id == player, Player.group_id == group
        )
    ).first()
    if row is None:
        return None
    also = session.execute(
        select(Player.id, Player.name).where(Player.merged_into_id == player).order_by(Player.name)
    )
    return Known(*row, also=tuple((one.id, one.name) for one in also))


def sums_by_variant(session: Session, player: int) -> dict[str, PlayerSums]:
    """A player's sums in each rule set, the one most played first."""
    return _sums_by(session, player, PlayerTally.variant_id, func.sum(PlayerTally.games).desc())


def sums_by_year(session: Session, player: int) -> dict[int, PlayerSums]:
    """A player's sums in each year, the first year first."""
    return _sums_by(session, player, PlayerTally.year, PlayerTally.year)


def contracts_of(session: Session, players: Sequence[int]) -> dict[str, list[ContractRecord]]:
    """What these players' tries came to together: by rule set, in order of the contracts."""
    rows = session.execute(
        select(
            ContractTally.variant_id,
            ContractTally.contract,
            ContractTally.kind,
            func.sum(ContractTally.games),
            func.sum(ContractTally.rounds),
            func.sum(ContractTally.completed),
        )
        .where(ContractTally.player_id.in_(players))
        .group_by(ContractTally.variant_id, ContractTally.contract, ContractTally.kind)
        .order_by(ContractTally.variant_id, ContractTally.contract, ContractTally.kind)
    )
    found: dict[str, list[ContractRecord]] = {}
    for variant, number, kind, *sums in rows:
        record = ContractRecord(number, cast(ContractKind, kind), ContractSums(*map(int, sums)))
        found.setdefault(variant, []).append(record)
    return found


def longest_stuck(session: Session, player: int) -> Stuck | None:
    """The most rounds that one contract took a player in one game."""
    row = session.execute(
        select(StuckTally.rounds, StuckTally.variant_id, StuckTally.contract)
        .where(StuckTally.player_id == player)
        .order_by(StuckTally.rounds.desc(), StuckTally.variant_id, StuckTally.contract)
        .limit(1)
    ).first()
    return None if row is None else Stuck(*row)


def streak_of(session: Session, player: int) -> tuple[int, int]:
    """A player's wins in a row: now, and the most there were."""
    row = session.execute(
        select(Streak.current, Streak.longest).where(Streak.player_id == player)
    ).first()
    return (0, 0) if row is None else (row.current, row.longest)


def rivals_of(session: Session, player: int) -> Sequence[Rival]:
    """Who shared enough finished games with a player, most games first."""
    rows = session.execute(
        select(
            RivalTally.rival_id, Player.name, RivalTally.shared, RivalTally.above, RivalTally.level
        )
        .join(Player, Player.id == RivalTally.rival_id)
        .where(RivalTally.player_id == player, RivalTally.shared >= LEAST_SHARED)
        .order_by(RivalTally.shared.desc(), Player.name)
    )
    return [Rival(*row) for row in rows]


def last_games_of(session: Session, player: int, most: int) -> Sequence[Placed]:
    """How a player did in the last finished games, the earliest of them first."""
    own, others = aliased(KeptSeatResult), aliased(KeptSeatResult)
    last = (
        select(own.game_id, own.finished_at, own.place, own.won)
        .where(own.player_id == player)
        .order_by(own.finished_at.desc(), own.game_id.desc())
        .limit(most)
        .subquery()
    )
    counted = (
        select(func.count(others.place))
        .where(others.game_id == last.c.game_id)
        .correlate(last)
        .scalar_subquery()
    )
    rows = session.execute(
        select(KeptGame.key, last.c.finished_at, last.c.place, counted, last.c.won)
        .join(KeptGame, KeptGame.id == last.c.game_id)
        .order_by(last.c.finished_at, last.c.game_id)
    )
    return [Placed(*row) for row in rows]


def games_counted(session: Session, group: int, variant: str) -> int:
    """How many finished games the group has, of one rule set or of all."""
    found = select(func.count()).select_from(KeptResult).where(KeptResult.group_id == group)
    return session.scalar(found.where(KeptResult.variant_id == variant) if variant else found) or 0


def record_holder(
    session: Session,
    group: int,
    variant: str,
    field: str,
    *,
    most: bool,
    by_points: bool | None = None,
) -> Record | None:
    """The first game that has the least or most of a field of `KeptResult`; None if none has it."""
    column = getattr(KeptResult, field)
    holder = (
        select(KeptResult.game_id)
        .where(KeptResult.group_id == group, column.is_not(None), KeptResult.rounds > 0)
        .order_by(column.desc() if most else column, KeptResult.finished_at, KeptResult.game_id)
        .limit(1)
    )
    if variant:
        holder = holder.where(KeptResult.variant_id == variant)
    if by_points is not None:
        holder = holder.where(KeptResult.by_points.is_(by_points))
    row = session.execute(
        select(
            KeptGame.id,
            KeptGame.key,
            KeptGame.title,
            KeptResult.variant_id,
            KeptResult.finished_at,
            column,
        )
        .join(KeptGame, KeptGame.id == KeptResult.game_id)
        .where(KeptResult.game_id == holder.scalar_subquery())
    ).first()
    return None if row is None else _record(session, row)


def _record(session: Session, row: Any) -> Record:
    game, key, title, variant, finished_at, value = row
    return Record(key, title, variant, finished_at, value, _winners(session, game))


def _winners(session: Session, game: int) -> tuple[str, ...]:
    return tuple(
        session.scalars(
            select(Player.name)
            .join(KeptSeat, KeptSeat.player_id == Player.id)
            .join(KeptSeatResult, KeptSeatResult.seat_id == KeptSeat.id)
            .where(KeptSeat.game_id == game, KeptSeatResult.won)
            .order_by(KeptSeat.position)
        )
    )


def _sums_by(session: Session, player: int, column: Any, order: Any) -> dict[Any, PlayerSums]:
    rows = session.execute(
        select(column, *(func.sum(one) for one in _SUMS))
        .where(PlayerTally.player_id == player)
        .group_by(column)
        .order_by(order, column)
    )
    return {row[0]: PlayerSums(*map(int, row[1:])) for row in rows}
