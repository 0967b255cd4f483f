"""Reads of the history: the group's games in lists, in pages that cost the same wherever they are.

A page is sought by the moment and id of a game, never by an offset. Nothing is reckoned here:
places and scores of finished games are read from their results.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, Select, and_, exists, func, select, tuple_
from sqlalchemy.orm import Session

from app.scorebook.game import Seat, Stop, one_seat_each
from app.scorebook.marks import Mark
from app.store.base import columns_of
from app.store.game_rows import seats_of
from app.store.games import (
    HAS_END,
    LAST_CONTRACT,
    NAME_OF_RULES,
    StoredGame,
    StoredRound,
    StoredSeat,
    StoredStandIn,
)
from app.store.groups import Player, StoredRuleSet
from app.store.queries.search import FoundText, found_texts, has_seat, word_conditions
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredPlayerResult, StoredResult

KEEP_DELETED = timedelta(days=30)
"""How long a deleted game or a removed device can be restored; an unused group is kept as long."""

State = Literal["", "finished", "running", "archived"]
Toward = Literal["older", "newer"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """Somebody who sat in a listed game, with what its result gives them, if it has one."""

    name: str
    mark: Mark
    place: int | None = None
    won: bool = False
    score: int | None = None
    contracts_completed: int = 0
    taken_over_from: tuple[str, ...] = ()
    """Who else played the seat, which this player has now or had at the end."""
    has_own_seat: bool = True
    """The seat was this player's from the start; they did not stand in for another."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list."""

    id: int
    key: str
    variant: str
    variant_name: str
    title: str
    started_at: datetime
    finished_at: datetime | None
    archived: bool
    left_out: bool
    """It counts for no season."""
    results_only: bool
    deleted_at: datetime | None
    stopped: Stop | None
    win: str
    """How it is won (`Variant.win`)."""
    last_contract: int
    """The number of the contract that ends it, the last where the rules name none; 0 without."""
    has_end: bool
    """Does a game by its rules end by itself (`Variant.has_end`)?"""
    seconds: int | None
    """How long it took, if it has a result and was entered round by round."""
    seats: tuple[ListedSeat, ...] = ()
    round_count: int = 0
    """Of rounds that ended."""
    found_text: FoundText | None = None
    """The text in which most of the words stand, where some were sought."""

    @property
    def game_name(self) -> str:
        """What was played: the rule set, but by points alone what people called the game."""
        return (not self.last_contract and self.title) or self.variant_name

    @property
    def winners(self) -> list[str]:
        """Who won, if it is finished."""
        return [one.name for one in self.seats if one.won]


PlayedVariant = Row[str, datetime, datetime, str | None]
"""A rule set of finished games: its `id`, when the `first` and the `last` of them ended, and the
`own_name` of one of the group's own."""


@dataclass(frozen=True, slots=True)
class WantedGames:
    """Which games a list shows: those selected, in a state, with some words.

    A game that is not over counts by its start. One that counts for no season is listed also where
    figures go without it; `ListedGame.left_out` says so.
    """

    selection: GameSelection = ALL_GAMES
    state: State = ""
    search_text: str = ""


@dataclass(frozen=True, slots=True)
class PageCursor:
    """A place in the history: a game's start and id. Its text is what addresses carry."""

    started_at: datetime
    id: int

    def __str__(self) -> str:
        """The microseconds since 1970 and the id."""
        return f"{(self.started_at - _EPOCH) // timedelta(microseconds=1)}-{self.id}"

    @classmethod
    def read(cls, text: str) -> "PageCursor | None":
        """The cursor that a text names; None for anything else."""
        found = re.fullmatch(r"(-?[0-9]{1,16})-([0-9]{1,10})", text)
        return found and cls(_EPOCH + timedelta(microseconds=int(found[1])), int(found[2]))


@dataclass(frozen=True, slots=True)
class GameListPage:
    """A page of the history, newest game first, and where to go on to either side, if one can."""

    games: tuple[ListedGame, ...]
    newer: PageCursor | None
    older: PageCursor | None


