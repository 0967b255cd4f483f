"""All try contract n in deal n; and phases in which the score decides among the finishers."""

import pytest

from app.rules.rule_sets import rule_sets_in_family
from tests.builders import a_game

COMMON = [one.id for one in rule_sets_in_family("relative").values() if one.progress == "common"]


@pytest.mark.parametrize("which", COMMON)
def test_everybody_tries_the_contract_of_the_deal_whether_the_last_was_made_or_not(which) -> None:
    table = a_game(which, "Anna Ben Cleo").round(out="Anna", penalties={"Ben": 10, "Cleo": 30})
    assert [table.contract_of(name) for name in ("Anna", "Ben", "Cleo")] == [2, 2, 2]
    assert [table.completed_by(name) for name in ("Anna", "Ben", "Cleo")] == [1, 0, 0]


@pytest.mark.parametrize("which", COMMON)
def test_the_lowest_score_wins_after_the_last_deal_and_not_before(which) -> None:
    table = a_game(which, "Anna Ben")
    last = table.game.variant.last_contract
    for number in range(1, last + 1):
        assert not table.over
        who = "Anna" if number == 1 else "Ben"
        table = table.round(out=who, penalties={"Anna": 0 if number == 1 else 5, "Ben": 40})
    assert table.over
    assert len(table.results) == last
    assert (table.winners, table.score_of("Ben")) == ("Anna" if 5 * (last - 1) < 40 else "Ben", 40)
    assert table.reason == "lowest score"


def test_who_lays_the_last_contract_of_a_common_game_still_pays_for_cards_left() -> None:
    table = a_game("carioca", "Anna Ben")
    for _ in range(5):
        table = table.round(out="Anna", penalties={"Ben": 10})
    entered = table.entered(out="Anna", met="Ben")
    assert table.needs_penalty(entered) == "Ben"
    assert table.asks_first_down(entered) == ""


def phases_played():
    """Anna and Ben before the last phase, Cleo stuck; then that round."""
    table = a_game("ten-phases", "Anna Ben Cleo")
    for _ in range(8):
        table = table.round(out="Anna", met="Ben", penalties={"Ben": 15, "Cleo": 5})
    return table


def test_who_fails_a_phase_tries_it_again() -> None:
    table = phases_played()
    assert [table.contract_of(name) for name in ("Anna", "Ben", "Cleo")] == [9, 9, 1]


def test_the_lowest_score_of_those_who_finish_in_the_same_round_wins() -> None:
    table = phases_played()
    entered = table.entered(out="Ben", met="Anna", penalties={"Anna": 25, "Cleo": 5})
    assert table.asks_first_down(entered) == ""
    table = table.round(out="Ben", met="Anna", penalties={"Anna": 25, "Cleo": 5})
    assert table.over
    assert (table.winners, table.score_of("Anna"), table.score_of("Cleo")) == ("Anna", 25, 45)
    assert table.reason == "lowest score of those who completed contract 9"
    assert [table.place_of(name) for name in ("Anna", "Ben", "Cleo")] == [1, 2, 3]


def test_who_alone_finishes_the_phases_wins_whatever_the_score() -> None:
    table = phases_played().round(out="Ben", penalties={"Anna": 0, "Cleo": 5})
    assert (table.over, table.winners) == (True, "Ben")


def test_finishers_with_the_same_score_share_the_win() -> None:
    table = phases_played().round(out="Ben", met="Anna", penalties={"Anna": 120, "Cleo": 5})
    assert table.winners == "Anna Ben"


def test_the_last_phase_is_laid_without_going_out_but_its_cards_count() -> None:
    table = phases_played()
    assert table.needs_penalty(table.entered(met="Anna", out="")) == "Anna Ben Cleo"
    assert "nobody_out" in [one.code for one in table.find_warnings(table.entered(met="Anna"))]


def test_a_limit_of_rounds_ends_the_phases_for_the_one_who_is_furthest_with_the_lowest_score() -> (
    None
):
    table = a_game("ten-phases", "Anna Ben Cleo", max_deals=2)
    table = table.round(out="Anna", met="Ben", penalties={"Ben": 5, "Cleo": 20})
    table = table.round(out="Cleo", met="", penalties={"Anna": 50, "Ben": 5})
    assert table.over
    assert table.winners == "Ben"
    assert table.reason == ("most contracts completed, then the lowest score")
