"""The words of the game with their pictures."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.rules.cards import Card
from app.rules.faq.vocabulary import GameWord, WordId, contract_word, game_words
from app.rules.phrases import Phrase
from app.rules.variant import Variant
from app.web.checker.card_views import CardView


@dataclass(frozen=True, slots=True)
class WordView:
    """A word of the game, its sentence and its picture."""

    word: Phrase
    sentence: Phrase
    melds: tuple[tuple[CardView, ...], ...]


def word_views(variant: Variant) -> Mapping[WordId, WordView]:
    """The words of a rule set; none for one without cards."""
    return {name: _word_view(variant, one) for name, one in game_words(variant).items()}


def contract_view(variant: Variant, number: int) -> WordView:
    """A contract of a rule set, in a sentence and a picture."""
    return _word_view(variant, contract_word(variant, number))


def _word_view(variant: Variant, one: GameWord) -> WordView:
    melds = (tuple(_card_view(variant, card) for card in meld.split()) for meld in one.melds)
    return WordView(one.word, one.sentence, tuple(melds))


def _card_view(variant: Variant, text: str) -> CardView:
    shown, _, meant = text.partition("=")
    card = Card.read(shown)
    return CardView(card, variant.is_wild(card), Card.read(meant) if meant else None)
