"""One page for every status that is not an answer: what happened, and what to do next."""

from dataclasses import dataclass, replace

from flask import Flask, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from werkzeug.exceptions import HTTPException

from app.actions.faults import Refused
from app.actions.idempotency import KeyReused
from app.extensions import db
from app.rules.wording import Phrase, say
from app.web.judging import Busy
from app.web.sendable import Unreadable


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What an error page says."""

    status: int
    title: Phrase
    advice: Phrase


_PAGES = {
    page.status: page
    for page in (
        ErrorPage(
            400,
            say("That did not arrive in one piece"),
            say("Go back, load the page again and retry."),
        ),
        ErrorPage(
            403,
            say("Your phone may look, but not change this"),
            say("Ask whoever set up the table to let this phone in for scoring."),
        ),
        ErrorPage(
            404,
            say("Nothing here for this phone"),
            say("The address is wrong, or this phone was not let in to that table."),
        ),
        ErrorPage(
            405, say("That is not done here"), say("Go back and use the buttons of the page.")
        ),
        ErrorPage(
            410,
            say("This way in is closed"),
            say(
                "The link is wrong, or it was replaced by a new one. Ask whoever keeps the scores."
            ),
        ),
        ErrorPage(
            429,
            say("Too many tries"),
            say("Wait a minute, then try again. Other phones are not affected."),
        ),
        ErrorPage(413, say("That is too much at once"), say("Send something smaller.")),
        ErrorPage(
            500,
            say("Something broke on our side"),
            say("What was saved before is safe. Load the page again; if it stays, tell the host."),
        ),
        ErrorPage(
            503,
            say("The scores cannot be reached just now"),
            say("This change was not kept; what was saved before is safe. Try again in a moment."),
        ),
    )
}


_FORM_KEYS = ("csrf_token", "request_key")
"""What a form is given anew each time it is shown."""
_SENT_BEFORE = ErrorPage(
    422,
    say("This form was already saved with other values"),
    say("Go back, reload the page and check what was saved. Then make your change again."),
)
_UNREADABLE = ErrorPage(
    400,
    say("Some of this text cannot be stored"),
    say("Go back, delete the characters that look wrong, and try again."),
)
_ANY_OTHER = ErrorPage(0, say("That did not work"), say("Go back, load the page again and retry."))


def register(app: Flask) -> None:
    """Answer every error with its page."""

    @app.errorhandler(HTTPException)
    def show(error: HTTPException) -> tuple[str, int]:
        status = error.code or 500
        page = _PAGES.get(status) or replace(_ANY_OTHER, status=status)
        if isinstance(error, Unreadable):
            page = _UNREADABLE
        return render_template("errors/error.html", page=page), status

    @app.errorhandler(Refused)
    def show_refused(refused: Refused) -> tuple[str, int]:
        page = ErrorPage(409, say("That cannot be done here"), refused.faults[0].message)
        return render_template("errors/error.html", page=page), 409

    @app.errorhandler(Busy)
    def ask_again(busy: Busy) -> tuple[str, int, dict[str, str]]:
        """The same request again will do; a form is sent again with all that it held."""
        sent = [one for one in request.form.items(multi=True) if one[0] not in _FORM_KEYS]
        body = render_template("errors/busy.html", seconds=busy.seconds, sent=sent)
        return body, 503, {"Retry-After": str(busy.seconds)}

    @app.errorhandler(KeyReused)
    def show_reused_key(_error: KeyReused) -> tuple[str, int]:
        db.session.rollback()
        return render_template("errors/error.html", page=_SENT_BEFORE), 422

    @app.errorhandler(OperationalError)
    @app.errorhandler(PoolExhausted)
    def say_nothing_was_saved(error: SQLAlchemyError) -> tuple[str, int, dict[str, str]]:
        """The database is locked, full, or away: nothing was kept, and trying again is right."""
        db.session.rollback()
        app.logger.error("The database failed.", exc_info=error)
        return render_template("errors/error.html", page=_PAGES[503]), 503, {"Retry-After": "3"}

    @app.errorhandler(CSRFError)
    def show_old_page(_error: CSRFError) -> tuple[str, int]:
        page = ErrorPage(
            400,
            say("This page is too old"),
            say("Your phone's cookies are off or were cleared. Load the page again and retry."),
        )
        return render_template("errors/error.html", page=page), 400
