"""What a meld may hold: how many wild cards, whether side by side, and what tables forbid."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.rules.cards import Card, card_words
from app.rules.contracts import Kind
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.rules.verdicts import Code, Reason, make_reason


@dataclass(frozen=True, slots=True)
class CardCounts:
    """How many wild and how many natural cards a meld holds."""

    wilds: int
    naturals: int


def keeps_wild_limit(variant: Variant, counts: CardCounts) -> bool:
    """Does a meld hold no more wild cards than the variant's limit?"""
    match variant.wild_limit:
        case "at_most_naturals":
            return counts.wilds <= counts.naturals
        case "fewer_than_naturals":
            return counts.wilds < counts.naturals
        case "none":
            return True


def limit_reasons(
    variant: Variant, kind: Kind, counts: CardCounts | None, wild: Sequence[bool]
) -> list[Reason]:
    """What is wrong with a meld's wild cards; `wild` tells, place by place, which are.

    `counts` is None where the limit is not looked at any more.
    """
    found = []
    if counts is not None and not keeps_wild_limit(variant, counts):
        found.append(
            make_reason(variant, Code.TOO_MANY_WILDS, _too_many(variant, counts), "wild_limit")
        )
    if kind == "run" and not variant.wilds_adjacent and any(a and b for a, b in pairwise(wild)):
        message = say("Two wild cards can’t be next to each other in a run.")
        found.append(make_reason(variant, Code.ADJACENT_WILDS, message, "wilds_adjacent"))
    return found


def permission_reasons(
    variant: Variant, kind: Kind, cards: Sequence[Card], wild: Sequence[bool], start: int
) -> list[Reason]:
    """What a table's own rules forbid in a meld that is a set or run otherwise."""
    found = []
    if kind == "set" and variant.identical_cards_in_set == "forbid":
        naturals = Counter(card for card, is_wild in zip(cards, wild, strict=True) if not is_wild)
        twice = [card for card, count in naturals.items() if count > 1 and card.suit]
        if twice:
            message = say(
                "{card} appears twice, which this group doesn’t allow.", card=card_words(twice[0])
            )
            found.append(make_reason(variant, Code.WRONG_MELDS, message, "identical_cards_in_set"))
    covers_line = kind == "run" and start == 0 and len(cards) == len(variant.run_ranks)
    if covers_line and variant.run_ranks[0] == "A" and variant.run_both_aces == "forbid":
        message = say("A run can’t have an ace at both ends here.")
        found.append(make_reason(variant, Code.NOT_CONSECUTIVE, message, "run_both_aces"))
    return found


def _too_many(variant: Variant, counts: CardCounts) -> Phrase:
    counted = say_plural(
        "{count} wild, {natural}",
        "{count} wild, {natural}",
        counts.wilds,
        natural=say_plural("{count} natural", "{count} natural", counts.naturals),
    )
    if variant.wild_limit == "fewer_than_naturals":
        return say(
            "Too many wild cards: {counted}. A meld needs more naturals than wild cards.",
            counted=counted,
        )
    return say(
        "Too many wild cards: {counted}. Wild cards can’t outnumber naturals.", counted=counted
    )
