"""Seasons: their tables, who leads or won them, and the forms for managers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, abort, make_response, render_template, url_for
from sqlalchemy.orm import Session
from wtforms import DateField, IntegerField
from wtforms.validators import NumberRange, Optional

from app.actions import seasons as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say, say_plural
from app.scorebook.limits import MOST_SEATS
from app.scorebook.refusals import refusal
from app.scorebook.seasons import MEASURES, SeasonRules, values_so_far
from app.store.groups import StoredSeason
from app.store.queries.access import chosen_group_name
from app.store.queries.evenings import LONGEST, Evening, evening_with, evenings_between
from app.store.queries.games import game_id_in_group
from app.store.queries.history import listed_games, listed_keys
from app.store.queries.seasons import Season, champions_of, seasons_of
from app.web.game_parts import leaving_out
from app.web.game_parts.charts import LineChart, Series, ends_in_words, line_chart, more_players
from app.web.game_parts.season_tables import (
    MEASURE_WORDS,
    SeasonTable,
    leaders_of,
    season_or_404,
    season_rules_in_words,
    season_table_view,
)
from app.web.game_parts.selection import variant_names
from app.web.game_parts.standings import winners_in_words
from app.web.infrastructure.access import in_group, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    LineField,
    ListField,
    PageForm,
    WordChoiceField,
    asked_line,
    sent_yes,
    whole_number,
)
from app.web.infrastructure.htmx import go_to
from app.web.infrastructure.localization import today


class SeasonForm(PageForm):
    """A season: its days or evenings, which rule sets, and how it is decided."""

    name = LineField(StoredSeason.name)
    since = DateField(validators=[Optional()])
    until = DateField(validators=[Optional()])
    evenings = IntegerField(validators=[Optional(), NumberRange(1, 200)])
    rule_sets = ListField(name="rules")
    measure = WordChoiceField(MEASURES, default="wins")
    place_points = LineField(60)
    best_of = IntegerField(validators=[Optional(), NumberRange(1, 200)])
    least_games = IntegerField(validators=[Optional(), NumberRange(1, 1000)])

    def plan(self) -> act.SeasonPlan:
        """What was typed, of the rule sets that can be chosen. Raises `Refused`."""
        self.require_valid()
        points = self._points_of_places()
        rules = SeasonRules(
            self.measure.data, points, self.best_of.data, self.least_games.data or 1
        )
        variants = dict(variant_names())
        chosen = tuple(one for one in self.rule_sets.data if one in variants)
        days = self.since.data, self.until.data
        return act.SeasonPlan(self.name.data, *days, self.evenings.data, chosen, rules)

    def _points_of_places(self) -> tuple[int, ...]:
        """What was typed; the usual where it can't be read and doesn't count. Raises `Refused`."""
        typed = [whole_number(one) for one in self.place_points.data.replace(",", " ").split()]
        points = tuple(one for one in typed if one is not None and one <= 1000)
        if len(points) == len(typed) <= MOST_SEATS:
            return points
        if self.measure.data == "points":
            raise refusal("place_points", act.NO_PLACE_POINTS)
        return SeasonRules().place_points


seasons = Blueprint("seasons", __name__, url_prefix="/seasons")

_MOST_LINES = 8
_MOST_IN_PICTURE = 20
_MOST_TO_LEAVE_OUT = 100


@seasons.get("")
@needs(Role.WATCH)
def index() -> str:
    """The seasons, the latest first, with who leads or won."""
    session, now = db.session(), datetime.now(UTC)
    known = seasons_of(session, asker.group, now)
    leaders = leaders_of(known)
    return render_template(
        "seasons/seasons.html",
        seasons=[(one, leaders[one.key]) for one in known],
        now=now,
    )


def _left_out_in_words(evenings: Sequence[Evening]) -> Iterator[Phrase]:
    """How much of these evenings does not count."""
    games = [one.results_left_out for one in evenings if one.results_left_out < one.results]
    if whole := len(evenings) - len(games):
        yield say_plural("{count} evening doesn’t count", "{count} evenings don’t count", whole)
    if games:
        yield say_plural("{count} game doesn’t count", "{count} games don’t count", sum(games))


def _left_out_evenings(
    session: Session, season: Season
) -> tuple[Sequence[Evening], Sequence[Evening]]:
    """The evenings of which the table goes without games, and others; the last ones first."""
    since, until = season.since - LONGEST, season.until and season.until + LONGEST
    found = evenings_between(session, asker.group, since, until, season.period)
    without = [one for one in found if one.results_left_out]
    if without and season.is_decided and not act.is_as_played(session, asker.group, season):
        without = []
    return without, [one for one in found if not one.results_left_out][:_MOST_TO_LEAVE_OUT]


@seasons.get("/<season>")
@needs(Role.WATCH)
def show(season: str) -> str:
    """The table of a season, and how it went."""
    session, found = db.session(), season_or_404(season)
    table = season_table_view(found)
    names = dict(variant_names()) if found.variants else {}
    left_out, others = _left_out_evenings(session, found)
    return render_template(
        "seasons/season.html",
        table=table,
        rules=season_rules_in_words(found.rules),
        chart=_chart(table),
        over=found.is_over(datetime.now(UTC)),
        last_day=found.until - timedelta(seconds=1) if found.until else None,
        variants=[names.get(one, one) for one in found.variants],
        changed=found.changed_games and listed_keys(session, asker.group, found.changed_games),
        left_out=left_out,
        left_out_in_words=list(_left_out_in_words(left_out)),
        others=others,
        left_out_change=leaving_out.left_out_change(),
    )


@seasons.get("/<season>/season.svg")
@needs(Role.WATCH)
def picture(season: str) -> Response:
    """The table of a season as a picture: who won it, or how it stands."""
    found = season_or_404(season)
    table = season_table_view(found)
    first = [one.name for one in table.lines if one.row.place == 1]
    more = len(table.lines) - _MOST_IN_PICTURE
    drawn = render_template(
        "seasons/season.svg",
        table=table,
        winners=winners_in_words(first) if found.is_over(datetime.now(UTC)) else None,
        measure=MEASURE_WORDS[found.rules.measure],
        lines=table.lines[:_MOST_IN_PICTURE],
        more=more_players(more),
        group=chosen_group_name(db.session(), asker.group),
    )
    return Response(drawn, mimetype="image/svg+xml")


@seasons.get("/new")
@needs(Role.MANAGE)
def new() -> str:
    """A form for a season of the group's own."""
    return _form_page(SeasonForm(since=today(), place_points=_as_typed(SeasonRules())), None)


