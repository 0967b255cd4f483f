"""What a table takes back, in whatever order: it is as if it had not been."""

from dataclasses import replace

import pytest

from app.scorebook.events.attendance import events_to_join, events_to_leave, events_to_return
from app.scorebook.events.dealing import events_to_change_seats, events_to_choose_dealer
from app.scorebook.events.entries import EntryFields, SetEntry, events_to_reach
from app.scorebook.events.event import LogFields, apply_all, event_of
from app.scorebook.events.games import (
    GameResumed,
    RuleChanged,
    events_to_change_rule,
    events_to_play_on,
    events_to_stop,
)
from app.scorebook.events.rounds import (
    RoundReopened,
    events_to_edit_round,
    events_to_end_round,
    events_to_void,
)
from app.scorebook.events.seats import events_to_hand_over
from app.scorebook.game import Game, Seat, SeatHolder
from app.scorebook.refusals import Refused
from app.scorebook.round_results import is_over
from app.scorebook.undo import events_to_undo, game_without
from tests.builders import TableGame, a_game

THREE = "Anna Ben Cleo"
SCORED = "aggravation-rummy"


def joins(game: Game, name: str, *, seat: int = 70, score: int = 0) -> Game:
    taken = Seat(seat, name=name, player=seat)
    return apply_all(game, events_to_join(game, taken, None, 1, score))


def reopened(game: Game) -> Game:
    return apply_all(game, [RoundReopened(len(game.rounds))])


# Who plays


def test_who_comes_back_does_not_play_a_seat_that_another_player_of_the_game_plays_later() -> None:
    table = a_game("frustration", THREE).round(out="Anna")
    dora = SeatHolder(2, 70, "Dora")
    game = reopened(apply_all(table.game, events_to_hand_over(table.game, 20, dora)))
    left = events_to_leave(game, 20)
    game = joins(apply_all(game, left), "Dora")
    with pytest.raises(Refused, match="is already playing"):
        events_to_return(game, game.seat(20), SeatHolder(1, 20, "Ben"), None, None)
    with pytest.raises(Refused, match="is already playing"):
        events_to_undo(game, left)


def test_who_is_to_play_for_another_later_on_does_not_join_on_a_seat_of_their_own() -> None:
    table = a_game("frustration", THREE).round(out="Anna")
    dora = SeatHolder(2, 70, "Dora")
    game = reopened(apply_all(table.game, events_to_hand_over(table.game, 20, dora)))
    with pytest.raises(Refused, match="is already playing"):
        joins(game, "Dora")


def test_a_join_that_is_undone_leaves_no_seat_behind() -> None:
    game = a_game("frustration", THREE).round(out="Anna").game
    events = events_to_join(game, Seat(70, name="Dora", player=70), 10, None, None)
    joined = apply_all(game, events)
    assert apply_all(joined, events_to_undo(joined, events)) == game


def test_a_join_is_undone_after_a_round_with_it_was_ended_and_opened_again() -> None:
    game = a_game("frustration", THREE).round(out="Anna").game
    events = events_to_join(game, Seat(70, name="Dora", player=70), None, None, None)
    table = TableGame(apply_all(game, events), {"Anna": 10, "Ben": 20, "Cleo": 30, "Dora": 70})
    entered = table.entered(out="Dora", met="Anna")
    ended = apply_all(table.game, events_to_end_round(table.game, entered, ()))
    with pytest.raises(Refused, match="Rounds have been played since"):
        events_to_undo(ended, events)
    again = reopened(ended)
    undone = apply_all(again, events_to_undo(again, events))
    assert (undone.seats, undone.rounds) == (game.seats, game.rounds)
    assert not undone.round(2).entry_of(70).went_out
    assert undone.round(2).entry_of(10).met


def test_a_return_that_is_undone_keeps_the_contract_and_score_that_were_there_before() -> None:
    game = a_game("ten-phases", THREE).round(out="Anna").game
    game = joins(game, "Dora", score=40)
    game = apply_all(game, events_to_leave(game, 70))
    back = events_to_return(game, game.seat(70), SeatHolder(2, 70, "Dora"), 2, 5)
    returned = apply_all(game, back)
    assert returned.seat(70).starting_score == 5
    logged = [event_of(one.to_log()) for one in back]
    undone = apply_all(returned, events_to_undo(returned, logged))
    assert undone.seats == game.seats


def test_leaving_is_undone_by_what_an_old_log_says() -> None:
    game = a_game("frustration", THREE).round(out="Anna").game
    (event,) = events_to_leave(game, 20)
    old = event_of(event.to_log()._replace(before={}, after={"player": "Ben"}))
    left = apply_all(game, [event])
    assert apply_all(left, events_to_undo(left, [old])) == game
    with pytest.raises(Refused, match="changed again"):
        events_to_undo(game, [old])


