"""What tests need from outside: an app with a database of its own, and how hypothesis runs."""

import gc
import logging
import os
import shutil
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from filecmp import cmp
from pathlib import Path
from typing import Any
from weakref import WeakSet

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_migrate import upgrade
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from sqlalchemy import event
from sqlalchemy.pool import ConnectionPoolEntry, Pool
from werkzeug.test import TestResponse

from app import create_app
from app.extensions import limiter
from tests.made_once import made_once, share_templates, shared_folder
from tests.postgres import NoPostgres, PostgresServer, postgres_server
from tests.web_table import PlainGame

collect_ignore = ["bench"]
"""The benchmark's yardstick is installed by `make bench` alone."""

# Python 3.11 cannot read code while it reads code. Werkzeug reads code for each route; the
# traceback of a fault, drawn for a connection that is collected just then, would do so within.
logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)

TEST_KEY = "only for these tests"

settings.register_profile(
    "suite", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
if settings.default and settings.default.derandomize:
    # Else it draws constants of whatever modules of the app are loaded: other examples for each
    # choice of tests, each worker and each change of the app.
    pytest.MonkeyPatch().setattr(providers, "_get_local_constants", Constants)


ALIKE_ON_BOTH = {
    "test_activity_words.py", "test_another_language.py", "test_assets.py", "test_builds.py",
    "test_choosing_house_rules.py", "test_corrections.py", "test_data.py", "test_dealing.py",
    "test_faq.py", "test_forms.py", "test_fragment_cache.py", "test_fragments.py",
    "test_games_without_scripts.py", "test_host_names.py", "test_import_work.py",
    "test_interface.py", "test_invites.py", "test_judging.py", "test_keeping_points.py",
    "test_language.py", "test_late_joiners.py", "test_lengths.py", "test_limits.py",
    "test_log_work.py", "test_look_alikes.py", "test_marks.py", "test_milestones.py",
    "test_not_counted.py", "test_notes.py", "test_own_rule_sets.py", "test_past_games.py",
    "test_person_menu.py", "test_players.py", "test_points_only.py", "test_ranking_figures.py",
    "test_reachable_states.py", "test_recorded_verdicts.py", "test_redirects.py",
    "test_refused_forms.py", "test_removed_devices.py", "test_roles.py", "test_rounds.py",
    "test_routes.py", "test_rulings.py", "test_settings.py", "test_stopping.py", "test_taps.py",
    "test_templates.py", "test_told_change.py", "test_tour.py", "test_undo_arrows.py",
    "test_undoing.py", "test_watchers.py", "test_what_a_round_is_told.py",
    "test_who_was_put_out.py",
}  # fmt: skip
"""Tests of what is asked, refused, shown and worded, where no database has a say: on SQLite alone.

What a database may do otherwise (queries, types, locks, the order of writes) is tested on both, by
the tests of the store and of faults, and by those that walk all addresses and all actions.
"""

ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""The same of a single test."""
ON_POSTGRESQL = pytest.mark.parametrize(
    "database", [pytest.param("postgresql", marks=pytest.mark.postgresql)], indirect=True
)


def pytest_configure(config: pytest.Config) -> None:
    shared = ExitStack()
    shared.enter_context(shared_folder())
    config.add_cleanup(shared.close)
    share_templates()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage in what tests make alone: not in all code that is read before them.

    And as seldom as `app/commands/production.py` has it done.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 50, 50)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [
        item
        for item in items
        if item.path.name not in ALIKE_ON_BOTH or not item.get_closest_marker("postgresql")
    ]
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


_opened: WeakSet[psycopg.Connection] = WeakSet()


@event.listens_for(Pool, "connect")
def _note_opened(connection: object, _record: ConnectionPoolEntry) -> None:
    if isinstance(connection, psycopg.Connection):
        _opened.add(connection)


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """Each test closes its connections to PostgreSQL; else a later one is warned in its place."""
    yield
    left = [one for one in _opened if not one.closed]
    _opened.clear()
    assert left == []


@contextmanager
def serving(database: str, **settings: str) -> Iterator[Flask]:
    """An app on a database, whose connections are closed at the end."""
    app = create_app({"SECRET_KEY": TEST_KEY, "DATABASE_URL": database, **settings})
    yield app
    let_go(app)


def let_go(app: Flask) -> None:
    """Close all connections, which would hold a database that is to be copied or dropped."""
    with app.app_context():
        app.extensions["sqlalchemy"].engine.dispose()


@pytest.fixture(scope="session")
def migrated() -> Path:
    """An empty database of the newest schema, made by the migrations once and then copied."""
    return migrated_file()


def migrated_file() -> Path:
    return made_once("migrated", _migrate) / "meldkeeper.sqlite"


def _migrate(folder: Path) -> None:
    app = create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": TEST_KEY})
    with app.app_context():
        upgrade()
    let_go(app)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server; its database `migrated` is empty and of the newest schema."""
    try:
        running = postgres_server()
        server = running.__enter__()
    except NoPostgres as reason:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(reason))
    server.execute("CREATE DATABASE migrated")
    with serving(server.url("migrated")) as app, app.app_context():
        upgrade()
    yield server
    running.__exit__(None, None, None)


