"""Which runs the natural cards on given places can become, and how many wild cards that takes.

A run is told by a mask: a bit for each place that a natural card fills. The places between them
are filled by wild cards; more wild cards may stand at both ends. Everything here is geometry and
limits; which cards lie where, and which run is worth laying, is told elsewhere.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from app.rules.solver.rules import UNLIMITED, Rules

EXTRA = 0
"""The size that stands for an extra run; contract runs are told by their size."""


class Shape(NamedTuple):
    """What a mask can serve as: a contract run of a size (or EXTRA), with how many wild cards.

    Every number from `least` to `most` is legal.
    """

    size: int
    least: int
    most: int


class RunShapes:
    """The shapes of all masks under one variant and contract, found when first asked for."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._length = rules.length
        self._known: dict[int, tuple[Shape, ...]] = {}
        self._divisible: dict[int, bool] = {}
        self.stepwise = not rules.free_wilds and rules.variant.layoff_check == "each_card"
        """Must every step of a lay-off keep the limit?"""

    def of(self, mask: int) -> tuple[Shape, ...]:
        """All shapes of a mask (not 0)."""
        known = self._known.get(mask)
        if known is None:
            sizes = [*dict.fromkeys(self._rules.runs)]
            if self._rules.extra_runs:
                sizes.append(EXTRA)
            shapes = (self._shape(mask, size) for size in sizes)
            known = self._known[mask] = tuple(shape for shape in shapes if shape is not None)
        return known

    def is_divisible(self, mask: int) -> bool:
        """Could two shorter runs stand for each run that holds these naturals, the lowest of all?

        They take the same cards and do the same, need no more wild cards, and have as much room
        for them where no limit holds once a meld is laid: else none is divided.
        """
        rules = self._rules
        if not (rules.free_wilds and rules.extra_runs) or rules.wilds_apart or rules.untouching:
            return False
        known = self._divisible.get(mask)
        if known is None:
            gaps = mask.bit_length() - first_place(mask) - mask.bit_count()
            known = self._divisible[mask] = all(
                any(
                    self._needs(low, one) + self._needs(high, other) <= gaps
                    for low, high in _halves(mask)
                    for one, other in ((size, EXTRA), (EXTRA, size))
                )
                for size in {*rules.runs, EXTRA}
            )
        return known

    def _needs(self, mask: int, size: int) -> int:
        least = [shape.least for shape in self.of(mask) if shape.size == size]
        return least[0] if least else UNLIMITED

    def windows(self, mask: int, size: int, wilds: int) -> Iterator[tuple[int, int]]:
        """The stretches on which the mask's naturals and so many wild cards are such a run.

        Each is told by its first place and the place after its last.
        """
        low, high = first_place(mask), mask.bit_length()
        ends = wilds - (high - low - mask.bit_count())
        for below in range(ends + 1) if ends >= 0 else ():
            start, end = low - below, high + ends - below
            if start >= 0 and end <= self._length and self.is_legal(mask, start, end, size):
                yield start, end

    def is_legal(self, mask: int, start: int, end: int, size: int) -> bool:
        """Is the stretch, with naturals on the mask's places, a legal run of that size?

        A longer one is, if a legal run of the size stands inside it and the limits of a lay-off
        allow the rest.
        """
        naturals = mask.bit_count()
        if end - start > self._rules.longest_run or not self.wilds_apart(mask, start, end):
            return False
        if end - start - naturals > self._rules.most_wilds(naturals):
            return False
        return any(True for _ in self.cores(mask, start, end, size))

    def cores(self, mask: int, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
        """The stretches that could be laid first and then lengthened to the whole."""
        for core in self._core_sizes(size, end - start):
            for first in range(start, end - core + 1):
                if self._is_core(mask, first, first + core) and self._can_grow(
                    mask, start, end, first, core
                ):
                    yield first, first + core

    def wilds_apart(self, mask: int, start: int, end: int) -> bool:
        """Does no wild card stand beside another, where that matters?"""
        wilds = ((1 << end) - (1 << start)) & ~mask
        return not (self._rules.wilds_apart and wilds & wilds >> 1)

    def keeps_limit(self, margin: int, below: list[int], above: list[int]) -> bool:
        """Can the steps at both ends (1 natural, -1 wild) be taken so that no step breaks it?

        `margin` is how many wild cards more there could be before the first step.
        """
        if not self.stepwise:
            return True
        reached, seen = [(0, 0)], {(0, 0)}
        for low, high in reached:
            for step in ((low + 1, high), (low, high + 1)):
                if step[0] > len(below) or step[1] > len(above) or step in seen:
                    continue
                if margin + sum(below[: step[0]]) + sum(above[: step[1]]) >= 0:
                    seen.add(step)
                    reached.append(step)
        return (len(below), len(above)) in seen

    def _shape(self, mask: int, size: int) -> Shape | None:
        least = self._least(mask, size)
        if least is None:
            return None
        if not self._rules.grows:
            return Shape(size, least, least)
        naturals = mask.bit_count()
        room = self._rules.longest_run - naturals
        if self._rules.wilds_apart:
            low, high = first_place(mask), mask.bit_length()
            gaps = high - low - naturals
            room = min(room, gaps + (low > 0) + (high < self._length))
        return Shape(size, least, min(room, self._rules.most_wilds(naturals)))

    def _least(self, mask: int, size: int) -> int | None:
        naturals = mask.bit_count()
        gaps = mask.bit_length() - first_place(mask) - naturals
        most = min(self._rules.most_wilds(naturals), self._rules.longest_run - naturals)
        if naturals < self._rules.fewest_naturals(size or self._rules.extra_runs[0]):
            return None
        for wilds in range(gaps, most + 1):
            if any(True for _ in self.windows(mask, size, wilds)):
                return wilds
        return None

    def _core_sizes(self, size: int, length: int) -> tuple[int, ...]:
        if size == EXTRA:
            return tuple(core for core in self._rules.extra_runs if core <= length)
        return (size,) if size == length or (self._rules.grows and size < length) else ()

    def _is_core(self, mask: int, start: int, end: int) -> bool:
        inside = mask & ((1 << end) - (1 << start))
        return inside.bit_count() >= self._rules.fewest_naturals(end - start)

    def _can_grow(self, mask: int, start: int, end: int, first: int, core: int) -> bool:
        if not self.stepwise:
            return True
        naturals = (mask & ((1 << first + core) - (1 << first))).bit_count()
        margin = self._rules.most_wilds(naturals) - (core - naturals)
        below = [1 if mask >> place & 1 else -1 for place in range(first - 1, start - 1, -1)]
        above = [1 if mask >> place & 1 else -1 for place in range(first + core, end)]
        return self.keeps_limit(margin, below, above)


@lru_cache(maxsize=256)
def shapes_of(rules: Rules) -> RunShapes:
    """The shapes under a variant and contract, which are kept."""
    return RunShapes(rules)


def first_place(mask: int) -> int:
    """The lowest place of a mask (not 0)."""
    return (mask & -mask).bit_length() - 1


def _halves(mask: int) -> Iterator[tuple[int, int]]:
    """The mask cut in two between any two of its places."""
    below = 0
    while mask & mask - 1:
        lowest = mask & -mask
        below |= lowest
        mask ^= lowest
        yield below, mask
