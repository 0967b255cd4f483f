"""An evening of two phones on bad networks: what they do, drawn, and what holds at each step.

What a phone shows is what the server has or is marked as the phone's own, and at the end of what a
phone said the later word won and nothing was lost.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from tests.browser.bad_phones import TYPE, UNSAID, PhoneOnBadNetwork, Word

SEATS = "() => [...document.querySelectorAll('li.row')].map((one) => one.id.slice(4))"
ANSWERED = """() => [...document.querySelectorAll("#game, .refusal, #notice:not([hidden])")]
  .some((one) => one.checkVisibility())"""


@dataclass
class Evening:
    """A game on two phones, and the database that keeps it."""

    database: Path
    phones: list[PhoneOnBadNetwork]
    random: Random
    points: Iterator[int] = field(default_factory=lambda: count(200))
    done: Counter[str] = field(default_factory=Counter)

    def step(self) -> str:
        phone = self.random.choice(self.phones)
        asked = phone.page.evaluate("() => Boolean(document.querySelector('[data-unsent]'))")
        choices: list[tuple[int, Callable[[PhoneOnBadNetwork], bool]]] = [
            (10, self.types), (3, self.types_twice), (4, self.lays_down), (3, self.goes_out),
            (2, self.counts), (2, self.buys), (1, self.not_counted), (3, self.ends),
            (1, self.reopens), (1, self.voids), (2, self.changes_network), (3, self.disagrees),
            (20 if asked else 0, self.answers),
        ]  # fmt: skip
        weights, actions = zip(*choices, strict=True)
        action = self.random.choices(actions, weights)[0]
        if action(phone):
            self.done[action.__name__] += 1
        return action.__name__

    def seat(self, phone: PhoneOnBadNetwork, *, own: bool = False) -> str:
        """One of the seats that it shows; its own are those that only this phone speaks of."""
        seats = phone.page.evaluate(SEATS)
        place = self.phones.index(phone)
        mine = sorted(seats, key=int)[place :: len(self.phones)] if own else seats
        return str(self.random.choice(mine)) if mine else "0"

    def types(self, phone: PhoneOnBadNetwork) -> bool:
        return self._types(phone, self.seat(phone))

    def types_twice(self, phone: PhoneOnBadNetwork) -> bool:
        seat = self.seat(phone)
        state = self.random.choice(("none", "sent", "answered"))
        if not self._types(phone, seat):
            return False
        phone.wait_until_heard(f"{seat}-typed", state)
        self.done[f"then {state}"] += 1
        return self._types(phone, seat)

    def _types(self, phone: PhoneOnBadNetwork, seat: str) -> bool:
        of, points = phone.round, str(5 * next(self.points))
        if not phone.page.evaluate(TYPE, [f"#typed-{seat}", points]):
            return False
        phone.words.append(Word(of, f"{seat}-points", points))
        return True

    def disagrees(self, phone: PhoneOnBadNetwork) -> bool:
        """What it enters without a network another phone enters otherwise."""
        seat, [other] = self.seat(phone), [one for one in self.phones if one is not phone]
        phone.network.is_cut, other.network.is_cut = True, False
        both = self._types(phone, seat) and self._types(other, seat)
        if both:
            phone.wait_until_heard(f"{seat}-typed", "late")
            other.wait_until_heard(f"{seat}-typed", "answered")
        phone.network.is_cut = False
        phone.wait_until_heard(f"{seat}-typed", "answered")
        return both

    def lays_down(self, phone: PhoneOnBadNetwork) -> bool:
        seat = self.seat(phone, own=True)
        return phone.says(f"#met-{seat}", f"{seat}-met")

    def goes_out(self, phone: PhoneOnBadNetwork) -> bool:
        if phone is not self.phones[0]:
            return False
        who = self.random.choice((self.seat(phone), "nobody"))
        return phone.says(f"#out-{who}:not(:checked)", "out")

    def counts(self, phone: PhoneOnBadNetwork) -> bool:
        seat = self.seat(phone, own=True)
        return phone.says(f"#row-{seat} .counting [data-step='1']", f"{seat}-counted")

    def buys(self, phone: PhoneOnBadNetwork) -> bool:
        seat = self.seat(phone, own=True)
        return phone.says(f"#row-{seat} .row-buys [data-step]", f"{seat}-buys")

    def not_counted(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks("[name$='-not_counted']")

    def ends(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks("#close-round")

    def reopens(self, phone: PhoneOnBadNetwork) -> bool:
        return phone.clicks("#bar form button")

    def voids(self, phone: PhoneOnBadNetwork) -> bool:
        """On its own page, to which a phone without a network does not come."""
        game, page = phone.page.url, phone.page
        if phone.network.is_cut or not phone.round:
            return False
        page.goto(f"{game}/dealing")
        phone.clicks("#void button")
        phone.wait(lambda: page.evaluate(ANSWERED), "it is answered")
        page.goto(game)
        return True

    def changes_network(self, phone: PhoneOnBadNetwork) -> bool:
        phone.network.is_cut = not phone.network.is_cut
        return True

    def answers(self, phone: PhoneOnBadNetwork) -> bool:
        """Keep theirs, use mine, or dismiss."""
        choice = self.random.choice(("drop", "send"))
        entry = phone.page.evaluate(
            """(choice) => {
              const button = document.querySelector(`[data-unsent=${choice}]`);
              const key = button?.closest("[data-keys]").dataset.keys;
              const kept = JSON.parse(localStorage["meldkeeper-outbox"] ?? "[]");
              button?.click();
              return kept.find((one) => one.key === key) ?? null;
            }""",
            choice,
        )
        if entry is None:
            return False
        self.done[choice] += 1
        if choice == "drop":
            phone.given_up.add(Word.in_outbox(entry))
        else:
            phone.words.append(Word.in_outbox(entry))
        return True

    # What holds

    def differences(self, phone: PhoneOnBadNetwork, *, exact: bool = False) -> dict[str, Any]:
        """What a phone shows that the server has not, without a mark."""
        path = urlsplit(phone.page.url).path
        has, shows = phone.reads(phone.loads(path)), phone.reads()
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
                phone.wait(is_right, "it is shown right")
            except AssertionError:
                raise AssertionError(f"shown and not had, unmarked: {found}") from None

    def hold_what_was_said(self) -> None:
        taken, void = self.taken()
        for phone in self.phones:
            unsettled = {Word.in_outbox(one) for one in phone.outbox()} | phone.given_up
            for of, about in dict.fromkeys((one.round, one.about) for one in phone.words):
                said = [one.text for one in phone.words if (one.round, one.about) == (of, about)]
                has = taken.get((of, about), [])
                if about.endswith("-points"):  # of which both phones speak, never the same
                    has = [text for text in has if text in said]
                    rest = iter(said)
                    assert all(text in rest for text in has), f"{of} {about}: {said}, taken {has}"
                has = has or [UNSAID.get(about.partition("-")[2], "")]
                is_taken = said[-1] in has if about.endswith("-points") else said[-1] == has[-1]
                ends = Word(of, about, said[-1]) in unsettled or of in void
                assert is_taken or ends, f"{of} {about}: of {said} the last is lost, taken {has}"

    def taken(self) -> tuple[dict[tuple[str, str], list[str]], set[str]]:
        """What the table took of each field, in order, and which rounds were void."""
        taken: dict[tuple[str, str], list[str]] = {}
        void: set[str] = set()
        for kind, number, seat, after in self.logged():
            if kind == "void":
                void.add(number)
            if kind == "nobody_out" and after["nobody_out"]:
                taken.setdefault((number, "out"), []).append("nobody")
            for name, value in after.items() if kind == "row" else ():
                about, text = f"{seat}-{name}", str(value).lower()
                if name == "went_out":
                    about, text = "out", seat if value else ""
                elif name in ("typed", "counted"):
                    about = f"{seat}-points"
                    text = value if name == "typed" else " ".join(map(str, value))
                if text:
                    taken.setdefault((number, about), []).append(text)
        return taken, void

    def logged(self) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """The events of the game: kind, round, seat and what they set."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                "select kind, round_number, seat_id, after from log"
                " join games on games.id = game_id where key = ? order by log.id",
                [urlsplit(self.phones[0].page.url).path.split("/")[2]],
            )
            for kind, number, seat, after in rows:
                yield kind, str(number), str(seat), json.loads(after)

    def play(self, steps: int) -> None:
        """Take so many steps, mend the networks, and hold both sentences all along."""
        drawn = []
        try:
            for _ in range(steps):
                drawn.append(self.step())
                self.hold_what_is_shown()
            for phone in self.phones:
                phone.network.heal()
            for phone in self.phones:
                phone.wait(phone.has_sent_all, "everything is sent")
            self.hold_what_is_shown(exact=True)
            self.hold_what_was_said()
        except AssertionError as fault:
            raise AssertionError(f"after {drawn}: {fault}") from fault
        suffered = sum((phone.network.suffered for phone in self.phones), Counter[str]())
        print(f"{dict(self.done)}; network: {dict(suffered)}")
