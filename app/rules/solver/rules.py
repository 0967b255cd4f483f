"""A variant's rules for one contract as small numbers, made once and kept.

Places of a run are counted from 0 at the low end of `Variant.run_ranks`; a mask has a bit for each
place. A *lane* is what runs keep to: one for each suit, or a single one where they take any suit.
"""

from collections import Counter
from functools import lru_cache

from app.rules.cards import JOKER, RANKS, SUITS, Card
from app.rules.contracts import Kind, Part
from app.rules.variant import Variant

BITS = 7
"""Cards and tasks are counted in fields of one number, each of so many bits, 63 at most."""
UNLIMITED = 1000
"""More wild cards than any hand holds."""


class SolverRules:
    """What the solver needs to know of a variant and one of its contracts."""

    def __init__(self, variant: Variant, number: int) -> None:
        contract = variant.contract(number)
        self.variant = variant
        self.contract = contract
        self.line = variant.run_ranks
        self.length = len(self.line)
        self.any_suit = variant.run_suit == "any"
        self.lanes = 1 if self.any_suit else len(SUITS)
        self.grows = variant.extras_same_turn
        """May melds be lengthened and extra melds be laid in the turn of the lay-down?"""
        self.must_discard = variant.must_discard_to_go_out
        self.distinct_sets = variant.identical_cards_in_set == "forbid"
        self.rank_once = variant.two_sets_same_rank == "forbid"
        self.free_wilds = variant.wild_limit == "none" or (
            variant.wild_limit_scope == "initial_only"
        )
        """Does no limit hold once a meld is laid?"""
        self.stepwise = not self.free_wilds and variant.layoff_check == "each_card"
        """Must every step of a lay-off keep the limit?"""
        self.parts = tuple(sorted(Counter(contract.parts).items()))
        """The different parts and how often each is asked for."""
        self.sets = self._sizes("set")
        self.runs = self._sizes("run")
        self.untouching = variant.touching_runs == "forbid" and len(self.runs) > 1
        self.lane_of_suit = {suit: 0 if self.any_suit else lane for lane, suit in enumerate(SUITS)}
        if self.any_suit:
            self.lane_of_suit[""] = 0
        self.two_ends = self.line[0] == self.line[-1]
        """Does an ace stand at both ends of the line?"""
        self.longest_run = self.length - (variant.run_both_aces == "forbid" and self.two_ends)
        """The most cards of a run."""
        self.wilds_apart = not variant.wilds_adjacent
        """May no wild card stand beside another in a run?"""
        own = variant.two_natural_in_own_slot and variant.twos_are_wild and "2" in self.line
        self.own_two = self.line.index("2") if own else -1
        """The place of a wild 2 that counts as a natural card there; -1 for none."""
        self.places = {
            rank: tuple(place for place, here in enumerate(self.line) if here == rank)
            for rank in self.line
        }
        """The places of each rank on the line, from low to high."""
        self.extra_set_sizes = self._extra_sizes("set", range(variant.extra_set_min, 64))
        self.extra_run_sizes = self._extra_sizes(
            "run", range(variant.extra_run_min, self.length + 1)
        )
        """The sizes at which extra sets and runs can be started; empty where there are none."""
        counts_points = variant.keep_score != "no"
        self.points = {
            rank: variant.penalties.of(rank) if counts_points else 1 for rank in (*RANKS, JOKER)
        }
        """What each rank costs its holder: points, or 1 for each card where none are counted."""
        self.weights = {
            rank: points * 256 + 1 if counts_points else 1 for rank, points in self.points.items()
        }
        """Points first, then the number of cards: what the search makes as small as it can."""

    def _sizes(self, kind: Kind) -> list[int]:
        """The sizes of the contract's sets or runs, the largest first."""
        sizes = (part.size for part in self.contract.parts if part.kind == kind)
        return sorted(sizes, reverse=True)

    def locate(self, card: Card) -> tuple[bool, int, int]:
        """Is the card wild; its highest place, -1 for none; its lane. Raises `ValueError`.

        A wild 2 that counts as natural in its own place has that place.
        """
        wild = self.variant.is_wild(card)
        if wild and (self.own_two < 0 or card.rank != "2"):
            return wild, -1, 0
        if card.suit not in self.lane_of_suit:
            raise ValueError("a card names no suit")
        return wild, self.places[card.rank][-1], self.lane_of_suit[card.suit]

    def cards_meant(self, kind: Kind, size: int, lane: int, start: int) -> tuple[Card, ...]:
        """The cards that a meld there stands for; those of a set have no suit."""
        if kind == "set":
            return (Card(self.line[start]),) * size
        suit = "" if self.any_suit else SUITS[lane]
        return tuple(Card(rank, suit) for rank in self.line[start : start + size])

    def task_shift(self, kind: Kind, size: int) -> int:
        """Where a contract part stands among the different parts, as a shift of fields."""
        parts = [part for part, _ in self.parts]
        return BITS * parts.index(Part(kind, size))

    # Limits

    def fewest_naturals(self, size: int) -> int:
        """How many natural cards a meld of that size needs when it is laid."""
        if self.variant.wild_limit == "at_most_naturals":
            return (size + 1) // 2
        if self.variant.wild_limit == "fewer_than_naturals":
            return size // 2 + 1
        return 1

    def fewest_naturals_in_set(self, size: int) -> int:
        """How many a set of that size needs: a pair may have a rule of its own."""
        if size == 2 and self.variant.pair_with_wild == "forbid":
            return 2
        return self.fewest_naturals(size)

    def most_wilds(self, naturals: int) -> int:
        """How many wild cards may in the end stand beside so many natural cards."""
        if self.free_wilds:
            return UNLIMITED
        return naturals if self.variant.wild_limit == "at_most_naturals" else naturals - 1

    # Extra melds

    def _extra_sizes(self, kind: Kind, sizes: range) -> tuple[int, ...]:
        policy = self.variant.extra_melds
        if not self.grows or policy == "none":
            return ()
        if policy == "contract_parts":
            # A pair is no extra meld, even where the contract has one.
            parts = {*self.contract.parts} - {Part("set", 2)}
            return tuple(sorted(part.size for part in parts if part.kind == kind))
        return tuple(sizes)


@lru_cache(maxsize=256)
def rules_for(variant: Variant, number: int) -> SolverRules:
    """The tables of a variant's contract. Raises `IndexError` where there is no such contract."""
    return SolverRules(variant, number)
