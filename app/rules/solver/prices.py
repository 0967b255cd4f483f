"""Prices at which lanes and ranks can be looked at one by one, and the floor that they prove.

Let each card that a lane leaves to a set have a price, which the lane pays and the set is paid,
and each wild card, each part of the contract and the discard as well. Then every lane and rank
does what is cheapest for itself, and all those costs together are no more than the loss of any
turn: for a turn that really fits together the prices cancel out. (This is Lagrange's relaxation;
the prices are found by walking along the subgradient.) Any prices prove a true floor, so that
rounding them does no harm; weights are counted in fine units to have whole numbers.
"""

from dataclasses import dataclass
from math import hypot

from app.rules.solver.lanes import Kind, Lane, Node
from app.rules.solver.options import FIELD
from app.rules.solver.split import Split

FINE = 1024
"""So many fine units weigh 1."""

_ROUNDS = 25
_WORK = 60_000
"""So many places of the lanes' trees are looked at on one walk, or a few rounds are made."""
_SHORTER = 0.9
"""How long each stride of the walk is, compared with the one before."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices in fine units: for a card of each rank, a wild card, each task, and the discard."""

    ranks: tuple[int, ...]
    wild: int
    tasks: tuple[tuple[int, int], ...]
    """Each with the shift of the task's field."""
    thrown: int

    def cost(self, tasks: int, least: int, loss: int, thrown: int) -> int:
        """What it costs to do those tasks with so many wild cards and that loss."""
        cost = self.wild * least + min(FINE * loss, FINE * thrown + self.thrown)
        if tasks:
            for shift, price in self.tasks:
                cost -= price * (tasks >> shift & FIELD)
        return cost


class Pricing:
    """The search for good prices for one split."""

    def __init__(self, split: Split) -> None:
        plan = split.plan
        self._split = split
        self._tasks = [(shift, plan.tasks >> shift & FIELD) for shift in split.shifts]
        weights = plan.rules.weights.values()
        self._cheapest, self._dearest = FINE * min(weights), FINE * max(weights)
        places = sum(len(lane.nodes) for lane in split.lanes)
        self._rounds = max(6, min(_ROUNDS, _WORK // places))
        ranks = len(split.ranks)
        self._wild_at = ranks
        self._first_task = ranks + 1
        self._lowest = [-self._dearest * 9] * ranks + [0]
        self._lowest += [-self._dearest * 99] * len(self._tasks) + [0]
        self._highest = [self._dearest * 99] * len(self._lowest)
        for at, (shift, _) in enumerate(self._tasks, self._first_task):
            if not plan.contract >> shift & FIELD:
                # What need not be done can only be dear, never be asked for.
                self._highest[at] = 0

    def start(self, wild: int) -> list[int]:
        """Prices to begin the walk with."""
        return [0] * self._wild_at + [wild] + [0] * len(self._tasks) + [self._cheapest]

    def best(self, wild: int | None = None) -> tuple[int, Prices]:
        """The highest floor that the walk meets, in fine units, and its prices.

        With `wild` the price of a wild card is set, and only the others are looked for.
        """
        at = self.start(wild or 0)
        chosen = self._prices(at)
        floor, strains = self.floor(chosen)
        best = floor
        stride = 0.6 * max(self._dearest, wild or 0)
        for _ in range(self._rounds):
            if wild is not None:
                strains[self._wild_at] = 0
            length = hypot(*strains)
            if not length:
                break
            at = self._moved(at, strains, stride / length)
            stride *= _SHORTER
            prices = self._prices(at)
            floor, strains = self.floor(prices)
            if floor > best:
                best, chosen = floor, prices
        return best, chosen

    def floor(self, prices: Prices) -> tuple[int, list[int]]:
        """The floor that the prices prove, and how far from fitting together the cheapest are.

        The strains stand in the order of the prices: how many cards more the lanes leave than the
        ranks take, how many wild cards more are used than there are, and so on.
        """
        strains = [0] * self._wild_at + [-self._split.plan.wilds]
        strains += [count for _, count in self._tasks] + [-1]
        floor = self.settled(prices)
        for lane in self._split.lanes:
            floor += self._lane_cost(lane, prices, strains)
        for at, price in enumerate(prices.ranks):
            floor += self._rank_cost(at, price, prices, strains)
        return floor, strains

    def settled(self, prices: Prices) -> int:
        """What all that is there is worth together: the tasks, less the wild cards and discard."""
        worth = -prices.wild * self._split.plan.wilds - prices.thrown
        both = zip(prices.tasks, self._tasks, strict=True)
        return worth + sum(price * count for (_, price), (_, count) in both)

    def _prices(self, at: list[int]) -> Prices:
        tasks = at[self._first_task : -1]
        shifts = self._split.shifts
        return Prices(
            tuple(at[: self._wild_at]),
            at[self._wild_at],
            tuple(zip(shifts, tasks, strict=True)),
            at[-1],
        )

    def _moved(self, at: list[int], strains: list[int], stride: float) -> list[int]:
        return [
            max(lowest, min(highest, price + round(stride * strain)))
            for price, strain, lowest, highest in zip(
                at, strains, self._lowest, self._highest, strict=True
            )
        ]

    def _lane_cost(self, lane: Lane, prices: Prices, strains: list[int]) -> int:
        """The least cost of the lane's outcomes; the strains of one that has it are added."""
        costs = {kind: prices.cost(*kind) for kind in lane.kinds}
        per_depth = [prices.ranks[at] for at in lane.ranks]
        for node in lane.nodes:
            if node.branches:
                price = per_depth[node.depth]
                node.low = min([below.low + price * count for count, below in node.branches])
            else:
                node.low = min([costs[kind] for kind in node.kinds])
        self._strain_lane(lane, prices, costs, strains)
        return lane.root.low

    def _strain_lane(
        self, lane: Lane, prices: Prices, costs: dict[Kind, int], strains: list[int]
    ) -> None:
        node: Node = lane.root
        for at in lane.ranks:
            low = node.low
            count, node = next(
                (count, below)
                for count, below in node.branches
                if below.low + prices.ranks[at] * count == low
            )
            strains[at] += count
        self._strain(prices, min(node.kinds, key=costs.__getitem__), strains)

    def _rank_cost(self, at: int, price: int, prices: Prices, strains: list[int]) -> int:
        cost, count, kind = min(
            (prices.cost(*use[:4]) - price * count, count, use[:4])
            for count, uses in enumerate(self._split.uses[at])
            for use in uses
        )
        strains[at] -= count
        self._strain(prices, kind, strains)
        return cost

    def _strain(self, prices: Prices, kind: Kind, strains: list[int]) -> None:
        tasks, least, loss, thrown = kind
        strains[self._wild_at] += least
        for at, (shift, _) in enumerate(self._tasks, self._first_task):
            strains[at] -= tasks >> shift & FIELD
        strains[-1] += FINE * thrown + prices.thrown < FINE * loss
