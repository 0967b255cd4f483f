"""Whether cards that are no meld yet can become one by more cards, none taken away or changed.

The judge itself is asked about what the cards could grow into. How many copies of a card the decks
hold is left aside.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise

from app.rules.cards import JOKER, SUITS, Card
from app.rules.contracts import Kind, Part
from app.rules.melds import judge_meld, judge_part
from app.rules.runs import RunLine
from app.rules.shapes import mixed_suits_reason, set_shape_reason, split_cards
from app.rules.variant import Variant
from app.rules.verdicts import Code, Verdict

_ANY_DECKS = 20
"""More than any question about a meld can need."""
_LASTING = {Code.ACE_NOT_LOW, Code.WRAPS_AROUND}
"""Faults that more cards could heal only by a run of almost all ranks; they count as faults."""


def can_be_completed(variant: Variant, part: Part, cards: Sequence[Card]) -> bool:
    """Is there a meld for that part that holds all these cards?

    The answer is no for a fault that only a run of almost all ranks could heal (`_LASTING`).
    """
    return _can_be_completed(variant, part, cards, partial(judge_part, variant, part))


def can_become_meld(
    variant: Variant,
    kind: Kind,
    cards: Sequence[Card],
    *,
    size: int | None = None,
    contract: int | None = None,
) -> bool:
    """Do these cards lack others for a new meld of that kind, as `judge_meld` is asked about it?"""
    judge = partial(judge_meld, variant, kind, size=size, contract=contract, decks=_ANY_DECKS)
    if size is not None:
        sizes = {size}
    elif variant.extra_melds == "contract_parts" and contract is not None:
        sizes = {part.size for part in variant.contract(contract).parts if part.kind == kind}
    else:
        sizes = {variant.extra_set_min if kind == "set" else variant.extra_run_min}
    return any(
        len(cards) < one and _can_be_completed(variant, Part(kind, one), cards, judge)
        for one in sizes
    )


def _can_be_completed(
    variant: Variant, part: Part, cards: Sequence[Card], judge: Callable[[Sequence[Card]], Verdict]
) -> bool:
    if any(one.code in _LASTING for one in judge(cards).reasons):
        return False
    grown = _sets(variant, part, cards) if part.kind == "set" else _runs(variant, part, cards)
    return any(judge([*cards, *added]).legal for added in grown)


def _sets(variant: Variant, part: Part, cards: Sequence[Card]) -> Iterator[list[Card]]:
    """Cards that could make a set of these: natural ones of each suit, or wild ones as well."""
    split = split_cards(variant, cards)
    if set_shape_reason(variant, split.naturals) is not None:
        return
    rank = split.naturals[0].rank if split.naturals else "3"
    there = {card.suit for card in split.naturals}
    naturals = [Card(rank, suit) for suit in sorted(SUITS, key=there.__contains__)]
    fresh = len(SUITS) - len(there & set(SUITS))
    wild = Card(JOKER) if variant.copies_in(_ANY_DECKS, Card(JOKER)) else Card("2", SUITS[0])
    lacking = max(0, part.size - len(cards))
    for count in range(lacking, lacking + len(cards) + 1):
        yield [naturals[place % len(SUITS)] for place in range(count)]
        if variant.is_wild(wild):
            yield [*naturals[:fresh][:count], *[wild] * (count - fresh)]


def _runs(variant: Variant, part: Part, cards: Sequence[Card]) -> Iterator[list[Card]]:
    """The natural cards that could fill a stretch of the line with these."""
    split, line = split_cards(variant, cards), variant.run_ranks
    if mixed_suits_reason(variant, split.naturals) is not None:
        return
    of_suit = next((card.suit for card in (*split.naturals, *split.wilds) if card.suit), SUITS[0])
    wilds = len(split.wilds)
    for size in range(max(part.size, len(cards)), len(line) + 1):
        for start in range(len(line) - size + 1):
            stretch = line[start : start + size]
            for open_places in _open_places(stretch, [card.rank for card in split.naturals]):
                for places in combinations(open_places, wilds):
                    if not variant.wilds_adjacent and _has_neighbours(variant, stretch, places):
                        continue
                    yield [Card(stretch[at], of_suit) for at in open_places if at not in places]


def _open_places(stretch: RunLine, ranks: Sequence[str]) -> Iterator[list[int]]:
    """The places that cards of these ranks leave open; an ace may lie at either end."""
    open_places = list(range(len(stretch)))
    for rank in ranks:
        at = next((at for at in open_places if stretch[at] == rank), None)
        if at is None:
            return
        open_places.remove(at)
    yield open_places
    if ranks.count("A") == 1 and stretch[0] == stretch[-1] == "A":
        yield [0, *(at for at in open_places if at != len(stretch) - 1)]


def _has_neighbours(variant: Variant, stretch: RunLine, wild: Sequence[int]) -> bool:
    """Must two wild cards lie side by side? One in the place of the 2 may count as natural."""
    counted = [at for at in wild if not (variant.two_natural_in_own_slot and stretch[at] == "2")]
    return any(later - at == 1 for at, later in pairwise(counted))
