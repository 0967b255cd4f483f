"""What changed rules come to, shown at once: what differs, and the contract card."""

from dataclasses import dataclass
from itertools import zip_longest

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

    field: str
    question: Phrase
    before: Phrase
    after: Phrase

    @property
    def ruling(self) -> str:
        """The part of the rulings' page that explains it."""
        return self.field.replace("_", "-")


@dataclass(frozen=True, slots=True)
class ContractLine:
    """A contract on the card: how many cards it takes, and why nobody could lay it."""

    number: int
    words: Phrase
    size: int
    warning: Phrase | None


@dataclass(frozen=True, slots=True)
class RulesComparison:
    """What rules come to beside those they were made from; with a fault nothing else is known."""

    fault: Phrase | None
    differences: tuple[Difference, ...] = ()
    contracts: tuple[ContractLine, ...] = ()

    @property
    def warnings(self) -> int:
        """How many contracts nobody could lay."""
        return sum(one.warning is not None for one in self.contracts)


def compare_rules(base: Variant, played: Variant) -> RulesComparison:
    """How rules differ from those they were made from."""
    return RulesComparison(None, differences(base, played), contract_lines(played))


def differences(base: Variant, played: Variant) -> tuple[Difference, ...]:
    """The rules in which two rule sets differ, in the order of a game."""
    found: list[Difference] = []
    for field in changed_rules(base, played):
        if field == "contracts":
            found += _contract_differences(base, played)
        else:
            question = house_rule(field).question if field in _ASKED else _OTHERS[field]
            words = value_in_words(base, field), value_in_words(played, field)
            found.append(Difference(field, question, *words))
    return tuple(found)


def _contract_differences(base: Variant, played: Variant) -> list[Difference]:
    """The contracts that differ, one by one, number by number."""
    found = []
    for before, after in zip_longest(base.contracts, played.contracts):
        if before != after:
            number = (before or after).number
            found.append(
                Difference(
                    "contracts",
                    say("Contract {number}", number=number),
                    before.words if before else say("not included"),
                    after.words if after else say("removed"),
                )
            )
    return found


def contract_lines(variant: Variant) -> tuple[ContractLine, ...]:
    """The contract card, up to the last contract that is played."""
    warnings = impossible_contracts(variant)
    return tuple(
        ContractLine(one.number, one.words, one.size, warnings.get(one.number))
        for one in variant.contracts[: variant.last_contract]
    )
