"""The group's players, what their games came to, and what is done to them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import TypeVar

from flask import Blueprint, Response, abort, make_response, render_template, url_for
from sqlalchemy.orm import Session

from app.actions import players as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, join_names, say, say_plural
from app.scorebook.marks import COLORS, LONGEST_SIGN, SHAPES, Mark
from app.scorebook.statistics import LEAST_SHARED, ContractStats, PlayerSums, sums_by_kind
from app.store.groups import Player
from app.store.queries.contracts import contract_stats, player_contract_stats
from app.store.queries.milestones import milestones_of_player
from app.store.queries.players import (
    PlacedGame,
    PlayerDetails,
    Rival,
    last_games_of,
    marks_by_name,
    player_in_group,
    players_with_sums,
    rivals_of,
)
from app.store.queries.selection import GameSelection
from app.store.queries.streaks import PlayerTotals, totals_of
from app.store.queries.trends import Month, PlayedMonth, months_of, others_chosen
from app.web.game_parts.milestones import milestone_in_words
from app.web.game_parts.selection import ChosenGames, chosen_games
from app.web.history.charts import (
    BarChart,
    LineChart,
    Series,
    bar_chart,
    by_period,
    ends_in_words,
    line_chart,
)
from app.web.history.view_models import contract_kind_in_words, contract_views
from app.web.infrastructure import localization
from app.web.infrastructure.access import in_group, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    ArchiveForm,
    LineField,
    NumberField,
    PageForm,
    asked_line,
    asked_number,
)
from app.web.infrastructure.htmx import go_to, wants_fragment
from app.web.infrastructure.localization import format_day
from app.web.seasons import titles_of


class NameForm(PageForm):
    """What a player is called."""

    name = LineField(Player.name)


class MarkForm(PageForm):
    """The mark that a player is to have."""

    color, shape = NumberField(), NumberField()
    sign = LineField(LONGEST_SIGN)


class MergeForm(PageForm):
    """The other player who is the same person."""

    into = NumberField()


K = TypeVar("K", str, int, Month)


@dataclass(frozen=True, slots=True)
class Tile:
    """A number with what it says."""

    value: Phrase | str
    label: Phrase
    share: Phrase | None = None
    """What part of the whole the number is, beside it."""
    detail: Phrase | None = None
    """What is to be known besides, below what it says."""


@dataclass(frozen=True)
class PlayerFacts:
    """What the games selected came to for a player, as the page shows it."""

    months: Sequence[PlayedMonth]
    contract_stats: dict[str, list[ContractStats]]
    totals: PlayerTotals
    recent_games: Sequence[PlacedGame]
    rivals: Sequence[Rival]

    @cached_property
    def sums_by_variant(self) -> dict[str, PlayerSums]:
        """The sums in each rule set, the one most played first; only of games, wins and places."""
        counts = self._counts_by(lambda one: one.variant)
        sums = {variant: PlayerSums(*some[:4]) for variant, some in counts.items()}
        return dict(sorted(sums.items(), key=lambda one: (-one[1].games, one[0])))

    @property
    def tried_variants(self) -> list[str]:
        """The rule sets whose contracts were tried, the one most played first."""
        played = [one for one in self.sums_by_variant if one in self.contract_stats]
        return played + [one for one in self.contract_stats if one not in played]

    @property
    def sums_by_year(self) -> dict[int, PlayerSums]:
        """The sums in each year, the first year first; only of games, wins and places."""
        counts = self._counts_by(lambda one: one.month[0])
        return {year: PlayerSums(*some[:4]) for year, some in counts.items()}

    @property
    def places_by_month(self) -> dict[Month, tuple[int, int]]:
        """In how many games of a month the player had a place, and the sum of these places."""
        return {month: (some[2], some[3]) for month, some in self._by_month.items() if some[2]}

    def rivalry_by_month(self, other_index: int) -> dict[Month, tuple[int, int]]:
        """In how many games of a month the player finished ahead of another, and behind.

        `other_index` is the other's place among `others_chosen`, from 0, as in
        `PlayedMonth.counts`.
        """
        place = 4 + 2 * other_index
        return {month: (some[place], some[place + 1]) for month, some in self._by_month.items()}

    @cached_property
    def _by_month(self) -> dict[Month, list[int]]:
        return self._counts_by(lambda one: one.month)

    def _counts_by(self, key: Callable[[PlayedMonth], K]) -> dict[K, list[int]]:
        parts: dict[K, list[Sequence[int]]] = {}
        for one in self.months:
            parts.setdefault(key(one), []).append(one.counts)
        return {one: [sum(of) for of in zip(*some, strict=True)] for one, some in parts.items()}


def player_facts(
    session: Session, group: int, player: int, selection: GameSelection
) -> PlayerFacts:
    """What the games selected came to for a player."""
    return PlayerFacts(
        months=months_of(session, player, selection, others_chosen(selection, player)),
        contract_stats=contract_stats(
            player_contract_stats(session, group, selection, player=player)
        ),
        totals=totals_of(session, player, selection),
        recent_games=last_games_of(session, player, _LAST_GAMES, selection),
        rivals=rivals_of(session, player, selection),
    )


def tiles(facts: PlayerFacts, names: Mapping[str, str]) -> Sequence[Tile]:
    """What a player's games came to; `names` are those of the rule sets."""
    totals = facts.totals
    sums = totals.sums
    if not sums.games:
        return ()
    found = [
        Tile(str(sums.games), say_plural("game", "games", sums.games)),
        Tile(
            str(sums.wins),
            say_plural("win", "wins", sums.wins),
            _percent(sums.win_rate),
        ),
        Tile(localization.format_decimal(sums.average_place), say("average place")),
        Tile(
            str(totals.most_wins),
            say("longest winning streak"),
            detail=say(
                "now {count}, since {day}", count=totals.wins_now, day=format_day(totals.since)
            )
            if totals.since
            else None,
        ),
    ]
    if sums.contract_rounds:
        laid = say_plural("contract laid down", "contracts laid down", sums.times_met)
        found.append(Tile(localization.format_number(sums.times_met), laid))
        found.append(Tile(_percent(sums.went_out_rate), say("rounds gone out")))
    if sums.penalty_rounds:
        found.append(
            Tile(
                localization.format_decimal(sums.average_penalty),
                say("points a round when not out"),
            )
        )
    if sums.bonus_count:
        earned = say_plural("from {count} bonus", "from {count} bonuses", sums.bonus_count)
        found.append(
            Tile(localization.format_number(sums.bonus), say("bonus points"), detail=earned)
        )
    tried = [(variant, one) for variant, stats in facts.contract_stats.items() for one in stats]
    variant, stuck = max(tried, key=lambda one: one[1].most_rounds, default=("", None))
    if stuck is not None and stuck.most_rounds > 1:
        where = say(
            "contract {number}, {variant}",
            number=stuck.number,
            variant=Phrase(names.get(variant, variant)),
        )
        most = str(stuck.most_rounds)
        found.append(Tile(most, say("most rounds on one contract"), detail=where))
    return found


