"""`flask doctor`, `flask rebuild-stats`, `flask empty-bin`: what is to be mended or cleaned up."""

import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from flask import Flask, current_app
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from app import __version__
from app.actions.games import purge_deleted
from app.actions.results import rebuild_facts
from app.commands import with_bar
from app.commands.startup import backup_folder
from app.config import misspelt_settings
from app.extensions import db, limits_storage_answers
from app.rules.phrases import counted
from app.store.announcements import Announcement
from app.store.backups import find_faults, nightly_backups
from app.store.engine import (
    is_usable,
    meaning_to_write,
    newest_revision,
    revision_of,
    why_not_upgradable,
)
from app.store.games import LogEntry
from app.web.infrastructure import push
from app.web.infrastructure.assets import assets_version

_LEAST_FREE = 200 * 1024 * 1024
_CLOCKS_DIFFER = timedelta(minutes=1)


Checked = Iterator[tuple[str, str]]
"""What was looked at, and what to mend there; empty where all is well."""


@click.command()
def doctor() -> None:
    """Check this installation and say what to mend."""
    results = list(run_checks(current_app))
    for about, mend in results:
        click.echo(f"mend  {about}: {mend}" if mend else f"ok    {about}")
    to_mend = sum(bool(mend) for _about, mend in results)
    if to_mend:
        sys.exit(f"{to_mend} of {len(results)} to mend.")
    click.echo("All is well.")


def run_checks(app: Flask) -> Checked:
    """What there is to say about an installation; settings were read before this is asked."""
    build = f"Meldkeeper {__version__} ({assets_version()})"
    yield f"{build}, Python {platform.python_version()}", ""
    misspelt = [f"{one}: {meant} is meant?" for one, meant in misspelt_settings(os.environ).items()]
    yield "settings", "; ".join(misspelt)
    checks = (
        _check_folder,
        _check_database,
        _check_sqlite,
        _check_clock,
        _check_rate_limits,
        _check_push,
        _check_backups,
        _check_https,
    )
    for check in checks:
        yield from check(app)


def _check_folder(app: Flask) -> Checked:
    folder = Path(app.instance_path)
    folder.mkdir(parents=True, exist_ok=True)
    usable = os.access(folder, os.W_OK | os.X_OK)
    yield f"folder {folder}", "" if usable else "this user may not write there; change its owner"
    free = shutil.disk_usage(folder).free
    room = f"only {free // 2**20} MB are free; make room"
    yield f"room in {folder}", room if free < _LEAST_FREE else ""
    key = folder / "secret_key"
    if key.exists():
        open_to_others = bool(key.stat().st_mode & 0o077)
        yield f"key {key}", f"others may read it; chmod 600 {key}" if open_to_others else ""


def _check_database(app: Flask) -> Checked:
    try:
        with db.engine.connect() as connection:
            revision, usable = revision_of(connection), is_usable(connection)
    except SQLAlchemyError as fault:
        yield "database", f"it does not answer: {getattr(fault, 'orig', None) or fault}"
        return
    yield f"database: {db.engine.dialect.name}", ""
    newest = newest_revision()
    newer = ", of a newer version" if usable and revision != newest else ""
    other = f"it has {revision or 'none'}, this version needs {newest}; `flask db upgrade`"
    if revision and not usable:
        other = why_not_upgradable(revision) or other
    yield f"schema{newer}", "" if usable else other


def _check_sqlite(app: Flask) -> Checked:
    if db.engine.dialect.name != "sqlite":
        return
    file = Path(str(db.engine.url.database))
    faults = find_faults(file)
    yield f"file {file}", f"{faults[0]}; `flask restore COPY`" if faults else ""
    if faults:
        return
    with closing(sqlite3.connect(file)) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    yield "journal", "" if mode == "wal" else f"it is {mode}; start the app once"


def _check_clock(app: Flask) -> Checked:
    """Held against the newest change, which should not be of a later time, and PostgreSQL's."""
    try:
        with db.engine.connect() as connection:
            newest = connection.scalar(select(func.max(LogEntry.at)))
            has_clock = connection.dialect.name == "postgresql"
            theirs = connection.scalar(select(func.now())) if has_clock else None
    except SQLAlchemyError:
        return  # said already
    now = datetime.now(UTC)
    behind = max(filter(None, (newest, theirs)), default=now) - now
    ahead = now - (theirs or now)
    wrong = ""
    if behind > _CLOCKS_DIFFER:
        wrong = f"it is {behind.total_seconds():.0f} s behind that of the database or past changes"
    if ahead > _CLOCKS_DIFFER:
        wrong = f"it is {ahead.total_seconds():.0f} s ahead of that of the database"
    yield "clock", wrong


def _check_rate_limits(app: Flask) -> Checked:
    kind = str(app.config["RATE_LIMIT_STORAGE"]).partition(":")[0]
    dead = "it does not answer; each process counts by itself meanwhile. Start it"
    yield f"counts of limits: {kind}", "" if limits_storage_answers() else dead


def _check_push(app: Flask) -> Checked:
    announcer = push.announcer_of(app)
    if announcer is None:
        return
    try:
        announcer.tell(Announcement(0, "doctor"))
        fault = ""
    except push.EngineFault as why:
        fault = f"the engine at PUSH_URL cannot be told ({why}); devices ask meanwhile"
    yield "push", fault


def _check_backups(app: Flask) -> Checked:
    if db.engine.dialect.name != "sqlite":
        return
    if not app.config["NIGHTLY_COPIES"]:
        yield "nightly copies", "none are made; set NIGHTLY_COPIES=14"
        return
    today = datetime.now(UTC).date()
    days = {f"nightly-{today - timedelta(days=ago)}" for ago in (0, 1)}
    fresh = any(copy.stem in days for copy in nightly_backups(backup_folder(app)))
    yield "nightly copies", "" if fresh else "the last one is old; is the app running?"


def _check_https(app: Flask) -> Checked:
    behind_proxy, https = app.config["TRUSTED_PROXIES"], app.config["HTTPS"]
    odd = "HTTPS=yes without a proxy that speaks it; set TRUSTED_PROXIES=1 if there is one"
    yield "https", odd if https and not behind_proxy else ""


@click.command("rebuild-stats")
def rebuild_stats() -> None:
    """Make all results and statistics anew from the games; they should come out the same."""
    with meaning_to_write():
        right = rebuild_facts(db.session(), with_bar("Reckoning games"))
        db.session.commit()
    if right:
        click.echo("The statistics were right.", err=True)
    else:
        click.echo("The statistics were not what the games say; now they are.", err=True)


@click.command("empty-bin")
def empty_bin() -> None:
    """Delete for good the games that were deleted 30 days ago or earlier."""
    with meaning_to_write():
        count = purge_deleted(db.session(), datetime.now(UTC))
        db.session.commit()
    click.echo(f"{counted(count, 'game')} deleted for good.")
