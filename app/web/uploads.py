"""Larger requests, for the one view that takes files; all others keep the app's small limit."""

from collections.abc import Callable
from typing import Any

from flask import Flask, current_app, request

from app.web.access import cookie_name


def register(app: Flask) -> None:
    """Set a request's limit before anybody reads its form; strangers keep the small one."""

    @app.url_value_preprocessor
    def allow_size(endpoint: str | None, _values: dict[str, Any] | None) -> None:
        view = current_app.view_functions.get(endpoint or "")
        most = getattr(view, "largest_request", None)
        if most is not None and request.cookies.get(cookie_name()):
            request.max_content_length = most


def takes_files(most: int) -> Callable[[Any], Any]:
    """Let a view take requests of so many bytes."""

    def mark(view: Any) -> Any:
        view.largest_request = most
        return view

    return mark
