"""Points as people write them: a number, a sum like 10+5+15, or left-over cards counted."""

import re
from dataclasses import replace

from app.rules.phrases import Phrase, say
from app.rules.variant import Variant
from app.scorebook.faults import Fault
from app.scorebook.game import Entry
from app.scorebook.limits import MOST_COUNTED_CARDS, MOST_POINTS

UNREADABLE_PENALTY = "unreadable_penalty"
"""The code of the fault of an entry whose points cannot be read."""
_SUM = re.compile(r"(?P<sign>[-−]?)\s*(?P<parts>[0-9]+(\s*\+\s*[0-9]+)*)")


class UnreadableSum(ValueError):
    """A text that is neither a number nor a sum; `message` says why, to whoever typed it."""

    def __init__(self, message: Phrase) -> None:
        super().__init__(str(message))
        self.message = message


def read_sum(text: str) -> int | None:
    """The points that a text comes to; None for a blank, which is not 0. Raises `UnreadableSum`.

    A leading minus is read, so that a negative penalty can be refused in its own words.

    >>> read_sum("10 + 5+15"), read_sum(" "), read_sum("-5")
    (30, None, -5)
    """
    plain = text.strip()
    if not plain:
        return None
    found = _SUM.fullmatch(plain)
    if found is None and _SUM.fullmatch(plain.removesuffix("+").rstrip()):
        raise UnreadableSum(say("The sum ends with +. Enter the last number, or delete the +."))
    if found is None:
        raise UnreadableSum(say("Enter a number or a sum such as 10+5+15."))
    parts = [part.strip().lstrip("0") or "0" for part in found["parts"].split("+")]
    if max(map(len, parts)) > len(str(MOST_POINTS)) or sum(map(int, parts)) > MOST_POINTS:
        raise UnreadableSum(say("That’s more than any hand adds up to."))
    points = sum(map(int, parts))
    return -points if found["sign"] else points


def fill_in_points(variant: Variant, entry: Entry) -> tuple[Entry, Fault | None]:
    """The entry with the points that its text or its counted cards come to, and what is wrong.

    Points that are known, or that are none since the seat went out, are counted.
    """
    try:
        entry = _with_points(variant, entry)
    except UnreadableSum as unreadable:
        fault = Fault(UNREADABLE_PENALTY, entry.seat, "penalty", unreadable.message)
        return replace(entry, counted=(), penalty=None), fault
    known = entry.went_out or entry.penalty is not None
    return (replace(entry, not_counted=False) if known else entry), None


def _with_points(variant: Variant, entry: Entry) -> Entry:
    if not any(entry.counted):
        return replace(entry, counted=(), penalty=read_sum(entry.typed))
    classes = variant.penalties.classes  # so many cards of each, cheapest first
    fits = len(entry.counted) == len(classes)
    if not fits or not all(0 <= number <= MOST_COUNTED_CARDS for number in entry.counted):
        raise UnreadableSum(
            say("You can count up to {most} cards of a kind.", most=MOST_COUNTED_CARDS)
        )
    priced = zip(entry.counted, classes, strict=True)
    points = sum(number * points for number, (points, _ranks) in priced)
    return replace(entry, penalty=points, typed=str(points))
