"""A game that the table stops before its end, with a result or without one."""

from dataclasses import replace

import pytest

from app.scorebook.events.event import apply_all
from app.scorebook.events.games import (
    GameResumed,
    GameStopped,
    events_to_play_on,
    events_to_stop,
)
from app.scorebook.events.rounds import RoundReopened
from app.scorebook.refusals import Refused
from app.scorebook.statistics import GameResult, result_of
from app.scorebook.undo import events_to_undo
from tests.builders import TableGame, a_game

THREE = "Anna Ben Cleo"


def stopped(game: TableGame, *, result: bool = True) -> TableGame:
    return replace(game, game=apply_all(game.game, events_to_stop(game.game, result=result)))


@pytest.mark.parametrize(
    ("rules", "winners", "reason"),
    [
        ("frustration-nineteen", "Ben", "most contracts completed"),
        ("frustration-rummy-board", "Ben", "most contracts completed"),
        ("aggravation-rummy", "Cleo", "lowest score"),
        ("carioca", "Cleo", "lowest score"),
        (
            "ten-phases",
            "Ben",
            "most contracts completed, then the lowest score",
        ),
    ],
)
def test_who_is_ahead_by_the_rule_sets_own_measure_wins(
    rules: str, winners: str, reason: str
) -> None:
    game = a_game(rules, THREE)
    game = game.round(out="Ben", penalties={"Anna": 40, "Cleo": 5})
    game = game.round(out="Cleo", met="Ben", penalties={"Anna": 40, "Ben": 50})
    game = stopped(game)
    assert (game.over, game.winners, game.reason) == (True, winners, f"stopped early: {reason}")


def test_the_places_are_those_of_the_standings() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Ben", penalties={"Anna": 40, "Cleo": 5})
    assert [stopped(game).place_of(name) for name in THREE.split()] == [
        game.place_of(name) for name in THREE.split()
    ]


@pytest.mark.parametrize("rules", ["aggravation-rummy", "frustration-rummy-board", "ten-phases"])
def test_stopping_changes_no_place_of_who_played_and_who_leads_has_won(rules: str) -> None:
    """Ben, ahead, is gone; Dora has just joined, last; Anna and Cleo differ in points alone."""
    game = a_game(rules, THREE, keep_score="yes")
    game = game.round(out="Ben", penalties={"Anna": 40, "Cleo": 45})
    game = game.leaves("Ben").joins("Dora", score=60)
    for one in (stopped(game), stopped(game, result=False)):
        assert [(seat.seat, seat.place) for seat in one.status.standings] == [
            (seat.seat, seat.place if game.name_of(seat.seat) != "Dora" else None)
            for seat in game.status.standings
        ]
    assert stopped(game).winners == "Anna"
    assert stopped(game).reason.endswith(("of those", "lowest score"))


def test_who_joined_a_game_that_stopped_before_they_played_has_no_place_and_no_result() -> None:
    """Dora begins with fewer points than anybody has, and would have won by that."""
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 40, "Cleo": 45})
    game = game.joins("Dora", score=-400)
    assert game.place_of("Dora") == 1
    over = stopped(game)
    assert over.winners == "Anna"
    assert [over.place_of(name) for name in (*THREE.split(), "Dora")] == [1, 2, 3, None]
    result = result_of(over.game)
    assert result is not None
    assert [(one.place, one.rounds) for one in result.players] == [(1, 1), (2, 1), (3, 1)]
    assert result.margin == stopped_without(game, "Dora").margin


def stopped_without(game: TableGame, name: str) -> GameResult:
    """What a game came to that stopped after one player had left, or had never come."""
    result = result_of(stopped(game.leaves(name)).game)
    assert result is not None
    return result


@pytest.mark.parametrize("played", [True, False])
def test_the_result_is_of_who_took_over_and_no_game_of_who_was_replaced(*, played: bool) -> None:
    """Emil takes over from Ben, and the table stops the game after his first round, or before."""
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 40, "Cleo": 45})
    game = game.hands_over("Ben", "Emil")
    if played:
        game = game.round(out="Ben", penalties={"Anna": 80, "Cleo": 45})
    result = result_of(stopped(game).game)
    assert result is not None
    came_to = {one.player: (one.place, one.won, one.rounds) for one in result.players}
    emil = sum(map(ord, "Emil"))
    assert came_to[20] == (None, None, 1)
    assert came_to[emil] == (1 if played else 2, played, int(played))


def test_who_left_and_whose_seat_nobody_took_has_a_game_that_was_not_won() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 40, "Cleo": 45})
    result = result_of(stopped(game.leaves("Ben")).game)
    assert result is not None
    assert [one.won for one in result.players] == [True, False, False]


def test_in_a_finished_game_who_left_has_no_contract_to_try() -> None:
    game = a_game("frustration", THREE, max_deals=2).round(out="Anna").leaves("Ben")
    game = game.joins("Dora").round(out="Anna")
    assert game.over
    late = replace(game, game=game.joins("Emil").game)
    assert [one.contract for one in late.status.standings if not one.present] == [None, None]


def test_without_a_result_nobody_has_won_and_statistics_leave_it_out() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Ben", penalties={"Anna": 40, "Cleo": 5})
    assert result_of(stopped(game).game) is not None
    game = stopped(game, result=False)
    assert (game.over, game.winners, game.reason) == (True, "", "stopped without a result")
    assert result_of(game.game) is None


def test_without_a_round_there_is_no_result_to_keep() -> None:
    game = a_game("frustration", THREE)
    with pytest.raises(Refused, match="No round has ended yet"):
        stopped(game)
    assert stopped(game, result=False).over


def test_nothing_is_played_until_the_game_goes_on() -> None:
    game = stopped(a_game("frustration", THREE).round(out="Ben"))
    assert game.fault_codes(game.entered(out="Anna")) == ["game_over"]
    (goes_on,) = events_to_play_on(game.game)
    assert goes_on == GameResumed(2, had_result=True)
    game = replace(game, game=apply_all(game.game, [goes_on]))
    assert (game.over, game.fault_codes(game.entered(out="Anna"))) == (False, [])


def test_a_game_that_is_over_is_not_stopped_and_does_not_go_on() -> None:
    game = a_game("frustration", THREE, last_contract=1).round(out="Ben")
    with pytest.raises(Refused, match="The game is over"):
        stopped(game)
    assert events_to_play_on(game.game) == ()


def test_stopping_is_undone_and_going_on_is_too() -> None:
    game = a_game("frustration", THREE).round(out="Ben").game
    halted = apply_all(game, [GameStopped(2, has_result=False)])
    assert apply_all(halted, events_to_undo(halted, [GameStopped(2, has_result=False)])) == game
    assert apply_all(game, events_to_undo(game, [GameResumed(2, had_result=False)])) == halted
    with pytest.raises(Refused):
        events_to_undo(game, [GameStopped(2, has_result=False)])


def test_going_on_is_not_undone_after_another_round() -> None:
    game = a_game("frustration", THREE).rounds(2, out="Ben").game
    with pytest.raises(Refused, match="changed again"):
        events_to_undo(game, [GameResumed(2, had_result=True)])


def test_opening_the_last_round_again_lets_the_game_go_on() -> None:
    game = stopped(a_game("frustration", THREE).round(out="Ben")).game
    game = apply_all(game, [RoundReopened(1)])
    assert (game.stopped, game.open_number) == (None, 1)
