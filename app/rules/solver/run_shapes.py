"""Which runs the natural cards on given places can become, and how many wild cards that takes.

A run is told by a mask: a bit for each place that a natural card fills. The places between them
are filled by wild cards; more wild cards may stand at both ends. Everything here is geometry and
limits; which cards lie where, and which run is worth laying, is told elsewhere.
"""

from collections.abc import Iterator
from functools import lru_cache

from app.rules.solver.rules import SolverRules

EXTRA = 0
"""The size that stands for an extra run; contract runs are told by their size."""


RunShape = tuple[int, int, int]
"""What a mask can serve as: a contract run of a size (or EXTRA), and the fewest and the most wild
cards; every number between them is legal."""


class RunShapes:
    """The shapes of all masks under one variant and contract, found when first asked for."""

    def __init__(self, rules: SolverRules) -> None:
        self._rules = rules
        self._length = rules.length
        self._known: dict[int, tuple[RunShape, ...]] = {}
        self.stepwise = not rules.free_wilds and rules.variant.layoff_check == "each_card"
        """Must every step of a lay-off keep the limit?"""

    def shapes_of_mask(self, mask: int) -> tuple[RunShape, ...]:
        """All shapes of a mask (not 0)."""
        known = self._known.get(mask)
        if known is None:
            sizes = [*dict.fromkeys(self._rules.runs)]
            if self._rules.extra_run_sizes:
                sizes.append(EXTRA)
            shapes = (self._shape(mask, size) for size in sizes)
            known = self._known[mask] = tuple(shape for shape in shapes if shape is not None)
        return known

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
        fits = end - start <= self._rules.longest_run and self.are_wilds_apart(mask, start, end)
        legal = fits and self._keeps_limit(mask, start, end)
        return legal and any(True for _ in self.core_windows(mask, start, end, size))

    def core_windows(self, mask: int, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
        """The stretches that could be laid first and then lengthened to the whole."""
        for core in self._core_sizes(size, end - start):
            for first in range(start, end - core + 1):
                inner = (first, first + core)
                naturals = (mask & (1 << inner[1]) - (1 << first)).bit_count()
                is_core = naturals >= self._rules.fewest_naturals(core)
                if is_core and self.can_grow(mask, (start, end), inner):
                    yield inner

    def are_wilds_apart(self, mask: int, start: int, end: int) -> bool:
        """Does no wild card stand beside another, where that matters?"""
        wilds = ((1 << end) - (1 << start)) & ~mask
        return not (self._rules.wilds_apart and wilds & wilds >> 1)

    def can_grow(self, mask: int, whole: tuple[int, int], inner: tuple[int, int]) -> bool:
        """Can the inner stretch be lengthened card by card so that no step breaks the limit?"""
        if not self.stepwise:
            return True
        reached = [inner]
        for start, end in reached:
            for step in ((start - 1, end), (start, end + 1)):
                inside = whole[0] <= step[0] and step[1] <= whole[1]
                if inside and step not in reached and self._keeps_limit(mask, *step):
                    reached.append(step)
        return whole in reached

    def _keeps_limit(self, mask: int, start: int, end: int) -> bool:
        naturals = (mask & (1 << end) - (1 << start)).bit_count()
        return end - start - naturals <= self._rules.most_wilds(naturals)

    def _shape(self, mask: int, size: int) -> RunShape | None:
        least = self._least(mask, size)
        if least is None:
            return None
        if not self._rules.grows:
            return size, least, least
        naturals = mask.bit_count()
        room = self._rules.longest_run - naturals
        if self._rules.wilds_apart:
            low, high = first_place(mask), mask.bit_length()
            gaps = high - low - naturals
            room = min(room, gaps + (low > 0) + (high < self._length))
        return size, least, min(room, self._rules.most_wilds(naturals))

    def _least(self, mask: int, size: int) -> int | None:
        naturals = mask.bit_count()
        gaps = mask.bit_length() - first_place(mask) - naturals
        most = min(self._rules.most_wilds(naturals), self._rules.longest_run - naturals)
        if naturals < self._rules.fewest_naturals(size or self._rules.extra_run_sizes[0]):
            return None
        for wilds in range(gaps, most + 1):
            if any(True for _ in self.windows(mask, size, wilds)):
                return wilds
        return None

    def _core_sizes(self, size: int, length: int) -> tuple[int, ...]:
        if size == EXTRA:
            return tuple(core for core in self._rules.extra_run_sizes if core <= length)
        return (size,) if size == length or (self._rules.grows and size < length) else ()


@lru_cache(maxsize=256)
def shapes_of(rules: SolverRules) -> RunShapes:
    """The shapes under a variant and contract, which are kept."""
    return RunShapes(rules)


def first_place(mask: int) -> int:
    """The lowest place of a mask (not 0)."""
    return (mask & -mask).bit_length() - 1
