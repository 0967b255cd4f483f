"""One change that would make something illegal legal, where one is found.

The judge itself is asked about each single change, the gentlest first: a card fewer, then a natural
card for a wild one, then another card for a natural one; of a swap, another place.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from app.rules.cards import SUITS, Card, card_phrase, cards_in_words, one_card_phrase
from app.rules.contracts import Kind
from app.rules.laydown import judge_contract
from app.rules.layoffs import judge_layoff
from app.rules.melds import judge_part
from app.rules.phrases import Phrase, say
from app.rules.shapes import read_new_meld
from app.rules.variant import Variant
from app.rules.verdicts import Code, Verdict

CardsJudge = Callable[[Sequence[Card]], Verdict]

_MOST_CARDS = 16
"""Longer melds get no advice."""


def judge_with_advice(
    variant: Variant,
    cards: Sequence[Card],
    judge: CardsJudge,
    kinds: Collection[Kind] = (),
    onto: Sequence[Card] = (),
) -> Verdict:
    """The verdict on some cards, with advice if it is illegal and one of the changes helps.

    For more than `_MOST_CARDS` cards no advice is sought.

    `kinds`: of the new meld that the cards may be laid as; `onto`: the meld on the table to which
    they are added instead.
    """
    verdict = judge(cards)
    has_no_extra = verdict.reason_code is Code.EXTRA_MELD_NOT_ALLOWED
    beyond_help = has_no_extra and variant.extra_melds == "none"
    if verdict.legal or beyond_help or len(cards) > _MOST_CARDS:
        return verdict
    advice = _find_advice(variant, cards, lambda some: judge(some).legal, kinds, onto)
    return replace(verdict, advice=advice)


def judge_contract_with_advice(
    variant: Variant, number: int, melds: Sequence[Sequence[Card]], *, decks: int
) -> Verdict:
    """The verdict on a contract, with advice if one of the changes to its one faulty meld helps."""
    verdict = judge_contract(variant, number, melds, decks=decks)
    parts = variant.contract(number).parts
    if verdict.legal or len(melds) != len(parts):
        return verdict

    def fits(meld: Sequence[Card]) -> bool:
        return any(judge_part(variant, part, meld).legal for part in dict.fromkeys(parts))

    faulty = [place for place, meld in enumerate(melds) if not fits(meld)]
    if len(faulty) != 1 or len(melds[faulty[0]]) > _MOST_CARDS:
        return verdict
    place = faulty[0]

    def mends(meld: Sequence[Card]) -> bool:
        mended = [*melds[:place], meld, *melds[place + 1 :]]
        return fits(meld) and judge_contract(variant, number, mended, decks=decks).legal

    kinds = {part.kind for part in parts}
    advice = _find_advice(variant, melds[place], mends, kinds)
    if advice and len(melds) > 1:
        advice = say("Meld {place}: {advice}", place=place + 1, advice=advice)
    return replace(verdict, advice=advice)


def judge_swap_with_advice(
    place: int, cards: int, card: Card, judge: Callable[[int], Verdict]
) -> Verdict:
    """The verdict on a swap for the card at a place in a meld of so many cards.

    With the place of another card if that helps.
    """
    verdict = judge(place)
    if verdict.reason_code is not Code.WRONG_CARD_FOR_SWAP:
        return verdict
    other = next((one for one in range(1, cards + 1) if judge(one).legal), None)
    if other is None:
        return verdict
    message = say("Choose card {place}: it stands for {card}.", place=other, card=card_phrase(card))
    return replace(verdict, advice=message)


def _find_advice(
    variant: Variant,
    cards: Sequence[Card],
    helps: Callable[[Sequence[Card]], bool],
    kinds: Collection[Kind],
    onto: Sequence[Card] = (),
) -> Phrase | None:
    """The first change to the cards that helps, in words; None where none does.

    Where the words leave a suit or a card open, each choice helps. What is left out of a new meld
    of one of `kinds` can be laid off on it later where it fits there. Of cards that are added to a
    meld is said which of them can be.
    """
    distinct = list(dict.fromkeys(cards))
    for card in distinct:
        rest = _without(cards, card)
        if helps(rest):
            if onto:
                return say("Lay off only {cards}.", cards=cards_in_words(rest))
            left = cards_in_words([card])
            if any(_joins(variant, kind, rest, card) for kind in kinds):
                return say("Leave {card} out; you can lay it off later.", card=left)
            return say("Leave {card} out.", card=left)
    naturals = _natural_candidates(variant, (*onto, *cards))
    wilds = [one for one in distinct if variant.is_wild(one)]
    for card in sorted(distinct, key=variant.is_wild, reverse=True):
        rest = _without(cards, card)
        for natural in sorted(naturals, key=lambda one: one.rank != card.rank):
            named = _naming(natural, rest, helps)
            if named is None:
                continue
            words = one_card_phrase(named)
            suits = SUITS if not named.suit else named.suit
            if card in wilds and all(
                helps([*_without(cards, wild), Card(named.rank, suit)])
                for wild in wilds
                for suit in suits
            ):
                return say("Replace one wild card with {natural}.", natural=words)
            return say("Replace {card} with {natural}.", card=cards_in_words([card]), natural=words)
    return None


def _without(cards: Sequence[Card], card: Card) -> list[Card]:
    """The cards with one copy of that card fewer."""
    place = cards.index(card)
    return [*cards[:place], *cards[place + 1 :]]


def _naming(
    natural: Card, rest: Sequence[Card], helps: Callable[[Sequence[Card]], bool]
) -> Card | None:
    """The natural card, if it helps beside the rest; without a suit where each suit does."""
    if not helps([*rest, natural]):
        return None
    helping = [one for suit in SUITS if helps([*rest, one := Card(natural.rank, suit)])]
    if len(helping) == len(SUITS):
        return Card(natural.rank)
    return natural if natural.suit else next(iter(helping), None)


def _joins(variant: Variant, kind: Kind, meld: Sequence[Card], card: Card) -> bool:
    """Can the card be laid off on a meld of these cards, in one of the ways to lay them?"""
    layouts, _reasons = read_new_meld(variant, kind, meld)
    return any(judge_layoff(variant, kind, one.cards, [card]).legal for one in layouts)


def _natural_candidates(variant: Variant, cards: Sequence[Card]) -> list[Card]:
    """The natural cards worth a try, where suits matter those of a rank or suit that is there."""
    if variant.run_suit == "any":
        found = [Card(rank) for rank in dict.fromkeys(variant.run_ranks)]
    else:
        there = [card for card in cards if not variant.is_wild(card)]
        ranks, suits = {card.rank for card in there}, sorted({card.suit for card in there})
        found = [
            Card(rank, suit)
            for rank in dict.fromkeys(variant.run_ranks)
            for suit in dict.fromkeys([*suits, *(SUITS if rank in ranks else "")])
        ]
    return [card for card in found if not variant.is_wild(card)]
