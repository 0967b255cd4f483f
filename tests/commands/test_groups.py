"""Groups are removed: one by its number, from the shell; at night those that nobody uses."""

import logging
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.actions.groups import Role, note_seen
from app.actions.memberships import make_link, make_token, note_token_seen
from app.actions.requests import Actor
from app.commands.startup import backup_folder, do_nightly_work
from app.extensions import db
from app.store.base import Base
from app.store.engine import meaning_to_write
from app.store.groups import Device, Group, Token
from tests.actions.table import NOON
from tests.conftest import ON_SQLITE
from tests.many_games import browser_in, play_games

YEAR, MONTH, DAY = timedelta(days=365), timedelta(days=30), timedelta(days=1)
LATE = NOON + YEAR + DAY


@pytest.fixture
def unused(app: Flask) -> int:
    """A group with games, a device and a program, of which none came back after its first day."""
    app.config["ABANDONED_DAYS"] = YEAR.days
    group = play_games(app, 3)
    browser_in(app, group)
    with app.app_context(), meaning_to_write():
        make_token(db.session(), Actor(None, NOON), group, "board", Role.WATCH)
    return group


def groups(app: Flask) -> list[int]:
    with app.app_context():
        return list(db.session.scalars(select(Group.id).order_by(Group.id)))


def rows(app: Flask) -> dict[str, int]:
    """How many rows each table has, of those that have any."""
    with app.app_context():
        counts = {
            table.name: db.session.scalar(select(func.count()).select_from(table))
            for table in Base.metadata.sorted_tables
        }
    return {name: count for name, count in counts.items() if count}


def test_a_group_that_nobody_used_goes_with_all_it_has_a_month_after_that_was_found(
    app: Flask, unused: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "meldkeeper.nightly"):
        for days in (YEAR - DAY, YEAR + DAY, YEAR + MONTH):
            do_nightly_work(app, NOON + days)
            assert groups(app) == [unused]
        assert "removed: " in app.test_cli_runner().invoke(args=["group", "list"]).output
        do_nightly_work(app, NOON + YEAR + MONTH + DAY)
    assert rows(app) == {}
    (line,) = [one for one in caplog.records if "removed" in one.message]
    assert line.__dict__["fields"] == {"group": unused, "games": 3, "devices": 1}


@pytest.mark.parametrize("use", ["device", "program", "link"])
def test_a_group_that_was_used_meanwhile_stays(app: Flask, unused: int, use: str) -> None:
    do_nightly_work(app, LATE)
    with app.app_context(), meaning_to_write():
        actor = Actor(None, LATE + DAY)
        if use == "link":
            make_link(db.session(), actor, unused, Role.MANAGE)
        if use == "program":
            note_token_seen(1, db.session(), actor.at)
        if use == "device":
            note_seen(db.session(), 1, unused, actor.at)
    do_nightly_work(app, LATE + 2 * MONTH)
    assert groups(app) == [unused]


def test_a_program_that_asks_is_noted(app: Flask, unused: int) -> None:
    with app.app_context(), meaning_to_write():
        secret = make_token(db.session(), Actor(None, NOON), unused, "wall", Role.WATCH)
    asked = app.test_client().get("/api/v1/games", headers={"Authorization": f"Bearer {secret}"})
    assert asked.status_code == 200
    with app.app_context():
        noted = db.session.scalars(select(Token.seen_at).order_by(Token.id)).all()
    assert noted[0] is None
    assert noted[1] is not None


def test_a_server_that_was_off_for_years_removes_nothing_at_once(app: Flask, unused: int) -> None:
    for hours in range(3):
        do_nightly_work(app, NOON + 9 * YEAR + timedelta(hours=hours))
    assert groups(app) == [unused]


def test_nothing_is_removed_unless_the_server_admin_says_so(app: Flask, unused: int) -> None:
    do_nightly_work(app, LATE)
    app.config["ABANDONED_DAYS"] = 0
    do_nightly_work(app, LATE + YEAR)
    app.config["ABANDONED_DAYS"] = YEAR.days
    do_nightly_work(app, LATE + YEAR)  # what was found before has been forgotten
    assert groups(app) == [unused]


@ON_SQLITE
def test_nothing_is_removed_where_no_copy_could_be_made(app: Flask, unused: int) -> None:
    do_nightly_work(app, LATE)
    app.config["NIGHTLY_COPIES"] = 1
    backup_folder(app).touch()
    with pytest.raises(OSError, match="backups"):
        do_nightly_work(app, LATE + YEAR)
    assert groups(app) == [unused]


def test_the_shell_removes_a_group_once_it_was_asked(app: Flask, unused: int) -> None:
    other = play_games(app, 1, seed=2)
    device = browser_in(app, other)
    before = rows(app)
    shell = app.test_cli_runner()
    listed = shell.invoke(args=["group", "list", "--abandoned", "1"]).output
    assert [line.split("\t")[0] for line in listed.splitlines()] == [str(unused), str(other)]
    assert shell.invoke(args=["group", "delete", str(unused)], input="n\n").exit_code == 1
    assert rows(app) == before
    done = shell.invoke(args=["group", "delete", str(unused)], input="y\n")
    assert "games: 3, devices: 1" in done.output
    assert groups(app) == [other]
    assert device.get("/").status_code == 200
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Device)) == 1
    assert shell.invoke(args=["group", "delete", str(unused), "--yes"]).exit_code == 1
