"""Killed without warning in the middle of a stream of writes: nothing acknowledged is lost.

`MELDKEEPER_KILLS` says how often; `make chaos` sets it to hundreds.
"""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ON_SQLITE
from tests.faults.stream import streaming
from tests.servers import Production

KILLS = int(os.environ.get("MELDKEEPER_KILLS", "2"))
LONG = pytest.mark.timeout(900 + KILLS * 10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def server(folder: Path, database: str) -> Iterator[Production]:
    with Production(folder, {"DATABASE_URL": database}) as running:
        yield running


@LONG
def test_a_worker_killed_again_and_again_loses_no_acknowledged_tap(
    server: Production, database: str
) -> None:
    chance = random.Random(KILLS)
    with streaming(server.port) as stream:
        for _ in range(KILLS):
            stream.wait_for_more(chance.randint(1, 25))
            os.kill(chance.choice(server.workers), signal.SIGKILL)
            stream.wait_for_more(3)
    stream.check(database)


@LONG
@ON_SQLITE  # to PostgreSQL it is as if a worker died
def test_the_whole_server_killed_again_and_again_loses_no_acknowledged_tap(
    server: Production, database: str
) -> None:
    chance = random.Random(KILLS)
    with streaming(server.port) as stream:
        for _ in range(KILLS):
            stream.wait_for_more(chance.randint(1, 25))
            server.kill()
            server.start()
            stream.wait_for_more(3)
    stream.check(database)


@LONG
@ON_SQLITE
def test_restarted_gently_again_and_again_it_loses_no_acknowledged_tap(
    server: Production, database: str
) -> None:
    with streaming(server.port) as stream:
        for _ in range(KILLS):
            stream.wait_for_more(10)
            assert server.stop() == 0
            server.start()
            stream.wait_for_more(3)
    stream.check(database)
