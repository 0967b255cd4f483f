"""`python -m app.rules judge`: whatever is in the file, each line gets its answer or its error."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.rules.__main__ import main

ROOT = Path(__file__).parents[2]

GOOD = '{"id": "good", "ask": "score", "variant": "garbage-rummy", "cards": "AH JK"}'


@dataclass(frozen=True)
class Judged:
    """What one run of the command answered."""

    status: int
    lines: list[str]
    complaint: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]

    @property
    def only(self) -> dict[str, Any]:
        """The one answer there is."""
        (answer,) = self.answers
        return answer


Judge = Callable[..., Judged]


@pytest.fixture
def judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Judge:
    """Judges lines (texts, or bytes as they are) as one file."""

    def judged(*lines: str | bytes, check: bool = False) -> Judged:
        file = tmp_path / "cases.jsonl"
        file.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines))
        status = main(["judge", str(file), *(["--check"] if check else [])])
        said = capsys.readouterr()
        return Judged(status, said.out.splitlines(), said.err)

    return judged


def started(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own, as a player with a terminal runs it."""
    command = [sys.executable, "-m", "app.rules", *arguments]
    return subprocess.run(command, input=given, capture_output=True, cwd=ROOT, check=False)


def question(**fields: Any) -> str:
    """A good question about a set, with some fields changed; None leaves a field out."""
    usual = {"id": 7, "ask": "meld", "variant": "frustration", "kind": "set", "cards": "5H 5D 5C"}
    return json.dumps({k: v for k, v in {**usual, **fields}.items() if v is not None})


# Lines that cannot be read


@pytest.mark.parametrize(
    ("fields", "place", "wrong"),
    [
        ({"variant": "canasta"}, "variant", "canasta"),
        ({"variant": None}, "variant", "None"),
        ({"variant": 5}, "variant", "5"),
        ({"ask": "guess"}, "ask", "guess"),
        ({"ask": None}, "ask", "None"),
        ({"kind": "flush"}, "kind", "flush"),
        ({"kind": None}, "kind", "None"),
        ({"cards": None}, "cards", "missing"),
        ({"cards": ["5H", "5D"]}, "cards", "text"),
        ({"cards": 7}, "cards", "text"),
        ({"cards": " ".join(["5H"] * 200)}, "cards", "more than"),
        ({"cards": "5" * 10_000}, "cards", "more than"),
        ({"size": "3"}, "size", "'3'"),
        ({"size": 0}, "size", "0"),
        ({"size": 10**30}, "size", "between"),
        ({"players": -1}, "players", "-1"),
        ({"players": 99}, "players", "99"),
        ({"players": "4"}, "players", "'4'"),
        ({"contract": 11}, "contract", "between 1 and 10"),
        ({"contract": 0}, "contract", "between 1 and 10"),
        ({"contract": True}, "contract", "True"),
        ({"contract": 1.5}, "contract", "1.5"),
        ({"ask": "contract"}, "contract", "None"),
        ({"ask": "contract", "contract": 1}, "melds", "list"),
        ({"ask": "contract", "contract": 1, "melds": "5H 5D 5C"}, "melds", "list"),
        ({"ask": "contract", "contract": 1, "melds": [["5H"]]}, "melds", "text"),
        ({"ask": "contract", "contract": 1, "melds": ["5H"] * 50}, "melds", "40"),
        ({"ask": "layoff", "meld": "5H 5D 5C"}, "add", "missing"),
        ({"ask": "layoff", "add": "5H"}, "meld", "missing"),
        ({"ask": "swap", "meld": "5H 5D 2C", "card": "5S", "position": 4}, "position", "4"),
        ({"ask": "swap", "meld": "5H 5D 2C", "card": "5S", "position": 0}, "position", "0"),
        ({"ask": "swap", "meld": "5H 5D 2C", "card": "5S 5C", "position": 3}, "card", "one card"),
        ({"ask": "swap", "meld": "5H 5D 2C", "card": "5S", "position": 3}, "owner", "None"),
        ({"ask": "hand", "contract": 1}, "hand", "missing"),
        ({"ask": "hand", "contract": 1, "hand": "5H " * 10_000}, "hand", "more than"),
        ({"ask": "hand", "contract": 1, "hand": "5H", "table": "5H"}, "table", "list"),
        ({"ask": "hand", "contract": 1, "hand": "5H", "table": [5]}, "table", "object"),
        ({"house_rules": [1]}, "house_rules", "object"),
        ({"house_rules": {"twoes": "wild"}}, "house_rules", "twoes"),
        ({"house_rules": {"twos": "sometimes"}}, "house_rules", "twos"),
        ({"house_rules": {"wilds_adjacent": "yes"}}, "house_rules", "wilds_adjacent"),
        ({"house_rules": {"jokers": "two"}}, "house_rules", "jokers"),
        ({"house_rules": {"jokers": True}}, "house_rules", "jokers"),
        ({"house_rules": {"jokers": -1}}, "house_rules", "jokers"),
        ({"house_rules": {"decks": 1e30}}, "house_rules", "decks"),
        ({"house_rules": {"decks": 5000}}, "house_rules", "decks"),
        ({"house_rules": {"contracts": ["s3 q9"]}}, "house_rules", "q9"),
        ({"house_rules": {"penalties": {"A": "dear"}}}, "house_rules", "penalties"),
    ],
)
def test_a_question_that_cannot_be_read_names_its_field_and_what_is_wrong(
    judge: Judge, fields: dict[str, Any], place: str, wrong: str
) -> None:
    judged = judge(question(**fields))
    assert judged.status == 1
    assert set(judged.only) == {"id", "error"}
    assert judged.only["id"] == 7
    assert f"{place}: " in judged.only["error"]
    assert wrong in judged.only["error"]
    assert len(judged.only["error"]) < 300


