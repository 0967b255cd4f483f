"""The page on which a manager makes tokens for other programs, and revokes them."""

from flask import Blueprint, Response, g, request, url_for

from app.actions import tokens as act
from app.actions.faults import Refused
from app.actions.groups import Role, role_of
from app.extensions import db
from app.rules.wording import Phrase, say
from app.store.queries.tokens import tokens_of
from app.web.infrastructure.access import current_actor, needs
from app.web.infrastructure.htmx import answer, go_to

tokens = Blueprint("tokens", __name__, url_prefix="/group/tokens")


@tokens.get("")
@needs(Role.MANAGE)
def show_all() -> Response:
    """The group's tokens."""
    return _page()


@tokens.post("")
@needs(Role.MANAGE)
def make() -> Response:
    """Make a token and show its secret, this once."""
    role = role_of(request.form.get("role", "")) or Role.WATCH
    name = request.form.get("name", "")
    try:
        secret = act.make_token(db.session(), g.group, name, role, current_actor())
    except Refused as refused:
        db.session.rollback()
        return _page(fault=refused.faults[0].message, typed=name, status=422)
    if secret is None:
        return _page(fault=say("This token was created already. Its secret is shown only once."))
    return _page(secret=secret)


@tokens.post("/<int:token>/revoke")
@needs(Role.MANAGE)
def revoke(token: int) -> Response:
    """Revoke a token."""
    act.revoke_token(db.session(), g.group, token, current_actor())
    return go_to(url_for("tokens.show_all"))


def _page(
    *, secret: str = "", fault: Phrase | None = None, typed: str = "", status: int = 200
) -> Response:
    return answer(
        "tokens/tokens.html",
        "tokens/_tokens.html",
        status=status,
        tokens=tokens_of(db.session(), g.group),
        secret=secret,
        fault=fault,
        typed=typed,
    )
