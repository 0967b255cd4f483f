"""Which examples can be laid out in a rule set at all.

Any table may make its own rules: contracts of long runs alone, one deck, sets of nine. An example
whose cards are not there, or whose melds nobody is ever asked for, would be judged by that and not
by the rule that it is to show, so it is left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from app.rules.card_supply import supply_reasons
from app.rules.cards import read_cards
from app.rules.faq.topics import Example
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
    melds = [read_cards(text) for text in _texts(question)]
    if supply_reasons(variant, variant.decks, [card for meld in melds for card in meld]):
        return False
    return topic == "identical-cards-in-set" or not _holds_a_card_twice(variant, question)


def _is_asked_for(variant: Variant, question: Mapping[str, object]) -> bool:
    size = question.get("size")
    if not isinstance(size, int):
        return True
    return size >= smallest_part_size(variant, "run" if question["kind"] == "run" else "set")


def _holds_a_card_twice(variant: Variant, question: Mapping[str, object]) -> bool:
    """Does a set of the example hold a card twice, where that is not allowed?"""
    if variant.identical_cards_in_set == "allow" or question.get("kind") == "run":
        return False
    counted = [Counter(text.split()) for text in _texts(question)]
    return any(count > 1 for cards in counted for card, count in cards.items() if card != "JK")


def _texts(question: Mapping[str, object]) -> Iterator[str]:
    """The melds and hands of a question, as the judge is given them."""
    for name in ("cards", "hand", "meld", "add", "card"):
        if name in question:
            yield str(question[name])
    melds, table = question.get("melds"), question.get("table")
    yield from melds if isinstance(melds, list) else ()
    for meld in table if isinstance(table, list) else ():
        yield meld["meld"]
