"""A clock that jumps: what happened keeps its order, for it goes by numbers and not by time."""

from datetime import UTC, datetime, timedelta

from app.actions import rounds
from app.actions.games import StartPlan, start_game
from app.actions.rounds import Confirmation
from app.commands.startup import do_nightly_work
from app.rules.rule_sets import rule_set_by_id
from app.store.queries.games import running_games
from tests.actions.table import KeptTable, by_key, somebody

JUMPS = [timedelta(days=400), timedelta(days=-4000), timedelta(0), timedelta(hours=-1)]


def test_a_game_played_over_a_jumping_clock_is_the_game_that_was_played(session):
    table = KeptTable.started(session, "frustration", "Anna Ben Cleo")
    for number, jump in enumerate(JUMPS, start=1):
        actor = by_key(f"jump-{number}", jump)
        table.close(number, "Anna", met="Ben", actor=actor)
    assert table.contract_of("Anna") == 5
    assert [entry.version for entry in table.log] == list(range(1, len(table.log) + 1))
    rounds.reopen_round(session, somebody(), table.id, 4)
    assert table.now.game.open_number == 4


def test_a_repeat_is_known_though_the_clock_went_back_between(session):
    table = KeptTable.started(session, "frustration", "Anna Ben")
    filled = table.filled("Anna")
    for jump in JUMPS:
        actor = by_key("the same", jump)
        rounds.end_round(session, actor, table.id, filled, Confirmation())
    assert table.now.game.open_number == 2


def test_games_started_under_a_jumping_clock_are_all_listed(session):
    table = KeptTable.started(session, "frustration", "Anna Ben")
    for number, jump in enumerate(JUMPS):
        actor = by_key(f"game-{number}", jump)
        plan = StartPlan(rule_set_by_id("frustration"), ["Anna", "Ben"], 0)
        start_game(session, actor, table.group, plan)
    assert len(running_games(session, table.group, 20)) == 1 + len(JUMPS)


def test_the_nightly_work_goes_on_after_the_clock_went_back(app, session):
    session.commit()
    if app.config["SQLALCHEMY_DATABASE_URI"].startswith("sqlite"):
        app.config["NIGHTLY_COPIES"] = 2
    now = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
    for jump in JUMPS:
        do_nightly_work(app, now + jump)