@pytest.mark.parametrize(
    "logged",
    [
        LogFields("joined", None, 10, {}, {"player": "Anna"}, ""),
        LogFields("corrected", 1, None, {}, {"points": 5, "removed": True}, ""),
    ],
)
def test_what_an_imported_log_says_of_the_first_dealer_or_of_no_seat_is_not_undone(
    logged: LogFields,
) -> None:
    game = a_game(SCORED, THREE).game
    assert game_without(game, [event_of(logged)]) is None


def test_a_hand_over_that_is_undone_is_made_anew_and_not_by_undoing_that() -> None:
    table = a_game("frustration", THREE).round(out="Anna")
    dora, ben = SeatHolder(2, 70, "Dora"), SeatHolder(2, 20, "Ben")
    game, changes = table.game, []
    for player in (dora, ben, dora):
        changes.append(events_to_hand_over(game, 20, player))
        game = apply_all(game, changes[-1])
    undone = [event_of(one.to_log()) for one in events_to_undo(game, changes[-1])]
    game = apply_all(game, events_to_undo(game, changes[-1]))
    assert game.seat(20).stand_ins == (dora, ben)
    assert game_without(game, undone) is None
    for change in reversed(changes[:-1]):
        game = apply_all(game, events_to_undo(game, change))
    assert game == table.game


def test_who_left_a_round_that_is_void_stays_gone_and_does_not_deal_again() -> None:
    table = a_game(SCORED, THREE).round(out="Anna", penalties={"Ben": 5, "Cleo": 5})
    assert table.dealer == "Ben"
    left = table.after(events_to_leave(table.game, 20, "counted"))
    events = events_to_void(left.game, passed_on=False, reason="")
    void = left.after(events)
    assert (void.dealer, void.needs_penalty(void.entered(out="Anna"))) == ("Cleo", "Cleo")
    assert apply_all(void.game, events_to_undo(void.game, events)).seats == left.game.seats


# The game as a whole


def test_an_edit_of_a_finished_game_is_undone_and_that_again() -> None:
    table = a_game("frustration", THREE, last_contract=2)
    over = table.round(out="Anna").round(out="Anna").game
    edit = events_to_edit_round(over, table.entered(number=1, out="Anna", met="Ben"), (), "")
    edited = apply_all(over, edit)
    assert is_over(edited)
    back = events_to_undo(edited, edit)
    assert apply_all(edited, back) == over
    assert apply_all(over, events_to_undo(over, back)) == edited


def test_a_game_that_an_edit_ended_is_not_stopped_by_undoing_that_it_goes_on() -> None:
    game = a_game("frustration", THREE, last_contract=1).rounds(2).game
    game = apply_all(game, events_to_stop(game, result=True))
    resumed = events_to_play_on(game)
    assert isinstance(resumed[0], GameResumed)
    game = apply_all(game, resumed)
    over = apply_all(game, events_to_reach(game, a_game("frustration", THREE).entered(out="Ben")))
    with pytest.raises(Refused, match="changed again"):
        events_to_undo(over, resumed)


def test_an_older_stop_is_not_undone_in_place_of_the_last() -> None:
    table = a_game("frustration", THREE).round(out="Anna")
    older = events_to_stop(table.game, result=True)
    game = apply_all(table.game, older)
    table = replace(table, game=apply_all(game, events_to_play_on(game))).round(out="Anna")
    newer = events_to_stop(table.game, result=True)
    game = apply_all(table.game, newer)
    with pytest.raises(Refused, match="changed again"):
        events_to_undo(game, older)
    assert apply_all(game, events_to_undo(game, newer)) == table.game


def test_an_older_rule_change_is_not_undone_over_a_newer_one() -> None:
    game = a_game("frustration", THREE).game
    older = RuleChanged(1, {"run_suit": "any"}, {"run_suit": "same"})
    newer = RuleChanged(1, {"run_suit": "same"}, {"run_suit": "any"})
    game = apply_all(game, [older, newer])
    with pytest.raises(Refused, match="changed again"):
        events_to_undo(game, [older])
    game = apply_all(game, events_to_undo(game, [newer]))
    assert apply_all(game, events_to_undo(game, [older])).rule_changes == ()


# Seats


def test_seats_of_a_reopened_round_hold_from_then_on_whatever_was_to_come_later() -> None:
    table = a_game("frustration", THREE).rounds(2, out="Anna").sits("Cleo Ben Anna")
    game = reopened(table.game)
    events = events_to_change_seats(game, (20, 10, 30))
    changed = apply_all(game, events)
    (change,) = changed.decisions.seat_changes
    assert (change.number, change.before) == (2, (10, 20, 30))
    assert [seat.id for seat in changed.order_at(3, 1)] == [20, 10, 30]
    logged = [event_of(one.to_log()) for one in events]
    assert apply_all(changed, events_to_undo(changed, logged)) == game


