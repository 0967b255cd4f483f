"""Reads of a group's records: which games hold them, and what there is to compare."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, exists, func, literal, select, union_all
from sqlalchemy.orm import Session

from app.store.games import IS_STOPPED_EARLY, StoredGame, StoredSeat
from app.store.groups import Player
from app.store.queries.evenings import PAUSE, longest_round
from app.store.queries.players import player_ids, wins_in_a_row
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredContractAttempts, StoredPlayerResult, StoredResult

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

    def is_level(self, value: int) -> bool:
        """Does it say of a winner that others had completed as many contracts?"""
        return (self.field, self.unit, value) == ("margin", "contracts", 0)


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """A game that holds a record of the group, and the value it holds it with."""

    game_key: str
    game_title: str
    variant_id: str
    finished_at: datetime
    value: int
    winners: tuple[str, ...]
    points_apart: int | None = None
    """By how many points it was won, if those decided among who was level on contracts."""
    round_number: int | None = None
    """The round that holds it, where one does."""


@dataclass(frozen=True, slots=True)
class GameTally:
    """The games of a rule set whose places went by points, or by contracts, and their extremes.

    `tried` says whether there are contracts that somebody tried.
    """

    variant: str
    places_by_score: bool
    tried: bool
    games: int
    rounds: int
    best_values: Mapping[tuple[str, bool], int | None]
    """The least of each field of `RECORDS`, or the most."""


RECORDS = (
    ("seconds", False), ("seconds", True), ("longest_round", True),
    ("rounds", False), ("rounds", True), ("margin", False), ("comeback", True),
)  # fmt: skip
"""The fields that records are sought in, and whether for the most."""


def game_tallies(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> list[GameTally]:
    """What the group's finished games came to, by rule set and what decided them."""
    came_to, tried = StoredResult, StoredContractAttempts
    contracts = exists().where(
        tried.player_id.in_(player_ids(group)),
        tried.variant_id == came_to.variant_id,
        *selection.in_period(tried.finished_at),
    )
    extremes = (
        (func.max if is_maximum else func.min)(getattr(came_to, field)).filter(
            *_compares(group, field, is_maximum=is_maximum)
        )
        for field, is_maximum in RECORDS
    )
    keys = came_to.variant_id, came_to.places_by_score
    rows = session.execute(
        select(*keys, contracts, func.count(), func.sum(came_to.rounds), *extremes)
        .where(came_to.group_id == group, *selection.conditions(came_to))
        .group_by(*keys)
        .order_by(*keys)
    )
    return [
        GameTally(variant, by_points, tried, games, rounds, dict(zip(RECORDS, values, strict=True)))
        for variant, by_points, tried, games, rounds, *values in rows
    ]


def _compares(group: int, field: str, *, is_maximum: bool) -> Iterator[ColumnElement[bool]]:
    """What has to hold for a game that can hold a record.

    One that was stopped before the end that its rules have holds none for the least. One in which a
    round took six hours, as one put away for the night, holds none for how long it took.
    """
    yield StoredResult.rounds > 0
    if field in ("seconds", "longest_round"):
        yield StoredResult.longest_round < PAUSE.total_seconds()
    if not is_maximum:
        ours = StoredGame.group_id == group, IS_STOPPED_EARLY
        yield StoredResult.game_id.not_in(select(StoredGame.id).where(*ours))


def longest_streaks(
    session: Session, group: int, selection: GameSelection = ALL_GAMES
) -> tuple[int, Sequence[int]]:
    """The most games that one player won in a row, and the ids of who did; 0 of nobody."""
    won = wins_in_a_row(session, player_ids(group), selection)
    longest = {player: max(stretches) for player, stretches in won.items()}
    most = max(longest.values(), default=0)
    return most, [player for player, wins in longest.items() if most and wins == most]


def most_played(tallies: Iterable[GameTally]) -> str:
    """The rule set with contracts that the most rounds were played by; empty if there is none."""
    rounds = Counter[str]()
    for one in tallies:
        if one.tried:
            rounds[one.variant] += one.rounds
    return max(rounds, key=rounds.__getitem__, default="")


