"""A real server as a child process and real phones in a real browser."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.bad_network import BadNetwork
from tests.browser.at_the_table import GameOnPhone, let_in, settled
from tests.browser.phones import (
    ARGUMENTS,
    HOLDS_WHAT_GOES_BY_ITSELF,
    LIMIT,
    MOVING_PHONE,
    PHONE,
    serving,
)

SUPERSEDED = ("htmx:sendAbort", "htmx:afterRequest")
"""What htmx logs where a newer question ends an older one, as while cards are entered."""

CUT_OFF = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_FAILED",
    "ERR_EMPTY_RESPONSE",
    "ERR_CONNECTION_",
    "htmx:sendError",
)
"""What is logged where a test takes the network away."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder drives a browser; without one it is skipped, and that is said."""
    missing = pytest.mark.skip(reason="no browser: MELDKEEPER_BROWSER is not set")
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker("browser")
            if not os.environ.get("MELDKEEPER_BROWSER"):
                item.add_marker(missing)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the app, started as `make run` starts it."""
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["MELDKEEPER_BROWSER"], args=ARGUMENTS
        )
        yield browser
        browser.close()


def has_worker(request: pytest.FixtureRequest) -> bool:
    """Does a test ask for phones with the worker?"""
    return request.node.get_closest_marker("worker") is not None


@pytest.fixture
def new_phone(
    browser: Browser, server: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Makes phones: fresh browsers of 360x740 with touch; a fault in the console fails the test.

    A test that brings refusals about names their statuses: `@pytest.mark.provokes(409)`; one that
    takes the network away says so: `@pytest.mark.provokes(cut_off=True)`. Only where
    `@pytest.mark.worker` says so, phones have the worker, which takes a third of their time and
    has a say where pages are loaded. What moves does so only where `@pytest.mark.motion` says so.
    """
    kind = MOVING_PHONE if request.node.get_closest_marker("motion") else PHONE
    provoked = request.node.get_closest_marker("provokes") or pytest.mark.provokes().mark
    expected = SUPERSEDED + (CUT_OFF if provoked.kwargs.get("cut_off") else ())
    expected += ("htmx:historyCacheMissLoadError",) if provoked.args else ()
    expected += tuple(f"Response Status Error Code {status} from" for status in provoked.args)
    worker = {"service_workers": "allow" if has_worker(request) else "block"}
    contexts: list[BrowserContext] = []
    faults: list[str] = []
    refusals: set[int] = set()

    def heard(message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        if refused := re.search(r"the server responded with a status of (\d+)", message.text):
            refusals.add(int(refused[1]))
        elif not any(known in message.text for known in expected):
            faults.append(message.text)

    def make(**options: Any) -> Page:
        context = browser.new_context(**{"base_url": server, **kind, **worker, **options})
        contexts.append(context)
        context.add_init_script(HOLDS_WHAT_GOES_BY_ITSELF)
        page = context.new_page()
        page.set_default_timeout(LIMIT)
        # Where requests are watched only once a worker has its page, on a busy machine the next one
        # may pass a route by, and nothing tells of it.
        if has_worker(request):
            page.route("/watched-from-the-first-on", lambda route: route.fallback())
        page.on("console", heard)
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert (faults, refusals) == ([], set(provoked.args))


@pytest.fixture
def phone(new_phone: Callable[..., Page]) -> Page:
    return new_phone()


@pytest.fixture
def game(phone: Page, request: pytest.FixtureRequest) -> GameOnPhone:
    """Round 1 of a game of Aggravation Rummy."""
    game = GameOnPhone(settled(phone) if has_worker(request) else phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    return game


@pytest.fixture
def two(
    game: GameOnPhone, new_phone: Callable[..., Page], request: pytest.FixtureRequest
) -> tuple[GameOnPhone, GameOnPhone]:
    """Two phones that may score, in that game."""
    other = settled(new_phone()) if has_worker(request) else new_phone()
    let_in(game.page, other, "score")
    return game, GameOnPhone(other)


@pytest.fixture
def network(server: str) -> Iterator[BadNetwork]:
    """A way to the server on which nothing is lost until a test says so."""
    with BadNetwork(urlsplit(server).port or 0, "", rate=0.0) as network:
        yield network


@pytest.fixture
def phone_there(new_phone: Callable[..., Page], network: BadNetwork) -> Page:
    """A phone that reaches the server that way alone."""
    return new_phone(base_url=network.address)
