"""No test sleeps: it waits for a state, by `tests.waiting`, whose limits are minutes."""

import ast
from pathlib import Path

import pytest

from tests.waiting import NeverHappenedError, wait_until

TESTS = Path(__file__).parent
SLEEPS = {"sleep", "wait_for_timeout"}
REFUSED = {"wait_for_function"}
"""Asks a second time in the page itself, where the content policy refuses it: `wait_on_page`."""
MAY_SLEEP = {"waiting.py"}
MEASURE = TESTS / "bench"
"""These simulate people, who pause, and measure by the clock; `make test` runs none of them."""
CLOCKS = {"perf_counter", "process_time", "thread_time", "monotonic"}


def names_called(file: Path) -> set[str]:
    """The last name of everything that a module calls."""
    calls = [
        node.func for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)
    ]
    attributes = {call.attr for call in calls if isinstance(call, ast.Attribute)}
    return attributes | {call.id for call in calls if isinstance(call, ast.Name)}


def test_a_test_neither_sleeps_nor_measures_time() -> None:
    for file in TESTS.rglob("*.py"):
        if file.name not in MAY_SLEEP and MEASURE not in file.parents:
            assert names_called(file) & (SLEEPS | CLOCKS) == set(), file


def test_no_test_asks_a_page_again_where_its_content_policy_refuses_it() -> None:
    for file in TESTS.rglob("*.py"):
        assert names_called(file) & REFUSED == set(), file


def test_what_is_waited_for_is_returned_when_it_is_there() -> None:
    answers = iter([0, None, "", "there"])
    assert wait_until(lambda: next(answers), pause=0) == "there"


def test_what_never_happens_is_said() -> None:
    with pytest.raises(NeverHappenedError, match="the sky falls"):
        wait_until(lambda: False, "the sky falls", patience=0, pause=0)
