"""The addresses of a game's activity."""

from flask import Blueprint, Response, g, make_response, render_template, url_for

from app.actions.faults import Refused, StaleVersion
from app.actions.groups import Role
from app.actions.undoing import undo_change
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.store.queries.games import load_game
from app.store.queries.log import log_before
from app.web.activity.view_models import change_views
from app.web.infrastructure.access import current_actor, needs
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
        undo_change(db.session(), g.game, version, current_actor())
    except Refused as refused:
        return _page(refused.faults[0].message)
    except StaleVersion:
        return _page(say("That has changed again since. Undo the later change first."))
    return go_to(url_for("activity.show", key=key))


def _page(fault: Phrase | None = None) -> Response:
    session = db.session()
    session.rollback()
    loaded = load_game(session, g.game)
    up_to = asked_number("until")
    entries = log_before(session, g.game, up_to, _A_PAGE + 1)
    page = render_template(
        "activity/activity.html",
        key=loaded.key,
        changes=change_views(loaded, entries[:_A_PAGE]),
        older=entries[_A_PAGE].version if len(entries) > _A_PAGE else None,
        may_undo=g.role >= Role.SCORE,
        refusal=fault,
    )
    return make_response(page, 422 if fault else 200)
