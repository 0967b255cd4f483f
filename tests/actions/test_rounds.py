"""Setting rows, closing, undoing and editing rounds."""

from contextlib import suppress
from dataclasses import fields, replace
from datetime import timedelta
from itertools import product

import pytest
from sqlalchemy import select

from app.actions import rounds
from app.actions.rounds import Confirmation
from app.scorebook.events.entries import ChooseFirstDown, ClearWhoWentOut, SetEntry
from app.scorebook.game import Entry, Round, with_all_entries
from app.scorebook.refusals import ConfirmationNeeded, Conflict, Refused, StaleVersion
from app.scorebook.standings import game_status
from app.store.game_rows import LoadedGame, read_games
from app.store.games import StoredGame
from app.store.groups import Device
from app.store.queries.games import load_game
from app.store.queries.log import round_edits_of
from tests.actions.table import KeptTable, by_key, somebody


def codes(refused) -> list[str]:
    return [fault.code for fault in refused.value.faults]


def test_who_met_the_contract_moves_on_whether_or_not_they_went_out(table):
    table.close(1, "Anna", met="Ben")
    assert [table.contract_of(name) for name in ("Anna", "Ben", "Cleo")] == [2, 2, 1]


def test_a_tap_is_kept_at_once_and_repeating_it_changes_nothing(table):
    table.set(1, "Ben", met=True)
    version = table.now.version
    table.set(1, "Ben", met=True)
    assert table.entry(1, "Ben").met
    assert table.now.version == version


def test_a_row_that_says_its_points_is_what_it_says_whatever_was_entered_before(scored):
    rows = [
        {"met": True, "went_out": out, "typed": typed, "not_counted": False, "buys": 0}
        for out, typed in product((True, False), ("", "15"))
    ]
    for row in (one for three in product(rows, repeat=3) for one in three):
        scored.set(1, "Ben", **row)
        entry, version = scored.entry(1, "Ben"), scored.now.version
        assert {name: getattr(entry, name) for name in row} == row
        scored.set(1, "Ben", **row)
        assert scored.now.version == version


def test_the_game_that_a_tap_answers_is_the_one_that_is_stored(scored):
    anna, ben = scored.seat("Anna"), scored.seat("Ben")
    taps = [
        SetEntry(1, ben, {"typed": "10+5"}),
        SetEntry(1, ben, {"counted": (1, 0, 2, 0)}),
        SetEntry(1, anna, {"met": True}),
        ClearWhoWentOut(1),
        SetEntry(1, ben, {"went_out": True}),
        SetEntry(1, anna, {"went_out": True}),
        ChooseFirstDown(1, ben),
    ]
    for tap in taps:
        step = scored.enter(tap)
        assert step.after.version > step.before.version
        assert load_game(scored.session, scored.id) is step.after
        assert_as_stored(scored, step.after)


def assert_as_stored(table: KeptTable, loaded: LoadedGame) -> None:
    read = read_games(table.session.connection(), [table.id])[table.id]
    for one in fields(LoadedGame):
        assert getattr(read, one.name) == getattr(loaded, one.name), one.name


def test_how_long_rounds_lasted_is_known_however_they_ended_and_were_reopened(scored):
    points = {"Ben": "5", "Cleo": "5"}
    for number, later in enumerate((600, 900, 1600), start=1):
        scored.close(number, "Anna", **points, actor=by_key(f"end {number}", timedelta(0, later)))
        assert_as_stored(scored, scored.now)
    rounds.reopen_round(scored.session, somebody(), scored.id, 3)
    assert_as_stored(scored, scored.now)
    scored.close(3, "Anna", **points, actor=by_key("end again", timedelta(0, 1700)))
    assert_as_stored(scored, scored.now)
    assert [round(one, -1) for one in scored.now.round_seconds] == [600, 300, 800]


def test_only_one_player_goes_out_the_last_one_tapped(table):
    table.set(1, "Anna", went_out=True)
    table.set(1, "Ben", went_out=True)
    assert not table.entry(1, "Anna").went_out
    assert table.entry(1, "Ben").went_out


