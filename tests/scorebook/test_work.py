"""What a game takes to be looked at grows as the game does, and no faster: counted in lines."""

from dataclasses import replace
from itertools import product

import pytest

from app.scorebook.dealing import players_in
from app.scorebook.decisions import (
    Correction,
    DealerChange,
    SeatChange,
    TableDecisions,
    VoidDeal,
)
from app.scorebook.events.corrections import ScoreCorrected
from app.scorebook.events.entries import EntryChanged, EntryFields
from app.scorebook.events.rounds import RoundEdited
from app.scorebook.game import Game, RuleChange, Seat, SeatHolder
from app.scorebook.limits import MOST_ABSENCES, MOST_CORRECTIONS, MOST_DECISIONS, MOST_STAND_INS
from app.scorebook.refusals import Refused
from app.scorebook.round_results import is_over, round_results
from app.scorebook.undo import events_to_undo
from tests.builders import TableGame, a_game
from tests.counting import steps_of

RULES = "frustration-rummy"


def with_rule_changes(table: TableGame, count: int) -> TableGame:
    """The game with the rule of runs switched to and fro, in a round after the other."""
    changes = tuple(
        RuleChange(number, "run_suit", ("any", "same")[number % 2])
        for number in range(1, count + 1)
    )
    return replace(table, game=replace(table.game, rule_changes=changes))


def steps_to_know_all_rules(count: int) -> int:
    game = with_rule_changes(a_game(RULES, "Anna Ben").rounds(count), count).game
    return steps_of(lambda: [game.rules_in(number) for number in range(1, count + 1)])


def test_twice_the_rule_changes_and_rounds_take_twice_the_work():
    steps_to_know_all_rules(2)
    assert steps_to_know_all_rules(80) < 2.3 * steps_to_know_all_rules(40)


def test_each_round_has_the_rules_that_were_switched_by_then_in_whatever_order_they_are_said():
    game = with_rule_changes(a_game(RULES, "Anna Ben").rounds(4), 3).game
    for said in (game, replace(game, rule_changes=game.rule_changes[::-1])):
        assert [said.rules_in(number).run_suit for number in range(5)] == [
            game.variant.run_suit, "same", "any", "same", "same"
        ]  # fmt: skip


def test_a_rule_change_that_does_not_fit_is_passed_over_alone():
    changes = (RuleChange(1, "run_suit", "any"), RuleChange(1, "extra_run_min", 99))
    game = replace(a_game(RULES, "Anna Ben").game, rule_changes=changes)
    assert game.rules_in(1).run_suit == "any"
    assert game.rules_in(1).extra_run_min == game.variant.extra_run_min


def steps_to_know_all_scores(count: int) -> int:
    """Of a game of so many rounds, with as much as a table may decide in it, and people who go."""
    game = a_game(RULES, "Anna Ben Cleo", keep_score="yes", max_deals=0).rounds(count).game
    numbers = range(1, MOST_DECISIONS + 1)
    first, second, third = game.seats
    stand_ins = (SeatHolder(number, number, "Dora") for number in numbers[:MOST_STAND_INS])
    first = replace(first, stand_ins=tuple(stand_ins))
    second = replace(second, missed=tuple((n, n) for n in numbers[1 : 2 * MOST_ABSENCES : 2]))
    game = replace(game, seats=(first, second, third))
    decisions = TableDecisions(
        voids=tuple(VoidDeal(number, 10) for number in numbers),
        dealers=tuple(DealerChange(number, 10, once=True) for number in numbers),
        seat_changes=tuple(
            SeatChange(number, ((10, 20, 30), (20, 10, 30))[number % 2]) for number in numbers
        ),
        corrections=tuple(Correction(number, 20, 5) for number in range(1, count + 1)),
    )
    decided = replace(game, decisions=decisions)

    def know() -> None:
        for played in round_results(decided):
            decided.names_in(played.number)
            players_in(decided, played.number)

    return steps_of(know)


def test_twice_the_rounds_of_a_game_in_which_all_is_decided_that_may_be_take_twice_the_work():
    steps_to_know_all_scores(MOST_DECISIONS)
    assert steps_to_know_all_scores(200) < 2.3 * steps_to_know_all_scores(100)


def test_what_was_said_last_holds_of_all_that_has_come():
    for moments in product(range(1, 4), repeat=4):
        holders = tuple(SeatHolder(moment, place, "") for place, moment in enumerate(moments, 1))
        changes = tuple(SeatChange(moment, (place,)) for place, moment in enumerate(moments, 1))
        seat, decisions = Seat(9, stand_ins=holders), TableDecisions(seat_changes=changes)
        for now in range(5):
            last = max(
                (place for place, moment in enumerate(moments, 1) if moment <= now), default=0
            )
            assert seat.holder_in(now).player == last
            assert decisions.order_at(now, 1) == ((last + 1,) if last < len(moments) else None)


def steps_to_undo(count: int) -> int:
    """A change that corrected a score and took that back so many times, as an imported log may.

    It is one of a game of as many rounds.
    """
    game = a_game(RULES, "Anna Ben", keep_score="yes", max_deals=0).rounds(count).game
    corrected = ScoreCorrected(1, game.seats[0].id, 5)
    change = [corrected, replace(corrected, removed=True)] * count
    return steps_of(lambda: events_to_undo(game, change))


def test_undoing_a_change_of_twice_the_events_takes_twice_the_work():
    steps_to_undo(2)
    assert steps_to_undo(80) < 2.3 * steps_to_undo(40)


def steps_to_edit(game: Game) -> int:
    """That a round of it was edited, and to know whether it is over then."""
    before = replace(game)  # of which nothing is known yet
    return steps_of(lambda: is_over(RoundEdited(1).apply(before)))


def test_an_edit_goes_through_the_rounds_once_also_of_a_game_that_was_stopped():
    game = a_game(RULES, "Anna Ben", keep_score="yes", max_deals=0).rounds(40).game
    once = steps_of(lambda: round_results(replace(game)))
    assert steps_to_edit(game) < 1.3 * once
    assert steps_to_edit(replace(game, stopped="result")) < 1.3 * once


def test_several_corrections_in_a_change_of_a_game_that_was_stopped_are_not_undone():
    """After each one it would be asked whether a round ends the game now."""
    game = replace(a_game(RULES, "Anna Ben", keep_score="yes").rounds(2).game, stopped="result")
    corrected = ScoreCorrected(1, game.seats[0].id, 5)
    game = corrected.apply(game)
    assert events_to_undo(game, [corrected])
    with pytest.raises(Refused, match="can’t be undone"):
        events_to_undo(game, [corrected, replace(corrected, removed=True), corrected])


def test_a_change_is_not_undone_by_way_of_more_than_a_game_can_hold():
    game = a_game(RULES, "Anna Ben").game
    removed = ScoreCorrected(1, game.seats[0].id, 5, removed=True)
    with pytest.raises(Refused, match="added or subtracted"):
        events_to_undo(game, [removed] * (MOST_CORRECTIONS + 1))


def test_a_change_of_several_ended_rounds_is_none_that_can_be_undone():
    game = a_game(RULES, "Anna Ben", keep_score="yes").rounds(2).game
    typed: EntryFields = {"exact_deal": False}
    anna = game.seats[0].id
    changes = [EntryChanged(number, anna, typed, typed) for number in (1, 2)]
    with pytest.raises(Refused, match="can’t be undone"):
        events_to_undo(game, changes)
