"""Cards: read from texts, and written as texts or in sentences.

A card is a rank and a suit; a joker has no suit. Where a variant's runs take any suit a card may
be given by its rank alone, and then has no suit either. Whether a card is wild is not a property
of the card but of the variant (`Variant.is_wild`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app.rules.phrases import (
    Phrase,
    Translate,
    concatenate,
    join_phrases,
    say,
    say_plural,
    translatable,
)

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
JOKER = "JK"

_MOST_IN_ONE_LINE = 7
"""So many cards fit a line of a small phone."""

OPEN_SIGNS = "♤♡♢♧"
"""Signs, in the order of `SUITS`, of suits that were chosen since nobody named one.

Each is read as its suit, and such a card is shown without a suit.
"""
_SUIT_SIGNS = {**dict(zip("♠♥♦♣", SUITS, strict=True)), **dict(zip(OPEN_SIGNS, SUITS, strict=True))}


class UnreadableCard(ValueError):
    """A text that is no card; `text` is what was given, or the beginning of it."""

    def __init__(self, text: str) -> None:
        self.text = text if len(text) <= 12 else text[:12] + "…"
        super().__init__(f"“{self.text}” isn’t a card.")


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card: `rank` from RANKS or JOKER; `suit` from SUITS, or empty (joker, or not given)."""

    rank: str
    suit: str = ""

    def __str__(self) -> str:
        """The text form: `10H`, `AS`, `7` (no suit given), `JK`."""
        return self.rank + self.suit

    @property
    def is_joker(self) -> bool:
        return self.rank == JOKER

    @classmethod
    def read(cls, text: str) -> "Card":
        """The card that a text names: `10H`, `th`, `10♥`, `jk`, or a rank alone.

        Raises `UnreadableCard`.

        >>> Card.read("t♥")
        Card(rank='10', suit='H')
        """
        plain = text.strip().replace("\ufe0f", "").upper()
        if plain == JOKER:
            return cls(JOKER)
        suit = _SUIT_SIGNS.get(plain[-1:], plain[-1:])
        rank, suit = (plain[:-1], suit) if suit in SUITS else (plain, "")
        rank = "10" if rank == "T" else rank
        if rank not in RANKS:
            raise UnreadableCard(text.strip())
        return cls(rank, suit)


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text, separated by blanks. Raises `UnreadableCard` for the first that is none.

    >>> [str(card) for card in read_cards("5h 10♠ JK")]
    ['5H', '10S', 'JK']
    """
    return tuple(Card.read(word) for word in text.split())


_RANK_WORDS = {"A": say("A"), "J": say("J"), "Q": say("Q"), "K": say("K"), JOKER: say("joker")}


def rank_phrase(rank: str) -> Phrase:
    """The rank as it stands on a card, for a sentence: languages have letters of their own."""
    return _RANK_WORDS.get(rank) or Phrase(rank)


def to_english_letters(text: str, translate: Translate) -> str:
    """A text of cards with the letters of a language, and what people type for a joker, in ours.

    A joker is its word, the star of the keypad or an asterisk. In French a `D` alone is a dame;
    behind a rank it stays the suit of diamonds. Other words stay as they were typed.
    Programs are not read so: for them a joker is `JK` alone.

    >>> french = {"K": "R", "Q": "D", "J": "V"}
    >>> to_english_letters("RH joker 10D * D", lambda text, _plural, _count: french.get(text, text))
    'KH JK 10D JK Q'
    """
    letters = {words.render(translate).upper(): ours for ours, words in _RANK_WORDS.items()}
    letters |= {"★": JOKER, "*": JOKER}
    return " ".join(_word_in_english(word, letters) for word in text.split())


def _word_in_english(word: str, letters: Mapping[str, str]) -> str:
    plain = word.replace("\ufe0f", "").upper()
    if plain in letters:
        return letters[plain]
    rank, suit = plain[:-1], plain[-1:]
    return letters[rank] + suit if rank in letters and suit in {*SUITS, *_SUIT_SIGNS} else word


_ONE_OF_RANK = {
    **{"A": say("an ace"), "J": say("a jack"), "Q": say("a queen"), "K": say("a king")},
    "8": say("an 8"),
}


def one_card_phrase(card: Card) -> Phrase:
    """One card that somebody needs; of no suit, any of its rank: `10♥`, `a 7`, `a queen`."""
    if card.suit or card.is_joker:
        return card_phrase(card)
    return _ONE_OF_RANK.get(card.rank) or say("a {rank}", rank=Phrase(card.rank))


_AS_TYPED = say("S H D C JK")
"""How the suits and a joker are typed: a language may have signs or a word for our letters."""


def to_typed_letters(text: str, translate: Translate) -> str:
    """A text of cards in our letters, as it is typed in a language; what is no card stays.

    >>> french = {"Q": "D", "S H D C JK": "♠ ♥ ♦ ♣ joker"}
    >>> to_typed_letters("QH JK 10♤ Q 5X", lambda text, _plural, _count: french.get(text, text))
    'D♥ joker 10♤ D 5X'
    """
    typed = dict(zip((*SUITS, JOKER), _AS_TYPED.render(translate).split(), strict=True))
    return " ".join(_word_as_typed(word, typed, translate) for word in text.split())


def _word_as_typed(word: str, typed: Mapping[str, str], translate: Translate) -> str:
    try:
        card = Card.read(word)
    except UnreadableCard:
        return word
    if card.is_joker:
        return typed[JOKER]
    sign = word.removesuffix("\ufe0f")[-1:] if card.suit else ""
    return rank_phrase(card.rank).render(translate) + typed.get(sign.upper(), sign)


_OF_SUITS = {
    "S": translatable("{rank}♠"),
    "H": translatable("{rank}♥"),
    "D": translatable("{rank}♦"),
    "C": translatable("{rank}♣"),
}


@cache
def card_phrase(card: Card) -> Phrase:
    """The card as it is written in a sentence: `10♥`, `7`, `joker`."""
    rank = rank_phrase(card.rank)
    return Phrase(_OF_SUITS[card.suit], (("rank", rank),)) if card.suit else rank


def cards_phrase(cards: Iterable[Card], between: str = " ") -> Phrase:
    """Several cards as they are written in a sentence."""
    return concatenate([card_phrase(card) for card in cards], between)


def cards_in_one_line(cards: Sequence[Card]) -> Phrase:
    """Cards kept on one line; more than seven may wrap."""
    return cards_phrase(cards, " " if len(cards) > _MOST_IN_ONE_LINE else "\u00a0")


def cards_in_words(cards: Iterable[Card]) -> Phrase:
    """Several cards of no order, for a sentence, the jokers counted: `5♥ 7♥ and 2 jokers`."""
    given = list(cards)
    others = [card for card in given if not card.is_joker]
    parts = [cards_phrase(others)] if others else []
    if jokers := len(given) - len(others):
        parts.append(say_plural("one joker", "{count} jokers", jokers))
    return join_phrases(parts)


def cards_as_entered(text: str) -> tuple[Card, ...]:
    """What `read_cards` reads, without a suit where none was entered. Raises `UnreadableCard`.

    >>> [str(card) for card in cards_as_entered("5♤ 10♠")]
    ['5', '10S']
    """
    return read_cards(text.translate(str.maketrans("", "", OPEN_SIGNS)))


def write_cards(cards: "tuple[Card, ...] | list[Card]") -> str:
    """The text form of several cards, separated by blanks."""
    return " ".join(map(str, cards))
