"""Players who come late, leave, come back and play on for each other."""

from dataclasses import replace

import pytest

from app.scorebook.events.attendance import (
    events_to_join,
    events_to_leave,
    events_to_return,
    player_returned_event,
    usual_contracts,
    usual_scores,
)
from app.scorebook.events.dealing import events_to_choose_dealer
from app.scorebook.events.entries import EntryChanged
from app.scorebook.events.event import apply_all
from app.scorebook.events.seats import events_to_correct_holder, events_to_hand_over
from app.scorebook.game import Seat, SeatHolder
from app.scorebook.refusals import Refused
from app.scorebook.statistics import result_of
from app.scorebook.undo import events_to_undo
from tests.builders import TableGame, a_game

SCORED = "aggravation-rummy"


def with_joiner(
    table: TableGame, contract: int | str | None = None, score: int | str | None = None
) -> TableGame:
    """The table with Dora, who joins late."""
    events = events_to_join(table.game, Seat(70, name="Dora", player=70), None, contract, score)
    return replace(table.after(events), seat_by_name={**table.seat_by_name, "Dora": 70})


# Coming back


def test_who_missed_rounds_comes_back_to_the_old_seat_with_contract_and_score_as_they_were() -> (
    None
):
    table = a_game(SCORED, "Anna Ben Cleo").round(out="Ben", penalties={"Anna": 30, "Cleo": 5})
    away = table.leaves("Ben").rounds(2, out="Anna")
    back = away.comes_back("Ben")
    assert back.contract_of("Ben") == table.contract_of("Ben") == 2
    assert back.score_of("Ben") == table.score_of("Ben")
    assert back.game.seat(20).missed == ((2, 3),)
    assert [len(played.entries) for played in back.results] == [3, 2, 2]
    assert [len(played.missed) for played in back.results] == [0, 1, 1]


def test_each_missed_round_costs_what_the_house_rule_says() -> None:
    table = a_game(SCORED, "Anna Ben Cleo", missed_round_points=15).round(out="Ben")
    before = table.score_of("Ben")
    back = table.leaves("Ben").rounds(2, out="Anna").comes_back("Ben")
    assert before is not None
    assert back.score_of("Ben") == before + 30
    assert back.round(out="Anna").score_of("Ben") == before + 30


def test_nobody_misses_a_round_by_leaving_and_coming_back_between_two() -> None:
    table = a_game("frustration", "Anna Ben Cleo").round(out="Anna")
    assert table.leaves("Ben").comes_back("Ben").game == table.game


def test_a_player_can_come_and_go_again_and_again() -> None:
    table = a_game("frustration", "Anna Ben Cleo").round(out="Ben")
    table = table.leaves("Ben").round(out="Anna").comes_back("Ben").round(out="Ben")
    table = table.leaves("Ben").rounds(2, out="Anna").comes_back("Ben")
    assert table.game.seat(20).missed == ((2, 2), (4, 5))
    assert table.contract_of("Ben") == 3


def test_the_deal_passes_over_a_player_for_the_missed_rounds_alone() -> None:
    table = a_game("frustration", "Anna Ben Cleo").round(out="Ben").leaves("Ben")
    table = table.rounds(2, out="Anna").comes_back("Ben").rounds(3, out="Anna")
    assert table.dealers_so_far == "Anna Cleo Anna Cleo Anna Ben"


def test_coming_back_is_undone_as_long_as_no_round_was_played_since() -> None:
    away = a_game("frustration", "Anna Ben Cleo").round(out="Ben").leaves("Ben").round(out="Anna")
    event = player_returned_event(away.game, away.game.seat(20))
    back = away.after([event])
    assert apply_all(back.game, events_to_undo(back.game, [event])) == away.game
    with pytest.raises(Refused):
        events_to_undo(back.round(out="Ben").game, [event])


# Leaving in the middle of a round


