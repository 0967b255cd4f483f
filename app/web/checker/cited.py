"""Which of a group's rulings concern a question for the judge, or an answer of the rules.

Every page that answers a question asks here what the group decided of it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.extensions import db
from app.rules.deciding import Judge, answer_with_deciding_rules, is_changed_by
from app.rules.faq import explaining_topic_id
from app.rules.faq.topics import FaqEntry
from app.rules.judge import Answer, answer, answer_any_meld
from app.rules.phrases import Phrase, say
from app.rules.variant import Variant
from app.store.queries.rulings import ListedRuling, group_rulings
from app.web.checker.question import AskedQuestion, JudgedQuestion
from app.web.game_parts.words import asked_cards
from app.web.infrastructure.asker import asker
from app.web.infrastructure.rate_limits import judging

_LOOKED_THROUGH = 100


@dataclass(frozen=True, slots=True)
class CitedRuling:
    """What the group decided, and whether it was asked the same, or something alike.

    To people it is the same where a wild 2 has another suit, or a meld is judged as something else.
    """

    ruling: ListedRuling
    is_on_the_same: bool

    @property
    def heading(self) -> Phrase:
        """What is said before the decision."""
        if self.is_on_the_same:
            return say("The group decided:")
        return say("You ruled on a question like this:")

    @property
    def cards_then(self) -> Phrase | None:
        """The cards that were asked about, where it was not the same."""
        return None if self.is_on_the_same else asked_cards(self.ruling.question)


def ruling_on(question: AskedQuestion, given: Answer) -> CitedRuling | None:
    """What the group's last rulings decided where the same was asked, whatever its house rules.

    Else where something alike was asked, and the rules say the same of both (`_Said`); else where a
    house rule was changed by which this verdict would be another.
    None where the ruling that is found is to follow the verdict, or was given up in a later round.
    """
    rulings, of_alike, is_of_these_ranks = [*_rulings_by(question)], None, False
    own = question.judged if rulings else None
    if own is None:
        return None
    said = _Said.by(given)
    for one, other in rulings:
        if other == own:
            return CitedRuling(one, is_on_the_same=True) if one.is_in_force else None
        if of_alike is None and other.alike == own.alike and said.is_the_same_as(_said_of(other)):
            of_alike, is_of_these_ranks = one, other.ranks == own.ranks
    if of_alike is None:
        of_alike = _changing(own, given, (one for one, _judged in rulings))
    if of_alike is None or not of_alike.is_in_force:
        return None
    return CitedRuling(of_alike, is_on_the_same=is_of_these_ranks)


def _changing(
    own: JudgedQuestion, given: Answer, rulings: Iterable[ListedRuling]
) -> ListedRuling | None:
    """The ruling that changed a house rule last, by which this verdict would be another."""
    if given.question.ask == "hand":
        return None  # which takes too long to judge again
    changes = dict[str, tuple[object, ListedRuling]]()
    for one in rulings:
        for field, value in one.changed_rules.items() if one.is_in_force else ():
            changes.setdefault(field, (value, one))
    with judging(given.question.ask):
        judge = _judge_of(own)
        found = (
            one
            for field, (value, one) in changes.items()
            if is_changed_by(judge, given, field, value)
        )
        return next(found, None)


@dataclass(frozen=True, slots=True)
class _Said:
    """What the rules say of a question: whether it is legal, and which of them say so."""

    ask: str
    is_legal: bool
    rules: Collection[str]

    @classmethod
    def by(cls, given: Answer) -> "_Said":
        verdict = given.verdict
        because = {one.rule for one in verdict.reasons or verdict.facts}
        return cls(given.question.ask, verdict.legal, because)

    def is_the_same_as(self, other: "_Said") -> bool:
        """Do they say the same of another one?

        The reasons differ between a meld that is laid and cards that are added, and are not
        compared there.
        """
        alike = self.rules == other.rules or self.ask != other.ask
        return alike and self.is_legal is other.is_legal


def rulings_on_answers(
    question: AskedQuestion, entries: Sequence[FaqEntry]
) -> Mapping[str, ListedRuling]:
    """What the group decided last where an answer of the rules explains the verdict, by answer.

    Where a ruling changed a house rule, that is told at its answers, too.
    """
    found, known = dict[str, ListedRuling](), list[object]()
    for one, judged in _rulings_by(question):
        if judged.alike in known:
            continue
        known.append(judged.alike)
        if one.is_in_force:
            fields = one.changed_rules.keys()
            changed = [x.id for x in entries if not fields.isdisjoint(x.topic.fields)]
            for topic_id in (_explaining_topic_id(question.variant, one.question), *changed):
                found.setdefault(topic_id, one)
    return found


def _rulings_by(question: AskedQuestion) -> Iterator[tuple[ListedRuling, JudgedQuestion]]:
    """Those of the group's last rulings (`_LOOKED_THROUGH`) that are by the rule set of a question.

    Each with what was asked.
    """
    if asker.group_if_any is None:
        return
    for one in group_rulings(db.session(), asker.group, _LOOKED_THROUGH):
        if (judged := _judged_question(question.variant, one.question)) is not None:
            yield one, judged


@lru_cache(maxsize=1024)
def _judged_question(variant: Variant, query: str) -> JudgedQuestion | None:
    return AskedQuestion(variant).judged_in(query)


@lru_cache(maxsize=1024)
def _said_of(judged: JudgedQuestion) -> _Said:
    """What the rules say of a recorded question, with the house rules that decide it."""
    with judging(judged.question.ask):
        return _Said.by(answer_with_deciding_rules(_judge_of(judged), judged.question))


@lru_cache(maxsize=1024)
def _explaining_topic_id(variant: Variant, query: str) -> str:
    """The answer that explains the verdict on a recorded question; empty where none does.

    Of a hand none does: what is best to lay is decided by no rule alone. Rulings on points stand at
    none either: their cards say little of card values.
    """
    judged = _judged_question(variant, query)
    if judged is None or judged.question.ask in ("hand", "score"):
        return ""
    with judging(judged.question.ask):
        first = next(iter(_judge_of(judged)(judged.question).explanation), None)
    return explaining_topic_id(variant, first.rule) if first else ""


def _judge_of(judged: JudgedQuestion) -> Judge:
    return answer_any_meld if judged.is_any_meld else answer