def group_records(
    session: Session,
    group: int,
    sought: Sequence[RecordQuery],
    tallies: Sequence[GameTally],
    selection: GameSelection = ALL_GAMES,
) -> Sequence[GroupRecord | None]:
    """For each that is sought the first game of the group that holds it, a tie first; None if none.

    `tallies` are those of the same games.
    """
    values = [(place, one, _extreme(one, tallies)) for place, one in enumerate(sought)]
    held = [
        _record_game(place, group, one, value, selection)
        for place, one, value in values
        if value is not None
    ]
    if not held:
        return [None] * len(sought)
    holders = union_all(*held).subquery()
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
    level = [row.id for row in rows if sought[row.place].is_level(row.value)]
    apart = points_apart(session, level)
    longest = {
        row.place: longest_round(session, [row.id])
        for row in rows
        if sought[row.place].field == "longest_round"
    }
    found = {
        place: GroupRecord(
            key, title, variant, ended, value, winners[game], apart.get(game),
            round_number=(longest.get(place) or (None, None))[1],
        )
        for place, value, game, key, title, variant, ended in rows
    }  # fmt: skip
    return [found.get(place) for place in range(len(sought))]


def _extreme(sought: RecordQuery, tallies: Sequence[GameTally]) -> int | None:
    """The value that a record is held with; None where nothing compares."""
    values = [
        one.best_values[sought.field, sought.is_maximum]
        for one in tallies
        if sought.variant in (None, one.variant)
        and (sought.unit not in _DECIDED_BY or one.places_by_score is _DECIDED_BY[sought.unit])
    ]
    known = [one for one in values if one is not None]
    return (max if sought.is_maximum else min)(known, default=None)


_DECIDED_BY = {"points": True, "contracts": False}
"""Whether points decide the games that compare in a unit."""


def _record_game(
    place: int, group: int, sought: RecordQuery, value: int, selection: GameSelection
) -> Select[*tuple[Any, ...]]:
    """The game that holds a record: its place among those sought, its id, and the value."""
    came_to = StoredResult
    shared = (
        select(func.count())
        .where(StoredPlayerResult.game_id == came_to.game_id, StoredPlayerResult.won)
        .scalar_subquery()
    )
    # Who tie are closer than who is level on contracts.
    first = (shared.desc(),) if sought.is_level(value) else ()
    holder = (
        select(
            literal(place).label("place"),
            came_to.game_id.label("game"),
            literal(value).label("value"),
        )
        .where(
            came_to.group_id == group,
            getattr(came_to, sought.field) == value,
            *_compares(group, sought.field, is_maximum=sought.is_maximum),
            *selection.conditions(came_to, lazily=True),
        )
        .order_by(*first, came_to.finished_at, came_to.game_id)
        .limit(1)
    )
    if sought.unit in _DECIDED_BY:
        holder = holder.where(came_to.places_by_score.is_(_DECIDED_BY[sought.unit]))
    if sought.variant is not None:
        holder = holder.where(came_to.variant_id == sought.variant)
    return select(holder.subquery())


def _winners(session: Session, games: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
    rows = session.execute(
        select(StoredSeat.game_id, Player.name)
        .join(StoredPlayerResult, StoredPlayerResult.seat_id == StoredSeat.id)
        .join(Player, Player.id == StoredPlayerResult.player_id)
        .where(StoredSeat.game_id.in_(games), StoredPlayerResult.won)
        .order_by(StoredSeat.position)
    )
    names: dict[int, tuple[str, ...]] = dict.fromkeys(games, ())
    for game, name in rows:
        names[game] += (name,)
    return names


def points_apart(session: Session, games: Sequence[int]) -> Mapping[int, int]:
    """By how many points the games among these were won that points decided.

    These are the games in which others had completed as many contracts as who won, unless one of
    them was first to complete all.
    """
    if not games:
        return {}
    seat, win = StoredPlayerResult, StoredGame.rules["win"]["value"].as_string()
    rows = session.execute(
        select(seat.game_id, seat.won, seat.contracts_completed, seat.score)
        .join(StoredGame, StoredGame.id == seat.game_id)
        .where(
            seat.game_id.in_(games),
            seat.place.is_not(None),
            seat.score.is_not(None),
            win == "lowest_finisher",
        )
        .order_by(seat.game_id)
    )
    found = {}
    for game, of_game in groupby(rows, key=lambda row: row.game_id):
        seats = list(of_game)
        reached = max(one.contracts_completed for one in seats)
        level = [one for one in seats if one.contracts_completed == reached]
        won, others = ([one.score for one in level if one.won is of] for of in (True, False))
        if won and others:
            found[game] = min(others) - min(won)
    return found
