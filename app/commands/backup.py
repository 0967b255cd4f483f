"""`flask backup` and `flask restore`: a copy of the scores while the app runs, and back again."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext
from flask_migrate import upgrade
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from app.commands.startup import StartupError, backup_folder, upgrade_database
from app.extensions import db
from app.store import backups


@click.command()
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
@with_appcontext
def backup(target: Path | None) -> None:
    """Copy the scores to TARGET, or into instance/backups/, while the app runs."""
    file = _sqlite_file("pg_dump --format=custom --file=meldkeeper.dump $DATABASE_URL")
    target = target or backup_folder(current_app) / f"{_stamp()}.sqlite"
    try:
        backups.copy_database(file, target)
    except (backups.UnusableBackup, OSError) as fault:
        sys.exit(f"Not copied. {fault}")
    click.echo(f"Copied to {target} and checked ({target.stat().st_size} bytes).")


@click.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@with_appcontext
def restore(copy: Path) -> None:
    """Bring the scores back from COPY; what was there is kept in instance/backups/.

    COPY is checked and brought up to date beside the database first; until then nothing changes.
    Devices, links and tokens, too, are as they were when COPY was made.
    """
    file = _sqlite_file("pg_restore --clean --if-exists --dbname=$DATABASE_URL meldkeeper.dump")
    aside = backup_folder(current_app) / f"before-restore-{_stamp()}.sqlite"
    ready = backup_folder(current_app) / f".restoring-{_stamp()}.sqlite"
    try:
        _make_ready(copy, ready, file)
        backups.set_aside(file, aside)
    except (backups.UnusableBackup, OSError, SQLAlchemyError, RuntimeError) as fault:
        backups.discard(ready)
        sys.exit(f"Not restored, and nothing was changed. {fault}")
    kept = f"What was there before is in {aside}." if aside.exists() else "There was none before."
    try:
        backups.restore_database(ready, file)
        upgrade_database(current_app)
    except (backups.UnusableBackup, StartupError, OSError) as fault:
        sys.exit(f"Not restored. {fault} {kept}")
    finally:
        backups.discard(ready)
    click.echo(f"Restored from {copy} and checked. {kept}")
    click.echo("Devices, links and tokens are as they were then: check them under Devices.")


def _make_ready(copy: Path, ready: Path, file: Path) -> None:
    """Make of a copy what can take the database's place: checked, of the newest schema."""
    backups.check_backup(copy)
    backups.copy_database(copy, ready)
    address = URL.create("sqlite", database=str(ready)).render_as_string()
    upgrade(x_arg=[f"database={address}"])
    backups.raise_versions(ready, file)
    backups.check_backup(ready)


def _sqlite_file(instead: str) -> Path:
    """The database's file; another kind of database has a tool of its own."""
    if db.engine.dialect.name != "sqlite":
        sys.exit(f"The scores are in PostgreSQL, which has its own tool: {instead}")
    return Path(str(db.engine.url.database))


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
