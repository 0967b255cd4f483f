"""What is announced to the engine of push, who is led on to a stream, an engine that is away."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from app import create_app
from app.actions.groups import JoiningBrowser, Role, admit
from app.extensions import db
from app.store.announcements import Announcement, announce_when_committed, take_announcements
from app.store.engine import meaning_to_write
from app.store.games import StoredGame
from app.store.groups import Device, Link, Membership
from app.web.infrastructure.push import DROPPED, SENT, Announcer, announcer_of
from tests.conftest import TEST_KEY
from tests.servers import free_port
from tests.waiting import wait_until
from tests.web_table import PlainGame


@contextmanager
def engine(port: int) -> Iterator[list[str]]:
    """An engine at that port; what it is told."""
    told: list[str] = []

    class Engine(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            told.append(f"{self.command} {self.path} {body}".strip())
            self.send_response(404 if self.command == "DELETE" else 202)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_DELETE = answer  # noqa: N815

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Engine) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield told
        server.shutdown()


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def app(sqlite: str, port: int) -> Iterator[Flask]:
    """The app with push."""
    url = f"http://127.0.0.1:{port}/announce/"
    app = create_app({"DATABASE_URL": sqlite, "SECRET_KEY": TEST_KEY, "PUSH_URL": url})
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    yield app
    with app.app_context():
        db.engine.dispose()


def announcer_at(port: int) -> tuple[Announcer, list[str]]:
    announcer, outcomes = Announcer(f"http://127.0.0.1:{port}"), list[str]()
    announcer.observer = outcomes.append
    return announcer, outcomes


def test_what_waits_for_an_engine_that_is_away_is_merged_by_game(port: int) -> None:
    announcer, outcomes = announcer_at(port)
    for version in (1, 3, 2):
        announcer.announce(Announcement(7, "one", version))
        announcer.announce(Announcement(8, "other", version))
    wait_until(lambda: len(outcomes) > 1)  # tried in vain
    with engine(port) as told:
        wait_until(lambda: outcomes.count(SENT) == 2)
    assert sorted(told) == ["POST /7 one 3", "POST /8 other 3"]


def test_no_more_waits_than_a_thousand_games(port: int) -> None:
    announcer, outcomes = announcer_at(port)
    for number in range(1500):
        announcer.announce(Announcement(7, f"game{number}", 1))
    assert outcomes.count(DROPPED) in (499, 500)  # one may be on its way
    with engine(port) as told:
        wait_until(lambda: outcomes.count(SENT) + outcomes.count(DROPPED) == 1500)
    assert "POST /7 game1499 1" in told


def test_an_engine_that_never_answers_holds_up_no_request(app: Flask, port: int) -> None:
    announcer = announcer_of(app)
    assert announcer
    announcer._connection.timeout = None
    with socket.create_server(("127.0.0.1", port)) as engine:
        game = PlainGame.started(app.test_client(), "aggravation-rummy", "Anna Ben Cleo")
        taken, _address = engine.accept()
        with taken:
            assert game.close(1, out="Anna", met="Ben", Ben="15", Cleo="30").status_code == 303


def version_of(app: Flask, key: str) -> int | None:
    with app.app_context():
        return db.session.scalar(select(StoredGame.version).where(StoredGame.key == key))


def test_each_committed_change_is_announced_by_game_and_version_and_no_refused_one(
    app: Flask, port: int
) -> None:
    with engine(port) as told:
        game = PlainGame.started(app.test_client(), "aggravation-rummy", "Anna Ben Cleo")
        wait_until(lambda: told == [f"POST /announce/1 {game.key} 1"])
        assert game.close(1, out="Anna", Ben="x").status_code == 422
        assert game.close(1, out="Anna", met="Ben", Ben="15", Cleo="30").status_code == 303
        newest = f"POST /announce/1 {game.key} {version_of(app, game.key)}"
        wait_until(lambda: told[1:] == [newest])


def test_what_is_taken_back_is_not_announced_with_what_the_session_commits_next(app: Flask) -> None:
    with app.app_context():
        session = db.session()
        session.execute(select(StoredGame.id))
        announce_when_committed(session, Announcement(1, "one", 2))
        session.rollback()
        assert take_announcements(session) == []


def admitted(app: Flask, role: Role) -> FlaskClient:
    client = app.test_client()
    with app.app_context(), meaning_to_write():
        joined = admit(db.session(), JoiningBrowser(), 1, role, datetime.now(UTC))
        db.session.commit()
    client.set_cookie("meldkeeper", joined.secret)
    return client


@pytest.mark.parametrize("seen", [timedelta(), timedelta(hours=1)], ids=["now", "an hour ago"])
def test_who_may_see_the_game_is_led_on_to_the_stream_of_its_group_and_no_one_else(
    app: Flask, port: int, seen: timedelta
) -> None:
    manager, stranger = app.test_client(), app.test_client()
    game = PlainGame.started(manager, "aggravation-rummy", "Anna Ben Cleo")
    PlainGame.started(stranger, "frustration", "Xaver Yves")
    inside = {role: admitted(app, role) for role in Role}

    def stream_of(client: FlaskClient, seen_version: int = 1) -> tuple[int, str | None]:
        with app.app_context(), meaning_to_write():
            db.session.execute(update(Membership).values(seen_at=datetime.now(UTC) - seen))
            db.session.commit()
        answer = client.get(f"/games/{game.key}/stream?v={seen_version}")
        return answer.status_code, answer.headers.get("X-Accel-Redirect")

    assert {stream_of(one) for one in (manager, *inside.values())} == {(204, "/push/1")}
    assert {stream_of(one) for one in (stranger, app.test_client())} == {(404, None)}
    assert stream_of(manager, seen_version=0) == (204, None)  # it has to ask first
    with engine(port) as told:
        with app.app_context():
            newest = db.session.scalars(select(Device.id).order_by(Device.id.desc())).first()
        assert manager.post(f"/group/devices/{newest}/put-out").status_code == 303
        wait_until(lambda: "DELETE /announce/1" in told)
        assert stream_of(inside[Role.MANAGE]) == (404, None)
        told.clear()
        manager.post(f"/games/{game.key}/bin")
        wait_until(lambda: "DELETE /announce/1" in told)
    assert stream_of(manager) == (404, None)


def test_a_group_that_a_command_removes_or_takes_devices_from_hears_of_it(
    app: Flask, port: int
) -> None:
    for client in (app.test_client(), app.test_client()):
        PlainGame.started(client, "frustration", "Anna Ben")
    run = app.test_cli_runner().invoke
    assert run(args=["group", "link", "2"]).exit_code == 0
    with app.app_context(), meaning_to_write():
        by_link = {"link_id": select(Link.id).scalar_subquery()}
        db.session.execute(update(Membership).values(by_link))
        db.session.commit()
    with engine(port) as told:
        assert run(args=["group", "link", "2", "--remove"]).exit_code == 0
        assert "DELETE /announce/2" in told
        assert run(args=["group", "delete", "1", "--yes"]).exit_code == 0
        assert "DELETE /announce/1" in told


@pytest.mark.parametrize("push", [True, False])
def test_only_with_push_do_pages_listen(sqlite: str, port: int, push: bool) -> None:
    url = f"http://127.0.0.1:{port}" if push else ""
    app = create_app({"DATABASE_URL": sqlite, "SECRET_KEY": TEST_KEY, "PUSH_URL": url})
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    game = PlainGame.started(app.test_client(), "aggravation-rummy", "Anna Ben Cleo")
    assert ("data-push" in game.page) is push
    answer = game.client.get(f"/games/{game.key}/stream")
    assert answer.status_code == (204 if push else 404)
    with app.app_context():
        db.engine.dispose()


def test_the_doctor_says_that_the_engine_cannot_be_told(app: Flask, port: int) -> None:
    def examine() -> str:
        return app.test_cli_runner().invoke(args=["doctor"]).output

    assert "mend  push: the engine at PUSH_URL cannot be told" in examine()
    with engine(port):
        assert "ok    push" in examine()
