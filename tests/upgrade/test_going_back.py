"""Going back to a copy on PostgreSQL, by the very commands that the README gives for it."""

import os
import re
import subprocess
from pathlib import Path

import psycopg
import pytest

from tests.postgres import PostgresServer
from tests.servers import TOP

UPDATING = (TOP / "README.md").read_text().partition("### Updating")[2].partition("\n### ")[0]


def told(program: str) -> str:
    """The README's one command of that program."""
    (found,) = re.findall(rf"^{program} .*|(?<=`){program} [^`]+", UPDATING, re.MULTILINE)
    return str(found)


@pytest.mark.postgresql
def test_a_newer_version_leaves_nothing_behind(postgres: PostgresServer, tmp_path: Path) -> None:
    postgres.copy("migrated", "taken_back")
    address = postgres.url("taken_back")
    path = f"{postgres.programs}:{os.environ['PATH']}"

    def run(program: str) -> None:
        environment = {**os.environ, "PATH": path, "DATABASE_URL": address}
        subprocess.run(told(program), shell=True, check=True, cwd=tmp_path, env=environment)

    run("pg_dump")
    with psycopg.connect(address) as connection:
        before = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        connection.execute("CREATE TABLE next_release (game_id INTEGER REFERENCES games)")
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    run("psql")
    run("pg_restore")
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == before
        assert connection.execute("SELECT to_regclass('next_release')").fetchone() == (None,)
    postgres.drop("taken_back")
