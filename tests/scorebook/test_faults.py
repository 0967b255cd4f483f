"""Contradictions of a round: each is refused, in words for who typed it."""

from dataclasses import replace

import pytest

from app.scorebook.faults import faults_by_round
from app.scorebook.game import Entry
from app.scorebook.round_results import round_results
from tests.builders import a_game, with_ended_round

THREE = "Anna Ben Cleo"
SCORED = {"Ben": 5, "Cleo": 10}


def the_only(faults):
    (fault,) = faults
    return fault


@pytest.mark.parametrize(
    "variant_id", ["frustration", "frustration-rummy-board", "aggravation-rummy", "garbage-rummy"]
)
def test_a_sound_round_has_no_faults(variant_id: str) -> None:
    game = a_game(variant_id, THREE)
    assert game.faults(game.entered(out="Anna", penalties=SCORED)) == ()


# Going out


def test_two_players_cannot_go_out() -> None:
    game = a_game("frustration", THREE)
    fault = the_only(game.faults(game.entered(out="Cleo Anna")))
    assert (fault.code, fault.seat, fault.field) == ("two_out", None, "went_out")
    assert str(fault.message) == ("Only one player can go out. Choose one: Anna and Cleo.")


def test_who_goes_out_has_laid_down_the_contract_though_only_that_is_entered() -> None:
    game = a_game("frustration", THREE)
    entered = game.entered(out="Anna")
    unmet = tuple(replace(row, met=False) for row in entered.entries)
    assert game.faults(replace(entered, entries=unmet)) == ()
    after = with_ended_round(game.game, replace(entered, entries=unmet))
    assert [row.contracts_completed for row in round_results(after)[0].entries] == [1, 0, 0]


# Penalties


def test_who_went_out_has_no_penalty() -> None:
    game = a_game("aggravation-rummy", THREE)
    fault = the_only(game.faults(game.entered(out="Anna", penalties={"Anna": 15, **SCORED})))
    assert (fault.code, fault.seat, fault.field) == ("penalty_for_out", 10, "penalty")
    assert str(fault.message) == "Anna went out, so their points must be 0, not 15."


def test_a_penalty_of_0_for_who_went_out_is_no_contradiction() -> None:
    game = a_game("aggravation-rummy", THREE)
    assert game.faults(game.entered(out="Anna", penalties={"Anna": 0, **SCORED})) == ()


def test_a_penalty_is_not_negative() -> None:
    game = a_game("aggravation-rummy", THREE)
    fault = the_only(game.faults(game.entered(out="Anna", penalties={"Ben": -5, "Cleo": 5})))
    assert (fault.code, fault.seat) == ("penalty_negative", 20)
    assert str(fault.message) == "Ben’s points can’t be less than 0: -5."


def test_a_penalty_is_not_beyond_what_the_decks_hold() -> None:
    # Two decks: 8 aces of 15, 8 each of 3 to 9 of 5 and 10 to king of 10, 12 wild cards of 25.
    all_cards = 8 * 15 + 7 * 8 * 5 + 4 * 8 * 10 + 12 * 25
    game = a_game("aggravation-rummy", THREE)
    assert game.faults(game.entered(out="Anna", penalties={"Ben": all_cards, "Cleo": 5})) == ()
    entered = game.entered(out="Anna", penalties={"Ben": all_cards + 5, "Cleo": 5})
    fault = the_only(game.faults(entered))
    assert (fault.code, fault.seat) == ("penalty_too_high", 20)
    assert str(fault.message) == (
        f"Ben: {all_cards + 5} points is too many. All the cards of 2 decks add up to {all_cards}."
    )


def test_a_third_deck_holds_more() -> None:
    game = a_game("frustration", "Anna Ben Cleo Dora Emil Finn", keep_score="yes")
    others = dict.fromkeys(["Cleo", "Dora", "Emil", "Finn"], 5)
    two_decks = a_game("frustration", "Anna Ben", keep_score="yes")
    assert game.faults(game.entered(out="Anna", penalties={"Ben": 1200, **others})) == ()
    assert two_decks.fault_codes(two_decks.entered(out="Anna", penalties={"Ben": 1200})) == [
        "penalty_too_high"
    ]


def test_a_blank_penalty_is_not_taken_for_0() -> None:
    game = a_game("aggravation-rummy", THREE)
    fault = the_only(game.faults(game.entered(out="Anna", penalties={"Ben": 0})))
    assert (fault.code, fault.seat, fault.field) == ("penalty_blank", 30, "penalty")
    assert str(fault.message) == ("Enter Cleo’s points. If there are none, enter 0.")


def test_no_penalty_is_asked_of_the_finisher_who_pays_nothing() -> None:
    game = a_game("aggravation-rummy", THREE, last_contract=1)
    assert game.faults(game.entered(met="Anna", penalties=SCORED)) == ()


# Rows


def test_a_seat_without_an_entry_has_a_blank_one() -> None:
    game = a_game("aggravation-rummy", THREE)
    entered = game.entered(out="Anna", penalties={"Ben": 5, "Cleo": 10})
    fault = the_only(game.faults(replace(entered, entries=entered.entries[:2])))
    assert (fault.code, fault.seat, fault.field) == ("penalty_blank", 30, "penalty")


def test_nobody_has_two_rows() -> None:
    game = a_game("frustration", THREE)
    entered = game.entered(out="Anna")
    fault = the_only(game.faults(replace(entered, entries=(*entered.entries, Entry(20)))))
    assert (fault.code, fault.seat) == ("row_twice", 20)
    assert str(fault.message) == "Ben is entered more than once."


