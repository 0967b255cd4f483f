"""What the table decides about dealing: void deals, another dealer, other seats."""

import pytest

from app.scorebook.dealing import dealer_of, first_player_after
from app.scorebook.decisions import Correction
from app.scorebook.events.corrections import events_to_correct
from app.scorebook.events.dealing import events_to_change_seats, events_to_choose_dealer
from app.scorebook.events.entries import SetEntry, events_to_reach
from app.scorebook.events.event import apply_all
from app.scorebook.events.rounds import events_to_note, events_to_void
from app.scorebook.game import Game
from app.scorebook.refusals import Refused
from app.scorebook.statistics import result_of
from app.scorebook.undo import events_to_undo
from tests.builders import a_game

# Void deals


def test_after_a_void_deal_the_same_player_deals_the_same_round_again() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").void()
    assert (game.dealer, game.game.open_number) == ("Ben", 2)
    assert game.rounds(2, out="Anna").dealers_so_far == "Anna Ben Cleo"


def test_a_void_deal_that_is_passed_on_moves_the_deal_to_the_next_player() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").void(passed_on=True)
    assert game.dealer == "Cleo"
    assert game.rounds(2, out="Anna").dealers_so_far == "Anna Cleo Anna"


def test_a_round_can_be_void_more_than_once() -> None:
    game = a_game("frustration", "Anna Ben Cleo").void().void(passed_on=True).void(passed_on=True)
    assert game.dealer == "Cleo"
    voids = [(one.number, game.name_of(one.dealer)) for one in game.game.decisions.voids]
    assert voids == [(1, "Anna"), (1, "Anna"), (1, "Ben")]


def test_a_void_deal_counts_nothing() -> None:
    plain = a_game("carioca", "Anna Ben").round(out="Anna", penalties={"Ben": 10})
    game = plain.void(passed_on=True)
    assert game.results == plain.results
    assert [one.contract for one in game.status.standings] == [2, 2]
    ended = a_game("frustration", "Anna Ben", last_contract=1)
    played, dealt_again = (one.round(out="Ben").game for one in (ended, ended.void()))
    assert result_of(played) == result_of(dealt_again)


def test_what_was_entered_for_a_void_deal_is_dropped_and_comes_back_by_undo() -> None:
    game = a_game("frustration", "Anna Ben").game
    tapped, _fault = SetEntry(1, 10, {"met": True}).round_after(game)
    game = apply_all(game, events_to_reach(game, tapped))
    events = events_to_void(game, passed_on=False, reason="")
    void = apply_all(game, events)
    assert not void.round(1).entry_of(10).met
    back = apply_all(void, events_to_undo(void, events))
    assert (back.round(1), back.decisions) == (game.round(1), game.decisions)


def test_a_void_deal_is_not_undone_where_the_next_deal_has_another_dealer() -> None:
    game = a_game("frustration", "Anna Ben").game
    events = events_to_void(game, passed_on=False, reason="")
    game = apply_all(game, events)
    game = apply_all(game, events_to_choose_dealer(game, 20, once=True))
    with pytest.raises(Refused, match="Undo the later change first"):
        events_to_undo(game, events)


def test_nothing_is_decided_about_a_game_that_is_over() -> None:
    over = a_game("frustration", "Anna Ben", last_contract=1).round(out="Anna").game
    for decide in (
        lambda game: events_to_void(game, passed_on=False, reason=""),
        lambda game: events_to_choose_dealer(game, 10, once=True),
        lambda game: events_to_change_seats(game, [20, 10]),
    ):
        with pytest.raises(Refused, match="over"):
            decide(over)


def test_nothing_is_said_of_a_round_that_never_begins() -> None:
    ended = a_game("frustration", "Anna Ben", last_contract=1, keep_score="yes").round(out="Anna")
    for number, begins in ((1, True), (2, False), (3, False)):
        for decide in (
            lambda game, number: events_to_note(game, number, "the famous misdeal"),
            lambda game, number: events_to_correct(game, Correction(number, 10, -5)),
        ):
            if begins:
                assert decide(ended.game, number)
            else:
                with pytest.raises(Refused, match="Choose a round that has begun"):
                    decide(ended.game, number)


# Another dealer


def test_another_dealer_for_one_round_changes_nothing_of_the_next() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").deals("Anna", once=True)
    assert (game.dealer, game.first_player) == ("Anna", "Ben")
    assert game.rounds(2, out="Anna").dealers_so_far == "Anna Anna Cleo"


def test_another_dealer_from_now_on_has_the_deal_go_on_from_there() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").deals("Cleo")
    assert game.rounds(3, out="Anna").dealers_so_far == "Anna Cleo Anna Ben"


def test_another_first_dealer_can_be_chosen_after_the_start() -> None:
    assert a_game("frustration", "Anna Ben Cleo").deals("Cleo").round().dealer == "Anna"


def test_the_other_dealer_deals_again_after_a_void_deal() -> None:
    game = a_game("frustration", "Anna Ben Cleo").deals("Cleo", once=True).void()
    assert game.dealer == "Cleo"
    assert game.round().dealer == "Ben"