def recent_games_chart(games: Sequence[PlacedGame]) -> BarChart | None:
    """The last games as bars, as high as the share of opponents who were not ahead."""
    if len(games) < 2:
        return None
    won = sum(one.won for one in games)
    bars = []
    for one in games:
        beaten = 0.0
        if one.place is not None and one.player_count > 1:
            beaten = max(0, one.player_count - one.place) / (one.player_count - 1)
        bars.append((1.0 if one.won else beaten, one.won, _place_in_words(one)))
    places = [one.place for one in games if one.place is not None]
    words = say(
        "The last {count} games, the latest on the right: {won} won, average place {place}. "
        "The higher the bar, the more players were left behind.",
        count=len(games),
        won=won,
        place=localization.format_decimal(sum(places) / len(places) if places else None),
    )
    return bar_chart("form", say("Form"), words, bars)


def _place_in_words(game: PlacedGame) -> Phrase:
    day = format_day(game.finished_at)
    if game.place is None:
        return say("{day}: left early", day=day)
    return say(
        "{day}: place {place} of {players}", day=day, place=game.place, players=game.player_count
    )


def _charts(
    details: PlayerDetails, games: ChosenGames, facts: PlayerFacts
) -> Iterator[LineChart | None]:
    """How a player's place went over time, and how they stand with whom they are compared."""
    yield places_chart(details, facts.places_by_month)
    rivals = {one.id: one for one in facts.rivals}
    for number, other in enumerate(others_chosen(games.selection, details.id)):
        if other in rivals:
            yield rivalry_chart(details, rivals[other], facts.rivalry_by_month(number))


