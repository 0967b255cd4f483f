"""The Q&A: what people argue about at the table, answered for a rule set as it is played.

Each group of questions is a module of its own (`wild_cards.py`, `runs_and_aces.py` …): to change a
sentence or add a question, edit the `TOPICS` there. The answer is chosen by the rule set's fields,
and its example is a question for the judge, so that the Q&A and the judge can never differ; a test
asks the judge every example. Where a rule set's text says it in a special way, its file holds its
own sentence under `[faq.<question>]`, and there stands as well where a text says what no field is
asked for.
"""

from collections.abc import Sequence

from app.rules.faq.adding_and_swapping import TOPICS as _ADDING
from app.rules.faq.answers import answered, entry_id, grounds_about, with_own_answers
from app.rules.faq.drawing_and_discarding import TOPICS as _TURN
from app.rules.faq.going_out import TOPICS as _OUT
from app.rules.faq.laying_down import TOPICS as _LAYING
from app.rules.faq.runs_and_aces import TOPICS as _RUNS
from app.rules.faq.scoring_and_winning import TOPICS as _SCORE
from app.rules.faq.search import entries_about
from app.rules.faq.setting_up import TOPICS as _TABLE
from app.rules.faq.topics import (
    GROUP_NAMES,
    Basis,
    Entry,
    Example,
    Grounds,
    Group,
    Topic,
)
from app.rules.faq.wild_cards import TOPICS as _WILD
from app.rules.variant import Variant
from app.rules.verdicts import Reason

__all__ = [
    "ASKED_MOST",
    "GROUP_NAMES",
    "TOPICS",
    "Basis",
    "Entry",
    "Example",
    "Grounds",
    "Group",
    "Topic",
    "entries",
    "entries_about",
    "explained",
    "house_rule_entries",
]

TOPICS: dict[Group, tuple[Topic, ...]] = {
    "wild": _WILD,
    "runs": _RUNS,
    "laying": _LAYING,
    "adding": _ADDING,
    "turn": _TURN,
    "out": _OUT,
    "score": _SCORE,
    "table": _TABLE,
}
"""Every question, by its group, in the order of the page."""

ASKED_MOST = (
    "wild-limit",
    "wild-swap",
    "run-order",
    "layoff-on-others",
    "extra-melds",
    "contract-size",
    "must-discard-to-go-out",
    "buying",
    "progress",
    "win",
)
"""The ten that are asked most, in the order in which they are shown."""


def entries(variant: Variant, printed: Variant | None = None) -> tuple[Entry, ...]:
    """The Q&A for the rules played; `printed` are the rules before the house rules."""
    played = with_own_answers(variant)
    before = with_own_answers(printed) if printed else played
    return tuple(
        entry
        for group, topics in TOPICS.items()
        for topic in topics
        if (entry := answered(group, topic, played, before)) is not None
    )


def house_rule_entries(found: Sequence[Entry]) -> tuple[Entry, ...]:
    """The answers that house rules changed, each house rule by the answer that has its name."""
    main = [one for one in found if one.id.replace("-", "_") in one.changed]
    told = {field for one in main for field in one.changed}
    return tuple(
        one for one in found if one in main or (one.changed and not told & set(one.changed))
    )


def explained(variant: Variant, reason: Reason) -> tuple[Grounds, str]:
    """What a verdict's reason rests on, and the question that explains it, if one does."""
    played = with_own_answers(variant)
    wanted = entry_id(reason)
    there = any(
        topic.id == wanted and topic.matters(played)
        for topics in TOPICS.values()
        for topic in topics
    )
    return grounds_about(played, reason), wanted if there else ""
