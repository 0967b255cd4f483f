"""The addresses of the group's players."""

from flask import Blueprint, Response, abort, g, make_response, render_template, request, url_for

from app.actions import players as act
from app.actions.faults import Refused
from app.actions.groups import Role
from app.extensions import db
from app.scorebook.statistics import LEAST_SHARED
from app.store.queries.people import (
    contracts_of,
    known_in_group,
    last_games_of,
    people_of,
    rivals_of,
    stretches_of,
    sums_of,
)
from app.web.infrastructure.access import current_actor, needs
from app.web.infrastructure.forms import chosen_id
from app.web.infrastructure.htmx import go_to
from app.web.players.view_models import Facts, person_page, person_view

players = Blueprint("players", __name__, url_prefix="/players")

_LAST_GAMES = 20


@players.get("")
@needs(Role.WATCH)
def index() -> str:
    """The group's players, who has played most first."""
    views = [person_view(one) for one in people_of(db.session(), g.group)]
    return render_template(
        "players/players.html",
        people=[one for one in views if not one.archived],
        archived=[one for one in views if one.archived],
    )


@players.get("/<int:player>")
@needs(Role.WATCH)
def show(player: int) -> Response:
    """A player and what their games came to."""
    return make_response(_page(player, None))


@players.post("/<int:player>/name")
@needs(Role.MANAGE)
def rename(player: int) -> Response:
    """Give a player another name."""
    try:
        name = request.form.get("name", "")
        act.rename_player(db.session(), g.group, player, name, current_actor())
    except Refused as refused:
        return _refused(player, refused)
    return go_to(url_for("players.show", player=player))


@players.post("/<int:player>/archive")
@needs(Role.MANAGE)
def archive(player: int) -> Response:
    """No longer offer a player for new games, or offer them again."""
    archived = request.form.get("archived") == "yes"
    try:
        act.archive_player(db.session(), g.group, player, current_actor(), archived=archived)
    except Refused as refused:
        return _refused(player, refused)
    return go_to(url_for("players.show", player=player))


@players.post("/<int:player>/merge")
@needs(Role.MANAGE)
def merge(player: int) -> Response:
    """Let all games of this entry be another's."""
    into = chosen_id(request.form.get("into"))
    try:
        other = player if into is None else into
        act.merge_players(db.session(), g.group, player, other, current_actor())
    except Refused as refused:
        return _refused(player, refused)
    return go_to(url_for("players.show", player=into))


@players.post("/<int:player>/separate")
@needs(Role.MANAGE)
def separate(player: int) -> Response:
    """Undo a merge."""
    try:
        act.separate_players(db.session(), g.group, player, current_actor())
    except Refused as refused:
        return _refused(player, refused)
    return go_to(url_for("players.show", player=player))


def _refused(player: int, refused: Refused) -> Response:
    db.session.rollback()
    return make_response(_page(player, refused), 422)


def _page(player: int, refused: Refused | None) -> str:
    session = db.session()
    known = known_in_group(session, g.group, player) or abort(404)
    facts = Facts(
        sums=sums_of(session, player),
        contracts=contracts_of(session, [player]),
        stretches=stretches_of(session, player),
        last=last_games_of(session, player, _LAST_GAMES),
        rivals=rivals_of(session, player),
    )
    page = person_page(
        known,
        facts,
        people_of(session, g.group),
        variant=request.args.get("rules", ""),
        faults={one.field: one.message for one in refused.faults} if refused else {},
    )
    return render_template(
        "players/player.html",
        page=page,
        manages=g.role >= Role.MANAGE,
        typed=request.form.get("name", known.name),
        least_shared=LEAST_SHARED,
    )
