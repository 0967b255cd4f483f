"""The yardstick for feasibility: the same question as a model for CP-SAT, one worker.

The model is built anew for each question, as a program would that has no solver of its own.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ortools.sat.python import cp_model

from app.rules.cards import SUITS, Card
from app.rules.contracts import Part
from app.rules.variant import Variant


def can_lay_by_model(variant: Variant, number: int, hand: Sequence[Card]) -> bool:
    """Can the contract be laid, a discard left over where one is due? Any house rule but those
    on identical cards, touching runs and twos in their own place."""
    if len(hand) < variant.contract(number).size + variant.must_discard_to_go_out:
        return False
    asking = _Asking(variant, hand)
    for part in variant.contract(number).parts:
        asking.run(part) if part.kind == "run" else asking.set(part)
    return asking.answer()


class _Asking:
    """One question while its model is built."""

    def __init__(self, variant: Variant, hand: Sequence[Card]) -> None:
        self.variant = variant
        self.model = cp_model.CpModel()
        naturals = [card for card in hand if not variant.is_wild(card)]
        self.wilds = len(hand) - len(naturals)
        self.suits = ("",) if variant.run_suit == "any" else SUITS
        self.held = Counter(
            Card(card.rank, "" if variant.run_suit == "any" else card.suit) for card in naturals
        )
        self.used: dict[Card, list[Any]] = {card: [] for card in self.held}
        self.in_sets: dict[str, list[Any]] = {card.rank: [] for card in self.held}
        self.wild_places: list[Any] = []

    def fewest_naturals(self, size: int) -> int:
        return {
            "at_most_naturals": size - size // 2,
            "fewer_than_naturals": size // 2 + 1,
            "none": 1,
        }[self.variant.wild_limit]

    def run(self, part: Part) -> None:
        model, line = self.model, self.variant.run_ranks
        starts = {
            (suit, start): model.new_bool_var("")
            for suit in self.suits
            for start in range(len(line) - part.size + 1)
        }
        model.add_exactly_one(starts.values())
        naturals = []
        for suit in self.suits:
            row = []
            for place, rank in enumerate(line):
                covering = [
                    starts[suit, start]
                    for start in range(place - part.size + 1, place + 1)
                    if (suit, start) in starts
                ]
                card = Card(rank, suit)
                if card not in self.held:
                    row.append((0, covering))
                    continue
                natural = model.new_bool_var("")
                model.add(natural <= sum(covering))
                self.used[card].append(natural)
                naturals.append(natural)
                row.append((natural, covering))
            if not self.variant.wilds_adjacent:
                self._keep_apart(row)
        model.add(sum(naturals) >= self.fewest_naturals(part.size))
        self.wild_places.append(part.size - sum(naturals))

    def _keep_apart(self, row: list[tuple[Any, list[Any]]]) -> None:
        for (one, covering), (other, covering_next) in pairwise(row):
            both = [start for start in covering if any(start is same for same in covering_next)]
            if both:
                self.model.add(one + other >= sum(both))

    def set(self, part: Part) -> None:
        model = self.model
        chosen, naturals = [], []
        for rank in self.in_sets:
            here = model.new_bool_var("")
            count = model.new_int_var(0, part.size, "")
            model.add(count <= part.size * here)
            self.in_sets[rank].append(count)
            chosen.append(here)
            naturals.append(count)
        model.add_exactly_one(chosen)
        model.add(sum(naturals) >= self.fewest_naturals(part.size))
        self.wild_places.append(part.size - sum(naturals))

    def answer(self) -> bool:
        for card, used in self.used.items():
            self.model.add(sum(used) <= self.held[card])
        for rank, counts in self.in_sets.items():
            cards = [card for card in self.held if card.rank == rank]
            used = [natural for card in cards for natural in self.used[card]]
            self.model.add(sum(counts) + sum(used) <= sum(self.held[card] for card in cards))
        self.model.add(sum(self.wild_places) <= self.wilds)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        return solver.solve(self.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
