"""The upgrade itself: a back-up is made, a kill leaves the old file, and who was in stays in.

`MELDKEEPER_KILLS` says how often an upgrade is killed; `make chaos` sets it to hundreds.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.actions.results import facts_of, rebuild_facts
from app.extensions import db
from app.store.engine import meaning_to_write
from tests.conftest import ON_SQLITE
from tests.servers import TOP
from tests.upgrade.installation import FILE, unpacked
from tests.upgrade.killing import state
from tests.upgrade.seen import texts

KILLS = int(os.environ.get("MELDKEEPER_KILLS", "3"))


def test_the_old_file_is_kept_as_a_back_up_before_it_is_upgraded(
    upgraded: Path, tmp_path: Path
) -> None:
    old = tmp_path / FILE
    old.write_bytes(unpacked(FILE))
    copies = list((upgraded / "backups").glob("before-upgrade-from-0006-*.sqlite"))
    assert [state(copy) for copy in copies] == [state(old)]


@pytest.mark.timeout(120 + KILLS * 10)
def test_an_upgrade_that_is_killed_leaves_the_old_file_and_the_next_start_ends_it(
    tmp_path: Path, upgraded: Path
) -> None:
    file = tmp_path / FILE
    file.write_bytes(unpacked(FILE))
    before = state(file)
    done = subprocess.run(
        [sys.executable, "-m", "tests.upgrade.killing", str(tmp_path), str(KILLS)],
        cwd=TOP,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    *after, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(after) == KILLS
    killed = [one.pop("killed") for one in after]
    assert any(killed)
    whole = state(upgraded / FILE)
    for one in after:
        if one["revision"] == before["revision"]:
            assert one == before
        else:
            assert (one["revision"], one["rows"]) == (whole["revision"], whole["rows"])
        assert one["sound"]
    assert (last["revision"], last["rows"]) == (whole["revision"], whole["rows"])
    assert last["sound"]


@ON_SQLITE
def test_the_statistics_brought_over_are_those_that_are_made_anew(app: Flask) -> None:
    with app.app_context(), meaning_to_write():
        assert len(facts_of(db.session(), range(1, 1000))[0]) > 10
        assert rebuild_facts(db.session())
        db.session.rollback()


@ON_SQLITE
def test_who_was_let_in_is_in_and_what_was_shared_is_shared(
    app: Flask, answers: dict[str, Any]
) -> None:
    keys = answers["keys"]
    phone, program, stranger = app.test_client(), app.test_client(), app.test_client()
    phone.set_cookie("meldkeeper", keys["cookie"])
    asked = {"Authorization": f"Bearer {keys['token']}"}
    assert phone.get(f"/games/{keys['shared']}").status_code == 200
    assert program.get(f"/api/v1/games/{keys['shared']}", headers=asked).status_code == 200
    assert texts(stranger.get(keys["share"]).get_data(as_text=True), "h2") == ["Eva wins!"]
    assert stranger.get(f"/games/{keys['shared']}").status_code == 404
    assert stranger.post(keys["link"]).status_code == 303
    assert stranger.get(f"/games/{keys['shared']}").status_code == 200
