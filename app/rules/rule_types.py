"""The types of fields whose values the rules read: rule sets, house rules, recorded verdicts."""

import re
from collections.abc import Collection, Mapping
from functools import partial
from typing import Annotated, Any, NotRequired

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from app.rules.field_types import (
    NO_OBJECT,
    AnyJson,
    As,
    Misfit,
    Text,
    Unfit,
    check_size,
    text_too_long,
)
from app.rules.house_rules import SWITCHABLE
from app.rules.phrases import say
from app.rules.rule_sets import (
    BOUNDS,
    FIELDS,
    FaultyRules,
    choices_of,
    from_dict,
    read_value,
    to_dict,
)
from app.rules.variant import Variant
from app.rules.verdicts import read_recorded_verdict

RESERVED_IDS = frozenset({"custom"})
"""Words that stand in an address where others have the id of a rule set."""
MOST_PARTS_OF_RULES = 200
LONGEST_RULE_SET_ID = 60
MOST_RULE_SETS = 100_000
"""Of a document, each of whose games may have rules of its own."""

_FORM = rf"(?!(?:{'|'.join(sorted(RESERVED_IDS))})$)[0-9a-z]+(?:-[0-9a-z]+)*"
_NO_ID = say("This isn’t the ID of a rule set.")
RuleSetId = Annotated[str, Text(LONGEST_RULE_SET_ID, form=_FORM, unfit=_NO_ID)]
"""The id of a rule set, which an address can hold."""


def read_rule_set(plain: Any) -> Variant:
    """The rule set that a table in the shape of a file describes. Raises `Misfit`."""
    if not isinstance(plain, dict) or len(plain) > MOST_PARTS_OF_RULES:
        raise Misfit(NO_OBJECT)
    try:
        rules = from_dict(plain)
    except FaultyRules as fault:
        raise Misfit(fault.with_field) from None
    if len(rules.id) > LONGEST_RULE_SET_ID:
        raise Misfit(text_too_long(LONGEST_RULE_SET_ID), "id")
    if not re.fullmatch(_FORM, rules.id):
        raise Misfit(_NO_ID, "id")
    return rules


def _as_kept(plain: Any) -> Mapping[str, Any]:
    return to_dict(read_rule_set(plain))


_DESCRIBED = {"type": "object", "maxProperties": MOST_PARTS_OF_RULES}
RuleSetTable = Annotated[
    Mapping[str, Any], As(Any), AfterValidator(_as_kept), WithJsonSchema(_DESCRIBED)
]
"""A rule set in the shape of a file, as `to_dict` writes it."""
RuleSetTables = Annotated[
    Mapping[str, Mapping[str, Any]],
    As(Annotated[dict[str, Any], Field(max_length=MOST_RULE_SETS)]),
    WithJsonSchema(
        {"type": "object", "maxProperties": MOST_RULE_SETS, "additionalProperties": _DESCRIBED}
    ),
]
"""Rule sets in that shape by name, to be read by `read_rule_set`."""


def _check_value(field: str, value: Any) -> Any:
    try:
        read_value(field, value)
    except FaultyRules as fault:
        raise Misfit(fault.phrase) from None
    return value


def _value_type(field: str) -> Any:
    choices = choices_of(field)
    bounds: dict[str, Any] = {"enum": list(choices)} if choices else {"not": {"type": "null"}}
    if field in BOUNDS:
        least, most = BOUNDS[field]
        bounds = {"type": "integer", "minimum": least, "maximum": most}
    check = AfterValidator(partial(_check_value, field))
    return Annotated[AnyJson, check, WithJsonSchema(bounds)]


def _values(name: str, fields: Collection[str]) -> As:
    typed_dict: Any = TypedDict
    return As(typed_dict(name, {one: NotRequired[_value_type(one)] for one in sorted(fields)}))


HouseRules = Annotated[Mapping[str, Any], _values("HouseRules", FIELDS)]
"""The values of some house rules, by field."""
SwitchedRules = Annotated[Mapping[str, Any], _values("SwitchedRules", SWITCHABLE)]
"""The values of some of those that a game may switch on its way, by field."""


class PlainPhrase(TypedDict):
    """An English sentence with {places}, what fills them, and its plural for a count."""

    text: str
    values: NotRequired["dict[str, str | int | PlainPhrase]"]
    plural: NotRequired[str | None]
    count: NotRequired[int | None]


class Statement(TypedDict):
    """The verdict as it was said, to be said in any language."""

    verdict: PlainPhrase
    source: NotRequired[PlainPhrase | None]


def _check_verdict(plain: Mapping[str, Any]) -> Mapping[str, Any]:
    read_recorded_verdict(plain)
    return plain


PlainVerdict = Annotated[
    Mapping[str, Any],
    As(Statement),
    AfterValidator(_check_verdict),
    Unfit(say("This isn’t a recorded verdict.")),
    BeforeValidator(check_size),
]
"""A verdict as it was said, as plain values."""
