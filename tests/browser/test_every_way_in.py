"""A page looks the same whichever link led to it: its boxes are those of the page loaded anew.

`MELDKEEPER_EVERY_LINK=1` walks every link of every screen at each size, and back and forward.
Without it that is one link for each two layouts that a link joins, the sizes in turn; back and
forward it goes to each layout once.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from typing import get_args
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.bad_network import BadNetwork
from tests.browser.at_the_table import GameOnPhone
from tests.browser.every_screen import SCREENS, Evening, Screen, Who
from tests.browser.links import (
    MARK,
    UNFOLD,
    html_at,
    layout_of,
    links_of,
    way_to,
    ways_from_home,
)
from tests.browser.looking import boxes
from tests.browser.phones import LIMIT, PHONE
from tests.servers import Http
from tests.waiting import wait_with_page

EVERY_LINK = "MELDKEEPER_EVERY_LINK" in os.environ

SIZES = ((360, 640), (844, 390), (1280, 800))
Size = tuple[int, int]

_BESIDE = """(link) => link.matches(".panes .game-card") && innerWidth >= 700"""
"""Where there is room, such a link opens beside its list (`test_at_a_glance` does that)."""


@dataclass
class Walker:
    """A browser that follows links, and what pages loaded anew look like in it."""

    page: Page
    fresh: Page
    http: Http
    anew: dict[tuple[str, Size], list[str]] = field(default_factory=dict)
    layouts: dict[str, str | None] = field(default_factory=dict)
    walked: int = 0
    unseen: int = 0
    differences: list[str] = field(default_factory=list)

    def leads_to(self, href: str) -> str | None:
        """The layout of the screen that an address leads to; None where it is no screen."""
        place = href.partition("#")[0]
        if place not in self.layouts:
            address = (
                urlsplit(urljoin(self.page.url, place))._replace(scheme="", netloc="").geturl()
            )
            self.layouts[place] = layout_of(html_at(self.http, address))
        return self.layouts[place]

    def set_out(self, screen: Screen, evening: Evening, size: Size) -> None:
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        screen.open(self.page, evening)

    def follow(self, href: str, size: Size, *, and_back: bool) -> None:
        """Follow a link by a tap; and come back, and go forward again."""
        start = self.page.url
        if and_back:
            self.anew[start, size] = boxes(self.page)
        links = self.page.locator(f'a[href="{href}"]')
        links.evaluate_all(UNFOLD)
        link = links.locator("visible=true").first
        if not link.count() or link.evaluate(_BESIDE):
            self.unseen += 1
            return
        self._come(link.tap, f"{href} from {start}", size)
        self.walked += 1
        if and_back:
            end = self.page.url
            self._come(self.page.go_back, f"back to {start} from {end}", size)
            self._come(self.page.go_forward, f"forward to {end} from {start}", size)

    def _come(self, step: Callable[[], object], way: str, size: Size) -> None:
        self._step(step)
        shown, anew = boxes(self.page), self._as_loaded(self.page.url, size)
        if shown != anew:  # what is said on it may have changed since it was loaded
            del self.anew[self.page.url, size]
            anew = self._as_loaded(self.page.url, size)
        if shown != anew:
            other = [one for one in shown if one not in anew]
            self.differences.append(f"{size[0]}x{size[1]} {way}: {len(other)}, {other[:3]}")

    def _step(self, step: Callable[[], object]) -> None:
        self.page.evaluate(MARK)
        step()
        self.page.locator("main:not([data-left])").wait_for(state="attached")
        self.page.wait_for_load_state()

    def _as_loaded(self, address: str, size: Size) -> list[str]:
        if (address, size) not in self.anew:
            self.fresh.set_viewport_size({"width": size[0], "height": size[1]})
            if "#" in address:  # which would load nothing where its page is open
                self.fresh.goto("about:blank")
            self.fresh.goto(address)
            self.anew[address, size] = boxes(self.fresh)
        return self.anew[address, size]


@dataclass
class Walkers:
    """A walker for each who: the host, a guest and a stranger."""

    browser: Browser
    evening: Evening
    by_who: dict[Who, Walker] = field(default_factory=dict)

    def __getitem__(self, who: Who) -> Walker:
        if who not in self.by_who:
            context = self.browser.new_context(
                base_url=self.evening.address,
                locale="en-GB",
                service_workers="block",
                **PHONE,
            )
            self.evening.let_in(context, who)
            context.set_default_timeout(LIMIT)
            page = context.new_page()
            page.goto("/rules")
            self.by_who[who] = Walker(page, context.new_page(), self.evening.client(who))
        return self.by_who[who]

    def told(self) -> list[str]:
        """Which pages differ; how many links were walked is printed."""
        found = [one for walker in self.by_who.values() for one in walker.differences]
        walked = sum(walker.walked for walker in self.by_who.values())
        unseen = sum(walker.unseen for walker in self.by_who.values())
        nowhere = f"{unseen} that lead nowhere at a size"
        print(f"{walked} links walked, {nowhere}, {len(found)} pages differ")
        return found


@pytest.fixture
def walkers(browser: Browser, server: str) -> Iterator[Walkers]:
    walkers = Walkers(browser, Evening.at(server))
    yield walkers
    for walker in walkers.by_who.values():
        walker.page.context.close()


FROM_OUTSIDE = {
    "evening": "named after its last game here, after its first in links",
    "removed-device": "shown after a device was removed",
    "join-link-in": "an invite that somebody sent",
    "join-link": "an invite that somebody sent",
    "shared": "a result that somebody sent",
    "offline": "shown where there is no network",
    "error-403": "refused",
    "error-404": "refused",
    "error-410": "refused",
}
"""Screens that no link of ours leads to, and why."""


def test_links_lead_from_home_to_every_screen(walkers: Walkers) -> None:
    evening = walkers.evening
    ways = {who: ways_from_home(evening.client(who), evening.address) for who in get_args(Who)}
    away = {
        screen.name
        for screen in SCREENS
        if way_to(ways[screen.who], screen.address.format_map(evening.places)) is None
    }
    assert away == set(FROM_OUTSIDE)


@pytest.mark.long
def test_a_page_looks_the_same_whichever_link_led_to_it(walkers: Walkers) -> None:
    joined: set[tuple[str | None, str | None]] = set()
    left: set[str | None] = set()
    reached: set[str | None] = set()
    sizes = cycle(SIZES)
    for screen in SCREENS:
        if screen.step is not None:
            continue
        walker = walkers[screen.who]
        address = screen.address.format_map(walkers.evening.places)
        html = html_at(walker.http, address)
        walker.layouts[address] = layout = layout_of(html)
        for href in links_of(html, address, walker.page.url):
            to = walker.leads_to(href)
            if to is None or (layout, to) in joined:
                continue
            joined.add((layout, to))
            size = next(sizes)
            walker.set_out(screen, walkers.evening, size)
            walker.follow(href, size, and_back=layout not in left or to not in reached)
            left.add(layout)
            reached.add(to)
    assert walkers.told() == []


@pytest.fixture
def far(new_phone: Callable[..., Page], network: BadNetwork) -> tuple[Page, BadNetwork]:
    """A phone without a worker in a game, and its network."""
    page = new_phone(base_url=network.address, service_workers="block")
    GameOnPhone(page).start("Frustration", "Anna Ben")
    return page, network


def tap_link(page: Page, href: str, shown: str) -> None:
    page.locator(f"{href}:visible").first.tap()
    expect(page.locator(shown).first).to_be_visible()


@pytest.mark.provokes(404)
def test_back_to_a_page_that_is_refused_says_so(far: tuple[Page, BadNetwork]) -> None:
    page, _network = far
    page.goto("/nowhere")
    tap_link(page, "a[href='/rules']", ".variant-name")
    page.go_back()
    expect(page.locator(".error-number")).to_have_text("404")


def test_back_across_an_update_joins_no_parts_of_two_versions(far: tuple[Page, BadNetwork]) -> None:
    page, network = far
    page.goto("/history")
    tap_link(page, "a[href='/rules']", ".variant-name")
    version = page.locator("meta[name=version]").get_attribute("content") or ""
    network.update = (version, "newer")
    page.go_back()
    expect(page.locator("meta[name=version][content=newer]")).to_have_count(1)
    expect(page.locator("#pane")).to_have_count(1)


@pytest.mark.provokes(cut_off=True)
def test_back_without_a_network_leaves_no_page_at_the_address_of_another(
    far: tuple[Page, BadNetwork],
) -> None:
    page, network = far
    page.goto("/history")
    tap_link(page, "a[href='/rules']", ".variant-name")
    network.is_cut = True
    page.go_back()
    expect(page.locator(".variant-name")).to_have_count(0)


def back_that_is_not_answered(page: Page) -> Route:
    """Walk on from History to two pages and tap Back; the answer waits until it is let go on."""
    page.goto("/history")
    tap_link(page, "a[href='/rules']", ".variant-name")
    tap_link(page, "a[href='/players']", ".person-name")
    held: list[Route] = []
    page.route("**/rules", lambda route: held.append(route))  # noqa: PLW0108 -- it marks the function
    page.evaluate("history.back()")
    wait_with_page(page, lambda: held)
    return held[0]


def test_back_twice_shows_the_page_that_was_gone_back_to_last(far: tuple[Page, BadNetwork]) -> None:
    page, _network = far
    held = back_that_is_not_answered(page)
    page.evaluate("history.back()")
    expect(page.locator("#pane")).to_have_count(1)
    held.continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#pane")).to_have_count(1)


def test_a_link_tapped_while_back_is_answered_leads_to_its_page(
    far: tuple[Page, BadNetwork],
) -> None:
    page, _network = far
    held = back_that_is_not_answered(page)
    tap_link(page, "a[href='/history']", "a[href='/history/records']")
    held.continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#pane")).to_have_count(1)


@pytest.mark.timeout(0)  # it is as long as there are links
@pytest.mark.skipif(not EVERY_LINK, reason="MELDKEEPER_EVERY_LINK is not set")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_link_of_every_screen_leads_to_the_page_as_it_is_loaded_anew(
    walkers: Walkers, size: Size
) -> None:
    for screen in SCREENS:
        walker = walkers[screen.who]
        if screen.step is not None:
            walker.anew.clear()  # what is done there may show elsewhere
        walker.set_out(screen, walkers.evening, size)
        for href in links_of(walker.page.content(), walker.page.url, walker.page.url):
            if walker.leads_to(href) is not None:
                walker.set_out(screen, walkers.evening, size)
                # Whoever comes to it often is taken to guess, and answered otherwise.
                walker.follow(href, size, and_back=screen.name != "error-410")
    assert walkers.told() == []
