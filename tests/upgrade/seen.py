"""What people and programs see of a group, read from its pages and its interface alone.

Version 1.0.0 was read by this module, too; so it knows marks of pages that both versions have, and
nothing of tables or code.
"""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "use", "wbr"}
BLOCKS = {"div", "p", "li", "tr", "th", "td", "dt", "dd", "h1", "h2", "h3", "span", "a", "b"}

Get = Callable[[str], str]
"""Asks for an address and answers the page, in the reader's language."""


class _Texts(HTMLParser):
    """The texts of the elements that are wanted, as `tag` or `tag.class`; outermost ones only."""

    def __init__(self, wanted: tuple[str, ...]) -> None:
        super().__init__()
        self._wanted, self._open, self._inside = wanted, 0, 0
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        self._open += 1
        names = {tag, *(f"{tag}.{name}" for name in (dict(attrs).get("class") or "").split())}
        if self._inside:
            self.found[-1] += " " if tag in BLOCKS else ""
        elif names & set(self._wanted):
            self._inside = self._open
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if self._inside == self._open:
            self._inside = 0
        self._open -= 1

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] += data


def texts(page: str, *wanted: str) -> list[str]:
    """The texts of elements of a page, blanks made one."""
    reader = _Texts(wanted)
    reader.feed(page)
    return [" ".join(text.split()) for text in reader.found]


_WHICH_UNDONE = re.compile(r"^(An earlier change undone|Un changement précédent est annulé) ?: .*")
"""1.0.0 did not say which, nor mark that one."""


def activity(get: Get, key: str) -> list[dict[str, Any]]:
    """Every change that the activity of a game shows, newest first."""
    found, address = [], f"/games/{key}/activity"
    while address:
        page = get(address)
        for part in re.split(r'<li class="card log-entry(?: undone)?">', page)[1:]:
            entry = part.split("</li>")[0]
            said = texts(entry, "p.small")
            undo = re.search(r"/(\d+)/undo", entry)
            found.append(
                {
                    "head": re.sub(r" · (?:undone|annulé)$", "", said[0]),
                    "lines": [_WHICH_UNDONE.sub(r"\1", one) for one in texts(entry, "p.sentence")],
                    "reason": said[1:],
                    "undo": int(undo[1]) if undo else None,
                }
            )
        older = re.search(r'href="[^"]*(\?until=\d+)"', page)
        address = f"/games/{key}/activity{older[1]}" if older else ""
    return found


def record(get: Get, key: str) -> list[str]:
    """The record of a game: its result, each row of its rounds, corrections, rulings, rules."""
    return texts(
        get(f"/games/{key}/rounds"),
        "section.result",
        "li.standing",
        "summary.standing",
        "div.standing",
        "tr",
        "div.dispute",
        "p.dispute",
    )


def players(get: Get) -> dict[str, str]:
    """The addresses of the players' pages by their names."""
    page = get("/players")
    addresses = re.findall(r'person-card" href="(/players/\d+)"', page)
    return dict(zip(texts(page, "span.person-name"), addresses, strict=True))


def figures(get: Get, address: str) -> list[str]:
    """The statistics on a page: of a player, or of the group; per cents in one spelling."""
    main = get(address).split("<main", 1)[1].replace(" %", "%")
    return texts(main, "div.tile", "tr", "li.rival", "a.record-card")


def history(get: Get) -> list[str]:
    """Every game as the history lists it."""
    found, address = [], "/history"
    while address:
        page = get(address)
        found += texts(page, "a.game-card")
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = older[1].replace("&amp;", "&") if older else ""
    return found


def interface(get: Get, key: str) -> dict[str, Any]:
    """What programs are told of a game and its rounds."""
    return {
        "game": json.loads(get(f"/api/v1/games/{key}")),
        "rounds": json.loads(get(f"/api/v1/games/{key}/rounds")),
    }
