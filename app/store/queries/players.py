"""Reads of players and of the group's statistics: facts of finished games, summed up when asked.

Each statistic is of all finished games, or of those that a `GameSelection` names.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    Subquery,
    and_,
    case,
    func,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import Session, aliased

from app.scorebook.events.seats import PlayerRenamed
from app.scorebook.limits import MOST_PLAYERS
from app.scorebook.marks import Mark, next_mark
from app.scorebook.statistics import (
    ContractKind,
    ContractStats,
    ContractSums,
    PlayerSums,
    percent,
    total,
)
from app.store.games import StoredGame
from app.store.groups import Player
from app.store.queries.alphabet import level_by_name
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredContractAttempts, StoredPlayerResult


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
    """How a player came out against another: in how many shared games ahead, behind, level."""

    id: int
    name: str
    mark: Mark
    shared: int
    ahead: int
    level: int

    @property
    def behind(self) -> int:
        """In how many games the other finished ahead."""
        return self.shared - self.ahead - self.level

    @property
    def share(self) -> int:
        """In how many of the shared games the player finished ahead, in percent."""
        return percent(self.ahead / self.shared)


@dataclass(frozen=True, slots=True)
class WinStreaks:
    """A player's wins in a row: now, since when, and the most there were."""

    wins_now: int
    most_wins: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class PlayerContractStats:
    """What a player's attempts at one kind of a contract of a rule set came to."""

    player: int
    variant: str
    stats: ContractStats


PlacedGame = Row[str, str, datetime, int | None, int, bool]
"""How a player did in one of the last games: its `key` and `variant_id`, `finished_at`, `place`,
`placed_count` (the players who have a place: who left a game with rounds early has none), `won`."""


_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
_own, _other = aliased(StoredPlayerResult), aliased(StoredPlayerResult)


def players_with_sums(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> Sequence[ListedPlayer]:
    """The group's players by how many games they played, then won, then contracts laid down.

    Those merged into others are left out.
    """
    counts = StoredPlayerResult.player_id == Player.id, *selection.conditions(StoredPlayerResult)
    is_archived = Player.archived_at.is_not(None)
    games, wins, *sums = sums_over(StoredPlayerResult)
    met = func.coalesce(func.sum(StoredPlayerResult.times_met), 0)
    rows = session.execute(
        select(Player.id, Player.name, is_archived, Player.mark, games, wins, *sums)
        .outerjoin(StoredPlayerResult, and_(*counts))
        .where(Player.id.in_(player_ids(group)))
        .group_by(Player.id)
        .order_by(games.desc(), wins.desc(), met.desc(), Player.name)
    )
    listed = [
        ListedPlayer(player, name, archived, mark, PlayerSums(*map(int, of)))
        for player, name, archived, mark, *of in rows
    ]
    return level_by_name(listed, lambda one: (one.sums.games, one.sums.wins, one.sums.times_met))


def player_names(session: Session, group: int) -> Sequence[tuple[int, str]]:
    """Ids and names of the group's players, who finished a game last first.

    So many at most as a group can have; those merged into others are left out.
    """
    last = (
        select(func.max(StoredPlayerResult.finished_at))
        .where(StoredPlayerResult.player_id == Player.id)
        .correlate(Player)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Player.id, Player.name, last.label("last"))
        .where(Player.id.in_(player_ids(group)))
        .order_by(last.desc().nulls_last(), Player.name)
        .limit(MOST_PLAYERS)
    )
    return [(row.id, row.name) for row in level_by_name(rows, lambda row: row.last)]


def player_ids(group: int | ScalarSelect[int]) -> Select[int]:
    """The ids of the group's players; those merged into others left out.

    A query of facts with this in its condition reads them player by player in SQLite, as their
    indexes are ordered.
    """
    return select(Player.id).where(Player.group_id == group, Player.merged_into_id.is_(None))


_PLAIN_SUMS = fields(PlayerSums)[4:]


def sums_over(results: Any) -> list[ColumnElement[Any]]:
    """The fields of `PlayerSums`, each over a group of players' results."""
    return [
        func.count(results.won),
        func.count().filter(results.won),
        func.count(results.place),
        *(
            func.coalesce(func.sum(one), 0)
            for one in (results.place, *(getattr(results, one.name) for one in _PLAIN_SUMS))
        ),
    ]


def player_in_group(session: Session, group: int, player: int) -> PlayerDetails | None:
    """A player of that group; None for one of another group or of none."""
    rows = session.execute(
        select(
            Player.id, Player.name, Player.archived_at, Player.merged_into_id, Player.mark
        ).where(Player.group_id == group, or_(Player.id == player, Player.merged_into_id == player))
    ).all()
    also = tuple((row.id, row.name) for row in level_by_name(rows) if row.id != player)
    return next(
        (PlayerDetails(*row, merged_players=also) for row in rows if row.id == player), None
    )


