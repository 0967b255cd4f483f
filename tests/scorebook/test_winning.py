"""How a game ends and who wins, by each of the winning rules."""

import pytest

from tests.builders import a_game

THREE = "Anna Ben Cleo"


# First to complete all


@pytest.mark.parametrize(
    ("variant_id", "contracts"),
    [
        ("frustration", 10),
        ("frustration-rummy", 14),
        ("twelve-step-rummy", 12),
        ("frustration-nineteen", 19),
    ],
)
def test_the_first_to_complete_all_contracts_wins(variant_id: str, contracts: int) -> None:
    game = a_game(variant_id, THREE).rounds(contracts - 1, out="Anna", met="Ben")
    assert not game.over
    game = game.round(met="Anna")
    assert game.over
    assert game.winners == "Anna"
    assert game.reason == f"first to complete all {contracts} contracts"


def test_a_running_game_has_no_winner_and_no_reason() -> None:
    game = a_game("frustration", THREE).round(out="Anna")
    assert (game.over, game.status.winners, game.status.reason) == (False, (), None)


def test_of_several_who_complete_all_in_one_round_the_first_to_lay_down_wins() -> None:
    game = a_game("frustration", THREE).rounds(9, out="Anna", met="Ben")
    game = game.round(out="Anna", met="Ben", first_down="Ben")
    assert game.winners == "Ben"
    assert (game.place_of("Ben"), game.place_of("Anna"), game.place_of("Cleo")) == (
        1,
        2,
        3,
    )


def test_several_share_the_win_until_the_table_says_who_was_first() -> None:
    game = a_game("frustration", THREE).rounds(9, out="Anna", met="Ben").round(met="Anna Ben")
    assert game.winners == "Anna Ben"
    assert (game.place_of("Anna"), game.place_of("Ben")) == (1, 1)
    assert game.reason == "completed contract 10 in the same round"


def test_a_first_down_that_did_not_finish_decides_nothing() -> None:
    game = a_game("frustration", THREE).rounds(9, out="Anna", met="Ben")
    assert game.round(met="Anna Ben", first_down="Cleo").winners == "Anna Ben"


def test_a_shorter_game_ends_with_its_finishing_contract() -> None:
    game = a_game("frustration", THREE, last_contract=4).rounds(4, out="Cleo")
    assert game.winners == "Cleo"
    assert game.reason == "first to complete contract 4"


def test_a_game_of_one_contract_is_won_by_it() -> None:
    game = a_game("frustration", THREE, contracts=["s3 s3"]).round(out="Cleo")
    assert game.reason == "first to complete the contract"


# First to go out on the last contract


@pytest.mark.parametrize("variant_id", ["frustration-rummy-board", "frustration-rummy-bilingual"])
def test_the_first_to_go_out_on_the_last_contract_wins(variant_id: str) -> None:
    game = a_game(variant_id, THREE).rounds(13, out="Anna", met="Ben")
    game = game.round(met="Anna Ben", out="Cleo")
    assert not game.over
    game = game.round(met="Anna", out="Ben")
    assert game.winners == "Ben"
    assert game.reason == "first to go out on contract 14"
    assert game.place_of("Anna") == 2


# Lowest score


@pytest.mark.parametrize(
    ("variant_id", "contracts"), [("aggravation-rummy-family", 7), ("garbage-rummy", 11)]
)
def test_the_lowest_score_wins_when_someone_has_completed_all(
    variant_id: str, contracts: int
) -> None:
    game = a_game(variant_id, THREE, completion_bonus=0)
    for _ in range(contracts - 1):
        game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 10})
    game = game.round(met="Anna", penalties={"Ben": 5, "Cleo": 10}, number=None)
    assert game.over
    assert game.winners == "Anna"
    assert game.reason == f"lowest score when contract {contracts} was laid down"


def test_who_completes_all_need_not_have_the_lowest_score() -> None:
    game = a_game("aggravation-rummy-family", THREE, last_contract=2)
    game = game.round(out="Ben", met="Anna", penalties={"Anna": 50, "Cleo": 5})
    game = game.round(met="Anna", penalties={"Ben": 10, "Cleo": 20})
    assert game.winners == "Ben"
    assert [game.place_of(name) for name in THREE.split()] == [3, 1, 2]


def test_equal_lowest_scores_share_the_win() -> None:
    game = a_game("aggravation-rummy-family", THREE, last_contract=1)
    game = game.round(out="Anna", penalties={"Ben": 0, "Cleo": 5})
    assert game.winners == "Anna Ben"
    assert [game.place_of(name) for name in THREE.split()] == [1, 1, 3]


