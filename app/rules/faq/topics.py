"""A question of the Q&A (`Topic`), and the same question answered for one rule set (`FaqEntry`)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app.rules.faq import examples
from app.rules.faq.examples import Example, NoExample, example_from_table
from app.rules.faq.facts import holds, worded
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
class TopicAnswer:
    """An answer that stands alone, and a sentence that explains it where it needs one."""

    answer: Phrase
    reason: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """One question of the Q&A, for every rule set, by its table in `topics.toml`."""

    id: str
    table: Mapping[str, Any]

    @property
    def group(self) -> TopicGroup:
        """The part of the page in which it stands."""
        group: TopicGroup = self.table["group"]
        return group

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that change the answer, first the one that its source is taken from."""
        return tuple(self.table.get("fields", ()))

    @property
    def on_sheet(self) -> bool:
        """Does it stand on the rule sheet, too?"""
        return bool(self.table.get("on_sheet"))

    def question(self, variant: Variant) -> Phrase:
        """The question as it is asked of a rule set."""
        return worded(variant, self.table["question"]) or Phrase(self.id)

    def answer(self, variant: Variant) -> TopicAnswer:
        """The answer by the rules' fields."""
        texts = self.table
        if "answers" in texts:
            by_value = texts["answers"][str(getattr(variant, self.fields[0])).lower()]
            texts = by_value if isinstance(by_value, Mapping) else {"answer": by_value}
        answer = worded(variant, texts["answer"])
        return TopicAnswer(answer or Phrase(""), worded(variant, texts.get("reason", [])))

    def is_for(self, variant: Variant) -> bool:
        """Is it asked of a rule set like this one: with contracts, or of points alone?"""
        return bool(self.table.get("without_contracts")) != bool(variant.contracts)

    def is_relevant(self, variant: Variant) -> bool:
        """Has the question an effect under these rules?"""
        if not self.is_for(variant):
            return False
        in_file = self.table.get("in_file", False)
        if in_file and variant.file_answer(self.id).answer:
            return True
        return holds(variant, self.table.get("where", not in_file))

    def example(self, variant: Variant) -> Example | None:
        """An example for the judge; None where there is nothing to show."""
        build = getattr(examples, self.id.replace("-", "_") + "_example", None)
        try:
            if "example" in self.table:
                return example_from_table(variant, self.table["example"])
            return build(variant) if build else None
        except NoExample:
            return None


FILE = Path(__file__).with_suffix(".toml")
TOPICS = tuple(Topic(name, table) for name, table in tomllib.loads(FILE.read_text("utf-8")).items())
"""Every question in the order of its page, of rules without contracts last."""


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A topic answered under given rules.

    `standard_answer` is what the rules answer without the house rules, where these change it;
    `changed_fields` are the topic's house rules then.
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
        words = Phrase(self.topic.table["search"])
        texts = [self.answer, self.reason, self.grounds.place, self.grounds.why]
        question, search, *rest = (
            one.render(translate) for one in (self.question, words, *texts) if one
        )
        return question, search, " ".join(rest)
