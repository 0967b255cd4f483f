"""The search for the turn that leaves least in hand. Exact: it has no limit of time or nodes.

A depth-first walk through a plan's steps with a memory of the positions it has seen, bounded by
the best turn found so far. Where it grows long, `joining.py` answers instead, which takes longer
to begin but hardly longer for a hard hand. The loss of a turn is the weight of what stays in hand;
one card is thrown away and weighs nothing, which the walk decides when it meets the card
(*thrown*).
"""

from collections.abc import Iterator
from typing import NamedTuple

from app.rules.solver.distinct import distinct_groups
from app.rules.solver.endings import Chosen, TooLong, loss_of_wilds
from app.rules.solver.groups import Group, groups
from app.rules.solver.joining import Joining
from app.rules.solver.options import FIELD, IMPOSSIBLE, Plan, RunOption, Step
from app.rules.solver.outlook import Outlook
from app.rules.solver.split import Split

_Window = tuple[int, int, int]
_SHORT_WALK = 2500
"""So many positions are walked before a plan is split, where it can be."""
_AT_ONCE = 16
"""A position with so many more runs to try counts for one position more."""
_SHORT_JOIN = 10_000
"""So many decisions are taken in joining its parts before the walk goes on."""
_LONGER = 4
"""How much more patient both are the next time."""


Position = tuple[int, int, int, int, int, bool, tuple[_Window, ...]]
"""How far the walk is: step, cards, tasks left, wild cards needed, wild cards that find room,
whether the discard is chosen, and, where runs may not touch, the runs laid."""


