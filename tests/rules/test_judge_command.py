"""`python -m app.rules judge`: one verdict a line, clear errors for bad input, nothing crashes."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.__main__ import main
from app.rules.questions import UnreadableQuestion, answer_to

TOP = Path(__file__).parent.parent.parent
GOOD = {"ask": "meld", "variant": "frustration", "kind": "set", "cards": "5H 5D 5C", "id": "good"}


def judged(capsys, tmp_path: Path, *lines: object, check: bool = False) -> tuple[int, list[dict]]:
    """The exit status and the answers for a file of questions, given as objects, text or bytes."""
    file = tmp_path / "cases.jsonl"
    raw = [
        line
        if isinstance(line, bytes)
        else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    file.write_bytes(b"\n".join(raw))
    status = main(["judge", str(file), *(["--check"] if check else [])])
    printed = capsys.readouterr().out.splitlines()
    return status, [
        json.loads(line) if line.startswith("{") else {"said": line} for line in printed
    ]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"variant": "nope"}, "variant"),
        ({"ask": "guess"}, "ask"),
        ({"kind": "pair"}, "kind"),
        ({"cards": 7}, "cards"),
        ({"cards": " ".join(["5H"] * 200)}, "cards"),
        ({"cards": " ".join(["5H"] * 10_000)}, "cards"),
        ({"size": "three"}, "size"),
        ({"size": 10**30}, "size"),
        ({"contract": 0}, "contract"),
        ({"contract": 11}, "contract"),
        ({"house_rules": {"nope": 1}}, "nope"),
        ({"house_rules": {"jokers": "two"}}, "jokers"),
        ({"house_rules": {"jokers": 10**40}}, "jokers"),
        ({"house_rules": {"wilds_adjacent": "yes"}}, "wilds_adjacent"),
        ({"house_rules": [1]}, "house_rules"),
        ({"players": -1}, "players"),
    ],
)
def test_a_question_that_cannot_be_read_names_the_field_and_the_rest_is_judged(
    capsys, tmp_path, change, named
):
    status, answers = judged(capsys, tmp_path, GOOD, {**GOOD, **change, "id": "bad"}, GOOD)
    assert status == 1
    assert answers[0]["legal"] is answers[2]["legal"] is True
    assert answers[1]["id"] == "bad"
    assert named in answers[1]["error"]
    assert "line 2" in answers[1]["error"]


@pytest.mark.parametrize(
    ("cards", "code"),
    [("5H XX", "unknown_card"), ("", "too_few_cards"), ("5H 5H 5H", "impossible_cards")],
)
def test_cards_that_cannot_be_are_a_verdict_and_no_error(cards: str, code: str):
    answer = answer_to({**GOOD, "cards": cards})
    assert answer["legal"] is False
    assert answer["reasons"][0]["code"] == code


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "is not JSON"),
        (b"\xff\xfe{}", "is not UTF-8"),
        ("[" * 5_000 + "]" * 5_000, "deep"),
        ('{"cards": "' + "5H " * 4_000_000 + '"}', "more than 100000 bytes"),
        ("7", "a question is a JSON object"),
        ("null", "a question is a JSON object"),
    ],
    ids=["broken", "not-utf-8", "deep", "10-MB", "number", "null"],
)
def test_a_line_that_is_no_question_is_said_and_the_rest_is_judged(capsys, tmp_path, line, said):
    status, answers = judged(capsys, tmp_path, GOOD, line, GOOD)
    assert status == 1
    assert said in answers[1]["error"]
    assert answers[2]["legal"] is True


def test_an_invalid_line_among_a_thousand_spoils_no_other(capsys, tmp_path):
    status, answers = judged(capsys, tmp_path, *[GOOD] * 500, "oops", *[GOOD] * 500)
    assert status == 1
    assert sum(1 for answer in answers if answer.get("legal")) == 1000
    assert "line 501" in answers[500]["error"]


def test_an_empty_file_has_nothing_to_disagree_with(capsys, tmp_path):
    assert judged(capsys, tmp_path) == (0, [])


def test_a_file_that_is_not_there_is_said(capsys):
    assert main(["judge", "nowhere.jsonl"]) == 1
    assert "nowhere.jsonl" in capsys.readouterr().err


def test_what_was_expected_decides_the_exit_status(capsys, tmp_path):
    agreeing = {**GOOD, "expect": True}
    assert judged(capsys, tmp_path, agreeing)[0] == 0
    assert judged(capsys, tmp_path, agreeing, {**GOOD, "expect": False})[0] == 1
    assert judged(capsys, tmp_path, {**GOOD, "expect": {"legal": True, "code": None}})[0] == 0


def test_check_prints_only_what_disagrees_and_a_count(capsys, tmp_path):
    wrong = {**GOOD, "id": "wrong", "expect": {"code": "mixed_ranks"}}
    status, lines = judged(capsys, tmp_path, {**GOOD, "expect": True}, wrong, "x", check=True)
    assert status == 1
    assert lines[0]["id"] == "wrong"
    assert lines[-1] == {"said": "3 cases, 1 agree, 1 disagree, 1 errors"}


def test_standard_input_is_read_and_the_start_is_quick():
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "app.rules", "judge", "-"],
        input=json.dumps(GOOD),
        capture_output=True,
        text=True,
        cwd=TOP,
    )
    assert json.loads(done.stdout)["legal"] is True
    assert time.perf_counter() - began < 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["kind", "cards", "size", "contract", "melds", "meld", "add", "position", "card", "owner",
     "hand", "table", "house_rules", "players", "expect", "id"]
)  # fmt: skip


@given(
    ask=st.sampled_from(["meld", "contract", "layoff", "swap", "hand", "score"]),
    variant=st.sampled_from(["frustration", "frustration-nineteen", "garbage-rummy"]),
    changes=st.dictionaries(FIELDS, json_values | st.just("5H 6H JK") | st.just("run"), max_size=6),
)
def test_no_json_value_makes_the_judge_crash(ask, variant, changes):
    try:
        answer = answer_to({"ask": ask, "variant": variant, **changes})
    except UnreadableQuestion:
        return
    json.dumps(answer)
    assert isinstance(answer["legal"], bool)
