"""The case book: every line of every file in tests/cases is tried, and the book leaves no gap.

A line that fails is named with what a player would say (`why`) beside what the judge answers.
"""

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from app.rules.judge_questions import answer_question, matches_expectation
from app.rules.rule_sets import family_rule_sets
from app.rules.variant import Variant

BOOK = Path(__file__).parents[1] / "cases"

Case = dict[str, Any]


def cases_of(name: str) -> list[Case]:
    """The cases of one file of the book."""
    lines = (BOOK / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


FILES = sorted(path.stem for path in BOOK.glob("*.jsonl"))
CASES = {name: cases_of(name) for name in FILES}
EVERY_CASE = [case for cases in CASES.values() for case in cases]
RULE_SETS = sorted(family_rule_sets().values(), key=lambda one: one.id)


def is_legal(case: Case) -> bool | None:
    """What a case expects; None where it expects only points or the like."""
    expected = case["expect"]
    return expected.get("legal") if isinstance(expected, dict) else expected


def cases_for(rules: Variant) -> list[Case]:
    """The cases of a rule set's own file."""
    assert rules.id in CASES, f"no tests/cases/{rules.id}.jsonl: judge by hand what its text says"
    return CASES[rules.id]


def legalities(rules: Variant, ask: str, **fields: Any) -> set[bool | None]:
    """What the rule set's own file expects of its questions of that kind and those fields."""
    return {
        is_legal(case)
        for case in cases_for(rules)
        if case["ask"] == ask and all(case.get(name) == value for name, value in fields.items())
    }


@pytest.mark.parametrize("name", FILES)
def test_the_judge_agrees_with_the_case_book(name: str) -> None:
    wrong = []
    for case in CASES[name]:
        answer = answer_question(case)
        if not matches_expectation(answer, case["expect"]):
            wrong.append(f"{case['id']}: {case['why']}")
            wrong.append(f"expected {case['expect']}, but the judge says {answer}")
    assert not wrong, "\n".join(wrong)


def test_every_case_has_an_id_of_its_own() -> None:
    counted = Counter(case["id"] for case in EVERY_CASE)
    assert [name for name, count in counted.items() if count > 1] == []


def test_no_case_is_told_twice_in_one_file() -> None:
    told = {"id", "expect", "why", "source", "depends_on"}
    for name, cases in CASES.items():
        questions = Counter(
            json.dumps({k: v for k, v in case.items() if k not in told}, sort_keys=True)
            for case in cases
            if name != "shared"
        )
        assert [question for question, count in questions.items() if count > 1] == []


def test_every_case_says_why_and_where_it_stands() -> None:
    for case in EVERY_CASE:
        assert case["why"].strip(), case["id"]
        assert case in CASES["shared"] or case["source"].strip(), case["id"]


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_a_rule_sets_file_asks_about_that_rule_set_as_it_is_written(rules: Variant) -> None:
    for case in cases_for(rules):
        assert case["variant"] == rules.id
        assert "house_rules" not in case


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_each_kind_of_question_has_legal_and_illegal_cases(rules: Variant) -> None:
    for ask in ("meld", "contract", "layoff", "hand"):
        assert {True, False} <= legalities(rules, ask), ask


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_sets_and_runs_have_legal_and_illegal_cases(rules: Variant) -> None:
    for ask, kind in product(("meld", "layoff"), ("set", "run")):
        assert {True, False} <= legalities(rules, ask, kind=kind), (ask, kind)


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_swaps_are_asked_for_by_both_owners_and_legal_only_where_they_exist(rules: Variant) -> None:
    own = legalities(rules, "swap", owner="self")
    others = legalities(rules, "swap", owner="other")
    assert False in own
    assert False in others
    assert (True in own) == (rules.wild_swap in ("own", "any"))
    assert (True in others) == (rules.wild_swap in ("others", "any"))


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_going_out_has_cases_that_do_and_cases_that_do_not(rules: Variant) -> None:
    outs = {
        case["expect"].get("out")
        for case in cases_for(rules)
        if case["ask"] == "hand" and isinstance(case["expect"], dict)
    }
    assert {True, False} <= outs


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_points_are_asked_about(rules: Variant) -> None:
    assert any(case["ask"] == "score" and "points" in case["expect"] for case in cases_for(rules))


@pytest.mark.parametrize(
    "rules", [one for one in RULE_SETS if one.keep_score == "yes"], ids=lambda rules: rules.id
)
def test_where_score_is_kept_every_class_of_cards_has_its_points(rules: Variant) -> None:
    shown = {
        card[:-1] if card != "JK" else card
        for case in cases_for(rules)
        if case["ask"] == "score" and "points" in case["expect"]
        for card in case["cards"].split()
    }
    assert shown == {rank for _points, ranks in rules.penalties.classes for rank in ranks}


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.id)
def test_every_contract_is_laid_once_rightly_and_once_wrongly(rules: Variant) -> None:
    for contract in rules.contracts:
        found = legalities(rules, "contract", contract=contract.number)
        assert {True, False} <= found, contract.number


JUDGED_FIELDS = [
    "decks",
    "jokers",
    "jokers_per_extra_deck",
    "contracts",
    "contract_size",
    "twos",
    "run_suit",
    "run_order",
    "run_both_aces",
    "wild_limit",
    "wild_limit_scope",
    "wilds_adjacent",
    "two_natural_in_own_slot",
    "pair_with_wild",
    "identical_cards_in_set",
    "two_sets_same_rank",
    "touching_runs",
    "extra_melds",
    "extra_set_min",
    "extra_run_min",
    "extras_same_turn",
    "layoff_on_others",
    "layoff_check",
    "wild_swap",
    "swap_in_sets",
    "swap_wild_twos",
    "must_discard_to_go_out",
]


@pytest.mark.parametrize("field", JUDGED_FIELDS)
def test_a_house_rule_that_changes_a_judgement_is_shown_at_work(field: str) -> None:
    by_question: dict[str, set[str]] = {}
    for case in CASES["house-rules"]:
        if field in case["house_rules"]:
            others = {k: v for k, v in case["house_rules"].items() if k != field}
            told = {"id", "expect", "why", "source", "house_rules"}
            rest = {k: v for k, v in case.items() if k not in told}
            question = json.dumps([rest, others], sort_keys=True)
            # A finer code or other figures are a change of judgement as well as legality is.
            by_question.setdefault(question, set()).add(json.dumps(case["expect"], sort_keys=True))
    assert any(len(verdicts) > 1 for verdicts in by_question.values())
