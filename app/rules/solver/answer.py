"""`can_lay` and `solve`, from cards to cards."""

from collections.abc import Sequence
from dataclasses import replace

from app.rules.cards import Card
from app.rules.solver.effort import CONTRACT, Effort
from app.rules.solver.feasibility import ContractSearch
from app.rules.solver.plan import IMPOSSIBLE, SearchPlan
from app.rules.solver.records import Solution, TableMeld
from app.rules.solver.rules import rules_for
from app.rules.solver.search import TurnSearch
from app.rules.solver.turn import contract_only_solution, solution, turn_to_solution
from app.rules.variant import Variant

BUDGET = 220_000
"""Steps after which `solve` stops.

Those that tell whether the contract can be laid count, but have a bound of their own, which is
more.
"""


def can_lay(variant: Variant, number: int, hand: Sequence[Card]) -> bool:
    """Can the contract of that number be laid from the hand, with a card left where one is due?

    Raises `IndexError` for a contract that is not there, `ValueError` for a card without a suit
    where runs are of one suit, `TooManyWays` where it would take too long.
    """
    return ContractSearch(rules_for(variant, number), hand).find() is not None


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
    budget: int = BUDGET,
) -> Solution:
    """The turn found with this hand that leaves least; raises what `can_lay` raises.

    `table` holds melds that may be laid off onto. Points count before cards; where the variant
    counts no points, cards alone do. `budget` bounds the steps of the search.
    """
    rules = rules_for(variant, number)
    effort = Effort(budget)
    contract = ContractSearch(rules, hand)
    laid = contract.find()
    effort.steps_taken = min(budget, CONTRACT * contract.steps_taken)
    if laid is None:
        return replace(solution(rules, (), hand), steps_taken=effort.steps_taken)
    plan = SearchPlan(rules, hand, table)
    search = TurnSearch(plan, effort.spend)
    is_proven_best = search.search()
    turns = []
    if search.loss < IMPOSSIBLE:
        turns.append(turn_to_solution(plan, search.chosen_turn(), table))
    if not is_proven_best:
        turns.append(contract_only_solution(rules, hand, laid))
    best = min(turns, key=lambda one: sum(rules.weights[card.rank] for card in one.remaining))
    return replace(best, is_proven_best=is_proven_best, steps_taken=effort.steps_taken)
