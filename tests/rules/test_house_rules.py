"""House rules change a rule set field by field; they are asked, answered and told in words."""

import json
import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from app.rules.house_rules import (
    GROUP_NAMES,
    HOUSE_RULES,
    HouseRule,
    changed_rules,
    read_house_rule,
    value_in_words,
)
from app.rules.rule_sets import (
    BOUNDS,
    FIELDS,
    FaultyRules,
    choices_of,
    family_rule_sets,
    from_dict,
    read_value,
    rule_set_by_id,
    to_dict,
    with_house_rules,
)
from app.rules.variant import FieldSource, Variant

HOUSE_RULE = FieldSource(decision="your group’s house rule")


def test_no_house_rules_leave_the_rule_set_alone() -> None:
    assert with_house_rules(rule_set_by_id("frustration"), {}) is rule_set_by_id("frustration")


def test_an_unknown_house_rule_is_refused() -> None:
    with pytest.raises(FaultyRules, match=r"^sing: there is no such house rule$"):
        with_house_rules(rule_set_by_id("frustration"), {"sing": True})


@pytest.mark.parametrize("heading", ["id", "name", "summary", "source", "field_sources"])
def test_what_a_rule_set_is_called_is_no_house_rule(heading: str) -> None:
    with pytest.raises(FaultyRules, match="there is no such house rule"):
        with_house_rules(rule_set_by_id("frustration"), {heading: "mine"})


def test_a_house_rule_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(FaultyRules, match=r"^deal: eleven isn’t a whole number$"):
        with_house_rules(rule_set_by_id("frustration"), {"deal": "eleven"})


def test_a_house_rule_changes_one_field_and_says_so() -> None:
    ours = with_house_rules(rule_set_by_id("frustration"), {"deal": 10})
    assert ours.deal == 10
    assert ours.field_source("deal") == HOUSE_RULE
    assert ours.field_source("turn_up") == rule_set_by_id("frustration").field_source("turn_up")
    assert rule_set_by_id("frustration").deal == 11


def test_a_number_of_decks_holds_for_any_number_of_players() -> None:
    ours = with_house_rules(rule_set_by_id("frustration"), {"decks": 2})
    assert ours.decks_for(8) == 2
    assert ours.field_source("third_deck_from") == HOUSE_RULE


def test_a_number_of_decks_may_still_come_with_a_third() -> None:
    ours = with_house_rules(rule_set_by_id("frustration"), {"decks": 3, "third_deck_from": 7})
    assert (ours.decks_for(6), ours.decks_for(7)) == (3, 4)


def test_decks_say_nothing_of_a_third_where_there_was_none() -> None:
    ours = with_house_rules(rule_set_by_id("frustration-rummy"), {"decks": 3})
    assert ours.decks_for(5) == 3
    assert ours.joker_count(3) == 6
    assert ours.field_source("third_deck_from") != HOUSE_RULE


def test_a_new_list_of_contracts_is_played_to_its_end() -> None:
    short = with_house_rules(rule_set_by_id("frustration"), {"last_contract": 3})
    assert short.last_contract == 3
    ours = with_house_rules(short, {"contracts": ["s3", "r4", "s3 r4", "s5", "r6"]})
    assert ours.last_contract == 5
    assert ours.field_source("last_contract") == HOUSE_RULE


def test_a_new_list_of_contracts_may_be_played_in_part() -> None:
    ours = with_house_rules(
        rule_set_by_id("frustration"), {"contracts": ["s3", "r4"], "last_contract": 1}
    )
    assert ours.last_contract == 1


@pytest.mark.parametrize(
    ("which", "line"),
    [
        ("frustration", "2 3 4 5 6 7 8 9 10 J Q K A"),
        ("frustration-rummy", "A 2 3 4 5 6 7 8 9 10 J Q K A"),
        ("frustration-rummy-board", "A 2 3 4 5 6 7 8 9 10 J Q K A"),
    ],
)
def test_twos_made_natural_get_their_place_in_a_run(which: str, line: str) -> None:
    assert " ".join(with_house_rules(rule_set_by_id(which), {"twos": "natural"}).run_ranks) == line


# Words

EDITED_ELSEWHERE = {"contracts", "penalties", "players_min", "players_max"}
CHOICE_RULES = [rule for rule in HOUSE_RULES.values() if rule.choices]
NUMBER_RULES = [rule for rule in HOUSE_RULES.values() if not rule.choices]


def named(rule: object) -> str:
    """The name of a test's rule."""
    return rule.field if isinstance(rule, HouseRule) else ""


def refusal_of(field: str, text: str) -> str:
    """The sentence with which an answer is refused."""
    with pytest.raises(FaultyRules) as caught:
        read_house_rule(field, text)
    assert caught.value.field == field
    return str(caught.value.phrase)


def test_every_field_that_is_not_edited_elsewhere_is_asked_for_in_order() -> None:
    asked = tuple(HOUSE_RULES)
    assert asked == tuple(field for field in FIELDS if field not in EDITED_ELSEWHERE)


