"""A page looks the same whichever link led to it: its boxes are those of the page loaded anew.

`MELDKEEPER_EVERY_LINK=1` walks every link of every screen at each size; without it one link for
each two layouts that a link joins, the sizes in turn. One link for each two layouts is walked back
and forward too.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from itertools import cycle
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.every_screen import SCREENS, Evening, Screen, Who
from tests.browser.looking import boxes
from tests.browser.phones import LIMIT, PHONE

EVERY_LINK = "MELDKEEPER_EVERY_LINK" in os.environ

SIZES = ((360, 640), (844, 390), (1280, 800))
Size = tuple[int, int]

_LINK = re.compile(r"<a\s[^>]*>")
_HREF = re.compile(r'href="([^"]+)"')
_NOT_FOLLOWED = re.compile(r'hx-boost="false"|\sdownload|\starget=|class="skip"')
_SHELL = re.compile(r'<div id="shell" class="([^"]*)"')

# What lies over the page is folded up first, as by the tap beside it, unless the link is in it.
_UNFOLD = """(links) => {
  const over = [...document.querySelectorAll("[data-folds][open]")];
  for (const one of over) one.open = links.some((link) => one.contains(link));
  for (const link of links) {
    for (let fold; (fold = link.closest("details:not([open])"));) fold.open = true;
    if (link.checkVisibility({ visibilityProperty: true })) break;
  }
}"""
_BESIDE = """(link) => link.matches(".panes .game-card") && innerWidth >= 700"""
"""Where there is room, such a link opens beside its list (`test_at_a_glance` does that)."""

_MARK = "() => { document.querySelector('main').dataset.left = ''; }"


def layout_of(html: str) -> str | None:
    """By which classes a whole page is laid out; None where the text is no whole page."""
    shell = _SHELL.search(html)
    return " ".join(shell[1].split()) if shell else None


@dataclass
class Walker:
    """A browser that follows links, and what pages loaded anew look like in it."""

    page: Page
    fresh: Page
    anew: dict[tuple[str, Size], list[str]] = field(default_factory=dict)
    layouts: dict[str, str | None] = field(default_factory=dict)
    walked: int = 0
    unseen: int = 0
    there_and_back: set[tuple[str | None, str | None]] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)

    def leads_to(self, href: str) -> str | None:
        """The layout of the screen that an address leads to; None where it is no screen."""
        place = href.partition("#")[0]
        if place not in self.layouts:
            answer = self.page.request.get(place)
            is_page = "html" in answer.headers["content-type"]
            self.layouts[place] = layout_of(answer.text()) if is_page else None
        return self.layouts[place]

    def links(self, html: str, address: str) -> list[str]:
        """The addresses on this host to which the links of a page lead by htmx, each once."""
        tags = [tag for tag in _LINK.findall(html) if not _NOT_FOLLOWED.search(tag)]
        hrefs = [unescape(found[1]) for tag in tags if (found := _HREF.search(tag))]
        host = urlsplit(self.page.url).netloc
        here = [one for one in hrefs if urlsplit(urljoin(self.page.url, one)).netloc == host]
        return [one for one in dict.fromkeys(here) if not one.startswith("#") and one != address]

    def set_out(self, screen: Screen, evening: Evening, size: Size) -> None:
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        screen.open(self.page, evening)

    def follow(self, href: str, size: Size, layout: str | None) -> None:
        """Follow a link by a tap and come back.

        Where no other link joined the two layouts before, it goes forward and back once more, and
        looks each time.
        """
        start = self.page.url
        links = self.page.locator(f'a[href="{href}"]')
        links.evaluate_all(_UNFOLD)
        link = links.locator("visible=true").first
        if not link.count() or link.evaluate(_BESIDE):
            self.unseen += 1
            return
        self._come(link.tap, f"{href} from {start}", size)
        pair = layout, self.leads_to(href)
        if pair not in self.there_and_back:
            self.there_and_back.add(pair)
            end = self.page.url
            self._come(self.page.go_back, f"back to {start} from {end}", size)
            self._come(self.page.go_forward, f"forward to {end} from {start}", size)
        self._step(self.page.go_back)
        self.walked += 1

    def _come(self, step: Callable[[], object], way: str, size: Size) -> None:
        self._step(step)
        shown, anew = boxes(self.page), self._as_loaded(self.page.url, size)
        if shown != anew:
            other = [one for one in shown if one not in anew]
            self.differences.append(f"{size[0]}x{size[1]} {way}: {len(other)}, {other[:3]}")

    def _step(self, step: Callable[[], object]) -> None:
        self.page.evaluate(_MARK)
        step()
        self.page.locator("main:not([data-left])").wait_for(state="attached")

    def _as_loaded(self, address: str, size: Size) -> list[str]:
        if (address, size) not in self.anew:
            self.fresh.set_viewport_size({"width": size[0], "height": size[1]})
            self.fresh.goto("about:blank")  # else a fragment would load nothing
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
                reduced_motion="reduce",
                **PHONE,
            )
            self.evening.let_in(context, who)
            context.set_default_timeout(LIMIT)
            page = context.new_page()
            page.goto("/rules")
            self.by_who[who] = Walker(page, context.new_page())
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


def test_a_page_looks_the_same_whichever_link_led_to_it(walkers: Walkers) -> None:
    seen: set[tuple[str | None, str | None]] = set()
    sizes = cycle(SIZES)
    for screen in SCREENS:
        if screen.step is not None:
            continue
        walker = walkers[screen.who]
        address = screen.address.format_map(walkers.evening.places)
        html = walker.page.request.get(address).text()
        for href in walker.links(html, address):
            to = walker.leads_to(href)
            pair = (layout_of(html), to)
            if to is None or pair in seen:
                continue
            seen.add(pair)
            size = next(sizes)
            walker.set_out(screen, walkers.evening, size)
            walker.follow(href, size, layout_of(html))
    assert walkers.told() == []


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
        html = walker.page.content()
        for href in walker.links(html, walker.page.url):
            if walker.leads_to(href) is None:
                continue
            if screen.step is not None:
                walker.set_out(screen, walkers.evening, size)
            walker.follow(href, size, layout_of(html))
    assert walkers.told() == []
