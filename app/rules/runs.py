"""Where the cards of a run can stand on a line of places.

A line is a tuple of ranks from low to high (`Variant.run_ranks`, or a line that a fault is
explained with). A stretch of it, a `RunStretch`, is told by its first place and its cards in
order. Of suits only those of twos that are natural in their own place are looked at; limits and
the reasons for a fault stand elsewhere.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product

from app.rules.cards import Card

RunLine = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunStretch:
    """Cards on neighbouring places of a line: the first place (from 0), and the cards in order."""

    start: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class SplitCards:
    """Cards that have no place yet, the natural and the wild ones apart.

    `suits_with_natural_two` are the suits of the twos among the wild cards that take the place of
    the 2 in preference to others, because they count as natural cards there.
    """

    naturals: tuple[Card, ...]
    wilds: tuple[Card, ...]
    suits_with_natural_two: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        return len(self.naturals) + len(self.wilds)

    @cached_property
    def naturals_by_rank(self) -> Mapping[str, list[Card]]:
        found = defaultdict(list)
        for card in self.naturals:
            found[card.rank].append(card)
        return found


def new_stretches(line: RunLine, loose: SplitCards) -> list[RunStretch]:
    """Every stretch of the line that the loose cards fill exactly, from low to high."""
    size = loose.count
    return [
        RunStretch(start, cards)
        for start in range(len(line) - size + 1)
        for cards in _fillings(line, range(start, start + size), loose)
    ]


def stretches_in_order(
    line: RunLine, cards: Sequence[Card], is_wild: Callable[[Card], bool]
) -> list[RunStretch]:
    """Every stretch on which the cards stand in the order given; wild cards fit any place."""
    return [
        RunStretch(start, tuple(cards))
        for start in range(len(line) - len(cards) + 1)
        if all(is_wild(card) or card.rank == line[place] for place, card in enumerate(cards, start))
    ]


def extended_stretches(line: RunLine, table: RunStretch, loose: SplitCards) -> list[RunStretch]:
    """Every stretch that keeps the table's cards in place and has all loose cards at its ends."""
    end = table.start + len(table.cards)
    size = len(table.cards) + loose.count
    longer = []
    for start in range(max(0, table.start - loose.count), table.start + 1):
        if start + size > len(line):
            break
        below = table.start - start
        free = (*range(start, table.start), *range(end, start + size))
        longer += [
            RunStretch(start, (*cards[:below], *table.cards, *cards[below:]))
            for cards in _fillings(line, free, loose)
        ]
    return longer


def _fillings(line: RunLine, free: Sequence[int], loose: SplitCards) -> Iterator[tuple[Card, ...]]:
    """The cards in the order of the free places, for each choice of places for the natural ones."""
    by_rank, places = loose.naturals_by_rank, _places(line)
    choices = []
    for rank, cards in by_rank.items():
        open_places = [place for place in places.get(rank, ()) if place in free]
        if len(open_places) < len(cards):
            return
        choices.append(combinations(open_places, len(cards)))
    for chosen in product(*choices):
        taken = {
            place: card
            for places_of_rank, cards in zip(chosen, by_rank.values(), strict=True)
            for place, card in zip(places_of_rank, cards, strict=True)
        }
        yield _with_wilds(line, free, taken, loose)


def _with_wilds(
    line: RunLine, free: Sequence[int], taken: dict[int, Card], loose: SplitCards
) -> tuple[Card, ...]:
    wilds = list(loose.wilds)
    for place in free if loose.suits_with_natural_two else ():
        at_home = [
            card for card in wilds if card.rank == "2" and card.suit in loose.suits_with_natural_two
        ]
        if line[place] == "2" and place not in taken and at_home:
            taken[place] = at_home[0]
            wilds.remove(at_home[0])
    rest = iter(wilds)
    return tuple(taken[place] if place in taken else next(rest) for place in free)


@lru_cache(maxsize=64)
def _places(line: RunLine) -> dict[str, tuple[int, ...]]:
    return {rank: tuple(at for at, here in enumerate(line) if here == rank) for rank in line}
