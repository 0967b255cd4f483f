"""A variant's rules for one contract as small numbers, made once and kept.

Places of a run are counted from 0 at the low end of `Variant.line`; a mask has a bit for each
place. A *lane* is what runs keep to: one for each suit, or a single one where they take any suit.
"""

from collections import Counter
from functools import cached_property

from app.rules.cards import RANKS, SUITS, Card
from app.rules.contracts import Kind, Part
from app.rules.variant import Variant

BITS = 6
"""Cards and tasks are counted in fields of one number, each of so many bits."""
UNLIMITED = 1000
"""More wild cards than any hand holds."""

_KEPT = 256
_by_identity: dict[tuple[int, int], tuple[Variant, "Rules"]] = {}
_by_content: dict[tuple[object, ...], "Rules"] = {}


class Rules:
    """What the solver needs to know of a variant and one of its contracts."""

    def __init__(self, variant: Variant, number: int) -> None:
        contract = variant.contract(number)
        self.variant = variant
        self.contract = contract
        self.line = variant.line
        self.length = len(self.line)
        self.any_suit = variant.run_suit == "any"
        self.lanes = 1 if self.any_suit else len(SUITS)
        self.grows = variant.extras_same_turn
        """May melds be lengthened and extra melds be laid in the turn of the lay-down?"""
        self.own_twos = (
            variant.two_natural_in_own_slot and variant.twos_are_wild and "2" in self.line
        )
        """Can a wild 2 count as a natural card in its own place?"""
        self.must_discard = variant.must_discard_to_go_out
        self.distinct_sets = variant.identical_cards_in_set == "forbid"
        self.rank_once = variant.two_sets_same_rank == "forbid"
        self.untouching = variant.touching_runs == "forbid" and self._runs_in(contract.parts) > 1
        self.free_wilds = variant.wild_limit == "none" or (
            variant.wild_limit_scope == "initial_only"
        )
        """Does no limit hold once a meld is laid?"""
        self.parts = tuple(sorted(Counter(contract.parts).items()))
        """The different parts and how often each is asked for."""
        self.sets = [part.size for part in contract.parts if part.kind == "set"]
        self.runs = sorted(part.size for part in contract.parts if part.kind == "run")[::-1]
        self.sets.sort(reverse=True)
        self.lane_of_suit = {suit: 0 if self.any_suit else lane for lane, suit in enumerate(SUITS)}
        if self.any_suit:
            self.lane_of_suit[""] = 0
        self.two_ends = self.line[0] == self.line[-1]
        """Does an ace stand at both ends of the line?"""
        self.longest_run = self.length - (variant.run_both_aces == "forbid" and self.two_ends)
        """The most cards of a run."""
        self.wilds_apart = not variant.wilds_adjacent
        """May no wild card stand beside another in a run?"""
        self.own_two = self.line.index("2") if self.own_twos else -1
        """The place of a wild 2 that counts as a natural card there."""
        self._where: dict[Card, tuple[bool, int, int]] = {}

    @staticmethod
    def _runs_in(parts: tuple[Part, ...]) -> int:
        return sum(part.kind == "run" for part in parts)

    def where(self, card: Card) -> tuple[bool, int, int]:
        """Is the card wild; its highest place, -1 for none; its lane. Raises `ValueError`.

        A wild 2 that counts as natural in its own place has that place.
        """
        known = self._where.get(card)
        if known is None:
            wild = self.variant.is_wild(card)
            place, lane = -1, 0
            if not wild or (self.own_twos and card.rank == "2"):
                if card.suit not in self.lane_of_suit:
                    raise ValueError("a card names no suit")
                place, lane = self.places[card.rank][-1], self.lane_of_suit[card.suit]
            known = self._where[card] = wild, place, lane
        return known

    def task(self, kind: Kind, size: int) -> int:
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
        """The same for a set, where a pair may have a rule of its own."""
        if size == 2 and self.variant.pair_with_wild == "forbid":
            return 2
        return self.fewest_naturals(size)

    def most_wilds(self, naturals: int) -> int:
        """How many wild cards may in the end stand beside so many natural cards."""
        if self.free_wilds:
            return UNLIMITED
        return naturals if self.variant.wild_limit == "at_most_naturals" else naturals - 1

    # Melds on the table

    def least_on_table(self, kind: str) -> int:
        """How many cards a meld on the table has at the least: a pair where one is asked for."""
        parts = [part for contract in self.variant.contracts for part in contract.parts]
        return min([3, *(part.size for part in parts if part.kind == kind)])

    # Extra melds

    @cached_property
    def extra_sets(self) -> tuple[int, ...]:
        """The sizes at which an extra set can be started; empty where there are none."""
        return self._extra_sizes("set", self.variant.extra_set_min, 3 + UNLIMITED)

    @cached_property
    def extra_runs(self) -> tuple[int, ...]:
        """The sizes at which an extra run can be started; empty where there are none."""
        return self._extra_sizes("run", self.variant.extra_run_min, self.length + 1)

    def _extra_sizes(self, kind: str, least: int, end: int) -> tuple[int, ...]:
        policy = self.variant.extra_melds
        if not self.grows or policy == "none":
            return ()
        if policy == "contract_parts":
            sizes = {part.size for part in self.contract.parts if part.kind == kind}
            return tuple(sorted(sizes))
        return tuple(range(least, min(end, 64)))

    # Points

    @cached_property
    def points(self) -> dict[str, int]:
        """What each rank costs its holder: points, or 1 for each card where none are counted."""
        if self.variant.keep_score == "no":
            return dict.fromkeys((*RANKS, "JK"), 1)
        return {rank: self.variant.penalties.of(rank) for rank in (*RANKS, "JK")}

    @cached_property
    def weights(self) -> dict[str, int]:
        """Points first, then the number of cards: what the search makes as small as it can."""
        if self.variant.keep_score == "no":
            return self.points
        return {rank: points * 256 + 1 for rank, points in self.points.items()}

    # Places

    @cached_property
    def places(self) -> dict[str, tuple[int, ...]]:
        """The places of each rank on the line, from low to high."""
        return {
            rank: tuple(place for place, here in enumerate(self.line) if here == rank)
            for rank in self.line
        }


