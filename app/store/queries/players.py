"""Reads of players and of the group's statistics, all from the tallies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Select, func, literal, or_, select, union_all
from sqlalchemy.orm import Session, aliased

from app.scorebook.results import ContractKind
from app.scorebook.statistics import LEAST_SHARED, ContractStats, ContractSums, PlayerSums
from app.store.games import StoredGame, StoredSeat
from app.store.groups import Player
from app.store.statistics import (
    ContractTally,
    PlayerTally,
    RivalTally,
    StoredResult,
    StoredSeatResult,
    Streak,
    StuckTally,
)

_SUMS = [getattr(PlayerTally, one.name) for one in fields(PlayerSums)]


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player in the list of a group's people."""

    id: int
    name: str
    archived: bool
    sums: PlayerSums


@dataclass(frozen=True, slots=True)
class PlayerDetails:
    """A player as kept; `merged_entries` are the other entries that were merged into this one."""

    id: int
    name: str
    archived_at: datetime | None
    merged_into: int | None
    merged_entries: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class LongestStuck:
    """The most rounds that one contract ever took somebody in one game."""

    rounds: int
    variant_id: str
    contract: int


@dataclass(frozen=True, slots=True)
class PlayerStreaks:
    """A player's wins in a row, now and the most there were, and where they were stuck longest."""

    wins_now: int
    most_wins: int
    longest_stuck: LongestStuck | None


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

    @property
    def share(self) -> int:
        """In how many of the shared games the player finished above, in percent."""
        return round(100 * self.above / self.shared)


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """How a player did in one of the last games."""

    key: str
    finished_at: datetime
    place: int | None
    player_count: int
    won: bool


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """A record: the least of a field of `StoredResult`, or the most if `is_maximum`.

    `points_decide` leaves only the games whose places went by points, or only the others.
    """

    field: str
    is_maximum: bool
    points_decide: bool | None = None


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """A game that holds a record of the group, and the value it holds it with."""

    game_key: str
    game_title: str
    variant_id: str
    finished_at: datetime
    value: int
    winners: tuple[str, ...]


def players_with_sums(session: Session, group: int) -> Sequence[ListedPlayer]:
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
        ListedPlayer(row[0], row[1], row[2] is not None, PlayerSums(*map(int, row[3:])))
        for row in rows
    ]


def player_in_group(session: Session, group: int, player: int) -> PlayerDetails | None:
    """A player of that group; None for one of another group or of none."""
    rows = session.execute(
        select(Player.id, Player.name, Player.archived_at, Player.merged_into_id)
        .where(Player.group_id == group, or_(Player.id == player, Player.merged_into_id == player))
        .order_by(Player.name)
    ).all()
    also = tuple((row.id, row.name) for row in rows if row.id != player)
    return next(
        (PlayerDetails(*row, merged_entries=also) for row in rows if row.id == player), None
    )


def sums_of(session: Session, player: int) -> dict[tuple[str, int], PlayerSums]:
    """A player's sums by rule set and year: the first year first."""
    rows = session.execute(
        select(PlayerTally.variant_id, PlayerTally.year, *(func.sum(one) for one in _SUMS))
        .where(PlayerTally.player_id == player)
        .group_by(PlayerTally.variant_id, PlayerTally.year)
        .order_by(PlayerTally.year, PlayerTally.variant_id)
    )
    return {(row[0], row[1]): PlayerSums(*map(int, row[2:])) for row in rows}


def contract_stats_of(session: Session, players: Sequence[int]) -> dict[str, list[ContractStats]]:
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
    found: dict[str, list[ContractStats]] = {}
    for variant, number, kind, *sums in rows:
        record = ContractStats(number, cast(ContractKind, kind), ContractSums(*map(int, sums)))
        found.setdefault(variant, []).append(record)
    return found


