"""`python -m app.rules judge FILE [--check]`: one question a line in, one verdict a line out."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from app.rules.judge import UnreadableQuestion
from app.rules.judge_questions import answer_question, matches_expectation
from app.rules.phrases import Phrase, counted

LONGEST_LINE = 100_000
"""Bytes; a longer line is refused without being held."""


def main(arguments: list[str] | None = None) -> int:
    """Judge a file of questions; answers the exit status (0: all judged, no expectation missed)."""
    parser = argparse.ArgumentParser(prog="python -m app.rules", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    judge = commands.add_parser("judge", help="answer a file of questions")
    judge.add_argument("file", help="JSON Lines; '-' reads standard input")
    judge.add_argument(
        "--check", action="store_true", help="print only what disagrees, and a count"
    )
    chosen = parser.parse_args(arguments)
    with ExitStack() as opened:
        try:
            stream = sys.stdin.buffer
            if chosen.file != "-":
                stream = opened.enter_context(Path(chosen.file).open("rb"))
        except OSError as fault:
            print(f"{chosen.file}: {fault.strerror}", file=sys.stderr)  # noqa: T201
            return 1
        return _judge_until_pipe_closes(stream, check=chosen.check)


def _judge_until_pipe_closes(stream: BinaryIO, *, check: bool) -> int:
    """The exit status; quietly 1 when nobody reads on, as `head` does not."""
    try:
        status = _judge_all(stream, check=check)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end and would complain about the same pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _judge_all(stream: BinaryIO, *, check: bool) -> int:
    cases = agreeing = disagreeing = errors = 0
    for number, line in _lines(stream):
        cases += 1
        answer, agreed = _judge_line(number, line)
        errors += "error" in answer
        agreeing += agreed is True
        disagreeing += agreed is False
        if not check or agreed is False:
            print(_to_json(answer))  # noqa: T201
        elif "error" in answer:
            # What is asked for is the lines that disagree; a person still wants to know the place.
            print(_to_json(answer), file=sys.stderr)  # noqa: T201
    if check:
        judged, failed = counted(cases, "case"), counted(errors, "error")
        print(f"{judged}, {agreeing} agreed, {disagreeing} disagreed, {failed}")  # noqa: T201
    return 1 if disagreeing or errors else 0


def _judge_line(number: int, line: bytes | None) -> tuple[dict[str, Any], bool | None]:
    """The answer to one line, and whether it agrees with what the line expects (None: nothing)."""
    question: object = None
    try:
        question = _parse_line(line)
        answer = answer_question(question)
    except UnreadableQuestion as fault:
        named = question.get("id") if isinstance(question, dict) else None
        return {"id": named, "error": f"line {number}: {fault}"}, None
    if isinstance(question, dict) and "expect" in question:
        agreed = matches_expectation(answer, question["expect"])
        return (answer if agreed else {**answer, "expect": question["expect"]}), agreed
    return answer, None


def _parse_line(line: bytes | None) -> object:
    if line is None:
        raise UnreadableQuestion("line", Phrase(f"has more than {LONGEST_LINE} bytes"))
    try:
        return json.loads(
            line.decode("utf-8-sig"), parse_float=_parse_finite, parse_constant=_reject_constant
        )
    except UnicodeDecodeError:
        raise UnreadableQuestion("line", Phrase("is not UTF-8")) from None
    except RecursionError:
        raise UnreadableQuestion("line", Phrase("is nested too deeply")) from None
    except ValueError as fault:
        raise UnreadableQuestion("line", Phrase(f"is not JSON ({fault!s:.80})")) from None


def _to_json(answer: dict[str, Any]) -> str:
    """The answer as JSON; half a surrogate pair is escaped, since no UTF-8 can say it."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _parse_finite(text: str) -> float:
    number = float(text)
    return number if abs(number) <= sys.float_info.max else _reject_constant(text)


def _reject_constant(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, with their numbers; None for one that is too long."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield number, None
        elif line.strip():
            yield number, line


if __name__ == "__main__":
    sys.exit(main())
