"""`python -m tests.upgrade.killing FOLDER KILLS`: begins to upgrade an installation and is killed.

Each time the app's start brings the database up to date in a process of its own, which is killed
(SIGKILL): one time before a statement drawn at random, the next time from outside at any moment.
Prints what stands in the file after each of them, and after a last one that nobody kills, a line of
JSON each; the test judges it.
"""

import hashlib
import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import Engine, event

from app import create_app
from app.commands.starting import brought_up_to_date
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
        by_itself = number % 2 == 0
        last = chance.randint(1, statements) if by_itself else 0
        child = _upgrading(app, lambda count, last=last: count == last)
        if not by_itself:
            time.sleep(chance.uniform(0, seconds))
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        print(json.dumps({"killed": os.WIFSIGNALED(status), **state(file)}))
        if not os.WIFSIGNALED(status):  # it was faster than its killer: the next one begins anew
            for part in folder.glob(f"{FILE}*"):
                part.unlink()
            file.write_bytes(unpacked(FILE))
    brought_up_to_date(app)
    print(json.dumps({"killed": False, **state(file)}))


def _app_in(folder: Path) -> Flask:
    return create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": "only for these tests"})


def _measured(app: Flask) -> tuple[int, float]:
    """How many statements a whole upgrade takes, and how long."""
    counted = []
    event.listen(Engine, "before_cursor_execute", lambda *_sent: counted.append(1))
    began = time.perf_counter()
    brought_up_to_date(app)
    return len(counted), time.perf_counter() - began


def _upgrading(app: Flask, is_last: Callable[[int], bool]) -> int:
    """The id of a process that upgrades, and kills itself before its last statement."""
    child = os.fork()
    if child:
        return child
    counted = 0

    def count(*_sent: object) -> None:
        nonlocal counted
        counted += 1
        if is_last(counted):
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", count)
    status = 1
    try:
        brought_up_to_date(app)
        status = 0
    finally:
        os._exit(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
