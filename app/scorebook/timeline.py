"""What holds at a moment, of things that were said one after the other to hold from then on."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any


class Timeline:
    """The moments from which things hold, in the order in which the things were said.

    What was said last holds, of all whose moment has come.
    """

    def __init__(self, moments: Sequence[Any]) -> None:
        found: list[tuple[Any, int]] = []
        for place in reversed(range(len(moments))):
            if not found or moments[place] < found[-1][0]:
                found.append((moments[place], place))
        self._in_force = found[::-1]

    def place_at(self, moment: Any) -> int | None:
        """The place of the thing that holds at that moment; None before the first."""
        later = bisect_right(self._in_force, moment, key=lambda one: one[0])
        return self._in_force[later - 1][1] if later else None