@pytest.mark.parametrize("line", ["[]", "5", '"meld"', "null", "true"])
def test_a_line_that_is_no_object_is_an_error(judge: Judge, line: str) -> None:
    assert "object" in judge(line).only["error"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('{"ask": "meld"', "JSON"),
        ("5H 5D 5C", "JSON"),
        ("{'ask': 'meld'}", "JSON"),
        ('{"id": NaN}', "JSON"),
        ('{"id": ' + "9" * 5000 + "}", "JSON"),
        (b'{"id": "\xff\xfe"}', "UTF-8"),
        ("[" * 40_000, "deep"),
        ('{"id": ' + "[" * 20_000 + "]" * 20_000 + "}", "deep"),
        ('{"id": "' + "x" * 10_000_000 + '"}', "bytes"),
    ],
    ids=["cut", "bare", "quotes", "nan", "digits", "latin", "open", "nested", "long"],
)
def test_a_line_that_is_no_json_is_told_by_its_number_and_the_rest_is_judged(
    judge: Judge, line: str | bytes, wrong: str
) -> None:
    judged = judge(GOOD, line, GOOD)
    before, error, after = judged.answers
    assert "line 2" in error["error"]
    assert wrong in error["error"]
    assert before == after
    assert (before["id"], before["legal"], before["points"]) == ("good", True, 35)
    assert judged.status == 1


def test_values_nested_as_deep_as_can_be_read_crash_nothing(judge: Judge) -> None:
    fields = ("id", "contract", "variant", "ask", "kind", "house_rules", "expect", "other")
    deep = ["[" * depth + "]" * depth for depth in range(800, 1010, 7)]
    lines = [
        f'{{"ask": "contract", "variant": "frustration", "{field}": {value}}}'
        for field in fields
        for value in deep
    ]
    judged = judge(*lines, GOOD)
    assert len(judged.lines) == len(lines) + 1
    assert judged.answers[-1]["points"] == 35


def test_one_bad_line_among_a_thousand_leaves_the_others_judged(judge: Judge) -> None:
    lines = [GOOD] * 1000
    lines[499] = GOOD[:-1]
    judged = judge(*lines)
    assert [place for place, one in enumerate(judged.answers) if "error" in one] == [499]
    assert "line 500" in judged.answers[499]["error"]
    assert sum(one.get("points") == 35 for one in judged.answers) == 999
    assert judged.status == 1


# Lines that can be read, however odd


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"cards": "5H 5X 5C"}, "unknown_card"),
        ({"cards": "5H FIVE 5C"}, "unknown_card"),
        ({"cards": "5H 11D 5C"}, "unknown_card"),
        ({"cards": "5H 5H 5H"}, "impossible_cards"),
        ({"cards": " ".join(["JK"] * 50)}, "impossible_cards"),
        ({"cards": ""}, "too_few_cards"),
        ({"cards": "   "}, "too_few_cards"),
        ({"kind": "run", "cards": ""}, "too_few_cards"),
        ({"ask": "contract", "contract": 1, "melds": []}, "wrong_melds"),
        ({"ask": "contract", "contract": 1, "melds": ["", ""]}, "too_few_cards"),
        ({"ask": "layoff", "meld": "5H 5D 5C", "add": ""}, "too_few_cards"),
        ({"ask": "layoff", "meld": "", "add": "5H"}, "too_few_cards"),
        ({"ask": "hand", "contract": 1, "hand": ""}, "cannot_lay_contract"),
        ({"ask": "hand", "contract": 1, "hand": "5H 5H 5H"}, "impossible_cards"),
        ({"ask": "hand", "contract": 1, "hand": "5H 5Q"}, "unknown_card"),
        ({"ask": "score", "cards": "5H 1H"}, "unknown_card"),
    ],
)
def test_odd_cards_are_a_verdict_and_no_error(
    judge: Judge, fields: dict[str, Any], code: str
) -> None:
    judged = judge(question(**fields))
    assert judged.status == 0
    assert judged.only["legal"] is False
    assert judged.only["reasons"][0]["code"] == code
    assert judged.only["reasons"][0]["message"]
    assert judged.only["reasons"][0]["source"]


