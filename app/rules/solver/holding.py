"""A hand in the solver's own terms: naturals by rank and lane, wild cards, what each weighs.

Where a 2 of the run's suit counts as natural in its own place, each such 2 can be held either
way; `holdings` gives every way to look at the hand.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from app.rules.cards import SUITS, Card
from app.rules.solver.tables import Rules


class Holding(NamedTuple):
    """One way to look at a hand.

    `naturals` holds the cards of each (place, lane), the place being the highest of the rank;
    `wilds` the wild cards, the dearest first. `own_twos` tells that twos stand among the naturals,
    where they can join runs only.
    """

    naturals: dict[tuple[int, int], list[Card]]
    wilds: list[Card]
    own_twos: bool


def holdings(rules: Rules, hand: Sequence[Card]) -> Iterator[Holding]:
    """Every way to look at the hand; but for twos in their own place there is one."""
    naturals: dict[tuple[int, int], list[Card]] = {}
    wilds: list[Card] = []
    for card in sorted(hand):
        if rules.variant.is_wild(card):
            wilds.append(card)
        else:
            key = (rules.places[card.rank][-1], lane_of(rules, card))
            naturals.setdefault(key, []).append(card)
    wilds.sort(key=lambda card: -rules.weights[card.rank])
    yield Holding(naturals, wilds, own_twos=False)
    if rules.own_twos:
        yield from _with_own_twos(rules, naturals, wilds)


def lane_of(rules: Rules, card: Card) -> int:
    """The lane in which a natural card can join runs."""
    return 0 if rules.any_suit else SUITS.index(card.suit)


def _with_own_twos(
    rules: Rules, naturals: dict[tuple[int, int], list[Card]], wilds: list[Card]
) -> Iterator[Holding]:
    place = rules.line.index("2")
    twos = Counter(card for card in wilds if not card.is_joker)
    for numbers in product(*(range(count + 1) for count in twos.values())):
        if not any(numbers):
            continue
        held = dict(naturals)
        rest = list(wilds)
        for card, number in zip(twos, numbers, strict=True):
            for _ in range(number):
                rest.remove(card)
                key = (place, lane_of(rules, card))
                held[key] = [*held.get(key, ()), card]
        yield Holding(held, rest, own_twos=True)
