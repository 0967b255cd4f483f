"""The solver: can a contract be laid from a hand, and what is the best turn with it?

`solve`, which the judge asks, finds the turn that leaves least in hand, with the contract, extra
melds and lay-offs, within a budget of steps. `can_lay` answers the first question alone, exactly.
Steps are counted, not timed (`effort`): the same hand is answered alike everywhere. Where it does
not prove within the budget that no turn is better, it answers the best it found and says so
(`is_proven_best`). The steps of `can_lay` have an end as well, where both raise `TooManyWays`. Only
contracts of a table's own making come there, of seven or eight melds of many sizes: 2 of 5,129
hands that a search made slow on purpose, of up to 60 cards. The solver has rules of its own making
in compact tables (`rules`) and shares no judging code with the judge but `least_on_table`; tests
compare the two.

A turn ends with a discard unless the hand is empty. Where the rule set wants a discard to go out,
a turn keeps a card for it: a contract that could be laid only with every card of the hand is then
not layable.

The way of an answer: `feasibility` (with `prices`) tells whether the contract can be laid, and how;
`plan` (with `run_options`, `run_shapes`, `table_melds`) lists what the cards could do; `search`
walks through the plan, held back by `bounds`; `turn` tells in cards what was found. `sets` shares a
rank out to sets, for all of them. `missing` tells how far a hand is from its contract.

For the best turn there is one search. Given up, since measured they were no faster and decided no
more, were a second search that joined lanes rank by rank under prices, a beam search before a long
walk, and to ask for no loss first and then for more and more. The lower bounds earn their lines: of
the 569 hardest of 180,000 hands in play, 22 stay undecided without the one on wild cards for sets,
four without the one on what melds can take, none with both; the steps are twice as many without the
first, and a fifth more without the second.
"""

from collections.abc import Sequence
from dataclasses import replace

from app.rules.cards import Card
from app.rules.solver.effort import CONTRACT, Effort, TooManyWays
from app.rules.solver.feasibility import ContractSearch
from app.rules.solver.plan import IMPOSSIBLE, SearchPlan
from app.rules.solver.records import LaidMeld, Solution, TableMeld
from app.rules.solver.rules import rules_for
from app.rules.solver.search import TurnSearch
from app.rules.solver.turn import TurnInCards, contract_only_solution, solution_of
from app.rules.variant import Variant

__all__ = ["LaidMeld", "Solution", "TableMeld", "TooManyWays"]  # from elsewhere, for whoever asks

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
    effort.steps_taken = min(budget, CONTRACT * contract.effort.steps_taken)
    if laid is None:
        return replace(solution_of(rules, (), hand), steps_taken=effort.steps_taken)
    plan = SearchPlan(rules, hand, table)
    search = TurnSearch(plan, effort.spend)
    is_proven_best = search.search()
    turns = []
    if search.loss < IMPOSSIBLE:
        turns.append(TurnInCards(plan, *search.chosen_turn(), table).solution)
    if not is_proven_best:
        turns.append(contract_only_solution(rules, hand, laid))
    best = min(turns, key=lambda one: sum(rules.weights[card.rank] for card in one.remaining))
    return replace(best, is_proven_best=is_proven_best, steps_taken=effort.steps_taken)
