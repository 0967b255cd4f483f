"""How migrations run: on an engine of their own, with SQLite's foreign keys off, then checked.

SQLite changes a table by copying and dropping it; with foreign keys on, dropping it would delete
the rows that refer to it. So the app's own engine, which has them on, is not used here.
"""

from random import uniform
from time import monotonic, sleep
from typing import Any, Literal

from alembic import context
from flask import current_app
from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, Engine, create_engine, pool, text
from sqlalchemy.exc import OperationalError

from app.rules.phrases import counted
from app.store import games, groups, statistics  # noqa: F401 (every table is to be known)
from app.store.base import Base, PlayerMark, Tuples, UtcDateTime
from app.store.engine import revision_of

_LOCK = 7_263_811  # any number, the same for all processes that start at once
_LOCK_TIMEOUT = 300
"""Milliseconds. While a migration waits for a table, everybody waits behind it; and where they wait
for each other, PostgreSQL ends one of them after a second. So it lets go and comes again."""
_PATIENCE = 120.0
"""For so many seconds."""


def run() -> None:
    """Bring the app's own database, or that of `-x database=URL`, to the revision asked for."""
    database = current_app.extensions["sqlalchemy"]
    another = context.get_x_argument(as_dictionary=True).get("database")
    url = another or database.engine.url.render_as_string(hide_password=False)
    engine = create_engine(url, poolclass=pool.NullPool)
    give_up = monotonic() + _PATIENCE
    while True:
        try:
            _migrate(engine)
        except OperationalError as fault:
            if not isinstance(fault.orig, LockNotAvailable) or monotonic() > give_up:
                raise
            sleep(uniform(0.1, 0.5))
        else:
            return


def _migrate(engine: Engine) -> None:
    with engine.connect() as connection:
        _alone(connection)
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            render_as_batch=True,
            compare_type=True,
            render_item=_render,
        )
        with context.begin_transaction():
            context.run_migrations()
            _note_usable_since(connection)
        if connection.dialect.name == "sqlite":
            broken = connection.execute(text("PRAGMA foreign_key_check")).all()
            if broken:
                left = counted(len(broken), "row")
                raise RuntimeError(f"The migration left {left} without what is named there.")
        connection.commit()


def _note_usable_since(connection: Connection) -> None:
    """Keep the newest revision that breaks with the versions before it (`engine.is_usable`)."""
    revision = revision_of(connection)
    past = context.script.iterate_revisions(revision, "base") if revision else ()
    breaks = next((one.revision for one in past if getattr(one.module, "breaking", False)), None)
    if breaks:
        note = text("UPDATE alembic_version SET usable_since = :breaks")
        connection.execute(note, {"breaks": breaks})


def _render(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """Write our own types as what they are in the database."""
    plain = {UtcDateTime: "sa.DateTime()", Tuples: "sa.JSON()", PlayerMark: "sa.String(16)"}
    return plain.get(type(item), False) if kind == "type" else False


def _alone(connection: Connection) -> None:
    """Let one process migrate at a time; the others wait and then find nothing to do."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        connection.execute(text(f"SET LOCAL lock_timeout = {_LOCK_TIMEOUT}"))
        return
    driver: Any = connection.connection.driver_connection
    driver.isolation_level = None
    for pragma in ("foreign_keys=OFF", "busy_timeout=60000", "journal_mode=WAL"):
        driver.execute(f"PRAGMA {pragma}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


run()