_Key = tuple[int, int, int, bool, tuple[_Window, ...]]


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
        self._end = len(plan.steps)
        self._enough = plan.enough
        self._outlook = Outlook(plan)
        self._spare = False
        self._proven = 0
        """That no turn loses less is known."""
        self._known: dict[_Key, list[tuple[int, int, int]]] = {}
        self._spared: dict[_Key, list[tuple[int, int, int]]] = {}
        """What is known of the positions where a card may be spared for the discard."""
        self._groups: dict[tuple[int, int, int, bool], list[tuple[Group, int]]] = {}
        self._left_to_walk = IMPOSSIBLE
        self._joined: Joining | None = None
        """The search that answered in the walk's stead."""
        self._stride = 8 * max(plan.rules.weights.values()) // 25
        self._start: Position = (0, plan.cards, plan.tasks, 0, plan.room, False, ())

    def least_loss(self, below: int = IMPOSSIBLE) -> int:
        """The least loss of a turn that lays the contract, or a number not under `below`."""
        if not Split.can(self.plan):
            return self._walked(below)
        patience = 1
        joining: Joining | None = None
        while True:
            try:
                self._left_to_walk = _SHORT_WALK * patience
                return self._walked(below)
            except TooLong:
                joining = joining or Joining(self.plan)
            try:
                loss = joining.least_loss(below, self._proven, _SHORT_JOIN * patience)
            except TooLong:
                patience *= _LONGER
            else:
                self._joined = joining
                return loss

    def _walked(self, below: int) -> int:
        """The same, found by the walk.

        It asks for no loss first, and then for more and more, since most turns lose little. That a
        card stays which could join a set helps only where nothing else stays.
        """
        loss = self._least(self._start, 1)
        if loss and self._rules.must_discard and self._can_spare_one():
            return 0
        reach = 1
        while reach <= loss and reach < below:
            self._proven = loss
            reach = min(below, loss + 1 + self._stride)
            loss = self._least(self._start, reach)
        return loss

    def _can_spare_one(self) -> bool:
        """Can all cards be laid but one that a set could take as well, for the discard?"""
        usual, self._known, self._spare = self._known, self._spared, True
        try:
            found = self._least(self._start, 1) == 0
        except TooLong:
            self._known, self._spare = usual, False
            raise
        if not found:
            self._known, self._spare = usual, False
        return found

    def chosen(self, loss: int) -> Chosen:
        """The decisions of one turn with that loss, which must be the least."""
        if self._joined is not None:
            return self._joined.chosen()
        self._left_to_walk = IMPOSSIBLE
        position = self._start
        runs, groups_made = [], []
        while position[0] < self._end:
            move = next(
                move
                for move in self._moves(position)
                if move.loss <= loss
                and self._least(move.then, loss - move.loss + 1) == loss - move.loss
            )
            if move.run is not None:
                runs.append(move.run)
            if move.group is not None and move.step is not None:
                groups_made.append((move.group, move.step))
            loss -= move.loss
            position = move.then
        _, _, _, needed, room, thrown, _ = position
        return Chosen(tuple(runs), tuple(groups_made), needed, room, thrown)

    def _least(self, position: Position, below: int) -> int:
        """The least loss from here on if it is under `below`; else a bound that is not."""
        at, cards, tasks, needed, room, thrown, laid = position
        if at == self._end:
            return self._loss_at_end(position)
        known = self._known.setdefault((at, cards, tasks, thrown, laid), [])
        for less, more, bound in known:
            if less <= needed and more >= room and bound >= below:
                return bound
            if less == needed and more == room and bound < 0:
                return ~bound
        floor = self._floor(position)
        best = floor if floor >= below else self._best(position, below, floor)
        known.append((needed, room, ~best if best < below else best))
        return best

    def _floor(self, position: Position) -> int:
        at, cards, tasks, needed, _, thrown, _ = position
        wilds = self._wilds - needed
        if tasks & self.plan.contract:
            if not self._outlook.can_finish(at, tasks):
                return IMPOSSIBLE
            if self._outlook.wilds_for_contract(at, cards, tasks) > wilds:
                return IMPOSSIBLE
        return self._outlook.floor(at, cards, tasks, wilds, thrown=thrown or self._spare)

    def _best(self, position: Position, below: int, floor: int) -> int:
        """The least loss among the moves; a bound where that is not under `below`."""
        if self._left_to_walk < 0:
            raise TooLong
        self._left_to_walk -= 1 + len(self._steps[position[0]].options) // _AT_ONCE
        best = IMPOSSIBLE
        for then, loss, _, _, _ in self._moves(position):
            reach = min(best, below)
            if loss < reach:
                best = min(best, loss + self._least(then, reach - loss))
                if best <= floor:
                    break
            else:
                best = min(best, loss)
        return best

    def _loss_at_end(self, position: Position) -> int:
        _, _, tasks, needed, room, thrown, _ = position
        if tasks & self.plan.contract:
            return IMPOSSIBLE
        return loss_of_wilds(self.plan, needed, room, thrown=thrown)

    def _moves(self, position: Position) -> Iterator[Move]:
        step = self._steps[position[0]]
        if step.options:
            return self._run_moves(position, step)
        return self._group_moves(position, step)

    def _run_moves(self, position: Position, step: Step) -> Iterator[Move]:
        at, cards, tasks, needed, room, thrown, laid = position
        # No run first: sets take most cards, and the runs that must be are forced by the floors.
        yield Move((at + 1, cards, tasks, needed, room, thrown, laid), 0)
        if cards >> step.shift & FIELD:
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
                    more = needed + run.least, min(room + run.most, self._enough), thrown, windows
                    yield Move((at, rest ^ guard, undone ^ task_guard, *more), 0, run)

    def _group_moves(self, position: Position, step: Step) -> Iterator[Move]:
        at, cards, tasks, needed, room, thrown, laid = position
        count = 0
        for shift in step.fields:
            count += cards >> shift & FIELD
        rest = cards & ~step.field
        if not count:
            yield Move((at + 1, rest, tasks, needed, room, thrown, laid), 0)
            return
        for group, asked in self._groups_of(step, cards, tasks, count, thrown):
            if needed + group.least > self._wilds or (self._spare and group.kept > 1):
                continue
            then = (
                at + 1,
                rest,
                tasks - asked,
                needed + group.least,
                min(room + group.most, self._enough),
            )
            if group.kept and not thrown:
                loss = (group.kept - 1) * step.weight
                yield Move((*then, True, laid), loss, None, group, step)
            yield Move((*then, thrown, laid), group.kept * step.weight, None, group, step)

    def _groups_of(
        self, step: Step, cards: int, tasks: int, count: int, thrown: bool
    ) -> list[tuple[Group, int]]:
        """The sets that so many naturals of a rank can join, each with the tasks it does."""
        spare = self._spare and not thrown
        held = cards & step.field if self._rules.distinct_sets else count
        key = (step.place, tasks & self.plan.set_tasks, held, spare)
        known = self._groups.get(key)
        if known is None:
            known = self._groups[key] = [
                (group, sum(1 << self.plan.task("set", size) for size in group.sizes))
                for group in self._new_groups(step, cards, tasks, count, spare)
            ]
        return known

    def _new_groups(
        self, step: Step, cards: int, tasks: int, count: int, spare: bool
    ) -> list[Group]:
        if step.closed:
            return [Group((), 0, 0, count, 0, 0)]
        wanted = self.plan.wanted_sets(tasks) if self.plan.may_form_set(step) else ()
        table = [one for one in self.plan.sets if one.place == step.place]
        if self._rules.distinct_sets:
            suits = self.plan.suits_at(step, cards)
            return distinct_groups(self._rules, wanted, table, suits, count)
        return groups(self._rules, wanted, bool(table), count, spare)


def _beside(laid: tuple[_Window, ...], new: _Window) -> tuple[_Window, ...] | None:
    """The contract's runs with one more; none where it would continue another."""
    for lane, start, end in laid:
        if lane == new[0] and (start == new[2] or end == new[1]):
            return None
    return tuple(sorted((*laid, new)))
