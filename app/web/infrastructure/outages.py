"""A database or a disk that fails is told once, and then by a count: not by each request.

While it is away every device asks on, and a traceback for each question would fill the disk. An
outage is over when nothing failed for `_OVER_AFTER` seconds; each process counts its own requests.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Flask

from app.web.infrastructure.logs import AnsweredRequest, observe

_LOG = logging.getLogger("meldkeeper.outages")
_OVER_AFTER = 10.0
_TOLD_EVERY = 60.0
_OUTAGE = "meldkeeper_outage"


def register(app: Flask) -> None:
    """Say of each outage when it is over, once something is asked again."""
    outage = app.extensions[_OUTAGE] = _Outage()
    observe(app, outage.note_answer)


def log_outage(app: Flask, error: Exception) -> None:
    """Tell of a request that failed for want of the database or the disk."""
    app.extensions[_OUTAGE].note_failure(error, time.monotonic())


def observe_failures(app: Flask, observer: Callable[[], None]) -> None:
    """Have the observer called for each request of which `log_outage` tells."""
    app.extensions[_OUTAGE].observer = observer


@dataclass
class _Outage:
    began: float = 0
    last: float = 0
    logged: float = 0
    failed: int = 0
    """Requests that failed since it began; 0 where there is none."""

    observer: Callable[[], None] = lambda: None
    turn: threading.Lock = field(default_factory=threading.Lock)

    def note_failure(self, error: Exception, now: float) -> None:
        self.observer()
        with self.turn:
            self._end_if_over(now)
            self.failed, self.last = self.failed + 1, now
            if self.failed == 1:
                self.began = self.logged = now
                _LOG.error("The database or the disk failed.", exc_info=error)
            elif now - self.logged > _TOLD_EVERY:
                self.logged = now
                self._tell(logging.ERROR, "The database or the disk still fails.")

    def note_answer(self, _answered: AnsweredRequest) -> None:
        """Tell the end of an outage, if it is over: any answer is an occasion to look."""
        if self.failed:
            with self.turn:
                self._end_if_over(time.monotonic())

    def _end_if_over(self, now: float) -> None:
        if self.failed and now - self.last > _OVER_AFTER:
            self._tell(logging.WARNING, "The database and the disk are back.")
            self.failed = 0

    def _tell(self, level: int, words: str) -> None:
        fields = {"failed_requests": self.failed, "seconds": round(self.last - self.began)}
        _LOG.log(level, words, extra={"fields": fields})
