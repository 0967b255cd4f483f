"""Points as people write them: a number, a sum like 10+5+15, or left-over cards counted."""

import re
from collections.abc import Sequence

from app.rules.variant import Variant
from app.rules.wording import Phrase, say

MOST_POINTS = 1_000_000
"""No sum of points is larger, whatever is typed."""
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
        raise UnreadableSum(say("That is more than any cards cost."))
    points = sum(map(int, parts))
    return -points if found["sign"] else points


def counted_points(variant: Variant, counted: Sequence[int]) -> int:
    """What the left-over cards cost: so many of each of the variant's classes, cheapest first."""
    classes = variant.penalties.classes
    return sum(number * points for number, (points, _ranks) in zip(counted, classes, strict=True))
