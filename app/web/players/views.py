"""The addresses of the group's players."""

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response, abort, make_response, render_template, url_for

from app.actions import players as act
from app.actions.groups import Role
from app.extensions import db
from app.scorebook.statistics import LEAST_SHARED, sums_by_kind
from app.store.queries.players import (
    contract_stats_of,
    last_games_of,
    player_in_group,
    player_names,
    players_with_sums,
    rivals_of,
    streaks_of,
    sums_of,
)
from app.web.history.view_models import contract_kind_in_words, contract_views, variant_name
from app.web.infrastructure.access import current_actor, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import PageForm, asked_line, asked_number
from app.web.infrastructure.htmx import go_to
from app.web.players.forms import ArchivePlayerForm, MergeForm, NameForm
from app.web.players.view_models import PlayerFacts, figures, recent_games_chart

players = Blueprint("players", __name__, url_prefix="/players")

_LAST_GAMES = 20
_ON_A_PAGE = 100


@players.get("")
@needs(Role.WATCH)
def index() -> str:
    """A page of the group's players, who has played most first and who is archived last."""
    people = sorted(players_with_sums(db.session(), asker.group), key=lambda one: one.archived)
    last = max(0, len(people) - 1) // _ON_A_PAGE + 1
    number = min(max(1, asked_number("page") or 1), last)
    shown = people[(number - 1) * _ON_A_PAGE : number * _ON_A_PAGE]
    return render_template(
        "players/players.html",
        people=[one for one in shown if not one.archived],
        archived=[one for one in shown if one.archived],
        number=number,
        last=last,
    )


@players.get("/<int:player>")
@needs(Role.WATCH)
def show(player: int) -> Response:
    """A player and what their games came to."""
    return make_response(_page(player))


@players.post("/<int:player>/name")
@needs(Role.MANAGE)
def rename(player: int) -> Response:
    """Give a player another name."""
    form, actor = NameForm.from_body(), current_actor()
    rename = partial(act.rename_player, db.session(), actor, asker.group, player, form.name.data)
    return _submit(form, rename, player)


@players.post("/<int:player>/archive")
@needs(Role.MANAGE)
def archive(player: int) -> Response:
    """No longer offer a player for new games, or offer them again."""
    form, actor = ArchivePlayerForm.from_body(), current_actor()
    archived = form.archived.data
    archive = partial(
        act.archive_player, db.session(), actor, asker.group, player, archived=archived
    )
    return _submit(form, archive, player)


@players.post("/<int:player>/merge")
@needs(Role.MANAGE)
def merge(player: int) -> Response:
    """Let all games of this entry be another's."""
    form, actor = MergeForm.from_body(), current_actor()
    into = form.into.data or player
    merge = partial(act.merge_players, db.session(), actor, asker.group, player, into)
    return _submit(form, merge, player, into)


@players.post("/<int:player>/separate")
@needs(Role.MANAGE)
def separate(player: int) -> Response:
    """Undo a merge."""
    form, actor = PageForm.from_body(), current_actor()
    return _submit(
        form, partial(act.separate_players, db.session(), actor, asker.group, player), player
    )


def _submit(
    form: PageForm, action: Callable[[], object], player: int, then: int | None = None
) -> Response:
    """Do what the form asks for and show the player, or `then`; else what is wrong about it."""
    if form.submit(action):
        return go_to(url_for("players.show", player=then or player))
    return make_response(_page(player, form), 422)


def _page(player: int, form: PageForm | None = None) -> str:
    session = db.session()
    details = player_in_group(session, asker.group, player) or abort(404)
    facts = PlayerFacts(
        sums=sums_of(session, player),
        contract_stats=contract_stats_of(session, [player]),
        streaks=streaks_of(session, player),
        recent_games=last_games_of(session, player, _LAST_GAMES),
        rivals=rivals_of(session, player),
    )
    chosen = asked_line("rules")
    if chosen not in facts.contract_stats:
        chosen = next(iter(facts.tried_variants), "")
    kinds = sums_by_kind(one for records in facts.contract_stats.values() for one in records)
    return render_template(
        "players/player.html",
        details=details,
        figures=figures(facts),
        recent_games_chart=recent_games_chart(facts.recent_games),
        variants=[(variant_name(one), sums) for one, sums in facts.sums_by_variant.items()],
        years=[(str(year), sums) for year, sums in facts.sums_by_year.items()],
        contracts_of=chosen,
        contract_choices=[(one, variant_name(one)) for one in facts.tried_variants],
        contracts=contract_views(chosen, facts.contract_stats.get(chosen, [])),
        kinds=[(contract_kind_in_words(kind), sums) for kind, sums in kinds.items()],
        rivals=facts.rivals,
        others=[one for one in player_names(session, asker.group) if one[0] != details.id],
        manages=asker.role >= Role.MANAGE,
        form=form,
        naming=form if isinstance(form, NameForm) else NameForm(name=details.name),
        least_shared=LEAST_SHARED,
    )