def test_every_group_has_a_heading_and_its_questions_stand_together() -> None:
    groups = [rule.group for rule in HOUSE_RULES.values()]
    changes = [now for before, now in zip([None, *groups], groups, strict=False) if before != now]
    assert changes == list(GROUP_NAMES)


def test_no_two_house_rules_ask_the_same_question() -> None:
    questions = [str(rule.question) for rule in HOUSE_RULES.values()]
    assert len(set(questions)) == len(questions)
    assert all(question.endswith("?") for question in questions)


@pytest.mark.parametrize("rule", HOUSE_RULES.values(), ids=named)
def test_every_house_rule_is_explained_in_short_sentences(rule) -> None:
    assert str(rule.explanation).endswith(".")
    assert max(len(str(rule.question)), len(str(rule.explanation))) <= 90


@pytest.mark.parametrize("rule", HOUSE_RULES.values(), ids=named)
def test_every_value_of_a_choice_has_one_label_of_its_own(rule) -> None:
    expected = get_type_hints(Variant)[rule.field]
    values = {bool: (True, False), int: ()}.get(expected) or get_args(expected)
    assert tuple(choice.value for choice in rule.choices) == values == choices_of(rule.field)
    labels = {str(choice.label) for choice in rule.choices}
    assert len(labels) == len(values)
    assert all(0 < len(label) <= 50 for label in labels)


@pytest.mark.parametrize("rule", NUMBER_RULES, ids=named)
def test_a_number_is_asked_for_between_its_bounds(rule) -> None:
    assert (rule.least, rule.most) == BOUNDS[rule.field]


def test_a_choice_has_no_bounds() -> None:
    assert {(rule.least, rule.most) for rule in CHOICE_RULES} == {(None, None)}


@pytest.mark.parametrize("field", sorted({*EDITED_ELSEWHERE, "sing", "name"}))
def test_what_is_edited_elsewhere_has_no_question_and_takes_no_answer(field) -> None:
    assert field not in HOUSE_RULES
    assert refusal_of(field, "2") == "This rule can’t be changed here."


def test_a_house_rule_is_found_by_its_field() -> None:
    assert [rule.field for rule in HOUSE_RULES.values()] == list(HOUSE_RULES)


@pytest.mark.parametrize("rule", CHOICE_RULES, ids=named)
def test_every_label_and_every_value_read_back_gives_the_value(rule) -> None:
    for choice in rule.choices:
        for text in (str(choice.value), str(choice.label), f"  {choice.label} ".upper()):
            answer = read_house_rule(rule.field, text)
            assert answer == choice.value
            assert type(answer) is type(choice.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("yes", True), ("true", True), ("Yes ", True), ("no", False), ("false", False)],
)
def test_a_yes_or_no_is_understood(text: str, value: bool) -> None:
    assert read_house_rule("knock", text) is value


def test_yes_and_no_stay_words_where_the_rule_has_them_as_values() -> None:
    assert read_house_rule("keep_score", "yes") == "yes"
    assert read_house_rule("swap_in_sets", "no") == "no"


@pytest.mark.parametrize("rule", NUMBER_RULES, ids=named)
def test_every_number_between_the_bounds_can_be_sent(rule) -> None:
    for number in (rule.least, rule.most):
        assert read_house_rule(rule.field, f" {number} ") == number


@pytest.mark.parametrize("text", ["25", "-25", "−25"])
def test_a_bonus_may_be_sent_as_the_points_that_come_off(text: str) -> None:
    assert read_house_rule("go_out_bonus", text) == -25


@pytest.mark.parametrize("text", ["", "many", "3.5", "1_1", "١١", "2", "31", "-11", "9" * 5000])
def test_what_is_no_number_between_the_bounds_is_refused_with_a_sentence(text: str) -> None:
    assert refusal_of("deal", text) == "Enter a whole number from 3 to 30."


@pytest.mark.parametrize("text", ["1001", "-1001", "much"])
def test_too_high_a_bonus_is_refused_in_points_that_come_off(text: str) -> None:
    assert refusal_of("go_out_bonus", text) == "Enter a whole number from 0 to 1000."


@pytest.mark.parametrize("text", ["", "yes", "2", "{labels}", "x" * 5000])
def test_what_is_no_choice_is_refused_with_the_choices(text: str) -> None:
    sentence = "Choose one of these: yes, 2s are wild and no, 2s are ordinary cards."
    assert refusal_of("twos", text) == sentence


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("decks", "2 decks"),
        ("third_deck_from", "from 6 players on"),
        ("jokers", "no jokers"),
        ("deal", "11 cards"),
        ("twos", "yes, 2s are wild"),
        ("wild_limit", "at most half its cards"),
        ("knock", "yes, by a knock"),
        ("go_out_bonus", "no bonus"),
        ("last_contract", "contract 10"),
        ("max_deals", "no limit"),
        ("players_max", "8 players"),
        ("contracts", "10 contracts"),
        (
            "penalties",
            "5 points for 3, 4, 5, 6, 7, 8 and 9, 10 points for 10, J, Q and K, "
            "15 points for A and 50 points for 2",
        ),
    ],
)
def test_what_frustration_says_is_told_in_words(field: str, words: str) -> None:
    assert str(value_in_words(rule_set_by_id("frustration"), field)) == words


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("decks", 1, "1 deck"),
        ("third_deck_from", 0, "never"),
        ("jokers", 4, "4 jokers"),
        ("go_out_bonus", -25, "25 points off"),
        ("go_out_bonus", -1, "1 point off"),
        ("max_deals", 15, "15 rounds"),
        ("last_contract", 7, "contract 7"),
    ],
)
def test_a_changed_number_is_told_in_words(field: str, value: int, words: str) -> None:
    changes = {"deal": 5, field: value}
    ours = with_house_rules(rule_set_by_id("frustration"), changes)
    assert str(value_in_words(ours, field)) == words


