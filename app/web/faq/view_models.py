"""What the templates of the Q&A are given: each answer with its example, judged just now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.rules.cards import read_cards
from app.rules.faq import ASKED_MOST, faq_entries, house_rule_entries
from app.rules.faq.examples import Example
from app.rules.faq.search import search_entries
from app.rules.faq.topics import GROUP_NAMES, FaqEntry
from app.rules.judge import Answer, answer
from app.rules.judge_questions import card_texts, read_question
from app.rules.phrases import Phrase, say, say_plural
from app.rules.variant import Variant
from app.rules.verdicts import Code
from app.web.checker.question import AskedQuestion
from app.web.checker.view_models import CardView
from app.web.infrastructure.judge_throttle import judging
from app.web.infrastructure.localization import translate


@dataclass(frozen=True, slots=True)
class ExampleView:
    """An example in cards, and what the judge says of it now."""

    caption: Phrase
    melds: tuple[tuple[CardView, ...], ...]
    state: str
    """`legal`, `illegal`, or `points`."""
    verdict_in_words: Phrase
    check_args: dict[str, Any]
    """The parts of the address that asks the judge the same."""


@dataclass(frozen=True, slots=True)
class FaqPage:
    """The Q&A of a rule set, whole or searched by words."""

    rules_question: AskedQuestion
    search_text: str
    asked_most: tuple[FaqEntry, ...]
    house_rule_entries: tuple[FaqEntry, ...]
    """What a house rule answers otherwise than the printed rules."""
    sections: Sequence[tuple[Phrase, Sequence[FaqEntry]]]
    """The questions of each group, or those found."""
    examples: Mapping[str, ExampleView]
    """By question."""


def faq_page(question: AskedQuestion, base: Variant, words: str) -> FaqPage:
    """The Q&A for the rules of a question; `base` are its rules without house rules."""
    every = faq_entries(question.variant, base)
    found = search_entries(every, words, translate) if words.strip() else every
    answers = judge_examples(question.variant, base)
    examples = {
        one.id: _example(question, one.example, answers[one.id]) for one in found if one.example
    }
    if words.strip():
        heading = say_plural("{count} answer", "{count} answers", len(found))
        return FaqPage(question, words, (), (), [(heading, found)] if found else (), examples)
    by_id = {one.id: one for one in every}
    return FaqPage(
        rules_question=question,
        search_text="",
        asked_most=tuple(by_id[name] for name in ASKED_MOST if name in by_id),
        house_rule_entries=house_rule_entries(every),
        sections=[
            (heading, [one for one in every if one.topic.group == group])
            for group, heading in GROUP_NAMES.items()
        ],
        examples=examples,
    )


@lru_cache(maxsize=64)
def judge_examples(variant: Variant, base: Variant) -> Mapping[str, Answer]:
    """What the judge says of the examples of a rule set, by question.

    Every look at its Q&A shows them again, and judging them takes longer than the page: 25 to
    50 ms, as much as a hand.
    """
    found = faq_entries(variant, base)
    examples = {one.id: one.example.question for one in found if one.example}
    with judging(*(str(asked["ask"]) for asked in examples.values())):
        return {name: answer(read_question(variant, asked)) for name, asked in examples.items()}


def _example(question: AskedQuestion, example: Example, told: Answer) -> ExampleView:
    asked = example.question
    texts = card_texts(asked)
    state, verdict = _verdict(example, told)
    return ExampleView(
        caption=example.caption,
        melds=tuple(
            tuple(CardView(card, question.variant.is_wild(card)) for card in read_cards(text))
            for text in texts
        ),
        state=state,
        verdict_in_words=verdict,
        check_args=question.with_example(asked).address_args(),
    )


def _verdict(example: Example, told: Answer) -> tuple[str, Phrase]:
    """What the judge says of an example: in a word of the style sheet's, and in words."""
    if told.points is not None:
        return told.state, told.headline
    if told.turn is not None and "out" in example.expect:
        out = told.turn.can_go_out
        words = say("✓ You can go out") if out else say("✗ You can’t go out")
        return "legal" if out else "illegal", words
    if told.verdict.legal:
        return "legal", say("✓ Legal")
    if told.verdict.reason_code is Code.IMPOSSIBLE_CARDS:
        return "illegal", say("✗ Impossible: the decks don’t have these cards")
    return "illegal", say("✗ Not legal")


_IN_A_GAME = ("table", "turn", "laying", "runs", "wild", "adding", "out", "score")
"""The groups of the Q&A as they come up in a game."""


def sheet_lines(variant: Variant, printed: Variant) -> list[FaqEntry]:
    """What a rule set's sheet says beside contracts and card values, in the order of a game."""
    lines = [one for one in faq_entries(variant, printed) if one.topic.on_sheet]
    return sorted(lines, key=lambda one: _IN_A_GAME.index(one.topic.group))
