"""A penalty that nobody knows any more: the table may let the blank stand."""

from dataclasses import replace

from app.scorebook.game import Round
from app.scorebook.statistics import result_of
from tests.builders import TableGame, a_game

THREE = "Anna Ben Cleo"


def not_counted(played: Round, seat: int) -> Round:
    rows = (replace(one, not_counted=True) if one.seat == seat else one for one in played.entries)
    return replace(played, entries=tuple(rows))


def with_ben_not_counted(game: TableGame) -> TableGame:
    """The next round: Anna goes out, Cleo pays 30, and nobody knows what Ben had left."""
    played = not_counted(game.entered(out="Anna", met="Ben", penalties={"Cleo": 30}), 20)
    assert game.faults(played) == ()
    return replace(game, game=replace(game.game, rounds=(*game.game.rounds, played)))


def test_a_blank_that_is_not_counted_is_no_fault_and_raises_no_doubt() -> None:
    game = a_game("aggravation-rummy", THREE)
    blank = game.entered(out="Anna", met="Ben", penalties={"Cleo": 60})
    assert game.fault_codes(blank) == ["penalty_blank"]
    assert game.fault_codes(not_counted(blank, 20)) == []
    assert game.find_warnings(not_counted(blank, 20)) == ()


def test_the_blank_of_another_player_is_still_asked_for() -> None:
    game = a_game("aggravation-rummy", THREE)
    blank = not_counted(game.entered(out="Anna"), 20)
    assert [(one.code, one.seat) for one in game.faults(blank)] == [("penalty_blank", 30)]


def test_what_is_not_counted_adds_nothing_and_the_contract_counts_all_the_same() -> None:
    game = with_ben_not_counted(a_game("aggravation-rummy", THREE))
    assert (game.score_of("Anna"), game.score_of("Ben"), game.score_of("Cleo")) == (-25, 0, 30)
    assert game.completed_by("Ben") == 1
    row = game.last_row_of("Ben")
    assert (row.penalty, row.points, row.not_counted) == (None, 0, True)


def test_the_standing_says_which_points_it_lacks() -> None:
    game = with_ben_not_counted(a_game("aggravation-rummy", THREE))
    assert game.status.not_counted == ((1, 20),)
    assert (
        a_game("aggravation-rummy", THREE)
        .round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
        .status.not_counted
        == ()
    )


def test_a_penalty_that_is_known_counts_whatever_else_is_said() -> None:
    game = a_game("aggravation-rummy", THREE)
    played = not_counted(game.entered(out="Anna", penalties={"Ben": 15, "Cleo": 30}), 20)
    game = replace(game, game=replace(game.game, rounds=(played,)))
    assert game.score_of("Ben") == 15
    assert game.status.not_counted == ()


def test_of_who_goes_out_and_where_no_score_is_kept_nothing_is_missing() -> None:
    game = a_game("aggravation-rummy", THREE)
    played = not_counted(game.entered(out="Anna", penalties={"Ben": 5, "Cleo": 5}), 10)
    assert replace(game, game=replace(game.game, rounds=(played,))).status.not_counted == ()
    game = a_game("frustration", THREE)
    played = not_counted(game.entered(out="Anna"), 20)
    assert replace(game, game=replace(game.game, rounds=(played,))).status.not_counted == ()


def test_statistics_leave_out_the_round_whose_points_nobody_knows() -> None:
    game = with_ben_not_counted(a_game("aggravation-rummy", THREE, max_deals=1))
    result = result_of(game.game)
    ben = next(one for one in result.players if one.seat == 20)
    assert (ben.penalty, ben.penalty_rounds, ben.rounds) == (0, 0, 1)
