"""When two questions for the judge are the same to people, or alike.

The same is asked in whatever suits, since to all rules one suit is as good as another, and with the
cards of a new meld and the melds of a contract in whatever order. What is asked is alike where
ranks differ, too, and no rule looks at which they are: in sets those of all natural cards, in runs
as far as they are moved together, or lie otherwise among wild cards. One wild card is as good as
another, unless a rule tells 2s from jokers. Aces of runs keep their place, and the ranks of a hand
and of cards that are counted are what they are. A contract of one meld is a meld.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from app.rules.cards import JOKER, RANKS, SUITS, Card, read_cards, write_cards
from app.rules.contracts import Kind
from app.rules.judge import Question
from app.rules.shapes import kind_by_look
from app.rules.variant import Variant

_Suits = Mapping[str, str]
_Placed = tuple[str, Kind, Card]
"""The number of a card's meld or its place there, set or run, and the card.

A wild card stands as what the rules see in it (`_as_seen`).
"""


def in_plain_cards(question: Question) -> Question:
    """The question as it is written for all who ask the same. Raises `UnreadableCard`."""
    is_in_order = question.ask in ("layoff", "swap")
    melds, added = [*map(read_cards, question.melds)], read_cards(question.added)
    table = [read_cards(text) for _kind, text in question.table]

    def named(suits: _Suits) -> list[list[Card]]:
        every = [[Card(one.rank, suits[one.suit]) for one in of] for of in (*melds, added, *table)]
        for place in range(len(melds) + 1):
            if not is_in_order or place == len(melds):
                every[place].sort()
        if question.ask == "contract":
            every[: len(melds)] = sorted(every[: len(melds)])
        return every

    of_all = [one for cards in (*melds, added, *table) for one in cards]
    plain = [write_cards(cards) for cards in min(map(named, _namings_of_suits(of_all)))]
    *of_melds, of_added = plain[: len(melds) + 1]
    kinds = [kind for kind, _text in question.table]
    of_table = tuple(zip(kinds, plain[len(melds) + 1 :], strict=True))
    return replace(question, melds=tuple(of_melds), added=of_added, table=of_table)


def what_is_alike(question: Question) -> object:
    """What is the same of all questions that are alike. Raises `UnreadableCard`.

    Whether a meld is laid at once or comes of cards that are added is no difference.
    """
    placed = list(_placed(question))
    if not placed:
        return in_plain_cards(question)
    form = _form(question.variant, placed, in_any_order=question.ask == "contract")
    match question.ask:
        case "contract" if len(question.melds) > 1:
            return "contract", question.contract, form
        case "swap":
            return "swap", question.owner, form
        case _:
            return "meld", form


def _namings_of_suits(cards: Sequence[Card]) -> Iterator[_Suits]:
    """Each way in which the suits of these cards can be other ones, the first of `SUITS`."""
    there = sorted({card.suit for card in cards} - {""})
    for others in permutations(SUITS[: len(there)]):
        yield {"": "", **dict(zip(there, others, strict=True))}


def _placed(question: Question) -> Iterator[_Placed]:
    """The cards of melds; none where it is about their ranks."""
    variant, kind = question.variant, question.kind
    if question.ask == "contract":
        is_one = len(question.melds) == 1
        for number, cards in enumerate(map(read_cards, question.melds)):
            look, at = kind_by_look(variant, cards), "" if is_one else f"{number:02}"
            yield from ((at, look, _as_seen(variant, look, card)) for card in cards)
    elif question.ask in ("meld", "layoff", "swap"):
        is_swap = question.ask == "swap"
        for number, card in enumerate(read_cards(" ".join(question.melds)), 1):
            is_taken = is_swap and number == question.position
            at = f"{number:02}" if is_swap and kind == "run" else ""
            seen = _as_seen(variant, kind, card, is_taken=is_taken)
            yield at + " taken" * is_taken, kind, seen
        for card in read_cards(question.added):
            yield "added" * is_swap, kind, _as_seen(variant, kind, card)


def _as_seen(variant: Variant, kind: Kind, card: Card, *, is_taken: bool = False) -> Card:
    """A card as the rules see it: a wild 2 as a joker, where they tell none from the other.

    In a run a 2 can be natural in its own place, for which its suit counts; and there may be swaps
    in which a joker `is_taken`, and no 2.
    """
    if not variant.is_wild(card) or (kind == "run" and _counts_twos(variant)):
        return card
    stays = is_taken and not variant.swap_wild_twos
    return Card(card.rank if stays else JOKER)


def _counts_twos(variant: Variant) -> bool:
    """Is a wild 2 natural where it lies in its own place of a run?"""
    return variant.twos_are_wild and variant.two_natural_in_own_slot


def _form(variant: Variant, placed: Sequence[_Placed], *, in_any_order: bool) -> tuple[Any, ...]:
    """What lies together: its wild cards, natural cards of runs by their steps, of sets by rank.

    Ranks of sets have no name: each is all that lies of it. Steps begin with the lowest card where
    runs can be moved. Where wild cards may lie anywhere between them, steps are left out, but for
    those of aces.
    """
    of_runs = [card for _at, kind, card in placed if kind == "run"]
    ranks = {card.rank for card in of_runs}
    steps_of = [RANKS.index(card.rank) for card in of_runs if not variant.is_wild(card)]
    own_twos = _counts_twos(variant) and "2" in ranks
    lowest = 0 if own_twos or "A" in ranks else min(steps_of, default=0)
    lie_anywhere = len(steps_of) < len(of_runs) and not any(at for at, _kind, _card in placed)
    together = defaultdict[str, list[tuple[Kind, Card]]](list)
    for at, kind, card in placed:
        together[at].append((kind, card))

    def step(rank: str) -> int:
        is_left_out = lie_anywhere and not own_twos and rank != "A"
        return -1 if is_left_out else RANKS.index(rank) - lowest

    def named(suits: _Suits) -> tuple[Any, ...]:
        melds, sets = list[Any](), defaultdict[str, list[Any]](list)
        for at, cards in together.items():
            wilds, steps, of_rank = list[Any](), list[Any](), defaultdict[str, list[str]](list)
            for kind, card in cards:
                suit = suits[card.suit]
                if variant.is_wild(card):
                    wilds.append((kind, card.rank, suit))
                elif kind == "run":
                    steps.append((step(card.rank), suit))
                else:
                    of_rank[card.rank].append(suit)
            of_sets = {rank: sorted(some) for rank, some in of_rank.items()}
            place = "" if in_any_order else at
            meld = place, sorted(wilds), sorted(steps), sorted(of_sets.values())
            melds.append(meld)
            for rank, some in of_sets.items():
                sets[rank].append((meld, some))
        return sorted(melds), sorted(map(sorted, sets.values()))

    return min(map(named, _namings_of_suits([card for _at, _kind, card in placed])))
