"""The one way from the web to the judge: what is asked is counted, and one hand searched at a time.

A question weighs the same wherever and however it is asked: on a page, by a form, over the
interface, to be recorded, or as an example of the rules. Who asks too much is answered 429. A hand
keeps a processor busy, so a process searches for one at a time. One more question about a hand
waits for a moment; who finds even that place taken, or waits in vain, is answered 503 and asks
again. Everything else (melds, contracts, taps, pages) never waits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from flask import g

from app.extensions import limiter

_HAND_COSTS = 10
"""The hand solver tries many ways where the other questions look at one."""
_PATIENCE = 0.3
"""How long, in seconds, a question about a hand waits for another."""

_search = BoundedSemaphore(1)
_places = BoundedSemaphore(2)
"""The hand that is searched, and one that waits: a thread that waits answers nobody else."""


class Busy(Exception):
    """Another hand is being searched; ask again after so many seconds."""

    seconds = 1


@contextmanager
def judging(*asked: str) -> Iterator[None]:
    """Ask the judge questions of these kinds inside. Raises `Busy`, or aborts with 429."""
    g.asked_weigh = sum(_HAND_COSTS if ask == "hand" else 1 for ask in asked)
    _count()
    if "hand" not in asked:
        yield
        return
    with _search_turn():
        yield


@limiter.shared_limit("1200/minute", scope="judging", cost=lambda: int(g.asked_weigh))
def _count() -> None:
    """Count what `judging` is asked, for the address that asks."""


@contextmanager
def _search_turn() -> Iterator[None]:
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        if not _search.acquire(timeout=_PATIENCE):
            raise Busy
        try:
            yield
        finally:
            _search.release()
    finally:
        _places.release()


def is_searching() -> bool:
    """Is a hand being searched in this process just now?"""
    free = _search.acquire(blocking=False)
    if free:
        _search.release()
    return not free
