"""`flask import`: into which group a file goes, and why one is refused."""

import json
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient, FlaskCliRunner
from sqlalchemy import func, select

from app.extensions import db
from app.rules.rule_sets import rule_set_by_id, to_dict
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


PAST = "date,rules,player,place\n2024-12-31,Ours,Anna,1\n2024-12-31,{rules},Ben,2\n"


def test_past_results_go_to_the_group_by_rules_of_its_own_too(
    app: Flask, client: FlaskClient, instance: Path
) -> None:
    shell, file = app.test_cli_runner(), instance / "past.csv"
    kept = json.dumps({**to_dict(rule_set_by_id("frustration")), "name": "Ours"})
    assert client.post("/rules/custom/keep", data={"document": kept}).status_code == 303
    file.write_text(PAST.format(rules="Ours"))
    for games in ("1 game", "0 games"):
        assert f"{games} imported" in run(shell, "import", str(file))
    assert counted(app) == (1, 1)


REFUSED = {
    "a line": (PAST.format(rules="Bridge"), "  line 3: No rule set is called “Bridge”."),
    "no place": ("[" * 100_000, "  This is nested too deeply."),
    "a place": ('{"format": "meldkeeper-group"}', "  version: This must be 1."),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_is_refused_is_told_with_the_places_of_its_faults(
    app: Flask, instance: Path, content: str, said: str
) -> None:
    play_games(app, 0)
    file = instance / "games"
    file.write_text(content)
    done = app.test_cli_runner().invoke(args=["import", str(file)])
    assert done.exit_code == 1
    assert said in done.output.splitlines()


@pytest.mark.parametrize("more", [[], ["--look"]], ids=["imported", "looked at"])
def test_a_group_that_is_not_there_is_named(app: Flask, instance: Path, more: list[str]) -> None:
    shell, file = app.test_cli_runner(), str(instance / "games.json")
    play_games(app, 1)
    run(shell, "export", file)
    done = shell.invoke(args=["import", file, "--group", "99", *more])
    assert "There is no group 99." in done.output
    assert done.exit_code == 1
    assert counted(app) == (1, 1)


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
