"""The 51 games of version 1.0.0 on both databases, upgraded or imported once and then copied."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from app import create_app
from app.commands.startup import upgrade_database
from app.extensions import db
from tests.conftest import TEST_KEY, serving
from tests.many_games import browser_in
from tests.postgres import PostgresServer
from tests.upgrade.installation import FILE, Readers, unpacked


@pytest.fixture(scope="session")
def answers() -> dict[str, Any]:
    """What version 1.0.0 answered about the same games."""
    return dict(json.loads(unpacked("answers.json")))


@pytest.fixture(scope="session")
def old_document() -> dict[str, Any]:
    """The group as version 1.0.0 exported it."""
    return dict(json.loads(unpacked("export.json")))


@pytest.fixture(scope="session")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation of 1.0.0 after the first start of this version."""
    folder = tmp_path_factory.mktemp("upgraded")
    (folder / FILE).write_bytes(unpacked(FILE))
    app = create_app({"INSTANCE_PATH": str(folder), "SECRET_KEY": TEST_KEY})
    upgrade_database(app)
    return folder


@pytest.fixture(scope="session")
def imported(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PostgreSQL database into which `flask import` brought the export of 1.0.0."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "export.json").write_bytes(unpacked("export.json"))
    postgres.copy("migrated", "from_1_0_0")
    with serving(postgres.url("from_1_0_0"), INSTANCE_PATH=str(folder)) as app:
        done = app.test_cli_runner().invoke(args=["import", str(folder / "export.json")])
    assert done.exit_code == 0, done.output
    return "from_1_0_0"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request: pytest.FixtureRequest, instance: Path) -> Iterator[str]:
    """The address of a database that holds the games of 1.0.0."""
    if request.param == "sqlite":
        shutil.copytree(request.getfixturevalue("upgraded"), instance, dirs_exist_ok=True)
        yield f"sqlite:///{instance / FILE}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    server.copy(request.getfixturevalue("imported"), "of_1_0_0")
    yield server.url("of_1_0_0")
    server.drop("of_1_0_0")


@pytest.fixture
def readers(app: Flask, database: str) -> Readers:
    with app.app_context():
        group = db.session.execute(text("SELECT max(id) FROM groups")).scalar_one()
        db.session.remove()
    return Readers(app, group, browser_in(app, group))
