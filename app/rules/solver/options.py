"""Everything a hand could do with its natural cards, in the order in which the search decides it.

The search walks along the places from low to high. At each natural card of each lane it may start
runs whose lowest natural is that card; after the lanes of a rank, what is left of the rank forms
sets or stays in hand. Cards are counted in fields of one number, six bits each, so that an option
is taken by one subtraction; the top bit of a field guards it against going below nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from app.rules.cards import SUITS
from app.rules.solver.groups import fewest_for_set
from app.rules.solver.holding import Holding
from app.rules.solver.shapes import EXTRA, first_place, shapes_of
from app.rules.solver.table import TableRun, TableSet, growth
from app.rules.solver.tables import Rules

BITS = 6
FIELD = (1 << BITS) - 1
_GUARD = 1 << (BITS - 1)
_FEW_OPEN = 3
"""With so few ranks that can form sets it is quicker to decide lane by lane, the sets last."""
_LONG_HAND = 20
IMPOSSIBLE = 1 << 60
"""The loss of what cannot be done."""


class RunOption(NamedTuple):
    """A run to lay or to lengthen: what it takes of the hand and of what is to be done.

    `most` is how many wild cards it can take beyond what the table could take anyway.
    """

    cards: int
    tasks: int
    least: int
    most: int
    lane: int
    mask: int
    size: int
    onto: TableRun | None = None
    window: tuple[int, int] | None = None
    apart: tuple[int, int] | None = None
    """What may not touch another contract run: the whole run, or only as much as was asked for
    where contract melds are laid exactly and lengthened afterwards."""


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: runs that start with one card, or, where `options` is empty, a rank's sets.

    `shift` is the card's field, `fields` the shifts of the rank's fields, one for each lane, and
    `field` all of them as a mask; `weight` is what a card of the rank weighs.
    """

    place: int
    shift: int
    options: tuple[RunOption, ...] = ()
    fields: tuple[int, ...] = ()
    lanes: tuple[int, ...] = ()
    closed: bool = False
    on_table: bool = False
    weight: int = 0
    field: int = 0


