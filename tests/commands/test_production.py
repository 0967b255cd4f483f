"""`make serve`: starts, says how it is, logs no secret, measures. How it stops: tests/faults."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import TOP, Http, Production, ServerStopped
from tests.waiting import wait_until
from tests.web_table import PlainGame

TOKEN = "0123456789-measure"
PATTERN = "/games/<key>/live"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    folder = tmp_path_factory.mktemp("production")
    settings = {"METRICS_TOKEN": TOKEN, "NIGHTLY_COPIES": "3"}
    with Production(folder, settings, anew=True) as running:
        yield running


def test_a_game_is_played_on_it(server: Production) -> None:
    game = PlainGame.started(Http(server.port), "aggravation-rummy", "Anna Ben Cleo")
    assert game.close(1, out="Anna", Ben="15", Cleo="20").status_code == 303
    assert "Round 2" in game.page


def test_it_says_that_it_lives_and_that_it_is_ready(server: Production) -> None:
    for address in ("/healthz", "/readyz"):
        assert Http(server.port).get(address).status_code == 200


def test_each_request_is_one_line_without_the_address_that_may_hold_a_secret(
    server: Production,
) -> None:
    secret = "abcDEF0123456789-the-secret-of-a-link"
    Http(server.port).get(f"/join/{secret}?also={secret}", {"Cookie": f"meldkeeper={secret}"})
    Http(server.port).get("/games/new/frustration")
    requests = [line for line in server.lines if line["from"] == "meldkeeper.requests"]
    assert "/games/new/<variant_id>" in [line["address"] for line in requests]
    assert {"at", "method", "status", "ms"} <= set(requests[-1])
    assert secret not in server.log.read_text()


def test_measurements_are_shown_for_the_token_alone(server: Production) -> None:
    Http(server.port).get("/games/new/frustration")
    assert Http(server.port).get("/metrics").status_code == 404
    assert Http(server.port).get("/metrics", {"Authorization": "Bearer x"}).status_code == 404
    shown = Http(server.port).get("/metrics", {"Authorization": f"Bearer {TOKEN}"})
    assert shown.status_code == 200
    assert 'meldkeeper_requests_total{address="/games/new/<variant_id>"' in shown.get_data(
        as_text=True
    )


def test_measurements_are_mapped_from_memory_so_that_a_full_disk_ends_no_process(
    server: Production,
) -> None:
    Http(server.port).get("/games/new/frustration")
    maps = [Path(f"/proc/{worker}/maps").read_text() for worker in server.workers]
    mapped = [line.split()[-1] for text in maps for line in text.splitlines() if ".db" in line]
    assert mapped
    assert {Path(file).parts[1:3] for file in mapped} == {("dev", "shm")}


def test_checks_that_find_nothing_new_are_measured_and_not_logged(server: Production) -> None:
    phone = Http(server.port)
    game = PlainGame.started(phone, "frustration", "Anna Ben")
    address = f"/games/{game.key}/live"
    version = re.search(r'data-version="(\d+)"', game.page)[1]

    def logged() -> int:
        return sum(
            (one.get("address"), one.get("status")) == (PATTERN, 204) for one in server.lines
        )

    def measured() -> float:
        shown = phone.get("/metrics", {"Authorization": f"Bearer {TOKEN}"}).get_data(as_text=True)
        line = rf'meldkeeper_requests_total{{address="{PATTERN}",method="GET",status="204"}} (.+)'
        found = re.search(line, shown)
        return float(found[1]) if found else 0.0

    before = measured()
    for _ in range(20):
        assert phone.get(f"{address}?v={version}").status_code == 204
    assert (logged(), measured()) == (0, before + 20)


def test_a_fault_stands_in_the_log_once_as_json(server: Production) -> None:
    phone = Http(server.port)
    game = PlainGame.started(phone, "frustration", "Anna Ben")
    with sqlite3.connect(server.folder / "meldkeeper.sqlite") as connection:
        damaged = "UPDATE games SET rules = '{}', key = 'broken' WHERE key = ?"
        connection.execute(damaged, (game.key,))
    assert phone.get("/games/broken").status_code == 500
    faults = [line for line in server.lines if "fault" in line]  # each line is JSON
    assert [line["message"] for line in faults] == ["Fault in GET /games/<key>"]
    assert "Traceback" not in server.log.read_text()


def test_the_copy_of_the_night_is_made(server: Production) -> None:
    wait_until(lambda: list((server.folder / "backups").glob("nightly-*.sqlite")))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WORKERS", "0"),
        ("LISTEN", "everywhere"),
        ("METRICS_TOKEN", "short"),
        ("DATABASE_URL", "postgresql://localhost:1/none"),
    ],
)
def test_it_does_not_start_with_a_setting_that_cannot_be_and_names_it(
    tmp_path: Path, name: str, value: str
) -> None:
    server = Production(tmp_path, {name: value})
    with pytest.raises(ServerStopped) as stopped:
        server.start()
    assert server.process is not None
    assert server.process.poll() == 1
    assert ("database" if name == "DATABASE_URL" else name) in str(stopped.value)
    assert "Traceback" not in str(stopped.value)


def test_a_command_names_a_setting_that_cannot_be(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "app", "doctor"],
        cwd=TOP,
        env={"INSTANCE_PATH": str(tmp_path), "DATABASE_URL": "mysql://x"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == "Error: DATABASE_URL: starts with sqlite: or postgresql:\n"
