"""Waiting for a state: the one place of the tests that sleeps.

A limit is for what never happens, not for what is slow, so it is minutes: a busy
machine is no fault.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 300.0
"""Seconds until something is taken never to happen."""

_PAUSE = 0.05

Found = TypeVar("Found")


class NeverHappenedError(AssertionError):
    """What was waited for did not happen; says what it was."""


def wait_until(
    condition: Callable[[], Found],
    what: object = "",
    *,
    patience: float = PATIENCE,
    pause: float = _PAUSE,
    rest: Callable[[float], object] = time.sleep,
) -> Found:
    """Ask until the answer is true, and return it; between two questions `rest` takes a pause."""
    deadline = time.monotonic() + patience
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise NeverHappenedError(f"never happened: {what or condition}")
        rest(pause)
    return found


def wait_with_page(
    page: "Page",
    condition: Callable[[], Found],
    what: object = "",
    *,
    patience: float = PATIENCE,
) -> Found:
    """Ask until the answer is true, while the page goes on with what it does."""

    def rest(seconds: float) -> None:
        page.wait_for_timeout(1000 * seconds)

    return wait_until(condition, what, patience=patience, rest=rest)


def wait_on_page(page: "Page", script: str, argument: object = None) -> object:
    """Ask a page until its answer is true; its content policy lets only a test do that."""
    return wait_with_page(page, lambda: page.evaluate(script, argument), f"{script} for {argument}")
