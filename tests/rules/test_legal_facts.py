"""Why something is legal is said as well, with its source; of a part of a contract what stands."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.rules.judge_questions import answer_question

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
        ({**RUN, "cards": "5H 6H 7H 8H"}, ["You have 4 cards and need 3."]),
        (
            {**RUN, "cards": "JH QH KH AH"},
            ["You have 4 cards and need 3.", "The ace goes after the king."],
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
    ],
)
def test_a_legal_verdict_says_why(question: dict[str, Any], facts: list[str]) -> None:
    assert told(question) == facts


def test_each_legal_verdict_of_the_case_book_but_those_on_hands_and_points_says_why() -> None:
    for file in (Path(__file__).parents[1] / "cases").glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            question = json.loads(line)
            if question["ask"] not in ("hand", "score"):
                answer = answer_question(question)
                for one in answer.get("facts", []):
                    assert one["message"], line
                    assert one["source"], line
                assert not answer["legal"] or answer["facts"], line


def test_of_an_unfinished_contract_it_is_said_what_stands_and_what_is_missing_once() -> None:
    one_laid = {**GARBAGE, "ask": "contract", "melds": ["", "5H JK 7H 8H"]}
    assert told(one_laid) == ["Already legal: run of 4."]
    assert told(one_laid, "reasons") == ["Still missing: set of 3."]
    none_laid = {**one_laid, "melds": ["", ""]}
    assert told(none_laid) == []
    assert told(none_laid, "reasons") == ["Still missing: set of 3 and run of 4."]
