"""Cards and melds as they are drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.rules.cards import Card, card_phrase, cards_phrase, one_card_phrase, rank_phrase
from app.rules.phrases import Phrase, say
from app.rules.shapes import is_wild_in_run
from app.rules.solver import LaidMeld
from app.rules.solver.missing import NearMeld
from app.rules.variant import Variant
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


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld as it lies on the table, or would with the cards that it lacks."""

    label: Phrase
    cards: tuple[CardView, ...]


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


def meld_of_hand(variant: Variant, meld: LaidMeld | NearMeld) -> MeldView:
    """A meld of the best turn, or one that lacks cards, with those in their places."""
    kind = meld.part.kind if isinstance(meld, NearMeld) else meld.kind

    def view(card: Card | None, meant: Card) -> CardView:
        if card is None:
            return CardView(meant, lacks=True)
        is_wild = card.rank != meant.rank
        if kind == "run":
            is_wild = is_wild_in_run(variant, card, meant.rank, meant.suit)
        return CardView(card, is_wild, meant if is_wild else None)

    cards = tuple(map(view, meld.cards, meld.stands_for))
    return MeldView(near_label(meld) if isinstance(meld, NearMeld) else _laid_label(meld), cards)


def near_label(meld: NearMeld) -> Phrase:
    """What a meld lacks and for which part of the contract; that part where it lacks nothing."""
    part, lacks = meld.part.words, cards_phrase(meld.lacks)
    if len(meld.lacks) == 1:
        lacks = one_card_phrase(meld.lacks[0])
    match len(meld.lacks), meld.takes_wild:
        case 0, _:
            return part
        case 1, True:
            return say("You lack {cards} or a wild card ({part}).", cards=lacks, part=part)
        case _, True:
            return say("You lack {cards}; one can be wild ({part}).", cards=lacks, part=part)
        case _:
            return say("You lack {cards} ({part}).", cards=lacks, part=part)


def _laid_label(meld: LaidMeld) -> Phrase:
    if meld.onto is not None:
        return say("Laid off onto meld {number}", number=meld.onto + 1)
    if meld.part is None:
        return say("Extra set") if meld.kind == "set" else say("Extra run")
    return meld.part.words
