"""A card as it is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.rules.cards import Card, card_phrase, rank_phrase
from app.rules.phrases import Phrase, say
from app.rules.verdicts import Placement

_SUIT_NAMES = {"S": say("spades"), "H": say("hearts"), "D": say("diamonds"), "C": say("clubs")}
_RANK_NAMES = {"A": say("ace"), "J": say("jack"), "Q": say("queen"), "K": say("king")}


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as it is drawn; `stands_for` says what a wild card is."""

    card: Card
    is_wild: bool = False
    stands_for: Card | None = None
    lacks: bool = False
    """It is not there, but ought to be."""

    def as_entered(self, entered: Mapping[Card, Card]) -> "CardView":
        """The card without a suit where none was entered; a missing one keeps its suit."""
        return self if self.lacks else replace(self, card=entered.get(self.card, self.card))

    @property
    def face(self) -> Phrase:
        """The sign in the card's corner."""
        return say("★") if self.card.is_joker else rank_phrase(self.card.rank)

    @property
    def meant(self) -> Phrase | None:
        """What the wild card stands for, as it is written."""
        return None if self.stands_for is None else card_phrase(self.stands_for)

    @property
    def spoken(self) -> Phrase:
        """The card as it is read aloud."""
        name = _spoken(self.card)
        if self.lacks:
            return say("missing: {card}", card=name)
        if self.stands_for is None:
            return name
        return say("{card} as {stands_for}", card=name, stands_for=_spoken(self.stands_for))


def rank_name(rank: str) -> Phrase:
    """A rank as it is read aloud."""
    return _RANK_NAMES.get(rank) or Phrase(rank)


def _spoken(card: Card) -> Phrase:
    if card.is_joker:
        return say("joker")
    rank = rank_name(card.rank)
    suit = _SUIT_NAMES.get(card.suit)
    return say("{rank} of {suit}", rank=rank, suit=suit) if suit else rank


def placed_card(placement: Placement) -> CardView:
    """A card of a meld as it counts there."""
    card, meant = placement.card, placement.stands_for
    return CardView(card, placement.is_wild, meant if placement.is_wild else None)
