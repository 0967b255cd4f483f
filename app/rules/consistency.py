"""Whether the fields of a rule set fit together; what any single field may be is in `rule_sets.py`.

What a table could not even play is refused here. What it could play but hardly ever, such as a
contract that is larger than a hand, is pointed out in `impossible_contracts.py`.
"""

from dataclasses import dataclass

from app.rules.cards import JOKER, RANKS, SUITS, Card
from app.rules.contracts import Contract, Part
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant

_SHORTEST_PART = 2
_CARDS_IN_A_DECK = len(RANKS) * len(SUITS)


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """A field that does not fit the others, and why not."""

    field: str
    reason: Phrase


def find_inconsistency(variant: Variant) -> Inconsistency | None:
    """The first field that does not fit the others; None where all do."""
    return _table_misfit(variant) or _contracts_misfit(variant) or _end_misfit(variant)


def _table_misfit(variant: Variant) -> Inconsistency | None:
    if variant.players_min > variant.players_max:
        return Inconsistency("players_max", say("is lower than players_min"))
    if 0 < variant.third_deck_from <= variant.players_min:
        reason = say("would hold for every number of players; raise decks")
        return Inconsistency("third_deck_from", reason)
    dealt = variant.players_min * variant.deal
    decks = variant.decks_for(variant.players_min)
    held = decks * _CARDS_IN_A_DECK + variant.jokers_in(decks)
    if dealt >= held:
        reason = say("{dealt} cards to deal, and the decks hold {held}", dealt=dealt, held=held)
        return Inconsistency("deal", reason)
    return None


def _contracts_misfit(variant: Variant) -> Inconsistency | None:
    for contract in variant.contracts:
        for part in contract.parts:
            misfit = _part_misfit(variant, contract, part)
            if misfit is not None:
                return misfit
    if variant.last_contract > len(variant.contracts):
        reason = say(
            "{last} of {count} contracts",
            last=variant.last_contract,
            count=len(variant.contracts),
        )
        return Inconsistency("last_contract", reason)
    return None


def _part_misfit(variant: Variant, contract: Contract, part: Part) -> Inconsistency | None:
    number = contract.number
    if part.size < _SHORTEST_PART:
        reason = say("contract {number}: {part} is too short", number=number, part=str(part))
        return Inconsistency("contracts", reason)
    longest = len(variant.run_ranks) if part.kind == "run" else _largest_set(variant)
    if part.size <= longest:
        return None
    if part.kind == "run":
        reason = say(
            "contract {number}: no run has more than {longest} cards",
            number=number,
            longest=longest,
        )
    else:
        reason = say(
            "contract {number}: no set has more than {longest} cards",
            number=number,
            longest=longest,
        )
    return Inconsistency("contracts", reason)


def _end_misfit(variant: Variant) -> Inconsistency | None:
    if variant.win in ("lowest_score", "lowest_finisher") and not variant.scores:
        return Inconsistency("win", say("The lowest score can only win if you keep a score."))
    if variant.progress == "common" and variant.win != "lowest_score":
        return Inconsistency("progress", say("with common contracts the lowest score wins"))
    return None


def _largest_set(variant: Variant) -> int:
    """The most cards of one rank and wild cards that the decks hold, before any wild limit."""
    decks = variant.decks_for(variant.players_max)
    wild_ranks = ("2", JOKER) if variant.twos_are_wild else (JOKER,)
    return sum(variant.copies_in(decks, Card(rank)) for rank in ("A", *wild_ranks))
