"""Another phone changes the game while a request is refused: it is answered, and for its round."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context
from itertools import product

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from sqlalchemy.orm import Session

from tests.web_table import PlainGame, fields_of

TYPED = "77"


def join(game: PlainGame) -> None:
    assert post(game, "players", name="Dora", contract="1", score="0") == 303


def leave(game: PlainGame) -> None:
    assert post(game, f"players/{game.seats['Cleo']}/leave") == 303


def close(game: PlainGame) -> None:
    assert game.close(2, out="Anna", met="Ben", Ben="15", Cleo="30").status_code == 303


def undo(game: PlainGame) -> None:
    assert post(game, "rounds/1/undo") == 303


REFUSED: dict[str, Callable[[PlainGame], dict[str, str]]] = {
    "stale": lambda game: game.sent(out="Ben", Anna=TYPED, Cleo="5") | {"seen": "1"},
    "refused": lambda game: game.sent(out="Ben", Anna=TYPED, Cleo="no number"),
    "doubted": lambda game: game.sent(Anna=TYPED, Ben="3", Cleo="5"),
}


def test_a_refused_round_is_shown_as_the_table_is_by_then(app: Flask, client: FlaskClient):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    for (name, sent), other in product(REFUSED.items(), (join, leave, close, undo)):
        game = in_round_2(client)
        taps = sent(game)
        with at_the_rollback(lambda: other(same_phone(app, game))):  # noqa: B023 (called at once)
            answer = game.close(2, taps)
        assert answer.status_code in (409, 422), (name, other)
        shown = fields_of(answer.get_data(as_text=True), "round")
        assert (TYPED in shown.values()) == (other not in (close, undo)), (name, other)


def test_a_refused_mending_is_shown_whatever_became_of_its_round(app: Flask, client: FlaskClient):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    for other in (join, leave, undo):
        game = in_round_2(client)
        address = f"/games/{game.key}/rounds/1"
        sent = fields_of(client.get(address).get_data(as_text=True), "round")
        sent[f"{game.seats['Ben']}-typed"] = "no number"
        with at_the_rollback(lambda: other(same_phone(app, game))):  # noqa: B023 (called at once)
            assert client.post(address, data=sent).status_code == 422


def test_a_refused_form_of_an_earlier_round_leads_to_the_open_one(app: Flask, client: FlaskClient):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    game = in_round_2(client)
    join(game)
    for sent in ({"first_down": "0"}, {"out": "x"}, game.sent(Anna="no number")):
        assert game.close(1, sent).status_code == 409


@contextmanager
def at_the_rollback(act: Callable[[], object]) -> Iterator[None]:
    """Do something as soon as the request at hand gives up what it has read."""
    waiting = [act]

    def do(_session: Session) -> None:
        if waiting:
            Context().run(waiting.pop())  # as another request of the same process

    event.listen(Session, "after_rollback", do)
    try:
        yield
    finally:
        event.remove(Session, "after_rollback", do)
    assert not waiting


def in_round_2(client: FlaskClient) -> PlainGame:
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    assert game.close(1, out="Anna", met="Ben", Ben="15", Cleo="30").status_code == 303
    return game


def same_phone(app: Flask, game: PlainGame) -> PlainGame:
    """The game in another window of the phone."""
    cookie = game.client.get_cookie("meldkeeper")
    assert cookie is not None
    window = app.test_client()
    window.set_cookie("meldkeeper", cookie.value)
    return PlainGame(window, game.key, game.seats)


def post(game: PlainGame, where: str, **fields: str) -> int:
    return game.client.post(f"/games/{game.key}/{where}", data=fields).status_code
