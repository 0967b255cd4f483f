"""The words of the game: what is shown of them is legal, and skipped where nothing can be."""

import pytest
from hypothesis import given, settings

from app.rules.cards import read_cards
from app.rules.contracts import Kind, Part
from app.rules.faq.vocabulary import WordId, game_words
from app.rules.judge import answer
from app.rules.judge_questions import read_question
from app.rules.melds import judge_part
from app.rules.variant import Variant
from tests.any_rules import WITH_CONTRACTS, rule_sets

PICTURES: dict[WordId, Kind] = {"set": "set", "run": "run", "wild": "set"}


def pictures_are_legal(rules: Variant) -> bool:
    words = game_words(rules)
    contract = list(words["contract"].melds)
    question = {"ask": "contract", "contract": 1, "melds": contract}
    legal = not contract or answer(read_question(rules, question)).verdict.legal
    for name, kind in PICTURES.items():
        for meld in words[name].melds if name in words else ():
            cards = read_cards(" ".join(card.partition("=")[0] for card in meld.split()))
            legal = legal and judge_part(rules, Part(kind, len(cards)), cards).legal
    return legal


@pytest.mark.parametrize("rules", WITH_CONTRACTS, ids=lambda one: one.id)
def test_the_five_words_of_a_rule_set_are_shown_in_cards_that_are_legal(rules: Variant) -> None:
    words = game_words(rules)
    assert words.keys() == {"contract", "set", "run", "wild", "lay_off"}
    assert all(one.melds for one in words.values())
    assert pictures_are_legal(rules)


@settings(max_examples=50)
@given(rules=rule_sets(WITH_CONTRACTS))
def test_whatever_a_group_makes_of_its_rules_nothing_illegal_is_shown(rules: Variant) -> None:
    assert pictures_are_legal(rules)
