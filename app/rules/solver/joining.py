"""The search for long hands: outcomes of the lanes joined rank by rank. As exact as the walk.

Where the walk through the steps of a plan (`packing.py`) would take long, the plan is split. What
each lane can do is listed beforehand; then, rank by rank, the search decides how many cards each
lane leaves and what the sets make of them. Two floors cut it off: one at the best prices, which
tells what must be lost, and one at a high price for wild cards, which tells where those run out.
"""

from collections.abc import Iterator
from typing import NamedTuple

from app.rules.solver.endings import Chosen, TooLong, loss_of_wilds
from app.rules.solver.lanes import Lane, Node, Outcome
from app.rules.solver.options import IMPOSSIBLE, Plan
from app.rules.solver.prices import FINE, Pricing
from app.rules.solver.split import Split, Use

_Floors = tuple[int, int]


class _Tally(NamedTuple):
    """What the decisions so far come to."""

    tasks: int
    least: int
    room: int
    loss: int
    thrown: bool


class _Way(NamedTuple):
    """One way to decide a rank: its floors, what it adds to what is paid, where the lanes go on."""

    hope: int
    floors: _Floors
    price: _Floors
    use: Use
    nodes: tuple[Node, ...]


class Joining:
    """The search through one plan that can be split."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._split = split = Split(plan)
        pricing = Pricing(split)
        floor, best = pricing.best()
        _, scarce = pricing.best(FINE * max(plan.rules.weights.values()))
        self._floor = max(0, -(-floor // FINE))
        self._prices = (best, scarce)
        self._start: _Floors = (pricing.settled(best), pricing.settled(scarce))
        for lane in split.lanes:
            self._set_floors(lane)
        self._holders = [
            [at for at, lane in enumerate(split.lanes) if rank in lane.ranks]
            for rank in range(len(split.ranks))
        ]
        self._costs = [
            [[(use, (best.cost(*use[:4]), scarce.cost(*use[:4]))) for use in uses] for uses in rank]
            for rank in split.uses
        ]
        self._ahead = self._floors_ahead()
        self._all = sum(plan.wild_weights) + sum(
            plan.rules.weights[card.rank]
            for cards in plan.holding.naturals.values()
            for card in cards
        )
        """What the whole hand weighs."""
        self._limit = IMPOSSIBLE
        self._patience = 0
        self._found: Chosen | None = None

    def least_loss(self, below: int, proven: int, patience: int) -> int:
        """The least loss of a turn that lays the contract, or a number not under `below`.

        That no turn loses less than `proven` is known. The search asks for little more than must
        be lost first, and then for more and more. Raises `TooLong` after `patience` decisions; it
        may be asked again, and what it has proved until then it knows.
        """
        self._patience = patience
        self._found = None
        weights = self._plan.rules.weights
        stride = max(1, max(weights.values()) // 3)
        self._floor = max(proven, self._floor)
        while self._floor < below:
            if self._floor > self._all:
                return IMPOSSIBLE
            reach = min(below, self._floor + stride)
            if self._finds(reach):
                return self._limit
            self._floor = reach
        return below

    def _finds(self, below: int) -> bool:
        """Is there a turn that loses less? Then the best of them is kept."""
        self._limit = below
        start = _Tally(0, 0, self._plan.room, 0, thrown=False)
        self._visit(0, self._start, tuple(lane.root for lane in self._split.lanes), start, ())
        return self._found is not None

    def chosen(self) -> Chosen:
        """The decisions of the turn that was found."""
        if self._found is None:
            raise ValueError("no turn was found")
        return self._found

    # Floors

    def _set_floors(self, lane: Lane) -> None:
        best, scarce = self._prices
        costs = {kind: (best.cost(*kind), scarce.cost(*kind)) for kind in lane.kinds}
        for node in lane.nodes:
            if node.branches:
                at = lane.ranks[node.depth]
                both = [
                    (
                        below.floors[0] + best.ranks[at] * count,
                        below.floors[1] + scarce.ranks[at] * count,
                    )
                    for count, below in node.branches
                ]
            else:
                both = [costs[kind] for kind in node.kinds]
            node.floors = min(one for one, _ in both), min(other for _, other in both)

    def _floors_ahead(self) -> list[_Floors]:
        """What the ranks from each one on cost at the least."""
        ahead = [(0, 0)]
        for at in range(len(self._costs) - 1, -1, -1):
            one, other = ahead[-1]
            ahead.append((one + self._least_cost(at, 0), other + self._least_cost(at, 1)))
        return ahead[::-1]

    def _least_cost(self, rank: int, which: int) -> int:
        price = self._prices[which].ranks[rank]
        return min(
            cost[which] - price * count
            for count, uses in enumerate(self._costs[rank])
            for _, cost in uses
        )

    # The search

    def _visit(
        self,
        depth: int,
        paid: _Floors,
        nodes: tuple[Node, ...],
        tally: _Tally,
        uses: tuple[Use, ...],
    ) -> None:
        if not self._patience:
            raise TooLong
        self._patience -= 1
        if depth == len(self._costs):
            self._meet(nodes, tally, uses)
            return
        for way in sorted(self._ways(depth, paid, nodes, tally.least), key=lambda way: way.hope):
            use = way.use
            tasks = tally.tasks + use.tasks
            if max(way.floors) > self._most() or not self._split.undone(tasks):
                continue
            price = paid[0] + way.price[0], paid[1] + way.price[1]
            for then in self._tallies(tally, tasks, use):
                self._visit(depth + 1, price, way.nodes, then, (*uses, use))

    def _most(self) -> int:
        """The highest floor under which a better turn than the best so far may be found."""
        return FINE * (self._limit - 1)

    def _tallies(self, tally: _Tally, tasks: int, use: Use | Outcome) -> Iterator[_Tally]:
        """The tally with one decision more: without, and with, a card thrown away by it."""
        more = use.room if isinstance(use, Outcome) else use.group.most if use.group else 0
        least = tally.least + use.least
        room = min(tally.room + more, self._plan.enough)
        if tally.loss + use.loss < self._limit:
            yield _Tally(tasks, least, room, tally.loss + use.loss, tally.thrown)
        if use.thrown < use.loss and not tally.thrown:
            yield _Tally(tasks, least, room, tally.loss + use.thrown, thrown=True)

    def _ways(
        self, depth: int, paid: _Floors, nodes: tuple[Node, ...], least: int
    ) -> Iterator[_Way]:
        """The ways to decide a rank that may lead to a better turn."""
        one, other = self._ahead[depth + 1]
        one, other = one + paid[0], other + paid[1]
        most, wilds = self._most(), self._plan.wilds - least
        costs = self._costs[depth]
        for count, below in self._left(depth, nodes):
            first = one + sum([node.floors[0] for node in below])
            second = other + sum([node.floors[1] for node in below])
            fewest = sum([node.fewest for node in below])
            for use, price in costs[count]:
                floors = first + price[0], second + price[1]
                if max(floors) <= most and fewest + use.least <= wilds:
                    yield _Way(sum(floors), floors, price, use, below)

    def _left(self, depth: int, nodes: tuple[Node, ...]) -> list[tuple[int, tuple[Node, ...]]]:
        """How many cards of a rank the lanes can leave together, and where each goes on."""
        left = [(0, nodes)]
        for at in self._holders[depth]:
            left = [
                (count + more, (*some[:at], below, *some[at + 1 :]))
                for count, some in left
                for more, below in nodes[at].branches
            ]
        return left

    def _meet(self, nodes: tuple[Node, ...], tally: _Tally, uses: tuple[Use, ...]) -> None:
        """The best choice of outcomes, one for each lane, where all cards left are decided."""
        reached: dict[_Tally, tuple[Outcome, ...]] = {tally: ()}
        for node in nodes:
            longer: dict[_Tally, tuple[Outcome, ...]] = {}
            for so_far, outcomes in reached.items():
                for outcome in node.outcomes:
                    tasks = so_far.tasks + outcome.tasks
                    if so_far.least + outcome.least > self._plan.wilds:
                        continue
                    if self._split.undone(tasks):
                        for then in self._tallies(so_far, tasks, outcome):
                            longer.setdefault(then, (*outcomes, outcome))
            reached = longer
        for end, outcomes in reached.items():
            self._end(end, outcomes, uses)

    def _end(self, end: _Tally, outcomes: tuple[Outcome, ...], uses: tuple[Use, ...]) -> None:
        if (self._plan.tasks - end.tasks) & self._plan.contract:
            return
        loss = end.loss + loss_of_wilds(self._plan, end.least, end.room, thrown=end.thrown)
        if loss < self._limit:
            self._limit = loss
            steps = self._split.ranks
            self._found = Chosen(
                tuple(run for outcome in outcomes for run in outcome.runs),
                tuple(
                    (use.group, step)
                    for use, step in zip(uses, steps, strict=True)
                    if use.group is not None
                ),
                end.least,
                end.room,
                end.thrown,
            )
