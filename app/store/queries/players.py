"""Reads of players and of the group's statistics: facts of finished games, summed up when asked.

Each statistic is of all finished games, or of those that a `GameSelection` names.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    and_,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Session, aliased

from app.scorebook.limits import MOST_PLAYERS
from app.scorebook.marks import Mark, next_mark
from app.scorebook.statistics import (
    LEAST_SHARED,
    PlayerSums,
)
from app.store.games import StoredGame
from app.store.groups import Player
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredSeatResult


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
    """A player as kept; `merged_players` are the others who were merged into this one."""

    id: int
    name: str
    archived_at: datetime | None
    merged_into: int | None
    mark: Mark
    merged_players: tuple[tuple[int, str], ...]


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


PlacedGame = Row[str, datetime, int | None, int, bool]
"""How a player did in one of the last games: `key`, `finished_at`, `place`, `player_count`, `won`.
"""


_own, _other = aliased(StoredSeatResult), aliased(StoredSeatResult)


def players_with_sums(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> Sequence[ListedPlayer]:
    """The group's players, who has played most first, and of those who has won most.

    Those merged into others are left out.
    """
    counts = StoredSeatResult.player_id == Player.id, *selection.conditions(StoredSeatResult)
    games, wins, *sums = sums_over(StoredSeatResult)
    rows = session.execute(
        select(Player.id, Player.name, Player.archived_at, Player.mark, games, wins, *sums)
        .outerjoin(StoredSeatResult, and_(*counts))
        .where(Player.id.in_(player_ids(group)))
        .group_by(Player.id)
        .order_by(games.desc(), wins.desc(), Player.name)
    )
    return [
        ListedPlayer(row[0], row[1], row[2] is not None, row[3], PlayerSums(*map(int, row[4:])))
        for row in rows
    ]


def player_names(session: Session, group: int) -> Sequence[tuple[int, str]]:
    """Ids and names of the group's players, who finished a game last first.

    So many at most as a group can have; those merged into others are left out.
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
    """The ids of the group's players; those merged into others left out.

    Asked for by these SQLite takes one player after the other, as the indexes of the facts do.
    """
    return select(Player.id).where(Player.group_id == group, Player.merged_into_id.is_(None))


_PLAIN_SUMS = fields(PlayerSums)[4:]
SUMMED_COLUMNS = (
    StoredSeatResult.game_id,
    StoredSeatResult.won,
    StoredSeatResult.place,
    *(getattr(StoredSeatResult, one.name) for one in _PLAIN_SUMS),
)
"""What of a seat is summed up."""


def sums_over(seats: Any) -> list[ColumnElement[Any]]:
    """The fields of `PlayerSums`, each over the results of a group of seats."""
    return [
        func.count(seats.game_id),
        func.count().filter(seats.won),
        func.count(seats.place),
        *(
            func.coalesce(func.sum(one), 0)
            for one in (seats.place, *(getattr(seats, one.name) for one in _PLAIN_SUMS))
        ),
    ]


def player_in_group(session: Session, group: int, player: int) -> PlayerDetails | None:
    """A player of that group; None for one of another group or of none."""
    rows = session.execute(
        select(Player.id, Player.name, Player.archived_at, Player.merged_into_id, Player.mark)
        .where(Player.group_id == group, or_(Player.id == player, Player.merged_into_id == player))
        .order_by(Player.name)
    ).all()
    also = tuple((row.id, row.name) for row in rows if row.id != player)
    return next(
        (PlayerDetails(*row, merged_players=also) for row in rows if row.id == player), None
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
    sums = (
        _shared_games(selection, _other.player_id)
        .where(_own.player_id == player, _other.player_id != player)
        .having(func.count() >= least_shared)
        .subquery()
    )
    rows = session.execute(
        select(Player.id, Player.name, Player.mark, sums.c.shared, sums.c.above, sums.c.level)
        .join(sums, sums.c.player_id == Player.id)
        .order_by(sums.c.shared.desc(), Player.name)
    )
    return [Rival(*row) for row in rows]


def all_rivals(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> list[tuple[int, int, int, int, int]]:
    """Each player of a group with each rival: both, how many games they shared, above, level."""
    pairs = _shared_games(selection, _own.player_id, _other.player_id).where(
        _own.player_id.in_(player_ids(group)), _own.player_id < _other.player_id
    )
    found = []
    for one, other, shared, above, level in session.execute(pairs):
        found.append((one, other, shared, above, level))
        found.append((other, one, shared, shared - above - level, level))
    return found


def _shared_games(selection: GameSelection, *players: Any) -> Select[*tuple[Any, ...]]:
    """The games that two players shared to the end, counted for each of these `players`."""
    above, level = _own.place < _other.place, _own.place == _other.place
    return (
        select(
            *players,
            func.count().label("shared"),
            func.count().filter(above).label("above"),
            func.count().filter(level).label("level"),
        )
        .select_from(_own)
        .join(_other, _other.game_id == _own.game_id)
        .where(_own.place.is_not(None), _other.place.is_not(None), *selection.conditions(_own))
        .group_by(*players)
    )


def last_games_of(
    session: Session, player: int, most: int, selection: GameSelection = ALL_GAMES
) -> Sequence[PlacedGame]:
    """How a player did in the last finished games, the earliest of them first."""
    last = (
        select(_own.game_id, _own.finished_at, _own.place, _own.won)
        .where(_own.player_id == player, *selection.conditions(_own, lazily=True))
        .order_by(_own.finished_at.desc(), _own.game_id.desc())
        .limit(most)
        .subquery()
    )
    counted = (
        select(func.count(_other.place))
        .where(_other.game_id == last.c.game_id)
        .correlate(last)
        .scalar_subquery()
    )
    return session.execute(
        select(
            StoredGame.key,
            last.c.finished_at,
            last.c.place,
            counted.label("player_count"),
            last.c.won,
        )
        .join_from(last, StoredGame, StoredGame.id == last.c.game_id)
        .order_by(last.c.finished_at, last.c.game_id)
    ).all()


def marks_in_group(session: Session, group: int) -> Sequence[Mark]:
    """The marks of the group's players; those merged into others left out."""
    return session.scalars(select(Player.mark).where(Player.id.in_(player_ids(group)))).all()


def marks_by_name(session: Session, group: int) -> Sequence[Row[str, Mark]]:
    """The group's active players by name, with their marks; those merged into others left out."""
    active = Player.id.in_(player_ids(group)), Player.archived_at.is_(None)
    return session.execute(
        select(Player.name, Player.mark).where(*active).order_by(Player.name)
    ).all()


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
