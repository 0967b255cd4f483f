"""House rules as a form sends them: a field `rule-…` for each, blank where nothing is changed."""

from collections.abc import Mapping
from typing import Any

from app.rules.house_rules import HOUSE_RULES, house_rule, read_house_rule
from app.rules.loading import FIELDS, FaultyRules, with_house_rules
from app.rules.variant import Variant
from app.rules.wording import Phrase, say
from app.web.rulesets.effect import Effect, effect_of

_ASKED = {rule.field for rule in HOUSE_RULES}


def sent_rules(variant: Variant, sent: Mapping[str, str]) -> dict[str, Any]:
    """The house rules that a form sent and that differ from the rule set. Raises `FaultyRules`."""
    rules = {}
    for field in FIELDS:
        text = sent.get(f"rule-{field}", "")
        if text:
            value = read_house_rule(field, text)
            if value != getattr(variant, field):
                rules[field] = value
    return rules


def played_rules(variant: Variant, sent: Mapping[str, str]) -> Variant:
    """The rule set with the house rules that a form sent. Raises `FaultyRules`."""
    return with_house_rules(variant, sent_rules(variant, sent))


def effect_of_sent(variant: Variant, sent: Mapping[str, str]) -> Effect:
    """What the house rules that a form sent come to, or why they cannot be."""
    try:
        return effect_of(variant, played_rules(variant, sent))
    except FaultyRules as fault:
        return Effect(words_of(fault))


def as_sent(rules: Mapping[str, Any]) -> dict[str, str]:
    """House rules as a form sends them."""
    return {
        f"rule-{field}": str(value).lower().removeprefix("-")  # points that come off
        for field, value in rules.items()
    }


def words_of(fault: FaultyRules) -> Phrase:
    """Why house rules cannot be, with the question that was answered."""
    if fault.field not in _ASKED:
        field = fault.field.replace("_", " ")
        return say("{field}: {reason}", field=field, reason=fault.phrase)
    question = house_rule(fault.field).question
    return say("{question} {reason}", question=question, reason=fault.phrase)