def places_chart(
    details: PlayerDetails, months: Mapping[Month, tuple[int, int]]
) -> LineChart | None:
    """The average place month by month or year by year."""
    periods = by_period(months)
    if len(periods) < 2:
        return None
    averages = [places / games for games, places in periods.values()]
    words = say(
        "Average place, first on top: {first} in {start}, {last} in {end}.",
        first=localization.format_decimal(averages[0]),
        start=next(iter(periods)),
        last=localization.format_decimal(averages[-1]),
        end=list(periods)[-1],
    )
    series = [Series(details.name, details.mark, tuple(enumerate(averages)))]
    title = say("Place over time")
    return line_chart("places", title, words, series, labels=list(periods), of_places=True)


def rivalry_chart(
    details: PlayerDetails, rival: Rival, months: Mapping[Month, tuple[int, int]]
) -> LineChart | None:
    """How often each of two was ahead of the other, added up over time."""
    periods = by_period(months)
    if len(periods) < 2:
        return None
    ahead, behind = (
        tuple(enumerate(accumulate(counts))) for counts in zip(*periods.values(), strict=True)
    )
    series = [
        Series(details.name, details.mark, ahead),
        Series(rival.name, rival.mark, behind),
    ]
    words = say("Games in which each finished ahead, added up: {ends}.", ends=ends_in_words(series))
    title = say("Head-to-head with {name}", name=rival.name)
    return line_chart(f"against-{rival.id}", title, words, series, labels=list(periods))


def _percent(share: float | None) -> Phrase:
    return say("{rate}%", rate=round(100 * (share or 0)))


players = Blueprint("players", __name__, url_prefix="/players")

_LAST_GAMES = 20
_LISTED = 5
_ON_A_PAGE = 100


@players.get("")
@needs(Role.WATCH)
def index() -> str:
    """A page of the group's players, who has played most first and who is archived last."""
    chosen = chosen_games(db.session(), asker.group)
    listed = players_with_sums(db.session(), asker.group, chosen.selection)
    people = sorted(listed, key=lambda one: one.archived)
    last = max(0, len(people) - 1) // _ON_A_PAGE + 1
    number = min(max(1, asked_number("page") or 1), last)
    shown = people[(number - 1) * _ON_A_PAGE : number * _ON_A_PAGE]
    return render_template(
        "players/players.html",
        people=[one for one in shown if not one.archived],
        archived=[one for one in shown if one.archived],
        number=number,
        last=last,
        chosen=chosen,
    )


@players.get("/<int:player>")
@needs(Role.WATCH)
def show(player: int) -> Response:
    """A player and what their games came to."""
    return make_response(_page(player))


@players.get("/<int:player>/milestones")
@needs(Role.WATCH)
def milestones(player: int) -> str:
    """What a player reached, the latest first."""
    session = db.session()
    details = player_in_group(session, asker.group, player) or abort(404)
    return render_template(
        "players/milestones.html",
        details=details,
        milestones=[
            (milestone_in_words(one), one)
            for one in milestones_of_player(session, player, details.name)
        ],
    )


@players.post("/<int:player>/name")
@needs(Role.MANAGE)
def rename(player: int) -> Response:
    """Give a player another name."""
    form = NameForm.from_body()
    rename = partial(in_group, act.rename_player, player, form.name.data)
    return _submit(form, rename, player)


@players.post("/<int:player>/mark")
@needs(Role.SCORE)
def change_mark(player: int) -> Response:
    """Give a player another colour or shape, or another sign in it."""
    form = MarkForm.from_body()
    mark = Mark(form.color.data or 0, form.shape.data or 0, form.sign.data)
    done = form.submit(lambda: in_group(act.change_mark, player, mark))
    if not wants_fragment():
        shown = url_for("players.show", player=player, _anchor="mark")
        return go_to(shown) if done else make_response(_page(player, form), 422)
    details = player_in_group(db.session(), asker.group, player) or abort(404)
    head = _head(details, None if done else form)
    body = render_template("players/_head.html", **head, open=True)
    return make_response(body, 200 if done else 422)


_EMOJI = ("🦊", "🐻", "🐸", "🦉", "🐙", "🦄", "🐝", "🌻", "🍀", "⚡", "🔥", "👑")


