"""What every way of serving does at its start, and what it does each night.

The nightly work is a thread in each process; a lock file lets one of them do it. So it goes on when
a process is killed, and there is no further program to be kept alive.
"""

import errno
import fcntl
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask
from flask_migrate import upgrade
from sqlalchemy.exc import SQLAlchemyError

from app.actions.games import purge_deleted
from app.actions.groups import is_to_be_removed, mark_abandoned, remove_group
from app.actions.memberships import forget_removals
from app.actions.requests import forget_keys
from app.actions.results import games_without_result, refresh_facts
from app.actions.uploads import forget_uploads
from app.extensions import db
from app.store.backups import FOLDER, UnusableBackup, copy_database, make_nightly_backup
from app.store.engine import is_usable, meaning_to_write, read_only, revision_of, why_not_upgradable
from app.store.queries.access import all_groups

_LOG = logging.getLogger("meldkeeper.nightly")
_EVERY_SECONDS = 600


class StartupError(RuntimeError):
    """The database cannot be used as it is; says why."""


def upgrade_database(app: Flask) -> None:
    """Bring the database to the newest schema and store results that it lacks.

    An older SQLite file is copied first. The schema of a newer version that this one can use is
    left as it is. Raises `StartupError` where the database does not answer, or cannot be copied or
    upgraded.
    """
    with app.app_context():
        try:
            with db.engine.connect() as connection:
                revision, usable = revision_of(connection), is_usable(connection)
            if not usable:
                if revision is not None:
                    _check_and_copy(app, revision)
                upgrade()
            _store_missing_results()
        except SQLAlchemyError as fault:
            reason = f"The database does not answer: {getattr(fault, 'orig', None) or fault}"
            raise StartupError(reason) from None
        except (UnusableBackup, OSError) as fault:
            raise StartupError(f"The database was not copied before its upgrade. {fault}") from None
        finally:
            db.engine.dispose()


def start_nightly_work(app: Flask) -> None:
    """Do each night's work in the background, as long as this process lives."""

    def watch() -> None:
        while True:
            try:
                do_nightly_work(app, datetime.now(UTC))
            except Exception:
                _LOG.exception("The nightly work failed; it is tried again.")
            threading.Event().wait(_EVERY_SECONDS)

    threading.Thread(target=watch, name="nightly", daemon=True).start()


def do_nightly_work(app: Flask, now: datetime) -> None:
    """Make today's copy, if copies are made and there is none yet, and remove what is over.

    Each process says, too, that the files it serves are still in use.
    """
    # They measure: see production.py.
    from app.web.infrastructure import assets  # noqa: PLC0415
    from app.web.infrastructure.metrics import NIGHTLY_DONE  # noqa: PLC0415

    try:
        with _nightly_lock(Path(app.instance_path)) as alone, app.app_context():
            if alone:
                _copy_and_forget(app, now)
                app.extensions.get(NIGHTLY_DONE, lambda: None)()
    finally:  # last, since it may take room
        assets.prepare(app)


def _copy_and_forget(app: Flask, now: datetime) -> None:
    try:
        _make_nightly_backup(app, now)
        _remove_abandoned_groups(now, app.config["ABANDONED_DAYS"])
    finally:  # on a full disk, too, what is over goes
        with meaning_to_write():
            for forget in (purge_deleted, forget_uploads, forget_keys, forget_removals):
                forget(db.session(), now)
            db.session.commit()


def _make_nightly_backup(app: Flask, now: datetime) -> None:
    file, keep = db.engine.url.database, app.config["NIGHTLY_COPIES"]
    if keep and file:
        made = make_nightly_backup(Path(file), backup_folder(app), now.date(), keep=keep)
        if made:
            _LOG.info("copied", extra={"fields": {"copy": made.name}})


def _remove_abandoned_groups(now: datetime, days: int) -> None:
    """After the copy, and not where that failed: what is removed here cannot be restored."""
    with meaning_to_write():
        mark_abandoned(db.session(), now, days)
        if not days:
            return
        over = is_to_be_removed(now, days)
        with read_only():
            found = all_groups(db.session(), over)
            db.session.rollback()
        for one in found:
            if remove_group(db.session(), one.id, over):
                counts = {"group": one.id, "games": one.game_count, "devices": one.device_count}
                _LOG.info("abandoned group removed", extra={"fields": counts})


def _store_missing_results() -> None:
    """Games that ended before results were kept have none yet."""
    with read_only():
        missing = games_without_result(db.session())
        db.session.rollback()
    if missing:
        with meaning_to_write():
            refresh_facts(db.session(), missing)
            db.session.commit()
    db.session.remove()


def backup_folder(app: Flask) -> Path:
    """The folder of this installation's copies."""
    return Path(app.instance_path) / FOLDER


def new_backup(app: Flask, kind: str = "") -> Path:
    """The file of a copy that is made now."""
    return backup_folder(app) / f"{kind}{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.sqlite"


def _check_and_copy(app: Flask, revision: str) -> None:
    if reason := why_not_upgradable(revision):
        raise StartupError(f"The database cannot be upgraded. {reason}")
    if db.engine.dialect.name == "sqlite":
        copy = new_backup(app, f"before-upgrade-from-{revision}-")
        copy_database(Path(str(db.engine.url.database)), copy)


@contextmanager
def _nightly_lock(folder: Path) -> Iterator[bool]:
    """Is this process the one that does the work now?

    Where nothing may be written no copies are made, and the rest may be done by several.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "nightly.lock").open("w")
    except OSError as fault:
        if fault.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        yield True
        return
    with lock:
        is_alone = False
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_alone = True
        yield is_alone
