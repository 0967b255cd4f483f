"""A question of the Q&A, answered for the rules of one table; and what the answer rests on."""

from dataclasses import replace

from app.rules.faq.example_check import is_showable
from app.rules.faq.examples import NoExample
from app.rules.faq.topics import Basis, Example, FaqEntry, Grounds, Topic, TopicAnswer
from app.rules.house_rules import house_rule
from app.rules.phrases import Phrase, join_phrases, say, translatable
from app.rules.rule_sets import HOUSE_RULE, shipped_rule_sets
from app.rules.variant import FieldSource, Variant
from app.rules.verdicts import Reason, source_place

_USUAL = FieldSource(decision=translatable("This is how contract rummy is usually played."))
"""What an answer rests on where a rule set's file says nothing about it."""

_NO_HOUSE_RULE = ("players_min", "players_max", "contracts", "penalties")
_ENTRY_OF = {"contracts": "contract-size"}
"""The question that explains a broken rule, where it hasn't the name of the rule."""


def answer_topic(topic: Topic, variant: Variant, base: Variant) -> FaqEntry | None:
    """The topic as it is answered under these rules; None where it has no effect in them."""
    changed = _changed_fields(topic, variant, base)
    found = _answer(topic, variant, changed)
    before = _answer(topic, base, _changed_fields(topic, base, base))
    differs = bool(changed) and str(found.answer) != str(before.answer)
    if not topic.is_relevant(variant) and not differs:
        return None
    return FaqEntry(
        topic,
        topic.question(variant),
        found.answer,
        found.reason,
        grounds=_grounds(topic, variant, changed),
        standard_answer=before.answer if differs else None,
        changed_fields=changed if differs else (),
        example=_example(topic, variant),
    )


def with_file_answers(variant: Variant) -> Variant:
    """The rules with what their file says itself; copies frozen by 1.0.0 have it from today's."""
    if variant.faq or variant.id not in shipped_rule_sets():
        return variant
    return replace(variant, faq=shipped_rule_sets()[variant.id].faq)


def grounds_of_reason(variant: Variant, reason: Reason) -> Grounds:
    """What a verdict's reason rests on."""
    return _grounds_from_fact(variant, _current_fact(variant, reason.rule), reason.rule)


def topic_id_of_reason(reason: Reason) -> str:
    """The question of the Q&A that explains a verdict's reason."""
    return _ENTRY_OF.get(reason.rule, reason.rule.replace("_", "-"))


def _changed_fields(topic: Topic, variant: Variant, base: Variant) -> tuple[str, ...]:
    """The fields of a topic that a house rule changed, now or when these rules were made."""
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
        return Grounds(Basis.HOUSE, None, None)
    own = variant.file_answer(topic.id)
    field = topic.fields[0] if topic.fields else topic.id
    fact = own if own.source or own.decision else _current_fact(variant, field)
    return _grounds_from_fact(variant, fact, field)


def _current_fact(variant: Variant, about: str) -> FieldSource:
    """Where a rule stands today, even if the copy of the rules was frozen by an earlier version."""
    own = variant.file_answer(about)
    fact = dict(variant.field_sources).get(about)
    if fact is None:
        return own if own.source or own.decision else _USUAL
    today = shipped_rule_sets().get(variant.id, variant)
    same = fact != HOUSE_RULE and getattr(today, about) == getattr(variant, about)
    return today.field_source(about) if same else fact


def _grounds_from_fact(variant: Variant, fact: FieldSource, about: str) -> Grounds:
    why = Phrase(fact.decision) if fact.decision else None
    if fact == HOUSE_RULE:
        return Grounds(Basis.HOUSE, None, None)
    if not fact.source:
        return Grounds(Basis.OURS, None, why, _alternative_house_rule(variant, about))
    place = source_place(variant, fact.source)
    return Grounds(Basis.INFERRED if why else Basis.TEXT, place, why)


def _alternative_house_rule(variant: Variant, field: str) -> Phrase | None:
    """The house rule that plays it the other way; None where there is none."""
    if field in _NO_HOUSE_RULE or field not in dict(variant.field_sources):
        return None
    rule = house_rule(field)
    others = [
        say("“{label}”", label=one.label)
        for one in rule.choices
        if one.value != getattr(variant, field)
    ]
    if not others:
        return say(
            "To play it otherwise, change the house rule: {question}", question=rule.question
        )
    return say(
        "To play it otherwise, choose the house rule: {choices}.", choices=join_phrases(others)
    )


def _example(topic: Topic, variant: Variant) -> Example | None:
    """The example of a topic, unless it cannot be laid out in this rule set."""
    try:
        example = topic.example(variant) if topic.example else None
    except NoExample:
        return None
    return example if example and is_showable(variant, topic.id, example) else None
