"""While the database is away, the log tells it once and counts; a request can be found in it."""

import logging
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from app.extensions import db
from app.web.infrastructure.logs import network_of
from tests.web_table import PlainGame


def test_an_outage_is_one_line_with_a_traceback_however_many_ask(
    app: Flask, a_running_game: PlainGame, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_statement: Any) -> None:
        raise OperationalError("", {}, OSError("away"))

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", fail)
    try:
        address = f"/games/{a_running_game.key}"
        told = [a_running_game.client.get(address).status_code for _ in range(20)]
    finally:
        event.remove(engine, "before_cursor_execute", fail)
    assert told == [503] * 20
    traced = [record.message for record in caplog.records if record.exc_info]
    assert traced == ["The database or the disk failed."]
    assert a_running_game.client.get(address).status_code == 200


def test_an_answer_names_its_line_in_the_log(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "meldkeeper.requests"):
        answer = client.get("/games/new")
    fields = [vars(record)["fields"] for record in caplog.records if record.message == "request"]
    assert [one["request"] for one in fields] == [answer.headers["X-Request-ID"]]
    assert [one["client"] for one in fields] == ["127.0.0.0/24"]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("", ""),
        ("unix", ""),
    ],
)
def test_of_an_address_only_the_network_is_logged(address: str, network: str) -> None:
    assert network_of(address) == network
