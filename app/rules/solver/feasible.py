"""Can a contract be laid from a hand? The fast path: counts, no melds, no cards.

Exact sizes suffice, since a longer meld holds one of the exact size. The fewest wild cards that
each part would need by itself refuse most hands at once; else the runs are placed, the longest
first, each window with its naturals, or with a wild card in the place of some that another part
may need; and the sets share the rest. What a number pattern can become is found once and kept.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from app.rules.cards import Card
from app.rules.solver.groups import NEVER, fewest_wilds_in_sets
from app.rules.solver.holding import Holding, holdings
from app.rules.solver.options import IMPOSSIBLE, Plan
from app.rules.solver.packing import Packing
from app.rules.solver.shapes import shapes_of
from app.rules.solver.tables import Rules

_Windows = tuple[tuple[int, int], ...]


def is_layable(rules: Rules, hand: Sequence[Card]) -> bool:
    """Can the contract be laid, with a card left for the discard where one is due?"""
    if len(hand) < rules.contract.size + rules.must_discard:
        return False
    quick = _quick(rules)
    if quick.awkward:
        return any(
            Packing(Plan(rules, holding, (), ())).least_loss() < IMPOSSIBLE
            for holding in holdings(rules, hand)
        )
    if rules.own_twos:
        return any(quick.fits(*_counts(rules, holding)) for holding in holdings(rules, hand))
    try:
        return quick.fits(*quick.counted(hand))
    except KeyError:
        raise ValueError("a card names no suit") from None


@lru_cache(maxsize=256)
def _quick(rules: Rules) -> "Quick":
    return Quick(rules)


def _counts(rules: Rules, holding: Holding) -> tuple[list[list[int]], int]:
    counts = [[0] * rules.length for _ in range(rules.lanes)]
    for (place, lane), cards in holding.naturals.items():
        counts[lane][place] = len(cards)
    return counts, len(holding.wilds)


class Quick:
    """What is found once for the feasibility of one contract."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._shapes = shapes_of(rules)
        self._sizes = tuple(rules.runs)
        self._set_sizes = tuple(rules.sets)
        self._fewest = {size: rules.fewest_naturals(size) for size in rules.runs}
        self._useful = min((rules.fewest_naturals_in_set(size) for size in rules.sets), default=0)
        self._apart = not rules.variant.wilds_adjacent
        self._two_ends = rules.line[0] == rules.line[-1]
        self._top = rules.length - 1
        own_two = rules.own_twos
        self._ranked = [
            place
            for rank, places in rules.places.items()
            for place in places[-1:]
            if not (own_two and rank == "2")
        ]
        self._places = {rank: places[-1] for rank, places in rules.places.items()}
        self._windows: dict[tuple[int, int], _Windows] = {}
        self._set_costs: dict[tuple[int, ...], int] = {}
        self.awkward = (
            rules.distinct_sets
            or rules.untouching
            or (self._two_ends and rules.length in rules.runs)
        )
        """Must identity, touching or two aces be looked at? Then the full search answers."""

    def counted(self, hand: Sequence[Card]) -> tuple[list[list[int]], int]:
        """The naturals by lane and (highest) place, and the number of wild cards."""
        rules = self._rules
        counts = [[0] * rules.length for _ in range(rules.lanes)]
        wilds = 0
        lanes, places, twos_wild = rules.lane_of_suit, self._places, rules.variant.twos == "wild"
        for card in hand:
            rank = card.rank
            if rank == "JK" or (twos_wild and rank == "2"):
                wilds += 1
            else:
                counts[lanes[card.suit]][places[rank]] += 1
        return counts, wilds

    def fits(self, counts: list[list[int]], wilds: int) -> bool:
        """Can the contract be laid with these naturals and wild cards?"""
        if not self._sizes:
            return self._set_cost(counts) <= wilds
        needed = self._set_cost(counts) if self._set_sizes else 0
        masks = [self._mask(lane) for lane in counts]
        needed += sum(min(self._cost(size, mask) for mask in masks) for size in self._sizes)
        if needed > wilds or len(self._sizes) + len(self._set_sizes) == 1:
            return needed <= wilds
        return self._place_runs(0, 0, counts, wilds)

    # Runs

    def _place_runs(self, at: int, first_lane: int, counts: list[list[int]], wilds: int) -> bool:
        if at == len(self._sizes):
            return not self._set_sizes or self._set_cost(counts) <= wilds
        size = self._sizes[at]
        again = at + 1 < len(self._sizes) and self._sizes[at + 1] == size
        for lane in range(first_lane, len(counts)):
            row = counts[lane]
            for bits, cost in self._windows_of(size, self._mask(row)):
                if cost > wilds:
                    break
                for used in self._used(at, bits, wilds - cost, counts):
                    places = self._taken(row, used)
                    left = wilds - size + len(places)
                    found = self._rest_fits(at + 1, counts, left) and self._place_runs(
                        at + 1, lane if again else 0, counts, left
                    )
                    for place in places:
                        row[place] += 1
                    if found:
                        return True
        return False

    def _rest_fits(self, at: int, counts: list[list[int]], wilds: int) -> bool:
        """Are there enough wild cards if each part that is left had the whole rest?"""
        needed = self._set_cost(counts) if self._set_sizes else 0
        if needed > wilds or at == len(self._sizes):
            return needed <= wilds
        masks = [self._mask(lane) for lane in counts]
        for size in self._sizes[at:]:
            needed += min(self._cost(size, mask) for mask in masks)
        return needed <= wilds

    def _used(self, at: int, bits: int, spare: int, counts: list[list[int]]) -> Iterator[int]:
        """The naturals of a window that the run uses: all first, then without some."""
        yield bits
        size = self._sizes[at]
        most = min(spare, bits.bit_count() - self._fewest[size])
        if most <= 0:
            return
        optional = [place for place in _places(bits) if self._wanted(at, place, counts)]
        for number in range(1, min(most, len(optional)) + 1):
            for dropped in combinations(optional, number):
                used = bits
                for place in dropped:
                    used ^= 1 << place
                if not self._apart or self._stays_apart(size, bits, used):
                    yield used

    def _wanted(self, at: int, place: int, counts: list[list[int]]) -> bool:
        """May another part want the natural of that place?"""
        if at + 1 < len(self._sizes):
            return True
        high = self._top if self._two_ends and place == 0 else place
        return 0 < self._useful <= sum(lane[high] for lane in counts)

    def _stays_apart(self, size: int, bits: int, used: int) -> bool:
        """Can the naturals still be part of a window of the size without wilds side by side?"""
        return any(
            bits & ~(((1 << size) - 1) << start) == 0
            and self._shapes.wilds_apart(used, start, start + size)
            for start in range(self._rules.length - size + 1)
        )

    def _taken(self, row: list[int], used: int) -> list[int]:
        """Take the naturals of a mask from a lane; answers their (highest) places."""
        places = [self._top if self._two_ends and not place else place for place in _places(used)]
        for place in places:
            row[place] -= 1
        return places

    def _mask(self, row: list[int]) -> int:
        mask = 0
        for place, count in enumerate(row):
            if count:
                mask |= 1 << place
        return mask | (mask >> self._top if self._two_ends else 0)

    def _cost(self, size: int, mask: int) -> int:
        windows = self._windows_of(size, mask)
        return windows[0][1] if windows else NEVER

    def _windows_of(self, size: int, mask: int) -> _Windows:
        """The windows of that size that could be laid: naturals, wild cards; cheapest first."""
        known = self._windows.get((size, mask))
        if known is None:
            found = set()
            for start in range(self._rules.length - size + 1):
                bits = mask & (((1 << size) - 1) << start)
                if bits.bit_count() < self._fewest[size]:
                    continue
                if self._shapes.wilds_apart(bits, start, start + size):
                    found.add((bits, size - bits.bit_count()))
            known = self._windows[size, mask] = tuple(sorted(found, key=lambda one: one[1]))
        return known

    # Sets

    def _set_cost(self, counts: list[list[int]]) -> int:
        """The fewest wild cards with which all the contract's sets can be laid, or NEVER."""
        useful = self._useful
        if len(counts) == 1:
            row = counts[0]
            sums = [row[place] for place in self._ranked if row[place] >= useful]
        else:
            one, two, three, four = counts
            sums = [
                total
                for place in self._ranked
                if (total := one[place] + two[place] + three[place] + four[place]) >= useful
            ]
        sums.sort(reverse=True)
        key = tuple(sums)
        known = self._set_costs.get(key)
        if known is None:
            known = self._set_costs[key] = fewest_wilds_in_sets(self._rules, self._set_sizes, key)
        return known


def _places(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
