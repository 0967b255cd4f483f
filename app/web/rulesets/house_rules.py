"""House rules as a form sends them, and what rules differ in from those they were made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Any

from app.rules.contracts import Contract
from app.rules.house_rules import (
    GROUP_NAMES,
    HOUSE_RULES,
    HouseRule,
    changed_rules,
    fault_words,
    house_rules_of,
    read_house_rule,
    value_in_words,
)
from app.rules.impossible_contracts import impossible_contracts
from app.rules.phrases import Phrase, say
from app.rules.rule_sets import HOUSE_RULE, FaultyRules, shipped_rule_sets, with_house_rules
from app.rules.variant import Variant

STANDARD = say("The standard rules.")
_OTHERS = {
    "players_min": say("How many players at least?"),
    "players_max": say("How many players at most?"),
    "penalties": say("How many points is each card left in a hand?"),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A rule that differs: its field, its question, what the rule set says, and what holds here."""

    field: str
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
    played: Variant | None = None
    """The rules that they come to."""
    no_difference: Phrase = STANDARD
    """What is said where nothing differs: those of a shipped rule set are the standard ones."""


def compare_rules(base: Variant, played: Variant) -> RulesComparison:
    """How rules differ from those they were made from."""
    contracts = played.contracts_played
    reasons = impossible_contracts(played)
    warnings = {one.number: reasons[one.number] for one in contracts if one.number in reasons}
    same = STANDARD if base.id in shipped_rule_sets() else say("Your own rules, unchanged.")
    return RulesComparison(None, differences(base, played), contracts, warnings, played, same)


def differences(base: Variant, played: Variant) -> tuple[Difference, ...]:
    """The rules that two rule sets have and in which they differ."""
    found: list[Difference] = []
    for rule in changed_rules(base, played):
        if not (base.has_field(rule) and played.has_field(rule)):
            continue
        if rule == "contracts":
            found += _contract_differences(base, played)
        else:
            question = HOUSE_RULES[rule].question if rule in HOUSE_RULES else _OTHERS[rule]
            words = value_in_words(base, rule), value_in_words(played, rule)
            found.append(Difference(rule, question, *words))
    return tuple(found)


def _contract_differences(base: Variant, played: Variant) -> list[Difference]:
    """The contracts that differ, one by one, number by number."""
    return [
        Difference(
            "contracts",
            say("Contract {number}", number=(before or after).number),
            before.words if before else say("not included"),
            after.words if after else say("removed"),
        )
        for before, after in zip_longest(base.contracts, played.contracts)
        if before != after
    ]


_FOR_POINTS = ("end", "score", "table", "players")
RuleGroups = Sequence[tuple[Phrase, tuple[HouseRule, ...]]]
"""House rules as a form asks for them: each group's heading and its rules."""


def rule_groups(variant: Variant) -> RuleGroups:
    """The house rules of a rule set; without contracts those first that make it another game."""
    rules = house_rules_of(variant)
    if not variant.contracts:
        rules = tuple(sorted(rules, key=lambda one: _FOR_POINTS.index(one.group)))
    by_group = groupby(rules, key=lambda rule: rule.group)
    return [(GROUP_NAMES[group], tuple(rules)) for group, rules in by_group]


def standard_texts(variant: Variant) -> dict[str, Phrase]:
    """What a rule set says where no house rule says otherwise, in words, by field."""
    return {one.field: value_in_words(variant, one.field) for one in house_rules_of(variant)}


def rules_from_form(variant: Variant, sent: Mapping[str, str]) -> dict[str, Any]:
    """The house rules that a form sent and that differ from the rule set. Raises `FaultyRules`."""
    house_rules = {}
    for name, text in sent.items():
        if text:
            value = read_house_rule(name, text)
            if value != getattr(variant, name):
                house_rules[name] = value
    return house_rules


def house_rules_again(variant: Variant, played: Variant) -> dict[str, Any]:
    """The house rules of a game, for another by its rule set; none where they don't fit it today.

    What a group's own rule set changes itself is none.
    """
    house_rules = {
        rule.field: getattr(played, rule.field)
        for rule in house_rules_of(variant)
        if played.has_field(rule.field)
        and played.field_source(rule.field) == HOUSE_RULE != variant.field_source(rule.field)
        and getattr(played, rule.field) != getattr(variant, rule.field)
    }
    try:
        with_house_rules(variant, house_rules)
    except FaultyRules:
        return {}
    return house_rules


def variant_from_form(variant: Variant, sent: Mapping[str, str]) -> Variant:
    """The rule set with the house rules that a form sent. Raises `FaultyRules`."""
    return with_house_rules(variant, rules_from_form(variant, sent))


def compare_form_rules(variant: Variant, sent: Mapping[str, str]) -> RulesComparison:
    """What the house rules that a form sent come to, or why they cannot be."""
    try:
        return compare_rules(variant, variant_from_form(variant, sent))
    except FaultyRules as fault:
        return RulesComparison(fault_words(fault))


def to_form_values(house_rules: Mapping[str, Any]) -> dict[str, str]:
    return {
        field: str(value).lower().removeprefix("-")  # points that come off
        for field, value in house_rules.items()
    }
