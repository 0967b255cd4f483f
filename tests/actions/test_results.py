"""What a game came to is kept when it ends, and follows every later change."""

from sqlalchemy import select

from app.actions import rounds
from app.actions.games import reopen_game
from app.actions.people import hand_over_seat, join_game, leave_game
from app.actions.results import rebuild_results
from app.scorebook.game import Round
from app.store.groups import Player
from app.store.queries.history import recent_games
from app.store.statistics import (
    ContractTally,
    PlayerTally,
    RivalTally,
    StoredResult,
    StoredSeatResult,
    Streak,
)
from tests.actions.table import KeptTable, somebody


def played_out(table: KeptTable, winner: str = "Anna") -> KeptTable:
    """The game after its winner went out in each round."""
    others = [name for name in table.now.game.names.values() if name != winner]
    penalties = dict.fromkeys(others, "10") if table.now.variant.scores else {}
    while table.now.finished_at is None:
        table.close(table.now.game.open_number, winner, **penalties)
    return table


def wins(table: KeptTable) -> dict[str, int]:
    rows = table.session.scalars(select(PlayerTally))
    names = {seat.player_id: seat.player.name for seat in seats(table)}
    return {names[row.player_id]: row.wins for row in rows}


def seats(table: KeptTable):
    from app.store.games import StoredSeat

    return table.session.scalars(select(StoredSeat)).all()


def test_a_running_game_counts_nowhere(scored: KeptTable):
    scored.close(1, "Anna", Ben="10", Cleo="20")
    assert scored.session.scalars(select(StoredResult)).all() == []
    assert scored.session.scalars(select(PlayerTally)).all() == []


def test_a_finished_game_counts_for_everybody_who_played(scored: KeptTable):
    played_out(scored)
    assert wins(scored) == {"Anna": 1, "Ben": 0, "Cleo": 0}
    result = scored.session.scalars(select(StoredResult)).one()
    assert (result.rounds, result.points_decide) == (7, True)
    assert result.margin == 7 * 10 + 7 * 25 + 200
    ben = next(s for s in seats(scored) if s.player.name == "Ben")
    row = scored.session.get(StoredSeatResult, (ben.id, ben.player_id))
    assert (row.place, row.penalty, row.penalty_rounds, row.times_went_out) == (2, 70, 7, 0)
    assert row.contract_attempts == [[1, "sets", 7, 0]]


def test_undoing_the_last_round_takes_the_game_out_again(scored: KeptTable):
    played_out(scored)
    rounds.reopen_round(scored.session, scored.id, 7, somebody())
    for table in (StoredResult, StoredSeatResult, PlayerTally, ContractTally, RivalTally, Streak):
        assert scored.session.scalars(select(table)).all() == []


def test_mending_a_finished_game_moves_the_win(scored: KeptTable):
    played_out(scored)
    reopen_game(scored.session, scored.id, somebody())
    scored.mend(1, "Anna", Ben="10", Cleo="20")
    assert wins(scored)["Anna"] == 1
    cleo = next(s for s in seats(scored) if s.player.name == "Cleo")
    assert scored.session.get(StoredSeatResult, (cleo.id, cleo.player_id)).penalty == 80
    assert rebuild_results(scored.session)


def test_who_left_before_the_end_has_no_place_and_no_rival(scored: KeptTable):
    scored.close(1, "Anna", Ben="10", Cleo="20")
    leave_game(scored.session, scored.id, scored.seat("Cleo"), somebody())
    join_game(scored.session, scored.id, "Dora", somebody(), after=scored.seat("Anna"), score=0)
    while scored.now.finished_at is None:
        number = scored.now.game.open_number
        filled = scored.filled("Anna", Ben="10", Dora="10")
        there = tuple(one for one in filled.entries if scored.now.game.names[one.seat] != "Cleo")
        rounds.end_round(
            scored.session, scored.id, Round(number, there), rounds.Confirmation(), somebody()
        )
    cleo = next(s for s in seats(scored) if s.player.name == "Cleo")
    row = scored.session.get(StoredSeatResult, (cleo.id, cleo.player_id))
    assert (row.place, row.won, row.rounds) == (None, False, 1)
    rivals = scored.session.scalars(select(RivalTally.player_id)).all()
    assert cleo.player_id not in rivals
    assert rebuild_results(scored.session)


def test_statistics_made_anew_equal_those_that_were_kept_along_the_way(table: KeptTable):
    played_out(table)
    assert rebuild_results(table.session)
    streak = table.session.scalars(select(Streak).where(Streak.current == 1)).one()
    streak.longest = 5
    assert not rebuild_results(table.session)
    assert rebuild_results(table.session)


def test_a_stand_in_and_who_played_before_each_have_what_they_played(scored: KeptTable):
    scored.close(1, "Ben", Anna="10", Cleo="20")
    hand_over_seat(scored.session, scored.id, scored.seat("Ben"), "Emil", somebody())
    played_out(scored, "Emil")
    rows = scored.session.execute(
        select(
            Player.name, StoredSeatResult.rounds, StoredSeatResult.won, PlayerTally.times_went_out
        )
        .join(StoredSeatResult, StoredSeatResult.player_id == Player.id)
        .join(PlayerTally, PlayerTally.player_id == Player.id)
        .where(StoredSeatResult.seat_id == scored.seat("Emil"))
        .order_by(Player.name)
    ).all()
    assert rows == [("Ben", 1, False, 1), ("Emil", 6, True, 6)]
    assert rebuild_results(scored.session)
    (line,) = recent_games(scored.session, scored.group, 1)
    assert [(one.name, one.place) for one in line.seats] == [
        ("Emil", 1), ("Anna", 2), ("Cleo", 3), ("Ben", None),
    ]  # fmt: skip
