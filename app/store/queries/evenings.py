"""Reads of evenings: games of one sitting, which belong together by themselves.

A game begins a new evening where it started six hours or more after the end of all before it (the
start of one that is not over), or where people said so; it belongs to the evening before where it
started earlier, or where people said that. Of a past result the day alone is known, by its noon: it
may have been played until that day is over. Deleted games belong to none.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import add, itemgetter
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Row,
    and_,
    case,
    extract,
    func,
    literal,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from app.scorebook.marks import Mark
from app.scorebook.seasons import USUAL_POINTS, EveningSums, SeasonRules
from app.store.base import batches
from app.store.games import IS_STOPPED_EARLY, StoredGame
from app.store.groups import Player
from app.store.queries.games import load_games
from app.store.queries.players import player_ids, wins_before
from app.store.queries.selection import ALL_GAMES, GameSelection, between
from app.store.statistics import (
    StoredContractAttempts,
    StoredPlayerResult,
    StoredResult,
    is_attempt_in,
)

PAUSE = timedelta(hours=6)
"""A pause so long ends an evening."""
_REST_OF_DAY = timedelta(hours=12)
"""From the noon by which a past result is kept."""


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening, known by the key of its first game."""

    key: str
    since: datetime
    """When the first of its games started, or the noon of the day on which it was played."""
    began: datetime
    ended: datetime
    """From when to when it went, by the games of which that is known, if there are any."""
    over_at: datetime
    """From when on a game that starts is of another evening."""
    games: tuple[int, ...]
    """Ids of those that are selected, in the order in which they started."""
    results: int
    """How many games have a result that is selected."""
    of_results: int
    """How many games have a result."""
    results_left_out: int
    """How many of the selected results count for no season."""
    running: int
    """How many games are not over."""
    follows: bool
    """Another evening was before it in the period looked through."""
    is_of_day_alone: bool
    """All its games are results only, of which the day alone is known."""


def numbered_games(group: int, since: datetime | None = None, until: datetime | None = None) -> CTE:
    """The games of a group, each with the number of its evening, from 1.

    Of those alone that started in a period, where one is given.
    """
    ended = func.coalesce(StoredGame.finished_at, StoredGame.started_at)
    rest = case((StoredGame.results_only, _REST_OF_DAY.total_seconds()), else_=0)
    in_order = StoredGame.started_at, StoredGame.id
    in_period = between(StoredGame.started_at, since, until)
    last = func.max(extract("epoch", ended) + rest).over(order_by=in_order, rows=(None, -1))
    before = (
        select(
            StoredGame.id,
            StoredGame.key,
            StoredGame.started_at,
            ended.label("ended_at"),
            StoredGame.finished_at.is_(None).label("runs"),
            StoredGame.results_only.label("of_day_alone"),
            StoredGame.evening,
            StoredGame.left_out,
            last.label("last"),
        )
        .where(StoredGame.group_id == group, StoredGame.deleted_at.is_(None), *in_period)
        .cte("games_in_order")
    ).c
    pause = extract("epoch", before.started_at) - before.last >= PAUSE.total_seconds()
    begins = or_(
        before.last.is_(None), before.evening == "begins", and_(before.evening.is_(None), pause)
    )
    number = func.sum(case((begins, 1), else_=0)).over(order_by=(before.started_at, before.id))
    columns = before.id, before.key, before.started_at, before.ended_at, before.left_out
    return select(*columns, before.runs, before.of_day_alone, number.label("number")).cte(
        "numbered_games"
    )


_GAMES_EACH = 4
"""So many games of an evening are looked through at first, to find the last evenings."""
LONGEST = timedelta(days=3)
"""An evening is looked for no further from one of its games, whatever was joined."""


def evenings_of(
    session: Session,
    group: int,
    most: int,
    *,
    since: datetime | None = None,
    before: datetime | None = None,
    selection: GameSelection = ALL_GAMES,
) -> list[Evening]:
    """The last evenings with a game that is selected, the last one first.

    Of the games that started in a period alone, where one is given.
    """
    before = before or (selection.until and selection.until + LONGEST)
    earliest = since or (selection.since and selection.since - LONGEST)
    if since is None:
        in_period = between(StoredResult.finished_at, until=before)
        far_back = session.scalar(
            select(StoredResult.finished_at)
            .where(StoredResult.group_id == group, *in_period)
            .where(*selection.conditions(StoredResult))
            .order_by(StoredResult.finished_at.desc())
            .offset(most * _GAMES_EACH)
            .limit(1)
        )
        if far_back is not None:
            found = evenings_between(session, group, far_back, before, selection)
            if len(found) > most:  # and the first of them, which may be cut off, is left out
                return found[:most]
    return evenings_between(session, group, earliest, before, selection)[:most]