def games_page(
    session: Session,
    group: int,
    wanted: WantedGames,
    most: int,
    *,
    beyond: PageCursor | None = None,
    toward: Toward = "older",
) -> GameListPage:
    """The games beyond a cursor; without one the newest, or toward newer the oldest."""
    order = (StoredGame.started_at, StoredGame.id)
    conditions = [*_conditions(wanted), *word_conditions(session, group, wanted.search_text)]
    found = _listed_select().where(StoredGame.group_id == group, *conditions)
    older = toward == "older"
    if beyond is not None:
        here = tuple_(beyond.started_at, beyond.id)
        found = found.where(tuple_(*order) < here if older else tuple_(*order) > here)
    found = found.order_by(*(one.desc() for one in order) if older else order).limit(most + 1)
    rows = session.execute(found).all()
    more, rows = len(rows) > most, rows[:most]
    games = _with_seats(session, rows if older else rows[::-1])
    texts = found_texts(session, [one.id for one in games], wanted.search_text)
    games = tuple(replace(one, found_text=texts.get(one.id)) for one in games)
    if not games:
        return GameListPage((), None, None)
    before, after = (beyond is not None, more) if older else (more, beyond is not None)
    return GameListPage(
        games,
        newer=PageCursor(games[0].started_at, games[0].id) if before else None,
        older=PageCursor(games[-1].started_at, games[-1].id) if after else None,
    )


def has_finished_game(session: Session, group: int) -> bool:
    """Has a game of the group come to a result?"""
    return bool(session.scalar(select(exists().where(StoredResult.group_id == group))))


def recent_games(session: Session, group: int, most: int) -> tuple[ListedGame, ...]:
    """The games that were finished last and are not archived, the last one first."""
    found = _listed_select().where(
        StoredGame.group_id == group,
        StoredGame.finished_at.is_not(None),
        StoredGame.deleted_at.is_(None),
        StoredGame.archived_at.is_(None),
    )
    latest = found.order_by(StoredGame.finished_at.desc(), StoredGame.id.desc()).limit(most)
    return _with_seats(session, session.execute(latest).all())


def listed_games(session: Session, ids: Sequence[int]) -> tuple[ListedGame, ...]:
    """These games, in the order in which they started."""
    found = _listed_select().where(StoredGame.id.in_(ids))
    in_order = found.order_by(StoredGame.started_at, StoredGame.id)
    return _with_seats(session, session.execute(in_order).all())


def listed_keys(session: Session, group: int, keys: Sequence[str]) -> tuple[ListedGame, ...]:
    """The games of a group with these keys, in the order in which they started."""
    ours = StoredGame.group_id == group, StoredGame.key.in_(keys)
    return listed_games(session, session.scalars(select(StoredGame.id).where(*ours)).all())


def deleted_games(session: Session, group: int, now: datetime, most: int) -> tuple[ListedGame, ...]:
    """The deleted games that can still be restored, the last one first."""
    restorable = StoredGame.deleted_at > now - KEEP_DELETED
    found = _listed_select().where(StoredGame.group_id == group, restorable)
    latest = found.order_by(StoredGame.deleted_at.desc()).limit(most)
    return _with_seats(session, session.execute(latest).all())


def played_variants(session: Session, group: int) -> Sequence[PlayedVariant]:
    """The rule sets of the group's finished games, by their ids."""
    played = select(StoredResult.variant_id.label("id")).distinct()
    played_by = played.where(StoredResult.group_id == group).subquery().c.id
    # For each rule set, as the index has them: to look through all games takes thrice as long.
    first, last = (
        select(one(StoredResult.finished_at))
        .where(StoredResult.group_id == group, StoredResult.variant_id == played_by)
        .label(name)
        for name, one in (("first", func.min), ("last", func.max))
    )
    own = and_(StoredRuleSet.group_id == group, StoredRuleSet.key == played_by)
    return session.execute(
        select(played_by, first, last, StoredRuleSet.name.label("own_name"))
        .outerjoin(StoredRuleSet, own)
        .order_by(played_by)
    ).all()


FinishedSeat = Row[str, datetime, str, str, int | None, int | None]
"""A player in a finished game: `key`, `finished_at`, `variant_id`, `name`, `place`, `score`."""


def results_by_player(
    session: Session, group: int, selection: GameSelection
) -> Sequence[FinishedSeat]:
    """What the finished games selected came to, the first game first, each from place 1 down."""
    own = StoredPlayerResult
    return session.execute(
        select(StoredGame.key, own.finished_at, own.variant_id, Player.name, own.place, own.score)
        .join(Player, Player.id == own.player_id)
        .join(StoredGame, StoredGame.id == own.game_id)
        .where(StoredGame.group_id == group, *selection.conditions(own))
        .order_by(own.finished_at, own.game_id, own.place.is_(None), own.place, Player.name)
    ).all()


