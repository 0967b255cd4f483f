"""The budget of steps: never exceeded, the same answer each time, and never worse for more.

`SOLVER_CLIMB=2000` climbs longer towards hands that are slow to answer.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.cards import read_cards
from app.rules.judge import UnreadableQuestion
from app.rules.judge_questions import answer_question
from app.rules.rule_sets import family_rule_sets, rule_set_by_id, with_house_rules
from app.rules.solver import BUDGET, Solution, solve
from app.rules.variant import Variant
from tests.bench.adversary import SIZES, climb, seeds
from tests.bench.play import Question, questions_in_play
from tests.draws import drawn
from tests.referee import Referee
from tests.strategies import hands, house_rules, laid_from_hand, tables

TRIES = int(os.environ.get("SOLVER_CLIMB", "5"))
STRANGERS = (
    "2C JK 2H 2D JK 2C 2S JK 2D 2S 2H JK JS QS AS 10S JS AS 10S KS 8S 8S 5S 4S KS 6S 5S 7S 3S 9S"
)
TANGLED = "JK 2C 2S JK 2S JK QS AS 10S JS AS 10S KS 8S 8S 5S 4S KS 6S 5S 7S 3S 9S 3S QH 5C AD"
TOO_TANGLED = (
    "8H 8S JK 9H 4H AC JH 10C 8C KD 8D 10C JC JK JD 8S KC KH 9S 6S QS 7C 8D 10H 8D JH 3H QD AC 9D "
    "AH 4H JK 8C 7C 4C QH 5D 7S 4S 9C KC KS KC QD JK 3H 7S AC JS 3H 10C JK 6S 9S 9C JK"
)
MANY_RUNS = (
    "2C JK 2H JK 2C 2S 2H QS AS 10S JS AS 10S KS 5S 4S KS 6S 5S 7S 9S 3S 6H 6C 8S JH 9C 6C JK 6S "
    "AD JK JK 10H 5C 3C 6D 7S 5S QC"
)
"""Natural cards and wild ones that lie as runs in some 190,000 ways, where runs may not touch."""
CALLS_OF_A_STEP = 5
rule_sets = st.sampled_from(sorted(family_rule_sets().values(), key=lambda one: one.id))


def asked(question: Question, budget: int = BUDGET) -> Solution:
    return solve(question.rules, question.number, question.hand, question.table, budget=budget)


def assert_whole(question: Question, found: Solution) -> None:
    """The turn is a turn: its cards are the hand, and its contract is laid."""
    laid = [card for meld in found.laydown for card in laid_from_hand(meld, question.table)]
    discard = [found.discard] if found.discard else []
    assert Counter([*laid, *found.remaining, *discard]) == Counter(question.hand)
    parts = Counter(meld.part for meld in found.laydown if meld.part is not None)
    contract = Counter(question.rules.contract(question.number).parts)
    assert parts == (contract if found.can_lay_down else Counter())


@pytest.mark.parametrize("size", SIZES)
def test_no_hand_that_an_adversary_finds_takes_more_than_the_budget(size: int) -> None:
    rng = random.Random(size)

    def steps(question: Question) -> float:
        found = asked(question)
        assert found.steps_taken <= BUDGET
        assert_whole(question, found)
        return found.steps_taken

    for start in islice(seeds(rng, size), 3):
        assert all(cost <= BUDGET for _, cost in climb(rng, start, steps, TRIES))


def test_the_hand_that_stopped_a_server_is_answered_within_the_budget() -> None:
    question = {
        "ask": "hand",
        "variant": "aggravation-rummy-family",
        "contract": 4,
        "hand": STRANGERS,
    }
    answer = answer_question(question)
    assert answer["legal"]
    assert isinstance(answer["decided"], bool)
    assert answer == answer_question(question)


def many_runs() -> Question:
    changes = {
        "touching_runs": "forbid",
        "contracts": ["s6 s5 r2 s3 r4 r5 r5 s6"],
        "decks": 3,
        "contract_size": "exact",
    }
    rules = with_house_rules(rule_set_by_id("aggravation-rummy-family"), changes)
    return Question(rules, 1, tuple(read_cards(MANY_RUNS)))


def strangers() -> Question:
    rules = rule_set_by_id("aggravation-rummy-family")
    return Question(rules, 4, tuple(read_cards(STRANGERS)))


@pytest.mark.parametrize("hand", [many_runs, strangers])
def test_the_steps_of_an_answer_say_what_it_takes(hand: Callable[[], Question]) -> None:
    """Functions called for each step are counted, since times differ from machine to machine."""
    question, calls = hand(), 0

    def count(_frame: object, event: str, _of: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    asked(question)  # what is reckoned once for a rule set
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = asked(question)
    finally:
        sys.setprofile(before)
    assert found.steps_taken <= BUDGET
    assert calls <= CALLS_OF_A_STEP * found.steps_taken


def tangled() -> dict[str, object]:
    return {
        "ask": "hand",
        "variant": "aggravation-rummy-family",
        "contract": 1,
        "house_rules": {"contracts": ["s4 s4 r2 r5 r4 r7"]},
        "hand": TANGLED,
        "players": 8,
    }


def test_a_contract_of_many_melds_that_tangle_is_answered() -> None:
    assert not answer_question(tangled())["legal"]


def test_eight_melds_that_tangle_beyond_what_can_be_tried_are_refused_in_words() -> None:
    question = {
        "ask": "hand",
        "variant": "frustration-rummy",
        "contract": 1,
        "house_rules": {
            "contracts": ["s5 s6 r6 s4 r7 r4 r7 s6"],
            "decks": 3,
            "touching_runs": "forbid",
            "identical_cards_in_set": "allow",
            "run_both_aces": "forbid",
            "wild_limit_scope": "initial_only",
            "pair_with_wild": "forbid",
            "must_discard_to_go_out": True,
        },
        "hand": TOO_TANGLED,
    }
    with pytest.raises(UnreadableQuestion, match="too many ways"):
        answer_question(question)


@settings(max_examples=drawn(20))
@given(rules=rule_sets, changes=house_rules(), data=st.data())
def test_more_steps_never_make_an_answer_worse_or_less_certain(
    rules: Variant, changes: dict[str, object], data: st.DataObject
) -> None:
    played = with_house_rules(rules, changes)
    number = data.draw(st.integers(1, len(played.contracts)))
    question = Question(played, number, data.draw(hands(played, 10, 20)), data.draw(tables(played)))
    found = [asked(question, budget) for budget in (0, 60, 300, 1600, BUDGET)]
    for less, more in pairwise(found):
        assert more.remaining_cost <= less.remaining_cost
        assert more.is_proven_best or not less.is_proven_best
        assert more.can_lay_down == less.can_lay_down
        assert_whole(question, less)
    assert found[-1] == asked(question)


@settings(max_examples=drawn(30))
@given(rules=rule_sets, changes=house_rules(), data=st.data())
def test_what_is_decided_with_few_steps_is_what_the_referee_finds(
    rules: Variant, changes: dict[str, object], data: st.DataObject
) -> None:
    played = with_house_rules(rules, changes)
    small = [one.number for one in played.contracts if one.size <= 8]
    number = data.draw(st.sampled_from(small))
    hand = data.draw(hands(played, 8, 8))
    opinion = Referee(played, number, hand).opinion()
    for budget in (0, 20, 100):
        found = solve(played, number, hand, budget=budget)
        assert found.can_lay_down == opinion.layable
        assert found.remaining_cost >= opinion.left
        if found.is_proven_best:
            assert (found.can_go_out, found.remaining_cost) == (
                opinion.can_go_out,
                opinion.left,
            )


def test_hands_of_simulated_rounds_are_decided() -> None:
    rng = random.Random(16)
    questions = questions_in_play(rng, asked)
    for _ in range(400):
        question, found = next(questions)
        assert found.is_proven_best, question


def test_an_answer_says_that_it_is_decided() -> None:
    hand = {"ask": "hand", "variant": "frustration", "contract": 1, "hand": "5H 5D 5C 9S 9H 9D KD"}
    assert answer_question(hand)["decided"] is True
    found = solve(rule_set_by_id("frustration"), 1, read_cards("5H 5D 5C 9S 9H 9D KD"), budget=0)
    assert (found.can_lay_down, found.is_proven_best) == (True, False)
