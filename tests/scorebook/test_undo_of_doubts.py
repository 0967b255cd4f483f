"""Undo brings back what the table let stand, whatever looks wrong about it."""

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.scorebook import warnings
from app.scorebook.events.entries import SetEntry, events_to_reach
from app.scorebook.events.event import Event, apply_all
from app.scorebook.events.games import ChangeUndone
from app.scorebook.events.rounds import events_to_edit_round, events_to_end_round
from app.scorebook.game import Game, Round
from app.scorebook.refusals import ConfirmationNeeded, Refused
from app.scorebook.undo import events_to_undo
from tests.builders import TableGame, a_game

THREE = "Anna Ben Cleo"
HIGH = {"Ben": 100, "Cleo": 100}


def garbage() -> TableGame:
    return a_game("garbage-rummy", THREE)


def before_a_whole_hand() -> TableGame:
    table = garbage()
    for _ in range(9):
        table = table.round(out="Anna", met="Ben Cleo", penalties={"Ben": 10, "Cleo": 10})
    return table


def before_more_cards_than_a_hand() -> TableGame:
    table = a_game("shanghai-rummy", THREE)
    while table.game.variant.contract(table.game.open_number).size <= table.game.variant.deal + 1:
        table = table.round(out="Anna", penalties=HIGH)
    return table


def on_the_last_contract() -> TableGame:
    """Anna is."""
    return a_game("aggravation-rummy", THREE, last_contract=2).round(out="Anna", penalties=HIGH)


def aggravation() -> TableGame:
    return a_game("aggravation-rummy", THREE)


def points_alone() -> TableGame:
    return a_game("points-only", THREE, points_step=5)


def shanghai() -> TableGame:
    return a_game("shanghai-rummy", THREE)


USUAL = {"out": "Anna", "penalties": HIGH}
DOUBTED: dict[str, tuple[Callable[[], TableGame], dict[str, Any], dict[str, Any]]] = {
    "nobody_out": (aggravation, {"penalties": HIGH | {"Anna": 100}}, {}),
    "still_holding": (
        before_a_whole_hand,
        {"out": "Ben", "met": "Anna", "penalties": {"Anna": 5, "Cleo": 100}},
        {},
    ),
    "out_after_end": (
        on_the_last_contract,
        {"out": "Ben", "met": "Anna", "penalties": {"Anna": 10, "Cleo": 100}},
        {},
    ),
    "too_many_buys": (shanghai, USUAL, {"buys": 4}),
    "too_few_buys": (before_more_cards_than_a_hand, USUAL | {"met": "Ben"}, {"buys": 1}),
    "too_many_cards": (garbage, USUAL, {"counted": (9, 2, 0, 0)}),
    "too_few_cards": (garbage, USUAL, {"counted": (2, 0, 0, 0)}),
    "too_few_points": (aggravation, USUAL, {"typed": "5"}),
    "impossible_cards": (garbage, USUAL, {"counted": (9, 0, 0, 0)}),
    "impossible_points": (aggravation, USUAL, {"typed": "4"}),
    "too_many_points": (garbage, USUAL, {"typed": "175"}),
    "very_many_points": (aggravation, USUAL | {"met": "Ben"}, {"typed": "500"}),
    "odd_penalty": (aggravation, USUAL, {"typed": "107"}),
    "uneven_points": (points_alone, {"penalties": HIGH | {"Anna": 10}}, {"typed": "7"}),
}
"""Each doubt that an ended round can be saved with: the table, the round, and Ben's entry in it."""


def as_typed(played: Round) -> Round:
    for one in played.entries:
        typed = "" if one.penalty is None else str(one.penalty)
        played = played.with_entry(replace(one, penalty=None, typed=typed))
    return played


def doubted_round(code: str) -> tuple[TableGame, Round]:
    made, told, of_ben = DOUBTED[code]
    table = made()
    entered = as_typed(table.entered(**told))
    return table, entered.with_entry(replace(entered.entry_of(20), **of_ben))


def saved_anyway(
    game: Game, entered: Round, save: Callable[..., tuple[Event, ...]], **how: str
) -> tuple[tuple[Event, ...], list[str]]:
    """The events that save a round whatever looks wrong about it, and what does."""
    try:
        return save(game, entered, accepted=(), **how), []
    except ConfirmationNeeded as asked:
        accepted = [one.acceptance for one in asked.warnings]
        return save(game, entered, accepted=accepted, **how), [one.code for one in asked.warnings]


def test_undo_is_tried_with_each_doubt_that_there_is():
    named = re.findall(r'(?:Notice|_against)\(\s*"(\w+)"', inspect.getsource(warnings))
    of_other_kinds = {"impossible_contract", "out_after_leaving"}
    assert set(named) - of_other_kinds == set(DOUBTED)


@pytest.mark.parametrize("code", DOUBTED)
def test_the_undo_of_an_edit_brings_back_a_round_that_was_saved_anyway(code: str):
    table, doubted = doubted_round(code)
    ending, doubts = saved_anyway(table.game, doubted, events_to_end_round)
    assert code in doubts
    ended = apply_all(table.game, ending)
    number, low = doubted.number, {"Anna": 0, "Ben": 95, "Cleo": 95}
    out = "Anna" if table.game.variant.contracts else ""
    other = as_typed(table.entered(out, penalties=low, number=number))
    edit, doubts = saved_anyway(ended, other, events_to_edit_round, reason="")
    assert code not in doubts
    edited = apply_all(ended, edit)
    back = (*events_to_undo(edited, edit), ChangeUndone(number, 1))
    undone = apply_all(edited, back)
    assert undone.rounds == ended.rounds
    assert apply_all(undone, events_to_undo(undone, back)).rounds == edited.rounds


@pytest.mark.parametrize("code", DOUBTED)
def test_the_undo_of_a_tap_does_not_ask_again_what_it_does_not_change(code: str):
    table, doubted = doubted_round(code)
    game = apply_all(table.game, events_to_reach(table.game, doubted))
    tapped, _fault = SetEntry(doubted.number, 30, {"typed": "95"}).round_after(game)
    tap = events_to_reach(game, tapped)
    game = apply_all(game, tap)
    ending, doubts = saved_anyway(game, tapped, events_to_end_round)
    assert code in doubts
    ended = apply_all(game, ending)
    undone = apply_all(ended, events_to_undo(ended, tap))
    assert undone.round(doubted.number).entry_of(30).typed == "100"


def test_what_a_table_never_let_stand_is_not_brought_back_unasked():
    table = aggravation()
    entered = as_typed(table.entered(out="Anna", met="Ben", penalties=HIGH))
    odd, _fault = SetEntry(1, 20, {"met": True, "typed": "7"}).round_after(table.game)
    game = apply_all(table.game, events_to_reach(table.game, odd))
    mending = events_to_end_round(game, entered, ())
    typed = [one for one in mending if getattr(one, "seat", None) == 20]
    ended = apply_all(game, mending)
    with pytest.raises(Refused, match="No hand adds up"):
        events_to_undo(ended, typed)
