"""Lay-offs: a meld on the table has an order, and its wild cards keep their places."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.rules.cards import read_cards
from app.rules.layoffs import judge_layoff
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.rules.verdicts import Verdict

WHOLE_LINE = "3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"


def judged(
    rules: str, kind: Any, meld: str, add: str, changes: Mapping[str, object] | None = None
) -> Verdict:
    house = with_house_rules(rule_set_by_id(rules), changes or {})
    return judge_layoff(house, kind, read_cards(meld), read_cards(add))


@pytest.mark.parametrize("rules", ["frustration", "frustration-rummy", "garbage-rummy"])
def test_a_run_out_of_order_on_the_table_is_no_fault_of_its_ace_or_corner(rules: str) -> None:
    assert judged(rules, "run", "5H 3H 4H 6H", "7H").reason_code == "not_consecutive"


def test_a_run_round_the_corner_on_the_table_is_told_so() -> None:
    assert judged("frustration-rummy", "run", "QH KH AH 3H", "4H").reason_code == "wraps_around"


def test_a_low_ace_on_the_table_is_told_so() -> None:
    assert judged("frustration", "run", "AH 3H 4H 5H", "6H").reason_code == "ace_not_low"


def test_nothing_is_added_to_a_run_over_the_whole_line() -> None:
    assert judged("frustration", "run", WHOLE_LINE, "2S").reason_code == "cannot_join"


def test_a_wild_card_on_the_table_does_not_make_room() -> None:
    assert judged("frustration", "run", "2S 6H 7D 8C", "5H").reason_code == "cannot_join"


@pytest.mark.parametrize(("kind", "meld"), [("run", "3H 4H 5H 6H"), ("set", "3H 3D 3S")])
def test_a_card_of_another_suit_or_rank_does_not_join(kind: str, meld: str) -> None:
    assert judged("frustration-rummy", kind, meld, "7D").reason_code == "cannot_join"


def test_a_two_of_the_runs_suit_goes_home_before_another_two() -> None:
    own_two = {"two_natural_in_own_slot": True}
    verdict = judged("frustration-rummy-bilingual", "run", "4H 5H 6H", "2C 2H", own_two)
    lowest = [reading[0][0] for reading in verdict.readings]
    at_home = [one for one in lowest if one.stands_for.rank == "2"]
    assert [(str(one.card), one.is_wild) for one in at_home] == [("2H", False)]


def test_a_joker_that_would_lie_beside_another_goes_to_the_other_end() -> None:
    (reading,) = judged("twelve-step-rummy", "run", "JK 5H 6H 7H", "JK").readings
    assert [str(one.stands_for) for one in reading[0]] == ["4H", "5H", "6H", "7H", "8H"]


def test_one_card_on_the_table_is_no_meld_to_add_to() -> None:
    assert judged("frustration-rummy", "set", "9H", "9D").reason_code == "too_few_cards"
    assert judged("frustration-rummy", "run", "9H 10H", "JH").reason_code == "too_few_cards"


def test_a_pair_may_lie_on_the_table_where_a_contract_asks_for_one() -> None:
    assert judged("frustration", "set", "9H 9D", "9S").legal
    assert judged("frustration-rummy", "set", "9H 9D", "9S").reason_code == "too_few_cards"


GOES = "the run on the table goes from"


@pytest.mark.parametrize(
    ("kind", "meld", "add", "said"),
    [
        ("set", "9H 9D 9C", "9H 2C", "2♣ doesn’t go with 9♥ 9♦ 9♣: a set has one rank."),
        ("run", "5H 6H 7H 8H", "KH 10H 9H", f"K♥ doesn’t fit: with 9♥ 10♥, {GOES} 5 to 10."),
        ("run", "5H 6H 7H 8H", "9D 9H", "9♦ isn’t of the same suit as 5♥ 6♥ 7♥ 8♥."),
        (
            *("run", "5H 6H 7H 8H", "QH JK KH 10H"),
            f"Q♥ K♥ don’t fit: with 10♥ and one joker, {GOES} 5 to 10.",
        ),
        (
            "run",
            "5H 6H 7H 8H",
            "KH",
            "K♥ doesn’t fit the run on the table, which goes from 5 to 8.",
        ),
        ("run", "5H 6H 7H 8H", "6H 9H", f"6♥ doesn’t fit: with 9♥, {GOES} 5 to 9."),
        ("run", "5H 6H 7H 8H", "QD KH", "Q♦ isn’t of the same suit as 5♥ 6♥ 7♥ 8♥."),
    ],
)
def test_of_added_cards_those_are_named_that_do_not_fit_beside_the_others(
    kind: str, meld: str, add: str, said: str
) -> None:
    rules = "garbage-rummy" if kind == "set" or "JK" not in add else "frustration-rummy"
    verdict = judged(rules, kind, meld, add)
    assert verdict.reason_code == "cannot_join"
    assert [str(one.message) for one in verdict.reasons] == [said]


@pytest.mark.parametrize(
    ("meld", "said"),
    [
        ("5H 6H 7H 9H 10H", "The cards aren’t in sequence."),
        ("5H 6H 6H 7H", "A run has one card of each rank, and 6 appears twice."),
        ("5H 7H 6H 8H", "5♥ 7♥ 6♥ 8♥ aren’t in order from lowest to highest."),
    ],
)
def test_a_gap_on_the_table_is_told_from_cards_that_lie_in_no_order(meld: str, said: str) -> None:
    verdict = judged("garbage-rummy", "run", meld, "JH")
    assert [(str(one.message), one.code) for one in verdict.reasons] == [(said, "not_consecutive")]