def test_cards_that_count_are_paid_for_in_the_round_in_which_a_player_leaves() -> None:
    table = a_game(SCORED, "Anna Ben Cleo").round(out="Anna")
    left = table.after(events_to_leave(table.game, 20, "counted"))
    played = left.round(out="Anna", penalties={"Ben": 40, "Cleo": 5})
    assert left.needs_penalty(left.entered(out="Anna")) == "Ben Cleo"
    assert played.score_of("Ben") == 40
    assert not played.game.seat(20).plays_in(3)


def test_cards_that_do_not_count_leave_the_round_to_the_others() -> None:
    table = a_game(SCORED, "Anna Ben Cleo").round(out="Anna")
    left = table.after(events_to_leave(table.game, 20, "not_counted"))
    assert left.needs_penalty(left.entered(out="Anna")) == "Cleo"


def test_who_leaves_is_no_longer_entered_as_going_out() -> None:
    game = a_game("frustration", "Anna Ben Cleo").game
    (entered,) = [EntryChanged(1, 20, {"went_out": False}, {"went_out": True})]
    game = entered.apply(game)
    for cards in ("counted", "not_counted", ""):
        events = events_to_leave(game, 20, cards)
        left = apply_all(game, events)
        assert not left.round(1).entry_of(20).went_out
        assert isinstance(events[0], EntryChanged)
        assert apply_all(left, events_to_undo(left, events)) == game


@pytest.mark.parametrize("cards", ["counted", "not_counted"])
def test_who_dealt_and_leaves_has_dealt_and_the_next_player_deals_next(cards) -> None:
    table = a_game("frustration", "Anna Ben Cleo").round(out="Anna")
    assert table.dealer == "Ben"
    left = table.after(events_to_leave(table.game, 20, cards))
    assert left.dealer == "Ben"
    assert left.round(out="Anna").dealer == "Cleo"
    events = events_to_leave(table.game, 20, cards)
    assert apply_all(left.game, events_to_undo(left.game, events)) == table.game


def test_who_leaves_before_the_round_does_not_deal_it_though_the_table_chose_so() -> None:
    table = a_game("frustration", "Anna Ben Cleo").round(out="Anna")
    chosen = table.after(events_to_choose_dealer(table.game, 30, once=False))
    assert chosen.dealer == "Cleo"
    assert chosen.after(events_to_leave(chosen.game, 30)).dealer == "Ben"


# Stand-ins


def test_a_stand_in_plays_on_with_the_contract_and_the_score_of_the_seat() -> None:
    table = a_game(SCORED, "Anna Ben Cleo").round(out="Ben", penalties={"Anna": 30, "Cleo": 5})
    taken = table.hands_over("Ben", "Emil")
    assert taken.game.names == {10: "Anna", 20: "Emil", 30: "Cleo"}
    assert (taken.contract_of("Ben"), taken.score_of("Ben")) == (2, table.score_of("Ben"))
    assert taken.dealer == "Ben"


def test_rounds_and_contracts_count_for_who_played_them_and_the_win_for_who_holds_the_seat() -> (
    None
):
    table = a_game("frustration", "Anna Ben", last_contract=3).rounds(2, out="Ben")
    over = table.hands_over("Ben", "Emil").round(out="Ben")
    result = result_of(over.game)
    assert result is not None
    played = {
        one.player: (one.rounds, one.won, one.place, one.times_went_out) for one in result.players
    }
    emil = sum(map(ord, "Emil"))
    assert played == {10: (3, False, 2, 0), 20: (2, None, None, 2), emil: (1, True, 1, 1)}
    tried = {
        one.player: [each.contract for each in one.contract_attempts] for one in result.players
    }
    assert (tried[20], tried[emil]) == ([1, 2], [3])


def test_who_sat_there_first_comes_back_by_taking_over_again() -> None:
    table = a_game("frustration", "Anna Ben").round(out="Ben").hands_over("Ben", "Emil")
    table = table.round(out="Ben")
    back = table.after(events_to_hand_over(table.game, 20, SeatHolder(3, 20, "Ben")))
    assert [back.game.names_in(number)[20] for number in (1, 2, 3)] == ["Ben", "Emil", "Ben"]


