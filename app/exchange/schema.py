"""Plain values read into declared types, faults with their places; the types described.

What a type holds is said by its annotations (`app.rules.field_types`). A dataclass or typed dict
has no other fields than those; one that is null counts as left out where it has a default.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import ConfigDict, TypeAdapter, with_config
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails, SchemaValidator, ValidationError
from pydantic_core import core_schema as core

from app.rules.field_types import MISSING, NO_OBJECT, Misfit
from app.rules.phrases import Phrase, say
from app.rules.text import LONGEST_SHOWN, abbreviate


@dataclass
class DocumentError(Exception):
    """What is wrong at a place of a document, such as `games[0].seats[1].player`."""

    path: str
    message: Phrase

    def __str__(self) -> str:
        """For who has no page to read it on."""
        return f"{self.path}: {self.message}" if self.path else str(self.message)

    def within(self, outer: str) -> "DocumentError":
        """The same fault, seen from further out."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return DocumentError(f"{outer}{joint}{self.path}", self.message)


T = TypeVar("T")

UNKNOWN = say("This field is unknown.")
_SENTENCES: Mapping[str, Phrase] = {
    "missing": MISSING,
    "unexpected_keyword_argument": UNKNOWN,
    "extra_forbidden": UNKNOWN,
    "bool_type": say("This must be true or false."),
    "tuple_type": say("This must be a list."),
    "literal_error": say("This must be one of these: {choices}.", choices="expected"),
    "union_tag_invalid": say("This doesn’t fit an event of the kind {kind}.", kind="tag"),
    "too_long": say(
        "There are {count}; the limit is {most}.", count="actual_length", most="max_length"
    ),
    "too_short": say("There must be at least {least}.", least="min_length"),
}
"""What is said of a fault, by the library's code: with which of its values places are filled."""


class FieldFault(NamedTuple):
    """What is wrong at a place: names of fields and numbers of items, from the outermost on."""

    place: tuple[str | int, ...]
    message: Phrase


@dataclass
class Misread(Exception):
    """What is wrong, in the order of the declared fields; of a list, with its first faulty item."""

    faults: Sequence[FieldFault]


class Schema(Generic[T]):
    """A declared type as it is read, written and described."""

    def __init__(self, declared: type[T]) -> None:
        if is_dataclass(declared):
            declared = with_config(ConfigDict(extra="forbid"))(declared)
        self.adapter: TypeAdapter[T] = TypeAdapter(declared)
        self._validator = SchemaValidator(_strict(self.adapter.core_schema))

    def read(self, plain: object) -> T:
        """The value that plain values say. Raises `Misread`."""
        try:
            found: T = self._validator.validate_python(plain)
        except ValidationError as error:
            wrong = error.errors(include_url=False)
            faults = [_fault(one, plain) for one in wrong if not _is_cut_short(one, wrong)]
            raise Misread(faults) from None
        return found

    def write(self, value: T) -> str:
        """The value as JSON, without what has its default."""
        return self.adapter.dump_json(value, by_alias=True, exclude_defaults=True).decode()


def _is_cut_short(fault: ErrorDetails, faults: Sequence[ErrorDetails]) -> bool:
    """Is a list said to be too short since it was read up to its faulty item only?"""
    place = fault["loc"]
    return fault["type"] == "too_short" and any(
        one is not fault and one["loc"][: len(place)] == place for one in faults
    )


@functools.cache
def schema_of(declared: type[T]) -> Schema[T]:
    """What reads and writes a part of a document, or what is sent to the JSON interface."""
    return Schema(declared)


def path_of(place: Sequence[str | int]) -> str:
    """A place in one text, such as `games[0].seats[1].player`."""
    parts = (f"[{one}]" if isinstance(one, int) else f".{one[:LONGEST_SHOWN]}" for one in place)
    return "".join(parts).removeprefix(".")


