"""What a position of the search can hope for at best: floors under its loss.

A natural card that can join no run any more, and whose rank has too few cards left for a set, must
stay in hand. The floors never say too much, so nothing is lost by stopping at them.
"""

from collections.abc import Iterator

from app.rules.solver.groups import fewest_for_set, fewest_wilds_in_sets
from app.rules.solver.options import BITS, FIELD, IMPOSSIBLE, Plan, Step

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
        self._joined: dict[tuple[int, int, int, bool], tuple[int, list[tuple[int, int]]]] = {}
        self._rank_fields = [step.fields for step in plan.steps if step.fields and not step.closed]
        self._ahead = self._tasks_ahead()
        self._run_tasks = [
            (1 << BITS * index, BITS * index)
            for index, (part, _) in enumerate(plan.rules.parts)
            if part.kind == "run"
        ]
        self._cheapest: dict[tuple[int, int, bool], tuple[int, ...]] = {}
        self._set_wilds: dict[tuple[int, tuple[int, ...]], int] = {}
        self._run_fields = sum(_FULL << shift for _, shift in self._run_tasks) | sum(
            _FULL << BITS * (len(plan.rules.parts) + index) for index in range(len(plan.runs))
        )
        self._best: dict[tuple[int, int, bool], int] = {}
        self._closed = [
            (step.weight, step.fields[0])
            for step in plan.steps
            if step.closed and not plan.rules.extra_runs
        ]
        """The cards that only contract runs and table runs can take, where that is so."""
        self._worth: dict[int, int] = {}
        self._read_steps()
        self._fewest = [fewest_for_set(plan.rules, wilds) for wilds in range(plan.wilds + 1)]

    def can_finish(self, at: int, tasks: int) -> bool:
        """Is there a step ahead for every part of the contract that is still to be laid?"""
        return not tasks & ~self._ahead[at] & self._plan.contract

    def wilds_for_contract(self, at: int, cards: int, tasks: int) -> int:
        """The fewest wild cards that the rest of the contract takes, each part for itself."""
        found = 0
        if tasks & self._plan.set_tasks:
            found = self._wilds_for_sets(cards, tasks)
        held = cards + self._fill & self._guard
        low = at < self._low_end
        for index, (_, shift) in enumerate(self._run_tasks):
            count = tasks >> shift & _FULL
            if count:
                found += count * min(
                    self._cheapest_runs(lane, held & fields, low)[index]
                    for lane, fields in enumerate(self._lanes)
                )
        return found

    def _cheapest_runs(self, lane: int, held: int, low: bool) -> tuple[int, ...]:
        """For each size of contract run, the fewest wild cards with which the lane can make it."""
        key = (lane, held, low)
        known = self._cheapest.get(key)
        if known is None:
            fewest = {task: IMPOSSIBLE for task, _ in self._run_tasks}
            missing = ~held
            for used, least, from_low, task in self._options[lane]:
                if task in fewest and not used & missing and (low or not from_low):
                    fewest[task] = min(fewest[task], least)
            known = self._cheapest[key] = tuple(fewest.values())
        return known

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
            known = fewest_wilds_in_sets(self._plan.rules, sizes, tuple(counts))
            self._set_wilds[key] = known
        return known

    def floor(self, at: int, cards: int, tasks: int, wilds: int, *, thrown: bool) -> int:
        """A loss that no turn can go below with these cards and so many wild cards left."""
        held = cards + self._fill & self._guard
        low = at < self._low_end
        lost, dearest, wanted, cheapest = 0, 0, 0, IMPOSSIBLE
        for lane, fields in enumerate(self._lanes):
            here = held & fields
            if not here:
                continue
            joined, needy = self._joinable(lane, here, wilds, low)
            for step, bit in self._stuck(here & ~joined, cards, wilds):
                lost += step.weight * (cards >> bit.bit_length() - BITS & FIELD)
                dearest = max(dearest, step.weight)
            for fields_wanting, least in needy:
                weights = [step.weight for step, _ in self._stuck(fields_wanting, cards, wilds)]
                if weights:
                    wanted += least
                    cheapest = min(cheapest, *weights)
                    break
        if wanted > wilds:
            lost += cheapest
            dearest = max(dearest, self._dearest)
        if self._closed:
            beyond = self._beyond_runs(cards, held, tasks, low)
            if beyond > lost:
                lost, dearest = beyond, self._dearest
        return lost if thrown else max(0, lost - dearest)

    def _beyond_runs(self, cards: int, held: int, tasks: int, low: bool) -> int:
        """What the runs that are still to be laid or lengthened must leave, at the least."""
        total = sum(weight * (cards >> shift & FIELD) for weight, shift in self._closed)
        runs, rest = 0, tasks & self._run_fields
        while rest:
            runs += rest & FIELD
            rest >>= BITS
        if not runs:
            return total
        best = max(
            self._best_run(lane, held & fields, low) for lane, fields in enumerate(self._lanes)
        )
        return total - runs * best

    def _best_run(self, lane: int, held: int, low: bool) -> int:
        """The most that one run of the lane can take of such cards."""
        key = (lane, held, low)
        known = self._best.get(key)
        if known is None:
            missing, known = ~held, 0
            for used, _, from_low, _ in self._options[lane]:
                if not used & missing and (low or not from_low):
                    known = max(known, self._worth[used])
            self._best[key] = known
        return known

    def _stuck(self, fields: int, cards: int, wilds: int) -> Iterator[tuple[Step, int]]:
        """Those of the cards that no set can take either, each with its rank's step."""
        while fields:
            bit = fields & -fields
            fields ^= bit
            step = self._ranks[bit]
            if step.on_table:
                continue
            count = 0
            for shift in step.fields:
                count += cards >> shift & FIELD
            if step.closed or count < self._fewest[wilds]:
                yield step, bit

    def _joinable(
        self, lane: int, held: int, wilds: int, low: bool
    ) -> tuple[int, list[tuple[int, int]]]:
        """The cards of a lane that can join some run of cards that are held.

        Also those of them that want wild cards for it, with the fewest that will do, the most
        wanting first.
        """
        key = (lane, held, wilds, low)
        known = self._joined.get(key)
        if known is None:
            joined, needy = 0, []
            missing = ~held
            for used, least, from_low, _ in self._options[lane]:
                if least > wilds:
                    break
                if not used & missing and (low or not from_low):
                    if least and used & ~joined:
                        needy.append((used & ~joined, least))
                    joined |= used
            known = self._joined[key] = joined, needy[::-1]
        return known

    def _read_steps(self) -> None:
        for index, step in enumerate(self._plan.steps):
            for option in step.options:
                used = option.cards + self._fill & self._guard
                worth = sum(
                    weight * (option.cards >> shift & FIELD) for weight, shift in self._closed
                )
                self._worth[used] = max(worth, self._worth.get(used, 0))
                self._options[option.lane].append(
                    (used, option.least, step.place == 0, option.tasks)
                )
                if step.place == 0:
                    self._low_end = index + 1
            for shift in step.fields:
                self._ranks[1 << shift + BITS - 1] = step
        for options in self._options:
            options.sort(key=lambda option: option[1])
        self._dearest = max((step.weight for step in self._plan.steps), default=0)

    def _tasks_ahead(self) -> list[int]:
        ahead, found = 0, [0]
        for step in reversed(self._plan.steps):
            for option in step.options:
                ahead |= option.tasks * _FULL
            if step.fields and not step.closed:
                ahead |= self._set_tasks_at(step)
            found.append(ahead)
        return found[::-1]

    def _set_tasks_at(self, step: Step) -> int:
        rules = self._plan.rules
        count = sum(self._plan.cards >> shift & FIELD for shift in step.fields)
        return sum(
            _FULL << BITS * index
            for index, (part, _) in enumerate(rules.parts)
            if part.kind == "set" and rules.fewest_naturals_in_set(part.size) <= count
        )