def test_a_deal_that_is_passed_on_goes_to_the_next_in_turn() -> None:
    once = a_game("frustration", "Anna Ben Cleo Dora").deals("Cleo", once=True)
    assert once.void(passed_on=True).dealer == "Ben"
    now_on = a_game("frustration", "Anna Ben Cleo Dora").deals("Cleo")
    assert now_on.void(passed_on=True).dealer == "Dora"


def test_choosing_whose_turn_it_is_brings_the_rotation_back() -> None:
    game = a_game("frustration", "Anna Ben Cleo").deals("Cleo").deals("Anna")
    assert game.game.decisions.dealers == ()
    assert events_to_choose_dealer(game.game, 10, once=True) == ()


def test_who_played_first_deals_next_after_another_dealer_too() -> None:
    game = a_game("frustration-rummy-board", "Anna Ben Cleo Dora")
    assert game.deals("Cleo").round().joins("Emil", after="Cleo").dealer == "Dora"
    assert game.deals("Cleo", once=True).round().joins("Emil", after="Anna").dealer == "Ben"


def test_who_does_not_play_cannot_deal() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round().leaves("Cleo").game
    with pytest.raises(Refused, match="isn’t playing in round"):
        events_to_choose_dealer(game, 30, once=True)
    with pytest.raises(Refused, match="isn’t in this game"):
        events_to_choose_dealer(game, 99, once=True)


# Other seats


def test_after_a_change_of_seats_the_deal_passes_on_in_the_new_order() -> None:
    game = a_game("frustration", "Anna Ben Cleo Dora").rounds(2, out="Anna")
    moved = game.sits("Anna Dora Cleo Ben")
    assert (moved.dealer, moved.first_player) == ("Anna", "Dora")
    assert moved.rounds(4).dealers_so_far == "Anna Ben Anna Dora Cleo Ben"


def test_past_rounds_keep_their_dealers_and_who_played_first() -> None:
    game = (
        a_game("frustration", "Anna Ben Cleo Dora").rounds(3, out="Anna").sits("Dora Ben Anna Cleo")
    )
    assert game.dealers_so_far == "Anna Ben Cleo"
    assert [
        first_player_after(game.game, dealer_of(game.game, number), number) for number in (1, 2, 3)
    ] == [20, 30, 40]


def test_past_void_deals_keep_their_dealers() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna")
    moved = game.void(passed_on=True).sits("Ben Anna Cleo").void(passed_on=True)
    voids = [game.name_of(one.dealer) for one in moved.game.decisions.voids]
    assert voids == ["Ben", "Anna"]
    assert moved.dealer == "Cleo"
    assert moved.sits("Cleo Anna Ben").dealer == "Ben"


def test_who_played_first_deals_next_though_seats_were_changed() -> None:
    game = a_game("frustration-rummy-board", "Anna Ben Cleo Dora").round(out="Anna")
    assert game.sits("Anna Cleo Ben Dora").dealer == "Ben"


def test_changing_seats_before_the_first_round_keeps_the_first_dealer() -> None:
    game = a_game("frustration", "Anna Ben Cleo").sits("Cleo Ben Anna")
    assert (game.dealer, game.first_player) == ("Anna", "Cleo")


def test_a_seat_that_was_left_stays_where_it_is() -> None:
    game = a_game("frustration", "Anna Ben Cleo Dora").rounds(2, out="Anna").leaves("Ben")
    moved = game.sits("Dora Anna Cleo")
    assert [seat.id for seat in moved.game.seats] == [40, 20, 10, 30]
    assert moved.dealer == "Anna"


def test_seats_changed_again_while_an_earlier_round_is_open_hold_from_then_on() -> None:
    game = a_game("frustration", "Anna Ben Cleo").rounds(2, out="Anna").sits("Cleo Ben Anna")
    reopened = game.game.with_last_round_reopened()
    again = apply_all(reopened, events_to_change_seats(reopened, [20, 10, 30]))
    table = type(game)(again, game.seat_by_name)
    assert table.rounds(3).dealers_so_far == "Anna Cleo Ben Anna"


@pytest.mark.parametrize("order", [[], [10, 20], [10, 20, 20], [10, 20, 40], [10, 20, 30, 30]])
def test_each_player_has_one_place(order: list[int]) -> None:
    game = a_game("frustration", "Anna Ben Cleo").game
    with pytest.raises(Refused, match="once"):
        events_to_change_seats(game, order)


def test_a_change_of_seats_is_undone_after_somebody_else_sat_down_too() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna")
    events = events_to_change_seats(game.game, [30, 20, 10])
    changed = type(game)(apply_all(game.game, events), game.seat_by_name).joins("Dora")
    back = apply_all(changed.game, events_to_undo(changed.game, events))
    assert [seat.id for seat in back.seats] == [10, 20, 30, 40]
    assert back.decisions == Game(game.game.variant, game.game.seats, 10).decisions


def test_changing_seats_and_changing_them_back_changes_nothing() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna")
    assert game.sits("Cleo Ben Anna").sits("Anna Ben Cleo").game == game.game


def test_who_dealt_in_vain_and_then_leaves_is_still_who_dealt() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").void().leaves("Ben")
    assert [game.name_of(one.dealer) for one in game.game.decisions.voids] == ["Ben"]
    assert game.dealer == "Cleo"
