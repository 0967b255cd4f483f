"""What is typed in a shell where there is hardly any room: it is done whole, or not and said so."""

import gc
import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from flask import Flask
from flask.testing import FlaskCliRunner

from app import create_app
from app.commands import register
from app.commands.startup import StartupError, do_nightly_work, upgrade_database
from app.config import FaultySetting
from app.extensions import db
from tests.commands.test_backups import TODAY
from tests.faults.test_databases import small_disk
from tests.many_games import play_games
from tests.upgrade.installation import unpacked

SIZE = 8 * 2**20
ROOM = {"restore": (0.6, 1.8, 4.5), "backup": (0.1,), "import": (0.1,)}
"""So many times the size of the database is free; `make chaos` tries every command with more."""
EVERY_ROOM = (0.0, 0.1, 0.6, 1.2, 1.8, 2.6, 4.5) if "MELDKEEPER_KILLS" in os.environ else ()
ARGUMENTS = {
    "backup": ["{disk}/copy.sqlite"],
    "restore": ["{home}/copy.sqlite"],
    "export": ["{disk}/games.json", "--group", "1"],
    "import": ["{home}/games.json", "--group", "2"],  # which has none of them
    "create": ["Our club"],
    "link": ["1"],
}


class Disk:
    """A small disk with the scores of an installation on it, which can be filled."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._filler = folder, folder / "filler"
        self.scores = folder / "meldkeeper.sqlite"

    def leave(self, room: float) -> None:
        """Fill the disk but for so many times the size of the scores."""
        free = SIZE - sum(one.stat().st_size for one in self.folder.rglob("*") if one.is_file())
        rest = free - int(room * self.scores.stat().st_size)
        self._filler.write_bytes(b"x" * max(0, rest - rest % 4096))

    def clear(self) -> None:
        """Make room again."""
        self._filler.unlink()

    @property
    def content(self) -> str:
        """A fingerprint of everything in the scores, which are sound."""
        with closing(sqlite3.connect(self.scores)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            return hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()

    @property
    def half_done(self) -> list[Path]:
        """What a broken-off command left lying about."""
        return [one for one in self.folder.rglob(".*") if one.is_file()]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk", SIZE // 2**20) as folder:
        yield Disk(folder)


@pytest.fixture
def installation(disk: Disk) -> Iterator[Flask]:
    app = create_app({"INSTANCE_PATH": str(disk.folder), "SECRET_KEY": "a key for a full disk"})
    upgrade_database(app)
    yield app
    with app.app_context():
        db.engine.dispose()


def our_commands() -> Iterator[list[str]]:
    """The words of each command of ours."""
    shell = Flask(__name__)
    register(shell)
    for name, command in shell.cli.commands.items():
        if isinstance(command, click.Group):
            yield from ([name, inner] for inner in command.commands)
        elif command.callback and command.callback.__module__.startswith("app."):
            yield [name]


def test_on_a_full_disk_a_command_does_all_or_nothing_and_says_which(
    installation: Flask, disk: Disk, tmp_path: Path
) -> None:
    shell = installation.test_cli_runner()
    play_games(installation, 12)
    for words in (
        ["export", str(tmp_path / "games.json")],
        ["group", "create", "Another club"],
        ["backup", str(tmp_path / "copy.sqlite")],
    ):
        assert shell.invoke(args=words).exit_code == 0
    exits = set()
    for words in our_commands():
        more = [one.format(disk=disk.folder, home=tmp_path) for one in ARGUMENTS.get(words[-1], ())]
        for room in EVERY_ROOM or ROOM.get(words[-1], (0.0,)):
            exits |= {(words[-1], run(shell, disk, room, [*words, *more]))}
    assert {("restore", False), ("restore", True), ("import", False), ("export", False)} <= exits


def run(shell: FlaskCliRunner, disk: Disk, room: float, words: list[str]) -> bool:
    """Run a command with so much room; was it done?"""
    before = disk.content
    disk.leave(room)
    done = shell.invoke(args=words)
    with shell.app.app_context():
        db.engine.dispose()
    disk.clear()
    assert done.exception is None or isinstance(done.exception, SystemExit), (words, room)
    assert done.exit_code == 0 or done.output.strip(), (words, room)
    assert done.exit_code == 0 or disk.content == before, (words, room, done.output)
    assert disk.half_done == [], (words, room, done.output)
    for made in (*disk.folder.glob("backups/*"), *disk.folder.glob("copy.*")):
        made.unlink()
    return done.exit_code == 0


def test_where_there_is_no_room_for_a_copy_an_older_database_is_not_upgraded_and_that_is_said(
    installation: Flask, disk: Disk
) -> None:
    disk.scores.write_bytes(unpacked("meldkeeper.sqlite"))
    before = disk.content
    disk.leave(0.3)
    with pytest.raises(StartupError, match="not copied before its upgrade"):
        upgrade_database(installation)
    disk.clear()
    assert disk.content == before
    upgrade_database(installation)


def test_where_there_is_no_room_for_a_nightly_copy_what_is_over_goes_all_the_same(
    installation: Flask, disk: Disk
) -> None:
    installation.config["NIGHTLY_COPIES"] = 1
    with closing(sqlite3.connect(disk.scores)) as connection:
        connection.execute(
            "INSERT INTO idempotency_keys VALUES ('a', 'b', 'c', '', '2001-01-01 00:00:00')"
        )
        connection.commit()
    disk.leave(0.6)
    with pytest.raises(OSError, match="full"):
        do_nightly_work(installation, TODAY)
    with closing(sqlite3.connect(disk.scores)) as connection:
        assert connection.execute("SELECT count(*) FROM idempotency_keys").fetchone() == (0,)


def test_an_installation_without_room_for_its_key_says_so(disk: Disk) -> None:
    disk.scores.touch()
    disk.leave(0)
    with pytest.raises(FaultySetting, match="make room there or set it"):
        create_app({"INSTANCE_PATH": str(disk.folder)})
    assert [one.name for one in disk.folder.iterdir() if one.name.startswith("secret")] == []


# The library that reads forms leaves the file open on which it failed.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_file_for_which_there_is_no_room_is_refused_kindly(
    installation: Flask, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation.config["WTF_CSRF_ENABLED"] = False
    installation.logger.disabled = True  # what is logged would keep that file
    phone = installation.test_client()
    phone.post("/games", data={"variant": "frustration", "player": ["Anna", "Ben"]})
    with phone.get("/data/export.json") as answer:
        document = answer.get_data() + b" " * 2**20
    head = b'--a\r\nContent-Disposition: form-data; name="file"; filename="games.json"\r\n\r\n'
    body, kind = head + document + b"\r\n--a--", "multipart/form-data; boundary=a"
    monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
    disk.leave(0)

    refused = phone.post("/data/import", data=body, content_type=kind)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "3")
    del refused
    gc.collect()
    disk.clear()
    assert phone.post("/data/import", data=body, content_type=kind).status_code == 200
