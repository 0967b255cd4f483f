"""What the natural cards of one rank that join no run can do: form sets, join sets, or stay.

All sets of a rank are looked at together. A natural card or a wild card that one of them can take
another could take as well, so only sums matter: how many naturals there are, how many wild cards
the sets need, how many they can take. Where identical cards may not share a set this does not
hold, and `distinct.py` looks at each set by itself.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from app.rules.solver.rules import UNLIMITED, Rules

NEVER = 99
"""More wild cards than there are, for what cannot be made at all."""


class Group(NamedTuple):
    """The sets of one rank: contract sets of these sizes, extra sets, or table sets alone.

    `naturals` join them and `kept` stay in hand; any number of wild cards from `least` to `most`
    joins too, apart from what the table's sets could take anyway. `shares` tells who gets which
    suits, where that matters.
    """

    sizes: tuple[int, ...]
    extras: int
    naturals: int
    kept: int
    least: int
    most: int
    shares: tuple[tuple[str, ...], ...] = ()


def groups(
    rules: Rules, wanted: tuple[int, ...], on_table: bool, count: int, spare_one: bool
) -> list[Group]:
    """Every useful way to use `count` naturals of one rank, the one that keeps fewest first.

    `wanted` are the sizes of the contract's sets that are still to be laid, `on_table` whether
    sets of the rank lie on the table. With `spare_one` one card more may stay, for the discard.
    """
    found: list[Group] = []
    for sizes in choices(wanted, 1 if rules.rank_once else len(wanted)):
        if sizes:
            found += _contract_groups(rules, sizes, count, spare_one)
        elif on_table:
            found += [
                Group((), 0, count - kept, kept, 0, gain(rules, count - kept))
                for kept in range(1 + spare_one)
            ]
        else:
            found += _extra_groups(rules, count, spare_one)
    if not on_table:
        found.append(Group((), 0, 0, count, 0, 0))
    return sorted(found, key=lambda group: group.kept)


@lru_cache(maxsize=1024)
def choices(wanted: tuple[int, ...], most: int) -> tuple[tuple[int, ...], ...]:
    """Every choice among the wanted sizes, each once."""
    chosen = set()
    for flags in product((False, True), repeat=len(wanted)):
        sizes = tuple(size for size, flag in zip(wanted, flags, strict=True) if flag)
        if len(sizes) <= most:
            chosen.add(sizes)
    return tuple(sorted(chosen, reverse=True))


def _contract_groups(
    rules: Rules, sizes: tuple[int, ...], count: int, spare_one: bool
) -> Iterator[Group]:
    need = sum(map(rules.fewest_naturals_in_set, sizes))
    total = sum(sizes)
    for naturals in range(count, need - 1, -1):
        kept = count - naturals
        if not rules.grows:
            if naturals <= total:
                yield Group(sizes, 0, naturals, kept, total - naturals, total - naturals)
        elif kept <= spare_one:
            least = max(0, total - naturals)
            most = sum(rules.most_wilds(0) for _ in sizes) + gain(rules, naturals)
            yield Group(sizes, 0, naturals, kept, least, max(least, most))


def _extra_groups(rules: Rules, count: int, spare_one: bool) -> Iterator[Group]:
    for kept in range(min(count, 1 + spare_one)):
        naturals = count - kept
        least = fewest_wilds_in_extra_set(rules, naturals)
        if least is not None:
            most = rules.most_wilds(naturals)
            yield Group((), 1, naturals, kept, least, most)


def fewest_wilds_in_extra_set(rules: Rules, naturals: int) -> int | None:
    """How many wild cards an extra set of so many naturals needs; none where it cannot be."""
    needs = [
        max(0, size - naturals)
        for size in rules.extra_sets
        if rules.fewest_naturals_in_set(size) <= naturals
    ]
    return min(needs) if needs and min(needs) <= rules.most_wilds(naturals) else None


def fewest_for_set(rules: Rules, wilds: int) -> int:
    """How many naturals of a rank are needed for any new set, with so many wild cards."""
    fewest = [max(rules.fewest_naturals_in_set(size), size - wilds) for size in rules.sets]
    for naturals in range(1, 32):
        needed = fewest_wilds_in_extra_set(rules, naturals) if rules.extra_sets else None
        if needed is not None and needed <= wilds:
            fewest.append(naturals)
            break
    return min(fewest, default=UNLIMITED)


def gain(rules: Rules, naturals: int) -> int:
    """How many more wild cards a set can take for so many more naturals."""
    return rules.most_wilds(naturals) - rules.most_wilds(0) if naturals else 0


@lru_cache(maxsize=4096)
def fewest_wilds_in_sets(
    rules: Rules, sizes: tuple[int, ...], ranks: tuple[tuple[int, ...], ...]
) -> int:
    """The fewest wild cards that sets of these sizes take, or NEVER where they cannot be made.

    `ranks` are the naturals that there are of each rank, by suit where those matter.
    """
    most = 1 if rules.rank_once else len(sizes)
    reached = {sizes: 0}
    for counts in ranks:
        before = list(reached.items())
        for wanted, wilds in before:
            for chosen in choices(wanted, most):
                needed = wilds_in_sets(rules, chosen, counts) if chosen else NEVER
                if needed < NEVER:
                    rest = without(wanted, chosen)
                    reached[rest] = min(reached.get(rest, NEVER), wilds + needed)
    return reached.get((), NEVER)


@lru_cache(maxsize=4096)
def wilds_in_sets(rules: Rules, sizes: tuple[int, ...], counts: tuple[int, ...]) -> int:
    """The wild cards that sets of one rank take beside its naturals, or NEVER."""
    needed = [rules.fewest_naturals_in_set(size) for size in sizes]
    if not rules.distinct_sets:
        return max(0, sum(sizes) - sum(counts)) if sum(needed) <= sum(counts) else NEVER
    if _shared_apart(counts, needed) < sum(needed):
        return NEVER
    return sum(sizes) - _shared_apart(counts, sizes)


def _shared_apart(counts: Sequence[int], sizes: Sequence[int]) -> int:
    """How many cards sets of these sizes can take where each takes a suit once at most."""
    left, shared = list(sizes), 0
    for count in sorted(counts, reverse=True):
        left.sort(reverse=True)
        for at, size in enumerate(left[:count]):
            if size:
                left[at] -= 1
                shared += 1
    return shared


@lru_cache(maxsize=4096)
def without(sizes: tuple[int, ...], some: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes but some of them."""
    left = list(sizes)
    for size in some:
        left.remove(size)
    return tuple(left)
