"""Sentences for people, kept apart from the language they are shown in.

The pure rooms never look up a translation. They answer with a `Phrase`: the English text with
named places, and what fills them. `str(phrase)` is the English sentence; a page translates the
text first and fills the places afterwards. What is *said* stands here; what is *true* does not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Translate = Callable[[str, str | None, int | None], str]
"""Takes the English text, its plural and the count, and answers the text to fill."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One sentence or part of one: English text with {named} places and their values."""

    text: str
    values: tuple[tuple[str, "str | int | Phrase"], ...] = ()
    plural: str | None = None
    count: int | None = None

    def __str__(self) -> str:
        """The phrase in English."""
        return self.in_words_of(in_english)

    def in_words_of(self, translate: Translate, number: Callable[[int], str] = str) -> str:
        """The phrase with every text in it passed through `translate` before it is filled.

        `number` writes the whole numbers among its values. A phrase without values is said as it
        stands: it may be the text of somebody's own rule set, braces and all.
        """
        text = translate(self.text, self.plural, self.count)
        if not self.values:
            return text
        return text.format(**{name: _filled(one, translate, number) for name, one in self.values})


def _filled(value: "str | int | Phrase", translate: Translate, number: Callable[[int], str]) -> str:
    if isinstance(value, Phrase):
        return value.in_words_of(translate, number)
    return number(value) if isinstance(value, int) else value


def in_english(text: str, plural: str | None, count: int | None) -> str:
    """The English text itself, in the plural unless the count is one."""
    return text if plural is None or count == 1 else plural


def say(text: str, /, **values: "str | int | Phrase") -> Phrase:
    """A phrase: `say("{name} deals", name="Anna")`."""
    return Phrase(text, tuple(values.items()))


def say_many(one: str, many: str, count: int, /, **values: "str | int | Phrase") -> Phrase:
    """A phrase that depends on a number, which it may name as {count}."""
    return Phrase(one, (("count", count), *values.items()), plural=many, count=count)


def translatable(text: str) -> str:
    """The text itself, marked for the catalogues: it is kept as a text and said as a phrase."""
    return text


def side_by_side(phrases: Sequence[Phrase]) -> Phrase:
    """Several phrases with blanks between them."""
    places = {f"at_{place}": phrase for place, phrase in enumerate(phrases)}
    return Phrase(" ".join(f"{{{name}}}" for name in places), tuple(places.items()))


def listed(phrases: list[Phrase]) -> Phrase:
    """Several phrases in one: "this", "this and that", "this, that and those"."""
    first, *rest = phrases
    if not rest:
        return first
    for phrase in rest[:-1]:
        first = say("{first}, {second}", first=first, second=phrase)
    return say("{first} and {second}", first=first, second=rest[-1])
