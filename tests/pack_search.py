"""A second opinion on what whole decks can make, which shares no code with the solver.

It lays meld after meld with as few wild cards as it can, tries every place for each, and takes it
for possible where it has tried for too long.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from app.rules.cards import JOKER, RANKS, SUITS, Card
from app.rules.contracts import Part
from app.rules.melds import keeps_wild_limit
from app.rules.variant import Variant

MOST_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class Facts:
    """What of a rule set decides whether its decks can make a contract."""

    variant: Variant = field(compare=False, hash=False)
    line: tuple[str, ...]
    copies: int
    wilds: int
    any_suit: bool
    wild_twos: bool
    switches: tuple[object, ...]

    @classmethod
    def of(cls, variant: Variant, decks: int) -> "Facts":
        wild_ranks = [JOKER, "2"] if variant.twos_are_wild else [JOKER]
        return cls(
            variant,
            variant.run_ranks,
            decks,
            sum(variant.copies_in(decks, Card(rank)) for rank in wild_ranks),
            variant.run_suit == "any",
            variant.twos_are_wild,
            (
                variant.wild_limit,
                variant.wilds_adjacent,
                variant.pair_with_wild,
                variant.identical_cards_in_set,
                variant.two_sets_same_rank,
                variant.run_both_aces,
                variant.two_natural_in_own_slot,
            ),
        )

    @property
    def lanes(self) -> int:
        """The suits that runs keep to; one where they take any."""
        return 1 if self.any_suit else len(SUITS)

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of natural cards."""
        return tuple(rank for rank in RANKS if not (rank == "2" and self.wild_twos))


@dataclass(slots=True)
class PackSearch:
    """The natural cards and wild cards that are left, and the steps so far."""

    facts: Facts
    left: dict[tuple[str, int], int]
    wilds: int
    steps: int = 0
    ranks_of_sets: list[str] = field(default_factory=list)

    def can_lay(self, parts: tuple[Part, ...]) -> bool:
        """Can the parts be laid from what is left? Also true once the search gives up."""
        if not parts:
            return True
        part, *rest = parts
        for taken, wilds in self._ways(part):
            self.steps += 1
            if self.steps > MOST_STEPS:
                return True
            self._take(taken, -1)
            self.wilds -= wilds
            if part.kind == "set":
                self.ranks_of_sets.append(taken[0][0])
            if self.can_lay(tuple(rest)):
                return True
            if part.kind == "set":
                self.ranks_of_sets.pop()
            self.wilds += wilds
            self._take(taken, 1)
        return False

    def _take(self, cards: tuple[tuple[str, int], ...], step: int) -> None:
        for card in cards:
            self.left[card] += step

    def _ways(self, part: Part) -> Iterator[tuple[tuple[tuple[str, int], ...], int]]:
        """The ways to lay a part that use as few wild cards as they can, cheapest first."""
        ways = self._runs(part.size) if part.kind == "run" else self._sets(part)
        legal = [way for way in ways if way[1] <= self.wilds]
        yield from sorted(legal, key=lambda way: way[1])

    def _runs(self, size: int) -> Iterator[tuple[tuple[tuple[str, int], ...], int]]:
        line, variant = self.facts.line, self.facts.variant
        if size == len(line) and line[0] == "A" and variant.run_both_aces == "forbid":
            return
        for lane in range(self.facts.lanes):
            for start in range(len(line) - size + 1):
                places = [(rank, lane) for rank in line[start : start + size]]
                natural = self._naturals(places)
                own = self._own_twos(places)
                wilds, naturals = size - sum(natural) - own, sum(natural) + own
                if self._keeps_apart(places, natural) and keeps_wild_limit(
                    variant, wilds, naturals
                ):
                    taken = zip(places, natural, strict=True)
                    yield tuple(place for place, is_there in taken if is_there), size - sum(natural)

    def _own_twos(self, places: list[tuple[str, int]]) -> int:
        """How many wild 2s count as natural cards in their own place of a run."""
        variant = self.facts.variant
        counts = variant.two_natural_in_own_slot and self.facts.wild_twos
        return sum(rank == "2" for rank, _lane in places) if counts else 0

    def _naturals(self, places: list[tuple[str, int]]) -> list[bool]:
        """Which places of a run have a natural card left; a run with two aces takes two."""
        seen: list[tuple[str, int]] = []
        natural = []
        for place in places:
            natural.append(self.left.get(place, 0) > seen.count(place))
            seen.append(place)
        return natural

    def _keeps_apart(self, places: list[tuple[str, int]], natural: list[bool]) -> bool:
        if not any(natural):
            return False
        held = [
            is_there or self._own_twos([place]) > 0
            for place, is_there in zip(places, natural, strict=True)
        ]
        return self.facts.variant.wilds_adjacent or all(a or b for a, b in pairwise(held))

    def _sets(self, part: Part) -> Iterator[tuple[tuple[tuple[str, int], ...], int]]:
        variant = self.facts.variant
        for rank in self.facts.ranks:
            if variant.two_sets_same_rank == "forbid" and rank in self.ranks_of_sets:
                continue
            taken = self._of_rank(rank)[: part.size]
            wilds = part.size - len(taken)
            paired = part.size == 2 and wilds and variant.pair_with_wild == "forbid"
            if taken and not paired and keeps_wild_limit(variant, wilds, len(taken)):
                yield tuple(taken), wilds

    def _of_rank(self, rank: str) -> list[tuple[str, int]]:
        """The natural cards of a rank that one set may take."""
        once = self.facts.variant.identical_cards_in_set == "forbid"
        cards: list[tuple[str, int]] = []
        for lane in range(self.facts.lanes):
            there = self.left[rank, lane]
            most = len(SUITS) // self.facts.lanes if once else there
            cards += [(rank, lane)] * min(there, most)
        return cards


def can_be_made(variant: Variant, parts: tuple[Part, ...], decks: int) -> bool:
    """Can all these melds lie on the table at once? Also true where the search gave up."""
    facts = Facts.of(variant, decks)
    each = facts.copies * (len(SUITS) // facts.lanes)
    left = {(rank, lane): each for rank in facts.ranks for lane in range(facts.lanes)}
    by_size = tuple(sorted(parts, key=lambda part: (-part.size, part.kind)))
    return PackSearch(facts, left, facts.wilds).can_lay(by_size)
