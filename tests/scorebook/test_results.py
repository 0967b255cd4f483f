"""What a game came to, and what sums over many games say."""

from app.rules.contracts import Contract
from app.scorebook.statistics import (
    ContractStats,
    ContractSums,
    PlayerSums,
    hardest,
    kind_of,
    percent,
    result_of,
    sums_by,
)
from tests.builders import a_game


def test_a_running_game_came_to_nothing_yet() -> None:
    assert result_of(a_game("frustration", "Anna Ben").round(out="Anna").game) is None


def test_ties_for_first_are_wins_for_each() -> None:
    table = a_game("frustration", "Anna Ben Cleo", max_deals=1).round(out="Anna", met="Ben")
    won = [one.won for one in result_of(table.game).players]
    assert won == [True, True, False]


def test_the_margin_is_in_points_where_points_decide_and_else_in_contracts() -> None:
    scored = a_game("aggravation-rummy", "Anna Ben", last_contract=1)
    scored = scored.round(out="Anna", penalties={"Ben": 30})
    result = result_of(scored.game)
    assert (result.places_by_score, result.margin) == (True, 30 + 25 + 200)
    raced = a_game("frustration", "Anna Ben", last_contract=2).rounds(2, out="Anna")
    assert (result_of(raced.game).places_by_score, result_of(raced.game).margin) == (False, 2)


def test_a_comeback_is_how_far_the_winner_had_been_behind() -> None:
    table = a_game("frustration", "Anna Ben", last_contract=3)
    table = table.rounds(2, out="Ben").rounds(3, out="Anna")
    assert result_of(table.game).comeback == 2


def test_the_rounds_on_each_contract_are_counted_up_to_its_completion() -> None:
    table = a_game("frustration", "Anna Ben", last_contract=2)
    game = table.rounds(2, out="Ben", met="").game
    anna = result_of(game).players[0]
    assert [(one.contract, one.rounds, one.was_completed) for one in anna.contract_attempts] == [
        (1, 2, False)
    ]


def test_a_contract_is_of_sets_of_runs_or_mixed() -> None:
    kinds = [kind_of(Contract.read(1, text)) for text in ("s3 s3", "r4", "s5 s2", "r4 s3")]
    assert kinds == ["sets", "runs", "sets", "mixed"]


def test_there_is_no_rate_where_nothing_was_played() -> None:
    nothing = PlayerSums()
    rates = (nothing.win_rate, nothing.average_place, nothing.went_out_rate)
    assert (*rates, nothing.average_penalty) == (None,) * 4


def test_the_hardest_contract_takes_the_most_rounds_and_one_never_completed_is_harder() -> None:
    easy = ContractStats(1, "sets", ContractSums(4, 8, 4))
    hard = ContractStats(2, "runs", ContractSums(4, 30, 3))
    never = ContractStats(3, "runs", ContractSums(2, 2, 0))
    assert hardest([easy, hard]) is hard
    assert hardest([easy, hard, never]) is never
    assert hardest([]) is hardest([easy]) is None
    once = ContractStats(5, "runs", ContractSums(1, 9, 0))
    assert hardest([easy, once]) is None
    assert hardest([easy, once, hard]) is hard
    as_easy = ContractStats(4, "runs", ContractSums(4, 16, 8))
    assert hardest([easy, as_easy]) is None
    assert hardest([easy, as_easy, hard]) is hard
    assert sums_by((one.kind, one.sums) for one in (easy, hard, never))["runs"] == ContractSums(
        6, 32, 3
    )


def test_a_share_is_rounded_to_percent_as_people_do() -> None:
    for whole in range(1, 400):
        for part in range(whole + 1):
            assert percent(part / whole) == (200 * part + whole) // (2 * whole), (part, whole)
