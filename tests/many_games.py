"""A group of simulated games in a real database, with a browser that is in it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, select

from app.actions.groups import JoiningBrowser, Role, admit, make_group
from app.actions.importing import PlausibleDocument, import_into_group, require_plausible
from app.actions.requests import Actor
from app.exchange.documents import GroupDocument
from app.exchange.files import read_document
from app.extensions import db
from app.store.engine import meaning_to_write
from app.store.groups import Group
from app.web.infrastructure.access import cookie_name
from tests.actions.table import NOON
from tests.conftest import is_untouched, let_go, migrated_file
from tests.made_once import made_once
from tests.simulation import simulate_club, simulate_group


def play_games(app: Flask, games: int, players: int = 4, rounds: int = 6, seed: int = 1) -> int:
    """A new group in which so many games were played; answers its id."""
    if not games:
        return _group(app, "Many games")
    name = f"games-{games}-{players}-{rounds}-{seed}"
    return _simulated(
        app, name, lambda: simulate_group("Many games", games, players, rounds, Random(seed))
    )


def club_in(app: Flask, evenings: int = 40) -> int:
    """A group with the club's evenings; answers its id."""
    return _simulated(app, f"club-{evenings}", lambda: simulate_club(Random(11), evenings))


def imported(app: Flask, document: dict) -> int:
    """A group into which a document was imported; answers its id."""
    return _group(app, "Another club", require_plausible(read_document(document)))


_documents: dict[str, PlausibleDocument] = {}


def _simulated(app: Flask, name: str, simulate: Callable[[], GroupDocument]) -> int:
    """A group of simulated games; in an SQLite database without any, a copy of the run's first."""

    def fill(_folder: Path | None = None) -> int:
        if name not in _documents:
            _documents[name] = require_plausible(simulate())
        return _group(app, _documents[name].name, _documents[name])

    with app.app_context():
        address = db.engine.url
    file = Path(address.database or "")
    if address.drivername != "sqlite" or not is_untouched(file.parent, migrated_file()):
        return fill()

    def keep(folder: Path) -> None:
        fill()
        let_go(app)  # which brings all into the file
        shutil.copy(file, folder)

    shutil.copy(made_once(name, keep) / file.name, file)
    with app.app_context():
        group = db.session().scalars(select(Group.id)).one()
        db.session.remove()
    return group


def _group(app: Flask, name: str, document: PlausibleDocument | None = None) -> int:
    with app.app_context(), meaning_to_write():
        session = db.session()
        group = make_group(session, name, NOON).id
        if document:
            import_into_group(session, Actor(None, NOON), group, document)
        session.commit()
        db.session.remove()
    return group


def browser_in(app: Flask, group: int, role: Role = Role.MANAGE) -> FlaskClient:
    """A browser that was let in to a group."""
    with app.app_context(), meaning_to_write():
        session = db.session()
        joined = admit(session, JoiningBrowser(), group, role, NOON)
        session.commit()
        name = cookie_name()
        db.session.remove()
    client = app.test_client()
    client.set_cookie(name, joined.secret)
    return client


@contextmanager
def counting_queries(app: Flask) -> Iterator[list[str]]:
    """The statements that the database was asked meanwhile."""
    asked: list[str] = []

    def note(_connection, _cursor, statement, *_rest) -> None:
        asked.append(statement)

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)