def rivals_of(
    session: Session, player: int, selection: GameSelection = ALL_GAMES
) -> Sequence[Rival]:
    """Who shared finished games with a player, most games first.

    Who left before the end is nobody's rival in that game.
    """
    sums = (
        _shared_games(selection, _other.player_id)
        .where(_own.player_id == player, _other.player_id != player)
        .subquery()
    )
    rows = session.execute(
        select(Player.id, Player.name, Player.mark, sums.c.shared, sums.c.ahead, sums.c.level)
        .join(sums, sums.c.player_id == Player.id)
        .order_by(sums.c.shared.desc(), Player.name)
    )
    return level_by_name([Rival(*row) for row in rows], lambda one: one.shared)


def all_rivals(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> list[tuple[int, int, int, int, int]]:
    """Each player of a group with each rival: both, how many games they shared, ahead, level."""
    pairs = _shared_games(selection, _own.player_id, _other.player_id).where(
        _own.player_id.in_(player_ids(group)), _own.player_id < _other.player_id
    )
    found = []
    for one, other, shared, ahead, level in session.execute(pairs):
        found.append((one, other, shared, ahead, level))
        found.append((other, one, shared, shared - ahead - level, level))
    return found


def _shared_games(selection: GameSelection, *players: Any) -> Select[*tuple[Any, ...]]:
    """The games that two players shared to the end, counted for each of these `players`."""
    ahead, level = _own.place < _other.place, _own.place == _other.place
    return (
        select(
            *players,
            func.count().label("shared"),
            func.count().filter(ahead).label("ahead"),
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
        .where(_own.player_id == player, _own.won.is_not(None))
        .where(*selection.conditions(_own, lazily=True))
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
            StoredGame.variant_id,
            last.c.finished_at,
            last.c.place,
            counted.label("placed_count"),
            last.c.won,
        )
        .join_from(last, StoredGame, StoredGame.id == last.c.game_id)
        .order_by(last.c.finished_at, last.c.game_id)
    ).all()


def wins_in_a_row(
    session: Session, players: Select[int] | Sequence[int], selection: GameSelection
) -> dict[int, list[int]]:
    """How many games each player won in a row, again and again; at last how many by now.

    Who finished no game is left out.
    """
    own = StoredPlayerResult
    # A letter for each game in one text: as rows, or by a window, they take several times as long.
    # Both databases aggregate what a subquery orders in that order.
    letter = case((own.won, "w"), else_=" ").label("letter")
    games = (
        select(own.player_id, letter)
        .where(own.player_id.in_(players), own.won.is_not(None), *selection.conditions(own))
        .order_by(own.player_id, own.finished_at, own.game_id)
        .subquery()
        .c
    )
    letters = select(games.player_id, func.aggregate_strings(games.letter, ""))
    rows = session.execute(letters.group_by(games.player_id).order_by(games.player_id))
    return {player: [len(wins) for wins in of.split(" ")] for player, of in rows}


def streaks_of(session: Session, player: int, selection: GameSelection = ALL_GAMES) -> WinStreaks:
    """A player's wins in a row."""
    stretches = wins_in_a_row(session, [player], selection).get(player, [0])
    if not stretches[-1]:
        return WinStreaks(0, max(stretches), None)
    own = StoredPlayerResult
    first = (
        select(own.finished_at)
        .where(own.player_id == player, own.won.is_not(None))
        .where(*selection.conditions(own, lazily=True))
        .order_by(own.finished_at.desc(), own.game_id.desc())
        .offset(stretches[-1] - 1)
        .limit(1)
    )
    return WinStreaks(stretches[-1], max(stretches), session.scalar(first))


def end_of(facts: Any) -> ColumnElement[Any]:
    """When a game ended, as it is compared: of those that ended at one moment by its id."""
    return tuple_(facts.finished_at, facts.game_id)


def wins_before(games: Sequence[int]) -> Subquery:
    """How many games in a row each player of these games had won before: `wins`.

    One row for each `player_id` and `game_id`.
    """
    own, lost, between = (aliased(StoredPlayerResult) for _ in range(3))
    last_lost = (
        select(lost)
        .where(lost.player_id == own.player_id, lost.won.is_(False), end_of(lost) < end_of(own))
        .order_by(lost.finished_at.desc(), lost.game_id.desc())
        .limit(1)
        .correlate(own)
    )
    at, game = (
        last_lost.with_only_columns(one).scalar_subquery()
        for one in (lost.finished_at, lost.game_id)
    )
    here = (
        select(
            own.player_id,
            own.game_id,
            own.finished_at,
            func.coalesce(at, literal(_LONG_AGO, own.finished_at.type)).label("lost_at"),
            func.coalesce(game, 0).label("lost_in"),
        )
        .where(own.game_id.in_(games))
        .subquery()
        .c
    )
    wins = (
        select(func.count())
        .where(
            between.player_id == here.player_id,
            between.won,
            end_of(between) > tuple_(here.lost_at, here.lost_in),
            end_of(between) < end_of(here),
        )
        .scalar_subquery()
    )
    return select(here.player_id, here.game_id, wins.label("wins")).subquery()


def player_contract_stats(
    session: Session,
    group: int,
    selection: GameSelection = ALL_GAMES,
    *,
    player: int | None = None,
) -> list[PlayerContractStats]:
    """What attempts came to, of a player or each of the group: by player, rule set and contract."""
    tried, seat = StoredContractAttempts, StoredPlayerResult
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
        .where(tried.player_id.in_(players), *selection.conditions_of_row(tried))
        .group_by(*keys)
        .order_by(*keys)
    )
    if selection.of_seasons is not None:
        of_seasons = seat.game_id.in_(selection.left_out_of_seasons())
        sums = sums.where(tried.seat_id.not_in(select(seat.seat_id).where(of_seasons)))
    few = selection.few_lacking_players
    if selection.players and few != ():
        # There are many attempts, and mostly fewer games without the players than with them.
        games = selection.lacking_players(group) if few is None else few
        seats = select(seat.seat_id).where(seat.player_id.in_(players), seat.game_id.in_(games))
        # Distinct, so that SQLite finds them first, and not anew for each attempt.
        lacking = seats.distinct().subquery()
        sums = sums.outerjoin(lacking, lacking.c.seat_id == tried.seat_id)
        sums = sums.where(lacking.c.seat_id.is_(None))
    return [
        PlayerContractStats(
            whose, variant, ContractStats(number, kind, ContractSums(*map(int, counts)), most)
        )
        for whose, variant, number, kind, *counts, most in session.execute(sums)
    ]


