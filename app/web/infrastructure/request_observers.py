"""Every answer, told once to whoever logs or counts it, wherever in the app it was made."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, Response, g, request


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """An answer that was given: to which method, at an address of which pattern, and how.

    The pattern is empty where there is no such address; `size` is in bytes, None where unknown.
    """

    method: str
    address_pattern: str
    status: int
    seconds: float
    size: int | None


METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
OTHER_METHOD = "other"
"""Stands for all other methods: a stranger may invent as many as they like."""

Observer = Callable[[AnsweredRequest], None]
_OBSERVERS = "meldkeeper_observers"


def register(app: Flask) -> None:
    """Tell of each answer of a view; what answers in front of the app calls `notify` itself."""
    app.extensions[_OBSERVERS] = []

    @app.before_request
    def start_clock() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def notify_of_view(response: Response) -> Response:
        started: float = g.get("started", time.perf_counter())
        seconds = time.perf_counter() - started
        size, status = response.content_length, response.status_code
        method = request.method if request.method in METHODS else OTHER_METHOD
        notify(app, AnsweredRequest(method, address_pattern(), status, seconds, size))
        return response


def observe(app: Flask, observer: Observer) -> None:
    """Have every answer told to the observer."""
    app.extensions[_OBSERVERS].append(observer)


def notify(app: Flask, answered: AnsweredRequest) -> None:
    """Tell all observers of an answer."""
    for observer in app.extensions[_OBSERVERS]:
        observer(answered)


def address_pattern() -> str:
    """The pattern of the address that is asked for; empty where there is none such."""
    return request.url_rule.rule if request.url_rule else ""
