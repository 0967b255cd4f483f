"""What is answered in place of a page that failed: what happened, and what to do next."""

import errno
from dataclasses import dataclass

from flask import Flask, Response, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from werkzeug.exceptions import BadHost, HTTPException, SecurityError

from app.actions.requests import KeyReused
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.refusals import Refused
from app.web.infrastructure.access import CannotManage, DeviceRemoved, NoNewGroups
from app.web.infrastructure.input_validation import Unreadable
from app.web.infrastructure.outages import log_outage
from app.web.infrastructure.rate_limits import Busy


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What an error page says."""

    status: int
    title: Phrase
    advice: Phrase
    asks_code: bool = False
    """Does it lead to where an invite code is entered, and show no number?"""


_PAGES = {
    400: (say("Part of that got lost"), say("Reload the page and try again.")),
    403: (
        say("This device can only watch"),
        say("Ask someone who manages the group for scoring access."),
    ),
    404: (say("Page not found"), say("Check the link, or ask for an invite to the group.")),
    405: (say("This page can’t do that"), say("Go back and try again.")),
    410: (say("This invite link no longer works"), say("Ask for a new one.")),
    413: (say("That’s too large to send"), say("Choose a smaller file or shorten the text.")),
    429: (say("Too many tries"), say("Wait a minute, then try again.")),
    500: (
        say("Something went wrong"),
        say(
            "Your saved scores are safe. Reload the page; if it happens again, "
            "tell your server admin."
        ),
    ),
    503: (
        say("Your change might not be saved"),
        say("Try again in a moment. What was saved before is safe."),
    ),
}
"""Title and advice, by status."""
_ANY_OTHER = (say("That didn’t work"), say("Reload the page and try again."))
_FORM_KEYS = ("csrf_token", "request_key")
"""What a form is given anew each time it is shown."""
_SENT_BEFORE = ErrorPage(
    422,
    say("This form was already saved with other values"),
    say("Go back, reload the page and check what was saved. Then make your change again."),
)
_PAGES_OF_KINDS: dict[type[HTTPException], ErrorPage] = {
    CSRFError: ErrorPage(
        400, say("This page has expired"), say("Make sure cookies are on, then reload the page.")
    ),
    DeviceRemoved: ErrorPage(
        404,
        say("This device was removed from the group"),
        say("To come back, ask someone who manages the group for an invite."),
        asks_code=True,
    ),
    CannotManage: ErrorPage(
        403, say("This device can’t do that"), say("Ask someone who manages the group.")
    ),
    NoNewGroups: ErrorPage(
        403,
        say("New groups can’t be made here"),
        say("Ask for an invite to a group, or ask your server admin to make one."),
    ),
    Unreadable: ErrorPage(
        400,
        say("Some of this text can’t be stored"),
        say("Go back, delete the characters that look wrong, and try again."),
    ),
}


def register(app: Flask) -> None:
    """Answer errors that are known with their pages."""

    @app.errorhandler(HTTPException)
    def show(error: HTTPException) -> tuple[str, int]:
        if page := _PAGES_OF_KINDS.get(type(error)):
            return _render(page)
        status = error.code or 500
        return _render(ErrorPage(status, *_PAGES.get(status, _ANY_OTHER)))

    @app.errorhandler(BadHost)
    @app.errorhandler(SecurityError)
    def refuse_host(_error: HTTPException) -> Response:
        """Asked for by a name that is none, or none of `TRUSTED_HOSTS`: no page can link to us."""
        return Response("Unknown host\n", 400, content_type="text/plain; charset=utf-8")

    @app.errorhandler(Refused)
    def show_refused(refused: Refused) -> tuple[str, int]:
        return _render(ErrorPage(409, say("That can’t be done"), refused.faults[0].message))

    @app.errorhandler(Busy)
    def show_busy(busy: Busy) -> tuple[str, int, dict[str, str]]:
        """The same request again will do; a form is sent again with all that it held."""
        sent = [one for one in request.form.items(multi=True) if one[0] not in _FORM_KEYS]
        body = render_template("errors/busy.html", seconds=busy.seconds, sent=sent)
        return body, 503, {"Retry-After": str(busy.seconds)}

    @app.errorhandler(KeyReused)
    def show_reused_key(_error: KeyReused) -> tuple[str, int]:
        db.session.rollback()
        return _render(_SENT_BEFORE)

    @app.errorhandler(OperationalError)
    @app.errorhandler(PoolExhausted)
    def show_database_error(error: Exception) -> tuple[str, int, dict[str, str]]:
        """The database is locked, full, or away: trying again is right.

        Nothing was kept, unless it failed after the change: then a repeat of the request is known.
        """
        db.session.rollback()
        log_outage(app, error)
        return *_render(ErrorPage(503, *_PAGES[503])), {"Retry-After": "3"}

    @app.errorhandler(OSError)
    def show_full_disk(error: OSError) -> tuple[str, int, dict[str, str]]:
        """There is no room for a file that is sent, which is put aside until it is read."""
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise error
        return show_database_error(error)


def _render(page: ErrorPage) -> tuple[str, int]:
    return render_template("errors/error.html", page=page), page.status
