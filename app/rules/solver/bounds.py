"""What a position of the search can hope for at best: floors under its loss.

A natural card that can join no run any more, and whose rank has too few cards left for a set, must
stay in hand. The floors never say too much, so nothing is lost by stopping at them.
"""

from typing import NamedTuple

from app.rules.solver.plan import IMPOSSIBLE, Step, TurnPlan
from app.rules.solver.rules import BITS
from app.rules.solver.run_options import FIELD_MASK
from app.rules.solver.sets import fewest_for_set, sets_with_fewest_wilds

_FULL = FIELD_MASK >> 1
NEVER = 99
"""More wild cards than there are, for what cannot be made at all."""


class _LaneFloor(NamedTuple):
    """What the runs that a lane's cards can still form come to.

    `joined` are the cards that can join one of them; for each size of contract run, `fewest` are
    the wild cards that it needs; for each run of contract and table, `most` is the weight that it
    can take, where that counts.
    """

    joined: int
    fewest: tuple[int, ...]
    most: tuple[int, ...]


class Outlook:
    """The floors for one plan."""

    def __init__(self, plan: TurnPlan) -> None:
        self._plan = plan
        self._guard = plan.guard
        self._fill = sum(_FULL << shift for shift in plan.shifts.values())
        self._lanes = [0] * plan.rules.lanes
        for (_, lane), shift in plan.shifts.items():
            self._lanes[lane] |= 1 << shift + BITS - 1
        self._options: list[list[tuple[int, int, int, int]]] = [[] for _ in self._lanes]
        self._ranks: dict[int, Step] = {}
        self._rank_fields = [step.fields for step in plan.steps if step.fields and not step.closed]
        self._run_tasks = [
            (1 << BITS * index, BITS * index)
            for index, (part, _) in enumerate(plan.rules.parts)
            if part.kind == "run"
        ]
        self._no_extras = not (plan.rules.extra_runs or plan.rules.extra_sets)
        """Do only the contract and the table take cards?"""
        self._rank_steps = [step for step in plan.steps if step.fields]
        self._all_runs = [
            *self._run_tasks,
            *(
                (1 << BITS * index, BITS * index)
                for index in range(len(plan.rules.parts), len(plan.rules.parts) + len(plan.runs))
            ),
        ]
        self._lane_floors: dict[tuple[int, int, int], _LaneFloor] = {}
        self._set_wilds: dict[tuple[int, tuple[int, ...]], int] = {}
        self._read_steps()
        self._fewest = [fewest_for_set(plan.rules, wilds) for wilds in range(len(plan.wilds) + 1)]
        self.work = 0
        """How many runs, and ways to part the sets, were looked at."""

    def _read_steps(self) -> None:
        for step in self._plan.steps:
            for option in step.options:
                used = option.cards + self._fill & self._guard
                worth = sum(
                    one.weight * (option.cards >> shift & FIELD_MASK)
                    for one in (self._rank_steps if self._no_extras else ())
                    for shift in one.fields
                )
                self._options[option.lane].append((used, option.least, option.tasks, worth))
            for shift in step.fields:
                self._ranks[1 << shift + BITS - 1] = step
        for options in self._options:
            options.sort(key=lambda option: option[1])

    def floor(self, cards: int, tasks: int, wilds: int, *, thrown: bool) -> int:
        """A loss that no turn can go below with these cards and so many wild cards left."""
        held = cards + self._fill & self._guard
        lost = dearest = 0
        cheapest = [NEVER] * len(self._run_tasks)
        taken = [0] * len(self._all_runs)
        for lane, fields in enumerate(self._lanes):
            here = held & fields
            if not here:
                continue
            joined, runs, worth = self._lane_floor(lane, here, wilds)
            cheapest = list(map(min, cheapest, runs))
            taken = list(map(max, taken, worth))
            stuck = here & ~joined
            while stuck:
                bit = stuck & -stuck
                stuck ^= bit
                step = self._ranks.get(bit)
                if step is not None and self._stays(step, cards, wilds):
                    lost += step.weight * (cards >> bit.bit_length() - BITS & FIELD_MASK)
                    dearest = max(dearest, step.weight)
        if tasks & self._plan.contract:
            needed = self._wilds_for_sets(cards, tasks) if tasks & self._plan.set_tasks else 0
            for least, (_, shift) in zip(cheapest, self._run_tasks, strict=True):
                needed += least * (tasks >> shift & _FULL)
            if needed > wilds:
                return IMPOSSIBLE
        if self._no_extras:
            beyond, top = self._beyond_melds(cards, tasks, taken)
            if beyond > lost:
                lost, dearest = beyond, top
        return lost if thrown else max(0, lost - dearest)

    def _beyond_melds(self, cards: int, tasks: int, taken: list[int]) -> tuple[int, int]:
        """What the melds that are still to be laid or lengthened must leave, at the least.

        And what the dearest of the cards weighs.
        """
        total = dearest = 0
        ranks = []
        for step in self._rank_steps:
            count = 0
            for shift in step.fields:
                count += cards >> shift & FIELD_MASK
            if count and not step.on_table:
                total += count * step.weight
                dearest = max(dearest, step.weight)
                if not step.closed:
                    ranks.append(count * step.weight)
        for most, (_, shift) in zip(taken, self._all_runs, strict=True):
            total -= most * (tasks >> shift & _FULL)
        wanted = len(self._plan.wanted_sets(tasks))
        if wanted:
            ranks.sort(reverse=True)
            total -= sum(ranks[:wanted])
        return total, dearest

    def _lane_floor(self, lane: int, held: int, wilds: int) -> _LaneFloor:
        key = (lane, held, wilds)
        known = self._lane_floors.get(key)
        if known is None:
            joined, missing = 0, ~held
            fewest = {task: NEVER for task, _ in self._run_tasks}
            most = {task: 0 for task, _ in self._all_runs}
            for used, least, task, worth in self._options[lane]:
                if least > wilds:
                    break
                if not used & missing:
                    joined |= used
                    if task in fewest and least < fewest[task]:
                        fewest[task] = least
                    if worth > most.get(task, worth):
                        most[task] = worth
            known = _LaneFloor(joined, tuple(fewest.values()), tuple(most.values()))
            self._lane_floors[key] = known
            self.work += len(self._options[lane])
        return known

    def _stays(self, step: Step, cards: int, wilds: int) -> bool:
        """Can no set take a card of the rank?"""
        if step.on_table:
            return False
        count = 0
        for shift in step.fields:
            count += cards >> shift & FIELD_MASK
        return step.closed or count < self._fewest[wilds]

    def _wilds_for_sets(self, cards: int, tasks: int) -> int:
        counts = []
        for fields in self._rank_fields:
            count = 0
            for shift in fields:
                count += cards >> shift & FIELD_MASK
            if count:
                counts.append(count)
        counts.sort(reverse=True)
        key = (tasks & self._plan.set_tasks, tuple(counts))
        known = self._set_wilds.get(key)
        if known is None:
            sizes = self._plan.wanted_sets(tasks)
            # Which suits the cards have is not asked: they count as if they all differed.
            ranks = [(1,) * count for count in counts]
            found = sets_with_fewest_wilds(self._plan.rules, sizes, ranks, self._count)
            known = self._set_wilds[key] = NEVER if found is None else found[0]
        return known

    def _count(self, work: int) -> None:
        self.work += work
