"""Sentences for people, kept apart from the language they are shown in.

The pure rooms never look up a translation. They answer with a `Phrase`: the English text with
named places, and what fills them. `str(phrase)` is the English sentence; a page translates the
text first and fills the places afterwards. What is *said* stands here; what is *true* does not.
"""

from collections.abc import Callable
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

    def in_words_of(self, translate: Translate) -> str:
        """The phrase with every text in it passed through `translate` before it is filled."""
        filled = {
            name: value.in_words_of(translate) if isinstance(value, Phrase) else value
            for name, value in self.values
        }
        return translate(self.text, self.plural, self.count).format(**filled)


def in_english(text: str, plural: str | None, count: int | None) -> str:
    """The English text itself, in the plural unless the count is one."""
    return text if plural is None or count == 1 else plural


def say(text: str, /, **values: "str | int | Phrase") -> Phrase:
    """A phrase: `say("{name} deals", name="Anna")`."""
    return Phrase(text, tuple(values.items()))


def say_many(one: str, many: str, count: int, /, **values: "str | int | Phrase") -> Phrase:
    """A phrase that depends on a number, which it may name as {count}."""
    return Phrase(one, (("count", count), *values.items()), plural=many, count=count)


def listed(phrases: list[Phrase]) -> Phrase:
    """Several phrases in one: "this", "this and that", "this, that and those"."""
    first, *rest = phrases
    if not rest:
        return first
    for phrase in rest[:-1]:
        first = say("{first}, {second}", first=first, second=phrase)
    return say("{first} and {second}", first=first, second=rest[-1])
