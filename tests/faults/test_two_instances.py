"""Two servers on one database: what one is told the other shows, and a round closes once."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, func, select

from app.store.games import LogEntry
from tests.conftest import ON_POSTGRESQL
from tests.faults.stream import streaming
from tests.servers import Http, Production
from tests.web_table import PlainGame

TIMES = 5


@pytest.fixture
def pair(tmp_path: Path, database: str) -> Iterator[tuple[Production, Production]]:
    settings = {"DATABASE_URL": database}
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    with Production(folders[0], settings) as one, Production(folders[1], settings) as other:
        yield one, other


def test_two_instances_that_close_one_round_at_once_close_it_once_and_both_show_it(
    pair: tuple[Production, Production], database: str
) -> None:
    one, other = pair
    host = Http(one.port)
    guest = Http(other.port).like(host)
    statuses: list[tuple[int, ...]] = []
    for _ in range(TIMES):
        game = PlainGame.started(host, "frustration", "Anna Ben")
        guest.like(host)
        sent = game.sent(out="Anna")
        together = threading.Barrier(2)
        answers: list[Any] = []

        def close(
            phone: Http, key: str, game=game, sent=sent, together=together, answers=answers
        ) -> None:
            form = {**sent, "request_key": key}
            together.wait()
            answers.append(phone.post(f"/games/{game.key}/rounds/1/close", form).status_code)

        phones = [
            threading.Thread(target=close, args=(phone, f"{game.key}-{number}"))
            for number, phone in enumerate((host, guest))
        ]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
        statuses.append(tuple(sorted(answers)))
        for browser in (host, guest):
            assert "Round 2" in browser.get(f"/games/{game.key}").get_data(as_text=True)
    assert statuses == [(303, 409)] * TIMES
    engine = create_engine(database)
    with engine.connect() as connection:
        closings = select(func.count()).select_from(LogEntry).where(LogEntry.kind == "closed")
        assert connection.scalar(closings) == TIMES
    engine.dispose()


@ON_POSTGRESQL  # on SQLite: test_kills.py, and behind a proxy test_two_hosts.py
def test_phones_that_change_between_two_instances_as_they_are_killed_lose_nothing(
    pair: tuple[Production, Production], database: str
) -> None:
    one, other = pair
    with streaming(one.port, other.port) as stream:
        for server in (one, other):
            stream.wait_for_more(10)
            server.kill()
            stream.wait_for_more(10)
            server.start()
    stream.check(database)
