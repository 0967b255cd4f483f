"""Points that a table begins to keep in the middle of a game, or stops to."""

import pytest

from app.scorebook.decisions import Correction
from app.scorebook.events.corrections import events_to_correct
from app.scorebook.events.event import apply_all
from app.scorebook.events.games import events_to_keep_points
from app.scorebook.game import Entry, Round
from app.scorebook.refusals import Refused
from app.scorebook.undo import events_to_undo
from tests.builders import TableGame, a_game


def _keeps(table: TableGame, *, keep: bool) -> TableGame:
    return table.after(events_to_keep_points(table.game, keep=keep))


@pytest.fixture
def begun_late() -> TableGame:
    """A game that keeps points from round 2 on."""
    table = _keeps(a_game("frustration", "Anna Ben").round("Anna"), keep=True)
    return table.round("Anna", penalties={"Ben": 25})


def test_rounds_before_have_no_points_and_the_score_begins_where_the_table_did(
    begun_late: TableGame,
) -> None:
    first, second = begun_late.results
    assert [row.points for row in first.entries] == [None, None]
    assert [row.points for row in second.entries] == [0, 25]
    assert (begun_late.score_of("Anna"), begun_late.score_of("Ben")) == (0, 25)


def test_a_score_goes_on_from_where_it_was_when_points_are_kept_again(
    begun_late: TableGame,
) -> None:
    stopped = _keeps(begun_late, keep=False).round("Ben")
    assert stopped.score_of("Ben") is None
    assert [row.score_after for row in stopped.results[-1].entries] == [None, None]
    again = _keeps(stopped, keep=True)
    assert again.score_of("Ben") == 25
    assert again.round("Ben", penalties={"Anna": 5}).score_of("Anna") == 5


def test_points_break_a_tie_of_contracts_only_while_they_are_kept(begun_late: TableGame) -> None:
    level = begun_late.round("Ben", penalties={"Anna": 5}).round("Ben", penalties={"Anna": 5})
    assert [level.place_of(name) for name in ("Anna", "Ben")] == [1, 2]
    without = _keeps(level, keep=False)
    assert [without.place_of(name) for name in ("Anna", "Ben")] == [1, 1]


def test_what_was_entered_of_points_goes_when_they_are_no_longer_kept_and_comes_back_by_undo(
    begun_late: TableGame,
) -> None:
    ben = begun_late.seat_by_name["Ben"]
    draft = Round(3, (Entry(ben, penalty=15, typed="15"),))
    game = begun_late.game.with_round(draft)
    events = events_to_keep_points(game, keep=False)
    off = apply_all(game, events)
    assert off.round(3).entry_of(ben) == Entry(ben)
    assert apply_all(off, events_to_undo(off, events)).round(3).entry_of(ben).penalty == 15


def test_a_score_is_corrected_only_from_a_round_that_has_points(begun_late: TableGame) -> None:
    ben = begun_late.seat_by_name["Ben"]
    with pytest.raises(Refused, match="has points"):
        events_to_correct(begun_late.game, Correction(1, ben, 10))
    corrected = begun_late.after(events_to_correct(begun_late.game, Correction(2, ben, 10)))
    assert corrected.score_of("Ben") == 35
    stopped = _keeps(corrected, keep=False)
    with pytest.raises(Refused, match="keeps no score"):
        events_to_correct(stopped.game, Correction(2, ben, 10))
    assert _keeps(stopped.round("Ben"), keep=True).score_of("Ben") == 35


def test_points_that_decide_who_wins_are_kept() -> None:
    game = a_game("aggravation-rummy", "Anna Ben Cleo").game
    with pytest.raises(Refused, match="lowest score"):
        events_to_keep_points(game, keep=False)
    assert events_to_keep_points(game, keep=True) == ()
