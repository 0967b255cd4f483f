"""How the database is spoken to: SQLite's settings, transactions that mean to write, the schema.

A transaction on SQLite that reads first can fail when it writes, unless it is begun with BEGIN
IMMEDIATE, so whoever is going to write opens the transaction inside `meaning_to_write`. On
PostgreSQL the row of a game or group is locked before it is changed. Here PostgreSQL gets the same
lock timeout as SQLite, and its own handling of snapshots, single queries and lost connections.
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from select import POLLIN, poll
from threading import RLock
from time import monotonic, sleep
from typing import Any, cast

from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

_is_writing: ContextVar[bool] = ContextVar("means_to_write", default=False)
_turns: ContextVar[ExitStack | None] = ContextVar("turns", default=None)
"""Where the turns to write are kept until the end of `meaning_to_write`, if they are."""

_PATIENCE = 5.0
"""How long, in seconds, a lock is waited for, and before it a turn to write."""
_KEEPALIVE = {"keepalives_idle": 5, "keepalives_interval": 1, "keepalives_count": 5}
"""That a server is gone which took no leave is known after ten idle seconds."""
_ASKED_EVERY = 0.0002
_WAIT = f"busy_timeout={_PATIENCE * 1000:.0f}"


@contextmanager
def meaning_to_write(intent: bool = True, *, keep_turn: bool = False) -> Iterator[None]:
    """Transactions begun inside take the write lock at their beginning (SQLite), if `intent`.

    Each first waits for its turn among the threads of the process. Who keeps the turn has it to
    the end of this context, not of the transaction: what follows a write, such as showing what
    came of it, needs the processor, too, and threads that fight for it are all late.
    """
    with ExitStack() as kept:
        intended, turns = _is_writing.set(intent), _turns.set(kept if keep_turn else None)
        try:
            yield
        finally:
            _is_writing.reset(intended)
            _turns.reset(turns)


def read_only() -> AbstractContextManager[None]:
    """Transactions begun inside take no write lock at once, also inside of `meaning_to_write`."""
    return meaning_to_write(False)


def begin_snapshot(session: Session) -> None:
    """Begin a transaction that sees one moment of the database, however long it reads.

    Ends the transaction at hand; what it has not committed is lost. SQLite's transactions are like
    that by themselves; PostgreSQL's see with each statement what was committed by then.
    """
    session.rollback()
    if session.get_bind().dialect.name == "postgresql":
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        session.connection(execution_options=options)


def engine_options(url: str) -> dict[str, Any]:
    """How SQLAlchemy is to open the database: the driver's arguments and the pool's habits."""
    if url.startswith("sqlite"):
        # From Python 3.12 on, hold the driver's old way, which we steer ourselves.
        old_way = getattr(sqlite3, "LEGACY_TRANSACTION_CONTROL", None)
        return {
            "connect_args": {} if old_way is None else {"autocommit": old_way},
            "hide_parameters": True,
            "pool_use_lifo": True,  # the connection that was used last knows the newest pages
        }
    patience = f"-c lock_timeout={_PATIENCE:.0f}s -c statement_timeout=30s"
    # Else a moment that is asked about is taken for one of the server's own zone.
    zone = "-c timezone=UTC"
    # What is summed up takes some milliseconds; shared out it costs the processor more: a player's
    # page with 10,000 games 84 ms in place of 57.
    alone = "-c max_parallel_workers_per_gather=0"
    return {
        "connect_args": {
            "connect_timeout": 5,
            "options": f"{patience} {alone} {zone}",
            **_KEEPALIVE,
        },
        "hide_parameters": True,  # what people typed has no place in a log
        "pool_pre_ping": True,  # a restarted server is noticed before a request is lost to it
    }


def configure_engine(engine: Engine) -> None:
    """Set a SQLite engine up for many devices and sudden power cuts, others for lost connections.

    What was acknowledged survives a power cut: after each commit the write-ahead log is synced to
    the disk. SQLite itself would do so (`synchronous=FULL`) while it holds the write lock; here the
    other processes write meanwhile, so that a seventh more taps a second are stored where the disk
    takes 4 ms.
    """
    if engine.dialect.name != "sqlite":
        _let_lost_connections_go(engine)
        _leave_silent_connections_alone(engine)
        return

    event.listen(engine, "connect", _set_pragmas)
    turn = RLock()  # one that has it may begin another transaction

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if not _is_writing.get():
            connection.exec_driver_sql("BEGIN")
            return
        kept = _turns.get()
        had = turn.acquire(timeout=_PATIENCE)
        if had and kept is not None:
            kept.callback(turn.release)
        else:
            connection.info["has_turn"] = had
        _begin_writing(connection)

    @event.listens_for(engine, "commit")
    def commit(connection: Connection) -> None:
        connection.exec_driver_sql("COMMIT")
        if "log" in connection.info:
            _sync(connection.info["log"])

    @event.listens_for(engine, "checkin")
    def release_turn(_connection: sqlite3.Connection, record: ConnectionPoolEntry) -> None:
        if record.info.pop("has_turn", False):
            turn.release()


def asking_engine(engine: Engine) -> Engine:
    """An engine for single questions, each without a transaction around it.

    On PostgreSQL it is one trip to the server, not three. It is disposed of with the other engine.
    """
    options = engine_options(engine.url.drivername)
    made = create_engine(engine.url, isolation_level="AUTOCOMMIT", **options)
    if made.dialect.name == "sqlite":
        event.listen(made, "connect", _set_pragmas)
    else:
        configure_engine(made)
    event.listen(engine, "engine_disposed", lambda _engine: made.dispose())
    return made


def read_without_transaction(session: Session) -> None:
    """Let each question of a session stand for itself, up to its next commit or rollback.

    On PostgreSQL each sees what was committed by then, as it would within a transaction; together
    they cost two trips to the server less. On SQLite nothing changes.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "AUTOCOMMIT"})


