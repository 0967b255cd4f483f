"""The search for the turn that leaves least in hand. Exact: it has no limit of time or nodes.

A depth-first walk through a plan's steps with a memory of the positions it has seen, bounded by
the best turn found so far. The loss of a turn is the weight of what stays in hand; one card is
thrown away and weighs nothing, which the walk decides when it meets the card (*thrown*).
"""

from typing import NamedTuple

from app.rules.solver.groups import Group, groups
from app.rules.solver.options import BITS, FIELD, Plan, RunOption, Step

IMPOSSIBLE = 1 << 60
_Window = tuple[int, int, int]


class Position(NamedTuple):
    """How far the walk is: step, cards, tasks left, wild cards needed and takeable, discard."""

    at: int
    cards: int
    tasks: int
    needed: int
    room: int
    thrown: bool
    laid: tuple[_Window, ...]


class Move(NamedTuple):
    """One decision: a run, the sets of a rank, or neither; where it leads; what it loses."""

    then: Position
    loss: int
    run: RunOption | None = None
    group: Group | None = None
    step: Step | None = None


class Packing:
    """The search through one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._rules = plan.rules
        self._wilds = plan.wilds
        self._steps = plan.steps
        self._known: dict[Position, int] = {}
        self._groups: dict[tuple[int, tuple[int, ...], int, bool], list[Group]] = {}
        self._on_table = {one.place for one in plan.sets}
        weights = [plan.rules.weights[card.rank] for card in reversed(plan.holding.wilds)]
        self._cheapest = [sum(weights[:count]) for count in range(len(weights) + 1)]
        self._start = Position(0, plan.cards, plan.tasks, 0, plan.room, False, ())

    def least_loss(self, below: int = IMPOSSIBLE) -> int:
        """The least loss of a turn that lays the contract, if it is under `below`."""
        return self._least(self._start, below)

    def moves_to(self, loss: int) -> list[Move]:
        """The decisions of one turn with that loss, which must be the least."""
        path = []
        position = self._start
        while position.at < len(self._steps):
            move = next(
                move
                for move in self._moves(position)
                if move.loss <= loss
                and self._least(move.then, loss - move.loss + 1) == loss - move.loss
            )
            path.append(move)
            loss -= move.loss
            position = move.then
        return path

    def _least(self, position: Position, below: int) -> int:
        if position.at == len(self._steps):
            return self._loss_at_end(position)
        known = self._known.get(position)
        if known is not None and (known >= 0 or ~known >= below):
            return known if known >= 0 else ~known
        best = below
        for move in self._moves(position):
            if move.loss < best:
                best = min(best, move.loss + self._least(move.then, best - move.loss))
                if best == 0:
                    break
        self._known[position] = best if best < below else ~best
        return best

    def _loss_at_end(self, position: Position) -> int:
        if position.tasks & self.plan.contract:
            return IMPOSSIBLE
        unplaced = max(0, self._wilds - position.room)
        if position.thrown:
            return self._cheapest[unplaced]
        if unplaced:
            return self._cheapest[unplaced - 1]
        spare = not self._rules.must_discard or position.needed < self._wilds
        return 0 if spare else IMPOSSIBLE

    def _moves(self, position: Position) -> list[Move]:
        step = self._steps[position.at]
        if step.options:
            return self._run_moves(position, step)
        return self._group_moves(position, step)

    def _run_moves(self, position: Position, step: Step) -> list[Move]:
        at, cards, tasks, needed, room, thrown, laid = position
        on = Position(at + 1, cards, tasks, needed, room, thrown, laid)
        if not cards >> step.shift & FIELD:
            return [Move(on, 0)]
        guard, task_guard = self.plan.guard, self.plan.task_guard
        found = []
        for run in step.options:
            rest = (cards | guard) - run.cards
            if rest & guard != guard or needed + run.least > self._wilds:
                continue
            undone = (tasks | task_guard) - run.tasks
            if undone & task_guard != task_guard:
                continue
            windows = laid
            if run.window is not None:
                windows = _beside(laid, (run.lane, *run.window))
                if windows is None:
                    continue
            then = Position(
                at, rest ^ guard, undone ^ task_guard, needed + run.least, room + run.most, thrown,
                windows,
            )
            found.append(Move(then, 0, run=run))
        found.append(Move(on, 0))
        return found

    def _group_moves(self, position: Position, step: Step) -> list[Move]:
        at, cards, tasks, needed, room, thrown, laid = position
        count, rest = 0, cards
        for shift in step.fields:
            count += cards >> shift & FIELD
            rest &= ~(FIELD << shift)
        if not count:
            return [Move(Position(at + 1, rest, tasks, needed, room, thrown, laid), 0)]
        weight = self._rules.weights[self._rules.line[step.place]]
        found = []
        for group in self._groups_of(step, tasks, count, thrown):
            if needed + group.least > self._wilds:
                continue
            undone = tasks
            for size in group.sizes:
                undone -= 1 << self.plan.task("set", size)
            then = (at + 1, rest, undone, needed + group.least, room + group.most)
            if group.kept and not thrown:
                found.append(
                    Move(Position(*then, True, laid), (group.kept - 1) * weight, None, group, step)
                )
            found.append(
                Move(Position(*then, thrown, laid), group.kept * weight, None, group, step)
            )
        return found

    def _groups_of(self, step: Step, tasks: int, count: int, thrown: bool) -> list[Group]:
        if step.own_twos:
            return [Group((), False, 0, count, 0, 0)]
        wanted = self.plan.wanted_sets(tasks)
        key = (step.place, wanted, count, thrown)
        known = self._groups.get(key)
        if known is None:
            spare = self._rules.must_discard and not thrown
            on_table = step.place in self._on_table
            known = self._groups[key] = groups(self._rules, wanted, on_table, count, spare)
        return known


def _beside(laid: tuple[_Window, ...], new: _Window) -> tuple[_Window, ...] | None:
    """The contract's runs with one more; none where it would continue another."""
    for lane, start, end in laid:
        if lane == new[0] and (start == new[2] or end == new[1]):
            return None
    return tuple(sorted((*laid, new)))
