"""API tokens: the page on which a manager makes and revokes them."""

from flask import Blueprint, Response, url_for

from app.actions import memberships as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import say
from app.store.groups import Token
from app.store.queries.access import tokens_of
from app.web.infrastructure.access import in_group, needs
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import LineField, PageForm, RoleField
from app.web.infrastructure.htmx import go_to, render_page_or_fragment


class TokenForm(PageForm):
    """What a token is for, and what it may do."""

    name = LineField(Token.name)
    role = RoleField()


tokens = Blueprint("tokens", __name__, url_prefix="/group/tokens")


@tokens.get("")
@needs(Role.MANAGE)
def show_all() -> Response:
    return _page(TokenForm())


@tokens.post("")
@needs(Role.MANAGE)
def make() -> Response:
    """Make a token and show its secret, this once."""
    form = TokenForm.from_body()
    if not form.submit(lambda: in_group(act.make_token, form.name.data, form.role.data)):
        return _page(form, 422)
    if form.result is None:
        form = TokenForm()
        form.fault = say("This token was created already. Its secret is shown only once.")
        return _page(form)
    return _page(TokenForm(), secret=form.result)


@tokens.post("/<int:token>/revoke")
@needs(Role.MANAGE)
def revoke(token: int) -> Response:
    in_group(act.revoke_token, token)
    return go_to(url_for("tokens.show_all"))


def _page(form: TokenForm, status: int = 200, *, secret: str = "") -> Response:
    return render_page_or_fragment(
        "tokens/tokens.html",
        status=status,
        tokens=tokens_of(db.session(), asker.group),
        secret=secret,
        form=form,
    )
