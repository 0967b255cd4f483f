"""Copies of the scores: made while people play, checked, brought back, rotated; and the doctor."""

import os
import re
import sqlite3
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskCliRunner
from flask_migrate import downgrade
from limits.storage import storage_from_string

from app import __version__, create_app
from app.actions.requests import KEPT_FOR
from app.commands.startup import backup_folder, do_nightly_work, upgrade_database
from app.extensions import db, limiter
from app.store.backups import find_faults, nightly_backups
from app.store.games import LogEntry
from app.store.groups import IdempotencyKey
from app.store.queries.games import last_change_times
from tests.conftest import serving
from tests.postgres import PostgresServer
from tests.servers import free_port
from tests.web_table import PlainGame

TODAY = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)


@pytest.fixture
def database(sqlite: str) -> str:
    """Copies are SQLite's own."""
    return sqlite


@pytest.fixture
def shell(app: Flask) -> FlaskCliRunner:
    return app.test_cli_runner()


def file_of(app: Flask) -> Path:
    return Path(app.instance_path) / "meldkeeper.sqlite"


def copy_made(shell: FlaskCliRunner, target: Path) -> Path:
    done = shell.invoke(args=["backup", str(target)])
    assert done.exit_code == 0, done.output
    return target


def test_what_was_played_since_the_copy_is_gone_after_restoring_and_the_rest_is_back(
    shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    assert a_running_game.close(2, out="Ben", Anna="10", Cleo="10").status_code == 303
    done = shell.invoke(args=["restore", str(copy)])
    assert done.exit_code == 0, done.output
    assert "Round 2" in a_running_game.page
    assert a_running_game.close(2, out="Ben", Anna="10", Cleo="10").status_code == 303


def test_what_was_there_before_restoring_is_kept(
    app: Flask, shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    a_running_game.close(2, out="Ben", Anna="10", Cleo="10")
    shell.invoke(args=["restore", str(copy)])
    kept = next(backup_folder(app).glob("before-restore-*"))
    done = shell.invoke(args=["restore", str(kept)])
    assert done.exit_code == 0, done.output
    assert "Round 3" in a_running_game.page


def test_scores_are_copied_and_restored_in_a_folder_of_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "50% a%20b ?c=d #é"
    app = create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": "only for these tests"})
    upgrade_database(app)
    shell = app.test_cli_runner()
    copy = copy_made(shell, folder / "copy.sqlite")
    done = shell.invoke(args=["restore", str(copy)])
    assert done.exit_code == 0, done.output
    assert list(tmp_path.iterdir()) == [folder]


def test_a_copy_is_of_one_moment_though_people_write_meanwhile(
    app: Flask, shell: FlaskCliRunner, tmp_path: Path
) -> None:
    with sqlite3.connect(file_of(app)) as connection:
        connection.execute("CREATE TABLE pairs (one INTEGER, other INTEGER)")
        connection.execute("INSERT INTO pairs VALUES (0, 0)")
    stop = threading.Event()

    def write() -> None:
        with sqlite3.connect(file_of(app), timeout=20) as writer:
            while not stop.is_set():
                writer.execute("UPDATE pairs SET one = one + 1, other = other + 1")
                writer.commit()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [copy_made(shell, tmp_path / f"{number}.sqlite") for number in range(5)]
    finally:
        stop.set()
        writer.join()
    for copy in copies:
        with sqlite3.connect(copy) as connection:
            one, other = connection.execute("SELECT one, other FROM pairs").fetchone()
            assert one == other


def _cut(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])


def _scribble(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    for place in range(5000, len(content), 4096):
        content[place : place + 300] = b"\xff" * 300
    copy.write_bytes(content)


def _orphan(copy: Path) -> None:
    with sqlite3.connect(copy) as connection:
        connection.execute("DELETE FROM games")


def _replace_by_text(copy: Path) -> None:
    copy.write_text("These are nos.")


def _say_schema(file: Path, revision: str) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])


def _make_newer(copy: Path) -> None:
    _say_schema(copy, "9999")


def _forget_the_schema(copy: Path) -> None:
    with sqlite3.connect(copy) as connection:
        connection.execute("DELETE FROM alembic_version")


def _replace_by_another_database(copy: Path) -> None:
    copy.unlink()
    with sqlite3.connect(copy) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("CREATE TABLE games (id INTEGER)")


def _break_the_upgrade(copy: Path) -> None:
    _say_schema(copy, "0028")


