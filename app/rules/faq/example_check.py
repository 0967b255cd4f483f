"""Which examples can be laid out in a rule set at all.

Any table may make its own rules: contracts of long runs alone, one deck, sets of nine. An example
whose cards are not there, or whose melds nobody is ever asked for, would be judged by that and not
by the rule that it is to show, so it is left out.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from app.rules.card_supply import supply_reasons
from app.rules.cards import read_cards
from app.rules.faq.examples import Example
from app.rules.judge_questions import card_texts
from app.rules.melds import smallest_part_size
from app.rules.variant import Variant

_SHOWS_WHAT_IS_NOT_THERE = ("decks", "jokers")
"""Questions whose examples are of cards that are not there."""


def is_showable(variant: Variant, topic: str, example: Example) -> bool:
    """Does the example of a question show its own rule in this rule set, and nothing else first?"""
    question = example.question
    if not _is_asked_for(variant, question):
        return False
    if topic in _SHOWS_WHAT_IS_NOT_THERE:
        return True
    table = [meld["meld"] for meld in question.get("table", ())]
    cards = read_cards(" ".join([*card_texts(question), *table]))
    if supply_reasons(variant, variant.decks, cards):
        return False
    return topic == "identical-cards-in-set" or not _holds_a_card_twice(variant, question)


def _is_asked_for(variant: Variant, question: Mapping[str, Any]) -> bool:
    size = question.get("size")
    if not isinstance(size, int):
        return True
    return size >= smallest_part_size(variant, "run" if question["kind"] == "run" else "set")


def _holds_a_card_twice(variant: Variant, question: Mapping[str, Any]) -> bool:
    """Does a set of the example hold a card twice, where that is not allowed?"""
    if variant.identical_cards_in_set == "allow" or question.get("kind") == "run":
        return False
    counted = [Counter(text.split()) for text in card_texts(question)]
    return any(count > 1 for cards in counted for card, count in cards.items() if card != "JK")
