"""Reads of players and of the group's statistics: facts of finished games, summed up when asked.

Each statistic is of all finished games, or of those that a `GameSelection` names.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    and_,
    func,
    literal,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from app.scorebook.limits import MOST_PLAYERS
from app.scorebook.marks import Mark, next_mark
from app.scorebook.statistics import (
    LEAST_SHARED,
    PlayerSums,
)
from app.store.games import StoredGame, StoredSeat
from app.store.groups import Player
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredResult, StoredSeatResult


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player in the list of a group's people."""

    id: int
    name: str
    archived: bool
    mark: Mark
    sums: PlayerSums


@dataclass(frozen=True, slots=True)
class PlayerDetails:
    """A player as kept; `merged_entries` are the other entries that were merged into this one."""

    id: int
    name: str
    archived_at: datetime | None
    merged_into: int | None
    mark: Mark
    merged_entries: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Rival:
    """How a player came out against another: in how many shared games above, below, level."""

    id: int
    name: str
    mark: Mark
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


PlacedGame = Row[datetime, int | None, int, bool]
"""How a player did in one of the last games: `finished_at`, `place`, `player_count`, `won`."""


RecordUnit = Literal["seconds", "rounds", "points", "contracts"]


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """A record: the least of a field of `StoredResult`, or the most if `is_maximum`.

    One in points or contracts is of the games whose places went by them; one in points is of a
    single rule set (`variant`), since elsewhere a point is worth more or less.
    """

    field: str
    unit: RecordUnit
    is_maximum: bool = False
    variant: str | None = None


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """A game that holds a record of the group, and the value it holds it with."""

    game_key: str
    game_title: str
    variant_id: str
    finished_at: datetime
    value: int
    winners: tuple[str, ...]


def players_with_sums(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> Sequence[ListedPlayer]:
    """The group's players, who has played most first; entries merged into others left out."""
    counts = StoredSeatResult.player_id == Player.id, *selection.conditions(StoredSeatResult)
    rows = session.execute(
        select(Player.id, Player.name, Player.archived_at, Player.mark, *SUMS)
        .outerjoin(StoredSeatResult, and_(*counts))
        .where(Player.id.in_(player_ids(group)))
        .group_by(Player.id)
        .order_by(_COUNTED["games"].desc(), Player.name)
    )
    return [
        ListedPlayer(row[0], row[1], row[2] is not None, row[3], PlayerSums(*map(int, row[4:])))
        for row in rows
    ]


def player_names(session: Session, group: int) -> Sequence[tuple[int, str]]:
    """Ids and names of the group's players, who has played last first.

    Of a group that is larger than a group can become today, those alone.
    """
    last = (
        select(func.max(StoredSeatResult.finished_at))
        .where(StoredSeatResult.player_id == Player.id)
        .correlate(Player)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Player.id, Player.name)
        .where(Player.id.in_(player_ids(group)))
        .order_by(last.desc().nulls_last(), Player.name)
        .limit(MOST_PLAYERS)
    )
    return [(row.id, row.name) for row in rows]


def player_ids(group: int | ScalarSelect[int]) -> Select[int]:
    """The ids of the group's players; entries merged into others left out.

    Asked for by these SQLite takes one player after the other, as the indexes of the facts do.
    """
    return select(Player.id).where(Player.group_id == group, Player.merged_into_id.is_(None))


_COUNTED: dict[str, ColumnElement[Any]] = {
    "games": func.count(StoredSeatResult.game_id),
    "wins": func.count().filter(StoredSeatResult.won),
    "placed": func.count(StoredSeatResult.place),
    "place_sum": func.coalesce(func.sum(StoredSeatResult.place), 0),
}
SUMS: list[ColumnElement[Any]] = [
    _COUNTED[one.name]
    if one.name in _COUNTED
    else func.coalesce(func.sum(getattr(StoredSeatResult, one.name)), 0)
    for one in fields(PlayerSums)
]
"""The fields of `PlayerSums`, each over the results of a group of rows."""


def player_in_group(session: Session, group: int, player: int) -> PlayerDetails | None:
    """A player of that group; None for one of another group or of none."""
    rows = session.execute(
        select(Player.id, Player.name, Player.archived_at, Player.merged_into_id, Player.mark)
        .where(Player.group_id == group, or_(Player.id == player, Player.merged_into_id == player))
        .order_by(Player.name)
    ).all()
    also = tuple((row.id, row.name) for row in rows if row.id != player)
    return next(
        (PlayerDetails(*row, merged_entries=also) for row in rows if row.id == player), None
    )


