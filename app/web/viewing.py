"""How the device that asks sees a game: what it may do, whose it is, what is new to it."""

from flask import g, request

from app.actions.groups import Role
from app.extensions import db
from app.store.queries.log import log_since
from app.web.forms import whole_number
from app.web.rounds.pages import Viewer


def viewer(since: int | None = None) -> Viewer:
    """Who looks at the game of this address; `since` is the version that their phone shows."""
    news = () if since is None else log_since(db.session(), g.game, since)
    return Viewer(
        may_score=g.role >= Role.SCORE,
        player=g.let.player,
        by_standing=request.values.get("order") == "standing",
        news=[one for one in news if one.device != g.device],
    )


def seen() -> int | None:
    """The version that the phone shows."""
    return whole_number(request.values.get("seen"))