def test_a_mistaken_tap_on_going_out_leaves_no_contract_behind(table):
    table.set(1, "Anna", went_out=True)
    table.set(1, "Ben", went_out=True)
    assert not table.entry(1, "Anna").laid_down


def test_nobody_went_out_can_be_said(table):
    table.set(1, "Anna", went_out=True)
    table.enter(ClearWhoWentOut(1))
    assert not table.entry(1, "Anna").went_out


def test_going_out_takes_a_typed_penalty_away(scored):
    scored.set(1, "Ben", typed="35")
    scored.set(1, "Ben", went_out=True)
    assert scored.entry(1, "Ben").penalty is None


def test_a_penalty_may_be_typed_as_a_sum(scored):
    scored.set(1, "Ben", typed="10+5+15")
    assert scored.entry(1, "Ben").penalty == 30
    assert scored.entry(1, "Ben").typed == "10+5+15"


def test_counted_cards_make_the_penalty(scored):
    scored.set(1, "Ben", counted=(2, 1, 0, 1))
    assert scored.entry(1, "Ben").penalty == 2 * 5 + 10 + 25
    assert scored.entry(1, "Ben").typed == "45"


def test_a_typed_penalty_replaces_counted_cards(scored):
    scored.set(1, "Ben", counted=(2, 1, 0, 1))
    scored.set(1, "Ben", typed="20")
    assert scored.entry(1, "Ben").penalty == 20
    assert scored.entry(1, "Ben").counted == ()


def test_what_was_typed_is_kept_even_if_it_is_no_number_where_that_is_asked_for(scored):
    with pytest.raises(Refused):
        scored.set(1, "Ben", typed="about 30")
    scored.session.rollback()
    assert scored.entry(1, "Ben").typed == ""
    with pytest.raises(Refused) as refused:
        scored.enter(SetEntry(1, scored.seat("Ben"), {"typed": "about 30"}), remember_refusal=True)
    assert codes(refused) == ["unreadable_penalty"]
    assert scored.entry(1, "Ben").typed == "about 30"
    assert scored.entry(1, "Ben").penalty is None


def tap(table, typed: str, actor, **how) -> None:
    table.session.rollback()
    tap = SetEntry(1, table.seat("Ben"), {"typed": typed})
    table.enter(tap, actor, remember_refusal=True, **how)


def test_a_copy_of_a_tap_that_comes_late_is_never_put_over_what_was_said_since(scored):
    for first in ("10", "about 10"):
        early = by_key(f"the tap {first}")
        with suppress(Refused):
            tap(scored, first, early)
        tap(scored, "20", somebody())
        tap(scored, first, early)
        assert scored.entry(1, "Ben").typed == "20"


def test_a_tap_that_was_refused_once_is_refused_whenever_a_copy_of_it_comes(scored):
    device = scored.session.scalars(select(Device.id)).first()
    early, seen = replace(by_key("the tap"), device=device), scored.now.version
    tap(scored, "15", somebody())
    with pytest.raises(Conflict):
        tap(scored, "10", early, seen_version=seen)
    for _ in range(2):
        with pytest.raises(Conflict):  # this copy was sent when its phone was connected
            tap(scored, "10", early)
    assert scored.entry(1, "Ben").typed == "15"
    tap(scored, "10", somebody())
    tap(scored, "10", early)  # it says nothing new any more


def test_a_tap_on_an_ended_round_is_refused_after_it_was_reopened_too(scored):
    early = by_key("the tap")
    scored.close(1, "Anna", Ben="15", Cleo="10")
    with pytest.raises(StaleVersion):
        tap(scored, "10", early)
    scored.session.rollback()
    rounds.reopen_round(scored.session, somebody(), scored.id, 1)
    with pytest.raises(Conflict):
        tap(scored, "10", early)
    assert scored.entry(1, "Ben").typed == "15"


