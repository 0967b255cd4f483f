"""A question of the Q&A (`Topic`), and the same answered for one table's rules (`FaqEntry`)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.rules.faq import examples
from app.rules.faq.examples import Example, NoExample, example_from_table, is_showable
from app.rules.faq.facts import holds, worded
from app.rules.grounds import USUAL, Basis, Grounds, current_source, grounds_of_source
from app.rules.phrases import Phrase, Translate, say
from app.rules.rule_sets import HOUSE_RULE
from app.rules.variant import FieldSource, Variant

GROUP_NAMES = {
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
class Topic:
    """One question of the Q&A, for every rule set, by its table in `topics.toml`."""

    id: str
    table: Mapping[str, Any]

    @property
    def group(self) -> str:
        """The part of the page in which it stands, a key of `GROUP_NAMES`."""
        return str(self.table["group"])

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

    def answer(self, variant: Variant) -> tuple[Phrase, Phrase | None]:
        """The answer by the rules' fields, and a sentence that explains it where it needs one."""
        texts = self.table
        if "answers" in texts:
            by_value = texts["answers"][str(getattr(variant, self.fields[0])).lower()]
            texts = by_value if isinstance(by_value, Mapping) else {"answer": by_value}
        answer = worded(variant, texts["answer"])
        return answer or Phrase(""), worded(variant, texts.get("reason", []))

    def is_for(self, variant: Variant) -> bool:
        """Is it asked of a rule set like this one: with contracts, or of points alone?"""
        return bool(self.table.get("without_contracts")) != bool(variant.contracts)

    def is_relevant(self, variant: Variant) -> bool:
        """Does the question matter under these rules?"""
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
    `changed_fields` are the topic's house rules then. `house_rule` is the field of the one that the
    answer rests on, or that plays it the other way, if any.
    """

    topic: Topic
    question: Phrase
    answer: Phrase
    reason: Phrase | None
    grounds: Grounds
    standard_answer: Phrase | None
    changed_fields: tuple[str, ...]
    house_rule: str
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


def answer_topic(topic: Topic, variant: Variant, base: Variant) -> FaqEntry | None:
    """The topic as these rules answer it; None where they don't raise it."""
    if not topic.is_for(variant):
        return None
    changed = _changed_fields(topic, variant, base)
    is_relevant = topic.is_relevant(variant)
    if not (is_relevant or changed):
        return None
    answer, reason = _answer(topic, variant, changed)
    before = _answer(topic, base, _changed_fields(topic, base, base))[0] if changed else answer
    differs = str(answer) != str(before) and topic.answer(variant)[0] != topic.answer(base)[0]
    grounds = _grounds(topic, variant, changed)
    if not differs and any(getattr(variant, one) != getattr(base, one) for one in changed):
        # The rules answer the same without them, but why they do may speak of what changed.
        grounds, changed = _grounds(topic, base, ()), ()
        grounds = replace(grounds, why=None if grounds.place else Phrase(USUAL.decision))
    if not is_relevant and not (differs and _is_raised_by_its_own(topic, variant, base)):
        return None
    example = topic.example(variant)
    other = (grounds.alternative.field,) if grounds.alternative else ()
    return FaqEntry(
        topic,
        topic.question(variant),
        answer,
        reason,
        grounds=grounds,
        standard_answer=before if differs else None,
        changed_fields=changed if differs else (),
        house_rule=next(iter((*changed, *other)), ""),
        example=example if example and is_showable(variant, topic.id, example) else None,
    )


def _is_raised_by_its_own(topic: Topic, variant: Variant, base: Variant) -> bool:
    """Is the rule that the question asks for all that takes its effect away, as for no bonus?"""
    own = {field: getattr(base, field) for field in topic.fields[:1]}
    return topic.is_relevant(replace(variant, **own))


def _changed_fields(topic: Topic, variant: Variant, base: Variant) -> tuple[str, ...]:
    """The fields of a topic that differ from the base, or are a house rule there already."""
    facts = dict(base.field_sources)
    return tuple(
        field
        for field in topic.fields
        if getattr(variant, field) != getattr(base, field) or facts.get(field) == HOUSE_RULE
    )


def _answer(
    topic: Topic, variant: Variant, changed: tuple[str, ...]
) -> tuple[Phrase, Phrase | None]:
    """The answer by the rules' fields; in the file's own words while none of them is changed."""
    answer, reason = topic.answer(variant)
    if changed:
        return answer, reason
    own = variant.file_answer(topic.id)
    return (
        Phrase(own.answer) if own.answer else answer,
        Phrase(own.reason) if own.reason else reason,
    )


def _grounds(topic: Topic, variant: Variant, changed: tuple[str, ...]) -> Grounds:
    """What the answer rests on; that of the rule set where no house rule changes it."""
    if changed:
        return Grounds(Basis.HOUSE)
    field = topic.fields[0] if topic.fields else topic.id
    field_source: FieldSource = variant.file_answer(topic.id)
    if not (field_source.source or field_source.decision):
        why = topic.table.get("why")
        field_source = FieldSource(decision=why) if why else current_source(variant, field)
    return grounds_of_source(variant, field_source, field)
