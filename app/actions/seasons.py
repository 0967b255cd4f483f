"""Seasons: made and changed by who manages the group, and kept as they were decided.

What a season came to is stored just before the first change of a result, or the first import, after
its end (`noting_season_changes`). From then on it stays, and a game that changes
in its period asks a manager whether the season changes. Where a game is imported or entered as a
past result, or a past result is left out or counts again, is deleted or restored, the table changes
at once and nobody is asked, if it still was what its games came to; else a manager is asked here,
too.
"""

import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, replace
from datetime import date, datetime, timedelta

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session, defer

from app.actions.groups import lock_group
from app.actions.requests import Actor, once, once_answering
from app.actions.results import facts_of
from app.actions.texts import validate_line
from app.exchange.days import is_before, start_of
from app.rules.phrases import say
from app.scorebook.limits import MOST_SEASONS, YEARS
from app.scorebook.refusals import refusal
from app.scorebook.seasons import SeasonRules, season_table
from app.store.base import batches
from app.store.games import StoredGame
from app.store.groups import StoredSeason
from app.store.queries.seasons import (
    Season,
    first_of,
    played_sums,
    season_of,
    season_sums,
    seasons_of,
)
from app.store.statistics import StoredResult

LONGEST_SEASON = timedelta(days=731)
NO_PLACE_POINTS = say("Enter up to 12 numbers, such as 5, 3, 2, 1.")


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """What a season is to be: its days or a number of evenings, which games, and its rules.

    It begins today where no day is said. Of a year neither name, days nor evenings are read.
    """

    name: str
    since: date | None
    last_day: date | None
    evenings: int | None
    variants: tuple[str, ...]
    rules: SeasonRules


@once_answering(str)
def make_season(session: Session, actor: Actor, group: int, plan: SeasonPlan) -> str:
    """Make a season; answers its key. Raises `Refused`."""
    lock_group(session, group)
    _refuse_another(session, group)
    row = StoredSeason(group_id=group, key=f"s{secrets.token_hex(5)}")
    _write(row, plan, actor.at, is_year=False)
    session.add(row)
    return row.key


@once
def change_season(session: Session, actor: Actor, group: int, key: str, plan: SeasonPlan) -> None:
    """Change a season; what was decided is decided anew if it is over. Raises `Refused`."""
    lock_group(session, group)
    season = _season(session, group, key, actor.at)
    row = _row(session, group, season)
    _write(row, plan, actor.at, is_year=season.is_year)
    session.flush()
    if row.decided is not None:
        changed = _season(session, group, key, actor.at)
        if changed.is_over(actor.at):
            _decide(session, group, changed, row)
        else:  # it runs on
            row.decided, row.champions, row.changed_games = None, (), ()


@once
def remove_season(session: Session, actor: Actor, group: int, key: str) -> None:
    """Remove a season; a year is then there again, by its usual rules. Raises `Refused`."""
    lock_group(session, group)
    season = _season(session, group, key, actor.at)
    if season.id is not None:
        session.delete(session.get_one(StoredSeason, season.id))


@once
def settle_season(
    session: Session, actor: Actor, group: int, key: str, *, decide_anew: bool
) -> None:
    """Say what follows from games that changed: the table changes, or stays. Raises `Refused`."""
    lock_group(session, group)
    season = _season(session, group, key, actor.at)
    row = _row(session, group, season)
    if decide_anew and row.decided is not None:
        _decide(session, group, season, row)
    row.changed_games = ()


def decide_past_seasons(
    session: Session, group: int, now: datetime, coming: Collection[str] = ()
) -> None:
    """Keep the tables of the seasons that are over, as they stand, while there is room for them.

    A season with a key that is `coming` is left to the import that brings it, and has its room.
    """
    for season in seasons_of(session, group, now):
        if season.is_decided or season.key in coming or not season.is_over(now):
            continue
        if season.id is not None or _has_room(session, group, len(coming)):
            _decide(session, group, season, _row(session, group, season))
    session.flush()


@contextmanager
def noting_season_changes(
    session: Session,
    group: int,
    games: list[int],
    now: datetime,
    at_once: Sequence[datetime] = (),
    coming: Collection[str] = (),
) -> Iterator[None]:
    """Around a change of these games' results; games that it makes are added to `games` within.

    First decides the seasons that are over, but those that are `coming`; afterwards notes in each
    decided season which of its games changed. `at_once` are the ends of results that change a
    season at once: one in which such a result lies is decided anew and nobody is asked, unless its
    table differed from its games already.
    """
    decide_past_seasons(session, group, now, coming)
    follow = [
        one
        for one in (seasons_of(session, group, now) if at_once else ())
        if one.is_decided and any(map(one.has, at_once)) and is_as_played(session, group, one)
    ]
    before = facts_of(session, games), _counting(session, games)
    yield
    after = facts_of(session, games), _counting(session, games)
    if before != after:
        _note_changes(session, group, [*before[1], *after[1]])
        for one in follow:
            _decide(session, group, one, _row(session, group, one))


