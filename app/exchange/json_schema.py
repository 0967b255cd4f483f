"""The JSON schema of a group's document, for other programs, made from what reads documents."""

import json
from inspect import cleandoc
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from app.exchange.documents import VERSION, GroupSchema
from app.exchange.events import KINDS
from app.exchange.rule_fields import RecordedVerdictField

_PHRASE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {
        "text": {"type": "string", "description": "An English sentence with {places}."},
        "values": {
            "type": "object",
            "description": "What fills the places.",
            "additionalProperties": {
                "anyOf": [{"type": ["string", "integer"]}, {"$ref": "#/$defs/Phrase"}]
            },
        },
        "plural": {"type": ["string", "null"]},
        "count": {"type": ["integer", "null"]},
    },
}
_STATEMENT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdict"],
    "description": "The verdict as it was said, to be said in any language.",
    "properties": {
        "verdict": {"$ref": "#/$defs/Phrase"},
        "source": {"anyOf": [{"$ref": "#/$defs/Phrase"}, {"type": "null"}]},
    },
}


def json_schema() -> dict[str, Any]:
    """The schema, by draft 2020-12."""
    plugin = MarshmallowPlugin()
    spec = APISpec("", "", "3.1.0", plugins=[plugin])
    converter: Any = plugin.converter
    converter.add_attribute_function(_statement)
    spec.components.schema("Group", schema=GroupSchema)
    events = [_of_kind(converter, kind) for kind in KINDS]
    definitions = spec.to_dict()["components"]["schemas"]
    definitions["Event"] |= {"allOf": events}
    definitions["Event"]["properties"]["kind"]["enum"] = [*KINDS]
    definitions |= {"Phrase": _PHRASE, "Statement": _STATEMENT}
    for (read, *_modifiers), name in converter.refs.items():
        if read.__doc__:
            definitions[name]["description"] = cleandoc(read.__doc__)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A group of Meldkeeper, version {VERSION}",
        **definitions.pop("Group"),
        "$defs": definitions,
    }
    text = json.dumps(schema).replace('"#/components/schemas/', '"#/$defs/')
    moved: dict[str, Any] = json.loads(text)
    return moved


def _of_kind(converter: Any, name: str) -> dict[str, Any]:
    """What an event holds that is of this kind."""
    kind = KINDS[name]
    said = {"before": kind.before, "after": kind.schema}
    plain = {part: converter.schema2jsonschema(one) for part, one in said.items()}
    needed = [part for part, one in plain.items() if one.get("required")]
    for one in plain.values():
        one["type"] = "object" if one.get("required") else ["object", "null"]
    needed += ["round"] * kind.of_round
    numbers = {"round": {"type": "integer", "minimum": 1}}
    return {
        "if": {"properties": {"kind": {"const": name}}},
        "then": {
            "properties": plain | {one: numbers[one] for one in needed if one in numbers},
            "required": needed,
        },
    }


def _statement(_converter: Any, field: Any, **_more: Any) -> dict[str, Any]:
    if not isinstance(field, RecordedVerdictField):
        return {}
    statement = {"$ref": "#/$defs/Statement"}
    return {"anyOf": [statement, {"type": "null"}]} if field.allow_none else statement
