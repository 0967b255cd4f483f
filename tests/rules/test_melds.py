"""One new meld: which sizes are asked for at all, and every way to read it."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.rules.cards import read_cards
from app.rules.melds import judge_meld
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.rules.verdicts import Verdict


def judged(
    rules: str, kind: Any, cards: str, changes: Mapping[str, object] | None = None, **asked: int
) -> Verdict:
    return judge_meld(
        with_house_rules(rule_set_by_id(rules), changes or {}), kind, read_cards(cards), **asked
    )


def read_as(verdict: Verdict) -> list[str]:
    return [" ".join(str(one.stands_for) for one in meld) for (meld,) in verdict.readings]


@pytest.mark.parametrize(
    ("rules", "kind", "cards", "size", "code"),
    [
        ("frustration", "set", "5H", 1, "too_few_cards"),
        ("frustration-rummy", "set", "5H 5D", 2, "too_few_cards"),
        ("frustration", "run", "5H 6D 7C", 3, "too_few_cards"),
        ("liverpool-rummy", "set", "5H 5S 5D 5C 5H", 5, "wrong_size"),
        ("frustration", "run", "5H 6D 7C 8C 9C", 5, "wrong_size"),
    ],
)
def test_no_meld_serves_a_size_that_no_contract_asks_for(
    rules: str, kind: str, cards: str, size: int, code: str
) -> None:
    assert judged(rules, kind, cards, size=size).reason_code == code


def test_a_pair_serves_the_contract_that_asks_for_it() -> None:
    assert judged("frustration", "set", "5H 5D", size=2).legal


def test_a_pair_is_no_extra_meld_even_where_the_contract_has_one() -> None:
    by_parts = {"extra_melds": "contract_parts"}
    assert judged("frustration", "set", "5H 5D", by_parts, contract=8).reason_code == (
        "extra_meld_not_allowed"
    )
    assert judged("frustration", "set", "5H 5D 5C 5S 5H", by_parts, contract=8).legal


def test_a_wild_card_beside_a_run_may_stand_at_either_end() -> None:
    assert read_as(judged("frustration-rummy", "run", "9H 10H JH 2C")) == [
        "8H 9H 10H JH",
        "9H 10H JH QH",
    ]


def test_a_wild_card_never_stands_above_the_ace() -> None:
    assert read_as(judged("frustration-rummy", "run", "QH KH AH JK")) == ["JH QH KH AH"]


def test_which_wild_card_stands_where_makes_no_second_reading() -> None:
    assert read_as(judged("frustration-rummy", "run", "3H JK 2C 6H")) == ["3H 4H 5H 6H"]


def test_a_run_longer_than_the_line_is_not_blamed_on_its_ace() -> None:
    whole = "3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    assert judged("frustration", "run", whole).legal
    assert judged("frustration", "run", f"{whole} 2S").reason_code == "not_consecutive"


def test_cards_added_one_by_one_to_a_core_must_keep_the_limit_on_the_way() -> None:
    cards = "3H 2S 5D 2H 2D 8C"
    assert judged("frustration", "run", cards, size=4).legal
    one_by_one = judged("frustration", "run", cards, {"layoff_check": "each_card"}, size=4)
    assert one_by_one.reason_code == "too_many_wilds"
    assert judged(
        "frustration", "run", "3H 4D 5C 6S 2H 8D", {"layoff_check": "each_card"}, size=4
    ).legal


@pytest.mark.parametrize("two", ["2", "2S"])
def test_a_two_goes_home_in_a_run_of_any_suits_whether_its_suit_is_given_or_not(two: str) -> None:
    rules = {"run_order": "two_slot", "two_natural_in_own_slot": True, "jokers": 4}
    verdict = judged(
        "frustration", "run", f"{two} JK 3 4 5", {**rules, "wilds_adjacent": False}, size=4
    )
    read = [[(str(one.card), one.stands_for.rank) for one in meld] for (meld,) in verdict.readings]
    assert [meld[0] for meld in read] == [("JK", "A"), (two, "2")]


@pytest.mark.parametrize(
    ("order", "cards", "rank"),
    [
        ("two_slot", "KH KS AH AD", "K"),
        ("ace_high", "QH KH AH AS", "A"),
    ],
)
def test_a_rank_appears_twice_only_where_the_line_has_it_less_often(
    order: str, cards: str, rank: str
) -> None:
    verdict = judged("frustration", "run", cards, {"run_order": order}, size=4)
    assert any(f"{rank} appears twice." in str(one.message) for one in verdict.reasons)
