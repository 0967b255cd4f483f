"""The search for the turn that leaves least in hand, within a budget of steps.

A depth-first walk through the decisions of a plan with a memory of the states it has seen, bounded
by the best turn found so far. The loss of a turn is the weight of what stays in hand; one card is
thrown away and weighs nothing, which the walk decides when it meets the card (*thrown*).

Steps are counted and not timed, so that the answer is the same everywhere; and a larger budget
only goes on where a smaller one stopped, so that it never makes the answer worse.
"""

from collections.abc import Iterator
from typing import NamedTuple

from app.rules.solver import effort
from app.rules.solver.bounds import LossBounds
from app.rules.solver.plan import IMPOSSIBLE, DecisionPoint, SearchPlan
from app.rules.solver.run_options import FIELD_MASK, RunOption
from app.rules.solver.sets import SetGroup, Spend, distinct_suit_groups, set_groups

_Window = tuple[int, int, int]
SearchState = tuple[int, int, int, int, int, bool, tuple[_Window, ...]]
"""How far the walk is: point, cards, tasks left, wild cards needed, wild cards that find room,
whether the discard is chosen, and, where runs may not touch, the runs laid."""
_Key = tuple[int, int, int, bool, tuple[_Window, ...]]


class Move(NamedTuple):
    """One decision: a run, the sets of a rank, or neither; where it leads; what it loses."""

    next_state: SearchState
    loss: int
    run_option: RunOption | None = None
    set_group: SetGroup | None = None
    point: DecisionPoint | None = None


Trail = tuple[Move, "Trail"] | None
"""Decisions, the last one first."""


