"""The group's players, and what is done to them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from flask import Blueprint, Response, abort, make_response, render_template, url_for
from wtforms import BooleanField

from app.actions import players as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, join_names, say, say_plural
from app.scorebook.marks import COLORS, LONGEST_SIGN, SHAPES, Mark
from app.scorebook.statistics import sums_by
from app.store.groups import Player
from app.store.queries.milestones import milestones_of_player
from app.store.queries.players import (
    ListedPlayer,
    PlayerDetails,
    marks_by_name,
    player_in_group,
    players_with_sums,
)
from app.web.game_parts.contracts import CONTRACT_KINDS, contract_views
from app.web.game_parts.look_alikes import NamedPlayerForm
from app.web.game_parts.milestones import milestone_in_words
from app.web.game_parts.selection import asked_filter
from app.web.infrastructure.access import in_group, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import (
    LineField,
    NumberField,
    PageForm,
    asked_line,
    asked_number,
    sent_yes,
)
from app.web.infrastructure.htmx import go_to, wants_fragment
from app.web.players.statistics import (
    charts,
    placed_game_in_words,
    player_statistics,
    recent_games_chart,
    tiles,
)
from app.web.seasons import seasons_won_by


class NameForm(PageForm):
    """What a player is called."""

    name = LineField(Player.name)


class MarkForm(PageForm):
    """The mark that a player is to have."""

    color, shape = NumberField(), NumberField()
    sign = LineField(LONGEST_SIGN)
    name = LineField(Player.name)
    """What is typed as the name, which only `rename` keeps: it is not lost meanwhile."""
    closes = BooleanField()
    """Was it saved as a whole? A tap on a color, a shape or a sign leaves the choice open."""


class MergeForm(PageForm):
    """The other player who is the same person."""

    into = NumberField()


players = Blueprint("players", __name__, url_prefix="/players")

_LISTED = 5
_ON_A_PAGE = 100
_ORDERS: Mapping[str, Callable[[ListedPlayer], float]] = {
    "games": lambda one: one.sums.games,
    "wins": lambda one: one.sums.wins,
    "rate": lambda one: one.sums.win_rate or 0,
}
"""What may decide who comes first; where that is the same, it is the games played."""


@players.get("")
@needs(Role.WATCH)
def index() -> Response:
    """A page of the group's players, in the order asked for, who is archived last."""
    return _players_page(NamedPlayerForm())


@players.post("")
@needs(Role.SCORE)
def add() -> Response:
    form = NamedPlayerForm.from_body()
    if not form.submit(lambda: in_group(act.add_player, form.name.data)):
        return _players_page(form, 422)
    return go_to(url_for("players.index"))


def _players_page(form: NamedPlayerForm, status: int = 200) -> Response:
    game_filter = asked_filter()
    listed = players_with_sums(db.session(), asker.group, game_filter.selection)
    order = asked_line("by")
    order = order if order in _ORDERS else "games"
    people = sorted(listed, key=lambda one: (one.archived, -_ORDERS[order](one)))
    last = max(0, len(people) - 1) // _ON_A_PAGE + 1
    number = min(max(1, asked_number("page") or 1), last)
    shown = people[(number - 1) * _ON_A_PAGE : number * _ON_A_PAGE]
    page = render_template(
        "players/players.html",
        form=form,
        people=[one for one in shown if not one.archived],
        archived=[one for one in shown if one.archived],
        number=number,
        last=last,
        order=order,
        game_filter=game_filter,
    )
    return make_response(page, status)


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
    form = NameForm.from_body()
    rename = partial(in_group, act.rename_player, player, form.name.data)
    return _submit(form, rename, player, saved="name")


@players.post("/<int:player>/mark")
@needs(Role.SCORE)
def change_mark(player: int) -> Response:
    """Give a player another color or shape, or another sign in it."""
    form = MarkForm.from_body()
    mark = Mark(form.color.data or 0, form.shape.data or 0, form.sign.data)
    done = form.submit(lambda: in_group(act.change_mark, player, mark))
    if not wants_fragment():
        back = asked_line("game") or None
        shown = url_for("players.show", player=player, saved="mark", game=back, _anchor="mark")
        return go_to(shown) if done else make_response(_page(player, form), 422)
    details = player_in_group(db.session(), asker.group, player) or abort(404)
    head = _head(details, None if done else form)
    typed = form.name.data or details.name
    if typed != details.name:
        head["naming"] = NameForm(name=typed)
    stays_open = not (done and form.closes.data) or typed != details.name
    body = render_template("players/_head.html", **head, open=stays_open, saved_mark=done)
    return make_response(body, 200 if done else 422)


