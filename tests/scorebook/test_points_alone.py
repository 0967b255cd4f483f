"""A game whose rule set has no contracts: who wins, when it ends, which points are asked about."""

from dataclasses import replace

import pytest

from app.rules.rule_sets import FaultyRules, rule_set_by_id, with_house_rules
from app.scorebook.dealing import plan_deal
from app.scorebook.events.attendance import events_to_join
from app.scorebook.events.dealing import events_to_choose_dealer
from app.scorebook.events.entries import ClearWhoWentOut, SetEntry
from app.scorebook.events.games import GameStarted
from app.scorebook.game import Seat
from app.scorebook.refusals import Refused
from app.scorebook.statistics import result_of
from app.scorebook.warnings import start_warnings
from tests.builders import TableGame, a_game


def points_alone(names: str = "Anna Ben Cleo", **house_rules: object) -> TableGame:
    return a_game("points-only", names, "", **house_rules)


def rounds_of(table: TableGame, *rounds: tuple[int, int, int]) -> TableGame:
    for points in rounds:
        table = table.round(penalties=dict(zip(("Anna", "Ben", "Cleo"), points, strict=True)))
    return table


@pytest.mark.parametrize(
    ("win", "places", "margin", "comeback"),
    [("lowest_score", [2, 3, 1], 2, 20), ("highest_score", [2, 1, 3], 10, 20)],
)
def test_the_lowest_score_wins_or_the_highest(
    win: str, places: list[int], margin: int, comeback: int
) -> None:
    table = rounds_of(points_alone(win=win, max_deals=2), (20, 5, 25), (0, 25, -7))
    assert [table.place_of(name) for name in ("Anna", "Ben", "Cleo")] == places
    assert table.winners == ("Cleo" if win == "lowest_score" else "Ben")
    assert table.reason == win.replace("_", " ")
    result = result_of(table.game)
    assert result
    assert (result.margin, result.comeback, result.places_by_score) == (margin, comeback, True)
    assert [(one.rounds, one.contract_rounds, one.penalty) for one in result.players] == [
        (2, 0, 0)
    ] * 3


def test_equal_scores_tie() -> None:
    table = rounds_of(points_alone(max_deals=1), (5, 5, 9))
    assert table.winners == "Anna Ben"


def test_the_game_ends_with_the_round_in_which_a_score_comes_to_the_limit() -> None:
    table = rounds_of(points_alone(win="highest_score", score_limit=50), (20, 30, 0), (29, 10, 0))
    assert not table.over
    table = rounds_of(table, (1, 15, 0))
    assert (table.over, table.winners) == (True, "Ben")


def test_without_a_limit_it_goes_on_until_the_table_stops_and_the_standings_are_the_result() -> (
    None
):
    table = rounds_of(points_alone(), *[(1, 2, 3)] * 40)
    assert not table.over
    table = replace(table, game=replace(table.game, stopped="result"))
    assert (table.winners, table.reason) == ("Anna", "lowest score")
    started = GameStarted(("Anna", "Ben"), "")
    assert str(started.words(table.game)) == "The game started: Anna and Ben"


def test_points_can_be_below_zero_unless_that_was_chosen_otherwise() -> None:
    lost = {"Anna": -5, "Ben": 5, "Cleo": 0}
    table = points_alone()
    assert table.fault_codes(table.entered(penalties=lost)) == []
    table = points_alone(below_zero=False)
    (fault,) = table.faults(table.entered(penalties=lost))
    assert fault.code == "penalty_negative"
    assert str(fault.message) == (
        "Anna’s points can’t be less than 0: -5. "
        "Whether points can be below zero is chosen when a game starts."
    )


def test_points_between_the_steps_are_asked_about_with_the_nearest() -> None:
    table = points_alone(points_step=5, below_zero=True)
    asked = table.find_warnings(table.entered(penalties={"Anna": 7, "Ben": -7, "Cleo": 10}))
    assert [one.nearest for one in asked] == [(5, 10), (-10, -5)]
    assert points_alone().find_warnings(table.entered(penalties={"Anna": 7})) == ()


def test_nobody_lays_down_or_goes_out() -> None:
    table = points_alone()
    out = table.entered(out="Anna", penalties={"Ben": 1, "Cleo": 2})
    assert table.fault_codes(out) == ["no_contracts"]
    for tap in (
        SetEntry(1, 10, {"met": True}),
        SetEntry(1, 10, {"went_out": True}),
        ClearWhoWentOut(1),
    ):
        with pytest.raises(Refused) as refused:
            tap.round_after(table.game)
        assert refused.value.faults[0].code == "no_contracts"


def test_every_player_owes_points_and_no_question_is_asked_about_cards() -> None:
    table = points_alone()
    assert table.needs_penalty(table.entered()) == "Anna Ben Cleo"
    assert table.find_warnings(table.entered(penalties={"Anna": 5000, "Ben": 0, "Cleo": 3})) == ()
    assert start_warnings(table.game.variant, 12) == ()
    assert plan_deal(table.game.variant, 3) is None


def test_a_game_has_a_dealer_or_none() -> None:
    assert rounds_of(points_alone(), *[(1, 2, 3)] * 4).dealers_so_far == "Anna Ben Cleo Anna"
    table = rounds_of(points_alone(dealer_rotation="none"), (1, 2, 3))
    assert (table.dealer, table.first_player, table.results[0].dealer) == (None, None, None)
    assert table.void().dealer is None
    with pytest.raises(Refused):
        events_to_choose_dealer(table.game, 10, once=True)


def test_who_comes_late_begins_with_a_score() -> None:
    table = rounds_of(points_alone(), (10, 20, 30)).joins("Dora", score=20)
    assert (table.score_of("Dora"), table.contract_of("Dora")) == (20, None)
    dora = Seat(40, name="Dora", player=40)
    for win in ("lowest_score", "highest_score"):
        with pytest.raises(Refused) as refused:
            events_to_join(
                rounds_of(points_alone(win=win), (10, 20, 30)).game, dora, None, None, None
            )
        assert str(refused.value.faults[0].message).endswith("the score decides who wins.")


@pytest.mark.parametrize(
    ("rule_set", "changes"),
    [
        ("points-only", {"deal": 7}),
        ("points-only", {"contracts": ["s3"]}),
        ("points-only", {"win": "first_to_complete"}),
        ("frustration", {"score_limit": 100}),
        ("frustration", {"contracts": []}),
        ("frustration", {"win": "highest_score", "keep_score": "yes"}),
        ("frustration", {"dealer_rotation": "none"}),
    ],
)
def test_a_rule_set_has_contracts_or_not_and_only_the_rules_that_belong_to_it(
    rule_set: str, changes: dict[str, object]
) -> None:
    with pytest.raises(FaultyRules) as refused:
        with_house_rules(rule_set_by_id(rule_set), changes)
    assert refused.value.field == next(iter(changes))
