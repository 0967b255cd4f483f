"""A contract: melds matched to its parts over all assignments, and what tables forbid in one."""

from collections.abc import Mapping

import pytest

from app.rules.cards import read_cards
from app.rules.laydown import judge_contract
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.rules.verdicts import Verdict


def judged(
    rules: str, number: int, *melds: str, changes: Mapping[str, object] | None = None
) -> Verdict:
    house = with_house_rules(rule_set_by_id(rules), changes or {})
    return judge_contract(house, number, [read_cards(meld) for meld in melds])


def test_two_sets_where_a_run_is_asked_for_are_the_wrong_melds() -> None:
    assert judged("frustration", 2, "9H 9D 9S", "5H 5D 5C").reason_code == "wrong_melds"


def test_the_larger_meld_may_come_first() -> None:
    assert judged("frustration", 4, "9H 9D 9S", "5H 5D 5C 5S 5H").legal
    assert judged("frustration", 4, "5H 5D 5C 5S 5H", "9H 9D 9S").legal


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("7H 8H 9H 10H", "3H 4H 5H 6H", False),
        ("7H 8H 9H 10H", "3D 4D 5D 6D", True),
        ("6H 7H 8H 9H", "3H 4H 5H 6H", True),
        ("JH QH KH AH", "3H 4H 5H 6H", True),
        ("10H JH QH KH", "AH 3H 4H 5H", True),
    ],
    ids=["go-on", "other-suit", "overlap", "after-the-ace", "before-the-ace"],
)
def test_where_touching_runs_are_forbidden_no_run_goes_on_where_another_ends(
    one: str, other: str, apart: bool
) -> None:
    forbidden = {"touching_runs": "forbid"}
    assert judged("frustration-rummy", 5, one, other, changes=forbidden).legal is apart
    assert judged("frustration-rummy", 5, other, one, changes=forbidden).legal is apart
    assert judged("frustration-rummy", 5, one, other).legal


def test_runs_that_touch_only_in_one_reading_may_be_read_apart() -> None:
    verdict = judged(
        "frustration-rummy", 5, "3H 4H 5H JK", "7H 8H 9H 10H", changes={"touching_runs": "forbid"}
    )
    assert verdict.legal


def as_read(verdict: Verdict) -> set[str]:
    """Every reading: the ranks that the cards stand for, the melds apart."""
    return {
        " | ".join(" ".join(one.stands_for.rank for one in meld) for meld in reading)
        for reading in verdict.readings
    }


def test_a_contract_is_read_in_every_way_its_melds_can_serve() -> None:
    free: dict[str, object] = {"contracts": ["s3 r3"], "jokers": 4}
    assert as_read(judged("garbage-rummy", 1, "KH JK JK", "9D JK JK", changes=free)) == {
        "K K K | 9 10 J",
        "K K K | 8 9 10",
        "K K K | 7 8 9",
        "Q K A | 9 9 9",
        "J Q K | 9 9 9",
    }


def test_a_reading_in_which_runs_touch_is_left_out_where_they_may_not() -> None:
    runs = ("3H 4H 5H JK", "7H 8H 9H 10H")
    free = judged("frustration-rummy", 5, *runs)
    apart = judged("frustration-rummy", 5, *runs, changes={"touching_runs": "forbid"})
    assert as_read(free) - as_read(apart) == {"3 4 5 6 | 7 8 9 10"}
    assert apart.legal


@pytest.mark.parametrize("melds", [("5H 5D",), ("5H 6H 7H", ""), ("", "5H 5D"), ("9H JK", "5H 5D")])
@pytest.mark.parametrize("number", [2, 5])
def test_an_unfinished_meld_is_named_as_what_it_can_still_become(
    number: int, melds: tuple[str, ...]
) -> None:
    verdict = judged("frustration", number, *melds, changes={"jokers": 4})
    assert verdict.is_unfinished
    assert not any("appears twice" in str(one.message) for one in verdict.reasons)


@pytest.mark.parametrize("jokers", [0, 2])
def test_a_set_of_each_suit_can_only_grow_where_there_are_wild_cards(jokers: int) -> None:
    changes = {"contracts": ["s5"], "twos": "natural", "identical_cards_in_set": "forbid"}
    verdict = judged("frustration", 1, "5H 5D 5C 5S", changes={**changes, "jokers": jokers})
    assert verdict.is_unfinished is (jokers > 0)


@pytest.mark.parametrize(
    ("contract", "melds", "said"),
    [
        ("s3 r4", ("5H 6H 5D", "9H 9D JK JK"), "Meld 1 (set of 3), Meld 2 isn’t a run of 4."),
        ("s5 s2", ("KH KD KS KC KH", "4D JK"), "Meld 2 (pair)"),
        ("r4 s3", ("KH KS KD", "9H 9S 9D 9C"), "Meld 1 isn’t a run of 4."),
        ("r4 s3", ("KH KS KD", "5H 6H 8H 9D"), "Meld 2 (run of 4)"),
    ],
    ids=["as-entered", "as-entered-though-it-could-be-the-other", "sets-alone", "other-way-round"],
)
def test_a_faulty_meld_is_judged_as_the_part_in_whose_place_it_was_entered(
    contract: str, melds: tuple[str, ...], said: str
) -> None:
    changes = {"contracts": [contract], "jokers": 4, "pair_with_wild": "forbid"}
    verdict = judged("garbage-rummy", 1, *melds, changes=changes)
    named = [str(one.message).split(": ")[0].split(". ")[-1] for one in verdict.reasons]
    assert sorted(named) == said.split(", ")
    assert not verdict.is_unfinished
