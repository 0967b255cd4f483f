"""What a game came to is kept when it ends, and follows every later change."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from sqlalchemy import select, update

from app.actions import rounds
from app.actions.games import StartPlan, start_game, stop_game, undo_change
from app.actions.groups import make_group
from app.actions.importing import import_into_group, require_plausible
from app.actions.players import (
    correct_holder,
    hand_over_seat,
    join_game,
    leave_game,
    merge_players,
    rename_player,
    separate_players,
)
from app.actions.results import rebuild_facts
from app.exchange.days import start_of
from app.exchange.files import read_document, serialize
from app.scorebook.game import Round
from app.scorebook.refusals import Refused
from app.scorebook.seasons import SeasonRules
from app.scorebook.statistics import PlayerSums
from app.store.games import StoredGame, StoredSeat
from app.store.groups import Player
from app.store.queries.evenings import sums_of_each
from app.store.queries.export import exported_games, load_group_document
from app.store.queries.group_records import game_tallies, longest_streaks
from app.store.queries.history import recent_games
from app.store.queries.milestones import milestones_of_game, milestones_of_player
from app.store.queries.players import (
    last_games_of,
    player_contract_stats,
    players_with_sums,
    rivals_of,
    streaks_of,
)
from app.store.queries.selection import GameSelection
from app.store.queries.trends import months_of
from app.store.statistics import StoredContractAttempts, StoredPlayerResult, StoredResult
from tests.actions.table import NOON, KeptTable, somebody
from tests.conftest import ON_SQLITE


def played_out(table: KeptTable, winner: str = "Anna") -> KeptTable:
    """The game after its winner went out in each round."""
    others = [name for name in table.now.game.names.values() if name != winner]
    penalties = dict.fromkeys(others, "100") if table.now.variant.keeps_score else {}
    while table.now.finished_at is None:
        table.close(table.now.game.open_number, winner, **penalties)
    return table


def wins(table: KeptTable) -> dict[str, int]:
    return {one.name: one.sums.wins for one in players_with_sums(table.session, table.group)}


def stored_seat(table: KeptTable, name: str) -> StoredSeat:
    return table.session.get_one(StoredSeat, table.seat(name))


@ON_SQLITE
def test_a_running_game_counts_nowhere(scored: KeptTable):
    scored.close(1, "Anna", Ben="10", Cleo="20")
    assert scored.session.scalars(select(StoredResult)).all() == []
    assert {one.sums.games for one in players_with_sums(scored.session, scored.group)} == {0}


@ON_SQLITE
def test_a_finished_game_counts_for_everybody_who_played(scored: KeptTable):
    played_out(scored)
    assert wins(scored) == {"Anna": 1, "Ben": 0, "Cleo": 0}
    result = scored.session.scalars(select(StoredResult)).one()
    assert (result.rounds, result.places_by_score) == (7, True)
    assert result.margin == 7 * 100 + 7 * 25 + 200
    ben = stored_seat(scored, "Ben")
    row = scored.session.get(StoredPlayerResult, (ben.id, ben.player_id))
    assert (row.place, row.penalty, row.penalty_rounds, row.times_went_out) == (2, 700, 7, 0)
    tried = select(StoredContractAttempts).where(StoredContractAttempts.seat_id == ben.id)
    attempts = scored.session.scalars(tried).one()
    assert (attempts.contract, attempts.kind, attempts.rounds) == (1, "sets", 7)
    assert not attempts.was_completed


@ON_SQLITE
def test_undoing_the_last_round_takes_the_game_out_again(scored: KeptTable):
    played_out(scored)
    rounds.reopen_round(scored.session, somebody(), scored.id, 7)
    for table in (StoredResult, StoredPlayerResult, StoredContractAttempts):
        assert scored.session.scalars(select(table)).all() == []


def test_editing_a_finished_game_moves_the_win(scored: KeptTable):
    played_out(scored)
    scored.edit(1, "Anna", Ben="100", Cleo="110")
    assert wins(scored)["Anna"] == 1
    cleo = stored_seat(scored, "Cleo")
    assert scored.session.get(StoredPlayerResult, (cleo.id, cleo.player_id)).penalty == 710
    assert rebuild_facts(scored.session)


@ON_SQLITE
def test_who_left_before_the_end_has_no_place_and_no_rival(scored: KeptTable):
    scored.close(1, "Anna", Ben="10", Cleo="20")
    leave_game(scored.session, somebody(), scored.id, scored.seat("Cleo"))
    join_game(scored.session, somebody(), scored.id, "Dora", after=scored.seat("Anna"), score=0)
    while scored.now.finished_at is None:
        number = scored.now.game.open_number
        filled = scored.filled("Anna", Ben="100", Dora="100")
        there = tuple(one for one in filled.entries if scored.now.game.names[one.seat] != "Cleo")
        rounds.end_round(
            scored.session, somebody(), scored.id, Round(number, there), rounds.Confirmation()
        )
    cleo = stored_seat(scored, "Cleo")
    row = scored.session.get(StoredPlayerResult, (cleo.id, cleo.player_id))
    assert (row.place, row.won, row.rounds) == (None, False, 1)
    assert rivals_of(scored.session, cleo.player_id) == []
    anna = stored_seat(scored, "Anna")
    rivals = rivals_of(scored.session, anna.player_id)
    assert {one.name for one in rivals} == {"Ben", "Dora"}
    assert rebuild_facts(scored.session)


def test_statistics_made_anew_equal_those_that_were_kept_along_the_way(table: KeptTable):
    played_out(table)
    assert rebuild_facts(table.session)
    for fact in (StoredResult, StoredPlayerResult, StoredContractAttempts):
        table.session.scalars(select(fact)).first().rounds += 1
        assert not rebuild_facts(table.session)
        assert rebuild_facts(table.session)
        table.session.delete(table.session.scalars(select(fact)).first())
        assert not rebuild_facts(table.session)
        assert rebuild_facts(table.session)


def test_facts_of_a_game_that_does_not_count_are_found_and_taken_away(table: KeptTable):
    played_out(table)
    table.session.execute(update(StoredGame).values(deleted_at=NOON))
    assert not rebuild_facts(table.session)
    assert table.session.scalars(select(StoredPlayerResult)).all() == []
    assert rebuild_facts(table.session)


def test_facts_follow_a_merged_player_and_come_back_when_the_merge_is_undone(table: KeptTable):
    played_out(table)
    start = StartPlan(table.now.variant, ("Dora", "Ben"), 0)
    key = start_game(table.session, somebody(), table.group, start)
    game = table.session.scalars(select(StoredGame.id).where(StoredGame.key == key)).one()
    played_out(KeptTable(table.session, game, table.group), "Dora")
    before = all_said(table)
    ids = {one.name: one.id for one in players_with_sums(table.session, table.group)}
    merge_players(table.session, somebody(), table.group, ids["Dora"], ids["Anna"])
    assert wins(table) == {"Anna": 2, "Ben": 0, "Cleo": 0}
    assert streaks_of(table.session, ids["Anna"]).most_wins == 2
    assert months_of(table.session, ids["Dora"]) == []
    assert rebuild_facts(table.session)
    shared = {one.name: one.shared for one in rivals_of(table.session, ids["Ben"])}
    assert shared == {"Anna": 2, "Cleo": 1}
    separate_players(table.session, somebody(), table.group, ids["Dora"])
    assert all_said(table) == before
    assert rebuild_facts(table.session)


AROUND_MIDNIGHTS = sorted(
    {hour + by for hour in (-14, -6, -1, 11) for by in (-1, 0, 1)} | {-16, 16}
)
"""Hours by the clock of Greenwich on either side of where a day of these zones begins."""


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    "zone", ["UTC0", "FAR-14", "FAR+11", "NPT-5:45", "CET-1CEST,M3.5.0,M10.5.0"], indirect=True
)
def test_months_and_years_go_by_the_clock_that_the_filter_goes_by(table: KeptTable):
    """Of a game that ended about New Year, too, or in the last night of any month."""
    played_out(table)
    anna = next(one.id for one in players_with_sums(table.session, table.group))
    for (year, month), hours in product(((2024, 3), (2026, 1)), AROUND_MIDNIGHTS):
        ended = datetime(year, month, 1, tzinfo=UTC) + timedelta(hours=hours, minutes=20)
        table.session.execute(update(StoredPlayerResult).values(finished_at=ended))
        since, until = (start_of(date(year, month, day)) for day in (1, 28))
        chosen, is_chosen = GameSelection(since=since, until=until), ended >= since
        assert len(months_of(table.session, anna, chosen)) == is_chosen
        (found,) = months_of(table.session, anna)
        assert (found.month == (year, month)) == is_chosen


def test_the_sums_of_a_month_hold_its_first_and_last_days(table: KeptTable):
    """Those are read to the minute."""
    for number in range(4):
        if number:
            start = StartPlan(table.now.variant, ("Anna", "Ben"), 0)
            key = start_game(table.session, somebody(), table.group, start)
            game = table.session.scalars(select(StoredGame.id).where(StoredGame.key == key)).one()
            table = KeptTable(table.session, game, table.group)
        played_out(table, "Anna" if number else "Ben")
        ended = datetime(2026, 1, (1, 15, 15, 31)[number], 12, tzinfo=UTC)
        of_game = StoredPlayerResult.game_id == table.id
        table.session.execute(update(StoredPlayerResult).where(of_game).values(finished_at=ended))
    anna = next(one for one in players_with_sums(table.session, table.group) if one.name == "Anna")
    (month,) = months_of(table.session, anna.id)
    assert (month.month, month.sums.games, month.sums) == ((2026, 1), 4, anna.sums)


def all_said(table: KeptTable) -> list[object]:
    """Everything that is said of the players of a group."""
    session, people = table.session, players_with_sums(table.session, table.group)
    return [
        people,
        player_contract_stats(session, table.group),
        *((streaks_of(session, one.id), months_of(session, one.id)) for one in people),
        *(rivals_of(session, one.id) for one in people),
    ]


@ON_SQLITE
def test_a_game_put_away_for_the_night_holds_no_record_of_how_long_it_took(table: KeptTable):
    at = NOON
    while table.now.finished_at is None:
        number = table.now.game.open_number
        at += timedelta(hours=10) if number == 3 else timedelta(minutes=10)
        table.close(number, "Anna", actor=replace(somebody(), at=at))
    (tally,) = game_tallies(table.session, table.group)
    held = {field for (field, _most), value in tally.best_values.items() if value is not None}
    assert "rounds" in held
    assert not held & {"seconds", "longest_round"}


def test_level_rivals_are_above_neither(table: KeptTable):
    table.close(1, "Anna", met="Ben Cleo")
    stop_game(table.session, somebody(), table.id, result=True)
    ben, *_others = players_with_sums(table.session, table.group)
    rivals = rivals_of(table.session, ben.id)
    assert {(one.shared, one.ahead, one.level) for one in rivals} == {(1, 0, 1)}


def exported(table: KeptTable) -> Any:
    """The group as its export says it."""
    document = json.loads("".join(serialize(load_group_document(table.session, table.group))))
    table.session.rollback()  # ends the snapshot
    return document


@pytest.mark.parametrize(("one", "other"), [("Ben", "Emil"), ("Emil", "Ben"), ("Finn", "Ben")])
@pytest.mark.parametrize("back", [(), ("Ben",)])
def test_who_took_over_from_each_other_are_merged_and_separated_whole(
    scored: KeptTable, one: str, other: str, back: tuple[str, ...]
):
    session = scored.session
    for number, name in enumerate(("Emil", "Finn", *back), 1):
        held = scored.now.game.names[scored.now.game.seats[1].id]
        scored.close(number, held, Anna="10", Cleo="20")
        hand_over_seat(session, somebody(), scored.id, scored.seat(held), name)
    played_out(scored, scored.now.game.names[scored.now.game.seats[1].id])
    ids = {of.name: of.id for of in session.execute(select(Player.name, Player.id))}
    before = list(exported_games(session, scored.group)), all_said(scored), wins(scored)
    apart = exported(scored)
    merge_players(session, somebody(), scored.group, ids[one], ids[other])
    assert rebuild_facts(session)
    assert sum(wins(scored).values()) == 1
    session.commit()
    merged = exported(scored)
    group = make_group(session, "Another club", NOON).id
    assert (
        import_into_group(session, somebody(), group, require_plausible(read_document(merged))) == 1
    )
    games = ([*exported_games(session, of)] for of in (scored.group, group))
    assert next(games) == next(games)
    apart["games"][0]["key"] = "anothergame"
    assert (
        import_into_group(session, somebody(), group, require_plausible(read_document(apart))) == 1
    )
    assert rebuild_facts(session)
    separate_players(session, somebody(), scored.group, ids[one])
    now = list(exported_games(session, scored.group)), all_said(scored), wins(scored)
    assert now == before
    assert rebuild_facts(session)


@ON_SQLITE
def test_a_stand_in_and_who_played_before_each_have_what_they_played(scored: KeptTable):
    scored.close(1, "Ben", Anna="10", Cleo="20")
    hand_over_seat(scored.session, somebody(), scored.id, scored.seat("Ben"), "Emil")
    played_out(scored, "Emil")
    rows = scored.session.execute(
        select(
            Player.name,
            StoredPlayerResult.rounds,
            StoredPlayerResult.won,
            StoredPlayerResult.times_went_out,
        )
        .join(StoredPlayerResult, StoredPlayerResult.player_id == Player.id)
        .where(StoredPlayerResult.seat_id == scored.seat("Emil"))
        .order_by(Player.name)
    ).all()
    assert rows == [("Ben", 1, None, 1), ("Emil", 6, True, 6)]
    assert rebuild_facts(scored.session)
    (line,) = recent_games(scored.session, scored.group, 1)
    assert [(one.name, one.place, one.taken_over_from) for one in line.seats] == [
        ("Emil", 1, ("Ben",)), ("Anna", 2, ()), ("Cleo", 3, ()),
    ]  # fmt: skip


@ON_SQLITE
def test_who_was_replaced_has_the_rounds_that_they_played_but_no_game_that_was_lost(
    scored: KeptTable,
):
    """Ben wins a game, is replaced in the next one, in which he has won a round, and wins again."""
    session = scored.session
    played_out(scored, "Ben")
    names, group = "Anna Ben Cleo", scored.group
    again = KeptTable.started(session, "aggravation-rummy", names, group=group)
    again.close(1, "Ben", Anna="10", Cleo="20")
    hand_over_seat(session, somebody(), again.id, again.seat("Ben"), "Emil")
    played_out(again, "Emil")
    played_out(KeptTable.started(session, "aggravation-rummy", names, group=group), "Ben")
    assert rebuild_facts(session)
    people = players_with_sums(session, scored.group)
    sums = {one.name: (one.sums.games, one.sums.wins, one.sums.rounds) for one in people}
    assert sums == {
        "Anna": (3, 0, 21), "Ben": (2, 2, 15), "Cleo": (3, 0, 21), "Emil": (1, 1, 6),
    }  # fmt: skip
    ben = next(one.id for one in people if one.name == "Ben")
    assert streaks_of(session, ben).wins_now == 2
    assert longest_streaks(session, group) == (2, [ben])
    assert [one.won for one in last_games_of(session, ben, 5)] == [True, True]
    season = sums_of_each(session, group, [(GameSelection(), SeasonRules())])[0]
    assert {one.player: (one.games, one.wins) for one in season}[ben] == (2, 2)


@ON_SQLITE
def test_no_milestone_counts_a_game_in_which_another_took_over(scored: KeptTable):
    """Ben loses 4 games, wins 5, loses up to his 50th; between them, and last, he is replaced."""
    session, group, games = scored.session, scored.group, []

    def play(winner: str, *, replaced: bool = False) -> None:
        last = 1 + replaced
        table = KeptTable.started(
            session, "frustration", "Anna Ben", group=group, last_contract=last
        )
        if replaced:
            table.close(1, "Anna")
            hand_over_seat(session, somebody(), table.id, table.seat("Ben"), "Emil")
        played_out(table, winner)
        games.append(table.id)

    for winner in ["Anna"] * 4 + ["Ben"] * 5 + ["Anna"] * 41:
        if len(games) in (2, 7):
            play("Anna", replaced=True)
        play(winner)
    play("Anna", replaced=True)
    ben = next(one.id for one in players_with_sums(session, group) if one.name == "Ben")
    reached = milestones_of_player(session, ben, "Ben")
    assert {(one.kind, one.count) for one in reached} == {
        ("first_win", 1), ("first_ahead", 5), ("wins_in_a_row", 5), ("games", 50),
    }  # fmt: skip
    told = [one for game in games for one in milestones_of_game(session, game)]
    assert {(one.kind, one.game_key) for one in told if one.player == "Ben"} == {
        (one.kind, one.game_key) for one in reached
    }


@ON_SQLITE
def test_who_joined_for_a_round_that_never_came_has_no_game(scored: KeptTable):
    session = scored.session
    scored.close(1, "Anna", Ben="10", Cleo="20")
    join_game(session, somebody(), scored.id, "Dora", after=scored.seat("Anna"), score=-400)
    stop_game(session, somebody(), scored.id, result=True)
    assert wins(scored) == {"Anna": 1, "Ben": 0, "Cleo": 0, "Dora": 0}
    assert set(said_of_people(scored)) == {"Anna", "Ben", "Cleo"}
    (line,) = recent_games(session, scored.group, 1)
    assert [(one.name, one.place) for one in line.seats] == [("Anna", 1), ("Ben", 2), ("Cleo", 3)]
    assert rebuild_facts(session)


def said_of_people(table: KeptTable) -> dict[str, PlayerSums]:
    people = players_with_sums(table.session, table.group)
    return {one.name: one.sums for one in people if one.sums.games}


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("instead_of", ["Ben", "Emil"])
def test_a_game_counts_for_who_it_was_all_along_and_after_an_undo_for_who_it_said(
    scored: KeptTable, over: bool, instead_of: str
):
    session = scored.session
    scored.close(1, "Ben", Anna="10", Cleo="20")
    hand_over_seat(session, somebody(), scored.id, scored.seat("Ben"), "Emil")
    if over:
        played_out(scored, "Emil")
    (before,), people = exported_games(session, scored.group), said_of_people(scored)
    seat = scored.seat("Emil")
    correct_holder(session, somebody(), scored.id, seat, "Emily", instead_of)
    played_out(scored, "Emily" if instead_of == "Emil" else "Emil")
    games = {name: one.games for name, one in said_of_people(scored).items()}
    played_on = {"Emily"} if instead_of == "Emil" else {"Emil"}
    assert games == dict.fromkeys({"Anna", "Cleo", *played_on}, 1)
    assert wins(scored)["Emily"] == (instead_of == "Emil")
    assert rebuild_facts(session)
    session.commit()
    document = require_plausible(read_document(exported(scored)))
    group = make_group(session, "Another club", NOON).id
    assert import_into_group(session, somebody(), group, document) == 1
    here, there = ([*exported_games(session, of)] for of in (scored.group, group))
    assert here == there
    if over:
        undo_change(session, somebody(), scored.id, scored.now.version)
        (now,) = exported_games(session, scored.group)
        assert (now.seats, now.rounds) == (before.seats, before.rounds)
        assert said_of_people(scored) == people
        assert rebuild_facts(session)


@ON_SQLITE
def test_a_correction_is_undone_only_while_both_have_their_names(scored: KeptTable):
    session = scored.session
    ben = next(one.player for one in scored.now.game.seats if one.name == "Ben")
    correct_holder(session, somebody(), scored.id, scored.seat("Ben"), "Emily")
    version = scored.now.version
    rename_player(session, somebody(), scored.group, ben, "Benedikt")
    with pytest.raises(Refused):
        undo_change(session, somebody(), scored.id, version)
    session.rollback()
    assert "Emily" in scored.now.game.names.values()
