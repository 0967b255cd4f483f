"""One page for every status that is not an answer: what happened, and what to do next."""

from dataclasses import dataclass

from flask import Flask, render_template
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from werkzeug.exceptions import HTTPException

from app.extensions import db


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What an error page says."""

    status: int
    title: str
    advice: str


_PAGES = {
    page.status: page
    for page in (
        ErrorPage(
            400, "That did not arrive in one piece", "Go back, load the page again and retry."
        ),
        ErrorPage(
            403,
            "Your phone may look, but not change this",
            "Ask whoever set up the table to let this phone in for scoring.",
        ),
        ErrorPage(
            404,
            "Nothing here for this phone",
            "The address is wrong, or this phone was not let in to that table.",
        ),
        ErrorPage(405, "That is not done here", "Go back and use the buttons of the page."),
        ErrorPage(
            410,
            "This way in is closed",
            "The link is wrong, or it was replaced by a new one. Ask whoever keeps the scores.",
        ),
        ErrorPage(
            429, "Too many tries", "Wait a minute, then try again. Other phones are not affected."
        ),
        ErrorPage(413, "That is too much at once", "Send something smaller."),
        ErrorPage(
            500,
            "Something broke on our side",
            "What was saved before is safe. Load the page again; if it stays, tell the host.",
        ),
        ErrorPage(
            503,
            "The scores cannot be reached just now",
            "This change was not kept; what was saved before is safe. Try again in a moment.",
        ),
    )
}


def register(app: Flask) -> None:
    """Answer every error with its page."""

    @app.errorhandler(HTTPException)
    def show(error: HTTPException) -> tuple[str, int]:
        status = error.code or 500
        page = _PAGES.get(status) or ErrorPage(status, error.name, error.description or "")
        return render_template("errors/error.html", page=page), status

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
            "This page is too old",
            "Your phone's cookies are off or were cleared. Load the page again and retry.",
        )
        return render_template("errors/error.html", page=page), 400
