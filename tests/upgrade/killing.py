"""`python -m tests.upgrade.killing FOLDER KILLS`: begins to upgrade an installation and is killed.

Each time the app's start brings the database up to date in a process of its own, which is killed:
one time (SIGKILL) before a statement drawn at random, the next time (SIGPROF, which nobody handles)
after a time drawn at random, counted on the processor so that other work puts nothing off.
Prints what stands in the file after each of them, and after a last one that nobody kills, a line of
JSON each; the test judges it.
"""

import hashlib
import json
import os
import resource
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import Engine, event

from app import create_app
from app.commands.startup import upgrade_database
from tests.upgrade.installation import FILE, unpacked


def state(file: Path) -> dict[str, Any]:
    """What a database file holds: its revision, faults, numbers of rows, and a digest of it all."""
    with closing(sqlite3.connect(file)) as connection:
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        faults = connection.execute("PRAGMA integrity_check").fetchall()
        faults += connection.execute("PRAGMA foreign_key_check").fetchall()
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall()
        rows = {
            name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
            for (name,) in tables
        }
        digest = hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()
    return {
        "revision": revision,
        "sound": faults == [("ok",)],
        "rows": rows,
        "digest": digest,
    }


def main(folder: Path, kills: int) -> None:
    """Kill so many upgrades of the same file, one after another."""
    chance = Random(kills)
    trial = folder / "trial"
    trial.mkdir()
    (trial / FILE).write_bytes(unpacked(FILE))
    statements, seconds = _measured(_app_in(trial))
    app, file = _app_in(folder), folder / FILE
    for number in range(kills):
        by_statement = number % 2 == 0
        child = _upgrading(
            app,
            last=chance.randint(1, statements) if by_statement else 0,
            seconds=0 if by_statement else chance.uniform(0, seconds),
        )
        status = os.waitpid(child, 0)[1]
        print(json.dumps({"killed": os.WIFSIGNALED(status), **state(file)}))
        if not os.WIFSIGNALED(status):  # it was faster than its killer: the next one begins anew
            for part in folder.glob(f"{FILE}*"):
                part.unlink()
            file.write_bytes(unpacked(FILE))
    upgrade_database(app)
    print(json.dumps({"killed": False, **state(file)}))


def _app_in(folder: Path) -> Flask:
    return create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": "only for these tests"})


def _measured(app: Flask) -> tuple[int, float]:
    """How many statements a whole upgrade takes, and how many seconds of the processor."""
    counted: list[int] = []
    event.listen(Engine, "before_cursor_execute", lambda *_sent: counted.append(1))
    before = resource.getrusage(resource.RUSAGE_SELF)
    upgrade_database(app)
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return len(counted), seconds


def _upgrading(app: Flask, *, last: int, seconds: float) -> int:
    """The id of a process that upgrades, until its last statement or its last second (0: never)."""
    child = os.fork()
    if child:
        return child
    counted = 0

    def count(*_sent: object) -> None:
        nonlocal counted
        counted += 1
        if counted == last:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", count)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    status = 1
    try:
        upgrade_database(app)
        status = 0
    finally:
        os._exit(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
