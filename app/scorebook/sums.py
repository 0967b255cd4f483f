"""Points as people write them: a number, a sum like 10+5+15, or left-over cards counted."""

from collections.abc import Sequence

from app.rules.variant import Variant

MOST_POINTS = 1_000_000
"""No sum of points is larger, whatever is typed."""
_LONGEST = 80


class UnreadableSum(ValueError):
    """A text that is neither a number nor a sum."""


def read_sum(text: str) -> int | None:
    """The points that a text comes to; None for a blank, which is not 0. Raises `UnreadableSum`.

    A leading minus is read, so that a negative penalty can be refused in its own words.

    >>> read_sum("10 + 5+15"), read_sum(" "), read_sum("-5")
    (30, None, -5)
    """
    plain = "".join(text.split()).rstrip("+")
    if not plain:
        return None
    if len(plain) > _LONGEST:
        raise UnreadableSum(text)
    sign = -1 if plain.startswith(("-", "−")) else 1
    parts = plain.lstrip("-−").split("+")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise UnreadableSum(text)
    points = sum(map(int, parts))
    if points > MOST_POINTS:
        raise UnreadableSum(text)
    return sign * points


def counted_points(variant: Variant, counted: Sequence[int]) -> int:
    """What the left-over cards cost: so many of each of the variant's classes, cheapest first."""
    classes = variant.penalties.classes
    return sum(number * points for number, (points, _ranks) in zip(counted, classes, strict=True))
