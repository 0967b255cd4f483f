"""What each round came to, and what becomes of it when a round is edited."""

from dataclasses import replace

import pytest

from app.scorebook.dealing import first_player_after
from app.scorebook.game import Round
from app.scorebook.round_results import is_over, rounds_after_end
from app.scorebook.standings import game_status
from tests.builders import a_game, with_ended_round

THREE = "Anna Ben Cleo"


def test_a_round_tells_dealer_first_player_and_what_each_player_tried() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    game = game.round(out="Ben", met="Anna", penalties={"Anna": 15, "Cleo": 30})
    record = game.results[1]
    assert (record.number, game.name_of(record.dealer)) == (2, "Ben")
    assert game.name_of(first_player_after(game.game, record.dealer, record.number)) == "Cleo"
    anna = game.last_row_of("Anna")
    assert (anna.contract, anna.laid_down, anna.completed_contract, anna.went_out) == (
        2,
        True,
        True,
        False,
    )
    assert (anna.penalty, anna.points, anna.score_after) == (15, 15, -10)
    assert (anna.contracts_completed, game.standing_of("Anna").contract) == (2, 3)


def test_a_round_shows_only_those_who_played() -> None:
    game = a_game("frustration", THREE).round(out="Anna").leaves("Ben").round(out="Anna")
    assert [len(record.entries) for record in game.results] == [3, 2]


def test_the_last_round_tells_who_finished_and_who_was_first() -> None:
    game = a_game("frustration", THREE, last_contract=1).round(met="Anna Ben", first_down="Ben")
    record = game.results[0]
    assert record.ends_game
    assert (record.finishers, record.first_finisher) == ((10, 20), 20)


def test_a_game_without_rounds_has_no_history_and_all_share_the_first_place() -> None:
    game = a_game("aggravation-rummy", THREE)
    assert game.results == ()
    assert [standing.place for standing in game.status.standings] == [1, 1, 1]
    assert game.status.next_round == 1


def test_players_on_equal_contracts_share_a_place_and_the_next_place_is_left_out() -> None:
    game = a_game("frustration", "Anna Ben Cleo Dora").round(out="Ben", met="Cleo")
    assert [standing.place for standing in game.status.standings] == [3, 1, 1, 3]


def test_the_board_can_be_read_by_place() -> None:
    game = a_game("frustration", THREE).round(out="Cleo", met="Ben").leaves("Ben")
    assert [game.name_of(one.seat) for one in game.status.by_place] == ["Cleo", "Anna", "Ben"]


@pytest.mark.parametrize(("progress", "contract"), [("individual", 1), ("common", 3)])
def test_who_joins_only_in_a_later_round_waits_without_a_place(
    progress: str, contract: int
) -> None:
    game = a_game("aggravation-rummy-family", THREE, progress=progress).rounds(2, out="Anna")
    joined = game.joins("Dora").game
    undone = replace(joined, rounds=joined.rounds[:1])
    waiting = game_status(undone).standing(40)
    assert (waiting.present, waiting.place, waiting.contract) == (False, None, contract)


def test_a_seat_that_is_not_in_the_game_has_no_standing() -> None:
    with pytest.raises(KeyError):
        a_game("frustration", THREE).status.standing(99)


# Mending


def test_an_edited_round_moves_everything_after_it() -> None:
    game = a_game("aggravation-rummy", THREE)
    game = game.rounds(2, out="Anna").round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    edited = game.round(out="Ben", penalties={"Anna": 10, "Cleo": 5}, number=1)
    assert (game.contract_of("Anna"), edited.contract_of("Anna")) == (4, 3)
    assert edited.contract_of("Ben") == 2
    assert (edited.score_of("Anna"), edited.score_of("Ben")) == (-40, -20)


def test_rounds_after_an_edited_end_are_kept_but_do_not_count() -> None:
    game = a_game("frustration", THREE, last_contract=2).round(out="Anna").rounds(2, out="Ben")
    assert game.winners == "Ben"
    edited = game.round(out="Anna", met="Ben", number=1).round(met="Anna", number=2)
    assert edited.winners == "Anna"
    assert len(edited.results) == 2
    assert [played.number for played in rounds_after_end(edited.game)] == [3]
    assert edited.completed_by("Ben") == 1


def test_a_game_can_run_on_when_its_last_round_is_edited() -> None:
    game = a_game("frustration", THREE, last_contract=1).round(out="Anna")
    assert is_over(game.game)
    assert not is_over(game.round(number=1).game)


def test_no_round_follows_the_end_of_a_running_game() -> None:
    assert rounds_after_end(a_game("frustration", THREE).round(out="Anna").game) == ()


def test_a_round_without_rows_counts_as_one_in_which_nothing_happened() -> None:
    game = with_ended_round(a_game("frustration", THREE).game, Round(1, ()))
    assert [one.contract for one in game_status(game).standings] == [1, 1, 1]
