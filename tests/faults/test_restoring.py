"""A server of two processes whose scores are exchanged under it shows what is there, and only that.

Ids, keys and versions of games come again when a copy is restored, a file is put in its place, or
a game is imported anew; what a process remembers must not.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app import create_app
from app.extensions import db
from tests.servers import KEY, Http, Production
from tests.web_table import PlainGame

LOOKS = 8
"""So many phones look, each by a connection of its own, so that every process answers some."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Production]:
    with Production(tmp_path, {"WORKERS": "2"}) as running:
        yield running


def shell(server: Production, *arguments: str) -> None:
    """What is typed beside the server, in another process than its own."""
    app = create_app({"INSTANCE_PATH": str(server.folder), "SECRET_KEY": KEY})
    done = app.test_cli_runner().invoke(args=arguments)
    assert done.exit_code == 0, done.output
    with app.app_context():
        db.engine.dispose()


def scores(server: Production, phone: Http, game: PlainGame) -> set[str]:
    """What many phones are shown of the typed points of round 1, wherever they ask."""
    shown = set()
    for _ in range(LOOKS):
        page = Http(server.port).like(phone).get(f"/games/{game.key}/rounds/1")
        assert page.status_code == 200, page.body
        shown.add(page.get_data(as_text=True).split(f'name="{game.seats["Ben"]}-typed"')[1][:40])
    return shown


def closed_with(game: PlainGame, points: str) -> None:
    assert game.close(1, out="Anna", Ben=points, Cleo="20").status_code == 303


def version_of(server: Production) -> int:
    with closing(sqlite3.connect(server.folder / "meldkeeper.sqlite")) as connection:
        found: int = connection.execute("SELECT version FROM games").fetchone()[0]
        return found


def test_a_restored_copy_is_shown_by_every_process_also_after_it_was_played_on(
    server: Production, tmp_path: Path
) -> None:
    phone = Http(server.port)
    game = PlainGame.started(phone, "aggravation-rummy", "Anna Ben Cleo")
    copy = tmp_path / "copy.sqlite"
    shell(server, "backup", str(copy))
    closed_with(game, "15")
    assert len(before := scores(server, phone, game)) == 1
    shell(server, "restore", str(copy))
    closed_with(game, "35")
    after = scores(server, phone, game)
    assert len(after) == 1
    assert after != before
    assert 'value="35"' in after.pop()


def test_another_file_in_the_same_place_is_shown_though_ids_versions_and_times_are_the_same(
    server: Production, tmp_path: Path
) -> None:
    phone = Http(server.port)
    game = PlainGame.started(phone, "aggravation-rummy", "Anna Ben Cleo")
    closed_with(game, "15")
    document = tmp_path / "games.json"
    shell(server, "export", str(document))
    assert 'value="15"' in scores(server, phone, game).pop()
    version = version_of(server)
    corrected: dict[str, Any] = json.loads(document.read_text())
    corrected["games"] = [_with_points(one, 15, 35) for one in corrected["games"]]
    document.write_text(json.dumps(corrected))
    with closing(sqlite3.connect(server.folder / "meldkeeper.sqlite")) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("DELETE FROM games")
        connection.commit()
    shell(server, "import", "--group", "1", str(document))
    assert version_of(server) == version
    found = scores(server, phone, game)
    assert len(found) == 1
    assert 'value="35"' in found.pop()


def _with_points(value: Any, old: int, new: int) -> Any:
    """A game's record with other points wherever those are said."""
    if isinstance(value, dict):
        return {name: _with_points(one, old, new) for name, one in value.items()}
    if isinstance(value, list):
        return [_with_points(one, old, new) for one in value]
    return (
        {str(old): str(new), old: new}.get(value, value) if isinstance(value, str | int) else value
    )
