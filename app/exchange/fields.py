"""The fields of a document asked for one by one, with their bounds; a fault knows its place."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from app.rules.text import can_be_stored, plain_text
from app.rules.wording import Phrase, say

T = TypeVar("T")

_DEEPEST = 40
"""A verdict is kept with the sentences that are in it, each of which goes two objects deeper."""
_LARGEST = 20_000
_UNKEEPABLE_ESCAPE = re.compile(rb"\\u(?:0000|d[89a-f])", re.IGNORECASE)


@dataclass
class Faulty(Exception):
    """What is wrong at a place of a document; the place is put together from the inside out."""

    place: str
    message: Phrase

    def within(self, outer: str) -> "Faulty":
        """The same fault, seen from further out."""
        joint = "" if not self.place or self.place.startswith("[") else "."
        return Faulty(f"{outer}{joint}{self.place}", self.message)


class Fields:
    """The fields of one JSON object, asked for by name; one that nobody asks for is a fault."""

    __slots__ = ("_left",)

    def __init__(self, plain: object) -> None:
        if not isinstance(plain, dict):
            raise Faulty("", say("This must be an object with fields."))
        self._left: dict[str, Any] = dict(plain)

    def text(self, name: str, most: int, default: str | None = None) -> str:
        """A text of at most so many characters, composed and without control characters."""
        value = self._left.pop(name, default)
        text = plain_text(value) if isinstance(value, str) else None
        if text is None or len(text) > most:
            raise Faulty(name, say("Enter text of {most} characters or fewer.", most=most))
        return text

    def number(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        return self._whole(name, self._left.pop(name, None), least, most)

    def number_or_none(self, name: str, least: int, most: int) -> int | None:
        """A whole number within bounds; None where there is none."""
        value = self._left.pop(name, None)
        return None if value is None else self._whole(name, value, least, most)

    def has(self, name: str) -> bool:
        """Is there such a field that nobody has asked for yet?"""
        return name in self._left

    def flag(self, name: str) -> bool:
        """Yes or no; no where it is not said."""
        value = self._left.pop(name, False)
        if not isinstance(value, bool):
            raise Faulty(name, say("This must be true or false."))
        return value

    def moment(self, name: str) -> datetime:
        """A moment, in UTC."""
        moment = self.moment_or_none(name)
        if moment is None:
            raise Faulty(name, say("This must be a date and time such as 2026-11-20T19:30:00Z."))
        return moment

    def moment_or_none(self, name: str) -> datetime | None:
        """A moment, in UTC; None where there is none."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(value)
            in_utc = moment.astimezone(UTC)
            if moment.tzinfo is not None and 1900 <= in_utc.year <= 2200:
                return in_utc
        except (TypeError, ValueError, OverflowError):
            pass
        raise Faulty(name, say("This must be a date and time such as 2026-11-20T19:30:00Z."))

    def anything(self, name: str) -> Any:
        """A value of any kind that is neither large nor deep."""
        value = self._left.pop(name, None)
        if _depth(value) > _DEEPEST or len(repr(value)) > _LARGEST:
            raise Faulty(name, say("This is too large."))
        return value

    def mapping(self, name: str) -> Mapping[str, Any]:
        """An object with fields of any kind; empty where there is none."""
        value = self.anything(name)
        if value is not None and not isinstance(value, dict):
            raise Faulty(name, say("This must be an object with fields."))
        return value or {}

    def large_mapping(self, name: str, most: int) -> Mapping[str, Any]:
        """An object with at most so many fields, which somebody else checks."""
        value = self._left.pop(name, {})
        if not isinstance(value, dict) or len(value) > most:
            raise Faulty(name, say("This must be an object with fields."))
        return value

    def items(
        self, name: str, read: Callable[[object], T], most: int, least: int = 0
    ) -> tuple[T, ...]:
        """A list of records."""
        return tuple(self.each(name, read, most, least))

    def each(
        self, name: str, read: Callable[[object], T], most: int, least: int = 0
    ) -> Iterator[T]:
        """A list of records, read one after the other."""
        values = self._left.pop(name, [])
        if not isinstance(values, list):
            raise Faulty(name, say("This must be a list."))
        if len(values) > most:
            message = say("There are {count}; the limit is {most}.", count=len(values), most=most)
            raise Faulty(name, message)
        if len(values) < least:
            raise Faulty(name, say("There must be at least {least}.", least=least))
        return _each(name, values, read)

    def done(self) -> None:
        """Nothing may be left."""
        if self._left:
            unknown = min(map(str, self._left))[:40]
            raise Faulty(unknown, say("This field is unknown."))

    @staticmethod
    def _whole(name: str, value: object, least: int, most: int) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            message = say("Enter a whole number from {least} to {most}.", least=least, most=most)
            raise Faulty(name, message)
        return value


def _each(name: str, values: list[object], read: Callable[[object], T]) -> Iterator[T]:
    for place, value in enumerate(values):
        try:
            yield read(value)
        except Faulty as fault:
            raise fault.within(f"{name}[{place}]") from None


def parsed(content: bytes) -> object:
    """The JSON of a file. Raises `Faulty` with the line where it breaks off."""
    try:
        plain = json.loads(content.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Faulty("", say("This file isn’t UTF-8 text.")) from None
    except json.JSONDecodeError as broken:
        message = say(
            "This isn’t valid JSON, or part of it is missing: it breaks off at line {line}.",
            line=broken.lineno,
        )
        raise Faulty("", message) from None
    except RecursionError:
        raise Faulty("", say("This is nested too deeply.")) from None
    except ValueError:
        raise Faulty("", say("It contains a number that isn’t valid.")) from None
    if _UNKEEPABLE_ESCAPE.search(content):  # there is no other way to such a character in UTF-8
        _refuse_unkeepable(plain)
    return plain


def _refuse_unkeepable(value: object) -> None:
    """Raise `Faulty` for a NUL or half a surrogate pair in any text, names of fields included."""
    if isinstance(value, str):
        if not can_be_stored(value):
            raise Faulty("", say("This contains a character that can’t be stored."))
    elif isinstance(value, dict):
        for name, one in value.items():  # in JSON, names are texts
            _refuse_unkeepable(name)
            _known_place(name[:40], one)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            _known_place(f"[{number}]", one)


def _known_place(place: str, value: object) -> None:
    try:
        _refuse_unkeepable(value)
    except Faulty as fault:
        raise fault.within(place) from None


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


def _no_number(text: str) -> float:
    raise ValueError(text)
