"""What changed rules come to, shown at once: what differs, and the contract card."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from app.rules.contracts import Contract
from app.rules.house_rules import HOUSE_RULES, changed_rules, house_rule, value_in_words
from app.rules.impossible_contracts import impossible_contracts
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant

_ASKED = {rule.field for rule in HOUSE_RULES}
_OTHERS = {
    "players_min": say("How many players at least?"),
    "players_max": say("How many players at most?"),
    "penalties": say("How many points is each card left in a hand?"),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A rule that differs: its question, what the rule set says, and what holds here."""

    question: Phrase
    before: Phrase
    after: Phrase


@dataclass(frozen=True, slots=True)
class RulesComparison:
    """What rules come to beside those they were made from; with a fault nothing else is known."""

    fault: Phrase | None
    differences: tuple[Difference, ...] = ()
    contract_card: tuple[Contract, ...] = ()
    """The contract card, up to the last contract that is played."""
    contract_warnings: Mapping[int, Phrase] = field(default_factory=dict)
    """Why nobody could lay a contract, by its number."""


def compare_rules(base: Variant, played: Variant) -> RulesComparison:
    """How rules differ from those they were made from."""
    contracts = played.contracts[: played.last_contract]
    reasons = impossible_contracts(played)
    warnings = {one.number: reasons[one.number] for one in contracts if one.number in reasons}
    return RulesComparison(None, differences(base, played), contracts, warnings)


def differences(base: Variant, played: Variant) -> tuple[Difference, ...]:
    """The rules in which two rule sets differ, in the order of a game."""
    found: list[Difference] = []
    for rule in changed_rules(base, played):
        if rule == "contracts":
            found += _contract_differences(base, played)
        else:
            question = house_rule(rule).question if rule in _ASKED else _OTHERS[rule]
            words = value_in_words(base, rule), value_in_words(played, rule)
            found.append(Difference(question, *words))
    return tuple(found)


def _contract_differences(base: Variant, played: Variant) -> list[Difference]:
    """The contracts that differ, one by one, number by number."""
    found = []
    for before, after in zip_longest(base.contracts, played.contracts):
        if before != after:
            number = (before or after).number
            found.append(
                Difference(
                    say("Contract {number}", number=number),
                    before.words if before else say("not included"),
                    after.words if after else say("removed"),
                )
            )
    return found
