"""What is asked of the solver and what it answers: melds on a table, laid melds, a solution."""

from dataclasses import dataclass

from app.rules.cards import Card
from app.rules.contracts import Kind, Part


@dataclass(frozen=True, slots=True)
class TableMeld:
    """A meld that lies on the table: its kind, and its cards in their order."""

    kind: Kind
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld as the turn leaves it: a contract meld, an extra meld, or a lengthened table meld.

    `cards` lie in table order and `stands_for` says, place by place, which card each is; the
    card it stands for has no suit where none is meant (sets, and runs of any suits). `part` is the
    part of the contract that a contract meld serves; `onto` is the index of the table meld that was
    lengthened.
    """

    kind: Kind
    cards: tuple[Card, ...]
    stands_for: tuple[Card, ...]
    part: Part | None = None
    onto: int | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """The best turn found with a hand.

    `can_lay_down`: can the contract be laid at all? `laydown`: one best way, the contract melds
    first, then extra melds, then lay-offs onto the table; empty where the contract cannot be laid.
    `discard` and `remaining` are what is thrown away and what stays; with the cards that the
    laydown takes from the hand they are the hand. `remaining_cost` is what stays, in points or in
    cards as the variant counts. `is_proven_best` tells whether it was proven that no turn leaves
    less.
    """

    can_lay_down: bool
    can_go_out: bool
    remaining_cost: int
    laydown: tuple[LaidMeld, ...] = ()
    discard: Card | None = None
    remaining: tuple[Card, ...] = ()
    is_proven_best: bool = True
    steps_taken: int = 0