def rivals_of(
    session: Session,
    player: int,
    selection: GameSelection = ALL_GAMES,
    *,
    least_shared: int = LEAST_SHARED,
) -> Sequence[Rival]:
    """Who shared at least so many finished games with a player, most games first.

    Who left before the end is nobody's rival in that game.
    """
    own, other = aliased(StoredSeatResult), aliased(StoredSeatResult)
    together = other.game_id == own.game_id, other.player_id != own.player_id
    sums = (
        select(
            other.player_id,
            func.count().label("shared"),
            func.count().filter(own.place < other.place).label("above"),
            func.count().filter(own.place == other.place).label("level"),
        )
        .select_from(own)
        .join(other, and_(*together))
        .where(
            own.player_id == player,
            own.place.is_not(None),
            other.place.is_not(None),
            *selection.conditions(own),
        )
        .group_by(other.player_id)
        .having(func.count() >= least_shared)
        .subquery()
    )
    rows = session.execute(
        select(Player.id, Player.name, Player.mark, sums.c.shared, sums.c.above, sums.c.level)
        .join(sums, sums.c.player_id == Player.id)
        .order_by(sums.c.shared.desc(), Player.name)
    )
    return [Rival(*row) for row in rows]


def last_games_of(
    session: Session, player: int, most: int, selection: GameSelection = ALL_GAMES
) -> Sequence[PlacedGame]:
    """How a player did in the last finished games, the earliest of them first."""
    own, others = aliased(StoredSeatResult), aliased(StoredSeatResult)
    last = (
        select(own.game_id, own.finished_at, own.place, own.won)
        .where(own.player_id == player, *selection.conditions(own, lazily=True))
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
    return session.execute(
        select(
            last.c.finished_at, last.c.place, counted.label("player_count"), last.c.won
        ).order_by(last.c.finished_at, last.c.game_id)
    ).all()


def count_finished_games(session: Session, group: int, selection: GameSelection = ALL_GAMES) -> int:
    """How many finished games the group has."""
    found = select(func.count()).select_from(StoredResult).where(StoredResult.group_id == group)
    return session.scalars(found.where(*selection.conditions(StoredResult))).one()


def point_rule_sets(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> Sequence[str]:
    """The rule sets of games whose places went by points, the one most played first."""
    came_to = StoredResult
    return session.scalars(
        select(came_to.variant_id)
        .where(came_to.group_id == group, came_to.points_decide, *selection.conditions(came_to))
        .group_by(came_to.variant_id)
        .order_by(func.count().desc(), came_to.variant_id)
    ).all()


def group_records(
    session: Session,
    group: int,
    sought: Sequence[RecordQuery],
    selection: GameSelection = ALL_GAMES,
) -> Sequence[GroupRecord | None]:
    """For each that is sought the first game of the group that holds it; None if none does."""
    held = union_all(
        *(_record_game(place, group, one, selection) for place, one in enumerate(sought))
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
    place: int, group: int, sought: RecordQuery, selection: GameSelection
) -> Select[*tuple[Any, ...]]:
    """The game that holds a record: its place among those sought, its id, and the value."""
    column = getattr(StoredResult, sought.field)
    holder = (
        select(
            literal(place).label("place"), StoredResult.game_id.label("game"), column.label("value")
        )
        .where(
            StoredResult.group_id == group,
            column.is_not(None),
            StoredResult.rounds > 0,
            *selection.conditions(StoredResult),
        )
        .order_by(
            column.desc() if sought.is_maximum else column,
            StoredResult.finished_at,
            StoredResult.game_id,
        )
        .limit(1)
    )
    if sought.unit in ("points", "contracts"):
        holder = holder.where(StoredResult.points_decide.is_(sought.unit == "points"))
    if sought.variant is not None:
        holder = holder.where(StoredResult.variant_id == sought.variant)
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


def marks_in_group(session: Session, group: int) -> Sequence[Mark]:
    """The marks of the group's players; entries merged into others left out."""
    return session.scalars(select(Player.mark).where(Player.id.in_(player_ids(group)))).all()


def marks_of_names(session: Session, group: int, names: Sequence[str]) -> list[Mark]:
    """The marks of the group's players of these names; those of new ones as they would get them."""
    into = aliased(Player)
    rows = session.execute(
        select(Player.name_key, Player.merged_into_id, Player.mark, into.mark)
        .outerjoin(into, into.id == Player.merged_into_id)
        .where(Player.group_id == group, Player.name_key.in_([one.casefold() for one in names]))
    )
    kept = {name: of_other if merged else own for name, merged, own, of_other in rows}
    taken = [*marks_in_group(session, group)]
    for name in names:
        if name.casefold() not in kept:
            kept[name.casefold()] = next_mark(taken)
            taken.append(kept[name.casefold()])
    return [kept[name.casefold()] for name in names]


def marks_of(session: Session, players: Collection[int]) -> Mapping[int, Mark]:
    """The marks of these players, by id."""
    rows = session.execute(select(Player.id, Player.mark).where(Player.id.in_(players)))
    return {player: mark for player, mark in rows}  # noqa: C416 (mypy knows these as a tuple)