def evening_with(session: Session, group: int, game: int) -> Evening | None:
    """The evening that a game belongs to; None for a deleted one."""
    started = session.scalar(select(StoredGame.started_at).where(StoredGame.id == game))
    if started is None:
        return None
    near = evenings_between(session, group, started - LONGEST, started + LONGEST, ALL_GAMES)
    return next((one for one in near if game in one.games), None)


def games_not_to_count(
    session: Session, group: int, games: Mapping[int, datetime]
) -> frozenset[int]:
    """Of these games, those that came into an evening that is left out.

    `games`: ids, each with when it started. An evening is left out if it has other results, and all
    of them count for no season.
    """
    any_left_out = select(StoredGame.id).where(StoredGame.group_id == group, StoredGame.left_out)
    if session.scalar(any_left_out.limit(1)) is None:
        return frozenset()
    period = min(games.values()) - LONGEST, max(games.values()) + LONGEST
    numbered = numbered_games(group, *period).c
    has_result = StoredResult.game_id.is_not(None)
    others: defaultdict[int, list[bool]] = defaultdict(list)
    came: dict[int, int] = {}
    for row in session.execute(
        select(
            numbered.id, numbered.number, numbered.left_out, has_result.label("has_result")
        ).outerjoin(StoredResult, StoredResult.game_id == numbered.id)
    ):
        if row.id in games:
            came[row.id] = row.number
        elif row.has_result:
            others[row.number].append(row.left_out)
    return frozenset(
        game for game, number in came.items() if others[number] and all(others[number])
    )


def evenings_between(
    session: Session,
    group: int,
    since: datetime | None,
    until: datetime | None,
    selection: GameSelection,
) -> list[Evening]:
    """The evenings with a selected game, by the games that started in a period; the last first."""
    games = numbered_games(group, since, until)
    numbered = games.c
    has_result = StoredResult.game_id.is_not(None)
    counts = and_(has_result, *selection.conditions(StoredResult))
    rows = session.execute(
        select(games, has_result.label("has_result"), counts.label("counts"))
        .outerjoin(StoredResult, StoredResult.game_id == numbered.id)
        .order_by(numbered.number.desc(), numbered.started_at, numbered.id)
    )
    found = []
    for number, group_of_rows in groupby(rows, key=lambda row: row.number):
        of_evening = list(group_of_rows)
        results = sum(bool(row.counts) for row in of_evening)
        timed = [row for row in of_evening if not row.of_day_alone] or of_evening
        if results or selection == ALL_GAMES:
            evening = Evening(
                of_evening[0].key,
                of_evening[0].started_at,
                timed[0].started_at,
                max(row.ended_at for row in timed),
                max(row.ended_at + _REST_OF_DAY * row.of_day_alone for row in of_evening) + PAUSE,
                tuple(row.id for row in of_evening if row.counts or selection == ALL_GAMES),
                results,
                sum(row.has_result for row in of_evening),
                sum(bool(row.counts and row.left_out) for row in of_evening),
                sum(row.runs for row in of_evening),
                number > 1,
                all(row.of_day_alone for row in of_evening),
            )
            found.append(evening)
    return found


def sums_of_games(
    session: Session, games: Sequence[int]
) -> tuple[Mapping[int, list[EveningSums]], Mapping[int, tuple[str, Mark]]]:
    """What each of these games came to for its players; and the players' names and marks."""
    found: defaultdict[int, list[EveningSums]] = defaultdict(list)
    people: dict[int, tuple[str, Mark]] = {}
    own = StoredPlayerResult
    asked = (
        select(Player.id, Player.name, Player.mark, own.game_id, *_sums(USUAL_POINTS))
        .join(Player, Player.id == own.player_id)
        .group_by(Player.id, own.game_id)
    )
    for some in batches(games):
        for player, name, mark, game, *sums in session.execute(asked.where(own.game_id.in_(some))):
            found[game].append(EveningSums(player, game, *map(int, sums)))
            people[player] = name, mark
    return found, people


def _numbered_in(group: int, selection: GameSelection) -> CTE:
    since = selection.since and selection.since - LONGEST
    return numbered_games(group, since, selection.until and selection.until + LONGEST)


def evening_starts(session: Session, group: int, selection: GameSelection) -> dict[int, datetime]:
    """When each evening of a period began, by the number that `evening_sums` has for it."""
    games = _numbered_in(group, selection).c
    rows = session.execute(select(games.number, func.min(games.started_at)).group_by(games.number))
    return {int(number): began for number, began in rows}


def evening_sums(
    session: Session, group: int, selection: GameSelection, place_points: Sequence[int]
) -> list[EveningSums]:
    """What the games selected came to for each player in each evening."""
    own, games = StoredPlayerResult, _numbered_in(group, selection).c
    numbers = {row.id: int(row.number) for row in session.execute(select(games.id, games.number))}
    rows = session.execute(
        select(own.player_id, own.game_id, *_sums(place_points))
        .where(own.player_id.in_(player_ids(group)), *selection.conditions(own))
        .group_by(own.player_id, own.finished_at, own.game_id)  # in the order of the index
    )
    # SQLite joins the numbers by looking through all of them for each row.
    sums: dict[tuple[int, int], tuple[int, ...]] = {}
    for player, game, *values in rows:
        # A game that began long before the period is of evening 0.
        place = numbers.get(game, 0), player
        here = sums.get(place)
        sums[place] = tuple(map(add, here, values) if here else values)
    return [
        EveningSums(player, number, *map(int, sums[number, player]))
        for number, player in sorted(sums)
    ]


