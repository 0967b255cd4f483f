"""Contracts that nobody can lay where the fewest play: the decks or the hand are too small.

The solver looks for one way to lay the contract from all cards of the decks. Where it gives up,
nothing is said: what is pointed out is certain. What a hand can come to is the deal, the draw and
what may be bought.
"""

from collections.abc import Mapping
from functools import lru_cache

from app.rules.card_supply import full_pack
from app.rules.contracts import Contract
from app.rules.phrases import Phrase, say, say_plural
from app.rules.solver import TooManyWays
from app.rules.solver.feasibility import ContractSearch
from app.rules.solver.rules import rules_for
from app.rules.variant import Variant

_MOST_STEPS = 30_000
"""Of the solver, for all contracts together. Each of those that are shipped takes 91 at most."""


@lru_cache(maxsize=64)  # of the shipped ones with what tables play otherwise
def impossible_contracts(variant: Variant) -> Mapping[int, Phrase]:
    """The contracts up to the last one that nobody can lay, by number in order, and why."""
    steps = _MOST_STEPS // max(1, variant.last_contract)
    tried = {
        one.number: _hand_reason(variant, one) or _decks_reason(variant, one, steps)
        for one in variant.contracts_played
    }
    return {number: reason for number, reason in tried.items() if reason is not None}


def _hand_reason(variant: Variant, contract: Contract) -> Phrase | None:
    if variant.laid_from(contract) != "never":
        return None
    sizes = {"number": contract.number, "size": contract.size, "held": variant.max_hand_size}
    if variant.must_discard_to_go_out:
        return say(
            "Contract {number} takes {size} cards and one more for the discard, "
            "but a hand never has more than {held}",
            **sizes,
        )
    return say(
        "Contract {number} takes {size} cards, but a hand never has more than {held}", **sizes
    )


def _decks_reason(variant: Variant, contract: Contract, steps: int) -> Phrase | None:
    decks = variant.decks_for(variant.players_min)
    search = ContractSearch(rules_for(variant, contract.number), full_pack(variant, decks), steps)
    try:
        if search.find() is not None:
            return None
    except TooManyWays:
        return None
    return say_plural(
        "{count} deck can’t make contract {number}: {words}",
        "{count} decks can’t make contract {number}: {words}",
        decks,
        number=contract.number,
        words=contract.words,
    )
