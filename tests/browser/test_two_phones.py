"""Two phones through networks that lose, delay, double and reorder, by a seed.

After each step it is held that what a phone shows is what the server has or is marked as the
phone's own, and at the end that of what a phone said the later word won and nothing was lost.
`MELDKEEPER_NETWORKS=40 MELDKEEPER_STEPS=60` draws many long evenings; `-s` prints what they drew.
"""

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bad_network import BadNetwork
from tests.browser.at_the_table import GameOnPhone
from tests.browser.phones import PHONE, serving
from tests.waiting import wait_with_page

SEEDS = int(os.environ.get("MELDKEEPER_NETWORKS", "2"))
STEPS = int(os.environ.get("MELDKEEPER_STEPS", "10"))
FIRST = int(os.environ.get("MELDKEEPER_FIRST_NETWORK", "1"))

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
TYPE = """([what, text]) => {
  const field = document.querySelector(what);
  if (!field || getComputedStyle(field).visibility !== "visible") return false;
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}"""


@dataclass
class Said:
    """What a phone said of a field, in order, and which of it a person gave up."""

    words: list[tuple[str, str]] = field(default_factory=list)
    given_up: set[str] = field(default_factory=set)


@dataclass
class PhoneOnBadNetwork:
    """One phone, its network, and what it said."""

    page: Page
    network: BadNetwork
    said: Said = field(default_factory=Said)

    def reads(self, html: str | None = None) -> dict[str, Any]:
        state: dict[str, Any] = self.page.evaluate(READ, html)
        return state

    def outbox(self) -> list[dict[str, Any]]:
        waiting: list[dict[str, Any]] = self.page.evaluate(OUTBOX)
        return waiting

    def has_sent_all(self) -> bool:
        return all("answer" in one or "refused" in one for one in self.outbox())

    def clicks(self, what: str) -> bool:
        return bool(self.page.evaluate(CLICK, what))


