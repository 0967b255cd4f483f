"""A contract: the melds that a player must lay down, all at once, to be down.

Its text form is a list of parts, `s3` for a set of three and `r4` for a run of four, separated by
blanks; in words it is "2 sets of 3 and run of 4". Whether given melds fulfil it is judged in
`laydown.py`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.rules.phrases import Phrase, join_phrases, say, say_plural

Kind = Literal["set", "run"]

MOST_PARTS = 8
"""Melds of a contract."""

_PART = re.compile(r"([sr])([1-9][0-9]?)")


class UnreadableContract(ValueError):
    """A text that is no contract; `phrase` says why, for any language."""

    def __init__(self, phrase: Phrase) -> None:
        self.phrase = phrase
        super().__init__(str(phrase))


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """One meld that a contract asks for: its kind and how many cards it takes."""

    kind: Kind
    size: int

    def __str__(self) -> str:
        """The text form: `s3`, `r4`."""
        return f"{self.kind[0]}{self.size}"

    @property
    def words(self) -> Phrase:
        """The part in words: "set of 3", "run of 4", "pair"."""
        return _part_words(self, 1)


@dataclass(frozen=True, slots=True)
class Contract:
    """A numbered contract (from 1) and its parts, like ones together.

    Melds may be laid in any order; the order of the parts is that of its words and places.
    """

    number: int
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(Counter(self.parts).elements()))

    def __str__(self) -> str:
        """The text form of the parts: `r4 s3 s3`."""
        return " ".join(map(str, self.parts))

    @property
    def size(self) -> int:
        """How many cards it takes."""
        return sum(part.size for part in self.parts)

    @property
    def words(self) -> Phrase:
        """The contract in words, without its number: "run of 4 and 2 sets of 3"."""
        return join_phrases(
            [_part_words(part, count) for part, count in Counter(self.parts).items()]
        )

    def with_open_places(self, melds: Sequence[str]) -> tuple[str, ...]:
        """The texts of its melds; if any is empty, an empty one for each part without a meld.

        >>> Contract.read(1, "s3 s3").with_open_places(["5H 5D 5C", "", "9H 9D 9C"])
        ('5H 5D 5C', '9H 9D 9C')
        """
        if all(text.strip() for text in melds):
            return tuple(melds)
        kept = list(melds)
        for place in reversed(range(len(melds))):
            if len(kept) > len(self.parts) and not kept[place].strip():
                del kept[place]
        return (*kept, *[""] * (len(self.parts) - len(kept)))

    @classmethod
    def read(cls, number: int, text: str) -> "Contract":
        """The contract that a text form like `r4 s3 s3` names. Raises `UnreadableContract`."""
        parts = []
        for word in text.split():
            match = _PART.fullmatch(word)
            if match is None:
                raise UnreadableContract(say("“{word}” isn’t s3, r4 or the like", word=word[:12]))
            parts.append(Part("set" if match[1] == "s" else "run", int(match[2])))
        if not parts:
            raise UnreadableContract(say("A contract needs at least one meld."))
        return cls(number, tuple(parts))


def _part_words(part: Part, count: int) -> Phrase:
    if part == Part("set", 2):
        return say_plural("pair", "{count} pairs", count)
    if part == Part("set", 3):  # in French these two have names of their own, as the pair has
        return say_plural("set of 3", "{count} sets of 3", count)
    if part == Part("set", 4):
        return say_plural("set of 4", "{count} sets of 4", count)
    if part.kind == "set":
        return say_plural("set of {size}", "{count} sets of {size}", count, size=part.size)
    return say_plural("run of {size}", "{count} runs of {size}", count, size=part.size)
