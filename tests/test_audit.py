"""The audit calls nothing free of weaknesses that it could not look up."""

import json
import sys
from pathlib import Path

import pytest

from tests.audit import LISTS, main

ALL = [
    {"name": "Flask", "version": "3.1", "vulns": []},
    {"name": "jinja2", "version": "3", "vulns": []},
]
WEAK = [{"name": "flask", "version": "3.1", "vulns": [{"id": "PYSEC-1"}]}, ALL[1]]
SKIPPED = [ALL[0], {"name": "jinja2", "skip_reason": "it could not be found"}]


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    for name in LISTS:
        (tmp_path / name).write_text("flask==3.1 \\\n    --hash=sha256:00\njinja2==3\n")
    return tmp_path


def answering(text: str, status: int = 0, *, error: str = "") -> list[str]:
    """A program that answers as the auditor does."""
    code = f"import sys; print({text!r}); print({error!r}, file=sys.stderr); sys.exit({status})"
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (answering(json.dumps({"dependencies": ALL})), 0, "no known weakness in 2 packages"),
        (answering(json.dumps({"dependencies": WEAK}), 1), 1, "flask 3.1: PYSEC-1"),
        (answering(json.dumps({"dependencies": SKIPPED})), 1, "NOT AUDITED: jinja2"),
        (answering(json.dumps({"dependencies": []})), 1, "NOT AUDITED: flask, jinja2"),
        (answering("", 1, error="Max retries exceeded"), 1, "NOT AUDITED, nothing is known"),
        (answering("", 0, error="No known vulnerabilities found"), 1, "NOT AUDITED"),
    ],
    ids=["all well", "weak", "one skipped", "none looked up", "out of reach", "silent"],
)
def test_only_what_was_looked_up_is_called_free_of_weaknesses(
    pins: Path, capsys: pytest.CaptureFixture[str], command, status: int, said: str
) -> None:
    assert main(pins, command) == status
    assert said in capsys.readouterr().out


def test_a_list_that_pins_nothing_is_no_sound_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in LISTS:
        (tmp_path / name).write_text("# nothing\n")
    assert main(tmp_path, answering(json.dumps({"dependencies": []}))) == 1
    assert "it pins nothing" in capsys.readouterr().out
