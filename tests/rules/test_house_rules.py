"""House rules change a rule set field by field, and what is changed can be kept and read again."""

import json
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from app.rules.loading import (
    BOUNDS,
    FIELDS,
    FaultyRules,
    from_plain,
    to_plain,
    variant,
    variants,
    with_house_rules,
)
from app.rules.variant import Fact, Variant

HOUSE_RULE = Fact(decision="house rule of this table")


def test_no_house_rules_leave_the_rule_set_alone():
    assert with_house_rules(variant("frustration"), {}) is variant("frustration")


def test_an_unknown_house_rule_is_refused():
    with pytest.raises(FaultyRules, match=r"^sing: there is no such house rule$"):
        with_house_rules(variant("frustration"), {"sing": True})


@pytest.mark.parametrize("heading", ["id", "name", "summary", "source", "facts"])
def test_what_a_rule_set_is_called_is_no_house_rule(heading):
    with pytest.raises(FaultyRules, match="there is no such house rule"):
        with_house_rules(variant("frustration"), {heading: "mine"})


def test_a_house_rule_of_the_wrong_kind_is_refused():
    with pytest.raises(FaultyRules, match=r"^deal: eleven is not a whole number$"):
        with_house_rules(variant("frustration"), {"deal": "eleven"})


def test_a_house_rule_changes_one_field_and_says_so():
    ours = with_house_rules(variant("frustration"), {"deal": 10})
    assert ours.deal == 10
    assert ours.fact("deal") == HOUSE_RULE
    assert ours.fact("turn_up") == variant("frustration").fact("turn_up")
    assert variant("frustration").deal == 11


def test_a_number_of_decks_holds_for_any_number_of_players():
    ours = with_house_rules(variant("frustration"), {"decks": 2})
    assert ours.decks_for(8) == 2
    assert ours.fact("third_deck_from") == HOUSE_RULE


def test_a_number_of_decks_may_still_come_with_a_third():
    ours = with_house_rules(variant("frustration"), {"decks": 3, "third_deck_from": 7})
    assert (ours.decks_for(6), ours.decks_for(7)) == (3, 4)


def test_decks_say_nothing_of_a_third_where_there_was_none():
    ours = with_house_rules(variant("frustration-rummy"), {"decks": 3})
    assert ours.decks_for(5) == 3
    assert ours.jokers_in(3) == 6
    assert ours.fact("third_deck_from") != HOUSE_RULE


def test_a_new_list_of_contracts_is_played_to_its_end():
    short = with_house_rules(variant("frustration"), {"last_contract": 3})
    assert short.last_contract == 3
    ours = with_house_rules(short, {"contracts": ["s3", "r4", "s3 r4", "s5", "r6"]})
    assert ours.last_contract == 5
    assert ours.fact("last_contract") == HOUSE_RULE


def test_a_new_list_of_contracts_may_be_played_in_part():
    ours = with_house_rules(variant("frustration"), {"contracts": ["s3", "r4"], "last_contract": 1})
    assert ours.last_contract == 1


@pytest.mark.parametrize(
    ("which", "line"),
    [
        ("frustration", "2 3 4 5 6 7 8 9 10 J Q K A"),
        ("frustration-rummy", "A 2 3 4 5 6 7 8 9 10 J Q K A"),
        ("frustration-rummy-board", "A 2 3 4 5 6 7 8 9 10 J Q K A"),
    ],
)
def test_twos_made_natural_get_their_place_in_a_run(which, line):
    assert " ".join(with_house_rules(variant(which), {"twos": "natural"}).line) == line


# Laws


def drawn_value(field: str) -> st.SearchStrategy[Any]:
    """Any value that the field may have on its own."""
    expected = get_type_hints(Variant)[field]
    if field == "contracts":
        part = st.builds("{}{}".format, st.sampled_from("sr"), st.integers(2, 9))
        return st.lists(st.lists(part, min_size=1, max_size=4).map(" ".join), min_size=1)
    if field == "penalties":
        ranks = dict(variant("frustration").penalties.by_rank)
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
        return with_house_rules(variant(which), house_rules)
    except FaultyRules:
        reject()


@given(which=st.sampled_from(sorted(variants())), house_rules=FEW_HOUSE_RULES)
def test_a_rule_set_with_house_rules_survives_being_written_and_read(which, house_rules):
    ours = ours_of(which, house_rules)
    assert from_plain(json.loads(json.dumps(to_plain(ours)))) == ours
    assert {field for field, _ in ours.facts} == set(FIELDS)


@given(which=st.sampled_from(sorted(variants())), house_rules=FEW_HOUSE_RULES)
def test_house_rules_are_in_force_unless_they_are_refused(which, house_rules):
    written = to_plain(ours_of(which, house_rules))
    assert {field: written[field]["value"] for field in house_rules} == house_rules
