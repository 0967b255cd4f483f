"""Undo in any order: of changes to different things each, of the same thing the newest first."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from app.scorebook.decisions import Correction
from app.scorebook.events.corrections import events_to_correct
from app.scorebook.events.dealing import (
    events_to_correct_dealer,
)
from app.scorebook.events.entries import SetEntry, events_to_reach
from app.scorebook.events.event import EVENTS, Event, apply_all
from app.scorebook.events.games import (
    events_to_change_rule,
    events_to_leave_out,
)
from app.scorebook.events.rounds import events_to_edit_round, events_to_note
from app.scorebook.events.rulings import RulingEdited, RulingState
from app.scorebook.events.seats import HandOverUndone, events_to_correct_holder, events_to_hand_over
from app.scorebook.game import Game, Round, SeatHolder
from app.scorebook.undo import subjects_to_undo
from tests.builders import a_game
from tests.scorebook.test_event_laws import events_to_undo, told
from tests.scorebook.test_undo import SCORED, THREE

Change = tuple[Event, ...]
ANNA, BEN, CLEO = 10, 20, 30


def _begun() -> Game:
    """Two rounds were played, and in the second Dora took over from Cleo."""
    table = a_game(SCORED, THREE).round(out="Anna", penalties={"Ben": 60, "Cleo": 60})
    dora = SeatHolder(2, 5, "Dora")
    table = table.after(events_to_hand_over(table.game, CLEO, dora))
    game = table.round(out="Anna", penalties={"Ben": 60, "Cleo": 60}).game
    return replace(game, rounds=tuple(map(_as_typed, game.rounds)))


def _as_typed(played: Round) -> Round:
    typed = (replace(one, typed=str(one.penalty or "")) for one in played.entries)
    return replace(played, entries=tuple(typed))


def _points(number: int, seat: int) -> Callable[[Game], Change]:
    def change(game: Game) -> Change:
        if number == game.open_number:
            entered, _fault = SetEntry(number, seat, {"typed": "75"}).round_after(game)
            return tuple(events_to_reach(game, entered))
        played = game.round(number)
        entry = replace(played.entry_of(seat), typed="105", penalty=105)
        return events_to_edit_round(game, played.with_entry(entry), (), "")

    return change


def _other_rules(field: str, value: str) -> Callable[[Game], Change]:
    return lambda game: events_to_change_rule(game, field, value)


def _someone_else(seat: int, name: str, instead_of: str) -> Callable[[Game], Change]:
    holder = SeatHolder(1, ord(name[0]), name)
    return lambda game: events_to_correct_holder(game, seat, holder, instead_of)


def _ruling(key: str) -> Callable[[Game], Change]:
    before, after = (
        RulingState(ruling=key, decided=decided, reason="", removed=False)
        for decided in ("yes", "no")
    )
    return lambda _game: (RulingEdited(before, after),)


def _extra(seat: int) -> Callable[[Game], Change]:
    return lambda game: events_to_correct(game, Correction(1, seat, 50, "agreed"))


CHANGES: Mapping[str, Callable[[Game], Change]] = {
    "points of Ben in round 1": _points(1, BEN),
    "points of Cleo in round 1": _points(1, CLEO),
    "points of Ben in round 2": _points(2, BEN),
    "points of Ben in the open round": _points(3, BEN),
    "points of Anna in the open round": _points(3, ANNA),
    "extra points of Anna": _extra(ANNA),
    "extra points of Ben": _extra(BEN),
    "who dealt round 1": lambda game: events_to_correct_dealer(game, 1, CLEO),
    "a note on round 1": lambda game: events_to_note(game, 1, "famous"),
    "a note on round 2": lambda game: events_to_note(game, 2, "famous"),
    "a rule": _other_rules("run_suit", "any"),
    "another rule": _other_rules("extra_set_min", "4"),
    "who sat at Cleo’s seat first": _someone_else(CLEO, "Emil", "Cleo"),
    "who sat at Cleo’s seat then": _someone_else(CLEO, "Finn", "Dora"),
    "who sat at Ben’s seat": _someone_else(BEN, "Gerd", "Ben"),
    "who stands in for Ben": lambda game: events_to_hand_over(game, BEN, SeatHolder(3, 9, "Ida")),
    "a season": lambda game: events_to_leave_out(game, left_out=True),
    "a ruling": _ruling("2026-01-01"),
    "another ruling": _ruling("2026-01-02"),
}
"""Changes to a game that are about different things, each by what it is about."""

ELSEWHERE = {
    "closed", "opened_again", "mended", "started", "reopened", "undone", "described", "ruling",
    "evening", "archived", "unarchived", "binned", "taken_back", "shared", "unshared", "renamed",
    "unjoined", "hand_over_undone",
}  # fmt: skip
"""Kinds that have no undo of their own."""
OF_ALL_THAT_COMES = {
    "stopped", "resumed", "result_edited", "joined", "left", "returned", "seats", "void", "dealer",
    "nobody_out", "first_down",
}  # fmt: skip
"""Kinds of which there is one thing at a time, or that other changes of the open round rest on."""


def test_each_kind_of_event_that_can_be_undone_is_tried_in_another_order() -> None:
    game = _begun()
    tried = {one.kind for change in CHANGES.values() for one in change(game)}
    assert tried | ELSEWHERE | OF_ALL_THAT_COMES == {*EVENTS}


@pytest.mark.parametrize("older", CHANGES)
def test_a_change_is_undone_whatever_else_was_changed_since(older: str) -> None:
    begun = _begun()
    first = CHANGES[older](begun)
    assert first, "it changes something"
    for newer in CHANGES:
        if newer == older:
            continue
        game = apply_all(begun, first)
        second = CHANGES[newer](game)
        about = frozenset().union(*(one.subjects for one in second))
        assert not about & subjects_to_undo(first), newer
        game = apply_all(game, second)
        undone = apply_all(game, events_to_undo(game, first))
        alone = apply_all(begun, CHANGES[newer](begun))
        assert told(_by_names(undone)) == told(_by_names(alone)), newer


def _by_names(game: Game) -> Game:
    """The game without who has a name: the log knows names alone."""
    seats = tuple(
        replace(seat, player=0, stand_ins=tuple(replace(one, player=0) for one in seat.stand_ins))
        for seat in game.seats
    )
    return replace(game, seats=seats)


@pytest.mark.parametrize("same", CHANGES)
def test_a_change_of_the_same_again_is_undone_first(same: str) -> None:
    game = _begun()
    first = CHANGES[same](game)
    game = apply_all(game, first)
    again = events_to_undo(game, first)
    if any(isinstance(one, HandOverUndone) for one in again):
        return  # who takes over again does so anew
    about = frozenset().union(*(one.subjects for one in again))
    assert subjects_to_undo(first) <= about