def sums_of_each(
    session: Session, group: int, asked: Sequence[tuple[GameSelection, SeasonRules]]
) -> list[list[EveningSums]]:
    """What the games of each selection came to for each player."""
    own, ours = StoredPlayerResult, StoredPlayerResult.player_id.in_(player_ids(group))
    # To make the columns anew for each season takes longer than to ask the database for a year.
    sums = {one: _sums(one.counted_points) for one in {rules for _games, rules in asked}}
    parts = [
        select(literal(place), own.player_id, literal(0), *sums[rules])
        .where(ours, *selection.conditions(own))
        .group_by(own.player_id)
        for place, (selection, rules) in enumerate(asked)
    ]
    found: list[list[EveningSums]] = [[] for _ in asked]
    for some in batches(range(len(parts))):
        for place, *values in session.execute(union_all(*(parts[one] for one in some))):
            found[place].append(EveningSums(*map(int, values)))
    return found


def _sums(place_points: Sequence[int]) -> list[ColumnElement[Any]]:
    """The fields of `EveningSums`, but for player and evening."""
    own = StoredPlayerResult
    brings = ((own.place == place, points) for place, points in enumerate(place_points, start=1))
    return [
        func.count(own.won),
        func.count().filter(own.won),
        func.sum(case((own.place.is_(None), 0), *brings, else_=0)),
        func.count(own.place),
        func.coalesce(func.sum(own.place), 0),
        func.sum(own.contract_rounds),
        func.sum(own.times_met),
        func.sum(case((own.score.is_not(None), own.contract_rounds), else_=0)),
        func.sum(own.penalty),
    ]


def longest_round(session: Session, games: Sequence[int]) -> tuple[int, int, int] | None:
    """The game and number of the longest round that ended in these games, and its seconds."""
    lasted = [
        (one.id, number, seconds)
        for one in load_games(session, sorted(games))
        for number, seconds in enumerate(one.round_seconds, start=1)
    ]
    return max(lasted, key=itemgetter(2), default=None)


LongestAttempt = Row[str, int, int, int]
"""Who was on one contract longest: `name`, `game_id`, `contract`, and for how many `rounds`."""


def longest_attempt(session: Session, games: Sequence[int]) -> LongestAttempt | None:
    """Who was on one contract longest in these games; None where nobody tried any."""
    tried = StoredContractAttempts
    return session.execute(
        select(Player.name, StoredPlayerResult.game_id, tried.contract, tried.rounds)
        .join(
            StoredPlayerResult,
            and_(
                StoredPlayerResult.seat_id == tried.seat_id,
                StoredPlayerResult.player_id == tried.player_id,
            ),
        )
        .join(Player, Player.id == tried.player_id)
        .where(is_attempt_in(games))
        .order_by(tried.rounds.desc(), tried.finished_at, tried.contract, Player.name)
        .limit(1)
    ).first()


ResultRow = Row[int, str, int, bool, int | None, int | None, bool]
"""What a game came to: id, rule set, rounds, whether points decide, margin, comeback, whether it
was stopped before the end that its rules have."""


def results_of(session: Session, games: Sequence[int]) -> Sequence[ResultRow]:
    """What these games came to as a whole, in the order of their ends."""
    came_to = StoredResult
    return session.execute(
        select(
            came_to.game_id,
            came_to.variant_id,
            came_to.rounds,
            came_to.places_by_score.label("places_by_score"),
            came_to.margin,
            came_to.comeback,
            IS_STOPPED_EARLY.label("is_stopped_early"),
        )
        .join(StoredGame, StoredGame.id == came_to.game_id)
        .where(StoredResult.game_id.in_(games))
        .order_by(StoredResult.finished_at, StoredResult.game_id)
    ).all()


BrokenStreak = Row[str, int, int]
"""A player, by `name`, who had won so many games in a row (`wins`) until the game `game_id`."""


def broken_streak(session: Session, games: Sequence[int], least: int) -> BrokenStreak | None:
    """The longest streak of at least so many wins that one of these games ended."""
    own, before = StoredPlayerResult, wins_before(games)
    return session.execute(
        select(Player.name, before.c.wins, own.game_id)
        .join(own, own.player_id == Player.id)
        .join(before, and_(before.c.player_id == own.player_id, before.c.game_id == own.game_id))
        .where(own.won.is_(False), before.c.wins >= least)
        .order_by(before.c.wins.desc(), own.finished_at, own.game_id, Player.name)
        .limit(1)
    ).first()
