"""The database: its settings, and many writers at once."""

import errno
import os
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from sqlalchemy import select, text

from app import create_app
from app.extensions import db
from app.store.base import Base
from app.store.engine import meaning_to_write
from app.store.games import StoredGame
from tests.forking import FORKING
from tests.web_table import PlainGame

MORE_THAN_THE_POOL_HOLDS = 16


@pytest.fixture
def sqlite_only(database: str) -> None:
    if not database.startswith("sqlite"):
        pytest.skip("a setting of SQLite")


@pytest.mark.usefixtures("sqlite_only")
@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 1), ("foreign_keys", 1)]
)
def test_sqlite_is_set_up_to_survive_power_cuts(app: Flask, pragma: str, value: object) -> None:
    with app.app_context():
        assert db.session.execute(text(f"PRAGMA {pragma}")).scalar() == value


@pytest.mark.usefixtures("sqlite_only")
def test_what_is_acknowledged_was_synced_to_the_disk(
    app: Flask, a_running_game: PlainGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[os.stat_result] = []

    def sync_and_note(file: int) -> None:
        synced.append(os.fstat(file))
        sync(file)

    sync = os.fsync
    monkeypatch.setattr(os, "fsync", sync_and_note)
    assert a_running_game.page
    assert not synced, "reading waits for no disk"
    assert a_running_game.close(2, out="Anna", Ben="15", Cleo="20").status_code == 303
    with app.app_context():
        log = Path(f"{db.engine.url.database}-wal").stat()
    assert (synced[-1].st_ino, synced[-1].st_size) == (log.st_ino, log.st_size)


@pytest.mark.usefixtures("sqlite_only")
@pytest.mark.parametrize("failing", ["open", "fsync"])
def test_a_log_that_cannot_be_synced_is_told_and_a_repeat_waits_for_the_disk(
    app: Flask, a_running_game: PlainGame, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    about = f"/games/{a_running_game.key}/about"
    post = a_running_game.client.post

    call = getattr(os, failing)

    def fail(file: int | str, *more: int) -> Any:
        if isinstance(file, int) or str(file).endswith("-wal"):  # templates are kept beside it
            raise OSError(errno.EIO, "the disk failed")
        return call(file, *more)

    with monkeypatch.context() as broken:
        broken.setattr(os, failing, fail)
        for number in range(MORE_THAN_THE_POOL_HOLDS):
            sent = {"title": "With Dora", "request_key": f"key {number}"}
            assert post(about, data=sent).status_code == 503
    monkeypatch.setattr(os, "fsync", synced := Mock(side_effect=os.fsync))
    assert post(about, data=sent).status_code == 303
    synced.assert_called_once()


def test_reading_a_page_writes_nothing(app: Flask, a_running_game: PlainGame) -> None:
    def changes() -> list[object]:
        with app.app_context():
            tables = Base.metadata.sorted_tables
            return [db.session.execute(table.select()).all() for table in tables]

    before = changes()
    for address in ("/", f"/games/{a_running_game.key}", f"/games/{a_running_game.key}/rounds/1"):
        assert a_running_game.client.get(address).status_code == 200
    assert changes() == before


def _add_many(url: str, times: int) -> None:
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "only for these tests"})
    with app.app_context(), meaning_to_write():
        for _ in range(times):
            seen = db.session.scalars(select(StoredGame.version).with_for_update()).one()
            db.session.execute(text("UPDATE games SET version = :v"), {"v": seen + 1})
            db.session.commit()


def test_no_update_is_lost_when_several_processes_read_and_then_write(
    app: Flask, a_running_game: PlainGame, database: str
) -> None:
    with app.app_context():
        before = db.session.execute(text("SELECT version FROM games")).scalar_one()
    writers = [FORKING.Process(target=_add_many, args=(database, 25)) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 4
    with app.app_context():
        after = db.session.execute(text("SELECT version FROM games")).scalar_one()
    assert after - before == 4 * 25
