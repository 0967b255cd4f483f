"""Pages for what watches over the app, answered in front of it.

They set no cookies, are answered under whatever host name they are asked, since they link to
nothing, and are not logged, since a proxy asks each second.
"""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from werkzeug.wrappers import Request, Response


def add_machine_page(app: Flask, address: str, answer: Callable[[Request], Response]) -> None:
    """Answer GET and HEAD at an address; call it after all that stands in front of the app."""
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
