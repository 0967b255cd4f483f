"""The Q&A: what people argue about at the table, answered for a rule set as it is played.

The texts stand in `topics.toml`: edit it to change a sentence or to add a question. The rule set's
fields choose the answer, and an example is a question for the judge; a test asks it every one.
Where the text of a rule set says it in a special way, the file of that rule set has its own
sentence under `[faq.<question>]`.
"""

from collections.abc import Sequence

from app.rules.faq.topics import TOPICS, FaqEntry, answer_topic
from app.rules.grounds import with_file_answers
from app.rules.variant import Variant

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


def faq_entries(variant: Variant, base: Variant | None = None) -> tuple[FaqEntry, ...]:
    """The Q&A for the rules played; `base` are the rules before the house rules."""
    played = with_file_answers(variant)
    before = with_file_answers(base) if base else played
    return tuple(
        entry for topic in TOPICS if (entry := answer_topic(topic, played, before)) is not None
    )


def entry_about(field: str, found: Sequence[FaqEntry]) -> FaqEntry | None:
    """The answer that a house rule changed; the one that has its name before all others."""
    changed = [one for one in found if field in one.changed_fields]
    named = (one for one in changed if one.id.replace("-", "_") == field)
    return next(named, next(iter(changed), None))


def explaining_topic_id(variant: Variant, rule: str) -> str:
    """The id of the question that explains a rule of a verdict; empty where none does."""
    played = with_file_answers(variant)
    # The question about a field has it among its `fields`; one with its name may be about another
    # (`contracts` is about `progress`).
    about = [one for one in TOPICS if rule in one.fields] or [
        one for one in TOPICS if one.id == rule
    ]
    named = rule.replace("_", "-")
    about.sort(key=lambda one: (one.id != named, one.fields[:1] != (rule,)))
    return next((one.id for one in about if one.is_relevant(played)), "")
