"""The relatives of the nine: apart from them, each fact with its source, judged alike."""

import tomllib

import pytest

from app.rules.judge_questions import answer_question
from app.rules.rule_sets import (
    FIELDS,
    VARIANTS,
    family_rule_sets,
    rule_set_by_id,
    rule_sets_in_family,
    shipped_rule_sets,
)

RELATIVES = list(rule_sets_in_family("relative").values())


def test_relatives_stand_apart_from_the_nine() -> None:
    assert len(family_rule_sets()) == 9
    assert len(rule_sets_in_family("relative")) >= 3
    assert not set(family_rule_sets()) & set(rule_sets_in_family("relative"))
    apart = {
        **family_rule_sets(),
        **rule_sets_in_family("relative"),
        **rule_sets_in_family("other"),
    }
    assert apart == dict(shipped_rule_sets())


@pytest.mark.parametrize("relative", RELATIVES, ids=lambda one: one.id)
def test_a_relative_is_found_by_its_id_and_says_where_each_fact_comes_from(relative) -> None:
    assert rule_set_by_id(relative.id) is relative
    file = tomllib.loads((VARIANTS / f"{relative.id}.toml").read_text(encoding="utf-8"))
    own = {one for one in FIELDS if relative.has_field(one)}
    assert own - {"last_contract"} <= set(file)
    for field, fact in relative.field_sources:
        assert fact.source or len(fact.decision.split()) >= 4, field


@pytest.mark.parametrize("relative", RELATIVES, ids=lambda one: one.id)
def test_a_relatives_summary_is_one_short_sentence(relative) -> None:
    assert len(relative.summary) < 90
    assert relative.summary.endswith(".")


def contracts_of(which: str) -> str:
    return " · ".join(map(str, rule_set_by_id(which).contracts))


def test_the_contracts_are_those_of_the_texts() -> None:
    seven = "s3 s3 · s3 r4 · r4 r4 · s3 s3 s3 · s3 s3 r4 · s3 r4 r4 · r4 r4 r4"
    assert contracts_of("liverpool-rummy") == seven
    assert contracts_of("carioca") == seven.rpartition(" · ")[0]
    assert contracts_of("shanghai-rummy").endswith("s3 r10 · s3 s3 s3 r5 · r5 r5 r5")
    assert contracts_of("ten-phases") == (
        "s3 s3 · s3 r4 · s4 r4 · r7 · r8 · r9 · s4 s4 · s5 s2 · s5 s3"
    )


def test_a_liverpool_player_goes_out_on_the_last_hand_with_all_twelve_cards() -> None:
    hand = "3H 4H 5H 6H 8S 9S 10S JS 7D 8D 9D JK"
    answer = answer_question(
        {"ask": "hand", "variant": "liverpool-rummy", "contract": 7, "hand": hand}
    )
    assert (answer["legal"], answer["out"], answer["left"]) == (True, True, 0)


@pytest.mark.parametrize(
    ("cards", "legal"), [("5H 6H 7H JK", True), ("5H 6H JK JK", False), ("5H 6H 7H JK JK", True)]
)
def test_a_shanghai_run_holds_fewer_jokers_than_natural_cards(cards: str, legal: bool) -> None:
    question = {"ask": "meld", "variant": "shanghai-rummy", "kind": "run", "cards": cards}
    assert answer_question(question)["legal"] is legal


def test_a_carioca_contract_is_laid_exactly_as_it_is_asked() -> None:
    question = {"ask": "contract", "variant": "carioca", "contract": 1}
    assert answer_question({**question, "melds": ["5H 5S 5D", "9H 9S 9D"]})["legal"]
    assert not answer_question({**question, "melds": ["5H 5S 5D 5C", "9H 9S 9D"]})["legal"]


@pytest.mark.parametrize(
    ("which", "cards", "points"),
    [
        ("liverpool-rummy", "AH JK KS 9D 2C", 51),
        ("shanghai-rummy", "AH JK KS 9D 2C", 50),
        ("carioca", "AH JK KS 9D 2C", 71),
        ("ten-phases", "AH JK KS 9D 2C", 50),
    ],
)
def test_what_cards_cost_in_a_relative(which: str, cards: str, points: int) -> None:
    assert answer_question({"ask": "score", "variant": which, "cards": cards})["points"] == points


@pytest.mark.parametrize(
    ("which", "most"),
    [
        ("frustration", 12),
        ("carioca", 12),
        ("shanghai-rummy", 18),
        ("liverpool-rummy", 1000),
        ("aggravation-rummy", 1000),
    ],
)
def test_how_many_cards_a_hand_can_come_to(which: str, most: int) -> None:
    assert rule_set_by_id(which).max_hand_size == most
