"""Two phones that do the same at the same moment: both are answered, and it is done once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.actions.games import (
    StartPlan,
    archive_game,
    leave_out_games,
    start_game,
    stop_game,
)
from app.actions.rounds import Confirmation, end_round
from app.extensions import db
from app.rules.rule_sets import rule_set_by_id
from app.scorebook.refusals import StaleVersion
from app.store.engine import meaning_to_write
from app.store.games import LogEntry, StoredGame
from app.store.groups import Player
from tests.actions.table import KeptTable, somebody


def at_once(app: Flask, *deeds: Callable[[Session], object]) -> list[object]:
    """What each deed answers, or the fault that it raises, when all begin together."""
    together = Barrier(len(deeds))

    def carry_out(deed: Callable[[Session], object]) -> object:
        with app.app_context(), meaning_to_write():
            together.wait()
            try:
                return deed(db.session())
            except StaleVersion as fault:
                return fault

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(carry_out, deeds))


@pytest.fixture
def group(app: Flask, table: KeptTable) -> int:
    table.session.commit()
    return table.group


def test_two_games_that_bring_the_same_new_player_at_once_share_the_player(app, group, session):
    def start(session: Session) -> str:
        plan = StartPlan(rule_set_by_id("frustration"), ["Zoe", "Yan"], 0)
        return start_game(session, somebody(), group, plan)

    keys = at_once(app, *[start] * 4)
    assert len(set(keys)) == 4
    named_zoe = select(func.count()).select_from(Player).where(Player.name == "Zoe")
    assert session.scalar(named_zoe) == 1


def test_a_start_that_is_sent_twice_at_once_starts_one_game(app, group, session):
    actor = somebody()

    def start(session: Session) -> str:
        return start_game(
            session, actor, group, StartPlan(rule_set_by_id("frustration"), ["A", "B"], 0)
        )

    keys = at_once(app, start, start, start)
    assert len(set(keys)) == 1
    assert session.scalar(select(func.count()).select_from(StoredGame)) == 2


def test_a_round_closed_by_several_phones_at_once_closes_once(app, group, table, session):
    filled, seen, game = table.filled("Anna"), table.now.version, table.id
    session.rollback()

    def close(session: Session) -> None:
        end_round(session, somebody(), game, filled, Confirmation(seen_version=seen))

    answers = at_once(app, *[close] * 4)
    assert [type(one) for one in answers].count(StaleVersion) == 3
    assert table.now.game.open_number == 2
    closings = select(func.count()).select_from(LogEntry).where(LogEntry.kind == "closed")
    assert session.scalar(closings) == 1


def test_games_are_left_out_of_seasons_while_one_of_them_is_filed(app, group, table, session):
    """Each locks games and the group; the one is not done before the other lets go of its own."""
    plan = StartPlan(rule_set_by_id("frustration"), ["Dora", "Emil"], 0)
    for _ in range(2):
        start_game(session, somebody(), group, plan)
    games = session.scalars(select(StoredGame.id).where(StoredGame.id != table.id)).all()
    for game in games:
        stop_game(session, somebody(), game, result=False)
    for left_out in (set(games), set[int](), set(games)):

        def leave_out(session: Session, left_out=left_out) -> None:
            leave_out_games(session, somebody(), group, games, left_out)

        def file(session: Session, archived=bool(left_out)) -> None:
            archive_game(session, somebody(), games[1], archived=archived)

        at_once(app, leave_out, file)
        rows = select(StoredGame.left_out, StoredGame.archived_at.is_not(None))
        shown = session.execute(rows.where(StoredGame.id.in_(games)).order_by(StoredGame.id)).all()
        session.rollback()
        assert shown == [(bool(left_out), False), (bool(left_out), bool(left_out))]
