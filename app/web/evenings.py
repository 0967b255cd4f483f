"""Evenings: the games of one sitting, who was there, who won the evening, and its moments."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Literal

from flask import Blueprint, Response, abort, render_template, url_for
from sqlalchemy.orm import Session

from app.actions import games as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, concatenate, join_names, say, say_plural
from app.scorebook.game import EveningMark
from app.scorebook.seasons import USUAL_POINTS, SeasonRow, SeasonRules, season_table
from app.store.queries.access import chosen_group_name
from app.store.queries.evenings import (
    Evening,
    ResultRow,
    broken_streak,
    evening_with,
    evenings_of,
    longest_attempt,
    longest_round,
    results_of,
    sums_of_games,
)
from app.store.queries.group_records import RecordUnit, points_apart
from app.store.queries.history import ListedGame, PageCursor, listed_games
from app.web.game_parts import leaving_out
from app.web.game_parts.season_tables import (
    MEASURE_WORDS,
    SeasonLine,
    are_parted_by_points,
    in_a_row,
    place_points_in_words,
)
from app.web.game_parts.selection import asked_filter
from app.web.game_parts.standings import winners_in_words
from app.web.history.view_models import (
    EXTREMES,
    Extreme,
    ListedGameView,
    duration_in_words,
    extreme_sought,
    record_value,
    round_anchor,
)
from app.web.infrastructure.access import in_game, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.downloads import as_download
from app.web.infrastructure.forms import asked_line, asked_values
from app.web.infrastructure.htmx import go_to
from app.web.infrastructure.localization import render_phrase, translate

MomentKind = Literal["round", "contract", "margin", "comeback", "streak"]


@dataclass(frozen=True, slots=True)
class EveningMoment:
    """Something worth telling of an evening, and the game in which it was.

    The value is in seconds, rounds, points, contracts or wins, as the unit says.
    """

    kind: MomentKind
    value: int
    unit: RecordUnit | Literal["wins"]
    text: Phrase
    game_key: str
    anchor: str = ""
    """Where in the game's record it is; empty for the game as a whole."""

    @property
    def title(self) -> Phrase:
        return _TITLES[self.kind]


_TITLES: Mapping[MomentKind, Phrase] = {
    "round": say("Longest round"),
    "contract": say("Most stubborn contract"),
    "margin": EXTREMES["margin"],
    "comeback": EXTREMES["comeback"],
    "streak": say("Streak broken"),
}


_RULES = SeasonRules()
"""An evening is decided as a season of one evening, by the usual rules."""


@dataclass(frozen=True, slots=True)
class EveningView:
    """An evening, and who played its finished games, the best first."""

    evening: Evening
    people: Sequence[SeasonLine]

    @property
    def winners(self) -> Phrase | None:
        """Who won the evening, or is ahead: most games won, then the most points for places."""
        if self._first and self.evening.running:
            return say("Ahead now: {names}", names=join_names(self._first))
        return winners_in_words(self.first)

    @property
    def first(self) -> list[str]:
        """The names of who won it; empty as long as a game goes on, and where nobody won one."""
        return [] if self.evening.running else self._first

    @property
    def games_in_words(self) -> Phrase:
        """How many of its games count, which are those that are finished, and how many go on."""
        evening = self.evening
        counted, running = evening.results, evening.running
        goes_on = say_plural("{count} game in progress", "{count} games in progress", running)
        if counted < evening.of_results:
            games = say_plural(
                "{some} of {count} game",
                "{some} of {count} games",
                evening.of_results,
                some=counted,
            )
        elif running:
            games = say_plural("{count} finished game", "{count} finished games", counted)
        else:
            games = say_plural("{count} game", "{count} games", counted)
        if not running:
            return games
        return concatenate([games, goes_on], " · ") if evening.of_results else goes_on

    @property
    def points_decide(self) -> bool:
        """Did the points for places tell who is first, as others have won as many games?"""
        wins, behind = self._wins_of_first_and_next
        return behind == wins > 0

    @property
    def points_part(self) -> bool:
        """Did the points for places tell anybody from who had won as many of several games?"""
        return self.evening.results > 1 and are_parted_by_points(self.people)

    @property
    def reason(self) -> Phrase | None:
        """By what who is first is ahead of the next; None where one game alone or nothing parts."""
        wins, behind = self._wins_of_first_and_next
        if self.points_decide:
            return say(
                "As many wins, more points for places ({points})", points=in_a_row(USUAL_POINTS)
            )
        return MEASURE_WORDS["wins"] if self.evening.results > 1 and wins > behind >= 0 else None

    @property
    def _wins_of_first_and_next(self) -> tuple[int, int]:
        """How many games the first, and the best of those behind, have won; -1 for nobody."""
        found = {one.row.place: one.row.sums.wins for one in reversed(self.people)}
        return found.pop(1, -1), max(found.values(), default=-1)

    @property
    def _first(self) -> list[str]:
        return [one.name for one in self.people if one.row.place == 1 and one.row.sums.wins]