def test_the_text_that_is_no_card_is_shown(judge: Judge) -> None:
    assert "5X" in judge(question(cards="5H 5X 5C")).only["reasons"][0]["message"]


def test_an_empty_hand_costs_nothing(judge: Judge) -> None:
    assert judge(question(ask="score", cards="")).only["points"] == 0


def test_what_is_not_a_field_is_passed_over(judge: Judge) -> None:
    assert judge(question(colour="red", depends_on=["this", "that"])).only["legal"] is True


def test_any_json_value_may_be_an_id_and_comes_back(judge: Judge) -> None:
    ids: list[Any] = ["a", 1, 1.5, True, [1, "x"], {"a": []}, "♠ ü", "\ud800"]
    judged = judge(*(question(id=one) for one in ids))
    assert [one["id"] for one in judged.answers] == ids


def test_a_question_without_an_id_gets_an_answer_without_one(judge: Judge) -> None:
    assert "id" not in judge(question(id=None)).only


def test_windows_line_ends_a_byte_order_mark_and_blank_lines_are_fine(judge: Judge) -> None:
    judged = judge(b"\xef\xbb\xbf" + GOOD.encode() + b"\r", "", "  ", GOOD + "\r")
    assert [one["points"] for one in judged.answers] == [35, 35]
    assert judged.status == 0


def test_an_empty_file_has_no_answers_and_no_faults(judge: Judge) -> None:
    assert judge() == Judged(0, [], "")
    assert judge(check=True) == Judged(0, ["0 cases, 0 agreed, 0 disagreed, 0 errors"], "")


# What is expected


@pytest.mark.parametrize(
    ("expect", "status"),
    [
        (True, 0),
        (False, 1),
        ({"legal": True}, 0),
        ({"legal": False}, 1),
        ({"code": "too_many_wilds"}, 1),
        ({"code": None}, 0),
        ({"legal": True, "points": 3}, 1),
        ("true", 1),
        (1, 1),
        (None, 1),
        ([], 1),
    ],
    ids=str,
)
def test_the_exit_status_says_whether_what_was_expected_came_true(
    judge: Judge, expect: Any, status: int
) -> None:
    usual = json.loads(question())
    assert judge(json.dumps({**usual, "expect": expect})).status == status


def test_an_illegal_line_without_an_expectation_is_no_failure(judge: Judge) -> None:
    assert judge(question(cards="5H 6D 7C")).status == 0


def test_answers_come_in_the_order_of_the_lines(judge: Judge) -> None:
    judged = judge(*(question(id=number) for number in range(50)))
    assert [one["id"] for one in judged.answers] == list(range(50))


def test_check_prints_only_what_disagrees_and_counts(judge: Judge) -> None:
    judged = judge(
        question(id="right", expect=True),
        question(id="wrong", expect=False),
        question(id="silent"),
        "{",
        check=True,
    )
    shown, count = judged.lines
    wrong = json.loads(shown)
    assert (wrong["id"], wrong["legal"]) == ("wrong", True)
    assert "line 4" in json.loads(judged.complaint)["error"]
    assert count == "4 cases, 1 agreed, 1 disagreed, 1 error"
    assert judged.status == 1


def test_check_is_content_when_all_agree(judge: Judge) -> None:
    judged = judge(question(expect=True), question(cards="5H", expect=False), check=True)
    assert judged == Judged(0, ["2 cases, 2 agreed, 0 disagreed, 0 errors"], "")


# The process


def test_a_missing_file_is_named_and_so_is_a_folder() -> None:
    for name in ("no-such-file.jsonl", "tests"):
        run = started("judge", name)
        assert run.returncode != 0
        assert name in run.stderr.decode()
        assert b"Traceback" not in run.stderr
        assert run.stdout == b""


def test_a_file_that_is_no_text_gets_an_error_for_each_of_its_lines(judge: Judge) -> None:
    judged = judge(b"\x89PNG\r", b"\x00\x01\xff\xfe", b"\xff\xd8\xff")
    assert [set(one) for one in judged.answers] == [{"id", "error"}] * 3
    assert judged.status == 1


def test_questions_may_come_from_another_program() -> None:
    run = started("judge", "-", given=GOOD.encode())
    assert run.returncode == 0
    assert json.loads(run.stdout)["points"] == 35


def test_the_whole_case_book_passes_the_check() -> None:
    book = b"\n".join(one.read_bytes() for one in sorted((ROOT / "tests/cases").glob("*.jsonl")))
    run = started("judge", "-", "--check", given=book)
    assert b"0 disagreed, 0 errors" in run.stdout
    assert run.returncode == 0


def test_the_judge_starts_without_a_web_server_or_a_database() -> None:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "app.rules", "judge", "-"],
        input=GOOD.encode(),
        capture_output=True,
        cwd=ROOT,
        check=True,
    )
    imported = {line.split("|")[-1].strip() for line in run.stderr.decode().splitlines()}
    assert imported.isdisjoint({"flask", "sqlalchemy", "werkzeug", "jinja2"})
