"""Which house rules decide an answer: those without which the judge would say something else.

The judge is asked again as if they were not played, with all other house rules; what it says then
is said, too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from app.rules.grounds import Basis
from app.rules.house_rules import HOUSE_RULES, SWITCHABLE, changed_rules, house_rules_of
from app.rules.judge import Answer, Question
from app.rules.phrases import Phrase, say
from app.rules.rule_sets import HOUSE_RULE, shipped_rule_sets, with_house_rules
from app.rules.variant import Variant
from app.rules.verdicts import Fact, Verdict

Judge = Callable[[Question], Answer]

_GROUPS = ("contract", "melds", "after")
_NUMBERS = ("decks", "third_deck_from", "jokers", "jokers_per_extra_deck")
_TABLES: Mapping[str, Phrase] = {
    "contracts": say("The contracts are your own."),
    "penalties": say("The card values are your own."),
}
_JUDGED = frozenset(
    [
        *(*_NUMBERS, *_TABLES, "must_discard_to_go_out"),
        *(field for field, rule in HOUSE_RULES.items() if rule.group in _GROUPS),
    ]
)
"""The fields that can change whether something is legal, or the points of cards.

No house rule has words for those of `_TABLES`.
"""
_ALONG: Mapping[str, tuple[str, ...]] = {
    "decks": ("third_deck_from",),
    "contracts": ("last_contract",),
}
"""What a house rule changes along with its own field."""


def answer_with_deciding_rules(judge: Judge, question: Question) -> Answer:
    """What the judge says, with the house rules that decide it. Raises `UnreadableQuestion`.

    Of custom rules none is named: all of them are the group's own.
    """
    given, played = judge(question), question.variant
    shipped = shipped_rule_sets().get(played.id)
    fields = () if shipped is None else _house_rules(shipped, played)
    if shipped is None or not fields:
        return given

    def without(some: Iterable[str]) -> Answer | None:
        return _judge_without(judge, question, shipped, some)

    if (question.contract or 0) > len(shipped.contracts):
        rule = Fact(played, _words(played, "contracts"), "contracts")
        return replace(given, decided_by=(rule,))
    deciding = _deciding(given, fields, without)
    facts = tuple(Fact(played, _words(played, one), one) for one in deciding)
    given = replace(given, decided_by=facts, verdict=_without_others(given.verdict, deciding))
    named = deciding or [
        one.rule for one in given.explanation[:1] if one.grounds.basis is Basis.HOUSE
    ]
    other = without(named) if named else None
    if other is None:
        return given
    if other.explanation:
        first, words = other.explanation[0], other.recorded_verdict.message
    else:  # as of a hand that can be laid
        words = say("{verdict}.", verdict=other.headline)
        first = Fact(other.question.variant, words, named[0])
    if not deciding:
        words = say("Without the house rule, too: {said}", said=words)
    elif len(deciding) == 1:
        words = say("Without it: {said}", said=words)
    else:
        words = say("Without them: {said}", said=words)
    return replace(given, otherwise=Fact(first.variant, words, first.rule))


def rules_that_change(judge: Judge, given: Answer) -> Mapping[str, tuple[object, ...]]:
    """The house rules that a game can change and by which it would be legal, or no longer.

    Each with its values that do it. Rules whose values are numbers are not tried, and what is not
    complete yet counts neither before nor after.
    """
    question, found = given.question, dict[str, tuple[object, ...]]()
    for rule in house_rules_of(question.variant):
        if rule.field in SWITCHABLE & _JUDGED:
            choices = (one.value for one in rule.choices)
            values = tuple(one for one in choices if is_changed_by(judge, given, rule.field, one))
            found |= {rule.field: values} if values else {}
    return found


def is_changed_by(judge: Judge, given: Answer, field: str, value: object) -> bool:
    """Would it be legal, or no longer, by another value of a house rule?"""
    question = given.question
    if getattr(question.variant, field) == value:
        return False
    try:
        rules = with_house_rules(question.variant, {field: value})
        other = judge(replace(question, variant=rules))
    except ValueError:
        return False
    return {given.state, other.state} == {"legal", "illegal"}


def _house_rules(shipped: Variant, played: Variant) -> tuple[str, ...]:
    """The house rules that are played and by which the judge goes."""
    changed = changed_rules(shipped, played)
    along = {field for one in changed for field in _ALONG.get(one, ())}
    return tuple(
        field
        for field in changed
        if field in _JUDGED - along and played.field_source(field) == HOUSE_RULE
    )


def _deciding(
    given: Answer, fields: tuple[str, ...], without: Callable[[Iterable[str]], Answer | None]
) -> list[str]:
    """The house rules that decide: each alone, or together where each would be enough."""

    def matter(some: Iterable[str]) -> bool:
        other = without(some)
        return other is not None and _outcome(other) != _outcome(given)

    found = [one for one in fields if matter([one])]
    if found or len(fields) < 2 or not matter(fields):
        return found
    found = list(fields)
    for one in fields:
        fewer = [other for other in found if other != one]
        if fewer and matter(fewer):
            found = fewer
    return found


def _without_others(verdict: Verdict, deciding: Sequence[str]) -> Verdict:
    """A legal verdict without facts of house rules that decide nothing, but for the first fact."""
    if not verdict.legal:
        return verdict
    kept = tuple(
        one
        for place, one in enumerate(verdict.facts)
        if place == 0 or one.rule in deciding or one.grounds.basis is not Basis.HOUSE
    )
    return replace(verdict, facts=kept)


def _outcome(given: Answer) -> tuple[object, ...]:
    return given.state, given.points, given.turn is not None and given.turn.can_go_out


def _judge_without(
    judge: Judge, question: Question, shipped: Variant, some: Iterable[str]
) -> Answer | None:
    """What the judge says without some house rules; None where it cannot be asked so."""
    fields = {field for one in some for field in (one, *_ALONG.get(one, ()))}
    field_sources = dict(shipped.field_sources)
    played = question.variant
    rules = replace(
        played,
        **{field: getattr(shipped, field) for field in fields},
        field_sources=tuple(
            (field, field_sources.get(field, field_source) if field in fields else field_source)
            for field, field_source in played.field_sources
        ),
    )
    decks = question.decks
    if not fields.isdisjoint(_NUMBERS):
        decks = rules.decks_for(question.players)
    try:
        return judge(replace(question, variant=rules, decks=decks))
    except ValueError:
        return None


def _words(played: Variant, field: str) -> Phrase:
    rule = _TABLES.get(field) or HOUSE_RULES[field].sentence(getattr(played, field))
    return say("Your house rule decides: {rule}", rule=rule)
