"""The question that devices ask most, answered before Flask wakes up: is this still the version?

The visible page of a game asks `/games/<key>/live?v=N` (how often: `static/js/live.js`); mostly
nothing has changed. That answer, 204, costs one indexed select here. Whatever else the answer is
(changed, not let in, gone, in another role, to be noted as seen, or for a game that is over, whose
players may be at the next one) is the view's, to which the request is passed on. Many pages ask for
`/games/<key>/stream` together when the engine of `push.py` is back, so that is answered here as
well: 204 with the way to the stream, or without it for a page that shows another version.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from app.actions.groups import Role, is_enough, secret_hash
from app.store.queries.access import Permission, known_device
from app.web.infrastructure.access import (
    ASKING_ENGINE,
    FOUND_DEVICE,
    SEEN_LATELY,
    FoundDevice,
    cookie_name,
)
from app.web.infrastructure.assets import assets_version
from app.web.infrastructure.forms import whole_number
from app.web.infrastructure.logs import AnsweredRequest, notify
from app.web.infrastructure.push import stream_headers

Environment = dict[str, Any]
Start = Callable[..., Any]

_ADDRESS = re.compile(r"/games/([a-z0-9]{1,16})/(live|stream)")
_PATTERN = "/games/<key>/%s"
"""What the log and the measurements call it, as they call the view."""


def is_for_another_role(query: Mapping[str, str], permission: Permission) -> bool:
    """Was the page that asks made to score, and its device can only watch, or the reverse?"""
    can = query.get("can")
    return bool(can) and (can == "score") != is_enough(permission.role, Role.SCORE)


def register(app: Flask) -> None:
    """Answer in front of the app what needs no view: most checks, most questions for a stream."""
    inner = app.wsgi_app
    with app.app_context():
        cookie = re.compile(rf"(?:^|; ?){cookie_name()}=([\w-]+)")
        engine: Engine = app.extensions[ASKING_ENGINE]

    def quick_headers(environment: Environment, key: str, what: str) -> Mapping[str, str] | None:
        """The headers of the 204 that answers it; None where the view has to."""
        secret = cookie.search(environment.get("HTTP_COOKIE", ""))
        if secret is None or (what == "stream" and not app.config["PUSH_URL"]):
            return None
        sender = secret_hash(secret[1])
        with engine.connect() as connection:
            found = known_device(connection, sender, key)
        environment[FOUND_DEVICE] = FoundDevice((sender, key), found)
        permission = found[1] if found else None
        query = dict(parse_qsl(environment.get("QUERY_STRING", "")))
        # Of a game that is over it may be asked whether its players wait at the next one.
        if permission is None or "waits" in query or is_for_another_role(query, permission):
            return None
        if permission.seen_at is None or datetime.now(UTC) - permission.seen_at >= SEEN_LATELY:
            return None
        shown = whole_number(query.get("v"))
        if what == "stream":
            return stream_headers(permission, shown)
        return {} if shown == permission.version else None

    def answer(environment: Environment, start: Start) -> Iterable[bytes]:
        asked = _ADDRESS.fullmatch(environment.get("PATH_INFO", ""))
        if asked is None or environment["REQUEST_METHOD"] != "GET":
            return inner(environment, start)
        began = time.perf_counter()
        try:
            headers = quick_headers(environment, *asked.groups())
        except SQLAlchemyError:
            headers = None  # the view says what is wrong
        if headers is None:
            return inner(environment, start)
        seconds = time.perf_counter() - began
        notify(app, AnsweredRequest("GET", _PATTERN % asked[2], 204, seconds, 0))
        # The app's version, not the game's: by it a page notices an update.
        sent = {"Cache-Control": "no-store", "X-Version": assets_version(), **headers}
        start("204 NO CONTENT", list(sent.items()))
        return ()

    app.wsgi_app = answer  # type: ignore[method-assign,assignment]
