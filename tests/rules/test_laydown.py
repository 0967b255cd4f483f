"""A contract: melds matched to its parts over all assignments, and what tables forbid in one."""

import pytest

from app.rules import Verdict, judge_contract, read_cards, variant, with_house_rules


def judged(
    rules: str, number: int, *melds: str, changes: dict[str, object] | None = None
) -> Verdict:
    house = with_house_rules(variant(rules), changes or {})
    return judge_contract(house, number, [read_cards(meld) for meld in melds])


def test_two_sets_where_a_run_is_asked_for_are_the_wrong_melds() -> None:
    assert judged("frustration", 2, "9H 9D 9S", "5H 5D 5C").code == "wrong_melds"


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
