"""How often one address may ask for what could be guessed, and for what costs the server much.

Of new groups it is also counted how many all make together.

Generous, since a whole club may come in by one address: who plays never meets them. Who does is
answered 429. The counts are kept where `RATE_LIMIT_STORAGE` says.

Whoever asks the judge does it through `judging`: a question weighs the same wherever and however it
is asked: on a page, by a form, over the interface, to be recorded, or as an example of the rules. A
page that looks for rulings counts once more for each on a question like it that this process has
not judged yet, and once where it tries the house rules that rulings changed. A hand
keeps a processor busy, so a process searches for one at a time. One more question about a hand
waits for a moment; who finds even that place taken, or waits in vain, is answered 503 and asks
again. Everything else (melds, contracts, taps, pages) never waits, but for a page of questions and
answers whose examples of hands are not remembered yet.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from flask import current_app

from app.extensions import limiter
from app.web.infrastructure.asker import asker

limits_guesses = limiter.shared_limit(
    "10/minute;60/hour",
    scope="joining",
    deduct_when=lambda answer: answer.status_code in (410, 422),
)
"""Links and codes; only what is wrong counts."""

limits_documents = limiter.shared_limit("30/hour", scope="documents")
"""A group's whole past, imported or exported."""

limits_new_groups_of_all = limiter.shared_limit(
    lambda: f"{current_app.config['NEW_GROUPS_PER_HOUR']}/hour",
    scope="new groups",
    key_func=lambda: "everybody",
)
limits_new_groups_of_one = limiter.shared_limit(
    lambda: f"{max(1, current_app.config['NEW_GROUPS_PER_HOUR'] // 10)}/hour",
    scope="new groups of one address",
)
"""Groups that are made on pages: by one address, and by all together."""


_HAND_COSTS = 10
"""The hand solver tries far more ways than any other question needs."""
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
    asker.question_weight = sum(_HAND_COSTS if ask == "hand" else 1 for ask in asked)
    _count()
    if "hand" not in asked:
        yield
        return
    with _search_turn():
        yield


@limiter.shared_limit("1200/minute", scope="judging", cost=lambda: asker.question_weight)
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
