"""A second opinion on hands: slow, plain, and sharing no code with the engine.

It knows cards and the record of a variant, and reads the rules anew: it tries every subset of the
hand as every meld, and every way to arrange it. For hands of up to ten cards or so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from app.rules.cards import Card
from app.rules.variant import Variant

UPWARD = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


@dataclass(frozen=True)
class Opinion:
    """The referee's answer: the same three facts as the solver's."""

    layable: bool
    can_go_out: bool
    left: int


@dataclass(frozen=True)
class Lying:
    """A run as it lies: its suit (or none), its first place, and which of its cards are natural."""

    suit: str
    start: int
    natural: tuple[bool, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.natural)


class Referee:
    """All questions about one hand."""

    def __init__(
        self,
        variant: Variant,
        number: int,
        hand: Sequence[Card],
        table: Sequence[tuple[str, tuple[Card, ...]]] = (),
    ) -> None:
        self.v = variant
        self.contract = variant.contracts[number - 1]
        self.hand = tuple(hand)
        self.table = tuple(table)
        self.all = (1 << len(hand)) - 1
        low: tuple[str, ...] = ()
        if variant.run_order == "ace_before_three":
            low = ("A",)
        elif variant.run_order == "two_slot":
            low = ("A", "2")
        if variant.twos == "natural" and "2" not in low:
            low = (*low, "2")
        self.places = (*low, *UPWARD)
        self.cards = cache(self._cards)
        self.lyings = cache(self._lyings)

    def opinion(self) -> Opinion:
        downs = {mask for mask, _ in self.contract_masks() if self.leaves_a_discard(mask)}
        if not downs:
            costs = [self.cost(card) for card in self.hand]
            return Opinion(False, False, sum(costs) - max(costs, default=0))
        ends = self.after_lay_offs(self.after_extras(downs)) if self.v.extras_same_turn else downs
        ends = {mask for mask in ends if self.leaves_a_discard(mask)}
        kept = [self.cards(self.all & ~mask) for mask in ends]
        left = min(
            sum(map(self.cost, cards)) - max(map(self.cost, cards), default=0) for cards in kept
        )
        return Opinion(True, any(len(cards) <= 1 for cards in kept), left)

    # The turn

    def leaves_a_discard(self, mask: int) -> bool:
        return mask != self.all or not self.v.must_discard_to_go_out

    def cost(self, card: Card) -> int:
        return 1 if self.v.keep_score == "no" else dict(self.v.penalties.by_rank)[card.rank]

    def contract_masks(self) -> set[tuple[int, tuple[object, ...]]]:
        states: set[tuple[int, tuple[object, ...]]] = {(0, ())}
        for part in self.contract.parts:
            states = {
                (mask | more, (*marks, mark))
                for mask, marks in states
                for more in subsets(self.all & ~mask)
                for mark in self.part_marks(part.kind, part.size, more)
                if self.goes_beside(marks, mark)
            }
        return states

    def goes_beside(self, marks: tuple[Any, ...], mark: Any) -> bool:
        for other in marks:
            if isinstance(mark, str) or isinstance(other, str):
                if mark == other and self.v.two_sets_same_rank == "forbid":
                    return False
            elif self.v.touching_runs == "forbid":
                (suit, start, end), (suit2, start2, end2) = other, mark
                if suit == suit2 and (start == end2 or end == start2):
                    return False
        return True

    def part_marks(self, kind: str, size: int, mask: int) -> Iterator[object]:
        """What to remember of the subset as that part: the rank of a set, the place of a run."""
        cards = self.cards(mask)
        if len(cards) < size or (len(cards) > size and not self.v.extras_same_turn):
            return
        if kind == "set":
            if self.set_grown_from(cards, [size]):
                yield next(card.rank for card in cards if not self.wild(card))
            return
        for lying in self.lyings(mask):
            if self.v.contract_size == "exact":
                for at in self.cores(lying.natural, size):
                    yield (lying.suit, lying.start + at, lying.start + at + size)
            elif any(True for _ in self.cores(lying.natural, size)):
                yield (lying.suit, lying.start, lying.end)

    def after_extras(self, masks: set[int]) -> set[int]:
        extras = [mask for mask in subsets(self.all) if self.is_extra(mask)]
        reached = set(masks)
        waiting = list(masks)
        for mask in waiting:
            for extra in extras:
                if not mask & extra and mask | extra not in reached:
                    reached.add(mask | extra)
                    waiting.append(mask | extra)
        return reached

    def after_lay_offs(self, masks: set[int]) -> set[int]:
        if not self.v.layoff_on_others:
            return masks
        for kind, meld in self.table:
            joins = [mask for mask in subsets(self.all) if self.joins(kind, meld, mask)]
            masks = masks | {mask | more for mask in masks for more in joins if not mask & more}
        return masks

    def is_extra(self, mask: int) -> bool:
        cards = self.cards(mask)
        if self.v.extra_melds == "none":
            return False
        sizes = {
            "set": [*range(self.v.extra_set_min, 50)],
            "run": [*range(self.v.extra_run_min, 50)],
        }
        if self.v.extra_melds == "contract_parts":
            for kind in sizes:
                parts = [part for part in self.contract.parts if str(part) != "s2"]
                sizes[kind] = [part.size for part in parts if part.kind == kind]
        return self.set_grown_from(cards, sizes["set"]) or any(
            self.run_grown_from(lying, sizes["run"]) for lying in self.lyings(mask)
        )

    # Sets

    def set_grown_from(self, cards: tuple[Card, ...], sizes: list[int]) -> bool:
        naturals, wilds = self.split(cards)
        if not self.of_one_rank(naturals):
            return False
        return self.end_is_legal(len(naturals), len(wilds)) and any(
            self.core_is_legal(some, size - some, "set")
            for size in sizes
            for some in range(len(naturals) + 1)
            if 0 <= size - some <= len(wilds)
        )

    def of_one_rank(self, naturals: list[Card]) -> bool:
        if len({card.rank for card in naturals}) != 1:
            return False
        if self.v.identical_cards_in_set == "allow":
            return True
        suits = [card.suit for card in naturals if card.suit]
        return len(suits) == len(set(suits))

    # Runs

    def _lyings(self, mask: int) -> tuple[Lying, ...]:
        cards = self.cards(mask)
        suits = {card.suit for card in cards if card.suit} if self.v.run_suit == "same" else {""}
        naturals, _ = self.split(cards)
        if any(one.rank == other.rank != "A" for one, other in combinations(naturals, 2)):
            return ()  # no two of them have a place each; said here, for it would be tried long
        found = {
            Lying(suit, start, flags)
            for suit in suits
            if all(suit in ("", card.suit) for card in naturals)  # likewise
            for start in range(len(self.places) - len(cards) + 1)
            for flags in self.after_button(cards, start, suit)
        }
        return tuple(lying for lying in found if self.lies_well(lying))

    def after_button(self, cards: tuple[Card, ...], place: int, suit: str) -> set[tuple[bool, ...]]:
        if not cards:
            return {()}
        found, tried = set(), set()
        for at, card in enumerate(cards):
            alike = "wild" if self.wild(card) and not self.v.two_natural_in_own_slot else str(card)
            if alike in tried:
                continue
            tried.add(alike)
            rest = cards[:at] + cards[at + 1 :]
            at_home = card.rank == self.places[place] and suit in ("", card.suit)
            if self.wild(card):
                own = at_home and card.rank == "2" and self.v.two_natural_in_own_slot
                found |= {(own, *flags) for flags in self.after_button(rest, place + 1, suit)}
            elif at_home:
                found |= {(True, *flags) for flags in self.after_button(rest, place + 1, suit)}
        return found

    def lies_well(self, lying: Lying) -> bool:
        if not any(lying.natural):
            return False
        pairs = zip(lying.natural, lying.natural[1:], strict=False)
        if not self.v.wilds_adjacent and any(not (one or other) for one, other in pairs):
            return False
        whole = self.places[lying.start] == self.places[lying.end - 1] == "A"
        return not (whole and len(lying.natural) > 1 and self.v.run_both_aces == "forbid")

    def run_grown_from(self, lying: Lying, sizes: list[int]) -> bool:
        return any(True for size in sizes for _ in self.cores(lying.natural, size))

    def cores(self, flags: tuple[bool, ...], size: int) -> Iterator[int]:
        """Where a stretch of that size could be laid first and grow to the whole."""
        for at in range(len(flags) - size + 1):
            naturals = sum(flags[at : at + size])
            legal = self.core_is_legal(naturals, size - naturals, "run")
            if legal and self.grows(flags, at, at + size):
                yield at

    def grows(self, flags: tuple[bool, ...], start: int, end: int) -> bool:
        """Can the run grow from the stretch to its whole, step by step where steps count?"""
        if self.v.layoff_check == "end_state":
            return self.end_is_legal(sum(flags), len(flags) - sum(flags))
        if (start, end) == (0, len(flags)):
            return True
        return any(
            low >= 0
            and high <= len(flags)
            and self.end_is_legal(sum(flags[low:high]), high - low - sum(flags[low:high]))
            and self.grows(flags, low, high)
            for low, high in ((start - 1, end), (start, end + 1))
        )

    # Lay-offs

    def joins(self, kind: str, meld: tuple[Card, ...], mask: int) -> bool:
        added = self.cards(mask)
        naturals, wilds = self.split(meld)
        asked = [part.size for one in self.v.contracts for part in one.parts if part.kind == kind]
        if len(meld) < min(3, *asked, 3):
            return False
        if kind == "set":
            more, more_wilds = self.split(added)
            return (
                self.of_one_rank(naturals)
                and self.end_is_legal(len(naturals), len(wilds))
                and self.of_one_rank([*naturals, *more])
                and self.end_is_legal(len(naturals) + len(more), len(wilds) + len(more_wilds))
            )
        return any(
            self.joins_run(lying, mask, below)
            for lying in self.on_table(meld)
            for below in (0, *subsets(mask))
        )

    def joins_run(self, lying: Lying, mask: int, below: int) -> bool:
        low, high = self.cards(below), self.cards(mask & ~below)
        start = lying.start - len(low)
        if start < 0 or lying.end + len(high) > len(self.places):
            return False
        return any(
            self.lies_well(Lying(lying.suit, start, (*left, *lying.natural, *right)))
            and self.grows(
                (*left, *lying.natural, *right), len(left), len(left) + len(lying.natural)
            )
            for left in self.after_button(low, start, lying.suit)
            for right in self.after_button(high, lying.end, lying.suit)
        )

    def on_table(self, meld: tuple[Card, ...]) -> list[Lying]:
        suits = {card.suit for card in meld if card.suit} if self.v.run_suit == "same" else {""}
        found = []
        for suit in suits:
            for start in range(len(self.places) - len(meld) + 1):
                flags = self.standing(meld, start, suit)
                if flags is not None:
                    lying = Lying(suit, start, flags)
                    if self.lies_well(lying) and self.end_is_legal(
                        sum(flags), len(flags) - sum(flags)
                    ):
                        found.append(lying)
        return found

    def standing(self, meld: tuple[Card, ...], start: int, suit: str) -> tuple[bool, ...] | None:
        flags: list[bool] = []
        for place, card in enumerate(meld, start):
            at_home = card.rank == self.places[place] and suit in ("", card.suit)
            if self.wild(card):
                flags.append(at_home and card.rank == "2" and self.v.two_natural_in_own_slot)
            elif at_home:
                flags.append(True)
            else:
                return None
        return tuple(flags)

    # Limits

    def core_is_legal(self, naturals: int, wilds: int, kind: str) -> bool:
        if naturals < 1:
            return False
        if kind == "set" and naturals + wilds == 2 and wilds and self.v.pair_with_wild == "forbid":
            return False
        if self.v.wild_limit == "at_most_naturals":
            return wilds <= naturals
        return self.v.wild_limit == "none" or wilds < naturals

    def end_is_legal(self, naturals: int, wilds: int) -> bool:
        if self.v.wild_limit == "none" or self.v.wild_limit_scope == "initial_only":
            return naturals >= 1
        return naturals >= 1 and self.core_is_legal(naturals, wilds, "any")

    # Cards

    def wild(self, card: Card) -> bool:
        return card.rank == "JK" or (card.rank == "2" and self.v.twos == "wild")

    def split(self, cards: Sequence[Card]) -> tuple[list[Card], list[Card]]:
        naturals = [card for card in cards if not self.wild(card)]
        return naturals, [card for card in cards if self.wild(card)]

    def _cards(self, mask: int) -> tuple[Card, ...]:
        return tuple(card for at, card in enumerate(self.hand) if mask >> at & 1)


def subsets(mask: int) -> Iterator[int]:
    """Every subset of a mask but the empty one."""
    sub = mask
    while sub:
        yield sub
        sub = (sub - 1) & mask