@dataclass
class EmptyDatabase:
    """A PostgreSQL database of the newest schema, emptied after each test that uses it."""

    server: PostgresServer
    NAME = "under_test"

    def __post_init__(self) -> None:
        self.server.copy("migrated", self.NAME)
        self._schema = self.server.schema(self.NAME)

    @property
    def address(self) -> str:
        return self.server.url(self.NAME)

    def restore(self) -> None:
        """Make it empty again; anew, where a test changed its schema."""
        if self.server.schema(self.NAME) == self._schema:
            self.server.empty(self.NAME, keep="alembic_version")
        else:
            self.server.drop(self.NAME)
            self.__post_init__()


@pytest.fixture(scope="session")
def empty_database(postgres: PostgresServer) -> EmptyDatabase:
    return EmptyDatabase(postgres)


@pytest.fixture
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the app under test: always the same one, and empty."""
    folder = tmp_path_factory.getbasetemp() / "instance"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@pytest.fixture
def sqlite(migrated: Path, instance: Path) -> str:
    """The address of an empty SQLite database of the newest schema."""
    for part in migrated.parent.glob("meldkeeper.sqlite*"):
        shutil.copy(part, instance)
    return f"sqlite:///{instance / migrated.name}"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database of the newest schema, on each kind of database."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
        return
    database: EmptyDatabase = request.getfixturevalue("empty_database")
    yield database.address
    database.restore()


@pytest.fixture
def kind_of_database(database: str) -> str:
    """What is drawn by chance is drawn by it as well: no two databases are shown the same."""
    return database.partition(":")[0]


@pytest.fixture(scope="session")
def made_apps() -> dict[str, Flask]:
    """The app by its database: made once, for making it takes longer than most tests."""
    return {}


@pytest.fixture
def app(database: str, instance: Path, made_apps: dict[str, Flask]) -> Iterator[Flask]:
    """The app with an empty database of its own; faults of ours crash the test."""
    if database not in made_apps:
        settings = {"INSTANCE_PATH": str(instance), "SECRET_KEY": TEST_KEY}
        made_apps[database] = create_app({**settings, "DATABASE_URL": database})
        made_apps[database].test_client_class = Browser
    app = made_apps[database]
    as_made = dict(app.config)
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    limiter.reset()
    yield app
    app.config.clear()
    app.config.update(as_made)
    let_go(app)


class Browser(FlaskClient):
    """Takes each answer whole, as a browser does: only then the app lets go of its connection."""

    def open(self, *args: Any, buffered: bool = True, **options: Any) -> TestResponse:
        return super().open(*args, buffered=buffered, **options)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A fresh browser without scripts."""
    return app.test_client()


@dataclass
class Played:
    """What the running game came to when it was played: its database's file and its browser."""

    folder: Path
    cookies: dict[Any, Any]
    game: PlainGame
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


@pytest.fixture(scope="session")
def played() -> list[Played]:
    return []


_FRESH = timedelta(minutes=1)
"""For how long a game is as one that was just played: what was done two minutes ago is told
otherwise."""


@pytest.fixture
def a_running_game(
    client: FlaskClient,
    instance: Path,
    migrated: Path,
    played: list[Played],
    tmp_path_factory: pytest.TempPathFactory,
) -> PlainGame:
    """Anna, Ben and Cleo at Aggravation Rummy, in round 2.

    It is played once in a while, and copied to where the database is still empty.
    """
    is_new = not client._cookies and is_untouched(instance, migrated)
    if is_new and played and datetime.now(UTC) - played[-1].at < _FRESH:
        shutil.copytree(played[-1].folder, instance, dirs_exist_ok=True)
        client._cookies.update(played[-1].cookies)
        return PlainGame(client, played[-1].game.key, dict(played[-1].game.seats))
    game = PlainGame.started(client, "aggravation-rummy", "Anna Ben Cleo")
    assert game.close(1, out="Anna", met="Ben", Ben="15", Cleo="30").status_code == 303
    if is_new:
        let_go(client.application)  # which brings all into the file
        folder = tmp_path_factory.mktemp("played") / "instance"
        shutil.copytree(instance, folder)
        played.append(Played(folder, dict(client._cookies or {}), game))
    return game


def is_untouched(instance: Path, migrated: Path) -> bool:
    """Whether the SQLite database in the folder is still as it was copied."""
    files = [*instance.glob("*.sqlite*")]
    return [file.name for file in files] == [migrated.name] and cmp(files[0], migrated, False)


@pytest.fixture
def zone(request: pytest.FixtureRequest) -> Iterator[None]:
    """The zone of the clock of the server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()
