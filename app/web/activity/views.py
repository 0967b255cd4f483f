"""The addresses of a game's activity."""

from flask import Blueprint, Response, make_response, render_template, url_for

from app.actions.games import undo_change
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.refusals import Refused, StaleVersion
from app.store.queries.games import load_game
from app.store.queries.log import change_with, log_before, removed_seats
from app.web.activity.view_models import change_views
from app.web.infrastructure.access import current_actor, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_number
from app.web.infrastructure.htmx import go_to

activity = Blueprint("activity", __name__, url_prefix="/games/<key>/activity")

_A_PAGE = 60


@activity.get("")
@needs(Role.WATCH)
def show(key: str) -> Response:
    """Every change to the game, newest first."""
    return _page()


@activity.post("/<int:version>/undo")
@needs(Role.SCORE)
def undo(key: str, version: int) -> Response:
    """Undo one change, as a new one."""
    try:
        undo_change(db.session(), current_actor(), asker.game, version)
    except Refused as refused:
        return _page(refused.faults[0].message, _ended_round_of(version))
    except StaleVersion:
        return _page(say("That has changed again since. Undo the later change first."))
    return go_to(url_for("activity.show", key=key))


def _ended_round_of(version: int) -> int | None:
    """The round that a change was about, where it has ended and can be edited."""
    session = db.session()
    session.rollback()
    logged = (one.event.to_log() for one in change_with(session, asker.game, version))
    number = next((one.round_number for one in logged if one.round_number), None)
    game = load_game(session, asker.game).game
    return number if number is not None and game.is_round_ended(number) else None


def _page(fault: Phrase | None = None, round_to_edit: int | None = None) -> Response:
    """The page; with why something was not undone, and the round that can be edited instead."""
    session = db.session()
    session.rollback()
    loaded = load_game(session, asker.game)
    up_to = asked_number("until")
    entries = log_before(session, asker.game, up_to, _A_PAGE + 1)
    page = render_template(
        "activity/activity.html",
        key=loaded.key,
        changes=change_views(loaded, entries[:_A_PAGE], removed_seats(session, asker.game)),
        older=entries[_A_PAGE].version if len(entries) > _A_PAGE else None,
        may_undo=asker.role >= Role.SCORE,
        refusal=fault,
        round_to_edit=round_to_edit,
    )
    return make_response(page, 422 if fault else 200)
