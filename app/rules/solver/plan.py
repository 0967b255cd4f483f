"""Everything a hand could do with its natural cards, in the order in which the search decides it.

The search walks along the places from low to high. At each natural card of each lane it may start
runs whose lowest natural is that card; after the lanes of a rank, what is left of the rank forms
sets or stays in hand. Cards are counted in fields of one number, seven bits each, so that an option
is taken by one subtraction; the top bit of a field guards it against going below zero.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.rules.cards import SUITS, Card
from app.rules.solver.records import TableMeld
from app.rules.solver.rules import BITS, SolverRules
from app.rules.solver.run_options import FIELD_MASK, RunOption, RunOptions
from app.rules.solver.sets import fewest_for_set
from app.rules.solver.table_melds import table_runs, table_sets, wild_room

GUARD = 1 << (BITS - 1)
"""The top bit of a field."""
IMPOSSIBLE = 1 << 60
"""The loss of what cannot be done."""


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """One decision: runs that start with one card, or, where `options` is empty, a rank's sets.

    `card_shift` is the card's field, `lane_shifts` the shifts of the rank's fields, one for
    each lane, `rank_mask` all of them as a mask, and `count_shift` the field among the
    `rank_counts`; `card_weight` is what a card of the rank weighs.
    """

    rank_place: int
    card_shift: int
    options: tuple[RunOption, ...] = ()
    lane_shifts: tuple[int, ...] = ()
    lanes: tuple[int, ...] = ()
    forms_no_sets: bool = False
    has_table_sets: bool = False
    card_weight: int = 0
    rank_mask: int = 0
    count_shift: int = 0


class SearchPlan:
    """All decisions for one hand, with the table."""

    def __init__(
        self, rules: SolverRules, hand: Sequence[Card], table: Sequence[TableMeld]
    ) -> None:
        self.rules = rules
        self.table_sets = table_sets(rules, table)
        self.table_runs = table_runs(rules, table)
        self._hold(hand)
        self._number_tasks()
        self.room = sum(one.wild_room for one in self.table_sets) + sum(
            wild_room(rules, one) for one in self.table_runs
        )
        """How many wild cards the table takes if no natural is added."""
        self.decision_points: list[DecisionPoint] = []
        self.options = RunOptions(
            rules, self.naturals, self.shifts, self.table_runs, len(self.wilds)
        )
        open_places = self._open_places()
        for place in range(rules.length):
            self._start_runs(place)
            self._rank_point(place, open_places)

    def _hold(self, hand: Sequence[Card]) -> None:
        """The hand by rank and lane; a wild 2 that counts in its own place is held there, too."""
        rules = self.rules
        self.naturals: dict[tuple[int, int], list[Card]] = {}
        self.wilds: list[Card] = []
        """The dearest first."""
        for card in sorted(hand):
            wild, place, lane = rules.locate(card)
            if wild:
                self.wilds.append(card)
            if place >= 0:
                self.naturals.setdefault((place, lane), []).append(card)
        self.wilds.sort(key=lambda card: -rules.weights[card.rank])
        places = sorted({place for place, _ in self.naturals})
        self.width = BITS * len(places)
        """The bits of a lane, which has a field for each place where a card is held."""
        self.shifts = {
            (place, lane): self.width * lane + BITS * places.index(place)
            for place, lane in self.naturals
        }
        """The field of each card, by place and lane."""
        self.cards = sum(len(self.naturals[key]) << at for key, at in self.shifts.items())
        self.guard = sum(GUARD << at for at in self.shifts.values())
        self._own_fields = [one for one in self.shifts.items() if one[0][0] == self.rules.own_two]

    def _number_tasks(self) -> None:
        counts = [count for _, count in self.rules.parts]
        both = [*counts, *(1 for _ in self.table_runs)]
        self.tasks = sum(count << BITS * index for index, count in enumerate(both))
        self.task_guard = sum(GUARD << BITS * index for index in range(len(both)))
        self.contract = ((1 << BITS * len(counts)) - 1) & ~self.task_guard
        """The fields of the tasks that must be done: the contract's parts."""
        self.set_tasks = sum(
            (FIELD_MASK >> 1) << BITS * index
            for index, (part, _) in enumerate(self.rules.parts)
            if part.kind == "set"
        )
        """The fields of the contract's sets."""

    def wanted_set_sizes(self, tasks: int) -> tuple[int, ...]:
        """The sizes of the contract's sets among the tasks that are still to be done."""
        sizes: tuple[int, ...] = ()
        for index, (part, _) in enumerate(self.rules.parts):
            if part.kind == "set":
                sizes += (part.size,) * (tasks >> BITS * index & (FIELD_MASK >> 1))
        return sizes

    def rank_counts(self, cards: int) -> int:
        """How many naturals of each rank are held, in the fields of the first lane."""
        lane = (1 << self.width) - 1
        counts = 0
        while cards:
            counts += cards & lane
            cards >>= self.width
        return counts

    def suits_at(self, point: DecisionPoint, cards: int) -> list[str]:
        """The suits that a rank's naturals may have, of those still held."""
        if self.rules.any_suit:
            return [card.suit for card in self.naturals[point.rank_place, 0]]
        return [
            SUITS[lane]
            for lane, shift in zip(point.lanes, point.lane_shifts, strict=True)
            for _ in range(cards >> shift & FIELD_MASK)
        ]

    # What stays

    @cached_property
    def most_useful_room(self) -> int:
        """So much room for wild cards is as good as more, whatever table runs may yet lose."""
        lost = 0
        for index in range(len(self.rules.parts), len(self.rules.parts) + len(self.table_runs)):
            task = 1 << BITS * index
            changes = [
                run.most_wilds
                for point in self.decision_points
                for run in point.options
                if run.tasks == task
            ]
            lost -= min([0, *changes])
        return len(self.wilds) + lost

    def loss_of_unplaced_wilds(self, cards: int, needed: int, room: int, *, thrown: bool) -> int:
        """What the wild cards weigh that find no room, one thrown away unless another card is.

        `cards` are those left, for the wild 2s that lie in their own places. `IMPOSSIBLE` where a
        discard is due and there is no card for it.
        """
        wilds = self.wilds_to_place(cards)
        unplaced = max(0, len(self.wilds) - room)
        kept = wilds[len(wilds) - unplaced :]
        if thrown:
            return sum(self.rules.weights[card.rank] for card in kept)
        if unplaced:
            return sum(self.rules.weights[card.rank] for card in kept[1:])
        return 0 if not self.rules.must_discard or needed < len(self.wilds) else IMPOSSIBLE

    def wilds_to_place(self, cards: int) -> list[Card]:
        """The wild cards but the 2s that lie in their own places, the dearest first."""
        wilds = list(self.wilds)
        for key, shift in self._own_fields:
            left = cards >> shift & FIELD_MASK
            for card in self.naturals[key][left:]:
                wilds.remove(card)
        return wilds

    # Steps

    def _open_places(self) -> set[int]:
        """The places of the ranks that can form or join sets."""
        counts: Counter[int] = Counter()
        for (place, _), cards in self.naturals.items():
            counts[place] += len(cards)
        fewest = fewest_for_set(self.rules, len(self.wilds))
        found = {place for place, count in counts.items() if count >= fewest}
        found |= {one.rank_place for one in self.table_sets if counts[one.rank_place]}
        return found - {self.rules.own_two}

    def _start_runs(self, place: int) -> None:
        high = self.rules.places[self.rules.line[place]][-1]
        for lane in range(self.rules.lanes):
            if here := self.options.found.get((place, lane)):
                here.sort(key=lambda one: (not one.tasks, one.fewest_wilds, -one.mask.bit_count()))
                self.decision_points.append(
                    DecisionPoint(place, self.shifts[high, lane], tuple(here))
                )

    def _rank_point(self, place: int, open_places: set[int]) -> None:
        lanes = tuple(lane for lane in range(self.rules.lanes) if (place, lane) in self.shifts)
        if not lanes or place == self.rules.own_two:
            return
        fields = tuple(self.shifts[place, lane] for lane in lanes)
        point = DecisionPoint(
            place,
            fields[0],
            (),
            fields,
            lanes,
            forms_no_sets=place not in open_places,
            has_table_sets=any(one.rank_place == place for one in self.table_sets),
            card_weight=self.rules.weights[self.rules.line[place]],
            rank_mask=sum(FIELD_MASK << shift for shift in fields),
            count_shift=fields[0] % self.width,
        )
        self.decision_points.append(point)
