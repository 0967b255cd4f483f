"""A plain turn: the contract in its exact sizes and nothing more, where the search found none."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from app.rules.solver.distinct import cheapest_group
from app.rules.solver.feasible import State, Sweep
from app.rules.solver.groups import Group
from app.rules.solver.lanes import Begun, natural_runs
from app.rules.solver.options import RunOption
from app.rules.solver.packing import Chosen
from app.rules.solver.plan import Plan, Step


@dataclass(slots=True)
class _Run:
    """A run while it is being laid."""

    start: int
    size: int
    begun: Begun
    mask: int = 0


class Witness:
    """The decisions of the plain turn, read from the way that the sweep found."""

    def __init__(self, plan: Plan, sweep: Sweep) -> None:
        self._plan = plan
        self._rules = plan.rules
        self._sweep = sweep
        self._open: list[list[_Run]] = [[] for _ in range(plan.rules.lanes)]
        self._runs: list[RunOption] = []
        self._groups: list[tuple[Group, Step]] = []
        self._cards = plan.cards

    def chosen(self) -> Chosen:
        """The turn; the contract must be layable."""
        way = self._sweep.way()
        for (state, used), (then, more) in pairwise(way):
            if state.lane == self._rules.lanes:
                self._lay_sets(state)
            elif state.lane >= 0:
                self._pass_lane(state, then, more - used)
        needed = sum(run.least for run in self._runs) + sum(one.least for one, _ in self._groups)
        return Chosen(
            tuple(self._runs), tuple(self._groups), needed, needed, thrown=True, cards=self._cards
        )

    def _pass_lane(self, state: State, then: State, wilds: int) -> None:
        lane, place = state.lane, state.place
        for size in (Counter(state.runs) - Counter(then.runs)).elements():
            lacking = Begun(size, after_wild=False, naturals=self._rules.fewest_naturals(size))
            self._open[lane].append(_Run(place, size, lacking))
        runs = self._open[lane]
        here = tuple(run.begun for run in runs)
        after = then.standings[lane].runs
        # A wild 2 in its own place is one of the wild cards all the same.
        most = len(runs) - (0 if place == self._plan.own_two else wilds)
        for naturals in range(min(most, self._sweep.held(state)), -1, -1):
            found = natural_runs(
                here, naturals, after, apart=not self._rules.variant.wilds_adjacent
            )
            if found is not None:
                break
        chosen, begun = found or ((), [])
        for at, run in enumerate(runs):
            run.begun = begun[at]
            run.mask |= (at in chosen) << place
        self._runs += [self._option(run, lane) for run in runs if not run.begun.cards]
        self._open[lane] = sorted(
            (run for run in runs if run.begun.cards), key=lambda run: run.begun
        )

    def _option(self, run: _Run, lane: int) -> RunOption:
        own = run.mask >> self._plan.own_two & 1 if self._plan.own_two >= 0 else 0
        wilds = run.size - run.mask.bit_count() + own
        if own:
            self._cards -= 1 << self._plan.shifts[self._plan.own_two, lane]
        window = run.start, run.start + run.size
        return RunOption(0, 0, wilds, wilds, lane, run.mask, run.size, own=own, window=window)

    def _lay_sets(self, state: State) -> None:
        if not state.asked:
            return
        place, total, held = state.place, sum(state.asked), sum(state.left)
        lanes = tuple(lane for at, lane in self._plan.naturals if at == place)
        step = Step(place, 0, lanes=lanes)
        naturals = min(total, held)
        group = Group(state.asked, 0, naturals, 0, total - naturals, total - naturals)
        if self._rules.distinct_sets:
            suits = self._sweep.columns.suits(state.left)
            group = cheapest_group(self._rules, state.asked, suits)
            group = group._replace(most=group.least)
        self._groups.append((group, step))
