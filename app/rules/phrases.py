"""Sentences for people, kept apart from the language they are shown in.

The pure packages never look up a translation. They answer with a `Phrase`: the English text with
named places, and what fills them. `str(phrase)` is the English sentence; a page translates the
text first and fills the places afterwards.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, NamedTuple

Translate = Callable[[str, str | None, int | None], str]
"""Takes the English text, its plural and the count, and answers the text to fill."""


class Day(NamedTuple):
    """A day in a sentence, which each language writes in its own way."""

    year: int
    month: int
    day: int

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02}-{self.day:02}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One sentence or part of one: English text with {named} places and their values."""

    text: str
    values: tuple[tuple[str, "str | int | Day | Phrase"], ...] = ()
    plural: str | None = None
    count: int | None = None

    def __str__(self) -> str:
        """The phrase in English."""
        return self.render(in_english)

    def render(
        self,
        translate: Translate,
        number: Callable[[int], str] = str,
        day: Callable[[Day], str] = str,
    ) -> str:
        """The phrase with every text in it passed through `translate` before it is filled.

        `number` writes the whole numbers among its values, `day` the days. A phrase
        without values is not filled: it may be the text of somebody's own rule set, braces and all.
        """
        text = translate(self.text, self.plural, self.count)
        if not self.values:
            return text

        def filled(value: "str | int | Day | Phrase") -> str:
            if isinstance(value, Phrase):
                return value.render(translate, number, day)
            if isinstance(value, Day):
                return day(value)
            return number(value) if isinstance(value, int) else value

        return text.format(**{name: filled(one) for name, one in self.values})


class MalformedPhrase(ValueError):
    """Plain values that are no phrase, or a text with places that nothing fills."""


def to_dict(phrase: Phrase) -> dict[str, Any]:
    """A phrase as plain values, to be kept and said again in any language."""
    values = {name: to_dict(one) if isinstance(one, Phrase) else one for name, one in phrase.values}
    return {
        "text": phrase.text,
        **({"values": values} if values else {}),
        **({} if phrase.plural is None else {"plural": phrase.plural, "count": phrase.count}),
    }


def from_dict(plain: object) -> Phrase:
    """The phrase of such a dictionary, whoever wrote it: its values can be any texts.

    No phrase that holds a `Day` is stored, so none is read.

    Raises `MalformedPhrase`.

    >>> str(from_dict({"text": "{name} deals", "values": {"name": "Anna"}}))
    'Anna deals'
    """
    phrase = _from_dict(plain)
    if _most_letters(phrase) > _LONGEST:
        raise MalformedPhrase("a phrase is longer than anybody reads")
    return phrase


def _from_dict(plain: object) -> Phrase:
    if not isinstance(plain, Mapping) or not plain.keys() <= {"text", "values", "plural", "count"}:
        raise MalformedPhrase("a phrase has a text and values")
    text, plural, count = plain.get("text"), plain.get("plural"), plain.get("count")
    values = plain.get("values", {})
    if not isinstance(text, str) or not isinstance(values, Mapping):
        raise MalformedPhrase("a phrase has a text and values")
    if plural is not None and not (isinstance(plural, str) and _is_number(count)):
        raise MalformedPhrase("a plural has a count")
    if values and not all(_places(one) <= values.keys() for one in (text, plural or "")):
        raise MalformedPhrase("a place has no value")
    read = tuple((str(name), _value_from_plain(one)) for name, one in values.items())
    return Phrase(text, read, plural, count if plural is not None else None)


def _value_from_plain(value: object) -> "str | int | Phrase":
    if isinstance(value, str):
        return value
    return value if isinstance(value, int) and _is_number(value) else _from_dict(value)


_LONGEST = 4_000
"""Characters of a phrase with its places filled: a few phrases in one another, each of which says a
place many times, would come to any number."""
_LARGEST = 10**15
"""More than any phrase counts; what writes numbers out takes no more than 28 digits."""


def _most_letters(value: "str | int | Day | Phrase") -> int:
    """How long the value is at most, written out in English."""
    if not isinstance(value, Phrase):
        return len(str(value))
    filled = {name: _most_letters(one) for name, one in value.values}
    return max(
        sum(len(text) + filled.get(name or "", 0) for text, name, *_ in Formatter().parse(one))
        if filled
        else len(one)
        for one in (value.text, value.plural or "")
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _places(text: str) -> set[str]:
    """The names of the places of a text; none may be more than a name."""
    try:
        parts = [one for one in Formatter().parse(text) if one[1] is not None]
    except ValueError:
        raise MalformedPhrase("braces do not match") from None
    names = {str(name) for _text, name, _spec, _conversion in parts}
    extras = any(spec or conversion for _text, _name, spec, conversion in parts)
    if extras or not all(map(str.isidentifier, names)):
        raise MalformedPhrase("a place is a name alone")
    return names


def in_english(text: str, plural: str | None, count: int | None) -> str:
    """The English text itself, in the plural unless the count is one or minus one."""
    return text if plural is None or count in (1, -1) else plural


def counted(count: int, what: str) -> str:
    """So many of something, in English alone: "1 game", "2 games"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def say(text: str, /, **values: "str | int | Day | Phrase") -> Phrase:
    """A phrase: `say("{name} deals", name="Anna")`."""
    return Phrase(text, tuple(values.items()))


def say_plural(one: str, many: str, count: int, /, **values: "str | int | Day | Phrase") -> Phrase:
    """A phrase that depends on a number, which it may name as {count}."""
    return Phrase(one, (("count", count), *values.items()), plural=many, count=count)


def ask_for_number(least: int, most: int) -> Phrase:
    """What to say where a whole number within bounds was to be entered."""
    return say("Enter a whole number from {least} to {most}.", least=least, most=most)


def translatable(text: str) -> str:
    """The text itself, marked for the catalogues: it is kept as a text and said as a phrase."""
    return text


def concatenate(phrases: Sequence[Phrase], between: str = " ") -> Phrase:
    """Several phrases with blanks, or what is given, between them."""
    places = {f"at_{place}": phrase for place, phrase in enumerate(phrases)}
    return Phrase(between.join(f"{{{name}}}" for name in places), tuple(places.items()))


def join_phrases(phrases: Sequence[Phrase]) -> Phrase:
    """Several phrases in one: "this", "this and that", "this, that and those"."""
    *most, last = phrases
    return say("{first} and {second}", first=_list(most), second=last) if most else last


def join_names(names: Iterable[str]) -> Phrase:
    """Several names in one phrase: "Anna", "Anna and Ben", "Anna, Ben and Cleo"."""
    return join_phrases([say("{name}", name=one) for one in names])


def join_choices(phrases: Sequence[Phrase]) -> Phrase:
    """Several phrases of which one is chosen: "this", "this or that", "this, that or those"."""
    *most, last = phrases
    return say("{first} or {second}", first=_list(most), second=last) if most else last


def _list(phrases: Sequence[Phrase]) -> Phrase:
    first, *rest = phrases
    for phrase in rest:
        first = say("{first}, {second}", first=first, second=phrase)
    return first
