"""The two questions to the solver, from cards to cards."""

from collections.abc import Sequence
from dataclasses import replace

from app.rules.cards import Card
from app.rules.solver.feasible import is_layable
from app.rules.solver.holding import holdings
from app.rules.solver.laying import turn
from app.rules.solver.options import IMPOSSIBLE, plans
from app.rules.solver.packing import Packing
from app.rules.solver.records import Solution, TableMeld
from app.rules.solver.table import table_runs, table_sets
from app.rules.solver.tables import Rules, rules_for
from app.rules.variant import Variant


def can_lay(variant: Variant, number: int, hand: Sequence[Card]) -> bool:
    """Can the contract of that number be laid from the hand, with a card left where one is due?

    Raises `IndexError` for a contract that is not there, `ValueError` for a card without a suit
    where runs are of one suit.
    """
    return is_layable(rules_for(variant, number), hand)


def takes_every_card(variant: Variant, number: int, hand: Sequence[Card]) -> bool:
    """Are the contract's melds there, but no card beside them for the discard that is due?"""
    if not variant.must_discard_to_go_out or len(hand) != variant.contract(number).size:
        return False
    return can_lay(replace(variant, must_discard_to_go_out=False), number, hand)


def solve(
    variant: Variant,
    number: int,
    hand: Sequence[Card],
    table: Sequence[TableMeld] = (),
    *,
    decks: int | None = None,
) -> Solution:
    """The turn with this hand that leaves least; raises what `can_lay` raises.

    `table` holds melds that may be laid off onto. Points count before cards; where the variant
    counts no points, cards alone do. `decks` bounds nothing that the hand does not bound already
    and is taken for symmetry with the judge's questions.
    """
    rules = rules_for(variant, number)
    if not is_layable(rules, hand):
        return _nothing_laid(rules, hand)
    best, best_loss = None, IMPOSSIBLE
    sets, runs = table_sets(rules, table), table_runs(rules, table)
    for holding in holdings(rules, hand):
        for plan in plans(rules, holding, sets, runs):
            packing = Packing(plan)
            loss = packing.least_loss(best_loss)
            if loss < best_loss:
                best, best_loss = packing, loss
    if best is None:
        return _nothing_laid(rules, hand)
    return turn(best, best_loss, table)


def _nothing_laid(rules: Rules, hand: Sequence[Card]) -> Solution:
    kept = sorted(hand, key=lambda card: (-rules.weights[card.rank], card))
    discard = kept.pop(0) if kept else None
    left = sum(rules.points[card.rank] for card in kept)
    return Solution(False, False, left, (), discard, tuple(sorted(kept)))
