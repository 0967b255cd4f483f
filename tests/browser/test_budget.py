"""What a first and a later visit cost a phone: bytes over the wire, requests, and layout shift."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.looking import shifts, still
from tests.browser.main_thread import bare_page, measure

MOST_BYTES_FIRST = 60_000
MOST_REQUESTS = 8
MOST_BYTES_LATER = 10_000


class Wire:
    """Counts what comes over the wire for a page, as the browser's own network panel does."""

    def __init__(self) -> None:
        self.bytes = 0
        self.addresses: list[str] = []
        self._answers: dict[str, tuple[str, bool]] = {}

    def answered(self, event) -> None:
        kept = event["response"].get("fromDiskCache") or event["response"].get("fromPrefetchCache")
        self._answers[event["requestId"]] = (event["response"]["url"], bool(kept))

    def kept(self, event) -> None:
        self._answers[event["requestId"]] = ("", True)

    def finished(self, event) -> None:
        address, kept = self._answers.get(event["requestId"], ("", True))
        if not kept and address.startswith("http"):
            self.bytes += int(event["encodedDataLength"])
            self.addresses.append(address)


@contextmanager
def measured(page: Page) -> Iterator[Wire]:
    wire, session = Wire(), page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.responseReceived", wire.answered)
    session.on("Network.requestServedFromCache", wire.kept)
    session.on("Network.loadingFinished", wire.finished)
    yield wire
    session.detach()


@pytest.fixture
def addresses(new_phone: Callable[..., Page]) -> dict[str, Any]:
    """The three screens of the budget; the game is one of five in its first round."""
    page = new_phone()
    page.goto("/games/new/aggravation-rummy")
    page.get_by_label("Add players").fill("Anna, Ben, Cleo, Dominique, Emil")
    page.get_by_role("button", name="Add", exact=True).tap()
    page.get_by_role("button", name="Start game").tap()
    page.get_by_role("heading", name="Round 1").wait_for()
    return {"home": "/", "game": page.url, "checker": "/check", "cookies": page.context.cookies()}


@pytest.mark.parametrize("screen", ["home", "game", "checker"])
def test_a_visit_stays_within_its_budget(
    new_phone: Callable[..., Page], addresses: dict[str, Any], screen: str
) -> None:
    # Without the worker: with it a later visit asks for the page alone, and out of sight.
    phone = new_phone(service_workers="block")
    phone.context.add_cookies(addresses["cookies"])
    with measured(phone) as first:
        phone.goto(addresses[screen], wait_until="load")
        still(phone)
        shifted = shifts(phone)
    print(f"{screen}: first visit {first.bytes} bytes in {len(first.addresses)} requests")
    assert first.bytes <= MOST_BYTES_FIRST
    assert len(first.addresses) <= MOST_REQUESTS, first.addresses
    assert shifted == []
    with measured(phone) as later:
        phone.goto(addresses[screen], wait_until="load")
        still(phone)
    print(f"{screen}: later visit {later.bytes} bytes in {len(later.addresses)} requests")
    assert later.bytes <= MOST_BYTES_LATER


def test_the_main_thread_of_our_scripts_is_told_from_that_of_the_page(
    browser: Browser, server: str
) -> None:
    with bare_page() as address:
        bare = measure(browser, address)
    home = measure(browser, server)
    assert bare.scripts == 0 < bare.all
    assert 0 < home.scripts < home.all
