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
from flask_migrate import downgrade
from sqlalchemy import select, update

from app.actions.results import rebuild_facts
from app.commands.startup import upgrade_database
from app.extensions import db
from app.store.engine import meaning_to_write
from app.store.games import StoredGame, StoredRound
from app.store.statistics import StoredPlayerResult
from tests.conftest import ON_SQLITE
from tests.servers import TOP
from tests.upgrade.installation import FILE, Readers, unpacked
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


def test_statistics_of_games_that_stopped_earlier_say_what_the_table_says(
    app: Flask, readers: Readers
) -> None:
    """They were stored when stopping still changed places; here each has come last."""
    with app.app_context():
        running = select(StoredGame.id, StoredGame.key).join(StoredRound).distinct()
        going_on = (StoredGame.finished_at.is_(None), StoredGame.deleted_at.is_(None))
        games = db.session.execute(
            running.where(*going_on, StoredRound.closed_at.is_not(None))
        ).all()
        db.session.remove()
    for one in games:
        answer = readers.phone.post(f"/games/{one.key}/stop", data={"result": "yes"})
        assert answer.status_code == 303
    with app.app_context(), meaning_to_write():
        downgrade(revision="0017")
        these = StoredPlayerResult.game_id.in_([one.id for one in games])
        wrong = update(StoredPlayerResult).where(these).values(place=9, won=False)
        changed = db.session.scalars(wrong.returning(StoredPlayerResult.game_id)).all()
        assert len(changed) > len(games) > 0
        db.session.commit()
    upgrade_database(app)
    with app.app_context(), meaning_to_write():
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
