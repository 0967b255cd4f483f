"""The database full, locked, or away: people are told, nothing half done is kept, it goes on."""

import os
import re
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime, tzinfo
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import insert, select

from app import create_app
from app.actions.requests import KEPT_FOR
from app.commands import upkeep
from app.commands.startup import do_nightly_work
from app.extensions import db
from app.store.groups import IdempotencyKey
from tests.actions.table import NOON
from tests.conftest import ON_POSTGRESQL
from tests.faults.stream import streaming
from tests.postgres import NoPostgres, postgres_server
from tests.servers import KEY, Http, Production
from tests.web_table import PlainGame


def tap(game: PlainGame, name: str, value: int):
    seat = game.seats[name]
    sent = {"changed": f"{seat}-typed", f"{seat}-typed": str(value)}
    return game.client.post(f"/games/{game.key}/rounds/1/row", sent, {"HX-Request": "true"})


def penalties(game: PlainGame) -> list[str]:
    return re.findall(r'-typed"[^>]*value="(\d+)"', game.page)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A disk of that size; skips the test where this user may make none."""
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    try:
        subprocess.run(mounting, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user may not make a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(file: Path) -> None:
    """Write until there is no room left."""
    with file.open("wb") as full, suppress(OSError):
        while True:
            os.write(full.fileno(), b"x" * 4096)


def test_on_a_full_disk_a_tap_is_refused_kindly_and_with_room_it_goes_on(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8) as disk:
        url = f"sqlite:///{disk / 'meldkeeper.sqlite'}"
        with Production(tmp_path, {"DATABASE_URL": url}) as server:
            game = PlainGame.started(
                Http(server.port), "frustration", "Anna Ben", **{"rule-keep_score": "yes"}
            )
            assert tap(game, "Anna", 5).status_code == 200
            filler = disk / "filler"
            fill(filler)
            statuses = [tap(game, "Anna", 10 + number).status_code for number in range(40)]
            assert 503 in statuses
            assert set(statuses) <= {200, 503}
            last = max((10 + n for n, status in enumerate(statuses) if status == 200), default=5)
            assert penalties(game)[0] == str(last)
            filler.unlink()
            assert tap(game, "Ben", 35).status_code == 200
            assert penalties(game) == [str(last), "35"]
        with closing(sqlite3.connect(disk / "meldkeeper.sqlite")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_while_somebody_else_holds_the_database_reading_goes_on_and_writing_says_so(
    tmp_path: Path,
) -> None:
    with Production(tmp_path) as server:
        game = PlainGame.started(Http(server.port), "frustration", "Anna Ben")
        with closing(sqlite3.connect(tmp_path / "meldkeeper.sqlite")) as other:
            other.execute("BEGIN IMMEDIATE")
            answers: list[int] = []
            writing = threading.Thread(
                target=lambda: answers.append(tap(game, "Anna", 5).status_code)
            )
            writing.start()
            reader = Http(server.port).like(game.client)
            while writing.is_alive():
                assert reader.get(f"/games/{game.key}").status_code == 200
                writing.join(0.2)
            assert answers == [503]
            other.rollback()
        assert tap(game, "Anna", 5).status_code == 200


@pytest.mark.postgresql
def test_postgresql_restarted_under_load_loses_no_acknowledged_tap(tmp_path: Path) -> None:
    try:
        running = postgres_server(durable=True)
        with running as postgres:
            postgres.execute("CREATE DATABASE scores")
            url = postgres.url("scores")
            with Production(tmp_path, {"DATABASE_URL": url}) as server:
                with streaming(server.port) as stream:
                    for how in ("immediate", "fast"):
                        stream.wait_for_more(15)
                        postgres.stop(how)
                        assert Http(server.port).get("/healthz").status_code == 200
                        assert Http(server.port).get("/readyz").status_code == 503
                        postgres.start()
                        stream.wait_for_more(5)
                stream.check(url)
    except NoPostgres as reason:
        pytest.skip(str(reason))


@ON_POSTGRESQL
def test_where_nothing_is_kept_in_the_folder_the_nightly_work_needs_none(
    tmp_path: Path, database: str
) -> None:
    with small_disk(tmp_path / "disk", 1) as disk:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for folder in (disk, disk / "none"):
            app = create_app(
                {"INSTANCE_PATH": str(folder), "DATABASE_URL": database, "SECRET_KEY": KEY}
            )
            with app.app_context():
                old = {"sender": "a", "key": "b", "fingerprint": "c", "at": NOON}
                db.session.execute(insert(IdempotencyKey).values(old))
                db.session.commit()
                do_nightly_work(app, NOON + 2 * KEPT_FOR)
                assert db.session.scalars(select(IdempotencyKey)).all() == []
                db.session.remove()
                db.engine.dispose()


class _Ahead(datetime):
    """A clock that is two minutes ahead of PostgreSQL's."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "_Ahead":
        return cls.fromtimestamp(time.time() + 120, tz)


@ON_POSTGRESQL
def test_the_doctor_finds_a_clock_that_is_ahead_of_the_databases(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = app.test_cli_runner().invoke(args=["doctor"]).output
    assert re.search(r"^ok +clock$", told, re.MULTILINE)
    monkeypatch.setattr(upkeep, "datetime", _Ahead)
    told = app.test_cli_runner().invoke(args=["doctor"]).output
    assert re.search(r"^mend +clock: it is 1[12]\d s ahead of", told, re.MULTILINE)
