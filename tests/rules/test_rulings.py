"""The rulings: enough questions, each with its source, and every example agrees with the judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.house_rules import HOUSE_RULES
from app.rules.loading import FaultyRules, variants, with_house_rules
from app.rules.questions import agrees, answer_to
from app.rules.rulings import ruling_for, rulings, rulings_about
from app.rules.verdicts import Code

EVERY = list(variants().values())
EXAMPLES = [
    pytest.param(variant, ruling, id=f"{variant.id}-{ruling.id}")
    for variant in EVERY
    for ruling in rulings(variant)
    if ruling.example
]


@pytest.mark.parametrize(("variant", "ruling"), EXAMPLES)
def test_the_example_of_a_ruling_is_judged_as_the_ruling_says(variant, ruling):
    answer = answer_to({"variant": variant.id, **ruling.example.question})
    assert agrees(answer, ruling.example.expect), answer


@given(st.data())
def test_the_examples_agree_with_the_judge_under_any_house_rules(data):
    variant = data.draw(st.sampled_from(EVERY))
    rules = [rule for rule in HOUSE_RULES if rule.choices]
    chosen = data.draw(
        st.lists(st.sampled_from(rules), max_size=4, unique_by=lambda one: one.field)
    )
    house_rules = {rule.field: data.draw(st.sampled_from(rule.choices)).value for rule in chosen}
    try:
        played = with_house_rules(variant, house_rules)
    except FaultyRules:
        return
    for ruling in rulings(played):
        if ruling.example:
            question = {"variant": variant.id, "house_rules": house_rules}
            answer = answer_to(question | dict(ruling.example.question))
            assert agrees(answer, ruling.example.expect), (ruling.id, house_rules, answer)


@pytest.mark.parametrize("variant", EVERY, ids=lambda one: one.id)
def test_each_rule_set_answers_at_least_25_questions_with_an_example_each(variant):
    found = rulings(variant)
    assert len(found) >= 25
    assert len({ruling.id for ruling in found}) == len(found)
    assert all(ruling.source for ruling in found)
    assert sum(1 for ruling in found if ruling.example) >= 25


@pytest.mark.parametrize(
    "asked",
    ["identical", "larger", "ace", "2s", "side by side", "touch", "swap", "discard", "stock"],
)
def test_rulings_are_found_by_their_words(asked: str):
    words = {"identical": "same card twice", "touch": "go on where"}.get(asked, asked)
    assert rulings_about(rulings(variants()["frustration"]), words)


def test_words_that_no_ruling_has_find_nothing():
    assert rulings_about(rulings(variants()["frustration"]), "ace zebra") == ()


@pytest.mark.parametrize("code", list(Code))
def test_the_ruling_that_explains_a_fault_exists(code: Code):
    ids = {ruling.id for ruling in rulings(variants()["frustration"])}
    assert ruling_for(code) in ids | {""}


def test_a_house_rule_changes_the_ruling():
    played = with_house_rules(variants()["frustration"], {"run_suit": "same"})
    before = {one.id: str(one.answer) for one in rulings(variants()["frustration"])}
    after = {one.id: str(one.answer) for one in rulings(played)}
    assert before["run-suit"] != after["run-suit"]
