"""Which contract a player tries, and who moves on."""

import pytest

from app.rules.rule_sets import family_rule_sets
from tests.builders import a_game


@pytest.mark.parametrize("variant_id", sorted(family_rule_sets()))
def test_everybody_begins_with_contract_1(variant_id) -> None:
    game = a_game(variant_id, "Anna Ben Cleo")
    assert [standing.contract for standing in game.status.standings] == [1, 1, 1]


def test_who_met_the_contract_without_going_out_still_moves_on() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna", met="Ben")
    assert game.contract_of("Ben") == 2


def test_who_did_not_meet_the_contract_tries_it_again() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna", met="Ben")
    assert game.contract_of("Cleo") == 1


def test_players_move_on_though_nobody_went_out() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(met="Ben")
    assert (game.contract_of("Anna"), game.contract_of("Ben")) == (1, 2)


def test_a_late_joiner_begins_with_contract_1() -> None:
    game = a_game("frustration", "Anna Ben").rounds(3, out="Anna").joins("Cleo")
    assert (game.contract_of("Cleo"), game.completed_by("Cleo")) == (1, 0)
    assert game.round(out="Cleo").contract_of("Cleo") == 2


def test_who_left_tries_no_contract_but_keeps_those_completed() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna", met="Ben").leaves("Ben")
    assert (game.contract_of("Ben"), game.completed_by("Ben")) == (None, 1)


def test_who_has_finished_all_contracts_tries_none() -> None:
    game = a_game("frustration", "Anna Ben").rounds(10, out="Anna")
    assert (game.contract_of("Anna"), game.completed_by("Anna")) == (None, 10)
    assert game.contract_of("Ben") == 1


@pytest.mark.parametrize("variant_id", ["frustration-rummy-board", "frustration-rummy-bilingual"])
def test_the_last_contract_laid_without_going_out_is_tried_again(variant_id: str) -> None:
    game = a_game(variant_id, "Anna Ben").rounds(13, met="Anna").round(met="Anna", out="Ben")
    assert (game.contract_of("Anna"), game.completed_by("Anna")) == (14, 13)
    assert not game.last_row_of("Anna").completed_contract


def test_a_finishing_contract_takes_going_out_in_a_shorter_game_too() -> None:
    game = a_game("frustration-rummy-board", "Anna Ben", last_contract=3).rounds(3, met="Anna")
    assert game.contract_of("Anna") == 3
    assert game.round(out="Anna").completed_by("Anna") == 3


def test_with_common_contracts_everybody_tries_that_of_the_round() -> None:
    game = a_game("aggravation-rummy-family", "Anna Ben Cleo", progress="common")
    game = game.round(out="Anna", met="Ben").round(out="Anna")
    assert [standing.contract for standing in game.status.standings] == [3, 3, 3]
    assert (game.completed_by("Anna"), game.completed_by("Ben"), game.completed_by("Cleo")) == (
        2,
        1,
        0,
    )


def test_with_common_contracts_a_late_joiner_tries_that_of_the_round() -> None:
    game = a_game("aggravation-rummy-family", "Anna Ben Cleo", progress="common")
    game = game.rounds(2, out="Anna").joins("Dora")
    assert (game.contract_of("Dora"), game.completed_by("Dora")) == (3, 0)
    assert game.rounds(5, out="Anna").contract_of("Dora") is None


def test_who_was_away_when_a_game_ended_has_no_contract_to_try() -> None:
    """An edit ended it in a round that the player missed and came back after."""
    table = a_game("frustration", "Anna Ben Cleo", last_contract=2).round(out="Anna").leaves("Ben")
    table = table.round(met="Cleo").comes_back("Ben").round(met="Ben")
    assert table.contract_of("Ben") == 2
    over = table.round(out="Anna", number=2)
    assert (over.over, over.contract_of("Ben"), over.place_of("Ben")) == (True, None, None)
