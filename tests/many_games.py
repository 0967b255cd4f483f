"""A group of simulated games in a real database, with a browser that is in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event

from app.actions.groups import JoiningBrowser, Role, admit, make_group
from app.actions.importing import import_into_group, require_plausible
from app.actions.requests import Actor
from app.exchange.files import read_document
from app.extensions import db
from app.store.engine import meaning_to_write
from app.web.infrastructure.access import cookie_name
from tests.actions.table import NOON
from tests.simulation import simulate_club, simulate_group


def play_games(app: Flask, games: int, players: int = 4, rounds: int = 6, seed: int = 1) -> int:
    """A new group in which so many games were played; answers its id."""
    with app.app_context(), meaning_to_write():
        session = db.session()
        group = make_group(session, "Many games", NOON).id
        if games:
            document = simulate_group("Many games", games, players, rounds, Random(seed))
            import_into_group(session, Actor(None, NOON), group, require_plausible(document))
        session.commit()
        db.session.remove()
    return group


def club_in(app: Flask, evenings: int = 40) -> int:
    """A group with the club's evenings; answers its id."""
    with app.app_context(), meaning_to_write():
        session = db.session()
        group = make_group(session, "The club", NOON).id
        document = simulate_club(Random(11), evenings)
        import_into_group(session, Actor(None, NOON), group, require_plausible(document))
        session.commit()
        db.session.remove()
    return group


def imported(app: Flask, document: dict) -> int:
    """A group into which a document was imported; answers its id."""
    with app.app_context(), meaning_to_write():
        session = db.session()
        group = make_group(session, "Another club", NOON).id
        import_into_group(
            session, Actor(None, NOON), group, require_plausible(read_document(document))
        )
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