def test_nobody_plays_two_seats() -> None:
    game = a_game("frustration", "Anna Ben Cleo").game
    with pytest.raises(Refused):
        events_to_hand_over(game, 20, SeatHolder(1, 30, "Cleo"))
    with pytest.raises(Refused):
        events_to_return(game, game.seat(20), SeatHolder(1, 20, "Ben"), None, None)


def test_who_left_can_play_on_for_another_and_then_has_one_result() -> None:
    table = a_game("frustration", "Anna Ben Cleo", last_contract=3).round(out="Cleo")
    table = table.leaves("Anna").round(out="Cleo")
    taken = table.after(events_to_hand_over(table.game, 30, SeatHolder(3, 10, "Anna")))
    with pytest.raises(Refused):
        events_to_return(taken.game, taken.game.seat(10), SeatHolder(3, 10, "Anna"), None, None)
    result = result_of(taken.round(out="Cleo").game)
    assert result is not None
    anna = next(one for one in result.players if one.player == 10)
    assert (anna.rounds, anna.won, anna.place, anna.seat) == (2, True, 1, 30)


def test_taking_over_is_undone_as_long_as_no_round_was_played_since() -> None:
    table = a_game("frustration", "Anna Ben").round(out="Ben")
    events = events_to_hand_over(table.game, 20, SeatHolder(2, 50, "Emil"))
    taken = table.after(events)
    assert apply_all(taken.game, events_to_undo(taken.game, events)) == table.game
    with pytest.raises(Refused):
        events_to_undo(taken.round(out="Ben").game, events)


# Late joiners


def test_a_late_joiner_begins_on_the_contract_and_with_the_score_that_the_table_chooses() -> None:
    table = a_game(SCORED, "Anna Ben").rounds(3, out="Anna")
    joined = with_joiner(table, contract=3, score=120)
    assert (joined.contract_of("Dora"), joined.score_of("Dora")) == (3, 120)
    assert joined.round(out="Dora").contract_of("Dora") == 4


def test_the_usual_ones_are_the_first_and_the_lowest_contract_and_three_scores() -> None:
    table = a_game(SCORED, "Anna Ben Cleo").rounds(2, out="Anna", met="Ben Cleo")
    table = table.round(out="Anna", met="Ben", penalties={"Ben": 10, "Cleo": 75})
    assert usual_contracts(table.game) == {"first": 1, "lowest": 3}
    scores = usual_scores(table.game)
    assert (scores["zero"], scores["highest"]) == (0, 75)
    assert scores["average"] == round((table.score_of("Anna") or 0) / 3 + 85 / 3)


def test_a_usual_one_is_the_house_rule_for_the_next_joiner() -> None:
    table = a_game(SCORED, "Anna Ben").round(out="Anna", penalties={"Ben": 40})
    joined = with_joiner(table, contract="lowest", score="highest")
    rules = joined.game.rules_in(2)
    assert (rules.joiner_contract, rules.joiner_score) == ("lowest", "highest")
    events = events_to_join(joined.game, Seat(80, name="Emil", player=80), None, None, None)
    assert joined.after(events).game.seat(80).starting_score == 40


def test_who_joined_by_mistake_begins_anew_as_the_table_chooses_and_comes_back_as_before() -> None:
    table = a_game(SCORED, "Anna Ben").round(out="Anna", penalties={"Ben": 40})
    events = events_to_join(table.game, Seat(70, name="Dora", player=70), None, 1, 40)
    joined = table.after(events)
    gone = joined.after(events_to_leave(joined.game, 70)).game
    for choice, expected in (((None, None), 40), ((1, 5), 5)):
        back = events_to_return(gone, gone.seat(70), SeatHolder(2, 70, "Dora"), *choice)
        assert apply_all(gone, back).seat(70).starting_score == expected


@pytest.mark.parametrize("variant", [SCORED, "ten-phases", "carioca"])
def test_no_score_is_given_silently_where_the_lowest_score_wins(variant: str) -> None:
    table = a_game(variant, "Anna Ben").round(out="Anna", penalties={"Ben": 40})
    with pytest.raises(Refused):
        with_joiner(table)


