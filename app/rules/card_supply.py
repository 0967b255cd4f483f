"""Whether given cards can exist together: no more copies of a card than the decks hold.

A question about cards that cannot all be there is answered before any rule of melds is looked at.
"""

from collections import Counter
from collections.abc import Iterable

from app.rules.cards import JOKER, RANKS, SUITS, Card, card_phrase
from app.rules.phrases import say, say_plural
from app.rules.variant import Variant
from app.rules.verdicts import Code, Reason


def supply_reasons(variant: Variant, decks: int, cards: Iterable[Card]) -> tuple[Reason, ...]:
    """Why these cards cannot be there together; empty where they can.

    Where runs are of one suit, a card without a suit is such a reason. Elsewhere such cards are
    counted by their rank, together with those of the rank whose suit is given.
    """
    counts = Counter(cards)
    bare = [card for card in counts if not card.suit and not card.is_joker]
    if bare and variant.run_suit == "same":
        return tuple(_suit_missing(variant, card) for card in sorted(bare))
    for card in bare:
        counts[card] += sum(counts[Card(card.rank, suit)] for suit in SUITS)
    return tuple(
        _too_many(variant, decks, card, count)
        for card, count in sorted(counts.items())
        if count > variant.copies_in(decks, card)
    )


def _suit_missing(variant: Variant, card: Card) -> Reason:
    message = say(
        "{card} has no suit. Runs here are of one suit, so name the suit of each card.",
        card=card_phrase(card),
    )
    return Reason(variant, message, "run_suit", Code.UNKNOWN_CARD)


def _too_many(variant: Variant, decks: int, card: Card, count: int) -> Reason:
    there = variant.copies_in(decks, card)
    if card.is_joker and not there:
        return Reason(
            variant, say("This game is played without jokers."), "jokers", Code.IMPOSSIBLE_CARDS
        )
    message = say_plural(
        "{card} appears {count} time. With {decks}, the most is {there}.",
        "{card} appears {count} times. With {decks}, the most is {there}.",
        count,
        card=card_phrase(card),
        there=there,
        decks=say_plural("{count} deck", "{count} decks", decks),
    )
    return Reason(variant, message, "jokers" if card.is_joker else "decks", Code.IMPOSSIBLE_CARDS)


def full_pack(variant: Variant, decks: int) -> list[Card]:
    """All the cards of so many decks."""
    natural = [Card(rank, suit) for rank in RANKS for suit in SUITS] * decks
    return natural + [Card(JOKER)] * variant.joker_count(decks)
