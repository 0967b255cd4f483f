"""What the runs of one lane can leave of its cards: every outcome that matters, each once.

Runs of one suit never touch the cards of another. So each lane is looked at by itself: which runs
it lays, with how many wild cards, and which cards it leaves to the sets. The outcomes stand in a
tree, one branch for each number of cards left of the first rank, then of the second, and so on,
so that `joining.py` can follow all lanes rank by rank.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from app.rules.solver.options import FIELD, IMPOSSIBLE, Plan, RunOption, Step

Trail = tuple[RunOption, "Trail"] | None
"""Runs laid, the last one first."""


class Outcome(NamedTuple):
    """Runs of one lane, apart from which cards they leave to the sets.

    `tasks` are done by them, with `least` wild cards and room for so many in all. `loss` is the
    weight of the cards that stay in hand whatever the sets do, `thrown` the same if the dearest of
    them is thrown away (impossible where one is due and none stays).
    """

    tasks: int
    least: int
    room: int
    loss: int
    thrown: int
    trail: Trail

    @property
    def kind(self) -> "Kind":
        """What counts for its cost."""
        return self.tasks, self.least, self.loss, self.thrown

    @property
    def runs(self) -> Iterator[RunOption]:
        """The runs that lead to it."""
        trail = self.trail
        while trail is not None:
            run, trail = trail
            yield run


Kind = tuple[int, int, int, int]
"""What counts of an outcome for its cost: tasks, wild cards, loss, loss with a card thrown away."""


class Node:
    """A place in the tree of a lane: branches by the number of cards left, or outcomes at the end.

    `fewest` is the least number of wild cards of any outcome from here on. `low` is the least cost
    of any under the prices that are being tried, `floors` under those that the search goes by.
    """

    __slots__ = ("branches", "depth", "fewest", "floors", "kinds", "low", "outcomes")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.branches: list[tuple[int, Node]] = []
        self.outcomes: list[Outcome] = []
        self.kinds: tuple[Kind, ...] = ()
        self.fewest = 0
        self.low = 0
        self.floors = (0, 0)


class Lane:
    """The tree of one lane. `ranks` tells for each rank asked about if the lane holds any."""

    def __init__(self, plan: Plan, lane: int, ranks: Sequence[Step]) -> None:
        shifts = [_shift(step, lane) for step in ranks]
        self.ranks = [at for at, shift in enumerate(shifts) if shift is not None]
        self.nodes: list[Node] = []
        """Every node, each after those below it."""
        left = [shift for shift in shifts if shift is not None]
        rows = [
            (tuple(cards >> shift & FIELD for shift in left), outcome)
            for cards, outcome in _outcomes(plan, lane, left)
        ]
        self.root = self._grown(rows, 0)
        self.kinds = {kind for node in self.nodes for kind in node.kinds}

    def _grown(self, rows: list[tuple[tuple[int, ...], Outcome]], depth: int) -> Node:
        node = Node(depth)
        if depth == len(self.ranks):
            node.outcomes = [outcome for _, outcome in rows]
            node.fewest = min(outcome.least for outcome in node.outcomes)
            node.kinds = tuple({one.kind for one in node.outcomes})
        else:
            parted: dict[int, list[tuple[tuple[int, ...], Outcome]]] = {}
            for row in rows:
                parted.setdefault(row[0][depth], []).append(row)
            node.branches = [
                (count, self._grown(some, depth + 1)) for count, some in parted.items()
            ]
            node.fewest = min(below.fewest for _, below in node.branches)
        self.nodes.append(node)
        return node


def _shift(step: Step, lane: int) -> int | None:
    return step.fields[step.lanes.index(lane)] if lane in step.lanes else None


def _outcomes(plan: Plan, lane: int, left: Iterable[int]) -> Iterator[tuple[int, Outcome]]:
    """The outcomes of a lane with the cards that they leave to the sets."""
    to_sets = sum(FIELD << shift for shift in left)
    staying = [
        (step.weight, shift)
        for step in plan.steps
        if step.closed and (shift := _shift(step, lane)) is not None
    ]
    # Where a discard is due, a card for it may be worth more than no card.
    none_to_throw = -IMPOSSIBLE if plan.rules.must_discard else 0
    best: dict[tuple[int, int], list[Outcome]] = {}
    for (cards, tasks), ways in _laid(plan, lane).items():
        weights = [(weight, cards >> shift & FIELD) for weight, shift in staying]
        loss = sum(weight * count for weight, count in weights)
        dearest = max((weight for weight, count in weights if count), default=none_to_throw)
        have = best.setdefault((cards & to_sets, tasks), [])
        for least, room, trail in ways:
            _keep(have, Outcome(tasks, least, room, loss, loss - dearest, trail))
    for (cards, _), outcomes in best.items():
        for outcome in outcomes:
            yield cards, outcome


def _keep(have: list[Outcome], new: Outcome) -> None:
    """Add an outcome unless another is as good in everything; drop those that it makes needless."""
    if any(_as_good(one, new) for one in have):
        return
    have[:] = [one for one in have if not _as_good(new, one)]
    have.append(new)


def _as_good(one: Outcome, other: Outcome) -> bool:
    return (
        one.least <= other.least
        and one.room >= other.room
        and one.loss <= other.loss
        and one.thrown <= other.thrown
    )


_Way = tuple[int, int, Trail]
"""Wild cards needed, wild cards that find room, and the runs."""


def _laid(plan: Plan, lane: int) -> dict[tuple[int, int], list[_Way]]:
    """All that runs can leave of a lane and the tasks that they do, with the best ways to it."""
    start = sum(plan.cards & FIELD << shift for (_, at), shift in plan.shifts.items() if at == lane)
    ways: dict[tuple[int, int], list[_Way]] = {(start, 0): [(0, 0, None)]}
    options = [plan.run_options[place, lane] for place in range(plan.rules.length)]
    for run in _indivisible([run for some in options for run in some], plan.wilds):
        _lay_often(plan, run, ways)
    return ways


def _lay_often(plan: Plan, run: RunOption, ways: dict[tuple[int, int], list[_Way]]) -> None:
    """Add what comes of laying the run, once or more often, after everything that was laid."""
    guard, task_guard, enough = plan.guard, plan.task_guard, plan.enough
    waiting = list(ways.items())
    for (cards, tasks), earlier in waiting:
        rest, done = (cards | guard) - run.cards, tasks + run.tasks
        undone = (plan.tasks | task_guard) - done
        if rest & guard != guard or undone & task_guard != task_guard:
            continue
        new: list[_Way] = [
            (needed + run.least, min(room + run.most, enough), (run, trail))
            for needed, room, trail in earlier
            if needed + run.least <= plan.wilds
        ]
        have = ways.get((rest ^ guard, done), [])
        better = [way for way in new if not any(_no_worse(one, way) for one in have)]
        if better:
            kept = [way for way in have if not any(_no_worse(one, way) for one in better)]
            ways[rest ^ guard, done] = kept + better
            waiting.append(((rest ^ guard, done), better))


def _no_worse(one: _Way, other: _Way) -> bool:
    return one[0] <= other[0] and one[1] >= other[1]


def _indivisible(runs: list[RunOption], wilds: int) -> Iterator[RunOption]:
    """The runs but those for which two shorter ones would do as well.

    Two will do if they take the same cards, do the same tasks, need no more wild cards, and have
    no less room for them.
    """
    alike: dict[int, list[RunOption]] = {}
    for run in runs:
        if run.onto is None:
            alike.setdefault(run.mask, []).append(run)
    for run in runs:
        if run.onto is not None or not any(
            low.tasks + high.tasks == run.tasks
            and low.least + high.least <= run.least
            and low.most + high.most >= min(run.most, wilds)
            for below, above in _halves(run.mask)
            for low in alike.get(below, ())
            for high in alike.get(above, ())
        ):
            yield run


def _halves(mask: int) -> Iterator[tuple[int, int]]:
    """The mask cut in two between any two of its places."""
    below = 0
    while mask & mask - 1:
        lowest = mask & -mask
        below |= lowest
        mask ^= lowest
        yield below, mask
