"""The other files of deploy/: every setting reaches the app, the unit is read and used."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from app.config import SETTINGS
from tests.servers import TOP, Production

UNIT = TOP / "deploy/meldkeeper.service"
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


def unit() -> dict[str, str]:
    """What the unit sets, by name."""
    return dict(re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE))


def test_what_the_unit_starts_serves_and_stops_in_its_time(tmp_path: Path) -> None:
    sets = dict(one.split("=", 1) for one in unit()["Environment"].split())
    assert sets.pop("INSTANCE_PATH") == f"/var/lib/{unit()['StateDirectory']}"
    top = unit()["WorkingDirectory"]
    python, _, module = unit()["ExecStart"].removeprefix(f"{top}/").partition(" -m ")
    assert python == ".venv/bin/python"
    sets.pop("LISTEN")  # every test has a port of its own
    with Production(tmp_path, {**sets, "DRAIN_SECONDS": "1"}, module, anew=True) as server:
        assert server.process is not None
        server.process.terminate()  # as KillMode=mixed does: the first process alone is told
        assert server.process.wait(float(unit()["TimeoutStopSec"])) == 0


def test_who_stops_a_host_waits_as_long_as_it_may_take_by_default() -> None:
    defaults = {one.name: one.default for one in SETTINGS}
    takes = int(defaults["DRAIN_SECONDS"]) + int(defaults["STOP_SECONDS"])
    compose = (TOP / "deploy/compose.yaml").read_text()
    assert takes < int(unit()["TimeoutStopSec"])
    assert takes < int(re.search(r"stop_grace_period: (\d+)s", compose)[1])


def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed")
    (tmp_path / UNIT.name).write_text(
        UNIT.read_text().replace("/opt/meldkeeper/.venv/bin/python", "/bin/true")
    )
    told = subprocess.run(
        [program, "verify", "--man=no", str(tmp_path / "meldkeeper.service")],
        capture_output=True,
        text=True,
    )
    assert "meldkeeper.service:" not in told.stderr
