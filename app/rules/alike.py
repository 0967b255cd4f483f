"""When two questions for the judge are the same to people, or alike.

The same is asked in whatever suits, since to all rules one suit is as good as another, and with the
cards of a new meld in whatever order. What is asked is alike where ranks differ, too, and no rule
looks at which they are: in sets those of all natural cards, in runs as far as they are moved
together. Aces of runs keep their place, jokers and other wild cards are what they are, and so are
the ranks of a hand and of cards that are counted.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from app.rules.cards import RANKS, SUITS, Card, read_cards, write_cards
from app.rules.contracts import Kind
from app.rules.judge import Question
from app.rules.shapes import kind_by_look
from app.rules.variant import Variant

_Suits = Mapping[str, str]
_OTHER_SUITS = [{"": "", **dict(zip(SUITS, one, strict=True))} for one in permutations(SUITS)]
_Placed = tuple[str, Kind, Card]
"""A card, the meld that it is of or its place there, and whether that is to be a set or a run."""


def in_plain_cards(question: Question) -> Question:
    """The question as it is written for all who ask the same. Raises `UnreadableCard`."""
    is_in_order = question.ask in ("layoff", "swap")

    def written(suits: _Suits) -> tuple[Any, ...]:
        def plain(text: str, *, in_order: bool = False) -> str:
            cards = [replace(card, suit=suits[card.suit]) for card in read_cards(text)]
            return write_cards(cards if in_order else sorted(cards))

        melds = tuple(plain(text, in_order=is_in_order) for text in question.melds)
        table = tuple((kind, plain(text, in_order=True)) for kind, text in question.table)
        return melds, plain(question.added), table

    melds, added, table = min(map(written, _OTHER_SUITS))
    return replace(question, melds=melds, added=added, table=table)


def what_is_alike(question: Question) -> object:
    """What is the same of all questions that are alike. Raises `UnreadableCard`.

    Whether a meld is laid at once or comes of cards that are added is no difference.
    """
    placed = list(_placed(question))
    if not placed:
        return in_plain_cards(question)
    form = min(_form(question.variant, placed, suits) for suits in _OTHER_SUITS)
    match question.ask:
        case "contract":
            return "contract", question.contract, form
        case "swap":
            return "swap", question.owner, form
        case _:
            return "meld", form


def _placed(question: Question) -> Iterator[_Placed]:
    """The cards of melds; none where it is about their ranks."""
    variant, kind = question.variant, question.kind
    if question.ask == "contract":
        for number, cards in enumerate(map(read_cards, question.melds)):
            look = kind_by_look(variant, cards)
            yield from ((f"{number:02}", look, card) for card in cards)
    elif question.ask in ("meld", "layoff", "swap"):
        is_swap = question.ask == "swap"
        for number, card in enumerate(read_cards(" ".join(question.melds)), 1):
            asked = "asked" if number == question.position else ""
            at = f"{number:02} {asked}" if kind == "run" else asked
            yield at if is_swap else "", kind, card
        yield from (("added" * is_swap, kind, card) for card in read_cards(question.added))


def _form(variant: Variant, placed: Sequence[_Placed], suits: _Suits) -> tuple[Any, ...]:
    """The wild cards by rank, the natural cards of runs by their steps, those of sets by rank.

    Ranks of sets have no name, and steps begin with the lowest card where runs can be moved.
    """
    of_runs = [card for _at, kind, card in placed if kind == "run"]
    counts_twos = variant.twos_are_wild and variant.two_natural_in_own_slot
    kept_in_place = {"A", "2"} if counts_twos else {"A"}
    steps_of = [RANKS.index(card.rank) for card in of_runs if not variant.is_wild(card)]
    is_moved = kept_in_place.isdisjoint(card.rank for card in of_runs)
    lowest = min(steps_of, default=0) if is_moved else 0
    wilds, steps, sets = list[Any](), list[Any](), defaultdict[str, list[Any]](list)
    for at, kind, card in placed:
        if variant.is_wild(card):
            suit = suits[card.suit] if kind == "run" and counts_twos else ""
            wilds.append((at, kind, card.rank, suit))
        elif kind == "run":
            steps.append((at, RANKS.index(card.rank) - lowest, suits[card.suit]))
        else:
            sets[card.rank].append((at, suits[card.suit]))
    return sorted(wilds), sorted(steps), sorted(map(sorted, sets.values()))
