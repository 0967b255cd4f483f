"""Points as people write them, and what the cards left in a hand can cost.

What is written is a number, a sum like 10+5+15, or left-over cards counted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from app.rules.cards import JOKER, RANKS, Card
from app.rules.field_types import Misfit
from app.rules.phrases import say
from app.rules.variant import Variant
from app.scorebook.game import Entry
from app.scorebook.limits import MOST_COUNTED_CARDS, MOST_POINTS
from app.scorebook.progress import Attempt
from app.scorebook.refusals import Notice

UNREADABLE_PENALTY = "unreadable_penalty"
"""The code of the fault of an entry whose points cannot be read as they were typed."""
_SUM = re.compile(r"[-−]?\s*[0-9]+(\s*[-+−]\s*[0-9]+)*")
_PART = re.compile(r"(?P<sign>[-+−]?)\s*0*(?P<number>[0-9]+)")


def read_sum(text: str) -> int | None:
    """The points that a text comes to; None for a blank, which is not 0. Raises `Misfit`.

    A leading minus is read: some rules know points below zero, the others refuse them in their own
    words.

    >>> read_sum("10 + 5+15"), read_sum(" "), read_sum("-5"), read_sum("20-5")
    (30, None, -5, 15)
    """
    plain = text.strip()
    if not plain:
        return None
    found = _SUM.fullmatch(plain)
    if found is None and _SUM.fullmatch(plain.removesuffix("+").rstrip()):
        raise Misfit(say("The sum ends with +. Enter the last number, or delete the +."))
    if found is None:
        raise Misfit(say("Enter a number or a sum such as 10+5+15."))
    parts = [(part["sign"], part["number"]) for part in _PART.finditer(plain)]
    too_long = any(len(number) > len(str(MOST_POINTS)) for _sign, number in parts)
    numbers = [] if too_long else [(-1 if sign in ("-", "−") else 1) * int(n) for sign, n in parts]
    if too_long or sum(map(abs, numbers)) > MOST_POINTS:
        raise Misfit(say("That’s more than any hand adds up to."))
    return sum(numbers)


def with_digits_swapped(points: int) -> Iterator[int]:
    """The points with two neighboring digits swapped; none that would begin with 0.

    >>> [*with_digits_swapped(53)], [*with_digits_swapped(-105)], [*with_digits_swapped(7)]
    ([35], [-150], [])
    """
    digits = str(abs(points))
    for place, (one, next_one) in enumerate(pairwise(digits)):
        swapped = digits[:place] + next_one + one + digits[place + 2 :]
        if one != next_one and swapped[0] != "0":
            yield int(swapped) if points > 0 else -int(swapped)


def fill_in_points(variant: Variant, entry: Entry) -> tuple[Entry, Notice | None]:
    """The entry with the points that its text or its counted cards come to, and what is wrong.

    Unless they cannot be read, the mark `not_counted` is taken away where the points are known or
    the seat went out and owes none.
    """
    try:
        entry = _with_points(variant, entry)
    except Misfit as unreadable:
        code = "uncountable_cards" if any(entry.counted) else UNREADABLE_PENALTY
        fault = Notice(code, entry.seat, unreadable.phrase, "penalty")
        return replace(entry, counted=(), penalty=None), fault
    known = entry.went_out or entry.penalty is not None
    return (replace(entry, not_counted=False) if known else entry), None


def _with_points(variant: Variant, entry: Entry) -> Entry:
    if not any(entry.counted):
        return replace(entry, counted=(), penalty=read_sum(entry.typed))
    classes = variant.penalties.classes  # `counted` has a number for each
    fits = len(entry.counted) == len(classes)
    if not fits or not all(0 <= number <= MOST_COUNTED_CARDS for number in entry.counted):
        raise Misfit(say("You can count up to {most} cards of a kind.", most=MOST_COUNTED_CARDS))
    priced = zip(entry.counted, classes, strict=True)
    points = sum(number * points for number, (points, _ranks) in priced)
    return replace(entry, penalty=points, typed=str(points))


def most_cards_left(variant: Variant, attempt: Attempt, *, stops: bool = False) -> int:
    """The most cards that a seat which did not go out can hold when the round is over.

    `stops` says that play stopped when it laid its contract, so that no discard was due.
    """
    laid = attempt.contract if attempt.entry.laid_down else None
    if not laid and variant.discard_draw == "buy_pile" and variant.buying == "none":
        return variant.deal  # the pile is bought only to play its top card at once
    size = variant.contract(laid).size if laid else 0
    beyond = 2 * max(0, attempt.entry.buys - variant.most_buys)
    return variant.max_hand_size + beyond - size - (0 if stops else 1)


def least_cards_left(variant: Variant, attempt: Attempt) -> int:
    """How many cards a seat that did not go out holds at least when the round is over.

    Until the contract is laid a turn only takes one card and gives one, and buying adds to them.
    """
    return 0 if attempt.entry.laid_down else variant.deal


def buys_needed(variant: Variant, attempt: Attempt) -> int:
    """How often a seat must have bought to hold its contract; 0 where it laid none."""
    laid = attempt.contract if attempt.entry.laid_down else None
    size = variant.contract(laid).size if laid else 0
    return max(0, -((variant.deal + 1 - size) // 2))


class HandCosts:
    """What hands of at least one card can cost by a rule set, with so many decks."""

    def __init__(self, variant: Variant, decks: int) -> None:
        self._copies_by_points = [
            (variant.penalties.of(rank), variant.copies_in(decks, Card(rank)))
            for rank in (*RANKS, JOKER)
        ]
        self.most = sum(points * copies for points, copies in self._copies_by_points)
        """The points of all the cards: no hand costs more."""

    def dearest(self, cards: int) -> int:
        """The points of so many cards, the dearest ones that the decks hold."""
        return _first_of(sorted(self._copies_by_points, reverse=True), cards)

    def cheapest(self, cards: int) -> int:
        """The points of so many cards, the cheapest ones that the decks hold."""
        return _first_of(sorted(self._copies_by_points), cards)

    def can_be(self, points: int) -> bool:
        """Is there a hand that costs exactly so many points?"""
        return points >= 0 and bool(self._sums >> points & 1)

    def nearest(self, points: int) -> tuple[int, ...]:
        """The next sums below and above so many points (0 or more) that a hand costs, if any."""
        below = self._sums & ((1 << points) - 1)
        above = self._sums >> (points + 1)
        nearest_below = [below.bit_length() - 1] if below else []
        nearest_above = [points + (above & -above).bit_length()] if above else []
        return (*nearest_below, *nearest_above)

    @cached_property
    def _sums(self) -> int:
        """The sums of all hands, as the bits of a number."""
        hands = 1
        free_card = 0
        for points, copies in self._copies_by_points:
            if points == 0:
                free_card |= min(1, copies)
                continue
            for _ in range(copies):
                hands |= hands << points
        # The empty hand is no hand; only a card that costs nothing makes a sum of 0.
        return hands & ~1 | free_card


def _first_of(copies_by_points: Sequence[tuple[int, int]], cards: int) -> int:
    """The points of the first so many of these cards."""
    total = 0
    for points, copies in copies_by_points:
        taken = min(copies, max(0, cards))
        total, cards = total + points * taken, cards - taken
    return total
