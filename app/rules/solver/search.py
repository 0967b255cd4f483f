"""The search for the turn that leaves least in hand, within a budget of steps.

A depth-first walk through a plan's steps with a memory of the positions it has seen, bounded by
the best turn found so far. The loss of a turn is the weight of what stays in hand; one card is
thrown away and weighs nothing, which the walk decides when it meets the card (*thrown*).

Steps are counted and not timed, so that the answer is the same everywhere; and a larger budget
only goes on where a smaller one stopped, so that it never makes the answer worse.
"""

from collections.abc import Iterator
from typing import NamedTuple

from app.rules.solver import effort
from app.rules.solver.bounds import Outlook
from app.rules.solver.plan import IMPOSSIBLE, Step, TurnPlan
from app.rules.solver.run_options import FIELD_MASK, RunOption
from app.rules.solver.sets import SetGroup, Spend, distinct_groups, groups

_Window = tuple[int, int, int]
Position = tuple[int, int, int, int, int, bool, tuple[_Window, ...]]
"""How far the walk is: step, cards, tasks left, wild cards needed, wild cards that find room,
whether the discard is chosen, and, where runs may not touch, the runs laid."""
_Key = tuple[int, int, int, bool, tuple[_Window, ...]]


class Move(NamedTuple):
    """One decision: a run, the sets of a rank, or neither; where it leads; what it loses."""

    then: Position
    loss: int
    run: RunOption | None = None
    group: SetGroup | None = None
    step: Step | None = None


Trail = tuple[Move, "Trail"] | None
"""Decisions, the last one first."""


class Chosen(NamedTuple):
    """The decisions of one turn: runs laid or lengthened, and the sets of ranks.

    All that needs `needed` wild cards and has room for so many as `room`. `thrown` tells whether a
    natural card is thrown away; `cards` are those left when all runs were laid.
    """

    runs: tuple[RunOption, ...]
    groups: tuple[tuple[SetGroup, Step], ...]
    needed: int
    room: int
    thrown: bool
    cards: int


