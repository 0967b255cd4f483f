"""A note on a round: a line beside the game, from which nothing follows."""

from dataclasses import replace

import pytest

from app.scorebook.decisions import RoundNote
from app.scorebook.events.event import apply_all
from app.scorebook.events.rounds import events_to_note
from app.scorebook.game import Game
from app.scorebook.refusals import Refused
from app.scorebook.standings import game_status
from app.scorebook.undo import events_to_undo
from tests.builders import TableGame, a_game


def noted(game: Game, number: int, note: str) -> Game:
    return apply_all(game, events_to_note(game, number, note))


def _over() -> TableGame:
    game = a_game("aggravation-rummy", "Anna Ben", max_deals=1)
    return game.round(out="Anna", penalties={"Ben": 10})


def test_a_round_that_has_begun_has_one_note_whichever_deal_it_is_about() -> None:
    game = a_game("frustration", "Anna Ben").round(out="Anna").void().game
    game = noted(noted(game, 2, "The famous misdeal"), 1, "Anna’s first")
    assert game.decisions.notes == (
        RoundNote(1, "Anna’s first"),
        RoundNote(2, "The famous misdeal"),
    )
    game = noted(noted(game, 1, "Not her first"), 2, "")
    assert game.decisions.notes == (RoundNote(1, "Not her first"),)
    assert events_to_note(game, 1, "Not her first") == ()
    for number in (0, 3):
        with pytest.raises(Refused, match="round that has begun"):
            events_to_note(game, number, "Too early")


def test_a_game_that_is_over_is_noted_and_stays_over_and_the_note_is_undone() -> None:
    before = _over().game
    written = events_to_note(before, 1, "What a round")
    game = apply_all(before, written)
    assert replace(game, decisions=before.decisions) == before
    assert game_status(game) == game_status(before)
    back = events_to_undo(game, written)
    assert apply_all(game, back) == before
    assert apply_all(before, events_to_undo(before, back)) == game


def test_a_note_that_was_changed_again_since_is_not_undone() -> None:
    before = _over().game
    written = events_to_note(before, 1, "What a round")
    with pytest.raises(Refused, match="changed again since"):
        events_to_undo(noted(apply_all(before, written), 1, "Just a round"), written)
