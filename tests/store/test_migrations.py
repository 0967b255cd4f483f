"""The migrations: from every released schema to the newest, with data in place, one at a time."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from flask_migrate import downgrade, upgrade
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    create_engine,
    inspect,
    select,
)

from app import create_app
from app.extensions import db
from app.rules.rule_sets import family_rule_sets, to_dict
from app.store.base import Base
from app.store.engine import revision_of
from app.store.games import StoredGame
from app.store.queries.games import load_game
from tests.conftest import ON_SQLITE
from tests.forking import FORKING
from tests.upgrade.installation import FILE, unpacked

FOLDER = Path(__file__).parents[2] / "app/store/migrations"
REVISIONS = sorted(one.revision for one in ScriptDirectory(str(FOLDER)).walk_revisions())
RELEASED = REVISIONS[0]
"""The schema of 1.0.0."""
ROWS = 2
DROPPED = {
    "answered_keys",
    "player_tallies",
    "contract_tallies",
    "stuck_tallies",
    "rival_tallies",
    "streaks",
}
"""Tables of which nothing is brought over, with the reason in the migration that drops them."""
ANEW = {"results": {"seconds", "margin"}}
"""What a later migration says of stopped games and ties in other numbers."""
MADE_ANEW = {"results"}
"""What the last migration takes away of games with stand-ins; a start of the app makes it anew."""


def test_the_migrations_make_exactly_the_tables_of_the_models(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


@ON_SQLITE
def test_the_first_migration_makes_exactly_the_tables_of_the_first_release(
    app: Flask, tmp_path: Path
) -> None:
    (tmp_path / FILE).write_bytes(unpacked(FILE))
    released = MetaData()
    released.reflect(create_engine(f"sqlite:///{tmp_path / FILE}"))
    released.remove(released.tables["alembic_version"])
    with app.app_context():
        begin_anew()
        with db.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), released) == []


def test_the_migrations_go_down_to_the_release_before_and_up_again(app: Flask) -> None:
    with app.app_context():
        downgrade(revision=REVISIONS[1])
        assert "removals" not in inspect(db.engine).get_table_names()
        upgrade()
        assert "removals" in inspect(db.engine).get_table_names()


def test_that_only_the_copy_leads_back_to_the_first_release_is_said_and_changes_nothing(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    with app.app_context():
        with pytest.raises(SystemExit):
            downgrade(revision=RELEASED)
        assert "the copy made before" in caplog.text
        with db.engine.connect() as connection:
            assert revision_of(connection) == REVISIONS[-1]
            assert "removals" in inspect(connection).get_table_names()


def test_the_migrations_are_one_line_without_branches() -> None:
    assert len(ScriptDirectory(str(FOLDER)).get_heads()) == 1


def test_each_migration_and_all_of_them_together_keep_what_the_database_held(app: Flask) -> None:
    with app.app_context():
        begin_anew()
        tables = tables_now()
        for revision in REVISIONS[1:]:
            tables = kept_by_upgrade_to(revision, tables)
        check_that_games_can_be_read()
        begin_anew()
        kept_by_upgrade_to(REVISIONS[-1], tables_now())
        check_that_games_can_be_read()


def check_that_games_can_be_read() -> None:
    games = db.session.scalars(select(StoredGame.id)).all()
    assert [len(load_game(db.session(), game).game.names) for game in games] == [1] * ROWS
    db.session.rollback()


def kept_by_upgrade_to(revision: str, tables: list[Table]) -> list[Table]:
    """Fill these tables, upgrade, and see that each row is there with what it held.

    Answers the tables as they are then.
    """
    with db.engine.begin() as connection:
        fill(connection, tables)
        before = content(connection, tables)
    upgrade(revision=revision)
    db.engine.dispose()  # PostgreSQL has prepared questions for the tables as they were
    tables = tables_now()
    with db.engine.begin() as connection:
        after = content(connection, tables)
    for table, rows in before.items():
        if table in DROPPED:
            continue
        assert table in after, f"the table {table} is gone"
        if table in MADE_ANEW and REVISIONS[-1] == revision:
            continue
        assert len(rows) == len(after[table]) == ROWS
        for old, new in zip(rows, after[table], strict=True):
            kept = (old.keys() & new.keys()) - ANEW.get(table, set())
            assert {name: new[name] for name in kept} == {name: old[name] for name in kept}
    return tables


def test_what_one_device_did_at_one_moment_becomes_one_change(app: Flask) -> None:
    noon, one = (datetime(2026, 11, 20, hour, tzinfo=UTC).replace(tzinfo=None) for hour in (12, 13))
    log = [(noon, None, "a"), (noon, None, "a"), (noon, 1, "a"), (noon, 1, "b"), (one, 1, "b")]
    with app.app_context():
        begin_anew()
        with db.engine.begin() as connection:
            tables = tables_now()
            fill(connection, tables)
            (table,) = (one for one in tables if one.name == "log")
            connection.execute(table.delete())
            row = _row(table, 1)
            for game, first in ((1, 5), (2, 1)):
                for version, (at, device, name) in enumerate(log, start=first):
                    of_entry = {"at": at, "device_id": device, "device_name": name}
                    named = {"id": 10 * game + version, "game_id": game, "version": version}
                    connection.execute(table.insert().values(row | of_entry | named))
        upgrade()
        with db.engine.connect() as connection:
            found = [
                (one["game_id"], one["change"]) for one in content(connection, tables_now())["log"]
            ]
    assert found == [(1, n) for n in (5, 5, 7, 8, 9)] + [(2, n) for n in (1, 1, 3, 4, 5)]


@pytest.mark.parametrize("revision", ["", RELEASED])
def test_several_processes_that_start_at_once_migrate_once(
    app: Flask, database: str, revision: str
) -> None:
    with app.app_context():
        begin_anew(revision)
        if revision:
            with db.engine.begin() as connection:
                fill(connection, tables_now())
        db.engine.dispose()
    starting = [FORKING.Process(target=_start, args=(database,)) for _ in range(3)]
    for process in starting:
        process.start()
    for process in starting:
        process.join()
    assert [process.exitcode for process in starting] == [0] * len(starting)
    with app.app_context(), db.engine.connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == REVISIONS[-1]
        assert all(len(rows) in (0, ROWS) for rows in content(connection, tables_now()).values())


def _start(url: str) -> None:
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "only for these tests"})
    with app.app_context():
        upgrade()


def begin_anew(revision: str = RELEASED) -> None:
    """Make the database empty, and then the tables of this revision."""
    schema = MetaData()
    schema.reflect(db.engine)
    schema.drop_all(db.engine)
    if revision:
        upgrade(revision=revision)
    db.engine.dispose()  # PostgreSQL has prepared questions for the tables as they were


def tables_now() -> list[Table]:
    """All tables of ours in whatever schema the database has, parents first."""
    schema = MetaData()
    schema.reflect(db.engine)
    return [one for one in schema.sorted_tables if one.name != "alembic_version"]


def fill(connection: Connection, tables: list[Table]) -> None:
    """Put rows into every table, and into it nothing else. Each row has parents of its own."""
    for table in reversed(tables):
        connection.execute(table.delete())
    for table in tables:
        for number in range(1, ROWS + 1):
            connection.execute(table.insert().values(_row(table, number)))


def content(connection: Connection, tables: list[Table]) -> dict[str, list[dict[str, Any]]]:
    """All rows of these tables, in the order of their first column."""
    return {
        table.name: [
            dict(row._mapping)
            for row in connection.execute(table.select().order_by(*table.primary_key))
        ]
        for table in tables
    }


def _row(table: Table, number: int) -> dict[str, Any]:
    made = {column.name: _value(column, number) for column in table.columns}
    if table.name == "games":
        made["rules"] = to_dict(next(iter(family_rule_sets().values())))
    if "missed" in made:
        made["missed"] = [[number, number]]
    return made


def _value(column: Column[Any], number: int) -> Any:
    if column.foreign_keys:
        return number
    if isinstance(column.type, Boolean):
        return True
    if isinstance(column.type, DateTime):
        return datetime(2026, 11, 20, 12, number, tzinfo=UTC).replace(tzinfo=None)
    if isinstance(column.type, JSON):
        return {"number": number}
    if isinstance(column.type, LargeBinary):
        return bytes([number])
    return number if isinstance(column.type, Integer) else f"{column.name[:4]}{number}"
