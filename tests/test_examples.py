"""What hypothesis draws in `make test` is the same at each run."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def drawn() -> list[int]:
    found = []

    @settings(max_examples=300)
    @given(st.integers(0, 10**12))
    def look(number: int) -> None:
        found.append(number)

    look()
    return found


@pytest.mark.skipif(not settings().derandomize, reason="other examples are asked for")
def test_examples_do_not_depend_on_what_else_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    (tmp_path / "module_of_ours.py").write_text("NUMBER = 987_654_321\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("module_of_ours")
    assert drawn() == before
    del sys.modules["module_of_ours"]
