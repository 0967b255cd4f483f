"""Two versions on one database while one takes the other's place: the older serves on.

A release's migrations only add; what they leave without use goes a release later. So the release
before works on the newest tables: tried with its own code where the history has it, and by its
tables everywhere.
"""

import subprocess
import threading
from pathlib import Path

import pytest
from flask import Flask
from flask_migrate import downgrade, upgrade
from sqlalchemy import Connection, MetaData, Table, UniqueConstraint, inspect, text

from app.commands.startup import upgrade_database
from app.extensions import db
from app.store.engine import is_usable
from tests.conftest import ON_POSTGRESQL
from tests.servers import TOP, Http, Production
from tests.store.test_migrations import RELEASED, begin_anew
from tests.waiting import wait_until
from tests.web_table import PlainGame

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'results'::regclass"
RELEASE_BEFORE, ITS_SCHEMA = "1.1.0", "0028"


def add_to_each_table(connection: Connection) -> None:
    """What the migration of a next release may do."""
    for table in inspect(connection).get_table_names():
        if table != "alembic_version":
            connection.execute(text(f"ALTER TABLE {table} ADD COLUMN next_release INTEGER"))
    connection.execute(text("CREATE TABLE next_release (id INTEGER PRIMARY KEY)"))
    connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))


def test_a_game_goes_on_while_a_next_release_adds_to_the_tables(
    app: Flask, a_running_game: PlainGame
) -> None:
    with app.app_context(), db.engine.begin() as connection:
        add_to_each_table(connection)
    assert a_running_game.client.get("/readyz").status_code == 200
    upgrade_database(app)  # as a start does
    for number in (2, 3):
        done = a_running_game.close(number, out="Ben", Anna="10", Cleo="10")
        assert done.status_code == 303
    assert "Round 4" in a_running_game.page
    assert "of a newer version" in app.test_cli_runner().invoke(args=["doctor"]).output
    moved = app.test_cli_runner().invoke(args=["move-to", "sqlite:///other.sqlite"])
    assert "newer version" in moved.output


@pytest.mark.parametrize(("revision", "since"), [("9999", "9999"), ("0025", "0025")])
def test_a_version_that_cannot_use_the_tables_is_not_ready(
    app: Flask, revision: str, since: str
) -> None:
    with app.app_context(), db.engine.begin() as connection:
        add_to_each_table(connection)
        connection.execute(
            text("UPDATE alembic_version SET version_num = :revision, usable_since = :since"),
            {"revision": revision, "since": since},
        )
    assert app.test_client().get("/readyz").status_code == 503


@ON_POSTGRESQL
def test_a_migration_that_has_to_wait_for_a_table_keeps_nobody_else_waiting(app: Flask) -> None:
    def start() -> None:
        with app.app_context():
            upgrade()

    with app.app_context():
        downgrade(revision="0030")  # of which the next one adds to the results
        migrating = threading.Thread(target=start)
        with db.engine.connect() as reader, db.engine.connect() as other:
            reader.execute(text("SELECT * FROM results"))
            migrating.start()
            for _ in range(3):
                wait_until(lambda: other.scalar(text(WAITING)))
                other.commit()
                other.execute(text("SET LOCAL lock_timeout = '2s'"))
                other.execute(text("SELECT * FROM results"))
                other.commit()
            reader.commit()
            migrating.join()
            assert is_usable(other)


def tables_of(revision: str) -> MetaData:
    begin_anew(revision)
    tables = MetaData()
    tables.reflect(db.engine)
    return tables


def broken(old: MetaData, new: MetaData) -> set[str]:
    """What code that knows the old tables misses in the new ones, or cannot give them."""
    gone = set(old.tables) - set(new.tables)
    return gone.union(*(_broken(old.tables[one], new.tables[one]) for one in {*old.tables} - gone))


def _broken(old: Table, new: Table) -> set[str]:
    found = {f"{old.name}.{name}" for name in set(old.columns.keys()) - set(new.columns.keys())}
    for column in new.columns:
        known = old.columns.get(column.name)
        demanded = not (column.nullable or column.server_default or column.primary_key)
        if (demanded and (known is None or known.nullable)) or (
            known is not None and str(known.type) != str(column.type)
        ):
            found.add(f"{new.name}.{column.name}")
    return found | {f"{new.name}: {', '.join(one)}" for one in _unique(new) - _unique(old)}


def _unique(table: Table) -> set[tuple[str, ...]]:
    columns = [one.columns for one in table.constraints if isinstance(one, UniqueConstraint)]
    columns += [one.columns for one in table.indexes if one.unique]
    return {tuple(column.name for column in one) for one in columns}


def test_the_newest_tables_have_all_that_the_release_before_knows(app: Flask) -> None:
    with app.app_context():
        first, before = tables_of(RELEASED), tables_of(ITS_SCHEMA)
        newest = tables_of("head")
        assert "log.change" in broken(first, before)  # 1.0.0 was not made for this
        assert broken(before, newest) == set()


def code_of_the_release_before(folder: Path) -> Path:
    """Its code, from the history: the newest commit that set the version to its number."""
    wanted = f'version = "{RELEASE_BEFORE}"'
    search = ["git", "log", "-1", "--format=%H", f"-S{wanted}", "--", "pyproject.toml"]
    commit = subprocess.run(search, cwd=TOP, capture_output=True, text=True).stdout.strip()
    if not commit:
        pytest.skip(f"the history here does not go back to {RELEASE_BEFORE}")
    archive = ["git", "archive", commit, "app", "templates", "static"]
    packed = subprocess.run(archive, cwd=TOP, capture_output=True, check=True)
    folder.mkdir()
    subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)
    return folder


def test_the_code_of_the_release_before_serves_beside_the_new_one(tmp_path: Path) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/scores.sqlite"}
    code = code_of_the_release_before(tmp_path / "code")
    folders = [tmp_path / "old", tmp_path / "new"]
    for folder in folders:
        folder.mkdir()
    with Production(folders[0], settings, top=code) as old:
        phone = Http(old.port)
        game = PlainGame.started(phone, "frustration", "Anna Ben")
        with Production(folders[1], settings) as new:
            assert phone.get("/readyz").status_code == 200
            assert game.close(1, out="Anna").status_code == 303
            game.client = Http(new.port).like(phone)
            assert game.close(2, out="Ben").status_code == 303
            game.client = phone
            assert "Round 3" in game.page
            again = PlainGame.started(phone, "frustration", "Anna Ben Cleo")
            assert again.client.post(f"/games/{again.key}/stop").status_code < 500
            assert old.stop() == 0
            again.client = Http(new.port).like(phone)
            assert "Cleo" in again.page
