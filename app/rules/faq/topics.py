"""A question of the Q&A (`Topic`), and the same question answered for one rule set (`FaqEntry`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from app.rules.grounds import Grounds
from app.rules.phrases import Phrase, Translate, say
from app.rules.variant import Variant

TopicGroup = Literal["wild", "runs", "laying", "adding", "turn", "out", "score", "table"]

GROUP_NAMES: dict[TopicGroup, Phrase] = {
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


@dataclass(frozen=True, slots=True)
class Example:
    """A question for the judge (its file's fields without the variant), and what the answer says.

    `expect` is the Q&A's own answer, by the keys of the judge's; the judge must say the same.
    """

    question: Mapping[str, object]
    caption: Phrase
    expect: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """An answer that stands alone, and a sentence that explains it where it needs one."""

    answer: Phrase
    reason: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """One question of the Q&A, for every rule set.

    `fields` are those that change the answer, the first the one that its source is taken from.
    `search_words` are more words by which players look for it.
    """

    id: str
    group: TopicGroup
    question: Callable[[Variant], Phrase]
    answer: Callable[[Variant], TopicAnswer]
    search_words: Phrase
    fields: tuple[str, ...]
    is_relevant: Callable[[Variant], bool]
    example: Callable[[Variant], Example] | None
    on_sheet: bool


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A topic answered under given rules.

    `standard_answer` is what the printed rules answer, where a house rule changed the answer;
    `changed_fields` are the fields that differ then.
    """

    topic: Topic
    question: Phrase
    answer: Phrase
    reason: Phrase | None
    grounds: Grounds
    standard_answer: Phrase | None
    changed_fields: tuple[str, ...]
    example: Example | None

    @property
    def id(self) -> str:
        return self.topic.id

    def search_texts(self, translate: Translate) -> tuple[str, str, str]:
        """What is searched, the most telling first: question, further words, everything else."""
        told = [self.answer, self.reason, self.grounds.place, self.grounds.why]
        question, search, *rest = (
            one.render(translate) for one in (self.question, self.topic.search_words, *told) if one
        )
        return question, search, " ".join(rest)