@seasons.post("/new")
@needs(Role.MANAGE)
def make() -> Response:
    form = SeasonForm.from_body()
    if not form.submit(lambda: in_group(act.make_season, form.plan())):
        return make_response(_form_page(form, None), 422)
    return go_to(url_for("seasons.show", season=form.result))


@seasons.get("/<season>/edit")
@needs(Role.MANAGE)
def edit(season: str) -> str:
    """A form with how a season is decided."""
    found = season_or_404(season)
    last = found.until and (found.until - timedelta(seconds=1)).astimezone().date()
    form = SeasonForm(
        name=found.name,
        since=found.since.astimezone().date(),
        until=None if found.evenings else last,
        evenings=found.evenings,
        rule_sets=found.variants,
        measure=found.rules.measure,
        place_points=_as_typed(found.rules),
        best_of=found.rules.best_of,
        least_games=found.rules.least_games,
    )
    return _form_page(form, found)


@seasons.post("/<season>/edit")
@needs(Role.MANAGE)
def change(season: str) -> Response:
    form, found = SeasonForm.from_body(), season_or_404(season)
    if not form.submit(lambda: in_group(act.change_season, found.key, form.plan())):
        return make_response(_form_page(form, found), 422)
    return go_to(url_for("seasons.show", season=found.key))


@seasons.post("/<season>/remove")
@needs(Role.MANAGE)
def remove(season: str) -> Response:
    in_group(act.remove_season, season)
    return go_to(url_for("seasons.index"))


@seasons.post("/<season>/leave-out")
@needs(Role.MANAGE)
def leave_out(season: str) -> Response:
    """Let an evening, named by one of its games, count for no season, or count."""
    session, found = db.session(), season_or_404(season)
    game = game_id_in_group(session, asker.group, asked_line("evening")) or abort(422)
    evening = evening_with(session, asker.group, game) or abort(422)
    known = listed_games(session, evening.games)
    without = [one.key for one in known if one.left_out]
    others = [one.key for one in known if not one.left_out]
    changes = ((), without) if sent_yes("counts") else (others, ())
    done = leaving_out.leave_out(evening, *changes)
    return go_to(url_for("seasons.show", season=found.key, **done))


@seasons.post("/<season>/settle")
@needs(Role.MANAGE)
def settle(season: str) -> Response:
    """Say whether a season changes with the games that changed."""
    found = season_or_404(season)
    in_group(act.settle_season, found.key, decide_anew=sent_yes("anew"))
    return go_to(url_for("seasons.show", season=found.key))


def seasons_won_by(player: int, seasons: Iterable[Season]) -> list[Season]:
    """Those of these seasons of the asking group that are over and that a player won."""
    now = datetime.now(UTC)
    over = [one for one in seasons if one.is_over(now)]
    first = champions_of(db.session(), asker.group, over)
    return [one for one in over if player in first[one.key]]


def _as_typed(rules: SeasonRules) -> str:
    """The points for places as somebody would type them."""
    return ", ".join(map(str, rules.place_points))


def _form_page(form: SeasonForm, season: Season | None) -> str:
    return render_template(
        "seasons/form.html",
        form=form,
        season=season,
        variants=variant_names(),
        measures=[(one, MEASURE_WORDS[one]) for one in MEASURES],
    )


def _chart(table: SeasonTable) -> LineChart | None:
    """How the first of a table came there, evening after evening, by what counted so far.

    Who is not there stays as they stood.
    """
    rules, sums = table.season.rules, table.sums
    evenings = sorted({one.evening for one in sums})
    series = []
    factor = 100 if rules.measure == "contracts" else 1
    for line in [one for one in table.lines if one.row.place][:_MOST_LINES]:
        mine = [one for one in sums if one.player == line.row.player]
        came_to = dict(zip((one.evening for one in mine), values_so_far(mine, rules), strict=True))
        values, stands = list[tuple[int, float]](), None
        for number, evening in enumerate(evenings):
            stands = came_to.get(evening, stands)
            if stands is not None:
                values.append((number, stands * factor))
        series.append(Series(line.name, line.mark, tuple(values), line.value))
    if len(evenings) < 2 or not series:
        return None
    words = say("After the last evening: {ends}.", ends=ends_in_words(series))
    labels = [str(number) for number in range(1, len(evenings) + 1)]
    return line_chart(
        "season",
        _TITLES[rules.measure],
        words,
        series,
        labels=labels,
        of_places=rules.measure == "average_place",
        more=len(table.lines) - len(series),
    )


_TITLES: Mapping[str, Phrase] = {
    "wins": say("Wins, evening after evening"),
    "points": say("Points, evening after evening"),
    "average_place": say("Average place, evening after evening"),
    "contracts": say("Contracts laid down in percent, evening after evening"),
    "penalty": say("Points a round, evening after evening"),
}
