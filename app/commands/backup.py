"""`flask backup`, `flask restore`, `flask move-to`: a copy of the scores, back again, elsewhere."""

import sys
from pathlib import Path

import click
from flask import current_app
from flask_migrate import upgrade
from sqlalchemy import URL, NullPool, create_engine, make_url
from sqlalchemy.exc import SQLAlchemyError

from app.commands.startup import StartupError, new_backup, upgrade_database
from app.config import database_address
from app.extensions import db
from app.store import backups, move
from app.store.engine import begin_snapshot, meaning_to_write, newest_revision, revision_of


@click.command()
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
def backup(target: Path | None) -> None:
    """Copy the scores to TARGET, or into instance/backups/, while the app runs."""
    file = _sqlite_file("pg_dump --format=custom --file=meldkeeper.dump $DATABASE_URL")
    target = target or new_backup(current_app)
    try:
        backups.copy_database(file, target)
    except (backups.UnusableBackup, OSError) as fault:
        sys.exit(f"Not copied. {fault}")
    click.echo(f"Copied to {target} and checked ({target.stat().st_size} bytes).")


@click.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def restore(copy: Path) -> None:
    """Bring the scores back from COPY; what was there is kept in instance/backups/.

    COPY is checked and brought up to date beside the database first; until then nothing changes.
    Devices, links and tokens, too, are as they were when COPY was made.
    """
    file = _sqlite_file("psql and pg_restore, as the README says under Updating.")
    aside = new_backup(current_app, "before-restore-")
    ready = new_backup(current_app, ".restoring-")
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


def _read_address(_context: click.Context, _argument: click.Parameter, address: str) -> URL:
    try:
        return make_url(database_address(address))
    except ValueError as fault:
        raise click.BadParameter(f"It {fault}.") from None


@click.command("move-to")
@click.argument("url", callback=_read_address)
def move_to(url: URL) -> None:
    """Copy everything into the empty database at URL, of SQLite or PostgreSQL, and compare it.

    Stop the app first; afterwards start it with DATABASE_URL=URL. Here nothing changes but an old
    schema, and nothing is kept there unless all of it is.
    """
    if url.get_backend_name() == "sqlite" and url.database:  # found as the app finds its own
        url = url.set(database=str(Path(current_app.instance_path) / url.database))
    upgrade_database(current_app)
    with db.engine.connect() as connection:
        if revision_of(connection) != newest_revision():
            raise click.ClickException("A newer version uses this database: let that one move it.")
    upgrade(x_arg=[f"database={url.render_as_string(hide_password=False)}"])
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
    with meaning_to_write(), engine.connect() as target:
        begin_snapshot(db.session())
        try:
            for name, count in move.moved_tables(db.session.connection(), target):
                click.echo(f"{name}: {count}")
        except move.NotMoved as fault:
            raise click.ClickException(f"Not moved, and nothing was changed. {fault}") from None
        target.commit()
    click.echo("All of it is there. Start the app with DATABASE_URL set to that address.")


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
