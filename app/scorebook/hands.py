"""What the cards left in a hand can cost, by the decks in use."""

from functools import cached_property

from app.rules.cards import JOKER, RANKS, Card
from app.rules.variant import Variant
from app.scorebook.progress import Attempt


def most_cards_left(variant: Variant, attempt: Attempt, *, stops: bool = False) -> int:
    """The most cards that a seat which did not go out can hold when the round is over.

    `stops` says that play stopped when it laid its contract, so that no discard was due.
    """
    laid = attempt.contract if attempt.entry.laid_down else None
    if not laid and variant.discard_draw == "buy_pile" and variant.buying == "none":
        return variant.deal  # the pile is bought only to play its top card at once
    size = variant.contract(laid).size if laid else 0
    beyond = 2 * max(0, attempt.entry.buys - variant.most_buys)
    return variant.max_hand_size + beyond - size - (0 if stops else 1)


def buys_needed(variant: Variant, attempt: Attempt) -> int:
    """How often a seat that laid its contract must have bought, to hold so many cards."""
    laid = attempt.contract if attempt.entry.laid_down else None
    size = variant.contract(laid).size if laid else 0
    return max(0, -((variant.deal + 1 - size) // 2))


class HandCosts:
    """What hands of at least one card can cost by a rule set, with so many decks."""

    def __init__(self, variant: Variant, decks: int) -> None:
        self._copies_by_points = [
            (variant.penalties.of(rank), variant.copies_in(decks, Card(rank)))
            for rank in (*RANKS, JOKER)
        ]
        self.most = sum(points * copies for points, copies in self._copies_by_points)
        """The points of all the cards: no hand costs more."""

    def dearest(self, cards: int) -> int:
        """The points of so many cards, the dearest ones that the decks hold."""
        total = 0
        for points, copies in sorted(self._copies_by_points, reverse=True):
            taken = min(copies, max(0, cards))
            total, cards = total + points * taken, cards - taken
        return total

    def can_be(self, points: int) -> bool:
        """Is there a hand that costs exactly so many points?"""
        return points >= 0 and bool(self._sums >> points & 1)

    def nearest(self, points: int) -> tuple[int, ...]:
        """The nearest sums below and above so many points (not negative) that some hand costs.

        Lowest first; only one of them where the other does not exist.
        """
        below = self._sums & ((1 << points) - 1)
        above = self._sums >> (points + 1)
        nearest_below = [below.bit_length() - 1] if below else []
        nearest_above = [points + (above & -above).bit_length()] if above else []
        return (*nearest_below, *nearest_above)

    @cached_property
    def _sums(self) -> int:
        """The sums of all hands, as the bits of a number."""
        hands = 1
        free_card = 0
        for points, copies in self._copies_by_points:
            if points == 0:
                free_card |= min(1, copies)
                continue
            for _ in range(copies):
                hands |= hands << points
        # The empty hand is no hand; only a card that costs nothing makes a sum of 0.
        return hands & ~1 | free_card
