"""The filter of figures: which games count, as addresses carry it and people choose it.

Pages that show figures give their links to each other what the address says, so that a choice stays
while people look around (`keep_selection`, which `web/history` registers and each `url_for` calls).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from flask import request
from wtforms import DateField
from wtforms.validators import Optional

from app.exchange.days import day_of, start_of
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.rules.rule_sets import shipped_rule_sets
from app.scorebook.limits import YEARS
from app.store.queries.alphabet import alphabetic
from app.store.queries.history import PlayedVariant, played_variants
from app.store.queries.players import player_names
from app.store.queries.seasons import Season, seasons_of
from app.store.queries.selection import GameSelection, with_few_lacking_players
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    LineField,
    ListField,
    NumberField,
    PageForm,
    YesField,
    one_of,
    whole_number,
)
from app.web.infrastructure.localization import format_day

FILTERED_PAGES = {
    "history.index",
    "history.records",
    "evenings.index",
    "evenings.calendar",
    "players.index",
    "players.show",
    "tables.download",
}
"""The pages whose games the filter narrows, by their endpoints."""
_CARRYING_PAGES = FILTERED_PAGES | {
    "data.index",
    "evenings.show",
    "history.record",
    "players.milestones",
    "seasons.index",
}
"""Those, and the pages on the way from one of them to another."""
MOST_TOGETHER = 3


class SelectionQuery(PageForm):
    """Which games count; what cannot be read is left out."""

    season = LineField(16)
    year = NumberField()
    since = DateField(validators=[Optional()])
    until = DateField(validators=[Optional()])
    rule_set = LineField(60, name="rules")
    together = ListField(name="with")
    here = YesField()
    """Are these players chosen for one page alone, such as the rival of a player?"""

    @property
    def known_year(self) -> int | None:
        """The year asked for, if games can be of it."""
        return one_of(self.year.data, YEARS)

    @property
    def days(self) -> tuple[date | None, date | None]:
        """The first and the last day asked for."""
        since, until = (
            one if one and one.year in YEARS else None for one in (self.since.data, self.until.data)
        )
        return since, until

    @property
    def players(self) -> tuple[int, ...]:
        """The players who all have to be there."""
        asked = (whole_number(one) for one in self.together.data)
        return tuple(dict.fromkeys(one for one in asked if one))[:MOST_TOGETHER]

    @property
    def address_args(self) -> dict[str, Any]:
        """The choice as an address carries it."""
        since, until = self.days
        found = {
            "season": self.season.data,
            "year": self.known_year,
            "since": since,
            "until": until,
            "rules": self.rule_set.data,
            "with": list(self.players),
        }
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games count on a page, the words that say which, and what can be chosen instead."""

    selection: GameSelection
    query: SelectionQuery
    words: Sequence[Phrase | str]
    """Nothing where all games count."""
    years: Sequence[int]
    """The latest first."""
    every_season: Sequence[Season]
    """The latest first."""
    variants: Sequence[tuple[str, str]]
    """Ids and names, by name."""
    players: Sequence[tuple[int, str]]
    """Ids and names."""

    @property
    def seasons(self) -> Sequence[Season]:
        """The group's own seasons, the latest first."""
        return [one for one in self.every_season if not one.is_year]

    @property
    def together(self) -> Sequence[int | None]:
        """The players who all have to be there, and None where one more can be chosen."""
        return (*self.selection.players, None)[:MOST_TOGETHER]

    @property
    def names(self) -> dict[str, str]:
        """The names of the rule sets played, by id."""
        return dict(self.variants)


def asked_filter() -> GameFilter:
    """The filter of the page, as the address asks for it."""
    session, group, query = db.session(), asker.group, SelectionQuery.from_query()
    played, players = played_variants(session, group), player_names(session, group)
    known, names = dict(players), _names(played)
    together = tuple(one for one in query.players if one in known)
    since, until = query.days
    first = min((day_of(one.first).year for one in played), default=0)
    last = max((day_of(one.last).year for one in played), default=-1)
    played_in = range(last, first - 1, -1)
    seasons = seasons_of(session, group, datetime.now(UTC), played_in)
    season = next((one for one in seasons if one.key == query.season.data), None)
    variant = query.rule_set.data
    periods = [query.days]
    if year := query.known_year:
        periods.append((date(year, 1, 1), date(year, 12, 31)))
    selection = select_games(season, periods, variant, together)
    parts: list[Phrase | str] = [season.name] if season else []
    parts += [str(year)] if year else []
    parts += [say("since {day}", day=format_day(start_of(since)))] if since else []
    parts += [say("until {day}", day=format_day(start_of(until)))] if until else []
    parts += [names.get(variant, variant)] if variant else []
    parts += [say("with {name}", name=known[one]) for one in together]
    return GameFilter(
        with_few_lacking_players(session, group, selection),
        query,
        parts,
        played_in,
        seasons,
        _by_name(names),
        players,
    )


def select_games(
    season: Season | None,
    periods: Iterable[tuple[date | None, date | None]],
    variant: str,
    players: tuple[int, ...],
) -> GameSelection:
    """The games of a season and in each of these periods, from a first to a last day.

    By the rule set named, else by those of the season; all of the players took part.
    """
    first_and_last = list(periods)
    begins = [start_of(first) for first, _last in first_and_last if first]
    ends = [start_of(last + timedelta(days=1)) for _first, last in first_and_last if last]
    variants: tuple[str, ...] = (variant,) if variant else ()
    if season is not None:
        begins.append(season.since)
        ends += [season.until] if season.until else []
        variants = variants or season.variants
    period = max(begins, default=None), min(ends, default=None)
    return GameSelection(variants, *period, players, season.group if season else None)


def variant_names() -> Sequence[tuple[str, str]]:
    """Ids and names of the rule sets of the group's finished games, by name."""
    return _by_name(_names(played_variants(db.session(), asker.group)))


def keep_selection(endpoint: str, values: dict[str, Any]) -> None:
    """Let a link from a page with figures to another carry the choice, unless it says its own.

    Players who were chosen for one page alone are carried to that page alone.
    """
    if {endpoint, request.endpoint} <= _CARRYING_PAGES:
        query = SelectionQuery.from_query()
        carried = query.address_args
        if query.here.data:
            places = request.view_args or {}
            if endpoint == request.endpoint and places.items() <= values.items():
                carried["here"] = 1
            else:
                carried.pop("with", None)
        for name, value in carried.items():
            values.setdefault(name, value)


def _names(played: Sequence[PlayedVariant]) -> dict[str, str]:
    shipped = shipped_rule_sets()
    return {
        one.id: shipped[one.id].name if one.id in shipped else one.own_name or one.id
        for one in played
    }


def _by_name(names: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    return sorted(names.items(), key=lambda one: alphabetic(one[1]))