@pytest.mark.parametrize(
    ("entered", "code"),
    [
        ({"Ben": "", "Cleo": "10"}, "penalty_blank"),
        ({"Ben": "-5", "Cleo": "10"}, "penalty_negative"),
        ({"Ben": "99999", "Cleo": "10"}, "penalty_too_high"),
        ({"Ben": "ten", "Cleo": "10"}, "unreadable_penalty"),
        ({"Anna": "5", "Ben": "10", "Cleo": "10"}, "penalty_for_out"),
    ],
)
def test_a_contradiction_is_refused_and_changes_nothing(scored, entered, code):
    before = scored.now
    with pytest.raises(Refused) as refused:
        scored.close(1, "Anna", **entered)
    scored.session.rollback()
    assert code in codes(refused)
    assert (scored.now.version, scored.now.game) == (before.version, before.game)


def test_two_players_cannot_go_out(table):
    entries = tuple(Entry(seat, went_out=True) for seat in table.now.game.names)
    with pytest.raises(Refused) as refused:
        rounds.end_round(table.session, somebody(), table.id, Round(1, entries), Confirmation())
    assert "two_out" in codes(refused)


def test_a_penalty_that_no_hand_makes_is_a_doubt_that_the_table_may_overrule(scored):
    with pytest.raises(ConfirmationNeeded) as doubted:
        scored.close(1, "Anna", Ben="12", Cleo="10")
    scored.session.rollback()
    assert doubted.value.warnings[0].nearest == (10, 15)
    accepted = frozenset(one.acceptance for one in doubted.value.warnings)
    scored.close(1, "Anna", Ben="12", Cleo="10", confirmation=Confirmation(accepted=accepted))
    assert scored.score_of("Ben") == 12


def test_overruling_one_number_does_not_overrule_another(scored):
    with pytest.raises(ConfirmationNeeded) as doubted:
        scored.close(1, "Anna", Ben="12", Cleo="10")
    scored.session.rollback()
    accepted = frozenset(one.acceptance for one in doubted.value.warnings)
    with pytest.raises(ConfirmationNeeded):
        scored.close(1, "Anna", Ben="13", Cleo="10", confirmation=Confirmation(accepted=accepted))


def test_nobody_going_out_is_a_doubt(table):
    with pytest.raises(ConfirmationNeeded) as doubted:
        table.close(1, met="Ben")
    assert [one.code for one in doubted.value.warnings] == ["nobody_out"]


def test_a_round_is_closed_once_however_often_the_same_request_comes(table):
    actor = somebody("the-same")
    table.close(1, "Anna", actor=actor)
    version = table.now.version
    table.close(1, "Anna", actor=actor)
    assert table.now.version == version
    assert table.now.game.open_number == 2


def test_closing_a_round_that_others_closed_is_stale(table):
    table.close(1, "Anna")
    with pytest.raises(StaleVersion):
        table.close(1, "Ben")


def test_closing_on_a_version_that_has_changed_since_is_stale(table):
    seen = table.now.version
    table.set(1, "Ben", met=True)
    with pytest.raises(StaleVersion):
        table.close(1, "Anna", confirmation=Confirmation(seen_version=seen))


def test_the_last_close_is_undone_and_what_was_entered_next_is_kept(table):
    table.close(1, "Anna")
    table.set(2, "Cleo", met=True)
    rounds.reopen_round(table.session, somebody(), table.id, 1)
    assert table.now.game.open_number == 1
    assert table.entry(1, "Anna").went_out
    table.close(1, "Ben")
    assert table.contract_of("Anna") == 1
    assert table.entry(2, "Cleo").met


def test_only_the_last_close_can_be_undone(table):
    table.close(1, "Anna")
    table.close(2, "Anna")
    with pytest.raises(StaleVersion):
        rounds.reopen_round(table.session, somebody(), table.id, 1)


def test_everything_after_an_edited_round_follows(table):
    table.close(1, "Anna")
    table.close(2, "Anna", met="Ben")
    table.edit(1, "Anna", met="Ben")
    assert table.contract_of("Ben") == 3


def entries(table: KeptTable) -> list[Round]:
    """The ended rounds, whether or not a blank entry was ever stored."""
    game = table.now.game
    return [with_all_entries(game, played) for played in game.rounds]


def test_editing_and_editing_back_leaves_the_game_as_it_was(table):
    table.close(1, "Anna")
    table.close(2, "Anna", met="Ben")
    before = entries(table)
    table.edit(1, "Ben", met="Cleo")
    table.edit(1, "Anna")
    assert entries(table) == before


