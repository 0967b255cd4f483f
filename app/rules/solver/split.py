"""A plan split into parts that hardly touch: the lanes of its runs, the ranks of its sets.

All that binds them together is how many cards of a rank its lanes leave to the sets, the wild
cards, the contract's parts and the one discard.
"""

from typing import NamedTuple

from app.rules.solver.groups import Group, groups
from app.rules.solver.lanes import Lane
from app.rules.solver.options import BITS, FIELD, Plan, Step


class Use(NamedTuple):
    """One way to use the cards of a rank that its lanes leave.

    `tasks` are done with `least` wild cards; `loss` is the weight of the cards that stay, `thrown`
    the same if one of them is thrown away. Without a group no card was left.
    """

    tasks: int
    least: int
    loss: int
    thrown: int
    group: Group | None = None


class Split:
    """The lanes and the ranks of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        ranks = [step for step in plan.steps if step.fields and not step.closed]
        # Ranks with few cards leave least choice, so the search should meet them first.
        self.ranks = sorted(ranks, key=lambda step: (self.count(step), step.place))
        self.lanes = [Lane(plan, lane, self.ranks) for lane in range(plan.rules.lanes)]
        self.uses = [self._uses(step) for step in self.ranks]
        """For each rank, and each number of its cards that are left, the ways to use them."""
        self.shifts = range(0, plan.tasks.bit_length(), BITS)
        """The fields of the tasks."""

    def count(self, step: Step) -> int:
        """How many cards of the rank are held."""
        return sum(self.plan.cards >> shift & FIELD for shift in step.fields)

    def undone(self, tasks: int) -> bool:
        """Were no tasks done that are not there (any more)?"""
        guard = self.plan.task_guard
        return (self.plan.tasks | guard) - tasks & guard == guard

    @staticmethod
    def can(plan: Plan) -> bool:
        """Can the plan be split? Not where runs take any suit, or where identity or touch counts.

        With a single lane there is nothing to split.
        """
        rules = plan.rules
        return rules.lanes > 1 and not rules.distinct_sets and not rules.untouching

    def _uses(self, step: Step) -> list[list[Use]]:
        return [[Use(0, 0, 0, 0)]] + [
            [self._use(step, group) for group in self._groups(step, count)]
            for count in range(1, self.count(step) + 1)
        ]

    def _groups(self, step: Step, count: int) -> list[Group]:
        plan = self.plan
        wanted = plan.wanted_sets(plan.tasks) if plan.may_form_set(step) else ()
        found = groups(plan.rules, wanted, step.on_table, count, plan.rules.must_discard)
        return [group for group in found if group.least <= plan.wilds]

    def _use(self, step: Step, group: Group) -> Use:
        tasks = sum(1 << self.plan.task("set", size) for size in group.sizes)
        loss = group.kept * step.weight
        return Use(tasks, group.least, loss, loss - step.weight if group.kept else loss, group)
