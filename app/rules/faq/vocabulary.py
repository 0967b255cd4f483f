"""The words of the game that a newcomer meets first, each in a sentence, most with a picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.rules.card_supply import supply_reasons
from app.rules.cards import SUITS, read_cards
from app.rules.contracts import Kind, Part
from app.rules.layoffs import lay_off_words
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant

WordId = Literal["contract", "set", "run", "wild", "lay_off"]

SET_RANKS = ("9", "J", "6", "4", "7", "Q", "5", "8")
"""Of the sets of a contract, one after the other."""


@dataclass(frozen=True, slots=True)
class GameWord:
    """A word of the game; `melds` are its picture, in cards, none where no cards show it.

    A wild card is written with what it stands for: `JK=9D`. What is added to a meld is a meld of
    its own.
    """

    word: Phrase
    sentence: Phrase
    melds: tuple[str, ...] = ()


def game_words(variant: Variant) -> dict[WordId, GameWord]:
    """The words that are of use in a rule set, as its own facts explain them."""
    return dict(_words(variant)) if variant.contracts else {}


def contract_word(variant: Variant, number: int) -> GameWord:
    """What a contract is, as the one of that number shows it."""
    asked = variant.contract(number)
    sentence = say(
        "What you have to lay down in one turn. Contract {number}: {contract}.",
        number=number,
        contract=asked.words,
    )
    melds = tuple(_meld(variant, part, place) for place, part in enumerate(asked.parts))
    return GameWord(say("Contract"), sentence, _shown(variant, *melds))


def _words(variant: Variant) -> Iterator[tuple[WordId, GameWord]]:
    yield "contract", contract_word(variant, variant.contracts[0].number)
    if part := _first_part(variant, "set"):
        sentence = say("Cards of one rank. Here: {part}.", part=part.words)
        yield "set", GameWord(say("Set"), sentence, _shown(variant, _meld(variant, part)))
    if part := _first_part(variant, "run"):
        sentence = (
            say("Cards in order, of any suits. Here: {part}.", part=part.words)
            if variant.run_suit == "any"
            else say("Cards in order, in one suit. Here: {part}.", part=part.words)
        )
        yield "run", GameWord(say("Run"), sentence, _shown(variant, _meld(variant, part)))
    jokers = variant.joker_count(variant.decks) > 0
    if jokers or variant.twos_are_wild:
        wild = "2C" if variant.twos_are_wild else "JK"
        yield (
            "wild",
            GameWord(
                say("Wild card"), _wild_words(variant, jokers), _shown(variant, f"9S 9H {wild}=9D")
            ),
        )
    yield (
        "lay_off",
        GameWord(say("Lay off"), lay_off_words(variant), _shown(variant, "9S 9H 9D", "9C")),
    )


def _wild_words(variant: Variant, jokers: bool) -> Phrase:
    if not variant.twos_are_wild:
        return say("Stands for any card that can lie there. Jokers are wild here.")
    if jokers:
        return say("Stands for any card that can lie there. 2s and jokers are wild here.")
    return say("Stands for any card that can lie there. 2s are wild here.")


def _first_part(variant: Variant, kind: Kind) -> Part | None:
    """The meld of that kind that is asked for first."""
    parts = (part for contract in variant.contracts for part in contract.parts)
    return next((part for part in parts if part.kind == kind), None)


def set_of(rank: str, size: int) -> str:
    """A set of that rank; suits in turn, so that no card comes twice before all four are there."""
    return " ".join(f"{rank}{SUITS[place % len(SUITS)]}" for place in range(size))


def _meld(variant: Variant, part: Part, place: int = 0) -> str:
    """Natural cards for a part of a contract, the one at that place; empty where there are none."""
    if part.kind == "set":
        twice = part.size > len(SUITS) and variant.identical_cards_in_set == "forbid"
        return "" if twice else set_of(SET_RANKS[place], part.size)
    ranks = [rank for rank in variant.run_ranks if rank not in ("A", "2")][-part.size - place :]
    if len(ranks) < part.size:
        return ""
    mixed = variant.run_suit == "any"
    suits = [SUITS[(number if mixed else place) % len(SUITS)] for number in range(part.size)]
    return " ".join(map("".join, zip(ranks, suits, strict=False)))


def _shown(variant: Variant, *melds: str) -> tuple[str, ...]:
    """The picture, if its cards are all there."""
    cards = read_cards(" ".join(text.partition("=")[0] for one in melds for text in one.split()))
    return melds if all(melds) and not supply_reasons(variant, variant.decks, cards) else ()
