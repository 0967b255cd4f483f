"""What a meld may hold: how many wild cards, whether side by side, and what some rules forbid."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from app.rules.cards import Card, card_phrase
from app.rules.contracts import Kind
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.rules.verdicts import Code, Reason


def keeps_wild_limit(variant: Variant, wilds: int, naturals: int) -> bool:
    """Does a meld of so many wild and natural cards hold no more wild ones than the limit?"""
    match variant.wild_limit:
        case "at_most_naturals":
            return wilds <= naturals
        case "fewer_than_naturals":
            return wilds < naturals
        case "none":
            return True


def limit_reasons(
    variant: Variant, kind: Kind, wild: Sequence[bool], *, limited: bool = True
) -> list[Reason]:
    """What is wrong with a meld's wild cards; `wild` tells, place by place, which are.

    Where their number is not looked at any more, it is not `limited`.
    """
    found = []
    if limited and not keeps_wild_limit(variant, sum(wild), len(wild) - sum(wild)):
        message = _too_many(variant, sum(wild), len(wild) - sum(wild))
        found.append(Reason(variant, Code.TOO_MANY_WILDS, message, "wild_limit"))
    if kind == "run" and not variant.wilds_adjacent and any(a and b for a, b in pairwise(wild)):
        message = say("Two wild cards can’t be next to each other in a run.")
        found.append(Reason(variant, Code.ADJACENT_WILDS, message, "wilds_adjacent"))
    return found


def forbidden_meld_reasons(
    variant: Variant, kind: Kind, cards: Sequence[Card], wild: Sequence[bool], start: int
) -> list[Reason]:
    """What only some rules forbid in a meld that is a set or run otherwise."""
    found = []
    if kind == "set" and variant.identical_cards_in_set == "forbid":
        naturals = Counter(card for card, is_wild in zip(cards, wild, strict=True) if not is_wild)
        twice = [card for card, count in naturals.items() if count > 1 and card.suit]
        if twice:
            message = say(
                "{card} appears twice, which this group doesn’t allow.", card=card_phrase(twice[0])
            )
            found.append(Reason(variant, Code.WRONG_MELDS, message, "identical_cards_in_set"))
    covers_line = kind == "run" and start == 0 and len(cards) == len(variant.run_ranks)
    if covers_line and variant.run_ranks[0] == "A" and variant.run_both_aces == "forbid":
        message = say("A run can’t have an ace at both ends here.")
        found.append(Reason(variant, Code.NOT_CONSECUTIVE, message, "run_both_aces"))
    return found


def _too_many(variant: Variant, wilds: int, naturals: int) -> Phrase:
    counted = say_plural(
        "{count} wild, {natural}",
        "{count} wild, {natural}",
        wilds,
        natural=say_plural("{count} natural", "{count} natural", naturals),
    )
    if variant.wild_limit == "fewer_than_naturals":
        return say(
            "Too many wild cards: {counted}. A meld needs more naturals than wild cards.",
            counted=counted,
        )
    return say(
        "Too many wild cards: {counted}. Wild cards can’t outnumber naturals.", counted=counted
    )
