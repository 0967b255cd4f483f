"""`flask import` without a group: into a new one, and into the same when it comes again."""

from pathlib import Path

from flask import Flask
from flask.testing import FlaskCliRunner
from sqlalchemy import func, select

from app.extensions import db
from app.store.games import StoredGame
from app.store.groups import Group
from tests.many_games import play_games
from tests.web_table import PlainGame


def counted(app: Flask) -> tuple[int, int]:
    """How many groups and games there are."""
    with app.app_context():
        groups = db.session.scalar(select(func.count()).select_from(Group))
        games = db.session.scalar(select(func.count()).select_from(StoredGame))
        return groups or 0, games or 0


def run(shell: FlaskCliRunner, *arguments: str) -> str:
    done = shell.invoke(args=arguments)
    assert done.exit_code == 0, done.output
    return done.output


def test_importing_twice_adds_nothing(app: Flask, instance: Path) -> None:
    shell, file = app.test_cli_runner(), instance / "games.json"
    play_games(app, 3, rounds=2)
    run(shell, "export", str(file))
    run(shell, "import", str(file))  # the group that it was exported from
    assert counted(app) == (1, 3)
    with app.app_context():
        db.session.execute(db.delete(StoredGame))
        db.session.execute(db.update(Group).values(name="Another"))
        db.session.commit()
    for _ in range(2):
        run(shell, "import", str(file))
        assert counted(app) == (2, 3)


def test_an_export_tells_the_games_that_it_wrote(app: Flask, instance: Path) -> None:
    """A document has all; a table leaves out what was deleted and what has no ended round yet."""
    shell, file = app.test_cli_runner(), str(instance / "games")
    play_games(app, 3, rounds=2)
    with app.app_context():
        deleted = db.session.scalars(select(StoredGame).limit(1)).one()
        deleted.deleted_at = deleted.started_at
        db.session.commit()
    assert "3 games written." in run(shell, "export", file)
    assert "2 games written." in run(shell, "export", "--csv", file)


def test_a_document_without_games_comes_back_to_the_group_of_its_name(
    app: Flask, a_running_game: PlainGame, instance: Path
) -> None:
    shell, file = app.test_cli_runner(), instance / "games.json"
    assert "1 game written." in run(shell, "export", str(file))
    with app.app_context():
        db.session.execute(db.delete(StoredGame))
        db.session.commit()
    run(shell, "export", str(file))
    run(shell, "import", str(file))
    assert counted(app) == (1, 0)
