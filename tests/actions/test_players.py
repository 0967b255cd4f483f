"""Names, and players who come and go."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.actions.games import StartPlan, start_game, start_rematch, stop_game
from app.actions.players import (
    correct_holder,
    hand_over_seat,
    join_game,
    leave_game,
    merge_players,
    read_name,
    rename_player,
    separate_players,
)
from app.rules.rule_sets import rule_set_by_id
from app.scorebook.refusals import ConfirmationNeeded, Refused
from app.scorebook.standings import game_status
from app.store.games import StoredGame
from app.store.groups import Player
from app.store.queries.games import (
    active_player_names,
    active_players,
    load_game,
    recent_variants,
)
from tests.actions.table import KeptTable, somebody

PLAN = StartPlan(rule_set_by_id("frustration"), ["Finn", "Dora"], 0)


def player(table: KeptTable, name: str) -> int:
    return table.session.scalars(select(Player.id).where(Player.name == name)).one()


def merge(table: KeptTable, name: str, into: str) -> None:
    one, other = player(table, name), player(table, into)
    merge_players(table.session, somebody(), table.group, one, other)


def dealer(table: KeptTable) -> str:
    return table.now.game.names[game_status(table.now.game).dealer]


@pytest.mark.parametrize(
    "typed", ["", "   ", "\u200b\n", "x" * 200, "a\x00b", "\u3164", "An\u034fna"]
)
def test_a_name_that_is_none_is_refused(typed):
    with pytest.raises(Refused):
        read_name(typed)


@pytest.mark.parametrize("typed", ["<b>Anna</b>", "O'Brien", "Zoë", "李雷", "Anna & Ben"])
def test_any_name_that_people_have_is_taken_as_it_is(typed):
    assert read_name(f"  {typed} ") == typed


@pytest.mark.parametrize("names", [["Anna"], [], ["Anna", "anna"], ["Anna", ""], ["x"] * 13])
def test_a_table_that_cannot_be_is_refused(session, names):
    with pytest.raises(Refused):
        start_game(session, somebody(), 1, StartPlan(rule_set_by_id("frustration"), names, 0))


def test_more_players_than_the_rule_set_names_are_doubted(session):
    names = [f"Player {number}" for number in range(9)]
    with pytest.raises(ConfirmationNeeded):
        start_game(session, somebody(), 1, StartPlan(rule_set_by_id("frustration"), names, 0))


def test_a_player_typed_once_is_known_ever_after(table):
    plan = StartPlan(rule_set_by_id("frustration"), ["ANNA", "Dora"], 0)
    start_game(table.session, somebody(), table.group, plan)
    names = list(active_player_names(table.session, table.group, 10))
    assert sorted(names) == ["Anna", "Ben", "Cleo", "Dora"]
    assert set(names[:2]) == {"Anna", "Dora"}
    assert len(list(table.session.scalars(select(Player)))) == 4


def test_a_game_of_years_ago_that_comes_now_is_not_what_was_played_last(table):
    session, group = table.session, table.group
    for variant, who, years in (("garbage-rummy", "Ben Dora", 5), ("carioca", "Emil Dora", 9)):
        key = start_game(
            session, somebody(), group, StartPlan(rule_set_by_id(variant), who.split(), 0)
        )
        old = session.scalars(select(StoredGame).where(StoredGame.key == key)).one()
        old.started_at -= timedelta(days=365 * years)
    session.flush()
    assert recent_variants(session, group, 9) == ["frustration", "garbage-rummy", "carioca"]
    names = ["Anna", "Ben", "Cleo", "Dora", "Emil"]
    assert list(active_player_names(session, group, 9)) == names
    assert [one.last_game for one in active_players(session, group, 9)][:3] == [table.id] * 3


def test_starting_twice_by_the_same_request_makes_one_game(table):
    plan, actor = StartPlan(rule_set_by_id("frustration"), ["Anna", "Ben"], 0), somebody("again")
    first = start_game(table.session, actor, table.group, plan)
    assert start_game(table.session, actor, table.group, plan) == first
    assert len(list(table.session.scalars(select(StoredGame)))) == 2


def test_who_joins_late_starts_on_contract_one_with_the_given_score(scored):
    scored.close(1, "Anna", met="Ben", Ben="10", Cleo="20")
    join_game(scored.session, somebody(), scored.id, "Dora", after=scored.seat("Anna"), score=20)
    assert scored.contract_of("Dora") == 1
    assert scored.score_of("Dora") == 20
    assert list(scored.now.game.names.values()) == ["Anna", "Dora", "Ben", "Cleo"]


def test_a_late_player_deals_when_the_turn_comes(table):
    table.close(1, "Anna")
    table.close(2, "Anna")
    join_game(table.session, somebody(), table.id, "Dora", after=table.seat("Ben"))
    dealers = [dealer(table)]
    for number in (3, 4, 5):
        table.close(number, "Anna")
        dealers.append(dealer(table))
    assert dealers == ["Cleo", "Anna", "Ben", "Dora"]


def test_the_deal_passes_over_who_left(table):
    leave_game(table.session, somebody(), table.id, table.seat("Ben"))
    table.close(1, "Anna", met="Cleo")
    assert dealer(table) == "Cleo"


def test_who_left_and_comes_back_before_the_next_close_has_the_old_seat(table):
    table.close(1, "Ben")
    leave_game(table.session, somebody(), table.id, table.seat("Ben"))
    join_game(table.session, somebody(), table.id, "ben", after=None)
    assert table.contract_of("Ben") == 2
    assert len(table.now.game.names) == 3


def test_who_missed_a_round_takes_the_old_seat_again(table):
    table.close(1, "Ben")
    leave_game(table.session, somebody(), table.id, table.seat("Ben"))
    table.close(2, "Anna")
    join_game(table.session, somebody(), table.id, "Ben", after=None)
    assert table.contract_of("Ben") == 2
    assert table.now.game.seat(table.seat("Ben")).missed == ((2, 2),)


def test_a_stand_in_is_known_by_the_name_of_the_player_from_then_on(table):
    table.close(1, "Ben")
    hand_over_seat(table.session, somebody(), table.id, table.seat("Ben"), "Emil")
    assert list(table.now.game.names.values()) == ["Anna", "Emil", "Cleo"]
    emil = table.session.scalars(select(Player).where(Player.name == "Emil")).one()
    rename_player(table.session, somebody(), table.group, emil.id, "Emilie")
    assert list(table.now.game.names.values()) == ["Anna", "Emilie", "Cleo"]


def test_a_stand_in_is_merged_with_another_player_and_separated_again(table):
    table.close(1, "Ben")
    hand_over_seat(table.session, somebody(), table.id, table.seat("Ben"), "Emil")
    for name in ("Anna", "Cleo"):
        with pytest.raises(Refused, match="had two seats"):
            merge(table, "Emil", name)
    start_game(table.session, somebody(), table.group, PLAN)
    merge(table, "Emil", "Finn")
    assert list(table.now.game.names.values()) == ["Anna", "Finn", "Cleo"]
    separate_players(table.session, somebody(), table.group, player(table, "Emil"))
    assert list(table.now.game.names.values()) == ["Anna", "Emil", "Cleo"]


def test_a_seat_that_was_given_to_the_right_player_stays_theirs_when_a_merge_is_undone(table):
    table.close(1, "Ben")
    hand_over_seat(table.session, somebody(), table.id, table.seat("Cleo"), "Emil")
    start_game(table.session, somebody(), table.group, PLAN)
    start_game(table.session, somebody(), table.group, replace(PLAN, names=("Gus", "Hal")))
    merge(table, "Emil", "Finn")
    merge(table, "Ben", "Gus")
    for wrong, right in (("Gus", "Ida"), ("Finn", "Jo")):
        correct_holder(table.session, somebody(), table.id, table.seat(wrong), right)
    for merged in ("Emil", "Ben"):
        separate_players(table.session, somebody(), table.group, player(table, merged))
    assert list(table.now.game.names.values()) == ["Anna", "Ida", "Jo"]


def test_two_players_at_least_stay(session):
    table = KeptTable.started(session, "frustration", "Anna Ben")
    with pytest.raises(Refused):
        leave_game(session, somebody(), table.id, table.seat("Ben"))


def test_nobody_joins_twice(table):
    with pytest.raises(Refused):
        join_game(table.session, somebody(), table.id, "CLEO", after=None)


def rematch_of(table: KeptTable) -> tuple[str, str]:
    """Who sits there, and who deals."""
    key = start_rematch(table.session, somebody(), table.group, table.id)
    game = table.session.scalars(select(StoredGame).where(StoredGame.key == key)).one()
    rematch = load_game(table.session, game.id).game
    return " ".join(rematch.names.values()), rematch.names[game_status(rematch).dealer]


def test_a_rematch_has_the_same_seats_and_the_next_dealer(table):
    table.close(1, "Anna")
    leave_game(table.session, somebody(), table.id, table.seat("Cleo"))
    assert rematch_of(table) == ("Anna Ben", "Ben")


@pytest.mark.parametrize(
    ("rotation", "dealer"), [("left", "Cleo"), ("first_player", "Cleo"), ("right", "Ben")]
)
@pytest.mark.parametrize("cards", ["counted", "not_counted"])
def test_where_the_dealer_left_in_the_round_that_was_stopped_the_next_deals_a_rematch(
    session, rotation, dealer, cards
):
    table = KeptTable.started(session, "frustration", "Anna Ben Cleo", dealer_rotation=rotation)
    table.close(1, "Anna")
    dealt = table.now.game.names[table.now.status.dealer]
    assert dealt == ("Cleo" if rotation == "right" else "Ben")
    leave_game(session, somebody(), table.id, table.seat(dealt), cards=cards)
    stop_game(session, somebody(), table.id, result=True)
    assert table.now.game.names[table.now.status.dealer] == dealer
    assert rematch_of(table) == (f"Anna {dealer}", dealer)
