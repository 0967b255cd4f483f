"""Questions as JSON: what cannot lie on a table, what JSON cannot say, and readers who leave."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.rules.judge import UnreadableQuestion
from app.rules.judge_questions import answer_question, matches_expectation

TOP = Path(__file__).parent.parent.parent
SCORE = {"ask": "score", "variant": "garbage-rummy", "cards": "2H"}


def judge(lines: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "app.rules", "judge", "-"]
    return subprocess.run(command, input=lines, capture_output=True, cwd=TOP)


@pytest.mark.parametrize(
    "question",
    [
        {"ask": "layoff", "kind": "set", "meld": "5H", "add": "5D"},
        {"ask": "swap", "kind": "run", "meld": "JK 5H", "position": 1, "card": "4H",
         "owner": "self", "house_rules": {"wild_swap": "any"}},
        {"ask": "layoff", "kind": "set", "meld": "5H 2S 2C 2D", "add": "5D 5S"},
        {"ask": "layoff", "kind": "run", "meld": "5H 2S 2C 2D", "add": "9H 10H"},
    ],
    ids=["layoff", "swap", "wild set", "wild run"],
)  # fmt: skip
def test_what_nobody_can_have_laid_cannot_lie_on_the_table(question: dict) -> None:
    answer = answer_question({"variant": "frustration-rummy", **question})
    assert answer["legal"] is False
    assert answer["reasons"][0]["code"] in ("too_few_cards", "too_many_wilds")


@pytest.mark.parametrize(
    ("kind", "meld", "said"),
    [
        ("run", "KH 3D 9S 4C", "aren’t in sequence"),
        ("run", "KH AH", "and you entered 2."),
        ("set", "8H 2S 2H 2D", "Too many wild cards"),
    ],
)
def test_a_hand_beside_a_table_that_cannot_be_is_an_error_that_names_the_meld(
    kind: str, meld: str, said: str
) -> None:
    hand = {"ask": "hand", "variant": "frustration", "contract": 1, "hand": "5H 5D 5C 9S 9H 9D 3C"}
    assert answer_question(hand)["legal"] is True
    table = [{"kind": "set", "meld": "9H 9C 9D"}, {"kind": kind, "meld": meld}]
    with pytest.raises(UnreadableQuestion, match=f"table: Meld 2: .*{said}"):
        answer_question({**hand, "hand": "5H 5D 5C JS JH JD 3C", "table": table})


def test_true_is_not_one_when_answers_are_compared() -> None:
    answer = answer_question(SCORE)
    assert matches_expectation(answer, {"legal": True, "points": 5})
    assert not matches_expectation(answer, {"legal": 1})
    assert not matches_expectation(answer, "yes")


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999"])
def test_a_number_that_json_does_not_have_is_an_error_of_its_line(number: bytes) -> None:
    good = json.dumps(SCORE).encode()
    done = judge(good[:-1] + b', "id": ' + number + b"}\n" + good)
    bad, after = map(json.loads, done.stdout.splitlines())
    assert "line 1" in bad["error"]
    assert after["points"] == 5


def test_half_a_surrogate_pair_does_not_end_the_run() -> None:
    good = json.dumps(SCORE).encode()
    done = judge(b'{"id": "\\ud800", ' + good[1:] + b"\n" + good)
    first, after = map(json.loads, done.stdout.splitlines())
    assert first["id"] == "\ud800"
    assert first["points"] == after["points"] == 5


def test_a_reader_who_leaves_gets_no_traceback(tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_text(f"{json.dumps(SCORE)}\n" * 5_000)
    with subprocess.Popen(
        [sys.executable, "-m", "app.rules", "judge", str(many)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=TOP,
    ) as judging:  # fmt: skip
        judging.stdout.close()
        complaint = judging.stderr.read()
    assert complaint == b""
    assert judging.returncode == 1


@pytest.mark.parametrize(
    ("rules", "kind", "size", "cards", "natural"),
    [
        ("frustration", "run", 4, "4C 2S 2D 2C", "a 3"),
        ("frustration", "set", 3, "5H 2S 2C", "a 5"),
        ("frustration-rummy", "set", 3, "JS 2H JK", "a jack"),
        ("frustration-rummy", "run", 5, "4C 5C 2S JK JK", "A♣"),
    ],
)
def test_advice_names_the_rank_alone_where_any_suit_helps(
    rules: str, kind: str, size: int, cards: str, natural: str
) -> None:
    asked = {"ask": "meld", "variant": rules, "kind": kind, "cards": cards}
    answer = answer_question({**asked, "size": size})
    assert answer["advice"] == f"Replace one wild card with {natural}."


@pytest.mark.parametrize(
    ("asked", "advice"),
    [
        (
            {"ask": "meld", "variant": "frustration-nineteen", "size": 3, "cards": "5H 5S 5D 5C"},
            "Leave 5♥ out; you can lay it off later.",
        ),
        (
            {
                "ask": "meld",
                "variant": "frustration-nineteen",
                "contract": 1,
                "cards": "5H 5S 5D 5C",
            },
            "Leave 5♥ out; you can lay it off later.",
        ),
        (
            {"ask": "layoff", "variant": "frustration", "meld": "5H 5S 5D", "add": "5C 9H"},
            "Lay off only 5♣.",
        ),
        (
            *({"ask": "layoff", "variant": "frustration", "meld": "5H 5S 5D", "add": "9H"},),
            "Replace 9♥ with a 5.",
        ),
        (
            {
                **{"ask": "layoff", "variant": "frustration-rummy", "kind": "run"},
                **{"meld": "5H 6H 7H 8H", "add": "9C"},
            },
            "Replace 9♣ with 9♥.",
        ),
    ],
)
def test_advice_names_the_cards_that_would_do_and_promises_nothing_that_does_not_fit(
    asked: dict[str, object], advice: str
) -> None:
    assert answer_question({"kind": "set", **asked})["advice"] == advice


@pytest.mark.parametrize(
    ("position", "card", "advice"),
    [
        (2, "8H", "Choose card 4: it stands for 8♥."),
        (4, "6H", "Choose card 2: it stands for 6♥."),
        (2, "9H", None),
        (2, "6H", None),
    ],
)
def test_who_means_the_wrong_wild_card_is_told_the_right_one(
    position: int, card: str, advice: str | None
) -> None:
    swap = {"ask": "swap", "variant": "garbage-rummy", "kind": "run", "meld": "5H JK 7H JK"}
    answer = answer_question({**swap, "position": position, "card": card, "owner": "self"})
    assert answer.get("advice") == advice
