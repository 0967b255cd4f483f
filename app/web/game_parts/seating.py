"""Who sits at a table in which order, and who deals.

A table is arranged on the server, so that it works without scripts: each button of a form names one
arrangement (`add`, `add:Anna`, `is:2:Anna`, `up:2`, `remove:2`, `lot-seats`, `lot-dealer`). A table
is round, so the first player moved up sits last.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from flask import url_for
from wtforms.widgets import TextArea

from app.rules.phrases import Phrase, join_names, say
from app.rules.text import collapse_blanks
from app.rules.variant import Variant
from app.scorebook.dealing import has_dealer
from app.scorebook.marks import Mark
from app.web.infrastructure.forms import TextField, whole_number


class NamesField(TextField):
    """Names to add, between commas or each in a line of its own; a long list wraps.

    Before the last of a list an "and" is as good as a comma.
    """

    widget = TextArea()

    def __init__(self, **named: Any) -> None:
        super().__init__(400, filters=[_with_commas], render_kw={"rows": 1}, **named)


def _with_commas(text: str) -> str:
    lines = (collapse_blanks(line.strip(" ,")) for line in text.splitlines())
    first, comma, last = ", ".join(line for line in lines if line).rpartition(",")
    return first + comma + (re.sub(r" (and|et|&) ", ", ", last) if comma else last)


class PageLink(NamedTuple):
    """A way on: its address and its words."""

    address: str
    words: Phrase


def seats_link(key: str, variant: Variant) -> PageLink:
    """Where the seats of a game are changed, and the dealer where somebody deals."""
    words = say("Dealer and seats") if has_dealer(variant) else say("Seats")
    return PageLink(url_for("dealing.show", key=key), words)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player at the table, in a game or before it starts."""

    seat: int
    name: str
    mark: Mark
    is_dealer: bool


@dataclass(frozen=True, slots=True)
class Seating:
    """The players of a game in seating order, or of a new group; who deals; what is half typed."""

    names: tuple[str, ...] = ()
    dealer: int = 0
    typed: str = ""
    was_drawn: bool = False
    """The seats or the dealer were drawn by lot just now."""

    @property
    def order_in_words(self) -> Phrase:
        """Who sits after whom."""
        return say("Seats: {names}.", names=join_names(self.names))

    @property
    def address_args(self) -> dict[str, object]:
        """The seats as an address carries them."""
        return {"player": self.names, "dealer": self.dealer or None}

    def with_typed(self) -> "Seating":
        """The typed names seated too; several are told apart by commas."""
        new = [name.strip() for name in self.typed.split(",")]
        return Seating((*self.names, *(name for name in new if name)), self.dealer)

    def after_button(self, how: str, chance: Random) -> "Seating":
        """The seating after a button was pressed; an unknown button changes nothing."""
        verb, _, what = how.partition(":")
        number, _, name = what.partition(":")
        place = whole_number(number)
        if verb == "add":
            return self.with_typed() if not what else self._with_player(what)
        if verb == "lot-seats":
            names = tuple(chance.sample(self.names, len(self.names)))
            return Seating(names, self.dealer, self.typed, was_drawn=True)
        if verb == "lot-dealer" and self.names:
            return Seating(
                self.names, chance.randrange(len(self.names)), self.typed, was_drawn=True
            )
        if place is None or place >= len(self.names):
            return self
        if verb == "is":
            return self._called(place, name)
        arranged = {"remove": self._without, "up": self._moved_up}.get(verb)
        return arranged(place) if arranged else self

    def _with_player(self, name: str) -> "Seating":
        if self.has(name):
            return self
        return Seating((*self.names, name), self.dealer, self.typed)

    def _without(self, place: int) -> "Seating":
        names = (*self.names[:place], *self.names[place + 1 :])
        dealer = self.dealer - (1 if place < self.dealer else 0)
        return Seating(names, min(dealer, max(0, len(names) - 1)), self.typed)

    def _called(self, place: int, name: str) -> "Seating":
        names = (*self.names[:place], name, *self.names[place + 1 :])
        return self if self.has(name) else replace(self, names=names)

    def _moved_up(self, place: int) -> "Seating":
        order = list(range(len(self.names)))
        order.insert((place - 1) % len(order), order.pop(place))
        names = tuple(self.names[seat] for seat in order)
        return Seating(names, order.index(self.dealer), self.typed)

    def offered(self, known: Sequence[str]) -> tuple[str, ...]:
        """The known players who are not seated yet."""
        return tuple(name for name in known if not self.has(name))

    def has(self, name: str) -> bool:
        """Does that player sit already?"""
        return name.casefold() in [one.casefold() for one in self.names]