def test_what_late_joiners_begin_with_by_a_house_rule_lasts_until_that_is_undone() -> None:
    table = a_game("aggravation-rummy", "Anna Ben").round(out="Anna", penalties={"Ben": 40})
    (event,) = events_to_change_rule(table.game, "joiner_score", "highest")
    changed = table.after([event])
    assert changed.game.lasting_rules.joiner_score == "highest"
    chosen = RuleChanged(2, {"joiner_score": "highest"}, {"joiner_score": "zero"})
    joined = changed.after([chosen])
    assert joined.game.rules_now.joiner_score == "zero"
    assert joined.game.lasting_rules.joiner_score == "highest"
    assert joined.after(chosen.inverse_events(joined.game)).game == changed.game
    other = RuleChanged(2, {"joiner_score": "zero"}, {"joiner_score": "average"})
    second = joined.after([other])
    assert second.after(other.inverse_events(second.game)).game == joined.game
    (back,) = event.inverse_events(changed.game)
    undone = changed.after([back])
    assert undone.game == table.game
    assert undone.after(back.inverse_events(undone.game)).game == changed.game


def test_seats_that_are_changed_back_are_as_they_were_with_who_joined_meanwhile() -> None:
    game = a_game("frustration", "Anna Ben").game
    older = events_to_change_seats(game, (20, 10))
    swapped = apply_all(game, older)
    back = events_to_undo(swapped, older)
    taken = Seat(70, name="Cleo", player=70)
    game = apply_all(swapped, back)
    game = apply_all(game, events_to_join(game, taken, 10, None, None))
    assert [seat.id for seat in game.seats] == [10, 70, 20]
    again = apply_all(game, events_to_undo(game, back))
    assert apply_all(again, events_to_undo(again, older)) == game


def test_undoing_that_seats_were_changed_back_seats_who_joined_since_as_they_sat() -> None:
    game = a_game("frustration", THREE).game
    change = events_to_change_seats(game, (30, 20, 10))
    game = apply_all(game, change)
    taken = Seat(70, name="Dora", player=70)
    game = apply_all(game, events_to_join(game, taken, 30, None, None))
    back = events_to_undo(game, change)
    undone = apply_all(game, back)
    assert [seat.id for seat in undone.seats] == [10, 20, 30, 70]
    assert apply_all(undone, events_to_undo(undone, back)).seats == game.seats


def test_what_was_decided_of_an_earlier_round_that_is_open_again_stands_before_later_ones() -> None:
    table = a_game("frustration", THREE).round(out="Anna").void().deals("Anna")
    game = reopened(table.game)
    changes = [
        events_to_void(game, passed_on=True, reason=""),
        events_to_choose_dealer(game, 30, once=True),
    ]
    for change in changes:
        decided = apply_all(game, change)
        assert [one.number for one in decided.decisions.voids] == sorted(
            one.number for one in decided.decisions.voids
        )
        assert [one.number for one in decided.decisions.dealers] == sorted(
            one.number for one in decided.decisions.dealers
        )


# A round that has ended


def test_a_game_that_an_edit_ended_goes_on_by_undoing_that() -> None:
    table = a_game("frustration", THREE, last_contract=2).round(out="Anna").round(out="Ben")
    assert not table.over
    edited = table.entered(out="Anna", met="Ben", number=1)
    changes = events_to_edit_round(table.game, edited, (), "")
    game = apply_all(table.game, changes)
    assert is_over(game)
    game = apply_all(game, events_to_undo(game, changes))
    assert game == table.game


# Buys


@pytest.mark.parametrize("by_undo", [True, False])
def test_what_was_bought_in_the_open_round_goes_with_the_rule_and_comes_back_with_it(
    by_undo: bool,
) -> None:
    table = a_game("frustration", THREE, most_buys=2, buying="none")
    on = events_to_change_rule(table.game, "buying", "one_more_card")
    game = apply_all(table.game, on)
    assert game.rules_in(1).counts_buys
    bought, _fault = SetEntry(1, 20, {"buys": 2}).round_after(game)
    game = apply_all(game, events_to_reach(game, bought))
    off = events_to_undo(game, on) if by_undo else events_to_change_rule(game, "buying", "none")
    without = apply_all(game, off)
    assert not without.rules_in(1).counts_buys
    assert without.round(1).entry_of(20).buys == 0
    assert apply_all(without, events_to_undo(without, off)) == game


def test_buys_that_no_rule_knows_stay_to_be_seen_whatever_other_rule_changes() -> None:
    game = a_game("frustration", THREE).game
    bought, _fault = SetEntry(1, 20, {"buys": 2}).round_after(game)
    game = apply_all(game, events_to_reach(game, bought))
    changed = apply_all(game, events_to_change_rule(game, "run_suit", "any"))
    assert changed.round(1).entry_of(20).buys == 2


# What is offered


def test_undoing_is_not_offered_where_something_changed_again_since() -> None:
    game = a_game("frustration", THREE).game
    taps: list[EntryFields] = [{"met": True}, {"not_counted": True}, {"met": False}]
    changes = []
    for tap in taps:
        tapped, _fault = SetEntry(1, 20, tap).round_after(game)
        changes.append(events_to_reach(game, tapped))
        game = apply_all(game, changes[-1])
    assert [game_without(game, one) is None for one in changes] == [True, False, False]
