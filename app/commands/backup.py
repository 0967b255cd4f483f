"""`flask backup` and `flask restore`: a copy of the scores while the app runs, and back again."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from app.commands.starting import NotStarted, backups_of, brought_up_to_date
from app.extensions import db
from app.store.copies import UnusableCopy, bring_back, copy_database


@click.command()
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
@with_appcontext
def backup(target: Path | None) -> None:
    """Copy the scores to TARGET, or into instance/backups/, while the app runs."""
    file = _sqlite_file("pg_dump --format=custom --file=meldkeeper.dump $DATABASE_URL")
    target = target or backups_of(current_app) / f"{_stamp()}.sqlite"
    try:
        copy_database(file, target)
    except (UnusableCopy, OSError) as fault:
        sys.exit(f"Not copied. {fault}")
    click.echo(f"Copied to {target} and checked ({target.stat().st_size} bytes).")


@click.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@with_appcontext
def restore(copy: Path) -> None:
    """Bring the scores back from COPY; what was there is kept in instance/backups/."""
    file = _sqlite_file("pg_restore --clean --if-exists --dbname=$DATABASE_URL meldkeeper.dump")
    aside = backups_of(current_app) / f"before-restore-{_stamp()}.sqlite"
    try:
        bring_back(copy, file, aside)
        brought_up_to_date(current_app)
    except (UnusableCopy, NotStarted, OSError) as fault:
        sys.exit(f"Not restored. {fault}")
    click.echo(f"Restored from {copy} and checked.")
    if aside.exists():
        click.echo(f"What was there before is in {aside}.")


def _sqlite_file(instead: str) -> Path:
    """The database's file; another kind of database has a tool of its own."""
    if db.engine.dialect.name != "sqlite":
        sys.exit(f"The scores are in PostgreSQL, which has its own tool: {instead}")
    return Path(str(db.engine.url.database))


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
