"""The exact solver: can a contract be laid from a hand, and what is the best turn with it?

`can_lay` answers the first question alone and is fast enough for every key stroke; `solve` finds
the turn that leaves least in hand, with the contract, extra melds and lay-offs. Neither guesses:
there is no limit of time or nodes, and where they say no there is no way. The solver has rules of
its own making in compact tables and shares no judging code with the judge; tests compare the two.

A turn ends with a discard unless the hand is empty. Where the rule set wants a discard to go out,
a turn keeps a card for it: a contract that could be laid only with every card of the hand is then
not layable.
"""

from app.rules.solver.answer import can_lay, solve, takes_every_card
from app.rules.solver.records import LaidMeld, Solution, TableMeld

__all__ = ["LaidMeld", "Solution", "TableMeld", "can_lay", "solve", "takes_every_card"]