class Packing:
    """The search through one plan."""

    def __init__(self, plan: TurnPlan, spend: Spend) -> None:
        self.plan = plan
        self._rules = plan.rules
        self._wilds = len(plan.wilds)
        self._steps = plan.steps
        self._end = len(plan.steps)
        self._spend = spend
        self._outlook = Outlook(plan, spend)
        self._known: dict[Position, tuple[int, Move]] = {}
        """Of positions the least loss and the move to it."""
        self._floors: dict[_Key, dict[tuple[int, int], int]] = {}
        """What is lost at the least, with so many wild cards needed and room for so many."""
        self._groups: dict[tuple[int, int, int, bool], list[tuple[SetGroup, int]]] = {}
        self._start: Position = (0, plan.cards, plan.tasks, 0, plan.room, False, ())
        self.loss = IMPOSSIBLE
        """What the best turn found so far loses."""
        self._trail: Trail = None

    def search(self) -> bool:
        """Look for the best turn; true if it is proven that there is no better one."""
        try:
            self._spend(effort.MASK * self.plan.options.masks)
            self._least(self._start, IMPOSSIBLE, 0, None)
        except effort.BudgetSpent:
            return False
        return self.loss < IMPOSSIBLE and (self.plan.options.complete or not self.loss)

    def _least(self, position: Position, below: int, paid: int, trail: Trail) -> int:
        """The least loss from here on if it is under `below`; else a bound that is not.

        `paid` was lost on the trail to this position.
        """
        at, cards, tasks, needed, room, thrown, laid = position
        if at == self._end:
            loss = self._loss_at_end(position)
            self._note(paid + loss, trail)
            return loss
        known = self._known.get(position)
        if known is not None:
            self._spend(effort.LOOK)
            self._note(paid + known[0], trail, known[1])
            return known[0]
        floors = self._floors.setdefault((at, cards, tasks, thrown, laid), {})
        self._spend(effort.LOOK + len(floors) // effort.OPTIONS)
        floor = 0
        for (its_needed, its_room), its_loss in floors.items():
            if its_needed <= needed and its_room >= room and its_loss > floor:
                floor = its_loss
                if floor >= below:
                    return floor
        free = self._wilds - needed
        floor = max(floor, self._outlook.floor(cards, tasks, free, thrown=thrown))
        best, move = floor, None
        if floor < below:
            best, move = self._best(position, below, floor, paid, trail)
        if move is not None and best < below:
            self._known[position] = best, move
        floors[needed, room] = best
        return best

    def _best(
        self, position: Position, below: int, floor: int, paid: int, trail: Trail
    ) -> tuple[int, Move | None]:
        """The least loss among the moves, and the move; a bound where it is not under `below`."""
        self._spend(effort.BRANCH + len(self._steps[position[0]].options) // effort.OPTIONS)
        best, chosen = IMPOSSIBLE, None
        for move in self._moves(position):
            reach = min(best, below)
            found = move.loss
            if found < reach:
                found += self._least(move.then, reach - move.loss, paid + move.loss, (move, trail))
            if found < best:
                best, chosen = found, move
                if best <= floor:
                    break
        return best, chosen

    def _loss_at_end(self, position: Position) -> int:
        _, cards, tasks, needed, room, thrown, _ = position
        if tasks & self.plan.contract:
            return IMPOSSIBLE
        return self.plan.loss_of_wilds(cards, needed, room, thrown=thrown)

    # The best turn so far

    def _note(self, loss: int, trail: Trail, move: Move | None = None) -> None:
        """Keep the turn if it is better than the best so far; it goes on from a known move."""
        if loss >= self.loss:
            return
        while move is not None:
            trail = (move, trail)
            known = self._known.get(move.then)
            move = known[1] if known else None
        self.loss, self._trail = loss, trail

    def chosen(self) -> Chosen:
        """The decisions of the best turn found."""
        moves = []
        trail = self._trail
        while trail is not None:
            move, trail = trail
            moves.append(move)
        _, cards, _, needed, room, thrown, _ = moves[0].then if moves else self._start
        return Chosen(
            tuple(move.run for move in moves if move.run is not None),
            tuple((one.group, one.step) for one in moves if one.group and one.step),
            needed,
            room,
            thrown,
            cards,
        )

    # Moves

    def _moves(self, position: Position) -> Iterator[Move]:
        step = self._steps[position[0]]
        if step.options:
            return self._run_moves(position, step)
        return self._group_moves(position, step)

    def _run_moves(self, position: Position, step: Step) -> Iterator[Move]:
        at, cards, tasks, needed, room, thrown, laid = position
        # No run first: sets take most cards, and the runs that must be are forced by the floors.
        yield Move((at + 1, cards, tasks, needed, room, thrown, laid), 0)
        if cards >> step.shift & FIELD_MASK:
            guard, task_guard = self.plan.guard, self.plan.task_guard
            for run in step.options:
                rest = (cards | guard) - run.cards
                if rest & guard != guard or needed + run.least > self._wilds:
                    continue
                undone = (tasks | task_guard) - run.tasks
                if undone & task_guard != task_guard:
                    continue
                windows = laid if run.apart is None else _beside(laid, (run.lane, *run.apart))
                if windows is not None:
                    more = min(room + run.most, self.plan.enough)
                    then = (at, rest ^ guard, undone ^ task_guard, needed + run.least, more)
                    yield Move((*then, thrown, windows), 0, run)

    def _group_moves(self, position: Position, step: Step) -> Iterator[Move]:
        at, cards, tasks, needed, room, thrown, laid = position
        count = 0
        for shift in step.fields:
            count += cards >> shift & FIELD_MASK
        rest = cards & ~step.field
        if not count:
            yield Move((at + 1, rest, tasks, needed, room, thrown, laid), 0)
            return
        for group, asked in self._groups_of(step, cards, tasks, count, thrown):
            if needed + group.least > self._wilds:
                continue
            more = min(room + group.most, self.plan.enough)
            then = (at + 1, rest, tasks - asked, needed + group.least, more)
            if group.kept and not thrown:
                loss = (group.kept - 1) * step.weight
                yield Move((*then, True, laid), loss, None, group, step)
            yield Move((*then, thrown, laid), group.kept * step.weight, None, group, step)

    def _groups_of(
        self, step: Step, cards: int, tasks: int, count: int, thrown: bool
    ) -> list[tuple[SetGroup, int]]:
        """The sets that so many naturals of a rank can join, each with the tasks it does."""
        spare = self._rules.must_discard and not thrown
        held = cards & step.field if self._rules.distinct_sets else count
        key = (step.place, tasks & self.plan.set_tasks, held, spare)
        known = self._groups.get(key)
        if known is None:
            found = self._new_groups(step, cards, tasks, count, spare)
            self._spend(effort.GROUP * len(found))
            known = self._groups[key] = [
                (group, sum(1 << self._rules.task("set", size) for size in group.sizes))
                for group in found
            ]
        return known

    def _new_groups(
        self, step: Step, cards: int, tasks: int, count: int, spare: bool
    ) -> list[SetGroup]:
        if step.closed:
            return [SetGroup((), 0, 0, count, 0, 0)]
        wanted = self.plan.wanted_sets(tasks)
        table = [one for one in self.plan.sets if one.place == step.place]
        if self._rules.distinct_sets:
            suits = self.plan.suits_at(step, cards)
            return distinct_groups(self._rules, wanted, table, suits, count, self._spend)
        return groups(self._rules, wanted, bool(table), count, spare)


def _beside(laid: tuple[_Window, ...], new: _Window) -> tuple[_Window, ...] | None:
    """The contract's runs with one more; none where it would continue another."""
    for lane, start, end in laid:
        if lane == new[0] and (start == new[2] or end == new[1]):
            return None
    return tuple(sorted((*laid, new)))