def _let_lost_connections_go(engine: Engine) -> None:
    """Have a rollback over a lost connection succeed: the server has rolled back by itself.

    Else an answer that is ready, or the page that says what is wrong, would become a bare 500.
    """
    dialect = engine.dialect
    roll_back = dialect.do_rollback

    def roll_back_or_let_go(dbapi_connection: PoolProxiedConnection) -> None:
        try:
            roll_back(dbapi_connection)
        except dialect.loaded_dbapi.OperationalError:
            dbapi_connection.invalidate()  # the pool opens another in its place

    dialect.do_rollback = roll_back_or_let_go  # type: ignore[method-assign]


def _leave_silent_connections_alone(engine: Engine) -> None:
    """Ask a connection whether it lives only where something came from its server meanwhile.

    A server that goes says so, or its system or ours does (`_KEEPALIVE`); to ask is a trip.
    """
    ask = engine.dialect.do_ping

    def is_alive(dbapi_connection: Any) -> bool:
        arrivals = poll()
        arrivals.register(dbapi_connection.fileno(), POLLIN)
        return not arrivals.poll(0) or ask(dbapi_connection)

    engine.dialect.do_ping = is_alive  # type: ignore[method-assign]


def _set_pragmas(connection: sqlite3.Connection, record: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # SQLAlchemy says BEGIN, not the driver
    (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
    if mode == "wal":
        *_, file = connection.execute("PRAGMA database_list").fetchone()
        record.info["log"] = f"{file}-wal"
    synchronous = "NORMAL" if mode == "wal" else "FULL"
    for pragma in (f"synchronous={synchronous}", "foreign_keys=ON", _WAIT):
        connection.execute(f"PRAGMA {pragma}")


def _sync(log: str) -> None:
    """Wait until the disk has what was written to a write-ahead log.

    Raises `OperationalError` where it fails, as a commit by SQLite alone does.
    """
    try:
        file = os.open(log, os.O_RDWR)
        try:
            os.fsync(file)
        finally:
            os.close(file)
    except FileNotFoundError:
        pass  # nothing was ever written
    except OSError as fault:
        raise OperationalError("COMMIT", None, fault) from fault


def _begin_writing(connection: Connection) -> None:
    """Take SQLite's write lock as soon as it is free; `OperationalError` if it is not in time.

    SQLite's own waiting sleeps longer each time, up to a tenth of a second, while others pass by.
    So a thread asks often itself once it has its turn, or has waited for that in vain. It asks the
    driver: an error that goes through SQLAlchemy costs more than the wait.
    """
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    give_up = monotonic() + _PATIENCE
    driver.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                driver.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                if monotonic() > give_up:
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                    return
                sleep(_ASKED_EVERY)
            else:
                return
    finally:
        driver.execute(f"PRAGMA {_WAIT}")


MIGRATIONS = Path(__file__).parent / "migrations"
_RELEASES = {"0006": "1.0.0", "0028": "1.1.0"}
"""The schemas of releases. The steps to each are one, which begins at the one before."""


@cache
def newest_revision() -> str:
    """The revision that this version of the app needs."""
    return str(ScriptDirectory(str(MIGRATIONS)).get_current_head())


def why_not_upgradable(revision: str | None) -> str:
    """Why a database of this revision cannot be upgraded; "" where it can."""
    if revision is None:
        return "It does not say which schema it has."
    known = {one.revision for one in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if revision in known:
        return ""
    for schema, release in _RELEASES.items():
        if revision < schema:
            return (
                f"It has the schema {revision}, from before {release}: "
                f"upgrade it with {release} first."
            )
    return (
        f"It has the schema {revision}, which this version does not know: it was used by a newer "
        "one. Take that one, or restore a copy made before."
    )


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; None where it names none, as an empty one."""
    return _schema_row(connection).get("version_num")


def is_usable(connection: Connection) -> bool:
    """Does this version work with a database as it is: of its schema, or of a newer that only adds?

    So two versions serve side by side while one takes the other's place. A migration that
    is `breaking` lets no version before it go on; the database keeps the newest such one.
    """
    ours, kept = newest_revision(), _schema_row(connection)
    revision = kept.get("version_num", "")
    return revision == ours or revision > ours >= kept.get("usable_since", revision)


def _schema_row(connection: Connection) -> Mapping[str, str]:
    if not inspect(connection).has_table("alembic_version"):
        return {}
    row = connection.execute(text("SELECT * FROM alembic_version")).mappings().first()
    return {name: value for name, value in (row or {}).items() if value is not None}
