"""Penalties and bonuses: who pays what, and who gets what."""

from typing import Any

import pytest

from app.rules.rule_sets import family_rule_sets
from app.scorebook.round_results import Bonus
from tests.builders import a_game

THREE = "Anna Ben Cleo"


def test_penalties_add_up() -> None:
    game = a_game("aggravation-rummy-family", THREE)
    game = game.round(out="Anna", penalties={"Ben": 25, "Cleo": 5})
    game = game.round(out="Cleo", penalties={"Anna": 10, "Ben": 15})
    assert [game.score_of(name) for name in THREE.split()] == [10, 40, 5]


def test_who_went_out_pays_nothing() -> None:
    game = a_game("aggravation-rummy-family", THREE)
    game = game.round(out="Anna", penalties={"Anna": 30, "Ben": 5, "Cleo": 5})
    assert (game.score_of("Anna"), game.last_row_of("Anna").penalty) == (0, 0)


def test_a_blank_penalty_stays_blank_in_the_history() -> None:
    game = a_game("aggravation-rummy-family", THREE).round(out="Anna", penalties={"Ben": 5})
    assert game.last_row_of("Cleo").penalty is None


@pytest.mark.parametrize(
    "variant_id", sorted(rules.id for rules in family_rule_sets().values() if not rules.keeps_score)
)
def test_no_score_is_shown_where_none_is_kept(variant_id) -> None:
    game = a_game(variant_id, THREE).round(out="Anna", penalties={"Ben": 5})
    assert game.score_of("Ben") is None
    row = game.last_row_of("Ben")
    assert (row.penalty, row.points, row.score_after, row.bonuses) == (None, None, None, ())
    assert game.needs_penalty(game.entered(out="Anna")) == ""


def test_an_optional_score_is_kept_when_the_table_wants_it() -> None:
    game = a_game("frustration-rummy-bilingual", THREE, keep_score="yes")
    assert game.round(out="Anna", penalties={"Ben": 5, "Cleo": 50}).score_of("Cleo") == 50


def test_a_late_joiner_begins_with_no_score() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    assert game.joins("Dora").score_of("Dora") == 0


def test_a_late_joiner_can_begin_with_a_given_score() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    game = game.joins("Dora", score=40)
    assert game.score_of("Dora") == 40
    game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 5, "Dora": 10})
    assert game.score_of("Dora") == 50


def test_who_left_keeps_the_score_they_had() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 5, "Cleo": 15})
    game = game.leaves("Cleo").round(out="Anna", penalties={"Ben": 5})
    assert game.score_of("Cleo") == 15


# The bonus for going out


def test_in_aggravation_rummy_going_out_helps_by_25_each_round() -> None:
    game = a_game("aggravation-rummy", THREE)
    game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    assert game.last_row_of("Anna").bonuses == (Bonus("go_out", -25),)
    assert game.round(out="Anna", penalties={"Ben": 5, "Cleo": 5}).score_of("Anna") == -50


def test_nobody_gets_a_bonus_for_going_out_where_the_rule_set_has_none() -> None:
    game = a_game("garbage-rummy", THREE).round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    assert game.score_of("Anna") == 0


# The bonus for completing all


def test_in_aggravation_rummy_the_first_to_finish_all_gets_200_and_25_for_going_out() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1)
    game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    assert game.last_row_of("Anna").bonuses == (Bonus("go_out", -25), Bonus("completion", -200))
    assert game.score_of("Anna") == -225


def test_in_garbage_rummy_the_first_to_finish_all_gets_100() -> None:
    game = a_game("garbage-rummy", THREE, last_contract=1)
    assert game.round(out="Anna", penalties={"Ben": 5, "Cleo": 5}).score_of("Anna") == -100


def test_of_several_who_finish_all_the_first_to_lay_down_gets_the_bonus() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1)
    game = game.round(out="Anna", met="Ben", penalties={"Ben": 30, "Cleo": 5}, first_down="Ben")
    assert (game.score_of("Anna"), game.score_of("Ben")) == (-25, -200)


def test_nobody_gets_the_bonus_for_finishing_until_the_table_says_who_was_first() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1)
    game = game.round(met="Anna Ben", penalties={"Anna": 10, "Ben": 30, "Cleo": 5})
    assert (game.score_of("Anna"), game.score_of("Ben")) == (10, 30)


def test_with_common_contracts_only_who_completed_all_gets_the_bonus() -> None:
    game = a_game("aggravation-rummy", THREE, progress="common", last_contract=2)
    game = game.round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    game = game.round(out="Ben", met="Anna", penalties={"Anna": 10, "Cleo": 5})
    assert game.last_row_of("Anna").bonuses == (Bonus("completion", -200),)
    assert game.last_row_of("Ben").bonuses == (Bonus("go_out", -25),)


# The dealer's bonus


def test_in_garbage_rummy_a_dealer_who_lifts_exactly_the_deal_gets_50() -> None:
    game = a_game("garbage-rummy", THREE)
    game = game.round(out="Ben", penalties={"Anna": 10, "Cleo": 5}, exact_deal="Anna")
    assert game.last_row_of("Anna").bonuses == (Bonus("exact_deal", -50),)
    assert game.score_of("Anna") == -40