def test_the_lowest_score_wins_after_a_fixed_number_of_rounds() -> None:
    game = a_game("aggravation-rummy-family", THREE, max_deals=15)
    for _ in range(14):
        game = game.round(penalties={"Anna": 10, "Ben": 5, "Cleo": 15})
    assert not game.over
    game = game.round(penalties={"Anna": 10, "Ben": 5, "Cleo": 15})
    assert game.winners == "Ben"
    assert game.reason == "lowest score"


def test_with_common_contracts_the_lowest_score_wins_after_the_last() -> None:
    game = a_game("aggravation-rummy-family", THREE, progress="common")
    for _ in range(6):
        game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 10})
    assert not game.over
    game = game.round(out="Cleo", met="Anna", penalties={"Anna": 25, "Ben": 5})
    assert game.winners == "Anna"
    assert game.reason == "lowest score"


def test_with_common_contracts_nobody_need_have_completed_all() -> None:
    game = a_game("aggravation-rummy-family", THREE, progress="common", last_contract=2)
    game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 10})
    game = game.round(out="Ben", penalties={"Anna": 50, "Cleo": 10})
    assert game.winners == "Ben"


# A fixed number of rounds


@pytest.mark.parametrize("variant_id", ["frustration", "frustration-rummy-board"])
def test_after_a_fixed_number_of_rounds_the_most_completed_contracts_win(variant_id: str) -> None:
    game = a_game(variant_id, THREE, max_deals=3).round(out="Anna", met="Ben")
    game = game.round(out="Ben").round(out="Cleo")
    assert game.over
    assert game.winners == "Ben"
    assert game.reason == "most contracts completed"


def test_equally_many_completed_contracts_share_the_win() -> None:
    game = a_game("frustration", THREE, max_deals=1).round(out="Anna", met="Ben")
    assert game.winners == "Anna Ben"
    assert [game.place_of(name) for name in THREE.split()] == [1, 1, 3]
    assert game.reason == "most contracts completed"


def test_completing_all_in_the_last_of_a_fixed_number_of_rounds_wins_by_that() -> None:
    game = a_game("frustration", THREE, max_deals=2, last_contract=2).rounds(2, out="Anna")
    assert game.reason == "first to complete contract 2"


# An optional score


def test_a_score_kept_beside_the_contracts_does_not_decide_who_wins() -> None:
    game = a_game("frustration", THREE, keep_score="yes", last_contract=2)
    game = game.round(out="Ben", met="Anna", penalties={"Anna": 50, "Cleo": 15})
    game = game.round(met="Anna", penalties={"Ben": 5, "Cleo": 15})
    assert game.winners == "Anna"
    assert [game.place_of(name) for name in THREE.split()] == [1, 2, 3]


def test_a_score_does_not_part_those_who_share_the_win() -> None:
    game = a_game("frustration", THREE, keep_score="yes", max_deals=1)
    game = game.round(out="Anna", met="Ben", penalties={"Ben": 20, "Cleo": 5})
    assert game.winners == "Anna Ben"
    assert game.place_of("Ben") == 1


def test_a_score_orders_players_on_equal_contracts_while_the_game_runs() -> None:
    game = a_game("frustration-rummy-bilingual", THREE, keep_score="yes")
    game = game.round(out="Anna", penalties={"Ben": 20, "Cleo": 5})
    assert [game.place_of(name) for name in THREE.split()] == [1, 3, 2]


# Who left


def test_who_left_cannot_win() -> None:
    game = a_game("aggravation-rummy-family", THREE, last_contract=2)
    game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 100}).leaves("Ben")
    game = game.round(out="Anna", penalties={"Cleo": 100})
    assert game.winners == "Anna"
    assert game.place_of("Ben") is None
    assert game.place_of("Cleo") == 2


def test_who_left_does_not_win_by_most_contracts() -> None:
    game = a_game("frustration", THREE, max_deals=2).round(out="Ben").leaves("Ben")
    assert game.round(out="Cleo").winners == "Cleo"


def test_who_goes_home_after_the_last_round_still_has_won() -> None:
    game = a_game("frustration", THREE, last_contract=1).round(out="Anna").leaves("Anna")
    assert game.winners == "Anna"
    assert game.place_of("Anna") == 1


def test_a_game_is_not_over_when_all_but_one_have_left() -> None:
    game = a_game("frustration", "Anna Ben").round(out="Anna").leaves("Ben")
    assert not game.over


@pytest.mark.parametrize("variant_id", ["frustration", "aggravation-rummy-family"])
def test_a_game_whose_last_round_nobody_played_has_no_winner(variant_id: str) -> None:
    game = a_game(variant_id, "Anna Ben", max_deals=2)
    game = game.round(out="Anna").leaves("Anna").leaves("Ben").round()
    assert game.over
    assert game.winners == ""
