"""The mark of a player, the same wherever they stand: a color, a shape, perhaps a sign in it."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

from app.rules.field_types import Misfit, Text, WholeNumber
from app.rules.phrases import say
from app.rules.text import is_fully_visible

COLORS = SHAPES = 8
LONGEST_SIGN = 8
NO_SIGN = say("Use one emoji, or 1 or 2 characters.")
_JOINER = "\u200d"
_SIGN = re.compile(r"\w{0,2}|[^\w\s]+")


def check_sign(sign: str) -> str:
    """The sign: at most two letters or digits, or symbols such as an emoji. Raises `Misfit`."""
    is_visible = is_fully_visible(sign.replace(_JOINER, ""))
    if len(sign) > LONGEST_SIGN or not _SIGN.fullmatch(sign) or not is_visible:
        raise Misfit(NO_SIGN)
    return sign


@dataclass(frozen=True, slots=True)
class Mark:
    """A player's mark: the numbers of its color and shape, and perhaps initials or an emoji."""

    color: Annotated[int, WholeNumber(1, COLORS)] = 1
    shape: Annotated[int, WholeNumber(1, SHAPES)] = 1
    sign: Annotated[str, Text(LONGEST_SIGN, unfit=NO_SIGN), AfterValidator(check_sign)] = ""

    def __str__(self) -> str:
        """The mark as it is stored."""
        return f"{self.color}-{self.shape}-{self.sign}"


FIRST_MARK = Mark()
_IN_ORDER = tuple(
    Mark(number % COLORS + 1, (number + number // COLORS) % SHAPES + 1)
    for number in range(COLORS * SHAPES)
)
"""All marks without a sign, so that those next to each other differ in both."""


def next_mark(taken: Collection[Mark]) -> Mark:
    """The mark for a new player of a group: as unlike the others' as can be, in its color first."""
    looks = Counter((one.color, one.shape) for one in taken)
    colors, shapes = Counter(one.color for one in taken), Counter(one.shape for one in taken)
    return min(
        _IN_ORDER,
        key=lambda one: (looks[one.color, one.shape], colors[one.color], shapes[one.shape]),
    )
