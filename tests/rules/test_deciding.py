"""Whose decision a verdict is: the house rule's exactly if it would be another without it."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.rules.deciding import answer_with_deciding_rules
from app.rules.grounds import Basis
from app.rules.house_rules import house_rules_of
from app.rules.judge import Answer, Question, UnreadableQuestion, answer, answer_any_meld
from app.rules.judge_questions import answer_question, read_question
from app.rules.rule_sets import FaultyRules, family_rule_sets, with_house_rules
from app.rules.variant import Variant
from tests.rules.test_case_book import CASES, RULE_SETS


def ask(variant: str, ask: str, **asked: Any) -> Answer:
    """What is answered under the house rules that the question names."""
    rules = with_house_rules(family_rule_sets()[variant], asked.pop("house_rules", {}))
    question = read_question(rules, {"ask": ask, "variant": variant, **asked})
    return answer_with_deciding_rules(answer, question)


def told(given: Answer) -> list[tuple[Basis, str]]:
    return [(one.grounds.basis, str(one.message)) for one in given.explanation]


def every_house_rule(rules: Variant) -> Iterator[Variant]:
    """The rule set with each house rule changed alone: to each choice, or one more and less."""
    for rule in house_rules_of(rules):
        own = getattr(rules, rule.field)
        values = [one.value for one in rule.choices] or [own - 1, own + 1]
        for value in values:
            try:
                played = with_house_rules(rules, {rule.field: value})
            except FaultyRules:
                continue
            if value != own:
                yield played


def asked_of(rules: Variant, case: dict[str, Any]) -> Question | None:
    try:
        return read_question(rules, case)
    except UnreadableQuestion:
        return None


def outcome(given: Answer) -> tuple[object, ...]:
    return given.state, given.points, given.turn is not None and given.turn.can_go_out


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_a_house_rule_decides_exactly_if_the_verdict_is_another_without_it(rules: Variant) -> None:
    seen = set()
    cases = [one for one in CASES[rules.id] if one["ask"] != "hand"]
    for turn, played in enumerate(every_house_rule(rules)):
        for case in cases[turn % 12 :: 12]:  # all cases of all rules take minutes
            printed, question = asked_of(rules, case), asked_of(played, case)
            if printed is None or question is None:
                continue
            given = answer_with_deciding_rules(answer, question)
            decides = outcome(given) != outcome(answer(printed))
            assert bool(given.decided_by) is decides, (case["id"], played.field_sources)
            first, *_rest = (*told(given), (None, ""))
            if decides:
                assert first[0] is Basis.HOUSE, case["id"]
            elif first[0] is Basis.HOUSE:
                assert any("Without the house rule, too" in words for _basis, words in told(given))
            seen.add(decides)
    assert seen == {True, False}


def test_what_only_the_house_rule_allows_says_so_and_what_the_text_says() -> None:
    given = ask(
        "frustration-rummy",
        "meld",
        kind="set",
        cards="5H 2C 2D",
        house_rules={"wild_limit": "none"},
    )
    assert str(given.headline) == "Legal"
    (basis, words), (other, text), *_ = told(given)
    assert (basis, other) == (Basis.HOUSE, Basis.TEXT)
    assert words.startswith("Your house rule decides: ")
    assert text.startswith("Without it: Not legal. Too many wild cards: 2 of 3.")
    assert given.recorded_verdict.english_text.startswith("Legal. Your house rule decides: ")


def test_a_house_rule_equal_to_the_text_is_none() -> None:
    own = family_rule_sets()["frustration-rummy"].wild_limit
    given = ask(
        "frustration-rummy", "meld", kind="set", cards="5H 5D 2D", house_rules={"wild_limit": own}
    )
    assert Basis.HOUSE not in [basis for basis, _words in told(given)]


def test_where_each_of_two_house_rules_is_enough_both_are_named_and_no_third() -> None:
    given = ask(
        "frustration-rummy",
        "meld",
        kind="run",
        cards="5H 2C 2D 8H",
        house_rules={
            "wilds_adjacent": False,
            "wild_limit": "fewer_than_naturals",
            "extra_set_min": 4,
        },
    )
    assert str(given.headline) == "Not legal"
    assert {one.rule for one in given.decided_by} == {"wilds_adjacent", "wild_limit"}
    assert given.otherwise
    assert str(given.otherwise.message).startswith("Without them: Legal. ")


def test_any_meld_says_it_too() -> None:
    rules = with_house_rules(family_rule_sets()["frustration-rummy"], {"wild_limit": "none"})
    question = read_question(
        rules,
        {"ask": "meld", "variant": rules.id, "kind": "set", "size": 1, "cards": "5H 2C 2D"},
    )
    given = answer_with_deciding_rules(answer_any_meld, question)
    assert [one.rule for one in given.decided_by] == ["wild_limit"]


def test_a_meld_that_is_an_extra_meld_as_the_other_kind_is_not_said_to_be_none() -> None:
    rules = with_house_rules(family_rule_sets()["garbage-rummy"], {"extra_set_min": 4})
    asked = {"ask": "meld", "variant": rules.id, "kind": "set", "size": 1, "cards": "5H JK JK"}
    notes = [str(one) for one in answer_any_meld(read_question(rules, asked)).notes]
    assert "Only as part of a contract, not as an extra meld." not in notes


def test_points_say_it_too() -> None:
    own = {"A": 20, "K": 10, "Q": 10, "J": 10, "JK": 50, **{str(one): one for one in range(2, 11)}}
    given = ask("garbage-rummy", "score", cards="2H AC", house_rules={"penalties": own})
    assert str(given.headline) == "22 points"
    assert [one.rule for one in given.decided_by] == ["penalties"]


def test_of_a_hand_that_a_house_rule_alone_keeps_from_being_laid_it_is_said_that_it_could() -> None:
    limit = {"wild_limit": "at_most_naturals"}
    given = ask("garbage-rummy", "hand", contract=1, hand="5H JK JK 9H 9D JK", house_rules=limit)
    assert str(given.headline) == "Not from this hand"
    assert given.otherwise
    assert str(given.otherwise.message) == "Without it: You can lay it down."


def test_programs_read_which_house_rules_decide() -> None:
    plain = answer_question(
        {
            "ask": "meld",
            "variant": "frustration-rummy",
            "kind": "set",
            "cards": "5H 2C 2D",
            "house_rules": {"wild_limit": "none"},
        }
    )
    assert [one["label"] for one in plain["decided_by"]] == ["house"]
    assert plain["otherwise"]["label"] == "text"
