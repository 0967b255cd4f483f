"""A question of the Q&A, answered for the rules of one table; and what the answer rests on."""

from app.rules.faq.examples import is_showable
from app.rules.faq.topics import FaqEntry, Topic, TopicAnswer
from app.rules.grounds import Basis, Grounds, current_origin, grounds_of_origin
from app.rules.phrases import Phrase
from app.rules.rule_sets import HOUSE_RULE
from app.rules.variant import FieldSource, Variant
from app.rules.verdicts import Fact, Reason

_ENTRY_OF = {"contracts": "contract-size"}
"""The question that explains a rule, where it hasn't the name of the rule."""


def answer_topic(topic: Topic, variant: Variant, base: Variant) -> FaqEntry | None:
    """The topic as these rules answer it; None where it has no effect, unless that was changed."""
    if not topic.is_for(variant):
        return None
    changed = _changed_fields(topic, variant, base)
    found = _answer(topic, variant, changed)
    before = _answer(topic, base, _changed_fields(topic, base, base))
    differs = bool(changed) and str(found.answer) != str(before.answer)
    if not topic.is_relevant(variant) and not differs:
        return None
    example = topic.example(variant)
    return FaqEntry(
        topic,
        topic.question(variant),
        found.answer,
        found.reason,
        grounds=_grounds(topic, variant, changed),
        standard_answer=before.answer if differs else None,
        changed_fields=changed if differs else (),
        example=example if example and is_showable(variant, topic.id, example) else None,
    )


def topic_id_of_reason(reason: Reason | Fact) -> str:
    """The id of the question of the Q&A that explains a verdict's reason, if there is one."""
    return _ENTRY_OF.get(reason.rule, reason.rule.replace("_", "-"))


def _changed_fields(topic: Topic, variant: Variant, base: Variant) -> tuple[str, ...]:
    """The fields of a topic that differ from the base, or were a house rule before."""
    facts = dict(variant.field_sources)
    return tuple(
        field
        for field in topic.fields
        if getattr(variant, field) != getattr(base, field) or facts.get(field) == HOUSE_RULE
    )


def _answer(topic: Topic, variant: Variant, changed: tuple[str, ...]) -> TopicAnswer:
    """The answer by the rules' fields; in the file's own words while none of them is changed."""
    usual, own = topic.answer(variant), variant.file_answer(topic.id)
    if changed:
        return usual
    return TopicAnswer(
        Phrase(own.answer) if own.answer else usual.answer,
        Phrase(own.reason) if own.reason else usual.reason,
    )


def _grounds(topic: Topic, variant: Variant, changed: tuple[str, ...]) -> Grounds:
    if changed:
        return Grounds(Basis.HOUSE)
    field = topic.fields[0] if topic.fields else topic.id
    origin: FieldSource = variant.file_answer(topic.id)
    if not (origin.source or origin.decision):
        why = topic.table.get("why")
        origin = FieldSource(decision=why) if why else current_origin(variant, field)
    return grounds_of_origin(variant, origin, field)
