"""How far a hand is from its contract: the fewest cards that it lacks, and where they lack.

The melds of the contract are laid everywhere they could lie with the cards that are out there
(branch and bound). Where they lie, a maximum matching tells what the hand fills of them
(`Assignment`): first the natural cards that melds need, then all that fit, then wild cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from app.rules.card_supply import full_pack
from app.rules.cards import SUITS, Card
from app.rules.contracts import Part
from app.rules.solver.effort import Effort, TooManyWays
from app.rules.solver.feasibility import (
    Assignment,
    ContractSearch,
    Lying,
    agrees,
    matched_naturals,
    melds_asked_for,
)
from app.rules.solver.prices import SET, HandCards, MeldDemand
from app.rules.solver.rules import SolverRules, rules_for
from app.rules.variant import Variant

NEAREST_BUDGET = 150_000
"""Steps that the search for the nearest way may take, and that for the cards that complete it."""
_SLOT = 8
"""Steps for each place of a meld that is filled."""


@dataclass(frozen=True, slots=True)
class NearMeld:
    """A meld of the contract as far as the hand fills it, in table order.

    Where `cards` has none, the card of `stands_for` lacks; `takes_wild` tells whether a wild card
    can lie in place of one that lacks.
    """

    part: Part
    cards: tuple[Card | None, ...]
    stands_for: tuple[Card, ...]
    takes_wild: bool

    @property
    def lacks(self) -> list[Card]:
        """The cards that it lacks."""
        places = zip(self.cards, self.stands_for, strict=True)
        return [meant for card, meant in places if card is None]


@dataclass(frozen=True, slots=True)
class NearestWay:
    """The nearest way to a contract: how many cards are missing, and the melds as far as they are.

    Where the search took all its steps, it is the best that it found and not exact; nor is it where
    it cannot be said in time which cards complete it. `completed_by`
    are the cards of which one alone completes it, each with how many are out there at most; a card
    without a suit stands for all of its rank.
    """

    missing: int
    melds: tuple[NearMeld, ...] = ()
    is_exact: bool = True
    completed_by: tuple[tuple[Card, int], ...] = ()


def unseen_cards(variant: Variant, decks: int, seen: Sequence[Card]) -> list[Card]:
    """The cards of the decks less those seen; one without a suit is any of its rank."""
    left = Counter(full_pack(variant, decks))
    for card in sorted(seen, key=lambda one: not one.suit):
        suited = [card] if card.suit or card.is_joker else [Card(card.rank, s) for s in SUITS]
        left[max(suited, key=left.__getitem__)] -= 1
    return list(left.elements())


def nearest_way(
    variant: Variant, number: int, hand: Sequence[Card], unseen: Sequence[Card]
) -> NearestWay | None:
    """The nearest way to the contract with cards that are out there.

    None where there is none, or none was found before the steps were spent.
    """
    if variant.must_discard_to_go_out:
        variant = replace(variant, must_discard_to_go_out=False)
    rules = rules_for(variant, number)
    search = _Search(rules, hand, unseen, Effort(NEAREST_BUDGET))
    found = search.run()
    if found is None or found.missing != 1:
        return found
    effort = Effort(NEAREST_BUDGET)
    completing: Counter[Card] = Counter()
    try:
        for card, copies in sorted(Counter(unseen).items()):
            one = ContractSearch(rules, [*hand, card])
            if one.find() is not None:
                completing[card] = copies
            effort.spend(one.effort.steps_taken + 1)
    except TooManyWays:
        return replace(found, is_exact=False)
    return replace(found, completed_by=tuple(_by_rank(completing, set(unseen))))


def lacks_at_most(
    rules: SolverRules, hand: Sequence[Card], missing: int, unseen: Sequence[Card]
) -> bool:
    """Does the hand lack no more cards than so many? Where that cannot be told in time, no."""
    search = _Search(rules, hand, unseen, Effort(NEAREST_BUDGET // 10), missing + 1)
    return search.run() is not None


def _by_rank(cards: Counter[Card], unseen: set[Card]) -> Iterator[tuple[Card, int]]:
    """The cards, those of a rank together where all of it that are out there are among them."""
    for rank in dict.fromkeys(card.rank for card in cards):
        suits = [card for card in cards if card.rank == rank]
        if len(suits) > 1 and {card for card in unseen if card.rank == rank} == set(suits):
            yield Card(rank), sum(cards[card] for card in suits)
        else:
            yield from ((card, cards[card]) for card in suits)


class _Search:
    """The search for one hand: each part of the contract somewhere, with the fewest cards more."""

    def __init__(
        self,
        rules: SolverRules,
        hand: Sequence[Card],
        unseen: Sequence[Card],
        effort: Effort,
        below: int = 1000,
    ) -> None:
        self._rules, self._effort, self._below = rules, effort, below
        self._all = HandCards(rules, [*hand, *unseen])
        held = Counter(hand)
        self._wilds = sum(rules.variant.is_wild(card) for card in hand)
        self._stock = [
            [card for card in dict.fromkeys(cards) for _ in range(min(held[card], len(cards)))]
            for cards in self._all.cards
        ]
        self._counts = [len(cards) for cards in self._stock]
        self._wild_cards = [card for card in hand if rules.variant.is_wild(card)]
        self._melds = sorted(melds_asked_for(rules), key=lambda one: (one.kind, -one.size))
        self._places = [self._positions(meld) for meld in self._melds]
        self._found: tuple[NearMeld, ...] | None = None

    def run(self) -> NearestWay | None:
        """The nearest way that lacks fewer cards than `below`."""
        if not all(self._places):
            return None
        is_exact = True
        try:
            self._choose([])
        except TooManyWays:
            is_exact = False
        if self._found is None:
            return None
        return NearestWay(self._below, self._found, is_exact)

    def _positions(self, meld: MeldDemand) -> list[tuple[int, Lying]]:
        """Where the meld can lie, those first where the hand alone fills most; and how much."""
        found = []
        for lane, start in self._all.meld_positions(meld):
            if lane == SET:
                each = 1 if self._rules.distinct_sets else meld.size
                kinds = self._all.in_sets[start]
                filled = min(meld.size, sum(min(each, self._counts[kind]) for kind in kinds))
            else:
                places = self._all.in_runs[lane][start : start + meld.size]
                filled = sum(any(self._counts[kind] for kind in kinds) for kinds in places)
            found.append((filled, (meld, (lane, start))))
        return sorted(found, key=lambda one: -one[0])

    def _choose(self, picked: list[tuple[int, Lying]]) -> None:
        """Lay the next meld everywhere, as long as that can still come to less than `below`."""
        at = len(picked)
        melds = [lying for _index, lying in picked]
        if at == len(self._melds):
            if self._can_be_filled(melds):
                self._fill(melds)
            return
        assignment, _, _ = self._matched_naturals(melds, self._counts)
        free = sum(map(len, assignment.held)) + self._wilds
        rest = sum(places[0][0] for places in self._places[at + 1 :])
        alike = at > 0 and self._melds[at] == self._melds[at - 1]
        first = picked[-1][0] if alike else 0
        for index, (filled, lying) in enumerate(self._places[at][first:], first):
            # So much of all melds can be filled at the most.
            if self._rules.contract.size - free - rest - filled >= self._below:
                break
            if agrees(self._rules, lying, melds):
                self._choose([*picked, (index, lying)])

    def _matched_naturals(
        self, melds: Sequence[Lying], counts: Sequence[int], forced: tuple[int, ...] = ()
    ) -> tuple[Assignment, list[range], int]:
        self._effort.spend(_SLOT * sum(1 if at[0] == SET else one.size for one, at in melds))
        return matched_naturals(self._all, melds, counts, forced)

    def _can_be_filled(self, melds: Sequence[Lying]) -> bool:
        """Are there cards enough for these melds, the unseen ones included?"""
        assignment, _, lacking = self._matched_naturals(melds, self._all.counts)
        held = sum(map(len, assignment.held))
        return not lacking and self._rules.contract.size - held <= self._all.wilds

    def _fill(self, melds: Sequence[Lying], forced: tuple[int, ...] = ()) -> None:
        """Fill the melds with the hand, and keep it if less lacks than in the best so far."""
        assignment, members, lacking = self._matched_naturals(melds, self._counts, forced)
        own = sum(held.count(kind) for held in assignment.held for kind in self._all.own)
        naturals = sum(map(len, assignment.held)) - own
        least = max(lacking, self._rules.contract.size - naturals - self._wilds)
        if least >= self._below:
            return
        left, clash = self._wilds - own, None
        wild_at: set[tuple[int, int]] = set()
        for at, (meld, (lane, _)) in enumerate(melds):
            slots = members[at]
            room = min(left, meld.size - meld.fewest_naturals_needed)
            if lane == SET:
                gaps = [slots[0]] * (meld.size - len(assignment.held[slots[0]]))
            else:
                gaps = [one for one in slots if not assignment.held[one] and one not in forced]
            if self._rules.wilds_apart and lane != SET:
                clash = clash or next(
                    (pair for pair in pairwise(gaps) if pair[1] - pair[0] == 1), None
                )
                gaps = _gaps_apart(gaps)
            taken = gaps[:room]
            left -= len(taken)
            wild_at.update((one, place) for place, one in enumerate(taken))
        missing = self._rules.contract.size - naturals - own - len(wild_at)
        if missing < self._below:
            self._below = missing
            self._found = tuple(self._near_melds(melds, assignment, members, wild_at))
        if missing > least and clash:
            for slot in clash:
                self._fill(melds, (*forced, slot))

    def _near_melds(
        self,
        melds: Sequence[Lying],
        assignment: Assignment,
        members: Sequence[range],
        wild_at: set[tuple[int, int]],
    ) -> Iterator[NearMeld]:
        stock = [list(cards) for cards in self._stock]
        own = Counter(
            stock[kind].pop() for held in assignment.held for kind in held if kind in self._all.own
        )
        wilds = list((Counter(self._wild_cards) - own).elements())
        stock = [list(cards) for cards in self._stock]
        wild_slots = Counter(slot for slot, _ in wild_at)
        for at, (meld, (lane, start)) in enumerate(melds):
            cards: list[Card | None] = []
            for slot in members[at]:
                here: list[Card | None] = [stock[kind].pop() for kind in assignment.held[slot]]
                here += [wilds.pop() for _ in range(wild_slots[slot])]
                cards += here + [None] * (assignment.slots[slot].most - len(here))
            meant = self._rules.cards_meant(meld.kind, meld.size, lane, start)
            takes_wild = self._takes_wild(meld, cards, meant)
            yield NearMeld(Part(meld.kind, meld.size), tuple(cards), meant, takes_wild)

    def _takes_wild(
        self, meld: MeldDemand, cards: Sequence[Card | None], meant: Sequence[Card]
    ) -> bool:
        """Can one wild card more lie where a card lacks?"""
        rules = self._rules
        wild = [
            card is not None
            and rules.variant.is_wild(card)
            and not (rules.own_two >= 0 and card == replace(place, suit=place.suit or card.suit))
            for card, place in zip(cards, meant, strict=True)
        ]
        if sum(wild) >= meld.size - meld.fewest_naturals_needed:
            return False
        apart = rules.wilds_apart and meld.kind == "run"
        return any(
            card is None and not (apart and any(wild[max(0, at - 1) : at + 2]))
            for at, card in enumerate(cards)
        )


def _gaps_apart(gaps: Sequence[int]) -> list[int]:
    """The most gaps of which no two are neighbours."""
    chosen: list[int] = []
    for gap in gaps:
        if not chosen or gap - chosen[-1] > 1:
            chosen.append(gap)
    return chosen
