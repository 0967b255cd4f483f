"""The types of fields that JSON bodies are declared with, and what reads an object.

Each type knows how a value is checked, what it becomes, how it is written, and, as metadata, what a
JSON schema says of it. A fault is a `Phrase` in the messages of marshmallow's `ValidationError`.
"""

import re
from typing import Any, TypeVar

from marshmallow import RAISE, Schema, ValidationError, fields, missing

from app.rules.phrases import Phrase, ask_for_number, say
from app.rules.text import normalize_text

T = TypeVar("T")

NO_OBJECT = say("This must be an object with fields.")
UNKNOWN = say("This field is unknown.")
MISSING = say("This is missing.")


class _Checked(fields.Field[T]):
    """A field with one message for whatever it does not take; `bounds` are for a JSON schema."""

    def __init__(self, told: Phrase, *, bounds: dict[str, Any] | None = None, **options: Any):
        messages: dict[str, Any] = {"invalid": [told], "required": [MISSING], "null": [MISSING]}
        super().__init__(error_messages=messages, metadata=bounds or {}, **options)


class BodyText(_Checked[str], fields.String):
    """A text of at most so many characters, composed and without control characters.

    `told` says what it should be where it is shorter than `least` or has not that `form`.
    """

    def __init__(
        self, most: int, least: int = 0, *, form: str = "", told: Phrase | None = None, **more: Any
    ) -> None:
        self._least, self._most, self._form = least, most, re.compile(form) if form else None
        bounds: dict[str, Any] = {"maxLength": most} | ({"minLength": least} if least else {})
        bounds |= {"pattern": f"^{form}$"} if form else {}
        too_long = say("Enter text of {most} characters or fewer.", most=most)
        super().__init__(too_long, bounds=bounds, **more)
        self.error_messages["form"] = [told or too_long]

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> str:
        text = normalize_text(value) if isinstance(value, str) else None
        if text is None or len(text) > self._most:
            raise self.make_error("invalid")
        if len(text) < self._least or (self._form and not self._form.fullmatch(text)):
            raise self.make_error("form")
        return text


class BodyNumber(_Checked[int], fields.Integer):
    """A whole number within bounds, and nothing that only looks like one."""

    def __init__(self, least: int, most: int, **more: Any) -> None:
        self._least, self._most = least, most
        told = ask_for_number(least, most)
        super().__init__(told, bounds={"minimum": least, "maximum": most}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or not self._least <= value <= self._most:
            raise self.make_error("invalid")
        return value


class YesNo(_Checked[bool], fields.Boolean):
    """Yes or no."""

    def __init__(self, **more: Any) -> None:
        super().__init__(say("This must be true or false."), **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if value is not True and value is not False:
            raise self.make_error("invalid")
        return value


class JsonObject(_Checked[Any], fields.Dict):
    """An object with at most so many fields, of any kind or read as `values`."""

    def __init__(self, most: int, **more: Any) -> None:
        self._most = most
        super().__init__(NO_OBJECT, bounds={"maxProperties": most}, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > self._most:
            raise self.make_error("invalid")
        if self.value_field is not None:
            for name, one in value.items():
                try:
                    self.value_field.deserialize(one)
                except ValidationError as error:
                    raise ValidationError({name: error.messages}) from None
        return value


class BodyList(_Checked[Any], fields.List[Any]):
    """A list with so many items, read up to the first that is faulty."""

    def __init__(self, inner: fields.Field[Any], most: int, least: int = 0, **more: Any) -> None:
        self._least, self._most = least, most
        bounds = {"maxItems": most, **({"minItems": least} if least else {})}
        super().__init__(say("This must be a list."), cls_or_instance=inner, bounds=bounds, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        if len(value) > self._most:
            message = say(
                "There are {count}; the limit is {most}.", count=len(value), most=self._most
            )
            raise ValidationError([message])
        if len(value) < self._least:
            raise ValidationError([say("There must be at least {least}.", least=self._least)])
        found, read = [], self.inner.deserialize
        for place, one in enumerate(value):
            try:
                found.append(read(one))
            except ValidationError as error:
                raise ValidationError({place: error.messages}) from None
        return tuple(found)


class NestedObject(_Checked[Any], fields.Nested):
    """An object that a schema reads."""

    def __init__(self, schema: Schema | type[Schema], **more: Any) -> None:
        super().__init__(NO_OBJECT, nested=schema, **more)


class StrictSchema(Schema):
    """An object whose fields are all known.

    It finds what is wrong in each of its fields, but stops at one that nobody knows: somebody may
    send a million of them.
    """

    class Meta:
        """What the JSON schema says of fields that are not known."""

        unknown = RAISE

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._by_key = {one.data_key or name: (name, one) for name, one in self.fields.items()}
        self._expected = [
            key
            for key, (_name, one) in self._by_key.items()
            if one.required or one.load_default is not missing
        ]

    def load(self, data: Any, **_options: Any) -> Any:
        """The values of the fields that are there or have a default, by name."""
        if not isinstance(data, dict):
            raise ValidationError([NO_OBJECT])
        found: dict[str, Any] = {}
        faults: dict[str | int, Any] = {}
        absent = [(key, missing) for key in self._expected if key not in data]
        for key, value in (*data.items(), *absent):
            known = self._by_key.get(key)
            if known is None:
                faults[key] = [UNKNOWN]
                break
            try:
                found[known[0]] = known[1].deserialize(value, key, data)
            except ValidationError as error:
                faults[key] = error.messages
        if faults:
            raise ValidationError(faults)
        return found