class JsonSchema(GenerateJsonSchema):
    """Describes declared types: what has a default may be null, and no field needs a title."""

    def default_schema(self, schema: core.WithDefaultSchema) -> dict[str, Any]:
        """The description of a field with a default."""
        found = super().default_schema(schema)
        if self.mode == "serialization" or schema["schema"]["type"] == "nullable":
            return found
        default = {"default": found.pop("default")} if "default" in found else {}
        return {**_or_null(found), **default}

    def nullable_schema(self, schema: core.NullableSchema) -> dict[str, Any]:
        """The description of what may be null."""
        return _or_null(self.generate_inner(schema["schema"]))

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Whether a field must be there: in an answer, every field of a record is."""
        answered = self.mode == "serialization" and field["type"] == "dataclass-field"
        return answered or super().field_is_required(field, total)

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Whether a field gets a title."""
        return False


def _or_null(described: dict[str, Any]) -> dict[str, Any]:
    kind = described.get("type")
    if isinstance(kind, str) and not {"enum", "const"} & described.keys():
        return {**described, "type": [kind, "null"]}
    return {"anyOf": [described, {"type": "null"}]}


def _strict(schema: Any) -> Any:
    """The library's schema, made strict where it would guess (“5” is 5).

    Its dataclasses and typed dicts are read by way of `_Tidy`. The library's own strict mode would
    refuse a list for a tuple, too, and an object for a dataclass.
    """
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: one if name == "metadata" else _strict(one) for name, one in schema.items()}
    kind = strict.get("type")
    if kind in ("bool", "int", "str"):
        return {**strict, "strict": True}
    if kind == "dataclass":
        parts = schema["schema"]["fields"]
        keys = {one.get("validation_alias", one["name"]): one["schema"]["type"] for one in parts}
    elif kind == "typed-dict":
        keys = dict.fromkeys(schema["fields"], "")
    else:
        return strict
    tidy = _Tidy(keys.keys(), {key for key, inner in keys.items() if inner == "default"})
    ref = strict.pop("ref", None)
    return core.no_info_before_validator_function(tidy, strict, ref=ref)


@dataclass(frozen=True, slots=True)
class _Tidy:
    """An object without its nulls where a field has a default: the library knows no such thing.

    An object with more fields than are declared is refused here: else each of a million unknown
    ones would be a fault.
    """

    known: Any
    optional: Any

    def __call__(self, plain: Any) -> Any:
        if type(plain) is not dict:
            return plain
        if len(plain) > len(self.known):
            raise Misfit(UNKNOWN, next(name for name in plain if name not in self.known))
        if self.optional and None in plain.values():
            return {
                name: one
                for name, one in plain.items()
                if one is not None or name not in self.optional
            }
        return plain


def _fault(error: Any, plain: Any) -> FieldFault:
    code, context = error["type"], error.get("ctx", {})
    if code == "too_long":
        context = {**context, "actual_length": len(error["input"])}
    misfit = context.get("error")
    place = _place(plain, error["loc"], missing=code == "missing")
    if isinstance(misfit, Misfit):
        return FieldFault((*place, *misfit.place), misfit.phrase)
    if code.startswith("union_tag"):
        place = (*place, context["discriminator"].strip("'"))
    if error["input"] is None or code == "union_tag_not_found":
        return FieldFault(place, MISSING)
    if "phrase" in context:
        return FieldFault(place, context["phrase"])
    phrase = _SENTENCES.get(code, NO_OBJECT)
    values = ((name, _shown(context[value])) for name, value in phrase.values)
    return FieldFault(place, replace(phrase, values=tuple(values)))


def _shown(value: Any) -> str | int:
    return value if isinstance(value, int) else abbreviate(str(value), LONGEST_SHOWN)


def _place(plain: Any, path: Sequence[str | int], *, missing: bool) -> tuple[str | int, ...]:
    """The place, without what the library says of the choices that it took on the way."""
    found: list[str | int] = []
    for number, part in enumerate(path, start=1):
        within = isinstance(plain, dict) and part in plain
        if within or (isinstance(plain, list) and isinstance(part, int)):
            plain = plain[part]
            found.append(part)
        elif missing and number == len(path):
            found.append(part)
    return tuple(found)
