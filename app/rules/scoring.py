"""What the cards left in a hand cost their holder, by the variant's own table."""

from collections.abc import Sequence

from app.rules.cards import Card
from app.rules.variant import Variant


def card_points(variant: Variant, card: Card) -> int:
    """What one card costs its holder, in points.

    Where the rule set keeps no score these are the points of the table that is used with it.

    >>> from app.rules.rule_sets import rule_set_by_id
    >>> card_points(rule_set_by_id("aggravation-rummy"), Card.read("AS"))
    15
    """
    return variant.penalties.of(card.rank)


def hand_points(variant: Variant, cards: Sequence[Card]) -> int:
    """What several cards cost their holder together, in points."""
    return sum(card_points(variant, card) for card in cards)
