"""A real server as a child process and real phones in a real browser."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.phones import ARGUMENTS, LIMIT, PHONE, serving

# A refused form or a missing page is an answer, and a test may take the network away.
EXPECTED = (
    "status of 400",
    "status of 403",
    "status of 404",
    "status of 408",
    "status of 409",
    "status of 410",
    "status of 413",
    "status of 422",
    "status of 503",
    "status of 429",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_FAILED",
    "htmx:afterRequest",
    "htmx:sendError",
    "htmx:sendAbort",
    "htmx:oobErrorNoTarget",  # an answer about a contract that was removed while it was asked
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder drives a browser; without one it is skipped, and that is said."""
    missing = pytest.mark.skip(reason="no browser: MELDKEEPER_BROWSER is not set")
    for item in items:
        if Path(__file__).parent in item.path.parents:
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


@pytest.fixture
def new_phone(browser: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """Makes phones: fresh browsers of 360x740 with touch; a fault in the console fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(known in message.text for known in EXPECTED):
            faults.append(message.text)

    def make(**options: object) -> Page:
        context = browser.new_context(base_url=server, **{**PHONE, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LIMIT)
        page.on("console", heard)
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def phone(new_phone: Callable[..., Page]) -> Page:
    return new_phone()