def _listed_select() -> Select[Any]:
    columns = columns_of(
        ListedGame,
        StoredGame,
        *("seats", "round_count", "found_text"),
        variant=StoredGame.variant_id,
        variant_name=NAME_OF_RULES,
        archived=StoredGame.archived_at.is_not(None),
        win=StoredGame.rules["win"]["value"].as_string(),
        last_contract=LAST_CONTRACT,
        seconds=StoredResult.seconds,
        has_end=HAS_END,
    )
    return (
        select(*columns.values())
        .select_from(StoredGame)
        .outerjoin(StoredResult, StoredResult.game_id == StoredGame.id)
    )


def _conditions(wanted: WantedGames) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [StoredGame.deleted_at.is_(None)]
    archived = wanted.state == "archived"
    found.append(
        StoredGame.archived_at.is_not(None) if archived else StoredGame.archived_at.is_(None)
    )
    if wanted.state == "finished":
        found.append(StoredGame.finished_at.is_not(None))
    if wanted.state == "running":
        found.append(StoredGame.finished_at.is_(None))
    moment = func.coalesce(StoredGame.finished_at, StoredGame.started_at)
    found += wanted.selection.in_period(moment)
    if wanted.selection.variants:
        found.append(StoredGame.variant_id.in_(wanted.selection.variants))
    for player in wanted.selection.players:
        sat, stood_in = (one.player_id == player for one in (StoredSeat, StoredStandIn))
        found.append(has_seat(sat, stood_in))
    return found


def _with_seats(session: Session, rows: Sequence[Any]) -> tuple[ListedGame, ...]:
    """The games with who sat there and how far they came."""
    ids = [row.id for row in rows]
    rounds, seats = _ended_rounds(session, ids), _seats_with_result(session, ids)
    others = [game for game in ids if game not in seats]
    for game, of_game in seats_of(session.connection(), others).items():
        seats[game] = _seats_without_result(of_game, rounds.get(game, 0) + 1)
    columns = ([*row, seats.get(row.id, ()), rounds.get(row.id, 0)] for row in rows)
    return tuple(ListedGame(*some) for some in columns)


def _seats_with_result(session: Session, games: Sequence[int]) -> dict[int, tuple[ListedSeat, ...]]:
    """All who played in those of these games that have a result, by place.

    Who was relieved stands with who held the seat at the end.
    """
    own = StoredPlayerResult
    found = session.execute(
        select(
            own.game_id,
            own.seat_id,
            Player.name,
            Player.mark,
            own.place,
            own.won,
            own.score,
            own.contracts_completed,
            StoredSeat.player_id == own.player_id,
        )
        .join(StoredSeat, StoredSeat.id == own.seat_id)
        .join(Player, Player.id == own.player_id)
        .where(own.game_id.in_(games))
        .order_by(own.game_id, own.place.is_(None), own.place, StoredSeat.position)
    )
    by_game: defaultdict[int, dict[str, ListedSeat]] = defaultdict(dict)
    ended_on: dict[int, str] = {}
    for game, seat, name, mark, place, won, score, completed, is_own in found:
        those = by_game[game]
        if seat in ended_on:
            last = those[ended_on[seat]]
            those[last.name] = replace(last, taken_over_from=(*last.taken_over_from, name))
        else:
            those[name] = ListedSeat(name, mark, place, bool(won), score, completed, (), is_own)
        if place is not None:
            ended_on[seat] = name
    return {game: tuple(those.values()) for game, those in by_game.items()}


def _seats_without_result(seats: Sequence[Seat], number: int) -> tuple[ListedSeat, ...]:
    """Who holds these seats in the round of that number, and who played them before."""
    found = list[ListedSeat]()
    for seat in one_seat_each(seats, number):
        holder, before = seat.holder_in(number), seat.holders_before(number)
        others = tuple(one.name for one in before if one.player != holder.player)
        is_own = holder.player == seat.player
        found.append(
            ListedSeat(holder.name, holder.mark, taken_over_from=others, has_own_seat=is_own)
        )
    return tuple(found)


def _ended_rounds(session: Session, games: Sequence[int]) -> dict[int, int]:
    ended = StoredRound.game_id.in_(games), StoredRound.closed_at.is_not(None)
    counted = select(StoredRound.game_id, func.count()).where(*ended)
    return dict(session.execute(counted.group_by(StoredRound.game_id)).all())
