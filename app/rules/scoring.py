"""What the cards left in a hand cost their holder, by the variant's own table."""

from collections.abc import Sequence

from app.rules.cards import Card
from app.rules.variant import Variant


def hand_points(variant: Variant, cards: Sequence[Card]) -> int:
    """What some cards cost their holder together, in points.

    Where the rule set keeps no score these are the points of the table that is used with it.

    >>> from app.rules.rule_sets import rule_set_by_id
    >>> hand_points(rule_set_by_id("aggravation-rummy"), [Card.read("AS"), Card.read("JK")])
    40
    """
    return sum(variant.penalties.of(card.rank) for card in cards)
