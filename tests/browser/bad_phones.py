"""A phone on a bad network: what it shows, what it says, and what of that waits."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from tests.bad_network import BadNetwork

READ = """(html) => {
  const page = html === null ? document : new DOMParser().parseFromString(html, "text/html");
  const shown = {};
  const marked = [];
  for (const row of page.querySelectorAll("li.row")) {
    const unsent = row.classList.contains("unsent");
    if (unsent) marked.push(row.id);
    if (unsent && row.querySelector("[name=out]:checked")) marked.push("out");
    for (const field of row.querySelectorAll("input[name]")) {
      if (field.type === "hidden") continue;
      const ticked = ["radio", "checkbox"].includes(field.type);
      const name = field.name === "out" ? "out" : field.name;
      shown[`${row.id} ${name}`] = ticked ? field.checked : field.value;
    }
  }
  if (page.querySelector("#nobody.unsent")) marked.push("out");
  return {
    shown, marked,
    round: page.querySelector("#round")?.getAttribute("action") ?? "over",
    is_old: html === null && !page.querySelector("#notice").hidden,
  };
}"""
OUTBOX = "() => JSON.parse(localStorage.getItem('meldkeeper-outbox') ?? '[]')"
CLICK = "(what) => { const one = document.querySelector(what); one?.click(); return Boolean(one); }"
SAY = """([what, name]) => {
  const one = document.querySelector(what);
  one?.click();
  const fields = [...document.querySelectorAll(`#round [name^="${name}"]`)];
  if (name === "out") return one && [fields.find((field) => field.checked).value];
  return one && fields.map((one) => String(one.type === "checkbox" ? one.checked : one.value));
}"""
TYPE = """([what, text]) => {
  const field = document.querySelector(what);
  if (!field || getComputedStyle(field).visibility !== "visible") return false;
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}"""


class Word(NamedTuple):
    """What a phone said: of which round, about what, and what of it."""

    round: str
    about: str
    text: str

    @classmethod
    def of(cls, round_: str, field: str, texts: list[str]) -> "Word":
        """What fields say together; points are said as a sum or as cards that are counted."""
        about = re.sub("-(typed|counted)$", "-points", field)
        return cls(round_, about, " ".join(texts))

    @classmethod
    def in_outbox(cls, entry: dict[str, Any]) -> "Word":
        """What an entry of the outbox says."""
        texts = list(entry["fields"].values())
        if entry["changed"].endswith("-met"):
            texts = ["true" if texts[0] else "false"]
        return cls.of(entry["address"].split("/")[-2], entry["changed"], texts)


UNSAID = {"met": "false", "buys": "0"}
"""What a table has of a field of which nothing was said."""


class ShownPage(Protocol):
    """What is done with a page, in whichever browser: as Playwright calls it."""

    @property
    def url(self) -> str: ...

    def evaluate(self, expression: str, arg: Any = None) -> Any: ...

    def goto(self, url: str) -> Any: ...


@dataclass
class PhoneOnBadNetwork:
    """One phone, its network, and what it said, in order, and which of it its person gave up."""

    page: ShownPage
    network: BadNetwork
    wait: Callable[[Callable[[], object], str], object]
    """Waits until something is so; says what where it never is."""
    loads: Callable[[str], str]
    """What the server has at a path for this phone, without a bad network in between."""
    words: list[Word] = field(default_factory=list)
    given_up: set[Word] = field(default_factory=set)

    def reads(self, html: str | None = None) -> dict[str, Any]:
        state: dict[str, Any] = self.page.evaluate(READ, html)
        return state

    @property
    def round(self) -> str:
        """The number of the open round that it shows; empty where it shows none."""
        address = self.reads()["round"]
        return "" if address == "over" else str(address).split("/")[-2]

    def outbox(self) -> list[dict[str, Any]]:
        waiting: list[dict[str, Any]] = self.page.evaluate(OUTBOX)
        return waiting

    def has_sent_all(self) -> bool:
        return not any(map(waits, self.outbox()))

    def clicks(self, what: str) -> bool:
        return bool(self.page.evaluate(CLICK, what))

    def says(self, what: str, field: str) -> bool:
        """Tap what changes a field, and remember what it says now."""
        of = self.round
        texts = self.page.evaluate(SAY, [what, field])
        if texts:
            self.words.append(Word.of(of, field, texts))
        return bool(texts)

    def wait_until_heard(self, field: str, state: str) -> None:
        """Wait until what was said of a field is sent, late or answered, as its network lets it."""

        def is_heard() -> bool:
            mine = [one for one in self.outbox() if one["changed"] == field and waits(one)]
            return all({"sent": "tried", "late": "late"}.get(state) in one for one in mine)

        if state == "late" or (state != "none" and not self.network.is_cut):
            self.wait(is_heard, f"{field} is {state}")


def waits(entry: dict[str, Any]) -> bool:
    """Has an entry of the outbox not been answered?"""
    return "answer" not in entry and "refused" not in entry
