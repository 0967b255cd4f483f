"""The runs that the natural cards of a hand could be laid in, each with what it takes.

A run is told by its naturals; wild cards fill the gaps. A hand that could be laid in more ways than
are looked at keeps those with the fewest gaps, and its options are not complete.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from app.rules.cards import Card
from app.rules.solver.rules import BITS, SolverRules
from app.rules.solver.run_shapes import (
    EXTRA,
    Window,
    core_windows,
    first_place,
    shapes_of_mask,
    windows,
)
from app.rules.solver.table_melds import TableRun, wild_room, wilds_to_extend

FIELD_MASK = (1 << BITS) - 1
MOST_MASKS = 1200
"""So many choices of naturals for runs are looked at."""
MOST_OPTIONS = 4000
"""So many runs that these choices make, too: the most of 12,000 hands in play were 1,030."""


class RunOption(NamedTuple):
    """A run to lay or to lengthen: what it takes of the hand and of what is to be done.

    `fewest_wilds` counts the wild cards that it needs, one in its own place (`natural_twos`) among
    them, and `most_wilds` how many it can take, beyond what the table could take anyway.
    """

    packed_cards: int
    tasks: int
    fewest_wilds: int
    most_wilds: int
    lane: int
    mask: int
    size: int
    natural_twos: int = 0
    onto: TableRun | None = None
    window: Window | None = None
    no_touch_window: Window | None = None
    """What may not touch another contract run: the whole run, or only as much as was asked for
    where contract melds are laid exactly and lengthened afterwards."""


Place = tuple[int, int]
"""A place and a lane."""


class RunOptions:
    """The runs to lay or to lengthen, by the lowest natural added and the lane."""

    def __init__(
        self,
        rules: SolverRules,
        naturals: dict[Place, list[Card]],
        shifts: dict[Place, int],
        table: Sequence[Sequence[TableRun]],
        wilds: int,
    ) -> None:
        self._rules = rules
        self._naturals = naturals
        self._shifts = shifts
        self._table = table
        self._wilds = wilds
        self._available = [0] * rules.lanes
        for place, lane in naturals:
            for each in rules.places[rules.line[place]]:
                self._available[lane] |= 1 << each
        gaps = wilds
        self.made = 0
        """Options made over all tries, dropped ones included: what the making cost."""
        options, are_all = self._up_to(gaps)
        while not are_all and gaps:
            gaps = gaps * 2 // 3
            options, are_all = self._up_to(gaps)
        self.complete = are_all and gaps == wilds
        """Are all runs here that a turn may need?"""
        self.found: dict[Place, list[RunOption]] = {}
        for option in options:
            self.found.setdefault((first_place(option.mask), option.lane), []).append(option)

    def _up_to(self, gaps: int) -> tuple[list[RunOption], bool]:
        """The options with so many gaps at most, and whether they are few enough to be all."""
        masks = list(islice(self._masks(gaps), MOST_MASKS + 1))
        if len(masks) > MOST_MASKS and gaps:
            return [], False
        each = (self._options(*mask) for mask in masks)
        options = list(islice(chain.from_iterable(each), MOST_OPTIONS + 1))
        self.made += len(options)
        return options, len(masks) <= MOST_MASKS and len(options) <= MOST_OPTIONS

    def _masks(self, gaps: int) -> Iterator[tuple[int, int, int | None]]:
        """Lane and naturals of every run with so many gaps at most, and which table run it joins.

        One that lies alone first.
        """
        for lane, available in enumerate(self._available):
            for place in range(self._rules.length):
                for mask in masks_from(place, available, gaps):
                    yield lane, mask, None
        for index, readings in enumerate(self._table):
            seen: set[tuple[int, int]] = set()
            for run in readings:
                for mask in added_masks(run, self._available[run.lane], gaps):
                    if (run.lane, mask) not in seen:
                        seen.add((run.lane, mask))
                        yield run.lane, mask, index

    def _options(self, lane: int, mask: int, onto: int | None) -> Iterator[RunOption]:
        cards = self._cards_of(mask, lane)
        if cards is None:
            return
        own = mask >> self._rules.own_two & 1 if self._rules.own_two >= 0 else 0
        for option in (
            self._new_runs(mask, lane, cards)
            if onto is None
            else self._longer_runs(mask, lane, cards, onto)
        ):
            if option.fewest_wilds + own <= self._wilds:
                yield option._replace(
                    fewest_wilds=option.fewest_wilds + own,
                    most_wilds=option.most_wilds + own,
                    natural_twos=own,
                )

    def _cards_of(self, mask: int, lane: int) -> int | None:
        """The cards of the naturals; none where two aces are needed and there is one."""
        cards = 0
        rest = mask
        while rest:
            low = rest & -rest
            rest ^= low
            rank = self._rules.line[low.bit_length() - 1]
            cards += 1 << self._shifts[self._rules.places[rank][-1], lane]
        first, last = self._rules.places.get("A", (0,))[0], self._rules.length - 1
        twice = first != last and mask >> first & 1 and mask >> last & 1
        return None if twice and len(self._naturals[last, lane]) < 2 else cards

    def _new_runs(self, mask: int, lane: int, cards: int) -> Iterator[RunOption]:
        for size, least, most in shapes_of_mask(self._rules, mask):
            if size == EXTRA:
                yield RunOption(cards, 0, least, most, lane, mask, size)
                continue
            run = RunOption(
                cards, 1 << self._rules.task_shift("run", size), least, most, lane, mask, size
            )
            if self._rules.untouching:
                yield from self._lying_runs(mask, run)
            else:
                yield run

    def _lying_runs(self, mask: int, run: RunOption) -> Iterator[RunOption]:
        """The run in every place that it can lie, since it may not touch another."""
        for wilds in range(run.fewest_wilds, min(run.most_wilds, self._wilds) + 1):
            for window in windows(self._rules, mask, run.size, wilds):
                lies = run._replace(fewest_wilds=wilds, most_wilds=wilds, window=window)
                if self._rules.variant.contract_size == "exact_core":
                    yield lies._replace(no_touch_window=window)
                    continue
                for core in core_windows(self._rules, mask, *window, run.size):
                    yield lies._replace(no_touch_window=core)

    def _longer_runs(self, mask: int, lane: int, cards: int, index: int) -> Iterator[RunOption]:
        readings = self._table[index]
        usual = wild_room(self._rules, readings)
        task = 1 << BITS * (len(self._rules.parts) + index)
        for run in readings:
            grown = wilds_to_extend(self._rules, run, mask) if run.lane == lane else None
            outside = not mask & ((1 << run.end) - (1 << run.start))
            if grown is not None and outside:
                least, most = grown
                yield RunOption(cards, task, least, most - usual, lane, mask, EXTRA, onto=run)


def masks_from(place: int, available: int, most_gaps: int) -> Iterator[int]:
    """Every choice of available places of which this is the lowest, with few enough gaps."""
    if not available >> place & 1:
        return
    open_masks = [(1 << place, place, 0)]
    for mask, last, gaps in open_masks:
        yield mask
        rest = available >> (last + 1)
        place = last
        while rest:
            step = (rest & -rest).bit_length()
            place += step
            rest >>= step
            wider = gaps + place - last - 1
            if wider > most_gaps:
                break
            open_masks.append((mask | 1 << place, place, wider))


def added_masks(run: TableRun, available: int, most_gaps: int) -> Iterator[int]:
    """Every choice of available places outside a table run with few enough gaps (never none)."""
    below = [(0, 0), *_chains(available, range(run.start - 1, -1, -1), most_gaps)]
    above = [(0, 0), *_chains(available, range(run.end, available.bit_length()), most_gaps)]
    for low, low_gaps in below:
        for high, high_gaps in above:
            if (low or high) and low_gaps + high_gaps <= most_gaps:
                yield low | high


def _chains(available: int, places: range, most_gaps: int) -> Iterator[tuple[int, int]]:
    """Every choice of places outward from a run, with the gaps that wild cards must fill."""
    chains = [(0, 0)]
    for reached, place in enumerate(places, start=1):
        if not available >> place & 1:
            continue
        for mask, count in list(chains):
            gaps = reached - count - 1
            if gaps <= most_gaps:
                chains.append((mask | 1 << place, count + 1))
                yield mask | 1 << place, gaps