def test_rules_that_differ_are_named_in_the_order_of_the_game() -> None:
    ours = with_house_rules(rule_set_by_id("frustration"), {"win": "first_out_on_last", "deal": 10})
    assert changed_rules(rule_set_by_id("frustration"), ours) == ("deal", "win")


def test_a_house_rule_that_says_what_the_rule_set_says_changes_nothing() -> None:
    ours = with_house_rules(rule_set_by_id("frustration"), {"deal": 11})
    assert changed_rules(rule_set_by_id("frustration"), ours) == ()


def test_new_decks_also_name_the_third_deck_that_they_end() -> None:
    ours = with_house_rules(rule_set_by_id("frustration"), {"decks": 3})
    assert changed_rules(rule_set_by_id("frustration"), ours) == ("decks", "third_deck_from")


@pytest.mark.parametrize("which", sorted(family_rule_sets()))
def test_a_rule_set_does_not_differ_from_itself(which) -> None:
    assert changed_rules(rule_set_by_id(which), rule_set_by_id(which)) == ()


# Laws


def drawn_value(field: str) -> st.SearchStrategy[Any]:
    """Any value that the field may have on its own."""
    expected = get_type_hints(Variant)[field]
    if field == "contracts":
        part = st.builds("{}{}".format, st.sampled_from("sr"), st.integers(2, 9))
        return st.lists(st.lists(part, min_size=1, max_size=4).map(" ".join), min_size=1)
    if field == "penalties":
        ranks = dict(rule_set_by_id("frustration").penalties.by_rank)
        return st.fixed_dictionaries({rank: st.integers(0, 500) for rank in ranks})
    if get_origin(expected) is Literal:
        return st.sampled_from(get_args(expected))
    return st.booleans() if expected is bool else st.integers(*BOUNDS[field])


FEW_HOUSE_RULES = st.sets(st.sampled_from(FIELDS), max_size=3).flatmap(
    lambda few: st.fixed_dictionaries({field: drawn_value(field) for field in sorted(few)})
)


def ours_of(which: str, house_rules: dict[str, Any]) -> Variant:
    """The rule set with those house rules, if they fit together."""
    try:
        return with_house_rules(rule_set_by_id(which), house_rules)
    except FaultyRules:
        reject()


@given(which=st.sampled_from(sorted(family_rule_sets())), house_rules=FEW_HOUSE_RULES)
def test_a_rule_set_with_house_rules_survives_being_written_and_read(which, house_rules) -> None:
    ours = ours_of(which, house_rules)
    assert from_dict(json.loads(json.dumps(to_dict(ours)))) == ours
    assert {one for one, _ in ours.field_sources} == {one for one in FIELDS if ours.has_field(one)}


@given(which=st.sampled_from(sorted(family_rule_sets())), house_rules=FEW_HOUSE_RULES)
def test_house_rules_are_in_force_unless_they_are_refused(which, house_rules) -> None:
    ours = ours_of(which, house_rules)
    for field, value in house_rules.items():
        assert getattr(ours, field) == read_value(field, value)


@given(which=st.sampled_from(sorted(family_rule_sets())), house_rules=FEW_HOUSE_RULES)
def test_whatever_the_rules_are_every_field_can_be_told_in_words(which, house_rules) -> None:
    ours = ours_of(which, house_rules)
    assert all(str(value_in_words(ours, field)).strip() for field in FIELDS)


SENT = st.one_of(st.text(), st.integers().map(str), st.sampled_from(["yes", "no", "true", "any"]))


@given(field=st.sampled_from(list(HOUSE_RULES)), text=SENT)
def test_whatever_is_sent_becomes_a_value_of_the_field_or_is_refused(field: str, text: Any) -> None:
    try:
        value: Any = read_house_rule(field, text)
    except FaultyRules:
        return
    low, high = BOUNDS.get(field, (None, None))
    assert value in choices_of(field) if low is None else low <= value <= high


def test_each_value_of_a_house_rule_is_a_sentence_of_its_own() -> None:
    for rule in HOUSE_RULES.values():
        values = [one.value for one in rule.choices] or [0, 1, 2]
        told = [str(rule.sentence(value)) for value in values]
        assert len(set(told)) == len(told), rule.field
        assert all(re.fullmatch(r"[A-Z2].*[^.]\.", one) for one in told), told
