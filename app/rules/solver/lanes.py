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
    for (cards, _), outcomes in _laid(plan, lane).items():
        for outcome in outcomes:
            yield cards & to_sets, outcome


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


_Ways = dict[tuple[int, int], list[Outcome]]
"""By the cards that are left and the tasks that are done, what matters besides."""


def _laid(plan: Plan, lane: int) -> _Ways:
    """All that runs can leave of a lane to the sets, with the tasks that they do.

    Place by place, since a card that no run has taken by then stays in hand if no set can have it.
    """
    start = sum(plan.cards & FIELD << shift for (_, at), shift in plan.shifts.items() if at == lane)
    # Where a discard is due, a card for it may be worth more than no card.
    thrown = IMPOSSIBLE if plan.rules.must_discard else 0
    ways = {(start, 0): [Outcome(0, 0, 0, 0, thrown, None)]}
    staying = {
        step.place: (step.weight, shift)
        for step in plan.steps
        if step.closed and (shift := _shift(step, lane)) is not None
    }
    options = [plan.run_options[place, lane] for place in range(plan.rules.length)]
    kept = set(map(id, _indivisible([run for some in options for run in some], plan.wilds)))
    for place, some in enumerate(options):
        for run in some:
            if id(run) in kept:
                _lay_often(plan, run, ways)
        if place in staying:
            ways = _settled(ways, *staying[place])
    return ways


def _settled(ways: _Ways, weight: int, shift: int) -> _Ways:
    """The ways after what is left of a card is known to stay in hand."""
    found: _Ways = {}
    for (cards, tasks), outcomes in ways.items():
        count = cards >> shift & FIELD
        have = found.setdefault((cards - (count << shift), tasks), [])
        lost = count * weight
        for one in outcomes:
            thrown = min(one.thrown + lost, one.loss + lost - weight) if count else one.thrown
            _keep(have, one._replace(loss=one.loss + lost, thrown=thrown))
    return found


def _lay_often(plan: Plan, run: RunOption, ways: _Ways) -> None:
    """Add what comes of laying the run, once or more often, after everything that was laid."""
    guard, task_guard, enough = plan.guard, plan.task_guard, plan.enough
    used, most_before, asked = run.cards, plan.wilds - run.least, plan.tasks | task_guard
    waiting = [one for one in ways.items() if (one[0][0] | guard) - used & guard == guard]
    for (cards, tasks), earlier in waiting:
        done, rest = tasks + run.tasks, (cards | guard) - used ^ guard
        if asked - done & task_guard != task_guard:
            continue
        have = ways.get((rest, done), [])
        better = []
        for _, least, room, loss, thrown, trail in earlier:
            if least <= most_before:
                more = min(room + run.most, enough)
                new = Outcome(done, least + run.least, more, loss, thrown, (run, trail))
                if not have or not any(_as_good(one, new) for one in have):
                    better.append(new)
        if better:
            kept = [one for one in have if not any(_as_good(new, one) for new in better)]
            ways[rest, done] = kept + better
            if (rest | guard) - used & guard == guard:
                waiting.append(((rest, done), better))


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
