"""The database lost at any statement of any request: said clearly, and a repeat does it once.

One statement of some requests fails, drawn at random; `MELDKEEPER_KILLS` fails each of all in turn.
On PostgreSQL the connection is ended by its server, on SQLite the disk does not answer.
"""

import os
import random
import sqlite3
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.extensions import limiter
from app.store.engine import configure_engine, engine_options
from app.web.infrastructure.access import engines_of
from tests.postgres import PostgresServer
from tests.waiting import wait_until
from tests.web.test_idempotency import World, steps, world

__all__ = ["world"]

EVERY_ONE = "MELDKEEPER_KILLS" in os.environ
MOST = 70
"""More statements than a request has."""
_IS_THERE = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"


class Failing:
    """Lets the database fail at a statement, or at a commit, counted from now on."""

    def __init__(self, world: World) -> None:
        self._engines = engines_of(world.app)
        self._fails_in = 0
        for engine in self._engines:
            event.listen(engine, "before_cursor_execute", self._count)
            event.listen(engine, "commit", self._count)

    def close(self) -> None:
        for engine in self._engines:
            event.remove(engine, "before_cursor_execute", self._count)
            event.remove(engine, "commit", self._count)

    def fail_in(self, number: int) -> None:
        self._fails_in = number

    @property
    def has_failed(self) -> bool:
        failed, self._fails_in = self._fails_in <= 0, 0
        return failed

    def _count(self, connection: Connection, *_more: Any) -> None:
        self._fails_in -= 1
        if self._fails_in == 0 and connection.dialect.name == "sqlite":
            raise OperationalError("", {}, sqlite3.OperationalError("disk I/O error"))
        if self._fails_in == 0:
            self._end(connection.engine, connection.connection.driver_connection)

    def _end(self, engine: Engine, lost: Any) -> None:
        url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("SELECT pg_terminate_backend(%s)", (lost.info.backend_pid,))
            of = (lost.info.backend_pid,)
            wait_until(lambda: server.execute(_IS_THERE, of).fetchone() == (0,), pause=0.002)


@pytest.fixture
def failing(world: World) -> Iterator[Failing]:
    failing = Failing(world)
    yield failing
    failing.close()


def kept(world: World) -> dict[str, list[str]]:
    return {name: sorted(map(repr, rows)) for name, rows in world.content().items()}


def test_whatever_statement_fails_it_is_said_and_a_repeat_with_its_key_does_it_once(
    world: World, failing: Failing
) -> None:
    world.app.testing = False
    chance, failures = random.Random(11), 0
    for step in steps(world):
        key = f"for {step.endpoint}"
        if not EVERY_ONE and chance.random() < 0.7:
            assert world.send(step, key).status_code < 400, step
            continue
        before = after = kept(world)
        numbers = range(1, MOST) if EVERY_ONE else [chance.randrange(4, 12)]
        for number in numbers:
            limiter.reset()
            failing.fail_in(number)
            answer = world.send(step, key)
            if not failing.has_failed:
                break
            failures += 1
            assert answer.status_code == 503, (step, number, answer.get_data(as_text=True))
            assert answer.headers["Retry-After"]
            after = kept(world)
            if after != before:  # it failed when all was done, as what came of it was to be shown
                break
        done = world.send(step, key)
        assert done.status_code < 400, (step, done.get_data(as_text=True))
        once = kept(world)
        assert after in (before, once), step
        assert world.send(step, key).status_code == done.status_code
        assert kept(world) == once, step
    assert failures > 10


@pytest.mark.postgresql
def test_a_connection_lost_after_the_last_statement_takes_no_answer_back(
    postgres: PostgresServer,
) -> None:
    """What is rolled back then is rolled back already; a fault of it would be a 500."""
    engine = create_engine(postgres.url("migrated"), **engine_options("postgresql:"))
    configure_engine(engine)
    for end in (Session.rollback, Session.close):
        with Session(engine) as session:
            lost = session.scalar(text("SELECT pg_backend_pid()"))
            postgres.execute(f"SELECT pg_terminate_backend({lost})")
            end(session)
        with engine.connect() as another:
            assert another.scalar(text("SELECT pg_backend_pid()")) != lost
    engine.dispose()
