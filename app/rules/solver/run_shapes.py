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
Window = tuple[int, int]
"""The first place of a stretch, and the place after its last."""


@lru_cache(maxsize=65536)
def shapes_of_mask(rules: SolverRules, mask: int) -> tuple[RunShape, ...]:
    """All shapes of a mask (not 0)."""
    sizes = [*dict.fromkeys(rules.runs)]
    if rules.extra_run_sizes:
        sizes.append(EXTRA)
    shapes = (_shape(rules, mask, size) for size in sizes)
    return tuple(shape for shape in shapes if shape is not None)


def windows(rules: SolverRules, mask: int, size: int, wilds: int) -> Iterator[Window]:
    """The stretches on which the mask's naturals and so many wild cards are such a run."""
    low, high = first_place(mask), mask.bit_length()
    ends = wilds - (high - low - mask.bit_count())
    for below in range(ends + 1) if ends >= 0 else ():
        start, end = low - below, high + ends - below
        if start >= 0 and end <= rules.length and is_legal(rules, mask, start, end, size):
            yield start, end


def is_legal(rules: SolverRules, mask: int, start: int, end: int, size: int) -> bool:
    """Is the stretch, with naturals on the mask's places, a legal run of that size?

    A longer one is, if a legal run of the size stands inside it and the limits of a lay-off
    allow the rest.
    """
    fits = end - start <= rules.longest_run and are_wilds_apart(rules, mask, start, end)
    legal = fits and _keeps_limit(rules, mask, start, end)
    return legal and any(True for _ in core_windows(rules, mask, start, end, size))


def core_windows(
    rules: SolverRules, mask: int, start: int, end: int, size: int
) -> Iterator[Window]:
    """The stretches that could be laid first and then lengthened to the whole."""
    for core in _core_sizes(rules, size, end - start):
        for first in range(start, end - core + 1):
            inner = (first, first + core)
            naturals = (mask & (1 << inner[1]) - (1 << first)).bit_count()
            is_core = naturals >= rules.fewest_naturals(core)
            if is_core and can_grow(rules, mask, (start, end), inner):
                yield inner


def are_wilds_apart(rules: SolverRules, mask: int, start: int, end: int) -> bool:
    """Does no wild card stand beside another, where that matters?"""
    wilds = ((1 << end) - (1 << start)) & ~mask
    return not (rules.wilds_apart and wilds & wilds >> 1)


def can_grow(rules: SolverRules, mask: int, whole: Window, inner: Window) -> bool:
    """Can the inner stretch be lengthened card by card so that no step breaks the limit?"""
    if not rules.stepwise:
        return True
    reached = [inner]
    for start, end in reached:
        for step in ((start - 1, end), (start, end + 1)):
            inside = whole[0] <= step[0] and step[1] <= whole[1]
            if inside and step not in reached and _keeps_limit(rules, mask, *step):
                reached.append(step)
    return whole in reached


def _keeps_limit(rules: SolverRules, mask: int, start: int, end: int) -> bool:
    naturals = (mask & (1 << end) - (1 << start)).bit_count()
    return end - start - naturals <= rules.most_wilds(naturals)


def _shape(rules: SolverRules, mask: int, size: int) -> RunShape | None:
    least = _least(rules, mask, size)
    if least is None:
        return None
    if not rules.grows:
        return size, least, least
    naturals = mask.bit_count()
    room = rules.longest_run - naturals
    if rules.wilds_apart:
        low, high = first_place(mask), mask.bit_length()
        gaps = high - low - naturals
        room = min(room, gaps + (low > 0) + (high < rules.length))
    return size, least, min(room, rules.most_wilds(naturals))


def _least(rules: SolverRules, mask: int, size: int) -> int | None:
    naturals = mask.bit_count()
    gaps = mask.bit_length() - first_place(mask) - naturals
    most = min(rules.most_wilds(naturals), rules.longest_run - naturals)
    if naturals < rules.fewest_naturals(size or rules.extra_run_sizes[0]):
        return None
    for wilds in range(gaps, most + 1):
        if any(True for _ in windows(rules, mask, size, wilds)):
            return wilds
    return None


def _core_sizes(rules: SolverRules, size: int, length: int) -> tuple[int, ...]:
    if size == EXTRA:
        return tuple(core for core in rules.extra_run_sizes if core <= length)
    return (size,) if size == length or (rules.grows and size < length) else ()


def first_place(mask: int) -> int:
    """The lowest place of a mask (not 0)."""
    return (mask & -mask).bit_length() - 1
