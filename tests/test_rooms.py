"""The packages know only those below them, and the pure ones stay light."""

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parent.parent


def test_each_package_knows_only_the_packages_below_it() -> None:
    # In a process of its own: it shuts every logger that there is.
    command = "from importlinter.cli import lint_imports_command as lint; lint(['--no-cache'])"
    linted = subprocess.run(
        [sys.executable, "-c", command], cwd=TOP, capture_output=True, text=True
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_rules_are_imported_without_any_web_framework_or_database() -> None:
    code = "import app.rules.rule_sets, app.rules, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"flask", "sqlalchemy", "wtforms", "jinja2"} & set(loaded)


def test_each_feature_has_one_name_for_its_code_and_its_templates() -> None:
    parts = (file for file in (TOP / "app/web").iterdir() if not file.name.startswith("__"))
    features = {file.stem for file in parts}
    shared = {"components", "errors"}
    assert {
        file.name for file in (TOP / "templates").iterdir() if file.is_dir()
    } <= features | shared
