"""Push, with PUSH_URL: who looks at a game hears of its changes and need not ask every second.

nginx with the module nchan holds a stream for each group, and a connection to it for each page that
shows a game. For one a page asks at `/games/<key>/stream?v=N`; who may see the game, and shows
no other version, is led on to the stream of its group (`X-Accel-Redirect`), so that nothing has to
be asked for as it opens. After each commit the engine is told which game has which version, and
nothing else of it: the page then asks the live check. Where somebody's access ends, the group's
stream ends, and each device asks anew for it.

A thread in each process tells the engine, so that no request waits for it or fails with it. What
waits is merged by game and bounded; pages ask every 20 seconds besides, so nothing depends on it.
"""

import logging
import threading
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from flask import Flask, current_app
from sqlalchemy import event
from sqlalchemy.orm import Session

from app.extensions import db
from app.store.announcements import Announcement, take_announcements
from app.store.queries.access import Permission

_LOG = logging.getLogger("meldkeeper.push")
_PUSH = "meldkeeper_push"
_MOST_WAITING = 1000
_PATIENCE = 2.0
_GATHERING = 0.03
"""Seconds in which changes gather: who made one is answered first, and need not ask for it."""
_PAUSE = 1.0
OUTCOMES = SENT, FAILED, DROPPED = "sent", "failed", "dropped"
"""What becomes of an announcement; one that failed is tried again."""


def register(app: Flask) -> None:
    """Announce what is committed, if there is an engine."""
    url: str = app.config["PUSH_URL"]
    app.extensions[_PUSH] = Announcer(url) if url else None
    app.jinja_env.globals["has_push"] = bool(url)


def announcer_of(app: Flask) -> "Announcer | None":
    """What tells the engine; None without one."""
    announcer: Announcer | None = app.extensions[_PUSH]
    return announcer


def stream_headers(permission: Permission, shown: int | None) -> dict[str, str]:
    """What leads a request on to the stream of a group, in the proxy.

    Nothing for a device that shows another version than the game has: it asks for it first.
    """
    if shown not in (None, permission.version):
        return {}
    return {"X-Accel-Redirect": f"/push/{permission.group}"}


@event.listens_for(db.session, "after_commit")
def _announce(session: Session) -> None:
    taken, announcer = take_announcements(session), announcer_of(current_app)
    if announcer:
        for one in taken:
            announcer.announce(one)


class EngineFault(Exception):
    """The engine cannot be told; says why."""


class Announcer:
    """Tells the engine at `url` what is announced, in the background."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=_PATIENCE)
        self._path = parts.path.rstrip("/")
        self._waiting: dict[tuple[int, str], int] = {}
        """What is to be told, by group and key: the newest version of a game, or by an empty key
        that the group's stream ends."""
        self._turn = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_telling = False
        self.observer: Callable[[str], None] = lambda _outcome: None

    def announce(self, one: Announcement) -> None:
        """Have it told as soon as may be; answers at once."""
        with self._turn:
            self._put(one)
            if self._thread is None:  # not before: processes part once the app is made
                self._thread = threading.Thread(target=self._work, name="push", daemon=True)
                self._thread.start()
            self._turn.notify()

    def finish(self) -> None:
        """Wait a moment until all is told: a command ends then, and the thread with it."""
        with self._turn:
            self._turn.wait_for(lambda: not self._waiting and not self._is_telling, _PATIENCE)

    def tell(self, one: Announcement) -> None:
        """Tell the engine now. Raises `EngineFault` where it cannot be told."""
        try:
            self._tell(one)
        finally:
            self._connection.close()

    def _tell(self, one: Announcement) -> None:
        method, body = ("POST", f"{one.game} {one.version}") if one.game else ("DELETE", None)
        try:
            self._connection.request(method, f"{self._path}/{one.group}", body)
            answer = self._connection.getresponse()
            answer.read()
        except (OSError, HTTPException) as fault:
            raise EngineFault(str(fault) or type(fault).__name__) from fault
        # There need be no stream to end.
        if answer.status // 100 != 2 and not (method == "DELETE" and answer.status == 404):
            raise EngineFault(f"it answers {answer.status}")

    def _put(self, one: Announcement) -> None:
        key = one.group, one.game
        self._waiting[key] = max(one.version, self._waiting.get(key, 0))
        if len(self._waiting) > _MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
            self.observer(DROPPED)

    def _take(self) -> Announcement:
        with self._turn:
            key = next(iter(self._waiting))
            return Announcement(*key, self._waiting.pop(key))

    def _work(self) -> None:
        fault: EngineFault | None = None
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._waiting)
                self._is_telling = True
            threading.Event().wait(_PAUSE if fault else _GATHERING)
            before, fault = fault, self._tell_all()
            with self._turn:
                self._is_telling = False
                self._turn.notify_all()
            if fault and not before:
                _LOG.warning("The push engine cannot be told: %s. Devices ask meanwhile.", fault)
            if before and not fault:
                _LOG.warning("The push engine is back.")

    def _tell_all(self) -> EngineFault | None:
        """Tell all that waits; answers why not, where the engine cannot be told."""
        try:
            while self._waiting:
                one = self._take()
                try:
                    self._tell(one)
                except EngineFault as fault:
                    with self._turn:
                        self._put(one)
                    self.observer(FAILED)
                    return fault
                self.observer(SENT)
        finally:
            self._connection.close()
        return None
