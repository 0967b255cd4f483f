"""Larger requests, for the one view that takes files; all others keep the app's small limit."""

from collections.abc import Callable
from typing import Any

from flask import Flask, current_app, request

from app.web.infrastructure.access import may


def register(app: Flask) -> None:
    """Set a request's limit before anybody reads its body: who may not send it keeps the small one.

    So a stranger's large file is neither read nor parsed.
    """

    @app.before_request
    def allow_size() -> None:
        view = current_app.view_functions.get(request.endpoint or "")
        most = getattr(view, "largest_request", None)
        if most is not None and may(view.role):  # type: ignore[union-attr]
            request.max_content_length = most


def takes_files(most: int) -> Callable[[Any], Any]:
    """Let a view take requests of so many bytes."""

    def mark(view: Any) -> Any:
        view.largest_request = most
        return view

    return mark
