"""Copies of the SQLite file: made while the app runs, checked, restored, and let go of.

A copy is made with SQLite's own backup, so it is of one moment; it is checked before it gets its
name. PostgreSQL has tools of its own (`pg_dump`), which the README names.
"""

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from time import monotonic

from app.rules.phrases import counted
from app.store.engine import why_not_upgradable

_OURS = {"alembic_version", "groups", "games", "seats", "rounds", "rows", "log"}
"""Tables that every version has had."""
_MANY_VERSIONS = 100_000
"""More than a game comes to by its events; stands for those of a database that cannot be read."""
_PATIENCE = 30.0
"""How long, in seconds, a database that is in use is waited for."""
_BESIDE = ("", "-wal", "-shm", "-journal")
"""Endings of what belongs to a SQLite file."""
_NIGHTLY = re.compile(r"nightly-\d{4}-\d{2}-\d{2}\.sqlite")


class UnusableBackup(RuntimeError):
    """A file that cannot be copied, restored or written over; says why."""


def copy_database(source: Path, target: Path) -> None:
    """Copy a SQLite file that may be in use; the copy is checked, then put into place at once.

    Raises `UnusableBackup` for a source that is not sound or is the target itself, `OSError` where
    there is no room or the source stays locked.
    """
    if not source.exists():
        raise UnusableBackup(f"There is no database {source}.")
    if target.exists() and target.samefile(source):  # whoever has it open would write into nothing
        raise UnusableBackup(f"{target} is the database itself.")
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        half.touch(mode=0o600)
        with closing(_opened(source)) as old, closing(sqlite3.connect(half)) as new:
            _copy_all(old, new)
            new.execute("PRAGMA journal_mode=DELETE")
        faults = find_faults(half)
        if faults:
            raise UnusableBackup(f"{source} is not sound: {faults[0]}")
        with half.open("rb") as written:
            os.fsync(written.fileno())
        half.replace(target)
    except sqlite3.OperationalError as fault:  # no room, or locked: that is no damage
        raise OSError(f"{source} cannot be copied: {fault}") from fault
    except sqlite3.Error as fault:
        raise UnusableBackup(f"{source} cannot be copied: {fault}") from fault
    finally:
        discard(half)


def discard(file: Path) -> None:
    """Delete a SQLite file, and what SQLite left beside it where a write was broken off."""
    for ending in _BESIDE:
        file.with_name(file.name + ending).unlink(missing_ok=True)


def find_faults(file: Path) -> Sequence[str]:
    """What is wrong with a file as a database of ours, of any schema; nothing if it is sound."""
    if not file.is_file():  # a pipe would be waited for
        return [f"There is no file {file}."]
    try:
        with closing(_opened(file)) as copy:
            damage = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
            if damage != ["ok"]:
                return damage
            kinds = dict(copy.execute("SELECT name, type FROM sqlite_master").fetchall())
            if not kinds.keys() >= _OURS:
                return ["It is a database, but not one of Meldkeeper."]
            if not {"table", "index"} >= set(kinds.values()):
                return ["It has triggers or views, which no copy has that Meldkeeper made."]
            orphans = copy.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.Error as fault:
        return [str(fault)]
    return (
        [f"It names others that are not there in {counted(len(orphans), 'row')}."]
        if orphans
        else []
    )


def check_backup(copy: Path) -> None:
    """Raise `UnusableBackup` for a copy that this version cannot restore."""
    fault = next(iter(find_faults(copy)), "") or _why_not_upgradable(copy)
    if fault:
        raise UnusableBackup(f"{copy} is not a sound copy: {fault}")


def set_aside(database: Path, aside: Path) -> None:
    """Keep what is there under another name, moved as it is where it makes no sound copy.

    Raises `OSError` where there is no room, or where it stays locked: then it stays where it is.
    """
    aside.parent.mkdir(parents=True, exist_ok=True)
    database.parent.mkdir(parents=True, exist_ok=True)
    if not database.exists():
        return
    try:
        copy_database(database, aside)
    except UnusableBackup:  # for whoever can mend it, with what belongs to it
        for ending in _BESIDE:
            with suppress(FileNotFoundError):
                source = database.with_name(database.name + ending)
                source.replace(aside.with_name(aside.name + ending))


def raise_versions(copy: Path, database: Path) -> None:
    """Let all games of a copy have higher versions than those of the database.

    A device that shows a game as it was before then sees that it changed. Raises `UnusableBackup`.
    """
    seen = _MANY_VERSIONS
    with suppress(sqlite3.Error), closing(_opened(database)) as there:
        seen = there.execute("SELECT coalesce(max(version), 0) FROM games").fetchone()[0]
    try:
        with closing(sqlite3.connect(copy)) as games:
            games.execute("PRAGMA journal_mode=DELETE")  # so that it is one file
            games.execute("UPDATE games SET version = max(version, ?) + 1", (seen,))
            games.commit()
    except sqlite3.Error as fault:
        raise UnusableBackup(f"{copy} cannot be written: {fault}") from fault


def restore_database(copy: Path, database: Path) -> None:
    """Replace the database by a checked copy, whole or not at all.

    The app may run meanwhile: open connections see the restored scores. Raises `UnusableBackup`.
    """
    try:
        with (
            closing(_opened(copy)) as old,
            closing(sqlite3.connect(database, timeout=_PATIENCE)) as new,
        ):
            _copy_all(old, new)
    except sqlite3.Error as fault:
        raise UnusableBackup(f"{database} cannot be written: {fault}") from fault


def _copy_all(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copy a whole database over another. Raises `sqlite3.Error` where one stays locked.

    Without a look at the clock, Python tries for ever.
    """
    give_up = monotonic() + _PATIENCE

    def check_clock(status: int, _remaining: int, _total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and monotonic() > give_up:
            raise sqlite3.OperationalError("database is locked")

    old.backup(new, progress=check_clock)


def make_nightly_backup(database: Path, folder: Path, today: date, *, keep: int) -> Path | None:
    """Today's copy if there was none, with the oldest beyond `keep` let go; None if there was."""
    target = folder / f"nightly-{today.isoformat()}.sqlite"
    if target.exists():
        return None
    copy_database(database, target)
    # What a clock that ran ahead has dated later than today goes first, not today's copy.
    by_age = sorted(nightly_backups(folder), key=lambda one: (one.name <= target.name, one.name))
    for old in by_age[:-keep]:
        old.unlink()
    return target


FOLDER = "backups"
"""The folder of copies in that of an installation."""


def nightly_backups(folder: Path) -> Sequence[Path]:
    """The nightly copies in a folder, oldest first."""
    return sorted(one for one in folder.glob("nightly-*") if _NIGHTLY.fullmatch(one.name))


def _why_not_upgradable(file: Path) -> str:
    try:
        with closing(_opened(file)) as copy:
            rows = copy.execute("SELECT version_num FROM alembic_version").fetchall()
    except sqlite3.Error as fault:
        return str(fault)
    return why_not_upgradable(", ".join(str(row[0]) for row in rows) or None)


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=10)
    connection.execute("PRAGMA query_only=ON")
    return connection
