"""Two servers behind the shipped proxy, of which one stops, dies or is not ready."""

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from tests.deployment import proxies
from tests.faults.stream import Stream, streaming
from tests.servers import Http, Production, free_port
from tests.upgrade.test_side_by_side import add_to_each_table
from tests.waiting import wait_until


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[list[Production]]:
    settings = {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'scores.sqlite'}",
        "DRAIN_SECONDS": "60",  # told to stop again, they stop at once
    }
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    with Production(folders[0], settings) as one, Production(folders[1], settings) as other:
        yield [one, other]


def addresses(pair: list[Production]) -> list[str]:
    return [f"127.0.0.1:{server.port}" for server in pair]


def stream_address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'scores.sqlite'}"


def test_a_server_that_stops_says_so_first_and_answers_until_then(tmp_path: Path) -> None:
    with Production(tmp_path, {"DRAIN_SECONDS": "60"}) as server:
        assert server.process is not None
        server.process.terminate()
        wait_until(lambda: Http(server.port).get("/readyz").status_code == 503)
        assert Http(server.port).get("/games/new").status_code == 200
        assert server.stop() == 0  # told twice, it stops at once


@proxies.NEEDS["caddy"]
def test_a_gentle_stop_of_one_host_costs_nobody_an_answer(
    pair: list[Production], tmp_path: Path
) -> None:
    with proxies.caddy(addresses(pair), tmp_path) as port, streaming(port) as stream:
        for server in pair:
            for each in pair:  # a host is stopped only once the proxy knows that both are there
                wait_until(partial(is_sent_taps, each, stream, True))
            assert server.process is not None
            server.process.terminate()
            wait_until(partial(is_sent_taps, server, stream, False))
            assert server.stop() == 0
            server.start()
    refused = [writer.refused for writer in stream.writers]
    assert refused == [[], [], []], (tmp_path / "caddy.log").read_text()
    stream.check(stream_address(tmp_path))


def is_sent_taps(server: Production, stream: Stream, some: bool) -> bool:
    """Does the server answer some of the next taps, or none of them?"""
    before = server.log.read_text().count("/row")
    stream.wait_for_more(15)
    return (server.log.read_text().count("/row") > before) is some


@proxies.NEEDS["caddy"]
def test_a_killed_host_costs_each_connection_one_answer_at_most(
    pair: list[Production], tmp_path: Path
) -> None:
    with proxies.caddy(addresses(pair), tmp_path) as port, streaming(port) as stream:
        stream.wait_for_more(20)
        pair[0].kill()
        stream.wait_for_more(40)
    assert max(writer.refused.count(502) for writer in stream.writers) <= 1
    stream.check(stream_address(tmp_path))


@proxies.NEEDS["caddy"]
def test_a_host_whose_database_has_another_schema_is_sent_no_one(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    with Production(folders[0]) as one, Production(folders[1]) as other:
        with sqlite3.connect(folders[0] / "meldkeeper.sqlite") as connection:
            connection.execute("UPDATE alembic_version SET version_num = '0025'")
        assert Http(one.port).get("/readyz").status_code == 503
        with proxies.caddy(addresses([one, other]), tmp_path) as port:
            wait_until(lambda: is_left_out(one, port), "the proxy has asked whether it is ready")


def is_left_out(server: Production, port: int) -> bool:
    """Does none of ten requests to the proxy come to the server?"""
    before = len(server.lines)
    for _ in range(10):
        assert Http(port).get("/games/none").status_code == 404
    return len(server.lines) == before


@proxies.NEEDS["caddy"]
def test_a_next_version_that_adds_to_the_tables_costs_nobody_an_answer(
    pair: list[Production], tmp_path: Path
) -> None:
    with proxies.caddy(addresses(pair), tmp_path) as port, streaming(port) as stream:
        stream.wait_for_more(20)
        engine = create_engine(stream_address(tmp_path))
        with engine.begin() as connection:
            add_to_each_table(connection)
        engine.dispose()
        for server in pair:  # each is still sent taps
            wait_until(partial(is_sent_taps, server, stream, True))
    assert [writer.refused for writer in stream.writers] == [[], [], []]


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_two_hosts_count_limits_together_and_each_goes_on_by_itself_without_redis(
    tmp_path: Path,
) -> None:
    port = free_port()
    command = ["redis-server", "--port", str(port), "--save", "", "--dir", str(tmp_path)]
    redis = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    settings = {"RATE_LIMIT_STORAGE": f"redis://127.0.0.1:{port}", "WORKERS": "1"}
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    try:
        with Production(folders[0], settings) as one, Production(folders[1], settings) as other:
            phones = [Http(one.port), Http(other.port)]
            told = [phones[number % 2].get("/join/wrong").status_code for number in range(11)]
            assert told == [410] * 10 + [429]
            redis.kill()
            redis.wait()
            assert [phone.get("/join/wrong").status_code for phone in phones] == [410, 410]
    finally:
        redis.kill()
        redis.wait()
