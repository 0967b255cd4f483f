"""What a position of the search can hope for at best: floors under its loss.

A natural card that can join no run any more, and whose rank has too few cards left for a set, must
stay in hand. The floors never say too much, so nothing is lost by stopping at them.
"""

from app.rules.solver.groups import NEVER, fewest_for_set, fewest_wilds_in_sets
from app.rules.solver.options import FIELD
from app.rules.solver.plan import IMPOSSIBLE, Plan, Step
from app.rules.solver.tables import BITS

_FULL = FIELD >> 1


class Outlook:
    """The floors for one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._guard = plan.guard
        self._fill = sum(_FULL << shift for shift in plan.shifts.values())
        self._lanes = [0] * plan.rules.lanes
        for (_, lane), shift in plan.shifts.items():
            self._lanes[lane] |= 1 << shift + BITS - 1
        self._low_end = 0
        """The steps before this one may still start a run with a low ace."""
        self._options: list[list[tuple[int, int, bool, int]]] = [[] for _ in self._lanes]
        self._ranks: dict[int, Step] = {}
        self._rank_fields = [step.fields for step in plan.steps if step.fields and not step.closed]
        self._run_tasks = [
            (1 << BITS * index, BITS * index)
            for index, (part, _) in enumerate(plan.rules.parts)
            if part.kind == "run"
        ]
        self._lane_floors: dict[tuple[int, int, bool, int], tuple[int, tuple[int, ...]]] = {}
        self._set_wilds: dict[tuple[int, tuple[int, ...]], int] = {}
        self._read_steps()
        self._fewest = [fewest_for_set(plan.rules, wilds) for wilds in range(len(plan.wilds) + 1)]
        self.work = 0
        """How many runs were looked at."""

    def _read_steps(self) -> None:
        for index, step in enumerate(self._plan.steps):
            for option in step.options:
                used = option.cards + self._fill & self._guard
                self._options[option.lane].append(
                    (used, option.least, step.place == 0, option.tasks)
                )
                if step.place == 0:
                    self._low_end = index + 1
            for shift in step.fields:
                self._ranks[1 << shift + BITS - 1] = step
        for options in self._options:
            options.sort(key=lambda option: option[1])

    def floor(self, at: int, cards: int, tasks: int, wilds: int, *, thrown: bool) -> int:
        """A loss that no turn can go below with these cards and so many wild cards left."""
        held = cards + self._fill & self._guard
        low = at < self._low_end
        lost = dearest = 0
        cheapest = [NEVER] * len(self._run_tasks)
        for lane, fields in enumerate(self._lanes):
            here = held & fields
            if not here:
                continue
            joined, runs = self._lane_floor(lane, here, low, wilds)
            cheapest = list(map(min, cheapest, runs))
            stuck = here & ~joined
            while stuck:
                bit = stuck & -stuck
                stuck ^= bit
                step = self._ranks.get(bit)
                if step is not None and self._stays(step, cards, wilds):
                    lost += step.weight * (cards >> bit.bit_length() - BITS & FIELD)
                    dearest = max(dearest, step.weight)
        if tasks & self._plan.contract:
            needed = self._wilds_for_sets(cards, tasks) if tasks & self._plan.set_tasks else 0
            for least, (_, shift) in zip(cheapest, self._run_tasks, strict=True):
                needed += least * (tasks >> shift & _FULL)
            if needed > wilds:
                return IMPOSSIBLE
        return lost if thrown else max(0, lost - dearest)

    def _lane_floor(
        self, lane: int, held: int, low: bool, wilds: int
    ) -> tuple[int, tuple[int, ...]]:
        """The cards of a lane that can join some run of cards that are held.

        And for each size of contract run the fewest wild cards with which the lane can make it.
        """
        key = (lane, held, low, wilds)
        known = self._lane_floors.get(key)
        if known is None:
            joined, missing = 0, ~held
            fewest = {task: NEVER for task, _ in self._run_tasks}
            for used, least, from_low, task in self._options[lane]:
                if least > wilds:
                    break
                if not used & missing and (low or not from_low):
                    joined |= used
                    if task in fewest and least < fewest[task]:
                        fewest[task] = least
            known = self._lane_floors[key] = joined, tuple(fewest.values())
            self.work += len(self._options[lane])
        return known

    def _stays(self, step: Step, cards: int, wilds: int) -> bool:
        """Can no set take a card of the rank?"""
        if step.on_table:
            return False
        count = 0
        for shift in step.fields:
            count += cards >> shift & FIELD
        return step.closed or count < self._fewest[wilds]

    def _wilds_for_sets(self, cards: int, tasks: int) -> int:
        counts = []
        for fields in self._rank_fields:
            count = 0
            for shift in fields:
                count += cards >> shift & FIELD
            if count:
                counts.append(count)
        counts.sort(reverse=True)
        key = (tasks & self._plan.set_tasks, tuple(counts))
        known = self._set_wilds.get(key)
        if known is None:
            sizes = self._plan.wanted_sets(tasks)
            held = tuple((1,) * count for count in counts)
            known = self._set_wilds[key] = fewest_wilds_in_sets(self._plan.rules, sizes, held)
        return known
