"""Coming into a group: by a secret link or a short code, typed or as a QR code.

Opening a link changes nothing (chat programs open links to preview them): it shows the group's name
and asks. Joining leads to an address without the secret. Everything wrong looks alike and is
limited in rate, for each address of the network that it comes from.
"""

from datetime import UTC, datetime

from flask import Blueprint, Response, abort, make_response, render_template, url_for

from app.actions import memberships
from app.actions.groups import AdmittedDevice, role_of, secret_hash
from app.actions.memberships import is_code, plain_code
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.refusals import refusal
from app.store.queries.access import ValidInvite, group_name, invitation_of, link_of
from app.store.queries.games import running_games
from app.web.game_parts.viewer import start_asking_player
from app.web.groups.view_models import ROLE_WORDS
from app.web.infrastructure.access import asking_browser, current_actor, may, open_to_all
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import LineField, PageForm
from app.web.infrastructure.htmx import announce, go_to
from app.web.infrastructure.rate_limits import limits_guesses


class CodeForm(PageForm):
    """The code that another device shows; people type blanks and dashes with it."""

    code = LineField(12)


invites = Blueprint("invites", __name__, url_prefix="/join")


@invites.get("")
@open_to_all
def show_code_form() -> Response:
    """Asks for the code that the inviting device shows."""
    return _code_page(CodeForm())


@invites.post("")
@limits_guesses
@open_to_all
def join_by_code() -> Response:
    """Come in by a code that was typed."""
    form = CodeForm.from_body()
    code = form.code.data if form.validate() else ""
    invite = _find_invite(code) if is_code(code) else None
    joined = memberships.join_by_code(db.session(), current_actor(), code, asking_browser())
    if joined is None:
        wrong = say("That code is wrong or expired. Ask for a new one: it works while it’s shown.")
        form.show_faults(refusal("code", wrong))
        return _code_page(form, 422)
    return _come_in(joined, invite)


@invites.get("/<secret>")
@limits_guesses
@open_to_all
def open_link(secret: str) -> Response:
    """Whose group it is, and whether to join, or the way on for who looks at it already."""
    invite = _invite_or_410(secret)
    role = role_of(invite.role)
    is_in = role is not None and may(role) and asker.group_if_any == invite.group
    page = render_template(
        "invites/join.html",
        invite=invite,
        role=ROLE_WORDS[role],
        game=_game_of(invite.group, invite) if is_in else None,
        is_in=is_in,
    )
    return _without_trace(make_response(page))


@invites.post("/<secret>")
@limits_guesses
@open_to_all
def join_by_link(secret: str) -> Response:
    """Come in by a link or a QR code."""
    invite = _invite_or_410(secret)
    join = memberships.join_by_code if is_code(secret) else memberships.join_by_link
    joined = join(db.session(), current_actor(), secret, asking_browser())
    if joined is None:
        abort(410)
    return _without_trace(_come_in(joined, invite))


def _find_invite(secret: str) -> ValidInvite | None:
    session = db.session()
    if is_code(secret):
        return invitation_of(session, secret_hash(plain_code(secret)), datetime.now(UTC))
    return link_of(session, secret_hash(secret))


def _invite_or_410(secret: str) -> ValidInvite:
    return _find_invite(secret) or abort(410)


def _come_in(joined: AdmittedDevice, invite: ValidInvite | None) -> Response:
    """Lead to the game (`_game_of`), which asks whose device this is, or to the start."""
    start_asking_player()
    session = db.session()
    announce(say("You joined {name}.", name=Phrase(group_name(session, joined.group))))
    game = _game_of(joined.group, invite)
    return go_to(url_for("games.show", key=game) if game else url_for("home.index"))


def _game_of(group: int, invite: ValidInvite | None) -> str | None:
    """The key of the game whose code it is, or else of the one in progress if there is but one."""
    if invite and invite.game_key:
        return invite.game_key
    running = running_games(db.session(), group, 2)
    return running[0].key if len(running) == 1 else None


def _code_page(form: CodeForm, status: int = 200) -> Response:
    return make_response(render_template("invites/code.html", form=form), status)


def _without_trace(response: Response) -> Response:
    """Let no other page learn the address, and no search engine keep it."""
    # By https the form tokens' check needs to know which host the form came from, no more.
    response.headers["Referrer-Policy"] = "strict-origin"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