def rules_for(variant: Variant, number: int) -> Rules:
    """The tables of a variant's contract. Raises `IndexError` where there is no such contract.

    They are found by the record's identity, which is cheap; a record that was made anew, as
    house rules make them, is found by the fields that matter.
    """
    known = _by_identity.get((id(variant), number))
    if known is not None and known[0] is variant:
        return known[1]
    content = _content(variant, number)
    rules = _by_content.get(content)
    if rules is None:
        rules = Rules(variant, number)
        _keep(_by_content, content, rules)
    _keep(_by_identity, (id(variant), number), (variant, rules))
    return rules


def _keep(kept: dict, key: object, value: object) -> None:  # type: ignore[type-arg]
    if len(kept) >= _KEPT:
        kept.clear()
    kept[key] = value


def _content(variant: Variant, number: int) -> tuple[object, ...]:
    return (
        variant.contract(number).parts,
        variant.contracts,
        variant.twos,
        variant.run_suit,
        variant.run_order,
        variant.run_both_aces,
        variant.wild_limit,
        variant.wild_limit_scope,
        variant.wilds_adjacent,
        variant.two_natural_in_own_slot,
        variant.pair_with_wild,
        variant.identical_cards_in_set,
        variant.two_sets_same_rank,
        variant.touching_runs,
        variant.extra_melds,
        variant.extra_set_min,
        variant.extra_run_min,
        variant.extras_same_turn,
        variant.layoff_on_others,
        variant.layoff_check,
        variant.must_discard_to_go_out,
        variant.keep_score,
        variant.penalties,
    )
