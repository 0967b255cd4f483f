"""Undoing one of the last changes, as a new change."""

import pytest

from app.actions import players, rounds
from app.actions.games import undo_change
from app.actions.rounds import Confirmation
from app.actions.rulings import NewRuling, record_ruling
from app.rules.phrases import say
from app.rules.verdicts import RecordedVerdict
from app.scorebook.events.entries import ClearWhoWentOut
from app.scorebook.game import Round
from app.scorebook.refusals import Refused
from app.scorebook.warnings import find_warnings
from tests.actions.table import KeptTable, somebody


def undo_last(table: KeptTable, steps_back: int = 0) -> None:
    undo_change(table.session, somebody(), table.id, table.log[-1 - steps_back].version)


def kinds(table: KeptTable) -> list[str]:
    return [one.kind for one in table.log]


def test_a_tap_is_undone(table: KeptTable):
    table.set(1, "Ben", met=True)
    undo_last(table)
    assert not table.entry(1, "Ben").met
    assert kinds(table)[-3:] == ["row", "row", "undone"]


def test_a_penalty_typed_twice_goes_back_to_the_first(scored: KeptTable):
    scored.set(1, "Ben", typed="10")
    scored.set(1, "Ben", typed="25")
    undo_last(scored)
    assert (scored.entry(1, "Ben").typed, scored.entry(1, "Ben").penalty) == ("10", 10)


def test_going_out_is_undone_together_with_what_it_changed_for_others(scored: KeptTable):
    scored.set(1, "Anna", went_out=True)
    scored.set(1, "Ben", typed="15")
    scored.set(1, "Ben", went_out=True)
    undo_last(scored)
    assert scored.entry(1, "Anna").went_out
    assert not scored.entry(1, "Ben").went_out
    assert scored.entry(1, "Ben").typed == "15"


def test_an_earlier_change_is_undone_and_later_ones_stay(scored: KeptTable):
    scored.set(1, "Ben", typed="10")
    scored.set(1, "Cleo", typed="20")
    undo_last(scored, steps_back=1)
    assert scored.entry(1, "Ben").typed == ""
    assert scored.entry(1, "Cleo").typed == "20"


def test_what_was_changed_again_since_is_not_overwritten(scored: KeptTable):
    scored.set(1, "Ben", typed="10")
    scored.set(1, "Ben", typed="25")
    with pytest.raises(Refused, match="Undo the later change first"):
        undo_last(scored, steps_back=1)
    scored.session.rollback()
    assert scored.entry(1, "Ben").typed == "25"


def test_a_close_is_undone_and_the_undo_too_can_be_read(table: KeptTable):
    table.close(1, out="Anna", met="Ben")
    undo_last(table)
    assert table.now.game.open_number == 1
    assert table.entry(1, "Ben").met
    assert kinds(table)[-2:] == ["opened_again", "undone"]


def test_an_edit_is_undone_as_a_whole(scored: KeptTable):
    scored.close(1, out="Anna", Ben="10", Cleo="20")
    scored.edit(1, out="Anna", Ben="15", Cleo="25")
    undo_last(scored)
    assert (scored.score_of("Ben"), scored.score_of("Cleo")) == (10, 20)


def test_few_points_that_stood_without_laying_down_come_back_unasked(scored: KeptTable):
    """The table let them stand, or the round ended before 1.1.0 asked about them."""
    for number, name in enumerate(("Ben", "Cleo"), start=1):
        scored.set(1, name, typed=str(5 * number))
    scored.set(1, "Anna", went_out=True)
    entered = scored.now.game.round(1)
    asked = find_warnings(scored.now.game, entered)
    assert {one.code for one in asked} == {"too_few_points"}
    accepted = Confirmation(accepted=frozenset(one.acceptance for one in asked))
    rounds.end_round(scored.session, somebody(), scored.id, entered, accepted)
    scored.edit(1, out="Anna", Ben="80", Cleo="90")
    undo_last(scored)
    assert (scored.score_of("Ben"), scored.score_of("Cleo")) == (5, 10)


def test_an_edit_is_not_undone_where_the_round_would_contradict_itself(scored: KeptTable):
    scored.close(1, out="Anna", Ben="10", Cleo="20")
    scored.edit(1, out="Ben", Anna="5", Cleo="20")
    scored.edit(1, out="Ben", Anna="10", Cleo="20")
    with pytest.raises(Refused):
        undo_change(
            scored.session,
            somebody(),
            scored.id,
            next(one.version for one in scored.log if one.kind == "mended"),
        )


def test_nobody_went_out_is_undone(scored: KeptTable):
    scored.set(1, "Anna", went_out=True)
    scored.enter(ClearWhoWentOut(1))
    undo_last(scored)
    assert scored.entry(1, "Anna").went_out
    assert not scored.now.game.round(1).nobody_out


def test_who_joined_by_mistake_is_gone_again(table: KeptTable):
    table.close(1, "Anna")
    before = table.now.game
    players.join_game(table.session, somebody(), table.id, "Dora", after=None)
    undo_last(table)
    assert table.now.game == before
    players.join_game(table.session, somebody(), table.id, "Dora", after=table.seat("Anna"))
    undo_last(table)
    assert table.now.game == before
    players.join_game(table.session, somebody(), table.id, "Dora", after=None)
    assert [seat.name for seat in table.now.game.seats][-1] == "Dora"


def test_who_left_by_mistake_sits_there_again(table: KeptTable):
    players.leave_game(table.session, somebody(), table.id, table.seat("Ben"))
    undo_last(table)
    seat = next(one for one in table.now.game.seats if one.id == table.seat("Ben"))
    assert seat.left_after is None


def test_a_rule_that_was_switched_is_switched_back(table: KeptTable):
    ruled = NewRuling(
        "kind=meld", RecordedVerdict(say("Legal")), rule_change=("layoff_on_others", "false")
    )
    record_ruling(table.session, somebody(), table.id, ruled)
    assert table.now.game.rule_changes
    undo_last(table)
    assert not table.now.game.rule_changes


def test_the_start_of_a_game_is_not_undone(table: KeptTable):
    with pytest.raises(Refused, match="can’t be undone"):
        undo_last(table)


def test_a_repeated_undo_changes_nothing(table: KeptTable):
    table.set(1, "Ben", met=True)
    version, actor = table.log[-1].version, somebody()
    undo_change(table.session, actor, table.id, version)
    count = len(table.log)
    undo_change(table.session, actor, table.id, version)
    assert len(table.log) == count


def test_nothing_in_the_log_is_ever_taken_away(scored: KeptTable):
    scored.set(1, "Ben", typed="10")
    before = [one.version for one in scored.log]
    undo_last(scored)
    rounds.end_round(
        scored.session,
        somebody(),
        scored.id,
        scored.filled(out="Anna", Ben="5", Cleo="5"),
        Confirmation(),
    )
    undo_last(scored)
    assert [one.version for one in scored.log][: len(before)] == before
    assert [one.version for one in scored.log] == list(range(1, len(scored.log) + 1))
    assert isinstance(scored.filled(), Round)
