"""The links of pages: where they lead, to which layout, and how they come into view."""

import re
from collections import deque
from collections.abc import Mapping
from html import unescape
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Page

from tests.servers import Http

_LINK = re.compile(r"<a\s[^>]*>")
_HREF = re.compile(r'href="([^"]+)"')
_NOT_FOLLOWED = re.compile(r'hx-boost="false"|\sdownload|\starget=|class="skip"')
_SHELL = re.compile(r'<div id="shell" class="([^"]*)"')

UNFOLD = """(links) => {
  const over = [...document.querySelectorAll("[data-folds][open]")];
  for (const one of over) one.open = links.some((link) => one.contains(link));
  for (const link of links) {
    for (let fold; (fold = link.closest("details:not([open])"));) fold.open = true;
    if (link.checkVisibility({ visibilityProperty: true })) break;
  }
}"""
"""What lies over the page is folded up, as by the tap beside it, unless a link is in it."""


MARK = "() => { document.querySelector('main').dataset.left = ''; }"
"""So that it is seen when another page has come."""


def layout_of(html: str) -> str | None:
    """By which classes a whole page is laid out; None where the text is no whole page."""
    shell = _SHELL.search(html)
    return " ".join(shell[1].split()) if shell else None


def html_at(http: Http, address: str) -> str:
    """What is answered to that address."""
    while location := (answer := http.get(address)).location:
        address = urljoin(address, location)
    return answer.body.decode(errors="replace")


def links_of(html: str, address: str, here: str) -> list[str]:
    """The addresses on the host of `here` to which a page leads by htmx, each once."""
    tags = [tag for tag in _LINK.findall(html) if not _NOT_FOLLOWED.search(tag)]
    hrefs = [unescape(found[1]) for tag in tags if (found := _HREF.search(tag))]
    host = urlsplit(here).netloc
    hrefs = [one for one in hrefs if urlsplit(urljoin(here, one)).netloc == host]
    return [one for one in dict.fromkeys(hrefs) if not one.startswith("#") and one != address]


Ways = Mapping[str, tuple[str, ...]]
"""By which links, each on the page before, one comes from Home to an address."""


def ways_from_home(http: Http, host: str) -> Ways:
    """The shortest way to every address that a browser of `host` is led to.

    Of the pages of one path, which differ by what is asked of them, the first alone leads on.
    """
    ways: dict[str, tuple[str, ...]] = {"/": ()}
    paths, waiting = {"/"}, deque(["/"])
    while waiting:
        here = waiting.popleft()
        for href in links_of(html_at(http, here), here, urljoin(host, here)):
            place = urlsplit(urljoin(here, href))
            address = place._replace(scheme="", netloc="", fragment="").geturl()
            if address in ways:
                continue
            ways[address] = (*ways[here], href)
            if place.path not in paths:
                paths.add(place.path)
                waiting.append(address)
    return ways


def way_to(ways: Ways, address: str) -> tuple[str, ...] | None:
    """The way to an address, or to its path where the rest is typed or chosen there."""
    path = address.partition("?")[0]
    near = (way for place, way in ways.items() if place.partition("?")[0] == path)
    return ways.get(address, next(near, None))


def go_by_taps(page: Page, address: str, ways: Ways) -> None:
    """Come to an address from Home by taps on links, and type it where they do not lead there."""
    page.goto("/")
    for href in way_to(ways, address) or ():
        links = page.locator(f'a[href="{href}"]')
        links.evaluate_all(UNFOLD)
        page.evaluate(MARK)
        links.locator("visible=true").first.tap()
        page.locator("main:not([data-left])").wait_for(state="attached")
        page.wait_for_load_state()
    if not page.url.partition("#")[0].endswith(address):
        page.goto(address)