def test_only_the_dealer_gets_the_dealers_bonus() -> None:
    game = a_game("garbage-rummy", THREE)
    game = game.round(out="Ben", penalties={"Anna": 10, "Cleo": 5}, exact_deal="Cleo")
    assert game.score_of("Cleo") == 5


# The finisher's own cards


def test_who_lays_the_last_contract_first_does_not_pay_for_the_cards_still_held() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1)
    entered = game.entered(met="Anna", penalties={"Ben": 5, "Cleo": 5})
    assert game.needs_penalty(entered) == "Ben Cleo"
    game = game.round(met="Anna", penalties={"Anna": 40, "Ben": 5, "Cleo": 5})
    assert game.score_of("Anna") == -200


def test_where_another_goes_out_after_it_who_laid_the_last_contract_pays_like_the_others() -> None:
    """ "Each of the other players scores penalty points": the letter on the family's game."""
    game = a_game("aggravation-rummy-family", THREE, last_contract=1)
    assert game.needs_penalty(game.entered(met="Anna", out="Ben")) == "Anna Cleo"
    assert game.asks_first_down(game.entered(met="Anna Cleo", out="Ben")) == ""
    game = game.round(met="Anna", out="Ben", penalties={"Anna": 40, "Cleo": 5})
    assert (game.score_of("Anna"), game.winners) == (40, "Ben")


def test_where_laying_the_last_contract_itself_ends_the_round_it_costs_nothing() -> None:
    game = a_game("aggravation-rummy-family", THREE, last_contract=1)
    assert game.needs_penalty(game.entered(met="Anna")) == "Ben Cleo"
    game = game.round(met="Anna", penalties={"Ben": 20, "Cleo": 5})
    assert (game.score_of("Anna"), game.winners) == (0, "Anna")


def test_by_house_rule_the_finisher_pays_too() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1, finisher_pays=True)
    assert game.needs_penalty(game.entered(met="Anna")) == "Anna Ben Cleo"
    game = game.round(met="Anna", penalties={"Anna": 40, "Ben": 5, "Cleo": 5})
    assert game.score_of("Anna") == -160


def test_of_several_finishers_only_the_first_is_free() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1)
    assert game.needs_penalty(game.entered(met="Anna Ben")) == "Anna Ben Cleo"
    assert game.needs_penalty(game.entered(met="Anna Ben", first_down="Ben")) == "Anna Cleo"


def test_with_common_contracts_the_last_round_is_played_out_and_everybody_pays() -> None:
    game = a_game("aggravation-rummy-family", THREE, progress="common", last_contract=1)
    assert game.needs_penalty(game.entered(met="Anna", out="Ben")) == "Anna Cleo"


def test_laying_the_last_contract_does_not_free_where_it_takes_going_out() -> None:
    game = a_game("frustration-rummy-board", THREE, keep_score="yes", last_contract=1)
    assert game.needs_penalty(game.entered(met="Anna")) == "Anna Ben Cleo"


def test_who_went_out_needs_no_penalty() -> None:
    game = a_game("aggravation-rummy-family", THREE)
    assert game.needs_penalty(game.entered(out="Ben")) == "Anna Cleo"


def test_who_does_not_play_needs_no_penalty() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Ben").leaves("Cleo")
    assert game.needs_penalty(game.entered(out="Ben")) == "Anna"


# Who was first


def test_the_table_is_asked_who_was_first_only_when_several_complete_the_last_contract() -> None:
    game = a_game("frustration", THREE, last_contract=2)
    assert game.asks_first_down(game.entered(met="Anna Ben")) == ""
    game = game.round(met="Anna Ben")
    assert game.asks_first_down(game.entered(met="Anna")) == ""
    assert game.asks_first_down(game.entered(met="Anna Ben Cleo")) == "Anna Ben"


@pytest.mark.parametrize(
    ("variant_id", "house_rules", "asked"),
    [
        ("frustration", {}, "Anna Ben"),
        ("aggravation-rummy", {"finisher_pays": True}, "Anna Ben"),
        ("garbage-rummy", {"finisher_pays": True}, "Anna Ben"),
        ("aggravation-rummy-family", {}, "Anna Ben"),
        ("aggravation-rummy-family", {"finisher_pays": True}, ""),
        ("aggravation-rummy-family", {"progress": "common"}, ""),
        ("aggravation-rummy", {"progress": "common"}, "Anna Ben"),
        ("frustration-rummy-board", {}, ""),
    ],
)
def test_who_was_first_is_asked_where_the_win_a_bonus_or_the_cards_held_hang_on_it(
    variant_id: str, house_rules: dict[str, Any], asked: str
) -> None:
    game = a_game(variant_id, THREE, last_contract=1, **house_rules)
    assert game.asks_first_down(game.entered(met="Anna Ben")) == asked


def test_nobody_is_asked_who_was_first_once_the_game_is_over() -> None:
    game = a_game("frustration", THREE, last_contract=1).round(met="Anna Ben", first_down="Ben")
    assert game.asks_first_down(game.entered(met="Cleo")) == ""
    assert game.asks_first_down(game.entered(met="Anna Ben")) == ""
