"""Taking a wild card from the table, and what cards left in a hand cost."""

from typing import Any

import pytest

from app.rules.cards import read_cards
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.rules.swaps import judge_swap
from app.rules.verdicts import Verdict


def swapped(
    rules: str, kind: Any, meld: str, position: int, card: str, owner: Any, **changes: object
) -> Verdict:
    house = with_house_rules(rule_set_by_id(rules), changes)
    return judge_swap(house, kind, read_cards(meld), position, read_cards(card)[0], owner)


def test_a_natural_card_is_not_taken() -> None:
    assert (
        swapped("garbage-rummy", "set", "9H JK 9D", 1, "9S", "self").reason_code
        == "swap_not_allowed"
    )


def test_in_a_set_any_card_of_the_rank_takes_the_joker() -> None:
    assert swapped("garbage-rummy", "set", "9H JK 9D", 2, "9S", "self").legal
    assert swapped("garbage-rummy", "set", "9H JK 9D", 2, "8S", "self").reason_code == (
        "wrong_card_for_swap"
    )


def test_a_wild_two_is_taken_only_where_a_house_rule_says_so() -> None:
    asked = ("frustration-rummy", "run", "3H 2S 5H 6H", 2, "4H", "self")
    assert swapped(*asked, wild_swap="any").reason_code == "swap_not_allowed"
    assert swapped(*asked, wild_swap="any", swap_wild_twos=True).legal


def test_a_wild_card_does_not_take_a_wild_card() -> None:
    assert swapped("garbage-rummy", "run", "3H JK 5H", 2, "JK", "self").reason_code == (
        "wrong_card_for_swap"
    )


@pytest.mark.parametrize(
    ("rules", "points"),
    [("aggravation-rummy", 80), ("garbage-rummy", 55), ("frustration-rummy-bilingual", 130)],
)
def test_cards_cost_what_the_rule_set_says(rules: str, points: int) -> None:
    assert rule_set_by_id(rules).penalties.total(read_cards("2H 9D 10S AC JK")) == points


def test_an_empty_hand_costs_nothing() -> None:
    assert rule_set_by_id("garbage-rummy").penalties.total(()) == 0
