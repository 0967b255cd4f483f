"""What a question of the Q&A is as content, and what it comes to for one rule set.

A `Topic` is content: the question and, for each value that changes it, the answer in a sentence of
its own. An `Entry` is a topic answered for one rule set: with where that stands, which of the three
(the text says so, it follows from the text, it is our decision), and an example for the judge.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from app.rules.phrases import Phrase, Translate, say
from app.rules.variant import Variant

Group = Literal["wild", "runs", "laying", "adding", "turn", "out", "score", "table"]

GROUP_NAMES: dict[Group, Phrase] = {
    "wild": say("Wild cards"),
    "runs": say("Runs and aces"),
    "laying": say("Laying down"),
    "adding": say("Adding and swapping"),
    "turn": say("Drawing and discarding"),
    "out": say("Going out"),
    "score": say("Scoring and winning"),
    "table": say("Setting up"),
}
"""The heading of each group, in the order of the page."""


class Basis(StrEnum):
    """What an answer rests on: on the rule set by one of three, or on a house rule."""

    TEXT = "text"
    INFERRED = "inferred"
    OURS = "ours"
    HOUSE = "house"

    @property
    def label(self) -> Phrase:
        """The label that is shown."""
        return _LABELS[self]


_LABELS = {
    Basis.TEXT: say("Text"),
    Basis.INFERRED: say("Inferred"),
    Basis.OURS: say("Ours"),
    Basis.HOUSE: say("House rule"),
}


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an answer rests on: where it stands and why, each only where there is something to say.

    `otherwise` names the house rule that plays it the other way, for what is ours.
    """

    basis: Basis
    place: Phrase | None
    why: Phrase | None
    otherwise: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A question for the judge (its file's fields without the variant), and what the answer says.

    `expect` is the Q&A's own answer, by the keys of the judge's; the judge must say the same.
    """

    question: Mapping[str, object]
    caption: Phrase
    expect: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Said:
    """An answer that stands alone, and a sentence that explains it where it needs one."""

    answer: Phrase
    reason: Phrase | None = None


def _always(_variant: Variant) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Topic:
    """One question of the Q&A, for every rule set.

    `fields` are those that change the answer, the first the one that its source is taken from.
    `search` holds more words by which players look for it. `matters` says where it has an effect.
    """

    id: str
    question: Callable[[Variant], Phrase]
    said: Callable[[Variant], Said]
    search: Phrase
    fields: tuple[str, ...] = ()
    matters: Callable[[Variant], bool] = _always
    example: Callable[[Variant], Example | None] | None = None
    on_sheet: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A question with its answer under given rules.

    `printed` is what the printed rules answer, where a house rule changed the answer; `changed` are
    the fields that differ then.
    """

    id: str
    group: Group
    question: Phrase
    answer: Phrase
    reason: Phrase | None
    grounds: Grounds
    search: Phrase
    printed: Phrase | None
    changed: tuple[str, ...]
    example: Example | None
    on_sheet: bool

    def in_words(self, translate: Translate) -> tuple[str, str, str]:
        """What is searched, the most telling first: question, further words, everything else."""
        told = [self.answer, self.reason, self.grounds.place, self.grounds.why]
        rest = " ".join(one.in_words_of(translate) for one in told if one is not None)
        return self.question.in_words_of(translate), self.search.in_words_of(translate), rest


def asked(question: Phrase) -> Callable[[Variant], Phrase]:
    """A question that is the same for every rule set."""
    return lambda _variant: question


def always_said(answer: Phrase, reason: Phrase | None = None) -> Callable[[Variant], Said]:
    """An answer that is the same for every rule set."""
    return lambda _variant: Said(answer, reason)


def by_value(field: str, answers: Mapping[object, Said]) -> Callable[[Variant], Said]:
    """The answer for the value that a field has."""
    return lambda variant: answers[getattr(variant, field)]
