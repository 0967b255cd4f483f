"""Whether the fields of a rule set fit together; what any single field may be is in `rule_sets.py`.

What a table could not even play is refused here. A contract whose melds are possible, but which the
decks or the hand keep from being laid, is pointed out in `impossible_contracts.py`.
"""

from collections.abc import Iterator

from app.rules.cards import JOKER, RANKS, SUITS, Card
from app.rules.contracts import Contract, Part
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant

_SHORTEST_PART = 2
_CARDS_IN_A_DECK = len(RANKS) * len(SUITS)


def find_inconsistencies(variant: Variant) -> Iterator[tuple[str, Phrase]]:
    """Each field that does not fit the others, and why not."""
    if variant.players_min > variant.players_max:
        yield "players_max", say("is lower than players_min")
    for field in ("win", "dealer_rotation"):
        if not variant.can_choose(field, getattr(variant, field)):
            with_contracts = say("Rules with contracts can’t choose this.")
            without_contracts = say("Rules without contracts can’t choose this.")
            yield field, with_contracts if variant.contracts else without_contracts
    if variant.contracts:
        yield from _inconsistencies_with_contracts(variant)


def _inconsistencies_with_contracts(variant: Variant) -> Iterator[tuple[str, Phrase]]:
    if 0 < variant.third_deck_from <= variant.players_min:
        yield "third_deck_from", say("would hold for every number of players; raise decks")
    dealt = variant.players_min * variant.deal
    decks = variant.decks_for(variant.players_min)
    held = decks * _CARDS_IN_A_DECK + variant.joker_count(decks)
    if dealt >= held:
        yield (
            "deal",
            say("{dealt} cards to deal, and the decks hold {held}", dealt=dealt, held=held),
        )
    longest = {"run": len(variant.run_ranks), "set": _largest_set(variant)}
    for contract in variant.contracts:
        for part in contract.parts:
            reason = _part_reason(contract, part, longest[part.kind])
            if reason is not None:
                yield "contracts", reason
    last, count = variant.last_contract, len(variant.contracts)
    if last > count:
        words = say_plural(
            "{last} of {count} contract", "{last} of {count} contracts", count, last=last
        )
        yield "last_contract", words
    if not variant.score_is_optional and not variant.keeps_score:
        yield "win", say("The lowest score can only win if you keep a score.")
    if variant.progress == "common" and variant.win != "lowest_score":
        yield "progress", say("with common contracts the lowest score wins")


def _part_reason(contract: Contract, part: Part, longest: int) -> Phrase | None:
    number = contract.number
    if part.size < _SHORTEST_PART:
        return say("contract {number}: {part} is too short", number=number, part=str(part))
    if part.size <= longest:
        return None
    at_most = {"number": number, "longest": longest}
    if part.kind == "run":
        return say("contract {number}: no run has more than {longest} cards", **at_most)
    return say("contract {number}: no set has more than {longest} cards", **at_most)


def _largest_set(variant: Variant) -> int:
    """The most cards of one rank and wild cards that the decks hold, before any wild limit."""
    decks = variant.decks_for(variant.players_max)
    wild_ranks = ("2", JOKER) if variant.twos_are_wild else (JOKER,)
    return sum(variant.copies_in(decks, Card(rank)) for rank in ("A", *wild_ranks))
