"""Points for or against a player that no cards made, beside the round that they belong to."""

from dataclasses import replace
from typing import Any

import pytest

from app.scorebook.decisions import Correction
from app.scorebook.effects import overtaken_seats
from app.scorebook.events.attendance import HandTreatment, events_to_leave
from app.scorebook.events.corrections import events_to_correct, events_to_remove_correction
from app.scorebook.events.event import apply_all
from app.scorebook.events.rounds import RoundReopened
from app.scorebook.refusals import Refused
from app.scorebook.round_results import before_round
from app.scorebook.standings import game_status
from app.scorebook.statistics import result_of
from app.scorebook.undo import events_to_undo
from tests.builders import TableGame, a_game

THREE = "Anna Ben Cleo"


def corrected(game: TableGame, name: str, points: int, number: int = 1) -> TableGame:
    correction = Correction(number, game.seat_by_name[name], points, "wrong lay-down")
    return replace(game, game=apply_all(game.game, events_to_correct(game.game, correction)))


def after_two_rounds(**rules: Any) -> TableGame:
    game = a_game("aggravation-rummy", THREE, go_out_bonus=0, **rules)
    game = game.round(out="Anna", penalties={"Ben": 10, "Cleo": 20})
    return game.round(out="Anna", penalties={"Ben": 10, "Cleo": 20})


def test_it_counts_in_the_score_from_its_round_on_and_never_in_the_round() -> None:
    game = corrected(after_two_rounds(), "Ben", 50, number=2)
    first, second = (next(r for r in one.entries if r.seat == 20) for one in game.results)
    assert (first.points, first.correction, first.score_after) == (10, 0, 10)
    assert (second.points, second.penalty, second.correction, second.score_after) == (
        10,
        10,
        50,
        70,
    )
    assert game.game.decisions.correction_sums == {(2, 20): 50}


def test_points_for_a_player_come_off_and_two_corrections_add_up() -> None:
    game = corrected(corrected(after_two_rounds(), "Cleo", -35), "Cleo", 5)
    assert game.score_of("Cleo") == 10
    assert game.winners == ""


def test_it_decides_who_wins_but_is_no_penalty_in_the_statistics() -> None:
    game = a_game("aggravation-rummy", THREE, max_deals=1)
    game = corrected(game, "Anna", 100)
    game = game.round(out="Anna", penalties={"Ben": 10, "Cleo": 20})
    assert game.winners == "Ben"
    result = result_of(game.game)
    assert result is not None
    assert [(one.score, one.penalty) for one in result.players] == [(75, 0), (10, 10), (20, 20)]


def test_of_the_open_round_it_counts_at_once() -> None:
    game = corrected(after_two_rounds(), "Ben", 50, number=3)
    assert (game.score_of("Ben"), game.game.decisions.correction_sums) == (70, {(3, 20): 50})
    game = game.round(out="Ben", penalties={"Anna": 5, "Cleo": 5})
    assert (game.score_of("Ben"), game.last_row_of("Ben").correction) == (70, 50)
    game = replace(game, game=apply_all(game.game, [RoundReopened(3)]))
    assert game.score_of("Ben") == 70


def test_before_an_earlier_round_the_game_stands_as_it_did_when_that_was_open() -> None:
    game, seen = a_game("aggravation-rummy", THREE), []
    for number, (name, points) in enumerate([("Ben", 50), ("Anna", -35), ("Cleo", 5)] * 2, 1):
        game = corrected(game, name, points, number)
        seen.append(game.status)
        game = game.round(out=name, penalties=dict.fromkeys(THREE.split(), 10) | {name: 0})
    game = corrected(game, "Ben", 500, number=7)
    for number, status in enumerate(seen, 1):
        assert game_status(before_round(game.game, number)) == status


