"""The rooms know only those below them, and the pure ones stay light."""

import subprocess
import sys
from pathlib import Path

from importlinter import cli

TOP = Path(__file__).parent.parent


def test_each_room_knows_only_the_rooms_below_it():
    assert cli.lint_imports(config_filename=str(TOP / "pyproject.toml"), no_cache=True) == 0


def test_the_rules_are_imported_without_any_web_framework_or_database():
    code = "import app.rules.loading, app.rules, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"flask", "sqlalchemy", "wtforms", "jinja2"} & set(loaded)
