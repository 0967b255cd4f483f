"""Reads of seasons: which there are, when they end, and what they came to.

Each year from the first result to the last is a season by itself. A season runs until its last day
is over, or its last evening is; its table is worked out from the facts until it was decided.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from app.exchange.days import day_of, is_before, start_of
from app.scorebook.seasons import EveningSums, SeasonRow, SeasonRules, season_table, total_of
from app.store.groups import Player, StoredSeason
from app.store.queries.evenings import evening_sums, evenings_between, sums_of_each
from app.store.queries.selection import GameSelection
from app.store.statistics import StoredResult


@dataclass(frozen=True, slots=True)
class Season:
    """A season; `until` is the first moment after it, where that is known."""

    key: str
    name: str
    since: datetime
    until: datetime | None
    evenings: int | None
    """It ends with so many evenings."""
    variants: tuple[str, ...]
    rules: SeasonRules
    group: int
    id: int | None = None
    """None for a year whose rules nobody chose and which was not decided."""
    is_decided: bool = False
    champions: tuple[int, ...] = ()
    changed_games: tuple[str, ...] = ()

    @property
    def is_year(self) -> bool:
        """Is it of a year, by itself?"""
        return self.key.isdigit()

    @property
    def selection(self) -> GameSelection:
        """Which games count."""
        return replace(self.period, of_seasons=self.group)

    @property
    def period(self) -> GameSelection:
        """The games that count, and those of its time that are left out."""
        return GameSelection(self.variants, self.since, self.until)

    def has(self, moment: datetime) -> bool:
        """Is a moment within it, or the day that it stands for?"""
        return not is_before(moment, self.since) and (
            self.until is None or is_before(moment, self.until)
        )

    def is_over(self, now: datetime) -> bool:
        """Has it ended?"""
        return self.until is not None and self.until <= now


def seasons_of(
    session: Session, group: int, now: datetime, years: Iterable[int] | None = None
) -> list[Season]:
    """The seasons of a group, the latest first: those that have a row, and these years.

    Where no `years` are given, all from the first result's to the last's.
    """
    kept = {one.key: one for one in _stored(session, group, now)}
    for year in _years_played(session, group) if years is None else years:
        kept.setdefault(str(year), _year(year, group))
    return sorted(kept.values(), key=lambda one: (one.since, not one.is_year), reverse=True)


def _years_played(session: Session, group: int) -> range:
    ends = session.execute(
        select(func.min(StoredResult.finished_at), func.max(StoredResult.finished_at)).where(
            StoredResult.group_id == group
        )
    ).one()
    years = [day_of(one).year for one in ends if one]
    return range(min(years), max(years) + 1) if years else range(0)


def season_of(session: Session, group: int, key: str, now: datetime) -> Season | None:
    """The season with that key; None where there is none."""
    return next((one for one in seasons_of(session, group, now) if one.key == key), None)


def _stored(session: Session, group: int, now: datetime) -> list[Season]:
    """The seasons that have a row. Of what was decided is read whether it was, and who won."""
    rows = session.execute(
        select(StoredSeason, StoredSeason.decided.is_not(None))
        .where(StoredSeason.group_id == group)
        .options(defer(StoredSeason.decided))
    ).all()
    into = merged_players(session, group) if any(is_decided for _row, is_decided in rows) else {}
    found = []
    for row, is_decided in rows:
        rules = SeasonRules(row.measure, row.place_points or (), row.best_of, row.least_games)
        until = row.until
        if until is None and row.evenings is not None:
            until = _end_of_evenings(session, row, row.evenings, now)
        since, champions = row.since.astimezone(), row.champions or ()
        season = Season(
            row.key, row.name, since, until, row.evenings, row.variants or (), rules,
            group, row.id, is_decided, tuple(into.get(one, one) for one in champions),
            row.changed_games or (),
        )  # fmt: skip
        found.append(season)
    return found


def _year(year: int, group: int) -> Season:
    since, until = start_of(date(year, 1, 1)), start_of(date(year + 1, 1, 1))
    return Season(str(year), str(year), since, until, None, (), SeasonRules(), group)


def _end_of_evenings(
    session: Session, row: StoredSeason, count: int, now: datetime
) -> datetime | None:
    """The end of the last of so many evenings; None while there are fewer, or it goes on."""
    selection = GameSelection(row.variants or (), of_seasons=row.group_id)
    found = evenings_between(session, row.group_id, row.since, None, selection)[::-1]
    if len(found) < count:
        return None
    last = found[count - 1]
    goes_on = len(found) == count and (last.running or now < last.over_at)
    return None if goes_on else last.ended + timedelta(seconds=1)


def seasons_before_change(session: Session, group: int, game: str) -> list[tuple[str, str]]:
    """Key and name of each season that was decided before the game with that key changed.

    Until somebody says what follows for it.
    """
    rows = session.execute(
        select(StoredSeason.key, StoredSeason.name, StoredSeason.changed_games)
        .where(StoredSeason.group_id == group, StoredSeason.changed_games.is_not(None))
        .order_by(StoredSeason.since)
    )
    return [(key, name) for key, name, changed in rows if game in (changed or ())]


def season_sums(session: Session, group: int, season: Season) -> list[EveningSums]:
    """What each player's evenings came to, as it was decided or as it stands."""
    decided = None
    if season.is_decided:
        decided = session.scalar(select(StoredSeason.decided).where(StoredSeason.id == season.id))
    if decided is None:
        return played_sums(session, group, season)
    return _merged(session, group, [EveningSums(*row) for row in decided])


def played_sums(session: Session, group: int, season: Season) -> list[EveningSums]:
    """What each player's evenings come to by the games as they are now."""
    return evening_sums(session, group, season.selection, season.rules.counted_points)


def _merged(session: Session, group: int, sums: Sequence[EveningSums]) -> list[EveningSums]:
    """What was decided, each player's as theirs who has their games since."""
    into = merged_players(session, group)
    if not any(one.player in into for one in sums):
        return list(sums)
    parts: dict[tuple[int, int], list[EveningSums]] = {}
    for one in sums:
        player = into.get(one.player, one.player)
        parts.setdefault((player, one.evening), []).append(replace(one, player=player))
    return [total_of(of) for of in parts.values()]


def merged_players(session: Session, group: int) -> Mapping[int, int]:
    """Who of a group was merged into whom."""
    merged = Player.group_id == group, Player.merged_into_id.is_not(None)
    rows = session.execute(select(Player.id, Player.merged_into_id).where(*merged))
    return {row.id: row.merged_into_id for row in rows}


def champions_of(
    session: Session, group: int, seasons: Sequence[Season]
) -> dict[str, tuple[int, ...]]:
    """Who leads each of these seasons, or won it, by their keys.

    Evenings are told apart only where the best of them alone count; else one select sums up whole
    seasons.
    """
    found = {one.key: one.champions for one in seasons if one.is_decided}
    whole = [one for one in seasons if not one.is_decided and one.rules.best_of is None]
    asked = [(one.selection, one.rules) for one in whole]
    for one, sums in zip(whole, sums_of_each(session, group, asked), strict=True):
        found[one.key] = first_of(season_table(sums, one.rules))
    for one in seasons:
        if one.key not in found:
            found[one.key] = first_of(season_table(season_sums(session, group, one), one.rules))
    return found


def first_of(table: Sequence[SeasonRow]) -> tuple[int, ...]:
    """Who has the first place of a table."""
    return tuple(row.player for row in table if row.place == 1)