def test_a_score_that_decides_nothing_begins_at_0() -> None:
    table = a_game("frustration", "Anna Ben", keep_score="yes").round(out="Anna")
    assert with_joiner(table).score_of("Dora") == 0


@pytest.mark.parametrize("contract", [0, 11, "highest"])
def test_a_late_joiner_begins_on_a_contract_of_the_game(contract: int | str) -> None:
    with pytest.raises(Refused):
        with_joiner(a_game("frustration", "Anna Ben"), contract=contract)


# It was someone else all along

EMILY = SeatHolder(1, 70, "Emily")


def test_a_seat_is_given_to_who_sat_there_from_the_start_with_all_that_was_played() -> None:
    table = a_game(SCORED, "Anna Ella").round(out="Ella", penalties={"Anna": 30})
    right = table.after(events_to_correct_holder(table.game, 20, EMILY))
    assert [right.game.names_in(number)[20] for number in (1, 2)] == ["Emily", "Emily"]
    assert (right.game.rounds, right.results) == (table.game.rounds, table.results)
    with pytest.raises(Refused, match="already sits at this table"):
        events_to_correct_holder(table.game, 20, SeatHolder(1, 10, "Anna"))
    assert events_to_correct_holder(table.game, 20, SeatHolder(1, 20, "Ella")) == ()


def test_of_a_seat_that_several_held_only_the_time_of_the_one_that_is_named_is_given_away() -> None:
    table = a_game("frustration", "Anna Ella").round(out="Ella").hands_over("Ella", "Max")
    table = table.round(out="Anna").hands_over("Ella", "Ella").round(out="Anna")
    taken = events_to_correct_holder(table.game, 20, EMILY, "Ella")
    names = [table.after(taken).game.names_in(number)[20] for number in range(1, 5)]
    assert names == ["Emily", "Max", "Emily", "Emily"]
    stood_in = events_to_correct_holder(table.game, 20, EMILY, "Max")
    names = [table.after(stood_in).game.names_in(number)[20] for number in range(1, 5)]
    assert names == ["Ella", "Emily", "Ella", "Ella"]
    with pytest.raises(Refused):
        events_to_correct_holder(table.game, 20, EMILY, "Cleo")


def test_who_took_the_seat_over_may_have_been_there_from_the_start() -> None:
    """So a table says it that noticed on the way, and could only hand the seat over then."""
    table = a_game("frustration", "Anna Ella").round(out="Ella").hands_over("Ella", "Emily")
    table = table.round(out="Anna")
    events = events_to_correct_holder(table.game, 20, table.game.seat(20).stand_ins[0], "Ella")
    right = table.after(events)
    assert [one.name for one in right.game.seat(20).holders_before(3)] == ["Emily"]
    back = right.after(events_to_undo(right.game, events))
    assert [one.name for one in back.game.seat(20).holders_before(3)] == ["Ella", "Emily"]


def test_the_game_that_is_over_counts_for_the_right_player_and_again_for_the_other() -> None:
    table = a_game("frustration", "Anna Ella", last_contract=1).round(out="Ella")
    events = events_to_correct_holder(table.game, 20, EMILY)
    right = table.after(events)
    result = result_of(right.game)
    assert result is not None
    assert [(one.player, one.won) for one in result.players] == [(10, False), (70, True)]
    back = right.after(events_to_undo(right.game, events))
    assert back.game.names == table.game.names


def test_nobody_plays_two_seats_by_a_correction_or_its_undo() -> None:
    table = a_game("frustration", "Anna Ella Cleo").round(out="Ella").hands_over("Cleo", "Emily")
    with pytest.raises(Refused, match="already sits at this table"):
        events_to_correct_holder(table.game, 20, table.game.seat(30).stand_ins[0])
    table = a_game("frustration", "Anna Ella").round(out="Ella")
    events = events_to_correct_holder(table.game, 20, EMILY)
    joined = table.after(events).joins("Ella")
    with pytest.raises(Refused, match="already sits at this table"):
        events_to_undo(joined.game, events)
