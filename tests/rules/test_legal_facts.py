"""Why something is legal is said as well, with its source; of a part of a contract what stands."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.rules.cards import RANKS, cards_in_words, read_cards
from app.rules.judge import answer as answer_of
from app.rules.judge_questions import answer_question, read_question
from app.rules.rule_sets import shipped_rule_sets, with_house_rules
from app.rules.variant import Variant

GARBAGE = {"variant": "garbage-rummy", "contract": 3}
RUN = {**GARBAGE, "ask": "meld", "kind": "run"}


def told(question: dict[str, Any], kind: str = "facts") -> list[str]:
    return [one["message"] for one in answer_question(question).get(kind, [])]


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        (
            {**RUN, "size": 4, "cards": "5H JK 7H 8H"},
            ["You have 4 cards and need 4. The joker stands for 6♥."],
        ),
        ({**RUN, "cards": "5H 6H 7H 8H"}, ["You have 4 cards and need at least 3."]),
        (
            {**RUN, "cards": "JH QH KH AH"},
            ["You have 4 cards and need at least 3.", "The ace goes after the king."],
        ),
        (
            {
                "ask": "meld",
                "variant": "frustration",
                "kind": "set",
                "size": 3,
                "cards": "9H 9C 2D",
            },
            ["You have 3 cards and need 3.", "Wild cards don’t outnumber naturals."],
        ),
        (
            {**GARBAGE, "ask": "contract", "melds": ["5H JK 7H 8H", "9H 9C 9D"]},
            ["That’s contract 3: set of 3 and run of 4. The joker stands for 6♥."],
        ),
        (
            {**GARBAGE, "ask": "layoff", "kind": "run", "meld": "9H 10H JH", "add": "QH KH"},
            ["With Q♥ K♥ it’s a run of 5."],
        ),
        (
            {
                "ask": "layoff",
                "variant": "carioca",
                "kind": "run",
                "meld": "9H 10H JH QH",
                "add": "JK KH JK",
            },
            ["With K♥ and 2 jokers it’s a run of 7."],
        ),
        (
            {"ask": "score", "variant": "aggravation-rummy", "cards": "JK 7H KD JK 7S AC 2D 9H"},
            ["2 jokers: 2 × 25 = 50 · 2: 25 · A: 15 · K: 10 · 7 7 9: 3 × 5 = 15"],
        ),
        (
            {"ask": "score", "variant": "garbage-rummy", "cards": "JK 5H"},
            ["one joker: 20 · 5: 5"],
        ),
    ],
)
def test_a_legal_verdict_says_why(question: dict[str, Any], facts: list[str]) -> None:
    assert told(question) == facts


def test_each_legal_verdict_of_the_case_book_but_those_on_hands_says_why() -> None:
    for file in (Path(__file__).parents[1] / "cases").glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            question = json.loads(line)
            if question["ask"] != "hand":
                answer = answer_question(question)
                for one in answer.get("facts", []):
                    assert one["message"], line
                    assert one["source"], line
                assert not answer["legal"] or answer["facts"], line


def test_what_each_card_counts_comes_to_the_points_in_every_rule_set() -> None:
    deck = " ".join(f"{rank}H {rank}S" for rank in RANKS)
    for variant in shipped_rule_sets().values():
        if not variant.contracts:
            continue
        jokers = " JK JK" if variant.joker_count(variant.decks) else ""
        question = {"ask": "score", "variant": variant.id, "cards": deck + jokers}
        answer = answer_question(question)
        (fact,) = answer["facts"]
        sums = [int(re.search(r"\d+$", one)[0]) for one in fact["message"].split(" · ")]
        assert sum(sums) == answer["points"], variant.id
        assert fact["source"], variant.id
        assert "joker joker" not in fact["message"]


@pytest.mark.parametrize("variant", shipped_rule_sets().values(), ids=lambda one: one.id)
def test_no_sentence_lists_jokers_one_by_one(variant: Variant) -> None:
    if not variant.contracts or not variant.joker_count(variant.decks):
        return
    jokers = read_cards("JK 5H JK")
    assert str(cards_in_words(jokers)) == "5♥ and 2 jokers"
    for kind, meld in (("set", "9H 9S 9D 9C"), ("run", "6H 7H 8H 9H 10H")):
        for add in ("JK JK", "JK"):
            question = {"ask": "layoff", "variant": variant.id, "kind": kind, "meld": meld}
            answer = answer_question({**question, "contract": 1, "add": add})
            said = " ".join(one["message"] for one in answer["reasons"] + answer.get("facts", []))
            assert not re.search(r"joker joker|With joker", said), said
    hand = {"ask": "hand", "variant": variant.id, "contract": 1}
    asked = read_question(variant, {**hand, "hand": "3H 8S KD JK JK"})
    assert not re.search(r"joker joker", " ".join(map(str, answer_of(asked).coaching.facts)))


def test_what_is_laid_is_never_called_illegal_while_its_cards_come_in() -> None:
    for file in (Path(__file__).parents[1] / "cases").glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            question = json.loads(line)
            if question["ask"] != "meld" or not answer_question(question)["legal"]:
                continue
            variant = with_house_rules(
                shipped_rule_sets()[question["variant"]], question.get("house_rules", {})
            )
            cards = question["cards"].split()
            least = variant.extra_set_min if question["kind"] == "set" else variant.extra_run_min
            if variant.extra_melds == "contract_parts":
                least = len(cards)
            for count in range(1, question.get("size") or least):
                entered = {**question, "cards": " ".join(cards[:count])}
                state = answer_of(read_question(variant, entered)).state
                assert state in ("pending", "legal"), (entered, state)


@pytest.mark.parametrize(
    ("kind", "cards"), [("set", "5H 6H"), ("run", "5H 5D"), ("run", "5H 6S"), ("set", "5H 5H 5H")]
)
@pytest.mark.parametrize("size", [None, 4])
def test_a_fault_that_more_cards_cannot_heal_is_no_unfinished_meld(
    kind: str, cards: str, size: int | None
) -> None:
    question = {"ask": "meld", "kind": kind, "cards": cards, "contract": 3, "size": size}
    variant = shipped_rule_sets()["garbage-rummy"]
    assert answer_of(read_question(variant, question)).state == "illegal"


def test_of_an_unfinished_contract_it_is_said_what_stands_and_what_is_missing_once() -> None:
    one_laid = {**GARBAGE, "ask": "contract", "melds": ["", "5H JK 7H 8H"]}
    assert told(one_laid) == ["Already legal: run of 4."]
    assert told(one_laid, "reasons") == ["Still missing: set of 3."]
    none_laid = {**one_laid, "melds": ["", ""]}
    assert told(none_laid) == []
    assert told(none_laid, "reasons") == ["Still missing: set of 3 and run of 4."]