def _head(details: PlayerDetails, form: PageForm | None) -> dict[str, object]:
    """What the head of a player's page shows: the mark, and what it can be."""
    mark, initials = details.mark, "".join(one[0] for one in details.name.split()[:2]).upper()
    signs = dict.fromkeys(("", initials if initials.isalnum() else "", *_EMOJI))
    return {
        "details": details,
        "colors": [replace(mark, color=one) for one in range(1, COLORS + 1)],
        "shapes": [replace(mark, shape=one) for one in range(1, SHAPES + 1)],
        "signs": [replace(mark, sign=one) for one in signs],
        "same_color": _same_color(details),
        "may_score": asker.role >= Role.SCORE and not details.merged_into,
        "marking": form if isinstance(form, MarkForm) else MarkForm(sign=mark.sign),
    }


def _same_color(details: PlayerDetails) -> Phrase | None:
    """Which other active players have a player's color."""
    marks = marks_by_name(db.session(), asker.group)
    names = [
        name for name, mark in marks if mark.color == details.mark.color and name != details.name
    ]
    if not names:
        return None
    return say_plural(
        "{names} has this color, too.",
        "{names} have this color, too.",
        len(names),
        names=join_names(names),
    )


@players.post("/<int:player>/archive")
@needs(Role.MANAGE)
def archive(player: int) -> Response:
    """No longer offer a player for new games, or offer them again."""
    form = ArchiveForm.from_body()
    archived = form.archived.data
    archive = partial(in_group, act.archive_player, player, archived=archived)
    return _submit(form, archive, player)


@players.post("/<int:player>/merge")
@needs(Role.MANAGE)
def merge(player: int) -> Response:
    """Let all games of this player be another's."""
    form = MergeForm.from_body()
    into = form.into.data or player
    merge = partial(in_group, act.merge_players, player, into)
    return _submit(form, merge, player, into=into)


@players.post("/<int:player>/separate")
@needs(Role.MANAGE)
def separate(player: int) -> Response:
    """Undo a merge."""
    form = PageForm.from_body()
    return _submit(form, partial(in_group, act.separate_players, player), player)


def _submit(
    form: PageForm, action: Callable[[], object], player: int, into: int | None = None
) -> Response:
    """Do what the form asks for and show the player, or whom they were merged `into`.

    Else what is wrong about it.
    """
    if form.submit(action):
        merged = player if into else None
        return go_to(url_for("players.show", player=into or player, merged=merged))
    return make_response(_page(player, form), 422)


def _page(player: int, form: PageForm | None = None) -> str:
    session = db.session()
    details = player_in_group(session, asker.group, player) or abort(404)
    games = chosen_games(session, asker.group)
    names, facts = games.names, player_facts(session, asker.group, player, games.selection)
    tried_variant = asked_line("contracts")
    if tried_variant not in facts.contract_stats:
        tried_variant = next(iter(facts.tried_variants), "")
    kinds = sums_by_kind(one for stats in facts.contract_stats.values() for one in stats)
    return render_template(
        "players/player.html",
        **_head(details, form),
        open=isinstance(form, MarkForm),
        tiles=tiles(facts, names),
        recent_games=[
            (one.key, _place_in_words(one)) for one in facts.recent_games[-_LISTED:][::-1]
        ],
        recent_games_chart=recent_games_chart(facts.recent_games),
        charts=[one for one in _charts(details, games, facts) if one],
        chosen=games,
        titles=titles_of(details.id, games.every_season),
        variants=[(names.get(one, one), sums) for one, sums in facts.sums_by_variant.items()],
        years=[(str(year), sums) for year, sums in facts.sums_by_year.items()],
        contracts_of=tried_variant,
        contract_choices=[(one, names.get(one, one)) for one in facts.tried_variants],
        contracts=contract_views(tried_variant, facts.contract_stats.get(tried_variant, [])),
        kinds=[(contract_kind_in_words(kind), sums) for kind, sums in kinds.items()],
        rivals=facts.rivals,
        others=[one for one in games.players if one[0] != details.id],
        manages=asker.role >= Role.MANAGE,
        form=form,
        merged=next(
            (one for one in details.merged_players if one[0] == asked_number("merged")), None
        ),
        naming=form if isinstance(form, NameForm) else NameForm(name=details.name),
        least_shared=LEAST_SHARED,
    )