@dataclass(frozen=True, slots=True)
class EveningPage:
    """An evening whole."""

    view: EveningView
    games: Sequence[ListedGameView]
    moments: Sequence[EveningMoment]


evenings = Blueprint("evenings", __name__)

_ON_A_PAGE = 20
_DAY_AFTER = timedelta(hours=36)
_MOST_IN_CALENDAR = 400
_LEAST_STREAK = 3
_LEAST_STUCK = 3


@evenings.get("/evenings")
@needs(Role.WATCH)
def index() -> str:
    """The evenings, the last one first."""
    session, cursor = db.session(), PageCursor.read(asked_line("before"))
    game_filter = asked_filter()
    found = evenings_of(
        session,
        asker.group,
        _ON_A_PAGE + 1,
        before=cursor.started_at if cursor else None,
        selection=game_filter.selection,
    )
    last = found[_ON_A_PAGE - 1] if len(found) > _ON_A_PAGE else None
    return render_template(
        "evenings/evenings.html",
        evenings=evening_views(session, found[:_ON_A_PAGE]),
        older=last and PageCursor(last.since, last.games[0]),
        newest=cursor is not None,
        game_filter=game_filter,
    )


@evenings.get("/evenings/<key>")
@needs(Role.WATCH)
def show(key: str) -> str:
    """The evening that a game belongs to."""
    return render_template(
        "evenings/evening.html",
        page=evening_page(),
        points=place_points_in_words(_RULES),
        left_out_change=leaving_out.left_out_change(),
    )


@evenings.get("/evenings/<key>/evening.svg")
@needs(Role.WATCH)
def picture(key: str) -> Response:
    drawn = render_template(
        "evenings/evening.svg",
        page=evening_page(),
        group=chosen_group_name(db.session(), asker.group),
    )
    return Response(drawn, mimetype="image/svg+xml")


@evenings.get("/evenings.ics")
@needs(Role.WATCH)
def calendar() -> Response:
    """The last evenings of the games chosen as an iCalendar file."""
    session = db.session()
    selection = asked_filter().selection
    found = evenings_of(session, asker.group, _MOST_IN_CALENDAR, selection=selection)
    views = evening_views(session, found)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Meldkeeper//Evenings//EN"]
    for view in views:
        lines += _calendar_event(view)
    text = "\r\n".join(part for line in [*lines, "END:VCALENDAR"] for part in _folded(line))
    return as_download(Response(text + "\r\n", mimetype="text/calendar"), "evenings.ics")


def _calendar_event(view: EveningView) -> list[str]:
    """An evening as RFC 5545 writes an event."""
    evening = view.evening
    began, ended = (one.strftime("%Y%m%dT%H%M%SZ") for one in (evening.began, evening.ended))
    times = [f"DTSTART:{began}", f"DTEND:{ended}"]
    if evening.is_of_day_alone:
        days = (f"{evening.began + timedelta(days=more):%Y%m%d}" for more in (0, 1))
        times = [
            f"{name};VALUE=DATE:{day}" for name, day in zip(("DTSTART", "DTEND"), days, strict=True)
        ]
    people = ", ".join(one.name for one in view.people)
    summary = render_phrase(view.winners) if view.winners else translate("Evening", None, None)
    return [
        "BEGIN:VEVENT",
        f"UID:{evening.key}@meldkeeper",
        f"DTSTAMP:{ended}",
        *times,
        f"SUMMARY:{_escaped(summary)}",
        f"DESCRIPTION:{_escaped(people)}",
        f"URL:{url_for('evenings.show', key=evening.key, _external=True)}",
        "END:VEVENT",
    ]


