"""The contract's runs in one lane: the fewest wild cards that they take.

A line sweeps over the places from low to high. A natural card is of use only while the sweep
stands at its place, so that all there is to remember are the runs that are still to be begun and
those that the sweep stands in: how many cards each lacks, and how many of these must be natural.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from app.rules.solver.groups import NEVER, choices, without
from app.rules.solver.shapes import shapes_of
from app.rules.solver.tables import Rules

Sizes = tuple[int, ...]


class Begun(NamedTuple):
    """A run that the sweep stands in: cards that it lacks; is its last wild; naturals it lacks."""

    cards: int
    after_wild: bool
    naturals: int


class Standing(NamedTuple):
    """Where the sweep stands in a lane.

    `ended` tells that a run ends just before the place, where that matters, and `low` how many
    aces stand at the low end.
    """

    place: int = 0
    runs: tuple[Begun, ...] = ()
    ended: bool = False
    low: int = 0


class Move(NamedTuple):
    """One place further: the sizes still to be begun, the naturals and the wild cards taken."""

    then: Standing
    sizes: Sizes
    naturals: int
    wilds: int


class Windows:
    """Where runs may begin in a lane that holds a natural card for each place of a mask."""

    def __init__(self, rules: Rules, mask: int) -> None:
        length = rules.length
        self.missing = [0]
        """How many of the places before each one have no natural card."""
        for place in range(length):
            self.missing.append(self.missing[-1] + (not mask >> place & 1))
        self.able: list[set[int]] = [set() for _ in range(length + 1)]
        """The sizes of the contract's runs that may begin at each place."""
        self.cheapest = {size: [NEVER] * (length + 1) for size in rules.runs}
        """By size and place, the fewest wild cards of a run that begins there or later."""
        longest = shapes_of(rules).longest
        for size, cheapest in self.cheapest.items():
            most = size - rules.fewest_naturals(size)
            for place in range(length - size, -1, -1):
                needed = self.missing[place + size] - self.missing[place]
                cheapest[place] = cheapest[place + 1]
                if needed <= most and size <= longest:
                    self.able[place].add(size)
                    cheapest[place] = min(cheapest[place], needed)


@lru_cache(maxsize=8192)
def windows(rules: Rules, mask: int) -> Windows:
    """The windows of a lane, which are kept."""
    return Windows(rules, mask)


class TooManyWays(Exception):
    """A contract of a table's own making could be laid in more ways than can be tried in time."""


class Steps:
    """The steps that one question takes in all lanes and in the sweep over them."""

    def __init__(self, most: int) -> None:
        self._left = most

    def take(self, count: int = 1) -> None:
        """Take some more. Raises `TooManyWays`."""
        self._left -= count
        if self._left < 0:
            raise TooManyWays