def test_who_left_has_no_row() -> None:
    game = a_game("frustration", THREE).round(out="Anna").leaves("Ben")
    fault = the_only(game.faults(game.entered(out="Anna", met="Ben")))
    assert (fault.code, fault.seat) == ("not_playing", 20)
    assert str(fault.message) == "Ben isn’t playing in round 2."


def test_a_row_of_a_seat_that_is_not_in_the_game_is_refused() -> None:
    game = a_game("frustration", THREE)
    entered = game.entered(out="Anna")
    fault = the_only(game.faults(replace(entered, entries=(*entered.entries, Entry(99)))))
    assert (fault.code, fault.seat) == ("not_playing", 99)


def test_a_round_that_nobody_plays_is_refused() -> None:
    game = a_game("frustration", "Anna Ben").round(out="Anna").leaves("Anna").leaves("Ben")
    assert game.fault_codes(game.entered()) == ["nobody_plays"]


# The dealer's bonus


def test_only_the_dealer_can_have_lifted_the_exact_deal() -> None:
    game = a_game("garbage-rummy", THREE)
    assert game.faults(game.entered(out="Anna", penalties=SCORED, exact_deal="Anna")) == ()
    fault = the_only(game.faults(game.entered(out="Anna", penalties=SCORED, exact_deal="Ben")))
    assert (fault.code, fault.seat, fault.field) == ("not_the_dealer", 20, "exact_deal")
    assert str(fault.message) == ("Ben didn’t deal round 1, so the dealer bonus isn’t theirs.")


@pytest.mark.parametrize("variant_id", ["frustration", "aggravation-rummy"])
def test_an_exact_deal_is_refused_where_it_earns_nothing(variant_id: str) -> None:
    game = a_game(variant_id, THREE)
    fault = the_only(game.faults(game.entered(out="Anna", penalties=SCORED, exact_deal="Anna")))
    assert (fault.code, fault.field) == ("no_exact_deal_bonus", "exact_deal")


# Who was first


def test_who_was_first_must_be_said_when_several_complete_the_last_contract() -> None:
    game = a_game("frustration", THREE, last_contract=1)
    fault = the_only(game.faults(game.entered(out="Anna", met="Ben")))
    assert (fault.code, fault.seat, fault.field) == ("first_down_missing", None, "first_down")
    assert str(fault.message) == "Anna and Ben laid down the last contract. Who was first?"
    assert game.faults(game.entered(out="Anna", met="Ben", first_down="Ben")) == ()


def test_who_was_first_must_be_one_of_those_who_completed_it() -> None:
    game = a_game("frustration", THREE, last_contract=1)
    fault = the_only(game.faults(game.entered(met="Anna Ben", first_down="Cleo")))
    assert (fault.code, fault.seat) == ("first_down_wrong", 30)
    assert str(fault.message) == (
        "Cleo didn’t lay down the last contract, so they can’t have been first."
    )


def test_who_was_first_is_left_alone_where_it_is_not_asked() -> None:
    game = a_game("frustration", THREE)
    assert game.faults(game.entered(out="Anna", first_down="Cleo")) == ()


# The round's number


def test_no_round_follows_the_end_of_the_game() -> None:
    game = a_game("frustration", THREE, last_contract=1).round(out="Anna")
    fault = the_only(game.faults(game.entered(out="Anna")))
    assert (fault.code, fault.seat, fault.field) == ("game_over", None, "number")
    assert str(fault.message) == "The game was over before round 2."


def test_the_round_that_ended_the_game_can_still_be_edited() -> None:
    game = a_game("frustration", THREE, last_contract=1).round(out="Anna")
    assert game.faults(game.entered(out="Ben", number=1)) == ()


@pytest.mark.parametrize("number", [0, 3])
def test_rounds_are_played_in_turn(number: int) -> None:
    game = a_game("frustration", THREE).round(out="Anna")
    fault = the_only(game.faults(replace(game.entered(), number=number)))
    assert fault.code == "wrong_number"
    assert str(fault.message) == f"Round {number} can’t be entered. The next one is round 2."


def test_an_edited_round_is_judged_by_the_rounds_before_it_alone() -> None:
    game = a_game("frustration", THREE, last_contract=2).round(out="Anna").round(out="Anna")
    assert game.faults(game.entered(met="Anna Ben", number=1)) == ()


# Rounds that an edited one leaves contradictory


def test_an_edited_round_shows_which_later_rounds_it_contradicts() -> None:
    game = a_game("frustration", THREE, last_contract=2).round(out="Anna")
    game = game.round(out="Anna", met="Ben")
    assert faults_by_round(game.game) == {}
    found = faults_by_round(game.round(out="Anna", met="Ben", number=1).game)
    assert {number: [fault.code for fault in those] for number, those in found.items()} == {
        2: ["first_down_missing"]
    }


def test_rounds_after_the_end_are_contradictions_of_their_own() -> None:
    game = a_game("frustration", THREE, last_contract=2).round(out="Anna").rounds(2, out="Ben")
    edited = game.round(out="Anna", number=2)
    assert list(faults_by_round(edited.game)) == [3]


def test_several_faults_are_told_together() -> None:
    game = a_game("aggravation-rummy", THREE)
    entered = game.entered(out="Anna Ben", penalties={"Anna": 5}, exact_deal="Cleo")
    assert game.fault_codes(entered) == [
        "two_out",
        "penalty_for_out",
        "penalty_blank",
        "no_exact_deal_bonus",
    ]