@pytest.mark.parametrize("name", ["", "Anna", "Ben", "Cleo"])
@pytest.mark.parametrize("points", [30, -500])
def test_of_the_open_round_it_makes_nobody_overtake_by_the_one_before(
    name: str, points: int
) -> None:
    game = after_two_rounds()
    then = game.round(out="Cleo", penalties={"Anna": 5, "Ben": 25})
    if name:
        game, then = corrected(game, name, points, 3), corrected(then, name, points, 4)
    assert overtaken_seats(game.game) == []
    assert overtaken_seats(then.game) == [(30, [20])]


@pytest.mark.parametrize("cards", ["", "counted", "not_counted"])
def test_it_counts_though_its_player_leaves_and_when_they_are_back(cards: HandTreatment) -> None:
    game = corrected(after_two_rounds(missed_round_points=7), "Ben", 50, number=3)
    left = game.after(events_to_leave(game.game, 20, cards))
    assert left.score_of("Ben") == 70
    counted = 3 if cards == "counted" else 0
    left = left.round(out="Anna", penalties={"Ben": counted, "Cleo": 5} if counted else {"Cleo": 5})
    assert left.score_of("Ben") == 70 + counted
    back = left.round(out="Anna", penalties={"Cleo": 5}).comes_back("Ben")
    missed = 1 if counted else 2
    assert back.score_of("Ben") == 70 + counted + 7 * missed
    assert back.round(out="Ben").score_of("Ben") == back.score_of("Ben")


def test_a_round_that_its_player_missed_can_be_corrected() -> None:
    game = after_two_rounds().leaves("Ben").round(out="Anna").comes_back("Ben")
    game = corrected(game, "Ben", 50, number=3)
    assert (game.score_of("Ben"), game.results[2].missed[0].correction) == (70, 50)


def test_it_counts_in_the_result_of_a_game_that_an_edit_ended_before_its_round() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1, go_out_bonus=0)
    game = game.round(penalties={"Anna": 1, "Ben": 10, "Cleo": 20})
    game = corrected(game, "Ben", -9_000, number=2)
    game = game.round(out="Anna", penalties={"Ben": 10, "Cleo": 20}, number=1)
    assert (game.over, game.winners, game.score_of("Ben")) == (True, "Ben", 10 - 9_000)


@pytest.mark.parametrize(
    ("correction", "reason"),
    [
        (Correction(4, 20, 5), "round that has begun"),
        (Correction(0, 20, 5), "round that has begun"),
        (Correction(1, 20, 0), "whole number from"),
        (Correction(1, 20, 10_001), "whole number from"),
        (Correction(1, 99, 5), "isn’t in this game"),
    ],
)
def test_what_says_nothing_is_refused(correction: Correction, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        events_to_correct(after_two_rounds().game, correction)


def test_there_is_nothing_to_correct_where_no_score_is_kept() -> None:
    game = a_game("frustration", THREE).round(out="Anna")
    with pytest.raises(Refused, match="keeps no score"):
        corrected(game, "Ben", 5)


def test_points_are_added_in_a_game_that_is_over_too_and_its_result_follows() -> None:
    game = a_game("aggravation-rummy", THREE, max_deals=1)
    game = game.round(out="Anna", penalties={"Ben": 10, "Cleo": 20})
    game = corrected(game, "Anna", 100)
    assert (game.over, game.winners) == (True, "Ben")


def test_it_is_undone_and_removed_once() -> None:
    before = after_two_rounds().game
    made = events_to_correct(before, Correction(1, 20, 50, "agreed"))
    game = apply_all(before, made)
    assert apply_all(game, events_to_undo(game, made)) == before
    gone = events_to_remove_correction(game, Correction(1, 20, 50, "agreed"))
    assert apply_all(game, gone) == before
    assert events_to_remove_correction(before, Correction(1, 20, 50, "agreed")) == ()
    assert apply_all(before, events_to_undo(before, gone)) == game
    with pytest.raises(Refused, match="isn’t there"):
        events_to_undo(before, made)