class TurnSearch:
    """The search through one plan."""

    def __init__(self, plan: SearchPlan, spend: Spend) -> None:
        self.plan = plan
        self._rules = plan.rules
        self._wilds = len(plan.wilds)
        self._points = plan.decision_points
        self._end = len(plan.decision_points)
        self._spend = spend
        self._bounds = LossBounds(plan, spend)
        self._known: dict[SearchState, tuple[int, Move]] = {}
        """Of states the least loss and the move to it."""
        self._lower_bounds: dict[_Key, dict[tuple[int, int], int]] = {}
        """What is lost at the least, with so many wild cards needed and room for so many."""
        self._groups: dict[tuple[int, int, int, bool], list[tuple[SetGroup, int]]] = {}
        self._start: SearchState = (0, plan.cards, plan.tasks, 0, plan.room, False, ())
        self.loss = IMPOSSIBLE
        """What the best turn found so far loses."""
        self._trail: Trail = None

    def search(self) -> bool:
        """Look for the best turn; true if it is proven that there is no better one."""
        try:
            self._spend(effort.RUN * self.plan.options.made)
            self._least(self._start, IMPOSSIBLE, 0, None)
        except effort.TooManyWays:
            return False
        return self.loss < IMPOSSIBLE and (self.plan.options.complete or not self.loss)

    def _least(self, state: SearchState, below: int, paid: int, trail: Trail) -> int:
        """The least loss from here on if it is under `below`; else a bound that is not.

        `paid` was lost on the trail to this state.
        """
        at, cards, tasks, needed, room, thrown, laid = state
        if at == self._end:
            loss = IMPOSSIBLE
            if not tasks & self.plan.contract:
                loss = self.plan.loss_of_unplaced_wilds(cards, needed, room, thrown=thrown)
            self._note(paid + loss, trail)
            return loss
        known = self._known.get(state)
        if known is not None:
            self._spend(effort.LOOK)
            self._note(paid + known[0], trail, known[1])
            return known[0]
        bounds = self._lower_bounds.setdefault((at, cards, tasks, thrown, laid), {})
        self._spend(effort.LOOK + len(bounds) // effort.OPTIONS)
        bound = 0
        for (its_needed, its_room), its_bound in bounds.items():
            if its_needed <= needed and its_room >= room and its_bound > bound:
                bound = its_bound
                if bound >= below:
                    return bound
        free = self._wilds - needed
        bound = max(bound, self._bounds.lower_bound(cards, tasks, free, thrown=thrown))
        best, move = bound, None
        if bound < below:
            best, move = self._best(state, below, bound, paid, trail)
        if move is not None and best < below:
            self._known[state] = best, move
        bounds[needed, room] = best
        return best

    def _best(
        self, state: SearchState, below: int, bound: int, paid: int, trail: Trail
    ) -> tuple[int, Move | None]:
        """The least loss among the moves, and the move; a bound where it is not under `below`."""
        point = self._points[state[0]]
        self._spend(effort.BRANCH + len(point.options) // effort.OPTIONS)
        best, chosen = IMPOSSIBLE, None
        moves = self._run_moves if point.options else self._group_moves
        for move in moves(state, point):
            reach = min(best, below)
            found = move.loss
            if found < reach:
                found += self._least(
                    move.next_state, reach - move.loss, paid + move.loss, (move, trail)
                )
            if found < best:
                best, chosen = found, move
                if best <= bound:
                    break
        return best, chosen

    # The best turn so far

    def _note(self, loss: int, trail: Trail, move: Move | None = None) -> None:
        """Keep the turn if it is better than the best so far; it goes on from a known move."""
        if loss >= self.loss:
            return
        while move is not None:
            trail = (move, trail)
            known = self._known.get(move.next_state)
            move = known[1] if known else None
        self.loss, self._trail = loss, trail

    def chosen_turn(self) -> tuple[list[Move], SearchState]:
        """The decisions of the best turn found, the last one first, and where they lead."""
        moves = []
        trail = self._trail
        while trail is not None:
            move, trail = trail
            moves.append(move)
        return moves, moves[0].next_state if moves else self._start

    # Moves

    def _run_moves(self, state: SearchState, point: DecisionPoint) -> Iterator[Move]:
        at, cards, tasks, needed, room, thrown, laid = state
        # No run first: sets take most cards, and the runs that must be are forced by the bounds.
        yield Move((at + 1, cards, tasks, needed, room, thrown, laid), 0)
        if cards >> point.card_shift & FIELD_MASK:
            guard, task_guard = self.plan.guard, self.plan.task_guard
            for run in point.options:
                rest = (cards | guard) - run.packed_cards
                if rest & guard != guard or needed + run.fewest_wilds > self._wilds:
                    continue
                undone = (tasks | task_guard) - run.tasks
                if undone & task_guard != task_guard:
                    continue
                windows = (
                    laid
                    if run.no_touch_window is None
                    else _beside(laid, (run.lane, *run.no_touch_window))
                )
                if windows is not None:
                    more = min(room + run.most_wilds, self.plan.most_useful_room)
                    then = (at, rest ^ guard, undone ^ task_guard, needed + run.fewest_wilds, more)
                    yield Move((*then, thrown, windows), 0, run)

    def _group_moves(self, state: SearchState, point: DecisionPoint) -> Iterator[Move]:
        at, cards, tasks, needed, room, thrown, laid = state
        count = 0
        for shift in point.lane_shifts:
            count += cards >> shift & FIELD_MASK
        rest = cards & ~point.rank_mask
        if not count:
            yield Move((at + 1, rest, tasks, needed, room, thrown, laid), 0)
            return
        for group, asked in self._groups_of(point, cards, tasks, count, thrown):
            if needed + group.fewest_wilds > self._wilds:
                continue
            more = min(room + group.most_wilds, self.plan.most_useful_room)
            then = (at + 1, rest, tasks - asked, needed + group.fewest_wilds, more)
            if group.kept_count and not thrown:
                loss = (group.kept_count - 1) * point.card_weight
                yield Move((*then, True, laid), loss, None, group, point)
            yield Move(
                (*then, thrown, laid), group.kept_count * point.card_weight, None, group, point
            )

    def _groups_of(
        self, point: DecisionPoint, cards: int, tasks: int, count: int, thrown: bool
    ) -> list[tuple[SetGroup, int]]:
        """The sets that so many naturals of a rank can join, each with the tasks it does."""
        spare = self._rules.must_discard and not thrown
        held = cards & point.rank_mask if self._rules.distinct_sets else count
        key = (point.rank_place, tasks & self.plan.set_tasks, held, spare)
        known = self._groups.get(key)
        if known is None:
            found = self._new_groups(point, cards, tasks, count, spare)
            self._spend(effort.GROUP * len(found))
            known = self._groups[key] = [
                (group, sum(1 << self._rules.task_shift("set", size) for size in group.sizes))
                for group in found
            ]
        return known

    def _new_groups(
        self, point: DecisionPoint, cards: int, tasks: int, count: int, spare: bool
    ) -> list[SetGroup]:
        if point.forms_no_sets:
            return [SetGroup((), 0, 0, count, 0, 0)]
        wanted = self.plan.wanted_set_sizes(tasks)
        table = [one for one in self.plan.table_sets if one.rank_place == point.rank_place]
        if self._rules.distinct_sets:
            suits = self.plan.suits_at(point, cards)
            return distinct_suit_groups(self._rules, wanted, table, suits, count, self._spend)
        return set_groups(self._rules, wanted, bool(table), count, spare)


def _beside(laid: tuple[_Window, ...], new: _Window) -> tuple[_Window, ...] | None:
    """The contract's runs with one more; none where it would continue another."""
    for lane, start, end in laid:
        if lane == new[0] and (start == new[2] or end == new[1]):
            return None
    return tuple(sorted((*laid, new)))