@dataclass
class Evening:
    """A game on two phones; `server` is its address without a bad network in between."""

    server: str
    database: Path
    phones: list[PhoneOnBadNetwork]
    random: Random
    points: Iterator[int]
    done: Counter[str] = field(default_factory=Counter)

    def step(self) -> str:
        phone = self.random.choice(self.phones)
        asked = phone.page.locator("[data-unsent]").count()
        choices: list[tuple[int, Callable[[PhoneOnBadNetwork], bool]]] = [
            (10, self.types), (3, self.types_twice), (4, self.lays_down), (3, self.goes_out),
            (2, self.counts), (2, self.buys), (1, self.not_counted), (3, self.ends),
            (1, self.reopens), (1, self.voids), (2, self.changes_network),
            (8 if asked else 0, self.answers),
        ]  # fmt: skip
        weights, actions = zip(*choices, strict=True)
        action = self.random.choices(actions, weights)[0]
        if action(phone):
            self.done[action.__name__] += 1
        return action.__name__

    def seat(self, phone: PhoneOnBadNetwork) -> str:
        seats = phone.page.locator("li.row").evaluate_all("all => all.map(one => one.id.slice(4))")
        return str(self.random.choice(seats)) if seats else ""

    def types(self, phone: PhoneOnBadNetwork) -> bool:
        return self._types(phone, self.seat(phone))

    def types_twice(self, phone: PhoneOnBadNetwork) -> bool:
        seat = self.seat(phone)
        if not self._types(phone, seat):
            return False
        return self._types(phone, seat)

    def _types(self, phone: PhoneOnBadNetwork, seat: str) -> bool:
        points = str(5 * next(self.points))
        of = phone.reads()["round"]
        if not seat or not phone.page.evaluate(TYPE, [f"#typed-{seat}", points]):
            return False
        phone.said.words.append((f"{of} {seat}", points))
        return True

    def lays_down(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks(f"#met-{self.seat(phone) or 0}")

    def goes_out(self, phone: PhoneOnBadNetwork) -> bool:
        who = self.random.choice((self.seat(phone) or "nobody", "nobody"))
        return phone.clicks(f"#out-{who}:not(:checked)")

    def counts(self, phone: PhoneOnBadNetwork) -> bool:
        seat, of = self.seat(phone), phone.reads()["round"]
        if not seat or not phone.clicks(f"#row-{seat} .counting [data-step='1']"):
            return False
        phone.said.words.append((f"{of} {seat}", "counted"))
        return True

    def buys(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks(f"#row-{self.seat(phone) or 0} .row-buys [data-step]")

    def not_counted(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks("[name$='-not_counted']")

    def ends(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks("#close-round")

    def reopens(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks("#bar form button")

    def voids(self, phone: PhoneOnBadNetwork) -> bool:
        """At the server itself, as a third phone would."""
        of = phone.reads()["round"].removesuffix("/close")
        if of == "over":
            return False
        token = phone.page.locator("meta[name=csrf-token]").get_attribute("content") or ""
        headers = {"X-CSRFToken": token}
        request = phone.page.context.request
        answer = request.post(
            f"{self.server}{of.replace('/rounds/', '/dealing/')}/void",
            headers=headers, form={"passed_on": "no"}, max_redirects=0,
        )  # fmt: skip
        return answer.status == 303

    def changes_network(self, phone: PhoneOnBadNetwork) -> bool:
        phone.network.is_cut = not phone.network.is_cut
        return True

    def answers(self, phone: PhoneOnBadNetwork) -> bool:
        """Keep theirs, use mine, or dismiss."""
        choice = self.random.choice(("drop", "send"))
        key = phone.page.evaluate(
            """(choice) => {
              const button = document.querySelector(`[data-unsent=${choice}]`);
              const key = button?.closest("[data-keys]").dataset.keys;
              const kept = JSON.parse(localStorage["meldkeeper-outbox"] ?? "[]");
              button?.click();
              return kept.find((one) => one.key === key) ?? null;
            }""",
            choice,
        )
        if key is None:
            return False
        for name, text in key["fields"].items():
            if not name.endswith("-typed"):
                continue
            if choice == "drop":
                phone.said.given_up.add(text)
            else:
                of = key["address"].removesuffix("/row") + "/close"
                phone.said.words.append((f"{of} {name.removesuffix('-typed')}", text))
        return True

    # What holds

    def differences(self, phone: PhoneOnBadNetwork, *, exact: bool = False) -> dict[str, Any]:
        """What a phone shows that the server has not, without a mark."""
        path = urlsplit(phone.page.url).path
        html = phone.page.context.request.get(self.server + path).text()
        has, shows = phone.reads(html), phone.reads()
        if shows["is_old"]:
            return {"offline": True} if exact else {}
        if has["round"] != shows["round"]:
            return {"round": (has["round"], shows["round"])}
        marked = shows["marked"]
        unmarked = [
            name
            for name in shows["shown"]
            # Who went out is said once for all rows.
            if not ("out" in marked if name.endswith(" out") else name.split()[0] in marked)
        ]
        return {
            name: (has["shown"].get(name), shows["shown"][name])
            for name in unmarked
            # A field that is offered after a refusal, and empty, says nothing.
            if (has["shown"].get(name) or "") != (shows["shown"][name] or "")
        }

    def hold_what_is_shown(self, *, exact: bool = False) -> None:
        for phone in self.phones:
            found: list[dict[str, Any]] = []

            def is_right(phone: PhoneOnBadNetwork = phone, found: Any = found) -> bool:
                found[:] = [self.differences(phone, exact=exact)]
                return not found[0]

            try:
                wait_with_page(phone.page, is_right)
            except AssertionError:
                raise AssertionError(f"shown and not had, unmarked: {found}") from None

    def hold_what_was_said(self) -> None:
        logged = self.typed_in_log()
        for phone in self.phones:
            unsettled = {
                text for one in phone.outbox() for text in one["fields"].values()
            } | phone.said.given_up
            fields = {where for where, _text in phone.said.words}
            for where in fields:
                said = [text for at, text in phone.said.words if at == where]
                taken = [text for text in logged if text in said]
                rest = iter(said)
                assert all(text in rest for text in taken), f"{where}: said {said}, taken {taken}"
                last = said[-1]
                assert last in (*taken, *unsettled, "counted"), f"{where}: {last} of {said} is lost"

    def typed_in_log(self) -> list[str]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                "select json_extract(after, '$.typed') from log join games on games.id = game_id"
                " where kind = 'row' and key = ? order by log.id",
                [urlsplit(self.phones[0].page.url).path.split("/")[2]],
            )
            return [typed for (typed,) in rows if typed]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("two-phones")
    with serving(folder) as address:
        yield address, folder / "meldkeeper.sqlite"


def begin(browser: Browser, served: tuple[str, Path], seed: int, stack: ExitStack) -> Evening:
    server, database = served
    phones = []
    for name in ("host", "far"):
        network = stack.enter_context(BadNetwork(urlsplit(server).port or 0, f"{seed} {name}"))
        context = browser.new_context(base_url=network.address, **PHONE)
        stack.callback(context.close)
        phones.append(PhoneOnBadNetwork(context.new_page(), network))
    host, far = (phone.page for phone in phones)
    host.on("dialog", lambda asked: asked.accept())
    GameOnPhone(host).start("Shanghai Rummy", "Anna Ben Cleo")
    game = urlsplit(host.url).path
    host.goto("/group/invite")
    host.get_by_role("button", name="Score").tap()
    code = host.locator(".code").inner_text()
    far.goto("/join")
    far.get_by_label("Code").fill(code)
    far.get_by_role("button", name="Join").tap()
    far.wait_for_url("**/games/*")
    host.goto(game)
    return Evening(server, database, phones, Random(f"{seed}"), count(200))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_what_phones_show_is_had_or_marked_and_the_later_word_wins(
    browser: Browser, served: tuple[str, Path], seed: int, record_property: Callable[..., None]
) -> None:
    with ExitStack() as stack:
        evening = begin(browser, served, seed, stack)
        drawn = []
        try:
            for _ in range(STEPS):
                drawn.append(evening.step())
                evening.hold_what_is_shown()
            for phone in evening.phones:
                phone.network.heal()
            for phone in evening.phones:
                wait_with_page(phone.page, phone.has_sent_all, "everything is sent")
            evening.hold_what_is_shown(exact=True)
            evening.hold_what_was_said()
        except AssertionError as fault:
            raise AssertionError(f"seed {seed}, after {drawn}: {fault}") from fault
        suffered = sum((phone.network.suffered for phone in evening.phones), Counter[str]())
        print(f"seed {seed}: {dict(evening.done)}; network: {dict(suffered)}")
        expect(evening.phones[0].page.locator("#game")).to_have_count(1)