def _escaped(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", text)


def _folded(line: str) -> Iterator[str]:
    """A line in parts of at most 75 bytes, of which the later ones begin with a blank."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > 75:
            yield part
            part = " "
        part += letter
    yield part


@evenings.post("/games/<key>/evening")
@needs(Role.MANAGE)
def mark(key: str) -> Response:
    """Split an evening before a game, or join the game to the evening before."""
    marks: Mapping[str, EveningMark] = {"begins": "begins", "joins": "joins"}
    in_game(act.mark_evening, marks.get(asked_line("mark")) or abort(422))
    return go_to(url_for("evenings.show", key=key))


@evenings.post("/evenings/<key>/seasons")
@needs(Role.MANAGE)
def leave_out(key: str) -> Response:
    """Let games of an evening count for no season, or count, as ticked: those whose tick changed.

    An undo on a season's page leads back there.
    """
    evening = evening_with(db.session(), asker.group, asker.game) or abort(404)
    ticked, seen = map(asked_values().getlist, ("left_out", "seen"))
    done, season = leaving_out.leave_out(evening, ticked, seen), asked_line("season")
    if season:
        return go_to(url_for("seasons.show", season=season, **done))
    return go_to(url_for("evenings.show", key=key, **done))


def recent_evening(now: datetime) -> EveningView | None:
    """The group's last evening, if it ended not long ago and no game of it goes on.

    None where it has one result or none: a game tells its own.
    """
    session, since = db.session(), now - 2 * _DAY_AFTER
    found = evenings_of(session, asker.group, 1, since=since)
    evening = found[0] if found else None
    if evening is None or evening.running or now - evening.ended > _DAY_AFTER:
        return None
    return evening_views(session, found)[0] if evening.results > 1 else None


def evening_views(session: Session, found: Sequence[Evening]) -> list[EveningView]:
    """These evenings, each with who played its finished games."""
    sums, people = sums_of_games(session, [game for one in found for game in one.games])
    return [
        EveningView(
            one,
            [
                SeasonLine(*people[row.player], _as_in_the_game(row) if one.results == 1 else row)
                for row in season_table(
                    (of for game in one.games for of in sums.get(game, ())), _RULES
                )
            ],
        )
        for one in found
    ]


def _as_in_the_game(row: SeasonRow) -> SeasonRow:
    """The row of an evening of one game, with the place in it; the last have no points."""
    place = row.sums.average_place
    return replace(row, place=int(place)) if row.place and place else row


def evening_page() -> EveningPage:
    """The evening of the game that is asked for, whole; 404 where it is in none."""
    session = db.session()
    evening = evening_with(session, asker.group, asker.game) or abort(404)
    (view,) = evening_views(session, [evening])
    return whole_evening(session, view)


def whole_evening(session: Session, view: EveningView) -> EveningPage:
    """An evening with its games, and the moments of those that are over, as its figures count."""
    games = [ListedGameView(one) for one in listed_games(session, view.evening.games)]
    over = [one.game.id for one in games if one.game.finished_at]
    return EveningPage(view, games, list(_moments(session, over, games)))


def _moments(
    session: Session, ids: Sequence[int], games: Sequence[ListedGameView]
) -> Iterator[EveningMoment]:
    by_id = {one.game.id: one.game for one in games}
    if longest := longest_round(session, ids):
        game_id, number, seconds = longest
        game, time = by_id[game_id], duration_in_words(seconds)
        text = say("{time}: round {number}, {game}", time=time, number=number, game=_name(game))
        yield EveningMoment("round", seconds, "seconds", text, game.key, round_anchor(number))
    stuck = longest_attempt(session, ids)
    if stuck is not None and stuck.rounds >= _LEAST_STUCK:
        game = by_id[stuck.game_id]
        text = say(
            "{name}: {rounds} on contract {number}, {variant}",
            name=stuck.name,
            rounds=say_plural("{count} round", "{count} rounds", stuck.rounds),
            number=stuck.contract,
            variant=_name(game),
        )
        yield EveningMoment("contract", stuck.rounds, "rounds", text, game.key)
    results = results_of(session, ids)
    for field in EXTREMES:
        yield from _extreme(session, field, results, by_id)
    broken = broken_streak(session, ids, _LEAST_STREAK)
    if broken is not None:
        game = by_id[broken.game_id]
        text = say(
            "{player} had won {count} in a row until {winners}",
            player=broken.name,
            count=broken.wins,
            winners=join_names(game.winners),
        )
        yield EveningMoment("streak", broken.wins, "wins", text, game.key)


def _name(game: ListedGame) -> Phrase | str:
    return game.title or Phrase(game.variant_name)


def _extreme(
    session: Session, field: Extreme, results: Sequence[ResultRow], games: Mapping[int, ListedGame]
) -> Iterator[EveningMoment]:
    """The game with the least margin or the greatest comeback, of those that compare.

    These are the games by points of one rule set, or all by contracts, whichever were the most; as
    for the group's records, one that was stopped early has no finish.
    """
    known = [
        one
        for one in results
        if one.rounds
        and getattr(one, field) is not None
        and not (one.is_stopped_early and field == "margin")
    ]
    ties = {one.id for one in games.values() if len(one.winners) > 1}
    compared = Counter(_points_of(one) for one in known)
    for variant, _count in compared.most_common(1):
        sought = extreme_sought(field, variant)
        those = [one for one in known if _points_of(one) == variant]
        those.sort(key=lambda one: one.game_id not in ties)  # closer than who is level on contracts
        held = (max if sought.is_maximum else min)(those, key=attrgetter(field))
        value = getattr(held, field)
        if value or not sought.is_maximum:
            level = [held.game_id] if sought.is_level(value) else []
            apart = points_apart(session, level).get(held.game_id)
            words = record_value(sought, value, apart, is_tie=held.game_id in ties)
            game = games[held.game_id]
            text = say("{value}: {game}", value=words, game=_name(game))
            yield EveningMoment(field, value, sought.unit, text, game.key)


def _points_of(result: ResultRow) -> str | None:
    """The rule set in whose points a game was decided; None where contracts decided it."""
    return result.variant_id if result.places_by_score else None
