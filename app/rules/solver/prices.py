"""What a contract's melds cost in wild cards, while several of them may want the same natural card.

Each kind of natural card has a price, a wild card costs 1. A meld that lies somewhere fills its
places as cheaply as its rules allow, so that a dear natural card may be left to another meld. These
are the prices of a Lagrangian relaxation: what all melds cost, each where it is cheapest, less what
the whole supply is worth, is never more than the wild cards that the contract takes.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from app.rules.cards import Card
from app.rules.contracts import Kind
from app.rules.solver.rules import SolverRules

NEVER = 1000.0
"""The price of what cannot be had."""
SET = -1
"""The lane of all sets."""

Position = tuple[int, int]
"""The lane and the first place of a run, or `SET` and the place of a set's rank."""


class MeldDemand(NamedTuple):
    """A meld that the contract asks for, with the fewest naturals that it needs."""

    kind: Kind
    size: int
    fewest_naturals_needed: int


class HandCards:
    """Cards to lay from, by kinds: cards of a kind are alike to runs and to sets.

    It holds a hand; for `missing.py` also all unseen cards; and all cards of the decks, to find
    contracts that nobody can lay. Of wild cards only the number is kept, but wild 2s stand among
    the naturals, too, where they can count as such.
    """

    def __init__(self, rules: SolverRules, hand: Sequence[Card]) -> None:
        self.rules = rules
        self.wilds = 0
        self.cards: list[list[Card]] = []
        """The cards of each kind."""
        self.in_runs: list[list[tuple[int, ...]]] = [
            [()] * rules.length for _ in range(rules.lanes)
        ]
        """By lane and place, the kinds that a run takes there."""
        self.in_sets: dict[int, tuple[int, ...]] = {}
        """By the place of their rank, the kinds that sets take."""
        self.own: list[int] = []
        """The kinds of the wild 2s that count as natural in their own place."""
        kinds: dict[tuple[int, object], int] = {}
        for card in sorted(hand):
            wild, place, lane = rules.locate(card)
            self.wilds += wild
            if place < 0:
                continue
            key: tuple[int, object] = (place, lane)
            if rules.any_suit and rules.distinct_sets:
                # What has no suit is like no other card in a set.
                key = place, card.suit or len(self.cards)
            if key in kinds:
                self.cards[kinds[key]].append(card)
                continue
            kind = kinds[key] = len(self.cards)
            self.cards.append([card])
            self.in_runs[lane][place] += (kind,)
            if wild:
                self.own.append(kind)
            else:
                self.in_sets[place] = (*self.in_sets.get(place, ()), kind)
        if rules.two_ends:
            for places in self.in_runs:
                places[0] = places[-1]
        self.counts = [len(cards) for cards in self.cards]

    def copies_for_set(self, kind: int, size: int) -> int:
        """How many cards of a kind a set of that size takes at most."""
        return min(self.counts[kind], 1 if self.rules.distinct_sets else size)

    def meld_positions(self, meld: MeldDemand) -> list[Position]:
        """Where the meld can lie if it gets all that it wants."""
        if meld.kind == "set":
            return [
                (SET, place)
                for place, kinds in self.in_sets.items()
                if sum(self.copies_for_set(kind, meld.size) for kind in kinds)
                >= meld.fewest_naturals_needed
            ]
        found = []
        for lane, places in enumerate(self.in_runs):
            mask = sum(bool(kinds) << at for at, kinds in enumerate(places))
            found += [(lane, start) for start in run_starts(self.rules, meld.size, mask)]
        return found


@lru_cache(maxsize=8192)
def run_starts(rules: SolverRules, size: int, mask: int) -> tuple[int, ...]:
    """Where a run of that size can begin with a natural for each place of the mask at most."""
    found = []
    if size <= rules.longest_run:
        for start in range(rules.length - size + 1):
            wilds = ~mask >> start & (1 << size) - 1
            crowded = rules.wilds_apart and wilds & wilds >> 1
            if size - wilds.bit_count() >= rules.fewest_naturals(size) and not crowded:
                found.append(start)
    return tuple(found)


class ShadowPrices:
    """Prices of all kinds of natural cards, in wild cards, and what melds cost under them."""

    def __init__(self, supply: HandCards, prices: Sequence[float]) -> None:
        self._supply = supply
        self._apart = supply.rules.wilds_apart
        self.worth = sum(map(float.__mul__, prices, map(float, supply.counts)))
        """What the whole supply is worth."""
        self._of_kinds = list(prices)
        for kind in supply.own:
            self._of_kinds[kind] += 1
        self._choices: dict[tuple[MeldDemand, Position], tuple[float, list[int]]] = {}
        priced = list(zip(self._of_kinds, range(len(prices)), strict=True))
        self._cheapest = [
            [min([priced[kind] for kind in kinds], default=(NEVER, -1)) for kinds in places]
            for places in supply.in_runs
        ]
        """By lane and place, the price and the kind of the cheapest natural."""

    def cheapest_fill(self, meld: MeldDemand, position: Position) -> tuple[float, list[int]]:
        """What the meld costs there, and the kinds of the naturals that it takes."""
        known = self._choices.get((meld, position))
        if known is None:
            lane, start = position
            known = self._set(meld, start) if lane == SET else self._run(meld, lane, start)
            self._choices[meld, position] = known
        return known

    def _run(self, meld: MeldDemand, lane: int, start: int) -> tuple[float, list[int]]:
        prices, kinds = zip(*self._cheapest[lane][start : start + meld.size], strict=True)
        places = range(meld.size)
        if self._apart:
            taken = _natural_places(places, prices, meld.fewest_naturals_needed)
        else:
            order = sorted(places, key=prices.__getitem__)
            taken = [
                at
                for rank, at in enumerate(order)
                if prices[at] < 1 or rank < meld.fewest_naturals_needed
            ]
        cost = meld.size + sum(prices[at] - 1 for at in taken)
        return cost, [kinds[at] for at in taken]

    def _set(self, meld: MeldDemand, place: int) -> tuple[float, list[int]]:
        cost = float(meld.size)
        taken: list[int] = []
        for kind in sorted(self._supply.in_sets[place], key=self._of_kinds.__getitem__):
            price = self._of_kinds[kind]
            for _ in range(self._supply.copies_for_set(kind, meld.size)):
                if len(taken) < (meld.size if price < 1 else meld.fewest_naturals_needed):
                    cost += price - 1
                    taken.append(kind)
        return cost, taken


def _natural_places(places: Sequence[int], prices: Sequence[float], naturals: int) -> list[int]:
    """The places that take a natural where that is cheapest and no two wild cards are neighbours.

    At least so many of them.
    """
    reached: dict[tuple[bool, int], tuple[float, list[int]]] = {(False, 0): (0, [])}
    for at in places:
        then: dict[tuple[bool, int], tuple[float, list[int]]] = {}
        for (after_wild, count), (cost, taken) in reached.items():
            key = (False, min(count + 1, naturals))
            longer = (cost + prices[at], [*taken, at])
            then[key] = min(longer, then.get(key, longer))
            if not after_wild:
                then[True, count] = min((cost + 1, taken), then.get((True, count), (NEVER, [])))
        reached = then
    return min(end for (_, count), end in reached.items() if count == naturals)[1]