class Lane:
    """One lane of a hand; `row` counts its naturals, place by place."""

    def __init__(self, rules: Rules, row: Sequence[int], steps: Steps) -> None:
        self._rules = rules
        self._steps = steps
        self._row = row
        self._apart = not rules.variant.wilds_adjacent
        self._own_two = rules.line.index("2") if rules.own_twos else -1
        self.two_ends = rules.line[0] == rules.line[-1]
        self._fewest = {size: rules.fewest_naturals(size) for size in rules.runs}
        self._windows = windows(rules, sum((count > 0) << at for at, count in enumerate(row)))
        self._supply: dict[int, list[int]] = {}
        self._known: dict[tuple[Standing, Sizes], tuple[int, int]] = {}
        """From there on, a number of wild cards that is needed and one that suffices."""

    def takers(self, wilds: int) -> list[int]:
        """How many of the contract's runs could take a natural of each place."""
        found = [0] * self._rules.length
        missing = self._windows.missing
        for size in self._rules.runs:
            places: set[int] = set()
            for start, able in enumerate(self._windows.able):
                if size in able and missing[start + size] - missing[start] <= wilds:
                    places.update(range(start, start + size))
            for place in places:
                found[place] += 1
        return found

    def cheapest(self, size: int, place: int) -> int:
        """The fewest wild cards of one run of that size from a place on, or NEVER."""
        return self._windows.cheapest[size][place]

    def count(self, place: int) -> int:
        """How many naturals the lane has for a place."""
        return self._row[place]

    def is_idle(self, at: Standing, sizes: Sizes) -> bool:
        """Does no run stand in the place, and can none begin there?"""
        if at.runs:
            return False
        able = self._windows.able[at.place]
        return at.ended or not any(size in able for size in sizes)

    def floor(self, at: Standing, sizes: Sizes) -> int:
        """The wild cards that are needed, if not more."""
        known = self._known.get((at, sizes))
        if known is None:
            known = self._known[at, sizes] = self._floor(at, sizes), NEVER
        return known[0]

    def wilds(self, at: Standing, sizes: Sizes, most: int) -> int:
        """So many wild cards, at most `most`, with which all can be laid; NEVER if there are none.

        They are not the fewest: who wants fewer asks again.
        """
        if not (sizes or at.runs):
            return 0 if most >= 0 else NEVER
        floor, found = self._known.get((at, sizes), (-1, NEVER))
        if floor < 0:
            floor = self._floor(at, sizes)
        if found <= most:
            return found
        if floor > most:
            return NEVER
        for move in self.moves(at, sizes, self.held(at)):
            self._steps.take()
            rest = self.wilds(move.then, move.sizes, most - move.wilds)
            if rest < NEVER:
                self._known[at, sizes] = floor, move.wilds + rest
                return move.wilds + rest
        self._known[at, sizes] = most + 1, found
        return NEVER

    def held(self, at: Standing) -> int:
        """How many naturals the lane has for the place."""
        last = self.two_ends and at.place == self._rules.length - 1
        return self._row[at.place] - (at.low if last else 0)

    def _floor(self, at: Standing, sizes: Sizes) -> int:
        if at.place == self._rules.length:
            return NEVER if sizes or at.runs else 0
        needed = sum(self._windows.cheapest[size][at.place] for size in sizes)
        missing = self._windows.missing
        cards, runs = sum(sizes), len(sizes) + len(at.runs)
        for run in at.runs:
            lacking = missing[at.place + run.cards] - missing[at.place]
            if lacking > run.cards - run.naturals:
                return NEVER
            needed += lacking
            cards += run.cards
        return min(max(needed, cards - self._most_taken(runs, at.place)), NEVER)

    def _most_taken(self, runs: int, place: int) -> int:
        """How many naturals so many runs can take from a place on."""
        known = self._supply.get(runs)
        if known is None:
            known = self._supply[runs] = [0]
            for count in reversed(self._row):
                known.append(known[-1] + min(count, runs))
        return known[self._rules.length - place]

    def moves(self, at: Standing, sizes: Sizes, held: int, wanted: int = 0) -> Iterator[Move]:
        """Runs begin, and each grows by a card: of `held` naturals as many as can be taken.

        Or fewer, where others have use for so many as are `wanted`.
        """
        low = self.two_ends and not at.place
        able: Sizes = ()
        if not at.ended:
            able = tuple(size for size in sizes if size in self._windows.able[at.place])
        for new in choices(able, len(able)):
            runs = (
                *at.runs,
                *(Begun(size, after_wild=False, naturals=self._fewest[size]) for size in new),
            )
            ended = self._rules.untouching and any(run.cards == 1 for run in runs)
            rest = without(sizes, new)
            most = min(len(runs), held)
            fewest = 0 if low else max(0, min(most, held - wanted))
            for naturals in range(most, fewest - 1, -1):
                wilds = len(runs) - (naturals if at.place != self._own_two else 0)
                aces = naturals if low else at.low
                for longer in lengthened(runs, naturals, apart=self._apart):
                    then = Standing(at.place + 1, longer, ended, aces)
                    yield Move(then, rest, naturals, wilds)


@lru_cache(maxsize=8192)
def lengthened(
    runs: tuple[Begun, ...], naturals: int, *, apart: bool
) -> tuple[tuple[Begun, ...], ...]:
    """The runs one card longer, for each choice of those that get the natural cards."""
    found = set()
    able = [at for at, run in enumerate(runs) if apart or run.naturals]
    for chosen in combinations(able, min(naturals, len(able))):
        if not apart and _is_worse(runs, chosen):
            continue
        longer = _longer(runs, chosen, apart=apart)
        if longer is not None:
            found.add(tuple(sorted(run for run in longer if run.cards)))
    return tuple(sorted(found))


def _is_worse(runs: tuple[Begun, ...], chosen: tuple[int, ...]) -> bool:
    """Does a run get a natural card before one that lacks more cards and may take fewer wilds?

    Exchanging what the two get never harms, so that this needs no look.
    """
    passed = [run for at, run in enumerate(runs) if at not in chosen and run.naturals]
    return any(
        other.cards >= run.cards
        and other.cards - other.naturals <= run.cards - run.naturals
        and other != run
        for run in (runs[at] for at in chosen)
        for other in passed
    )


def natural_runs(
    runs: tuple[Begun, ...], naturals: int, then: tuple[Begun, ...], *, apart: bool
) -> tuple[tuple[int, ...], list[Begun]] | None:
    """Which runs get the natural cards if the runs are to be `then`, and what each becomes."""
    for chosen in combinations(range(len(runs)), naturals):
        longer = _longer(runs, chosen, apart=apart)
        if longer is not None and tuple(sorted(run for run in longer if run.cards)) == then:
            return chosen, longer
    return None


def _longer(runs: tuple[Begun, ...], chosen: tuple[int, ...], *, apart: bool) -> list[Begun] | None:
    longer = []
    for at, (cards, after_wild, naturals) in enumerate(runs):
        if at in chosen:
            longer.append(Begun(cards - 1, after_wild=False, naturals=max(0, naturals - 1)))
        elif cards == naturals or (apart and after_wild):
            return None
        else:
            longer.append(Begun(cards - 1, after_wild=apart, naturals=naturals))
    return longer