def test_an_edit_that_ends_the_game_earlier_is_doubted_first(session):
    table = KeptTable.started(session, "frustration", "Anna Ben", last_contract=2)
    table.close(1, "Anna")
    table.close(2, "Ben")
    table.close(3, "Ben")
    with pytest.raises(ConfirmationNeeded) as doubted:
        table.edit(2, "Anna")
    assert [one.code for one in doubted.value.warnings] == ["rounds_after_end"]


def test_a_finished_game_is_edited_as_often_as_need_be(session):
    table = KeptTable.started(session, "frustration", "Anna Ben", last_contract=1)
    table.close(1, "Anna")
    assert table.winners == ["Anna"]
    for name in ("Ben", "Anna", "Ben"):
        table.edit(1, name)
        assert table.winners == [name]


def test_nothing_is_entered_for_a_finished_game(session):
    table = KeptTable.started(session, "frustration", "Anna Ben", last_contract=1)
    table.close(1, "Anna")
    with pytest.raises(Refused):
        table.set(2, "Ben", met=True)


def test_the_noted_finish_always_agrees_with_the_scorebook(session):
    table = KeptTable.started(session, "frustration", "Anna Ben", last_contract=2)

    def matches_expectation() -> bool:
        noted = session.get(StoredGame, table.id).finished_at is not None
        return noted == game_status(table.now.game).over

    assert matches_expectation()
    for number in (1, 2):
        table.close(number, "Anna")
        assert matches_expectation()
    rounds.reopen_round(session, somebody(), table.id, 2)
    assert matches_expectation()


def test_who_was_first_down_is_asked_only_when_several_finish_and_then_decides(session):
    table = KeptTable.started(session, "frustration", "Anna Ben Cleo", last_contract=1)
    with pytest.raises(Refused) as refused:
        table.close(1, "Anna", met="Ben")
    session.rollback()
    assert codes(refused) == ["first_down_missing"]
    table.enter(SetEntry(1, table.seat("Ben"), {"met": True}))
    table.enter(ChooseFirstDown(1, table.seat("Ben")))
    filled = table.filled("Anna", "Ben", first_down="Ben")
    rounds.end_round(session, somebody(), table.id, filled, Confirmation())
    assert table.winners == ["Ben"]
    other = table.filled("Anna", "Ben", first_down="Anna", number=1)
    rounds.edit_round(session, somebody(), table.id, other, Confirmation())
    (edit,) = round_edits_of(session, table.id)
    assert [one.kind for one in edit.changes] == ["first_down"], "the record tells of it"


def test_every_change_is_one_entry_of_the_log_and_raises_the_version_by_one(table):
    table.set(1, "Ben", met=True)
    table.close(1, "Anna", met="Ben")
    table.edit(1, "Anna", confirmation=Confirmation(reason="Ben was one card short"))
    log = table.log
    assert [entry.version for entry in log] == list(range(1, len(log) + 1))
    assert log[-1].version == table.now.version
    edited = log[-1]
    assert (edited.kind, edited.reason) == ("mended", "Ben was one card short")
    assert log[1].before == {"met": False}
    assert log[1].after == {"met": True}


def test_the_whole_open_round_is_kept_without_closing_it(scored):
    filled = scored.filled("Anna", "Ben", Cleo="15")
    rounds.save_open_round(scored.session, somebody(), scored.id, filled)
    assert scored.now.game.open_number == 1
    assert scored.entry(1, "Cleo").penalty == 15
    assert scored.entry(1, "Anna").went_out


def test_the_dealers_exact_deal_is_marked_where_there_is_a_bonus_for_it(session):
    table = KeptTable.started(session, "garbage-rummy", "Anna Ben")
    table.set(1, "Anna", exact_deal=True)
    table.set(1, "Ben", typed="80")
    entries = tuple(table.now.game.round(1).entry_of(seat) for seat in table.now.game.names)
    table.enter(SetEntry(1, table.seat("Anna"), {"went_out": True}))
    entries = tuple(table.now.game.round(1).entry_of(seat) for seat in table.now.game.names)
    rounds.end_round(session, somebody(), table.id, Round(1, entries), Confirmation())
    assert table.score_of("Anna") == -50