_EMOJI = ("🦊", "🐻", "🐸", "🦉", "🐙", "🦄", "🐝", "🌻", "🍀", "⚡", "🔥", "👑")


def _head(details: PlayerDetails, form: PageForm | None) -> dict[str, object]:
    """What the head of a player's page shows: name and mark, and what it can be."""
    mark, initials = details.mark, "".join(one[0] for one in details.name.split()[:2]).upper()
    signs = dict.fromkeys(("", initials if initials.isalnum() else "", *_EMOJI))
    return {
        "details": details,
        "game": asked_line("game") or None,
        "colors": [replace(mark, color=one) for one in range(1, COLORS + 1)],
        "shapes": [replace(mark, shape=one) for one in range(1, SHAPES + 1)],
        "signs": [replace(mark, sign=one) for one in signs],
        "same_color": _same_color(details),
        "marking": form if isinstance(form, MarkForm) else MarkForm(sign=mark.sign),
        "naming": form if isinstance(form, NameForm) else NameForm(name=details.name),
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
        "{names} has this shade, too.",
        "{names} have this shade, too.",
        len(names),
        names=join_names(names),
    )


@players.post("/<int:player>/archive")
@needs(Role.MANAGE)
def archive(player: int) -> Response:
    """No longer offer a player for new games, or offer them again."""
    archive = partial(in_group, act.archive_player, player, archived=sent_yes("archived"))
    return _submit(PageForm(), archive, player, saved="archived")


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
    return _submit(form, partial(in_group, act.separate_players, player), player, saved="merge")


def _submit(
    form: PageForm,
    action: Callable[[], object],
    player: int,
    into: int | None = None,
    saved: str | None = None,
) -> Response:
    """Do what the form asks for and show the player, or whom they were merged `into`.

    There it says what was `saved`, and what the player was called; else what is wrong about it.
    Who came from a game is led back to it.
    """
    if form.submit(action):
        if game := asked_line("game"):
            return go_to(url_for("games.show", key=game))
        merged, was = player if into else None, form.result
        shown = url_for("players.show", player=into or player, merged=merged, saved=saved, was=was)
        return go_to(shown)
    return make_response(_page(player, form), 422)


def _page(player: int, form: PageForm | None = None) -> str:
    session = db.session()
    details = player_in_group(session, asker.group, player) or abort(404)
    was = asked_line("was")
    game_filter = asked_filter()
    names = game_filter.names
    statistics = player_statistics(session, asker.group, player, game_filter.selection)
    tried_variant = asked_line("contracts")
    if tried_variant not in statistics.contract_stats:
        tried_variant = next(iter(statistics.tried_variants), "")
    tried = (one for stats in statistics.contract_stats.values() for one in stats)
    of_kinds = sums_by((one.kind, one.sums) for one in tried)
    return render_template(
        "players/player.html",
        **_head(details, form),
        open=isinstance(form, MarkForm | NameForm) or bool(asked_line("game")),
        saved_mark=False,
        tiles=tiles(statistics, names),
        recent_games=[
            (one.key, placed_game_in_words(one), names.get(one.variant_id, one.variant_id))
            for one in statistics.recent_games[-_LISTED:][::-1]
        ],
        recent_games_chart=recent_games_chart(statistics.recent_games),
        charts=charts(details, game_filter, statistics),
        game_filter=game_filter,
        titles=seasons_won_by(details.id, game_filter.every_season),
        variants=[(names.get(one, one), sums) for one, sums in statistics.sums_by_variant.items()],
        years=[(str(year), sums) for year, sums in statistics.sums_by_year.items()],
        contracts_of=tried_variant,
        contract_choices=[(one, names.get(one, one)) for one in statistics.tried_variants],
        contracts=contract_views(tried_variant, statistics.contract_stats.get(tried_variant, [])),
        kinds=[(CONTRACT_KINDS[kind], sums) for kind, sums in of_kinds.items()],
        rivals=statistics.rivals,
        others=[one for one in game_filter.players if one[0] != details.id],
        saved_part=asked_line("saved"),
        was=was if was != details.name else "",
        renamed=say("{other} is now called {name}", name=details.name, other=was),
        form=form,
        merged=next(
            (one for one in details.merged_players if one[0] == asked_number("merged")), None
        ),
    )
