"""What a state of the search can hope for at best: lower bounds of its loss.

A natural card that can join no run any more, and whose rank has too few cards left for a set, must
stay in hand. The bounds never say too much, so nothing is lost by stopping at them.
"""

from typing import NamedTuple

from app.rules.solver import effort
from app.rules.solver.plan import GUARD, IMPOSSIBLE, SearchPlan
from app.rules.solver.rules import BITS
from app.rules.solver.run_options import FIELD_MASK
from app.rules.solver.sets import Spend, fewest_for_set, sets_with_fewest_wilds

_FULL = FIELD_MASK >> 1
TOO_MANY_WILDS = 99
"""More wild cards than there are, for what cannot be made at all."""


class _LaneBounds(NamedTuple):
    """What the runs that a lane's cards can still form come to.

    `joined` are the cards that can join one of them; for each size of contract run, `fewest` are
    the wild cards that it needs; for each run of contract and table, `most` is the weight that it
    can take, where that counts.
    """

    joined: int
    fewest: tuple[int, ...]
    most: tuple[int, ...]


class LossBounds:
    """The lower bounds for one plan."""

    def __init__(self, plan: SearchPlan, spend: Spend) -> None:
        self._plan = plan
        self._spend = spend
        rules = plan.rules
        self._no_extras = not (rules.extra_run_sizes or rules.extra_set_sizes)
        """Do only the contract and the table take cards?"""
        self._fill = sum(_FULL << shift for shift in plan.shifts.values())
        lane = (1 << plan.width) - 1
        self._lanes = [plan.guard & lane << plan.width * at for at in range(rules.lanes)]
        self._in_each_lane = sum(1 << plan.width * at for at in range(rules.lanes))
        self._ranks = [point for point in plan.decision_points if point.lane_shifts]
        self._staying = [point for point in self._ranks if not point.has_table_sets]
        self._open_ranks = [point.count_shift for point in self._ranks if not point.forms_no_sets]
        self._weights = {
            1 << shift + BITS - 1: point.card_weight
            for point in self._ranks
            for shift in point.lane_shifts
        }
        tasks = [BITS * index for index in range(len(rules.parts) + len(plan.table_runs))]
        self._contract_runs = [
            shift
            for shift, (part, _) in zip(tasks, rules.parts, strict=False)
            if part.kind == "run"
        ]
        self._all_runs = [*self._contract_runs, *tasks[len(rules.parts) :]]
        self._options = self._read_options()
        self._rank_guard = sum(GUARD << rank for rank in range(0, plan.width, BITS))
        self._to_be_open = [self._up_to_guard(wilds) for wilds in range(len(plan.wilds) + 1)]
        self._lane_bounds: dict[tuple[int, int, int], _LaneBounds] = {}
        self._set_wilds: dict[tuple[int, tuple[int, ...]], int] = {}

    def _read_options(self) -> list[list[tuple[int, int, int, int]]]:
        """For each lane the cards of its runs, their wild cards, tasks and weights."""
        found: list[list[tuple[int, int, int, int]]] = [[] for _ in self._lanes]
        for option in (option for point in self._plan.decision_points for option in point.options):
            used = option.packed_cards + self._fill & self._plan.guard
            worth = sum(
                point.card_weight * (option.packed_cards >> shift & FIELD_MASK)
                for point in (self._ranks if self._no_extras else ())
                for shift in point.lane_shifts
            )
            found[option.lane].append((used, option.fewest_wilds, option.tasks, worth))
        return [sorted(options, key=lambda option: option[1]) for options in found]

    def _up_to_guard(self, wilds: int) -> int:
        """What to add to the cards of each rank so that those reach the guard that can form sets.

        A wild 2 in its own place never stays, like what sets on the table take.
        """
        fewest = min(GUARD, fewest_for_set(self._plan.rules, wilds))
        lacking = self._rank_guard
        for point in self._ranks:
            if not point.has_table_sets:
                lacking -= (GUARD if point.forms_no_sets else fewest) << point.count_shift
        return lacking

    def lower_bound(self, cards: int, tasks: int, wilds: int, *, thrown: bool) -> int:
        """A loss that no turn can go below with these cards and so many wild cards left."""
        self._spend(effort.STATE)
        held = cards + self._fill & self._plan.guard
        counts = self._plan.rank_counts(cards)
        joined = 0
        lanes = []
        for lane, fields in enumerate(self._lanes):
            here = held & fields
            if here:
                one = self._lane_bound(lane, here, wilds)
                lanes.append(one)
                joined |= one.joined
        if tasks & self._plan.contract:
            needed = self._wilds_for_sets(counts, tasks) if tasks & self._plan.set_tasks else 0
            for at, shift in enumerate(self._contract_runs):
                runs = tasks >> shift & _FULL
                if runs:
                    needed += runs * min([one.fewest[at] for one in lanes], default=TOO_MANY_WILDS)
            if needed > wilds:
                return IMPOSSIBLE
        can_form = counts + self._to_be_open[wilds] & self._rank_guard
        lost, dearest = self._weigh(cards, held & ~(joined | can_form * self._in_each_lane))
        if self._no_extras:
            taken = [
                max([one.most[at] for one in lanes], default=0) for at in range(len(self._all_runs))
            ]
            beyond, top = self._beyond_melds(counts, tasks, taken)
            if beyond > lost:
                lost, dearest = beyond, top
        return lost if thrown else max(0, lost - dearest)

    def _weigh(self, cards: int, stuck: int) -> tuple[int, int]:
        """What the cards in these fields weigh, and the dearest of them."""
        lost = dearest = 0
        while stuck:
            bit = stuck & -stuck
            stuck ^= bit
            weight = self._weights[bit]
            lost += weight * (cards >> bit.bit_length() - BITS & FIELD_MASK)
            dearest = max(dearest, weight)
        return lost, dearest

    def _beyond_melds(self, counts: int, tasks: int, taken: list[int]) -> tuple[int, int]:
        """What the melds that are still to be laid or lengthened must leave, at the least.

        And what the dearest of the cards weighs.
        """
        self._spend(2 * effort.STATE)
        total = dearest = 0
        ranks = []
        for point in self._staying:
            count = counts >> point.count_shift & FIELD_MASK
            if count:
                total += count * point.card_weight
                dearest = max(dearest, point.card_weight)
                if not point.forms_no_sets:
                    ranks.append(count * point.card_weight)
        for most, shift in zip(taken, self._all_runs, strict=True):
            total -= most * (tasks >> shift & _FULL)
        if tasks & self._plan.set_tasks:
            ranks.sort(reverse=True)
            total -= sum(ranks[: len(self._plan.wanted_set_sizes(tasks))])
        return total, dearest

    def _lane_bound(self, lane: int, held: int, wilds: int) -> _LaneBounds:
        key = (lane, held, wilds)
        known = self._lane_bounds.get(key)
        if known is None:
            self._spend(effort.LANE + len(self._options[lane]) // effort.OPTIONS)
            joined, missing = 0, ~held
            fewest = dict.fromkeys((1 << shift for shift in self._contract_runs), TOO_MANY_WILDS)
            most = dict.fromkeys((1 << shift for shift in self._all_runs), 0)
            for used, least, task, worth in self._options[lane]:
                if least > wilds:
                    break
                if not used & missing:
                    joined |= used
                    if task in fewest and least < fewest[task]:
                        fewest[task] = least
                    if worth > most.get(task, worth):
                        most[task] = worth
            known = _LaneBounds(joined, tuple(fewest.values()), tuple(most.values()))
            self._lane_bounds[key] = known
        return known

    def _wilds_for_sets(self, counts: int, tasks: int) -> int:
        found = [counts >> rank & FIELD_MASK for rank in self._open_ranks]
        key = (tasks & self._plan.set_tasks, tuple(sorted(found, reverse=True)))
        known = self._set_wilds.get(key)
        if known is None:
            sizes = self._plan.wanted_set_sizes(tasks)
            # Which suits the cards have is not asked: they count as if they all differed.
            ranks = [(1,) * count for count in key[1] if count]
            least = sets_with_fewest_wilds(self._plan.rules, sizes, ranks, self._spend)
            known = self._set_wilds[key] = TOO_MANY_WILDS if least is None else least[0]
        return known
