"""Several phones that rename, merge, separate and seat the same people at the same moment."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from app.actions.games import StartPlan, start_game
from app.actions.players import join_game, merge_players, rename_player
from app.actions.results import rebuild_facts
from app.actions.rounds import Confirmation, end_round
from app.actions.rulesets import set_usual_rules
from app.rules.rule_sets import rule_set_by_id
from app.scorebook.refusals import Refused, StaleVersion
from app.store.games import StoredGame, StoredSeat
from app.store.groups import Player
from tests.actions.table import KeptTable, somebody
from tests.actions.test_at_once import at_once

Deed = Callable[[Session], object]
TIMES = 6
"""So often two phones meet; of those that do not wait for each other, most do harm by then."""


class Deeds:
    """What phones of one group do, to be carried out later; players are called by their ids."""

    def __init__(self, group: int) -> None:
        self.group = group

    def merge(self, one: int, into: int) -> Deed:
        return lambda session: merge_players(session, somebody(), self.group, one, into)

    def rename(self, one: int, name: str) -> Deed:
        return lambda session: rename_player(session, somebody(), self.group, one, name)

    def start(self, *names: str) -> Deed:
        plan = StartPlan(rule_set_by_id("frustration"), names, 0)
        return lambda session: start_game(session, somebody(), self.group, plan)

    def join(self, game: int, name: str) -> Deed:
        return lambda session: join_game(session, somebody(), game, name, after=None)

    def choose_rules(self, rule_set: str) -> Deed:
        return lambda session: set_usual_rules(session, somebody(), self.group, rule_set, {})


def may_be_refused(deed: Deed) -> Deed:
    def carry_out(session: Session) -> None:
        try:
            deed(session)
        except (Refused, StaleVersion):
            session.rollback()

    return carry_out


Together = Callable[[Deeds, dict[str, int], int, int], tuple[Deed, Deed]]
TOGETHER: dict[str, Together] = {
    "merged both ways": lambda do, ids, _game, _n: (
        do.merge(ids["A"], ids["C"]),
        do.merge(ids["C"], ids["A"]),
    ),
    "merged on": lambda do, ids, _game, _n: (
        do.merge(ids["A"], ids["C"]),
        do.merge(ids["C"], ids["B"]),
    ),
    "merged and seated": lambda do, ids, _game, n: (
        do.merge(ids["A"], ids["C"]),
        do.start(f"A{n}", f"D{n}"),
    ),
    "merged and seated together": lambda do, ids, _game, n: (
        do.merge(ids["A"], ids["C"]),
        do.start(f"A{n}", f"C{n}"),
    ),
    "merged and joining": lambda do, ids, game, n: (
        do.merge(ids["A"], ids["C"]),
        do.join(game, f"A{n}"),
    ),
    "renamed alike": lambda do, ids, _game, n: (
        do.rename(ids["A"], f"Z{n}"),
        do.rename(ids["C"], f"Z{n}"),
    ),
    "renamed to a newcomer": lambda do, ids, _game, n: (
        do.rename(ids["A"], f"Z{n}"),
        do.start(f"Z{n}", f"C{n}"),
    ),
    "rules kept twice": lambda do, _ids, _game, n: (
        do.choose_rules(f"rules-{n}"),
        do.choose_rules(f"rules-{n}"),
    ),
}
"""What two phones do at once: to people by their ids or by their names, and to a running game."""


@pytest.fixture
def people(table: KeptTable) -> list[dict[str, int]]:
    """For each time four people A, B, C and D with their ids; A and B, and C and D, played."""
    deeds = Deeds(table.group)
    for number in range(TIMES):
        deeds.start(f"A{number}", f"B{number}")(table.session)
        deeds.start(f"C{number}", f"D{number}")(table.session)
    known = {one.name: one.id for one in table.session.scalars(select(Player))}
    table.session.commit()
    return [{letter: known[f"{letter}{number}"] for letter in "ABCD"} for number in range(TIMES)]


@pytest.mark.parametrize("together", TOGETHER.values(), ids=TOGETHER)
def test_what_is_done_to_people_at_once_is_done_one_after_the_other(
    app: Flask,
    table: KeptTable,
    people: list[dict[str, int]],
    session: Session,
    together: Together,
):
    deeds = Deeds(table.group)
    session.rollback()
    for number, one in enumerate(people):
        at_once(app, *map(may_be_refused, together(deeds, one, table.id, number)))
    assert_each_game_is_of_those_who_are_there(session)


def test_a_game_that_ends_while_a_player_is_merged_counts_for_the_other_entry(
    app: Flask, table: KeptTable, session: Session
):
    deeds, endings = Deeds(table.group), []
    for number in range(TIMES):
        key = deeds.start(f"A{number}", f"B{number}")(session)
        deeds.start(f"C{number}", f"D{number}")(session)
        game = session.scalars(select(StoredGame.id).where(StoredGame.key == key)).one()
        ending = KeptTable(session, game, table.group)
        first = f"A{number}"
        while ending.contract_of(first) != 10:
            ending.close(ending.now.game.open_number, first)
        known = {player.name: player.id for player in session.scalars(select(Player))}
        endings.append((ending.now.game.open_number, ending.filled(first), game, number, known))
    session.commit()
    for last, filled, game, number, known in endings:

        def close(session: Session, last=last, filled=filled, game=game) -> None:
            end_round(session, somebody(), game, filled, Confirmation())

        at_once(app, close, deeds.merge(known[f"A{number}"], known[f"C{number}"]))
    assert_each_game_is_of_those_who_are_there(session)


def assert_each_game_is_of_those_who_are_there(session: Session) -> None:
    """Nobody's games are an entry's that was merged, nobody sits twice, and the sums are right."""
    into, player = aliased(Player), aliased(Player)
    merged_on = select(player.name).join(into, into.id == player.merged_into_id)
    assert not session.scalars(merged_on.where(into.merged_into_id.is_not(None))).all()
    seated = select(player.name).join(StoredSeat, StoredSeat.player_id == player.id)
    assert not session.scalars(seated.where(player.merged_into_id.is_not(None))).all()
    seats = select(StoredSeat.game_id).group_by(StoredSeat.game_id, StoredSeat.player_id)
    assert not session.scalars(seats.having(func.count() > 1)).all()
    assert rebuild_facts(session), "the sums are those that are made anew"
