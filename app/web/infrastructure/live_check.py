"""The question that devices ask most, answered before Flask wakes up: is this still the version?

A visible page of a game asks `/games/<key>/live?v=N` about once a second; mostly nothing has
changed. That answer, 204, costs one indexed select here. Whatever else the answer is (changed, not
let in, gone, to be noted as seen) is the view's, to which the request is passed on.
"""

import re
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from app.actions.groups import secret_hash
from app.extensions import db
from app.store.engine import asking_engine
from app.store.queries.access import known_device
from app.web.infrastructure.access import SEEN_LATELY, cookie_name
from app.web.infrastructure.assets import assets_version
from app.web.infrastructure.logs import AnsweredRequest, notify

Environment = dict[str, Any]
Start = Callable[..., Any]

ASKING_ENGINE = "meldkeeper_asking_engine"
"""In the app's `extensions`: what its live checks ask."""
_ADDRESS = re.compile(r"/games/([a-z0-9]{1,16})/live")
_PATTERN = "/games/<key>/live"
"""What the log and the measurements call it, as they call the view."""
_SEEN = re.compile(r"(?:^|&)v=([0-9]+)(?:&|$)")


def register(app: Flask) -> None:
    """Answer checks that find nothing new in front of the app."""
    inner = app.wsgi_app
    with app.app_context():
        engine = app.extensions[ASKING_ENGINE] = asking_engine(db.engine)
        cookie = re.compile(rf"(?:^|; ?){cookie_name()}=([\w-]+)")

    def is_unchanged(environment: Environment, key: str) -> bool:
        seen = _SEEN.search(environment.get("QUERY_STRING", ""))
        secret = cookie.search(environment.get("HTTP_COOKIE", ""))
        if seen is None or secret is None:
            return False
        with engine.connect() as connection:
            found = known_device(connection, secret_hash(secret[1]), key)
        permission = found[1] if found else None
        if permission is None or permission.seen_at is None or str(permission.version) != seen[1]:
            return False
        return datetime.now(UTC) - permission.seen_at < SEEN_LATELY

    def answer(environment: Environment, start: Start) -> Iterable[bytes]:
        asked = _ADDRESS.fullmatch(environment.get("PATH_INFO", ""))
        if asked is None or environment["REQUEST_METHOD"] != "GET":
            return inner(environment, start)
        began = time.perf_counter()
        try:
            unchanged = is_unchanged(environment, asked[1])
        except SQLAlchemyError:
            unchanged = False  # the view says what is wrong
        if not unchanged:
            return inner(environment, start)
        notify(app, AnsweredRequest("GET", _PATTERN, 204, time.perf_counter() - began, 0))
        # The version tells a page that the app was brought up to date meanwhile.
        start("204 NO CONTENT", [("Cache-Control", "no-store"), ("X-Version", assets_version())])
        return ()

    app.wsgi_app = answer  # type: ignore[method-assign,assignment]
