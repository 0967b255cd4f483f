"""The links of pages: where they lead, to which layout, and how they come into view."""

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

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