def _replace_by_a_pipe(copy: Path) -> None:
    copy.unlink()
    os.mkfifo(copy)


HARMS = [
    _cut,
    _scribble,
    _orphan,
    _replace_by_text,
    _make_newer,
    _forget_the_schema,
    _replace_by_another_database,
    _break_the_upgrade,
    _replace_by_a_pipe,
]


@pytest.mark.parametrize("harm", HARMS)
def test_a_copy_that_cannot_be_used_changes_nothing(
    app: Flask, shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path, harm
) -> None:
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    harm(copy)
    before = set(tmp_path.iterdir()), sorted(file_of(app).parent.rglob("*.sqlite*"))
    content = list(sqlite3.connect(file_of(app)).iterdump())
    done = shell.invoke(args=["restore", str(copy)])
    assert done.exit_code == 1
    assert "nothing was changed" in done.output
    assert list(sqlite3.connect(file_of(app)).iterdump()) == content
    assert (set(tmp_path.iterdir()), sorted(file_of(app).parent.rglob("*.sqlite*"))) == before
    assert "Round 2" in a_running_game.page


def test_a_copy_of_an_older_version_is_brought_up_to_date_before_it_is_put_in_place(
    app: Flask, shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    with app.app_context():
        downgrade(revision="0028", x_arg=[f"database=sqlite:///{copy}"])
    a_running_game.close(2, out="Ben", Anna="10", Cleo="10")
    done = shell.invoke(args=["restore", str(copy)])
    assert done.exit_code == 0, done.output
    assert "Round 2" in a_running_game.page


def test_where_the_copy_cannot_be_put_in_place_it_is_said_where_the_old_scores_are(
    app: Flask,
    shell: FlaskCliRunner,
    a_running_game: PlainGame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.store.backups._PATIENCE", 0.1)
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    a_running_game.close(2, out="Ben", Anna="10", Cleo="10")
    with sqlite3.connect(file_of(app)) as busy:
        busy.execute("BEGIN IMMEDIATE")
        done = shell.invoke(args=["restore", str(copy)])
    assert done.exit_code == 1
    aside = next(backup_folder(app).glob("before-restore-*"))
    assert str(aside) in done.output
    assert "Round 3" in a_running_game.page


def test_phones_notice_a_restored_game_since_its_version_only_goes_up(
    app: Flask, shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    def version() -> int:
        return int(re.search(r'data-version="(\d+)"', a_running_game.page)[1])

    copy = copy_made(shell, tmp_path / "copy.sqlite")
    a_running_game.close(2, out="Ben", Anna="10", Cleo="10")
    seen = version()
    for _ in range(2):
        shell.invoke(args=["restore", str(copy)])
        assert version() > seen
        seen = version()


def test_a_restored_game_was_changed_last_when_the_copy_says(
    app: Flask, shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    def last_changes() -> Mapping[int, datetime]:
        with app.app_context():
            return last_change_times(db.session(), [1])

    before = last_changes()
    shell.invoke(args=["restore", str(copy_made(shell, tmp_path / "copy.sqlite"))])
    assert last_changes() == before != {}


def test_a_tap_that_waited_on_a_phone_while_a_copy_was_restored_is_asked_about(
    shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    def tap(seen: int, typed: str) -> int:
        field = f"{a_running_game.seats['Ben']}-typed"
        sent = {"changed": field, field: typed, "seen": str(seen)}
        address = f"/games/{a_running_game.key}/rounds/2/row"
        phone = a_running_game.client
        return phone.post(address, data=sent, headers={"HX-Request": "true"}).status_code

    def version() -> int:
        return int(re.search(r'data-version="(\d+)"', a_running_game.page)[1])

    seen = [version()]
    for typed in ("11", "12"):
        assert tap(seen[-1], typed) == 200
        seen.append(version())
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    assert tap(seen[-1], "13") == 200
    seen.append(version())
    shell.invoke(args=["restore", str(copy)])
    assert {tap(one, "14") for one in seen} == {409}
    restored = version()
    assert tap(restored, "15") == 200
    assert tap(restored, "16") == 200  # what this phone itself said meanwhile asks nothing
    assert tap(seen[-1], "17") == 409


def test_a_damaged_database_is_kept_aside_and_the_copy_takes_its_place(
    app: Flask, shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    with app.app_context():
        db.engine.dispose()
    file_of(app).write_bytes(b"nothing but rubbish" * 1000)
    done = shell.invoke(args=["restore", str(copy)])
    assert done.exit_code == 0, done.output
    assert next(backup_folder(app).glob("before-restore-*.sqlite")).read_bytes()[:7] == b"nothing"
    assert "Round 2" in a_running_game.page


def test_a_nightly_copy_is_made_once_a_day_and_only_the_newest_are_kept(app: Flask) -> None:
    app.config["NIGHTLY_COPIES"] = 3
    for day in range(6):
        for hours in (0, 5):
            do_nightly_work(app, TODAY + timedelta(days=day, hours=hours))
    copies = nightly_backups(backup_folder(app))
    assert [copy.stem[-2:] for copy in copies] == ["23", "24", "25"]
    assert [find_faults(copy) for copy in copies] == [[]] * 3


def test_what_a_clock_that_ran_ahead_has_dated_drives_out_no_copy_made_since(app: Flask) -> None:
    app.config["NIGHTLY_COPIES"] = 2
    for day in (0, 400, 401, 1, 2):
        do_nightly_work(app, TODAY + timedelta(days=day))
    copies = nightly_backups(backup_folder(app))
    assert [copy.stem for copy in copies] == ["nightly-2026-11-21", "nightly-2026-11-22"]


def test_without_the_setting_no_copy_is_made(app: Flask) -> None:
    do_nightly_work(app, TODAY)
    assert not backup_folder(app).exists()


def test_the_idempotency_keys_of_requests_that_nobody_repeats_any_more_are_deleted(
    app: Flask, a_running_game: PlainGame
) -> None:
    def kept() -> int:
        with app.app_context():
            return db.session.query(IdempotencyKey).count()

    assert kept() == 1
    do_nightly_work(app, datetime.now(UTC) + KEPT_FOR - timedelta(hours=1))
    assert kept() == 1
    do_nightly_work(app, datetime.now(UTC) + KEPT_FOR + timedelta(hours=1))
    assert kept() == 0


def test_an_older_database_is_copied_before_it_is_brought_up_to_date(app: Flask) -> None:
    with app.app_context():
        downgrade(revision="0028")
    upgrade_database(app)
    copy = next(backup_folder(app).glob("before-upgrade-from-0028-*"))
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0028",)


@pytest.mark.parametrize(
    ("revision", "told"),
    [("9999", "newer"), ("0005", "with 1.0.0 first"), ("0007", "with 1.1.0 first")],
)
def test_a_database_of_a_newer_version_or_between_releases_is_left_alone_and_that_is_said(
    app: Flask, revision: str, told: str
) -> None:
    from app.commands.startup import StartupError

    with sqlite3.connect(file_of(app)) as connection:
        connection.execute(
            "UPDATE alembic_version SET version_num = ?1, usable_since = ?1", [revision]
        )
    with pytest.raises(StartupError, match=told):
        upgrade_database(app)


def test_the_doctor_finds_an_installation_well(app: Flask, shell: FlaskCliRunner) -> None:
    app.config["NIGHTLY_COPIES"] = 3
    do_nightly_work(app, datetime.now(UTC))
    done = shell.invoke(args=["doctor"])
    assert done.exit_code == 0, done.output
    build = re.search(rf"Meldkeeper {re.escape(__version__)} \((\w+)\)", done.output)[1]
    foot = app.test_client().get("/").get_data(as_text=True)
    assert f"{__version__} · {build[:6]}<" in foot
    assert "All is well." in done.output


def test_a_newer_schema_that_only_adds_is_copied_at_night_and_is_nothing_to_mend(
    app: Flask, shell: FlaskCliRunner
) -> None:
    app.config["NIGHTLY_COPIES"] = 3
    _say_schema(file_of(app), "9999")
    do_nightly_work(app, datetime.now(UTC))
    done = shell.invoke(args=["doctor"])
    assert (done.exit_code, "of a newer version" in done.output) == (0, True), done.output


def _open_the_key(app: Flask) -> None:
    (Path(app.instance_path) / "secret_key").touch(mode=0o644)


def _damage_the_file(app: Flask) -> None:
    with app.app_context():
        db.engine.dispose()
    _scribble(file_of(app))


def _enter_something_tomorrow(app: Flask) -> None:
    PlainGame.started(app.test_client(), "frustration", "Anna Ben").close(1, out="Anna")
    with app.app_context():
        db.session.execute(db.update(LogEntry).values(at=datetime.now(UTC) + timedelta(days=1)))
        db.session.commit()


def _count_in_a_dead_redis(app: Flask) -> None:
    app.config["RATE_LIMIT_STORAGE"] = address = f"redis://127.0.0.1:{free_port()}"
    of_any_kind: Any = limiter
    of_any_kind._storage = storage_from_string(address)


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_open_the_key, "chmod 600"),
        (lambda app: _say_schema(file_of(app), "0028"), "flask db upgrade"),
        (lambda app: _say_schema(file_of(app), "0017"), "with 1.1.0 first"),
        (_damage_the_file, "flask restore COPY"),
        (lambda app: app.config.update(NIGHTLY_COPIES=0), "set NIGHTLY_COPIES"),
        (lambda app: app.config.update(NIGHTLY_COPIES=2), "the last one is old"),
        (lambda app: app.config.update(HTTPS=True), "TRUSTED_PROXIES"),
        (lambda app: os.environ.update(TRUSTED_HOST="a"), "TRUSTED_HOST: TRUSTED_HOSTS is meant?"),
        (_enter_something_tomorrow, "behind that of the database"),
        (_count_in_a_dead_redis, "counts of limits: redis: it does not answer"),
    ],
)
def test_the_doctor_says_what_to_mend(
    app: Flask,
    shell: FlaskCliRunner,
    harm: Callable[[Flask], object],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(limiter, "_storage", limiter.storage)
    harm(app)
    done = shell.invoke(args=["doctor"])
    assert done.exit_code == 1
    assert said in done.output


def test_on_postgresql_the_shell_names_its_own_tools(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    with serving(postgres.url("migrated"), INSTANCE_PATH=str(tmp_path)) as app:
        done = app.test_cli_runner().invoke(args=["backup"])
    assert done.exit_code == 1
    assert "pg_dump" in done.output


def test_a_copy_is_never_put_in_the_place_of_the_database_in_use(
    shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    database = file_of(shell.app)
    (tmp_path / "link").symlink_to(database)
    for target in (database, tmp_path / "link"):
        done = shell.invoke(args=["backup", str(target)])
        assert done.exit_code == 1
        assert "is the database itself" in done.output
    assert a_running_game.close(2, out="Ben", Anna="10", Cleo="10").status_code == 303
    assert "Round 3" in a_running_game.page


def test_copies_may_have_any_name(
    shell: FlaskCliRunner, a_running_game: PlainGame, tmp_path: Path
) -> None:
    for name in ("a#b.sqlite", "a%20b.sqlite", "a?mode=rw.sqlite", "a b.sqlite"):
        copy = copy_made(shell, tmp_path / name)
        done = shell.invoke(args=["restore", str(copy)])
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("CREATE TRIGGER bad AFTER INSERT ON log BEGIN DELETE FROM games; END", "triggers"),
        ("CREATE VIEW bad AS SELECT * FROM games", "triggers or views"),
        ("INSERT INTO alembic_version (version_num) VALUES ('another')", "does not know"),
        ("DELETE FROM alembic_version", "does not say which schema"),
    ],
)
def test_a_copy_that_somebody_changed_is_not_brought_back(
    shell: FlaskCliRunner, tmp_path: Path, change: str, told: str
) -> None:
    copy = copy_made(shell, tmp_path / "copy.sqlite")
    with sqlite3.connect(copy) as changed:
        changed.execute(change)
    done = shell.invoke(args=["restore", str(copy)])
    assert done.exit_code == 1
    assert "nothing was changed" in done.output
    assert told in done.output


@pytest.mark.parametrize(
    "url",
    ["", "cards", "ftp://a", "http://", "https://a b", "http://a:x", "http://a/?b", "https://é"],
)
def test_the_shell_makes_no_link_that_no_phone_could_open(shell: FlaskCliRunner, url: str) -> None:
    for args in (["group", "create", "Club"], ["group", "link", "1"]):
        assert shell.invoke(args=[*args, "--url", url]).exit_code == 2
    assert shell.invoke(args=["group", "list"]).output.count("\n") == 0


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\u202eb", "a\udce9"])
def test_the_shell_names_no_group_as_no_phone_could(shell: FlaskCliRunner, name: str) -> None:
    done = shell.invoke(args=["group", "create", name])
    assert done.exit_code == 1
    assert shell.invoke(args=["group", "list"]).output.count("\n") == 0
