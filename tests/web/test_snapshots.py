"""A group is exported as it is at one moment, whatever others do while it is read and sent."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from app.exchange.files import serialize
from app.extensions import db
from app.store.queries.export import load_group_document
from tests.many_games import browser_in, play_games
from tests.walk.copying import import_document
from tests.web.test_interface import token_for
from tests.web_table import PlainGame

Pieces = Iterator[bytes]
Door = Callable[[Flask, FlaskClient], Pieces]


def by_page(_app: Flask, phone: FlaskClient) -> Pieces:
    with closing(phone.get("/data/export.json", buffered=False)) as answer:
        yield from answer.iter_encoded()


def by_interface(app: Flask, phone: FlaskClient) -> Pieces:
    headers = {"Authorization": f"Bearer {token_for(phone, 'manage')}"}
    with closing(
        app.test_client().get("/api/v1/export", headers=headers, buffered=False)
    ) as answer:
        yield from answer.iter_encoded()


def by_query(app: Flask, _phone: FlaskClient) -> Pieces:
    """As the shell does it."""
    with app.app_context():
        engine = db.engine
    with Session(engine) as session:
        for piece in serialize(load_group_document(session, 1)):
            yield piece.encode()


@pytest.mark.parametrize("door", [by_page, by_interface, by_query])
def test_what_is_played_while_an_export_is_sent_is_whole_in_it_or_not_at_all(
    app: Flask, client: FlaskClient, door: Door
):
    game = PlainGame.started(client, "frustration", "Anna Ben")
    other_phone = browser_in(app, 1)
    pieces = door(app, client)
    begun = next(pieces)
    PlainGame.started(other_phone, "frustration", "Cleo Dora")
    assert PlainGame(other_phone, game.key, game.seats).close(1, out="Anna").status_code == 303
    document = json.loads(begun + b"".join(pieces))
    assert [one["name"] for one in document["players"]] == ["Anna", "Ben"]
    assert [one["key"] for one in document["games"]] == [game.key]
    assert "rounds" not in document["games"][0]
    import_document(browser_in(app, play_games(app, 0)), document)