@dataclass
class Plan:
    """All steps for one way to hold a hand, with the table."""

    rules: Rules
    holding: Holding
    sets: Sequence[TableSet]
    runs: Sequence[Sequence[TableRun]]
    set_place: int | None = None
    """The place of the only rank that may form a set; none where any may."""
    run_options: dict[tuple[int, int], tuple[RunOption, ...]] = field(default_factory=dict)
    """The runs that start with the card of a place and lane; may be another plan's for the hand."""
    cards: int = 0
    guard: int = 0
    tasks: int = 0
    task_guard: int = 0
    contract: int = 0
    """The fields of the tasks that must be done: the contract's parts."""
    room: int = 0
    """How many wild cards the table takes if no natural is added."""
    steps: list[Step] = field(default_factory=list)
    shifts: dict[tuple[int, int], int] = field(default_factory=dict)
    """The field of each card, by place and lane."""
    set_tasks: int = 0
    """The fields of the contract's sets."""

    def __post_init__(self) -> None:
        self._number_tasks()
        self._room_of_table()
        self._number_cards()
        self._walk()

    @cached_property
    def enough(self) -> int:
        """So much room for wild cards is as good as more, whatever table runs may yet lose."""
        lost = 0
        for index in range(len(self.rules.parts), len(self.rules.parts) + len(self.runs)):
            task = 1 << BITS * index
            changes = [run.most for step in self.steps for run in step.options if run.tasks == task]
            lost -= min([0, *changes])
        return self.wilds + lost

    @property
    def wilds(self) -> int:
        """How many wild cards there are."""
        return len(self.holding.wilds)

    @cached_property
    def wild_weights(self) -> list[int]:
        """What each wild card weighs, the cheapest first."""
        return sorted(self.rules.weights[card.rank] for card in self.holding.wilds)

    def task(self, kind: str, size: int) -> int:
        """The field of a contract part, as a shift."""
        return BITS * next(
            index
            for index, (part, _) in enumerate(self.rules.parts)
            if (part.kind, part.size) == (kind, size)
        )

    def wanted_sets(self, tasks: int) -> tuple[int, ...]:
        """The sizes of the contract's sets among the tasks that are still to be done."""
        sizes: tuple[int, ...] = ()
        for index, (part, _) in enumerate(self.rules.parts):
            if part.kind == "set":
                sizes += (part.size,) * (tasks >> BITS * index & (FIELD >> 1))
        return sizes

    def may_form_set(self, step: Step) -> bool:
        """May the rank form a set of the contract in this plan?"""
        return self.set_place is None or self.set_place == step.place

    def suits_at(self, step: Step, cards: int) -> list[str]:
        """The suits that the naturals of a rank may have which are still held."""
        held = self.holding.naturals
        if self.rules.any_suit:
            return [card.suit for card in held[step.place, 0]]
        return [
            SUITS[lane]
            for lane, shift in zip(step.lanes, step.fields, strict=True)
            for _ in range(cards >> shift & FIELD)
        ]

    def _number_tasks(self) -> None:
        counts = [count for _, count in self.rules.parts]
        for index, count in enumerate([*counts, *(1 for _ in self.runs)]):
            self.tasks |= count << BITS * index
            self.task_guard |= _GUARD << BITS * index
        for index, (part, _) in enumerate(self.rules.parts):
            if part.kind == "set":
                self.set_tasks |= (FIELD >> 1) << BITS * index
        self.contract = (1 << BITS * len(counts)) - 1
        self.contract &= ~self.task_guard

    def _room_of_table(self) -> None:
        for one in self.sets:
            self.room += one.room
        for readings in self.runs:
            self.room += self._room_of(readings)

    def _room_of(self, readings: Sequence[TableRun]) -> int:
        grown = (growth(self.rules, run, 0) for run in readings)
        return max(most for _, most in (one or (0, 0) for one in grown))

    def _number_cards(self) -> None:
        naturals = self.holding.naturals
        self.shifts = {key: BITS * at for at, key in enumerate(sorted(naturals))}
        for key, shift in self.shifts.items():
            self.cards |= len(naturals[key]) << shift
            self.guard |= _GUARD << shift

    def _walk(self) -> None:
        if not self.run_options:
            self._find_runs()
        lanes = range(self.rules.lanes)
        open_places = self._open_places()
        if len(open_places) > _FEW_OPEN and self.set_place is None:
            for place in range(self.rules.length):
                self._steps_at(place, lanes)
                self._rank_step(place, lanes, open_places)
            return
        for lane in lanes:
            for place in range(self.rules.length):
                self._steps_at(place, range(lane, lane + 1))
                if place not in open_places:
                    self._rank_step(place, range(lane, lane + 1), open_places)
        for place in sorted(open_places):
            self._rank_step(place, lanes, open_places)

    def _find_runs(self) -> None:
        available = [0] * self.rules.lanes
        for place, lane in self.holding.naturals:
            for each in self.rules.places[self.rules.line[place]]:
                available[lane] |= 1 << each
        growths = self._table_growth(available)
        for lane in range(self.rules.lanes):
            for place in range(self.rules.length):
                options = [
                    *self._runs_from(place, lane, available[lane]),
                    *growths.get((place, lane), ()),
                ]
                options.sort(key=lambda one: (not one.tasks, one.least, -one.mask.bit_count()))
                self.run_options[place, lane] = tuple(options)

    def _open_places(self) -> set[int]:
        """The places of the ranks that can form or join sets."""
        counts: Counter[int] = Counter()
        for (place, _), cards in self.holding.naturals.items():
            counts[place] += len(cards)
        fewest = fewest_for_set(self.rules, self.wilds)
        found = {place for place, count in counts.items() if count >= fewest}
        if self.set_place is not None:
            found = {self.set_place}
        found |= {one.place for one in self.sets if counts[one.place]}
        if self.holding.own_twos:
            found.discard(self.rules.line.index("2"))
        return found

    def _steps_at(self, place: int, lanes: range) -> None:
        high = self.rules.places[self.rules.line[place]][-1]
        for lane in lanes:
            options = self.run_options[place, lane]
            if options:
                self.steps.append(Step(place, self.shifts[high, lane], options))

    def _rank_step(self, place: int, among: range, open_places: set[int]) -> None:
        lanes = tuple(lane for lane in among if (place, lane) in self.shifts)
        if not lanes:
            return
        fields = tuple(self.shifts[place, lane] for lane in lanes)
        step = Step(
            place,
            fields[0],
            (),
            fields,
            lanes,
            closed=place not in open_places,
            on_table=any(one.place == place for one in self.sets),
            weight=self.rules.weights[self.rules.line[place]],
            field=sum(FIELD << shift for shift in fields),
        )
        self.steps.append(step)

    def _runs_from(self, place: int, lane: int, available: int) -> list[RunOption]:
        found: list[RunOption] = []
        for mask in masks_from(place, available, self.wilds):
            cards = self._cards_of(mask, lane)
            if cards is not None:
                found += self._own_runs(mask, lane, cards)
        return [option for option in found if option.least <= self.wilds]

    def _cards_of(self, mask: int, lane: int) -> int | None:
        cards = 0
        rest = mask
        while rest:
            low = rest & -rest
            rest ^= low
            rank = self.rules.line[low.bit_length() - 1]
            cards += 1 << self.shifts[self.rules.places[rank][-1], lane]
        if (self.cards | self.guard) - cards & self.guard != self.guard:
            return None
        return cards

    def _own_runs(self, mask: int, lane: int, cards: int) -> Iterator[RunOption]:
        for size, least, most in shapes_of(self.rules).of(mask):
            if size == EXTRA:
                yield RunOption(cards, 0, least, most, lane, mask, size)
                continue
            task = 1 << self.task("run", size)
            if not self.rules.untouching:
                yield RunOption(cards, task, least, most, lane, mask, size)
                continue
            yield from self._lying_runs(mask, RunOption(cards, task, least, most, lane, mask, size))

    def _lying_runs(self, mask: int, run: RunOption) -> Iterator[RunOption]:
        """The run in every place that it can lie, since it may not touch another."""
        shapes = shapes_of(self.rules)
        for wilds in range(run.least, min(run.most, self.wilds) + 1):
            for window in shapes.windows(mask, run.size, wilds):
                lies = run._replace(least=wilds, most=wilds, window=window)
                if self.rules.variant.contract_size == "exact_core":
                    yield lies._replace(apart=window)
                    continue
                for core in shapes.cores(mask, *window, run.size):
                    yield lies._replace(apart=core)

    def _table_growth(self, available: list[int]) -> dict[tuple[int, int], list[RunOption]]:
        """The ways to lengthen runs on the table, by the lowest place added and the lane."""
        found: dict[tuple[int, int], list[RunOption]] = {}
        for index, readings in enumerate(self.runs, len(self.rules.parts)):
            usual = self._room_of(readings)
            for run in readings:
                for mask in added_masks(run, available[run.lane], self.wilds):
                    cards = self._cards_of(mask, run.lane)
                    grown = growth(self.rules, run, mask)
                    if cards is not None and grown is not None and grown[0] <= self.wilds:
                        task, more = 1 << BITS * index, grown[1] - usual
                        option = RunOption(cards, task, grown[0], more, run.lane, mask, EXTRA, run)
                        found.setdefault((first_place(mask), run.lane), []).append(option)
        return found


def plans(
    rules: Rules,
    holding: Holding,
    sets: Sequence[TableSet],
    runs: Sequence[Sequence[TableRun]],
) -> Iterator[Plan]:
    """The plans among which the best turn is.

    One will do, but where a long hand can form one set only, naming its rank beforehand leaves
    the lanes nothing to do with each other, and all those plans are quicker than the one.
    """
    cards = sum(map(len, holding.naturals.values()))
    if cards < _LONG_HAND or rules.extra_sets or len(rules.sets) != 1 or not rules.runs:
        yield Plan(rules, holding, sets, runs)
        return
    options: dict[tuple[int, int], tuple[RunOption, ...]] = {}
    for place in range(rules.length):
        held = sum(len(naturals) for (at, _), naturals in holding.naturals.items() if at == place)
        if held >= rules.fewest_naturals_in_set(rules.sets[0]):
            plan = Plan(rules, holding, sets, runs, place, options)
            options = plan.run_options
            yield plan


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