def contract_stats(by_player: Iterable[PlayerContractStats]) -> dict[str, list[ContractStats]]:
    """What the attempts of all came to together: by rule set, in order of the contracts."""
    parts = defaultdict[tuple[str, int, ContractKind], list[ContractStats]](list)
    for one in by_player:
        parts[one.variant, one.stats.number, one.stats.kind].append(one.stats)
    found: dict[str, list[ContractStats]] = {}
    for (variant, number, kind), of in sorted(parts.items()):
        sums, most = total([one.sums for one in of]), max(one.most_rounds for one in of)
        stats = ContractStats(number, kind, sums, most)
        found.setdefault(variant, []).append(stats)
    return found


def marks_in_group(session: Session, group: int) -> Sequence[Mark]:
    """The marks of the group's players; those merged into others left out."""
    return session.scalars(select(Player.mark).where(Player.id.in_(player_ids(group)))).all()


def marks_by_name(session: Session, group: int) -> Sequence[Row[str, Mark]]:
    """The group's active players by name, with their marks; those merged into others left out."""
    active = Player.id.in_(player_ids(group)), Player.archived_at.is_(None)
    return level_by_name(session.execute(select(Player.name, Player.mark).where(*active)))


def player_renamed_by(
    session: Session, group: int, rename: PlayerRenamed
) -> tuple[int, str] | None:
    """The player of the group whom that renamed, and the earlier name; else none.

    None, too, once the player is called otherwise or merged, or someone else has the earlier name.
    """
    names = rename.player_name.casefold(), rename.earlier_name.casefold()
    called = select(Player).where(Player.group_id == group, Player.name_key.in_(names))
    match session.scalars(called).all():
        case [Player(merged_into_id=None) as one] if one.name == rename.player_name:
            return one.id, rename.earlier_name
    return None


def names_by_key(session: Session, group: int) -> Mapping[str, str]:
    """What the group's players are called, by the keys of their names.

    The key of a merged player leads to the name of whom they were merged into.
    """
    into = aliased(Player)
    rows = session.execute(
        select(Player.name_key, func.coalesce(into.name, Player.name))
        .outerjoin(into, into.id == Player.merged_into_id)
        .where(Player.group_id == group)
        .order_by(Player.id)
    )
    return dict(rows.all())


def marks_of_names(session: Session, group: int, names: Sequence[str]) -> list[Mark]:
    """The marks of the group's players of these names; those of new ones as they would get them."""
    if not names:
        return []
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
    marks = select(Player.id, Player.mark).where(Player.id.in_(players))
    return dict(session.execute(marks).all())
