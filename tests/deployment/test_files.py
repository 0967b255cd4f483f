"""The other files of deploy/: every setting reaches the app, and systemd reads its unit."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from app.config import SETTINGS
from tests.servers import TOP

OF_THE_IMAGE = {"INSTANCE_PATH", "LISTEN"}
NOT_FOR_POSTGRESQL = {"NIGHTLY_COPIES"}


def test_compose_passes_every_setting_through_with_its_default() -> None:
    text = (TOP / "deploy/compose.yaml").read_text()
    passed = dict(
        re.findall(r"^      ([A-Z_]+): (.*)$", text.split("  database:")[0], re.MULTILINE)
    )
    wanted = {one.name for one in SETTINGS} - OF_THE_IMAGE - NOT_FOR_POSTGRESQL
    assert set(passed) == wanted
    defaults = {one.name: one.default for one in SETTINGS}
    for name, value in passed.items():
        told = re.fullmatch(r"\$\{[A-Z_]+:-(.*)\}", value)
        assert told is None or told[1] == defaults[name], name


def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed")
    unit = (TOP / "deploy/meldkeeper.service").read_text()
    (tmp_path / "meldkeeper.service").write_text(
        unit.replace("/opt/meldkeeper/.venv/bin/python", "/bin/true")
    )
    told = subprocess.run(
        [program, "verify", "--man=no", str(tmp_path / "meldkeeper.service")],
        capture_output=True,
        text=True,
    )
    assert "meldkeeper.service:" not in told.stderr
