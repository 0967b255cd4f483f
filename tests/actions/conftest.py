"""A database session and a table of three, without any web part."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, event
from sqlalchemy.orm import Session

from app.extensions import db
from app.store.engine import meaning_to_write
from tests.actions.table import KeptTable


@pytest.fixture
def session(app: Flask) -> Iterator[Session]:
    with app.app_context(), meaning_to_write(), locking_games_first(db.engine):
        yield db.session()
        db.session.remove()


@contextmanager
def locking_games_first(engine: Engine) -> Iterator[None]:
    """Within, no transaction locks a game after a group: two that did would wait for each other.

    On PostgreSQL; a transaction on SQLite has the whole database from its beginning.
    """
    locked = dict[Connection, str]()
    too_late = list[str]()

    def note(connection: Connection, _cursor: Any, statement: str, *_more: Any) -> None:
        of = re.search(r"FROM (games|groups)\b.* FOR (?:NO KEY )?UPDATE", statement, re.DOTALL)
        if of is None:
            return
        if of[1] == "games" and locked.get(connection) == "groups":
            too_late.append(statement)
        locked[connection] = of[1]

    def forget(connection: Connection) -> None:
        locked.pop(connection, None)

    event.listen(engine, "before_cursor_execute", note)
    event.listen(engine, "begin", forget)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", note)
        event.remove(engine, "begin", forget)
    assert too_late == []


@pytest.fixture
def table(session: Session) -> KeptTable:
    """Anna, Ben and Cleo at Frustration, Anna deals; nothing played yet."""
    return KeptTable.started(session, "frustration", "Anna Ben Cleo")


@pytest.fixture
def scored(session: Session) -> KeptTable:
    """The same three at Aggravation Rummy, which keeps score."""
    return KeptTable.started(session, "aggravation-rummy", "Anna Ben Cleo")
