"""How the database is spoken to: SQLite's settings, and transactions that mean to write.

A read-then-write transaction on SQLite loses updates or fails at once unless it is begun with
BEGIN IMMEDIATE, so whoever opens a session says whether it `means_to_write`. On PostgreSQL the
game's row is locked before it is changed; here only its patience is set, to what SQLite's is.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sqlalchemy import Connection, Engine, event

_means_to_write: ContextVar[bool] = ContextVar("means_to_write", default=False)

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",  # an acknowledged round survives a power cut
    "foreign_keys=ON",
    "busy_timeout=5000",
)


@contextmanager
def meaning_to_write(intent: bool = True) -> Iterator[None]:
    """Transactions begun inside take the write lock at their beginning (SQLite)."""
    token = _means_to_write.set(intent)
    try:
        yield
    finally:
        _means_to_write.reset(token)


def engine_options(url: str) -> dict[str, Any]:
    """How SQLAlchemy is to open the database: the driver's arguments and the pool's habits."""
    if url.startswith("sqlite"):
        # From Python 3.12 on, hold the driver's old way, which we steer ourselves.
        old_way = getattr(sqlite3, "LEGACY_TRANSACTION_CONTROL", None)
        return {
            "connect_args": {} if old_way is None else {"autocommit": old_way},
            "hide_parameters": True,
        }
    patience = "-c lock_timeout=5s -c statement_timeout=30s"
    return {
        "connect_args": {"connect_timeout": 5, "options": patience},
        "hide_parameters": True,  # what people typed has no place in a log
        "pool_pre_ping": True,  # a restarted server is noticed before a request is lost to it
    }


def tune(engine: Engine) -> None:
    """Set a SQLite engine up for many phones and sudden power cuts; leave others as they are."""
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # SQLAlchemy says BEGIN, not the driver
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if _means_to_write.get() else "BEGIN")
