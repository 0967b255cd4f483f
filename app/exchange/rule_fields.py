"""Fields whose values the rules read: rule sets, house rules, verdicts as they were said."""

from collections.abc import Iterable
from typing import Any

from marshmallow import ValidationError

from app.exchange.fields import NOT_NULL, AnyJson, JsonObject, StrictSchema, Text, object_schema
from app.exchange.limits import LONGEST_RULE_SET_ID, MOST_PARTS_OF_RULES
from app.rules.phrases import MalformedPhrase, say
from app.rules.recorded_verdicts import read_recorded_verdict
from app.rules.rule_sets import BOUNDS, FaultyRules, choices_of, from_dict, read_value
from app.rules.variant import Variant

RESERVED_IDS = frozenset({"custom"})
"""Words that stand in an address where others have the id of a rule set."""


class RuleSetId(Text):
    """The id of a rule set, which an address can hold."""

    def __init__(self, **more: Any) -> None:
        reserved = "|".join(sorted(RESERVED_IDS))
        form = rf"(?!(?:{reserved})$)[0-9a-z]+(?:-[0-9a-z]+)*"
        told = say("This isn’t the ID of a rule set.")
        super().__init__(LONGEST_RULE_SET_ID, form=form, told=told, **more)


_ID = RuleSetId()


def read_rule_set(plain: Any) -> Variant:
    """The rule set in the shape of a file. Raises `ValidationError`."""
    try:
        rules = from_dict(plain)
    except FaultyRules as fault:
        reason = say("{field}: {reason}", field=fault.field, reason=fault.phrase)
        raise ValidationError([reason]) from None
    try:
        _ID.deserialize(rules.id)
    except ValidationError as error:
        raise ValidationError({"id": error.messages}) from None
    return rules


class RuleSetField(JsonObject):
    """A rule set in the shape of a file."""

    def __init__(self, **more: Any) -> None:
        super().__init__(MOST_PARTS_OF_RULES, **more)

    def _deserialize(self, value: Any, *names: Any, **options: Any) -> dict[str, Any]:
        plain = super()._deserialize(value, *names, **options)
        read_rule_set(plain)
        return plain


class HouseRuleField(AnyJson):
    """The value of one house rule."""

    def __init__(self, rule: str, **more: Any) -> None:
        self._rule, choices = rule, choices_of(rule)
        bounds: dict[str, Any] = {"enum": list(choices)} if choices else NOT_NULL
        if rule in BOUNDS:
            least, most = BOUNDS[rule]
            bounds = {"type": "integer", "minimum": least, "maximum": most}
        super().__init__(bounds=bounds, **more)

    def _deserialize(self, value: Any, *names: Any, **options: Any) -> Any:
        plain = super()._deserialize(value, *names, **options)
        try:
            read_value(self._rule, plain)
        except FaultyRules as fault:
            raise ValidationError([fault.phrase]) from None
        return plain


def house_rules_schema(name: str, rules: Iterable[str]) -> StrictSchema:
    """An object with the values of some of these house rules."""
    return object_schema(name, {one: HouseRuleField(one) for one in sorted(rules)})


class RecordedVerdictField(AnyJson):
    """A verdict as it was said."""

    def _deserialize(self, value: Any, *names: Any, **options: Any) -> Any:
        plain = super()._deserialize(value, *names, **options)
        try:
            read_recorded_verdict(plain)
        except MalformedPhrase:
            raise ValidationError([say("This isn’t a recorded verdict.")]) from None
        return plain
