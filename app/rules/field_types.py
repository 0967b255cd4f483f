"""The types of fields with which documents, events and JSON bodies are declared.

Each stands in the annotation of a field, `Annotated[int, WholeNumber(1, 12)]`, and knows how a
value is checked, what is said of one that does not fit, and what a JSON schema says of it. What
reads a declared type is `app.exchange.schema`. The library, pydantic, asks each by methods of its
own what it checks a value by (`CoreSchema`) and what a JSON schema says of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from pydantic import BeforeValidator, WithJsonSchema
from pydantic import GetCoreSchemaHandler as Handler
from pydantic_core import CoreSchema
from pydantic_core import core_schema as core

from app.rules.phrases import Phrase, ask_for_number, say
from app.rules.text import normalize_text

NO_OBJECT = say("This must be an object with fields.")
MISSING = say("This is missing.")
TOO_LARGE = say("This is too large.")
_DEEPEST = 40
"""A verdict is kept with the sentences that are in it, each of which goes two objects deeper."""
_LARGEST = 20_000


class Misfit(ValueError):
    """A value that does not fit its field, or what stands at that place within it."""

    def __init__(self, phrase: Phrase, *place: str) -> None:
        super().__init__(str(phrase))
        self.phrase, self.place = phrase, place


def text_too_long(most: int) -> Phrase:
    """What is said of a text that is longer, or no text at all."""
    return say("Enter text of {most} characters or fewer.", most=most)


@dataclass(frozen=True, slots=True)
class Unfit:
    """One sentence for whatever does not fit, in place of those of the type."""

    phrase: Phrase

    def __get_pydantic_core_schema__(self, source: Any, handler: Handler) -> CoreSchema:
        return _saying(handler(source), self.phrase, "unfit")


@dataclass(frozen=True, slots=True)
class As:
    """Read and described as another type."""

    kind: Any

    def __get_pydantic_core_schema__(self, _source: Any, handler: Handler) -> CoreSchema:
        return handler.generate_schema(self.kind)


@dataclass(frozen=True, slots=True)
class Text:
    """A text of at most so many characters, as `normalize_text` writes it.

    `unfit` says what it should be where it is shorter than `least` or has not that `form`; without
    it `text_too_long` does.
    """

    most: int
    least: int = 0
    form: str = ""
    unfit: Phrase | None = None

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        too_long = text_too_long(self.most)
        plain = core.no_info_after_validator_function(normalize_text, core.str_schema(strict=True))
        steps = core.chain_schema([plain, core.str_schema(max_length=self.most)])
        read = _saying(steps, too_long, "text_length")
        if self.least or self.form:
            pattern = rf"^(?:{self.form})\Z" if self.form else None
            shape = core.str_schema(
                min_length=self.least, pattern=pattern, regex_engine="python-re"
            )
            read = core.chain_schema([read, _saying(shape, self.unfit or too_long, "form")])
        return read

    def __get_pydantic_json_schema__(self, _schema: Any, _handler: Any) -> dict[str, Any]:
        bounds: dict[str, Any] = {"type": "string", "maxLength": self.most}
        bounds |= {"minLength": self.least} if self.least else {}
        return bounds | ({"pattern": f"^(?:{self.form})$"} if self.form else {})


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number within bounds, and nothing that only looks like one."""

    least: int
    most: int

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        # To JSON 2.0 is whole, too.
        bounds: dict[str, Any] = {"strict": True, "ge": self.least, "le": self.most}
        as_float = core.float_schema(multiple_of=1, **bounds)
        whole = core.no_info_after_validator_function(int, as_float)
        either = core.union_schema([core.int_schema(**bounds), whole], mode="left_to_right")
        return _saying(either, ask_for_number(self.least, self.most), "number")

    def __get_pydantic_json_schema__(self, _schema: Any, _handler: Any) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list with so many items, read up to the first that is faulty."""

    most: int
    least: int = 0

    def __get_pydantic_core_schema__(self, source: Any, handler: Handler) -> CoreSchema:
        return core.tuple_schema(
            [handler.generate_schema(get_args(source)[0])],
            variadic_item_index=0,
            min_length=self.least or None,
            max_length=self.most,
            fail_fast=True,
        )


def _saying(schema: CoreSchema, phrase: Phrase, code: str) -> CoreSchema:
    return core.custom_error_schema(
        schema,
        custom_error_type=code,
        custom_error_message=phrase.text.replace("{", "").replace("}", ""),
        custom_error_context={"phrase": phrase},
    )


def check_size(value: Any) -> Any:
    """The value, which is neither null nor large nor deep. Raises `Misfit`."""
    if value is None:
        raise Misfit(MISSING)
    if _is_deeper(value, _DEEPEST) or len(repr(value)) > _LARGEST:
        raise Misfit(TOO_LARGE)
    return value


def _is_deeper(value: object, levels: int) -> bool:
    if not isinstance(value, Mapping | list):
        return False
    parts = value.values() if isinstance(value, Mapping) else value
    return not levels or any(_is_deeper(part, levels - 1) for part in parts)


AnyJson = Annotated[Any, BeforeValidator(check_size), WithJsonSchema({"not": {"type": "null"}})]
"""A value of any kind but null that is neither large nor deep."""
