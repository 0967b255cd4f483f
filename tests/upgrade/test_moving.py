"""`flask move-to`: all that 1.0.0 left behind goes to PostgreSQL and back, row by row the same."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.conftest import serving
from tests.postgres import PostgresServer
from tests.upgrade.installation import FILE

SEEN = ("devices", "memberships")
"""Tables that say when somebody was here last."""


@pytest.fixture
def database(upgraded: Path) -> str:
    """Only read."""
    return f"sqlite:///{upgraded / FILE}"


def rows_of(file: Path) -> dict[str, list[str]]:
    """All rows of all tables of a SQLite file."""
    with sqlite3.connect(file) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {
            name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"')))
            for (name,) in tables.fetchall()
            if name != "sqlite_sequence"
        }


@pytest.mark.postgresql
def test_everything_moves_to_postgresql_and_back_and_is_the_same(
    app: Flask, upgraded: Path, postgres: PostgresServer, answers: dict[str, Any], tmp_path: Path
) -> None:
    postgres.execute("CREATE DATABASE moved")
    address = postgres.url("moved")
    told = app.test_cli_runner().invoke(args=["move-to", address])
    assert told.exit_code == 0, told.output
    before = rows_of(upgraded / FILE)
    assert f"players: {len(before['players'])}" in told.output.splitlines()
    with serving(address, INSTANCE_PATH=str(tmp_path)) as there:
        there.config["WTF_CSRF_ENABLED"] = False
        phone = there.test_client()
        phone.set_cookie("meldkeeper", answers["keys"]["cookie"])
        made = phone.post("/group/tokens", data={"name": "made there", "role": "watch"})
        assert made.status_code == 200
        back = there.test_cli_runner().invoke(args=["move-to", "sqlite:///back.sqlite"])
    assert back.exit_code == 0, back.output
    after = rows_of(tmp_path / "back.sqlite")
    assert len(after["tokens"]) == len(before["tokens"]) + 1
    for table in before.keys() - {"tokens", *SEEN}:
        assert after[table] == before[table], table
    assert [len(after[table]) for table in SEEN] == [len(before[table]) for table in SEEN]


def test_nothing_moves_into_a_database_that_holds_something(
    app: Flask, upgraded: Path, tmp_path: Path
) -> None:
    file = tmp_path / "other.sqlite"
    file.write_bytes((upgraded / FILE).read_bytes())
    before = rows_of(file)
    told = app.test_cli_runner().invoke(args=["move-to", f"sqlite:///{file}"])
    assert told.exit_code == 1
    assert "nothing was changed. The target has rows in groups already" in told.output
    assert rows_of(file) == before


@pytest.mark.parametrize("address", ["mysql://here", "postgresql://u:p@ss@here/db", "scores"])
def test_an_address_that_is_none_is_refused_without_its_password(app: Flask, address: str) -> None:
    told = app.test_cli_runner().invoke(args=["move-to", address])
    assert told.exit_code == 2
    assert "p@ss" not in told.output