def is_as_played(session: Session, group: int, season: Season) -> bool:
    """Is a season decided as its games are now, whichever evenings they belong to?"""
    decided, played = (
        {one.player: replace(one.sums, evening=0) for one in season_table(sums, season.rules)}
        for sums in (season_sums(session, group, season), played_sums(session, group, season))
    )
    return decided == played


Counting = Row[str, str, datetime, bool]
"""Where a game with a result counts: its key, rule set and end, and whether it is left out."""


def _counting(session: Session, games: Sequence[int]) -> list[Counting]:
    columns = StoredGame.key, StoredResult.variant_id, StoredResult.finished_at, StoredGame.left_out
    results = select(*columns).join(StoredResult, StoredResult.game_id == StoredGame.id)
    return [
        row
        for some in batches(games)
        for row in session.execute(results.where(StoredGame.id.in_(some)))
    ]


def note_games_beside(
    session: Session, group: int, brought: Collection[str], games: Sequence[int]
) -> None:
    """Note in seasons that were `brought`, by their keys, which of these games count here, too.

    Where one was decided, it was without them.
    """
    _note_changes(session, group, _counting(session, games), brought)


def _note_changes(
    session: Session,
    group: int,
    counting: Sequence[Counting],
    seasons: Collection[str] | None = None,
) -> None:
    """Note in the decided seasons (with these keys, or all) which of their games changed.

    `counting` holds games as they counted before and as they do now; one left out changes none.
    """
    decided = session.scalars(
        select(StoredSeason)
        .where(StoredSeason.group_id == group, StoredSeason.decided.is_not(None))
        .options(defer(StoredSeason.decided))
    )
    for row in decided:
        if seasons is not None and row.key not in seasons:
            continue
        until = row.until or row.since
        changed = [
            key
            for key, variant, at, left_out in counting
            if not left_out
            and is_before(at, until)
            and not is_before(at, row.since)
            and (not row.variants or variant in row.variants)
        ]
        if changed:
            row.changed_games = tuple(dict.fromkeys([*(row.changed_games or ()), *changed]))


def _has_room(session: Session, group: int, coming: int = 0) -> bool:
    here = select(func.count()).where(StoredSeason.group_id == group)
    return (session.scalar(here) or 0) + coming < MOST_SEASONS


def _refuse_another(session: Session, group: int) -> None:
    if not _has_room(session, group):
        raise refusal("name", say("A group can have up to {most} seasons.", most=MOST_SEASONS))


def _season(session: Session, group: int, key: str, now: datetime) -> Season:
    found = season_of(session, group, key, now)
    if found is None:
        raise refusal("name", say("That season isn’t there anymore."))
    return found


def _row(session: Session, group: int, season: Season) -> StoredSeason:
    """The row of a season, made where it has none. Raises `Refused` where there is no room."""
    if season.id is not None:
        return session.get_one(StoredSeason, season.id)
    _refuse_another(session, group)
    row = StoredSeason(
        group_id=group, key=season.key, name=season.name, since=season.since, until=season.until,
        **asdict(season.rules),
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row


def _decide(session: Session, group: int, season: Season, row: StoredSeason) -> None:
    sums = played_sums(session, group, season)
    row.decided = [list(astuple(one)) for one in sums]
    row.champions = first_of(season_table(sums, season.rules))
    row.until = season.until
    row.changed_games = ()


def _write(row: StoredSeason, plan: SeasonPlan, now: datetime, *, is_year: bool) -> None:
    """Let a row say what a plan says; a year keeps its name and days. Raises `Refused`."""
    if plan.rules.measure == "points" and not plan.rules.place_points:
        raise refusal("place_points", NO_PLACE_POINTS)
    if not is_year:
        for field, day in (("since", plan.since), ("until", plan.last_day)):
            if day and day.year not in YEARS:
                raise refusal(field, say("Enter a year from 1900 to 2200."))
        row.name = validate_line("name", plan.name, StoredSeason.name)
        if not row.name:
            raise refusal("name", say("Give the season a name."))
        row.since = start_of(plan.since or now.astimezone().date())
        row.until = start_of(plan.last_day + timedelta(days=1)) if plan.last_day else None
        row.evenings = plan.evenings
        if (row.until is None) == (row.evenings is None):
            raise refusal("until", say("Enter the last day or the number of evenings."))
        if row.until is not None and not timedelta() < row.until - row.since <= LONGEST_SEASON:
            raise refusal("until", say("A season lasts 1 day to 2 years."))
    row.variants = plan.variants
    for name, value in asdict(plan.rules).items():
        setattr(row, name, value)
