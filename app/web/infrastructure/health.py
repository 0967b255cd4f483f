"""Pages for whatever watches over the app: is it alive, and may devices be sent to it?"""

import mmap
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, current_app
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Request, Response

from app.extensions import db
from app.store.engine import is_usable


def add_machine_page(app: Flask, address: str, answer: Callable[[Request], Response]) -> None:
    """Answer GET and HEAD at an address, for what watches over the app.

    Such a page sets no cookies, is answered under whatever host name it is asked, since it links
    to nothing, and is not logged, since a proxy asks each second. Call it after all that stands in
    front of the app.
    """
    inner = app.wsgi_app

    def answer_or_pass_on(environment: dict[str, Any], start: Any) -> Iterable[bytes]:
        if environment.get("PATH_INFO") != address:
            return inner(environment, start)
        if environment["REQUEST_METHOD"] not in ("GET", "HEAD"):
            response = text_response("Only to be read.", 405)
        else:
            with app.app_context():
                response = answer(Request(environment))
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        return response(environment, start)

    app.wsgi_app = answer_or_pass_on  # type: ignore[method-assign,assignment]


def text_response(words: str, status: int) -> Response:
    """A line of plain text."""
    return Response(words + "\n", status, content_type="text/plain; charset=utf-8")


_LEAVING = "leaving"
"""In the app's extensions: a byte that is not 0 once this host is about to stop."""


def register(app: Flask) -> None:
    """Answer `/readyz`, and `/healthz` without the database: its trouble restarts nobody."""
    app.extensions[_LEAVING] = mmap.mmap(-1, 1)  # shared with all processes forked from this one
    add_machine_page(app, "/healthz", lambda _asked: text_response("ok", 200))
    add_machine_page(app, "/readyz", _is_ready)


def leave(app: Flask) -> bool:
    """Have `/readyz` say that this host is about to stop; answers whether it did not before."""
    leaving = app.extensions[_LEAVING]
    is_first, leaving[0] = not leaving[0], 1
    return is_first


def _is_ready(_asked: Request) -> Response:
    reason = why_not_ready()
    return text_response(reason, 503) if reason else text_response("ok", 200)


def why_not_ready() -> str:
    """Why no device should be sent here; "" where one can be."""
    if current_app.extensions[_LEAVING][0]:
        return "This server is about to stop."
    try:
        with db.engine.connect() as connection:
            usable = is_usable(connection)
    except (SQLAlchemyError, OSError):
        return "The database does not answer."
    return "" if usable else "The database has another schema than this version needs."
