"""House rules as a form sends them: a text for each, blank where nothing is changed."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from app.rules.house_rules import (
    GROUP_NAMES,
    HOUSE_RULES,
    fault_words,
    read_house_rule,
    value_in_words,
)
from app.rules.phrases import Phrase
from app.rules.rule_sets import FaultyRules, with_house_rules
from app.rules.variant import Variant
from app.web.rulesets.comparison import RulesComparison, compare_rules

RULE_GROUPS = tuple(
    (GROUP_NAMES[group], tuple(rules))
    for group, rules in groupby(HOUSE_RULES, key=lambda rule: rule.group)
)
"""The house rules as a form asks for them: each group's heading and its rules."""


def standard_texts(variant: Variant) -> dict[str, Phrase]:
    """What a rule set says where no house rule says otherwise, in words, by field."""
    return {rule.field: value_in_words(variant, rule.field) for rule in HOUSE_RULES}


def rules_from_form(variant: Variant, sent: Mapping[str, str]) -> dict[str, Any]:
    """The house rules that a form sent and that differ from the rule set. Raises `FaultyRules`."""
    rules = {}
    for field, text in sent.items():
        if text:
            value = read_house_rule(field, text)
            if value != getattr(variant, field):
                rules[field] = value
    return rules


def variant_from_form(variant: Variant, sent: Mapping[str, str]) -> Variant:
    """The rule set with the house rules that a form sent. Raises `FaultyRules`."""
    return with_house_rules(variant, rules_from_form(variant, sent))


def compare_form_rules(variant: Variant, sent: Mapping[str, str]) -> RulesComparison:
    """What the house rules that a form sent come to, or why they cannot be."""
    try:
        return compare_rules(variant, variant_from_form(variant, sent))
    except FaultyRules as fault:
        return RulesComparison(fault_words(fault))


def to_form_values(rules: Mapping[str, Any]) -> dict[str, str]:
    """House rules as a form sends them."""
    return {
        field: str(value).lower().removeprefix("-")  # points that come off
        for field, value in rules.items()
    }