def streaks_of(session: Session, player: int) -> PlayerStreaks:
    """A player's longest stretches, good and bad."""
    row: Any = session.execute(
        select(
            Streak.current,
            Streak.longest,
            StuckTally.rounds,
            StuckTally.variant_id,
            StuckTally.contract,
        )
        .select_from(Player)
        .outerjoin(Streak, Streak.player_id == Player.id)
        .outerjoin(StuckTally, StuckTally.player_id == Player.id)
        .where(Player.id == player)
        .order_by(StuckTally.rounds.desc(), StuckTally.variant_id, StuckTally.contract)
        .limit(1)
    ).one()
    return PlayerStreaks(
        row[0] or 0, row[1] or 0, None if row[2] is None else LongestStuck(*row[2:])
    )


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


def last_games_of(session: Session, player: int, most: int) -> Sequence[PlacedGame]:
    """How a player did in the last finished games, the earliest of them first."""
    own, others = aliased(StoredSeatResult), aliased(StoredSeatResult)
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
        select(StoredGame.key, last.c.finished_at, last.c.place, counted, last.c.won)
        .join(StoredGame, StoredGame.id == last.c.game_id)
        .order_by(last.c.finished_at, last.c.game_id)
    )
    return [PlacedGame(*row) for row in rows]


def count_finished_games(session: Session, group: int, variant: str) -> int:
    """How many finished games the group has, of one rule set or of all."""
    found = select(func.count()).select_from(StoredResult).where(StoredResult.group_id == group)
    return (
        session.scalar(found.where(StoredResult.variant_id == variant) if variant else found) or 0
    )


def group_records(
    session: Session, group: int, variant: str, sought: Sequence[RecordQuery]
) -> Sequence[GroupRecord | None]:
    """For each that is sought the first game of the group that holds it; None if none does."""
    held = union_all(
        *(_record_game(place, group, variant, one) for place, one in enumerate(sought))
    )
    holders = held.subquery()
    rows = session.execute(
        select(
            holders.c.place,
            holders.c.value,
            StoredGame.id,
            StoredGame.key,
            StoredGame.title,
            StoredResult.variant_id,
            StoredResult.finished_at,
        )
        .join(StoredGame, StoredGame.id == holders.c.game)
        .join(StoredResult, StoredResult.game_id == holders.c.game)
    ).all()
    winners = _winners(session, [row.id for row in rows])
    found = {
        row.place: GroupRecord(
            row.key, row.title, row.variant_id, row.finished_at, row.value, winners[row.id]
        )
        for row in rows
    }
    return [found.get(place) for place in range(len(sought))]


def _record_game(
    place: int, group: int, variant: str, sought: RecordQuery
) -> Select[*tuple[Any, ...]]:
    """The game that holds a record: its place among those sought, its id, and the value."""
    column = getattr(StoredResult, sought.field)
    holder = (
        select(
            literal(place).label("place"), StoredResult.game_id.label("game"), column.label("value")
        )
        .where(StoredResult.group_id == group, column.is_not(None), StoredResult.rounds > 0)
        .order_by(
            column.desc() if sought.is_maximum else column,
            StoredResult.finished_at,
            StoredResult.game_id,
        )
        .limit(1)
    )
    if variant:
        holder = holder.where(StoredResult.variant_id == variant)
    if sought.points_decide is not None:
        holder = holder.where(StoredResult.points_decide.is_(sought.points_decide))
    return select(holder.subquery())


def _winners(session: Session, games: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
    rows = session.execute(
        select(StoredSeat.game_id, Player.name)
        .join(StoredSeatResult, StoredSeatResult.seat_id == StoredSeat.id)
        .join(Player, Player.id == StoredSeatResult.player_id)
        .where(StoredSeat.game_id.in_(games), StoredSeatResult.won)
        .order_by(StoredSeat.position)
    )
    names: dict[int, tuple[str, ...]] = dict.fromkeys(games, ())
    for game, name in rows:
        names[game] += (name,)
    return names
