"""Discards bought out of turn, where the rules limit or price them."""

from dataclasses import replace
from typing import Any

from app.scorebook.dealing import decks_in
from app.scorebook.game import Round
from app.scorebook.points import HandCosts
from tests.builders import TableGame, a_game

THREE = "Anna Ben Cleo"
PENALTIES = {"Ben": 10, "Cleo": 20}


def bought(game: TableGame, played: Round, **buys: int) -> Round:
    for name, count in buys.items():
        entry = played.entry_of(game.seat_by_name[name])
        played = played.with_entry(replace(entry, buys=count))
    return played


def codes(game: TableGame, played: Round) -> list[str]:
    return [one.code for one in game.find_warnings(played)]


def test_a_buy_beyond_the_limit_is_asked_about_with_its_source_and_may_stand() -> None:
    game = a_game("shanghai-rummy", THREE)
    played = game.entered(out="Anna", met="Ben Cleo", penalties=PENALTIES)
    assert codes(game, bought(game, played, Ben=3)) == []
    doubted = bought(game, played, Ben=4)
    assert codes(game, doubted) == ["too_many_buys"]
    (oddity,) = game.find_warnings(doubted)
    assert str(oddity.message) == "Ben bought 4 times, but you can buy at most 3 times a round."
    assert "buying" in str(oddity.rule_source)
    assert game.faults(doubted) == ()


def test_of_an_edited_round_it_is_asked_by_the_name_of_who_played_it() -> None:
    game = a_game("shanghai-rummy", THREE)
    played = game.entered(out="Anna", met="Ben Cleo", penalties=PENALTIES)
    game = game.round(out="Anna", met="Ben Cleo", penalties=PENALTIES).hands_over("Ben", "Emil")
    (oddity,) = game.find_warnings(bought(game, played, Ben=4))
    assert str(oddity.message).startswith("Ben bought 4 times")


def test_a_buy_costs_its_points_beside_the_cards_even_of_who_goes_out() -> None:
    game = a_game("shanghai-rummy", THREE, buy_points=15)
    played = bought(game, game.entered(out="Anna", penalties=PENALTIES), Anna=2, Cleo=1)
    game = replace(game, game=replace(game.game, rounds=(played,)))
    assert [game.score_of(name) for name in THREE.split()] == [30, 10, 35]
    assert [(row.penalty, row.points) for row in game.results[0].entries] == [
        (0, 30),
        (10, 10),
        (20, 35),
    ]


def test_buys_are_counted_where_they_are_limited_or_priced_and_nowhere_else() -> None:
    game = a_game("liverpool-rummy", THREE)
    assert not game.game.variant.counts_buys
    played = bought(game, game.entered(out="Anna", penalties=PENALTIES), Ben=1)
    assert game.fault_codes(played) == ["no_buys"]
    assert a_game("liverpool-rummy", THREE, most_buys=2).fault_codes(played) == []
    assert a_game("liverpool-rummy", THREE, buy_points=5).fault_codes(played) == []
    assert not a_game("aggravation-rummy", THREE, most_buys=3).game.variant.counts_buys
    free: dict[str, Any] = {"buying": "one_more_card", "buy_points": 5}
    assert not a_game("frustration", THREE, **free).game.variant.counts_buys


def test_a_contract_of_more_cards_than_a_hand_takes_buys_where_the_table_counts_them() -> None:
    game = a_game("shanghai-rummy", THREE)
    while game.game.variant.contract(game.game.open_number).size <= game.game.variant.deal + 1:
        game = game.round(out="Anna", penalties={"Ben": 100, "Cleo": 100})
    played = game.entered(out="Anna", penalties={"Ben": 100, "Cleo": 100})
    assert "too_few_buys" not in codes(game, played)
    assert "too_few_buys" in codes(game, bought(game, played, Ben=1))
    assert "too_few_buys" not in codes(game, bought(game, played, Anna=3, Ben=1))


def test_whoever_bought_beyond_the_limit_may_hold_more_cards() -> None:
    game = a_game("shanghai-rummy", THREE)
    # 11 dealt, 1 drawn, 6 bought; 6 laid down and 1 discarded: 11 are left.
    dearest = HandCosts(game.game.variant, decks_in(game.game, 1)).dearest(11)
    played = game.entered(out="Anna", met="Ben", penalties={"Ben": dearest + 10, "Cleo": 20})
    assert "too_many_points" in codes(game, bought(game, played, Ben=3))
    assert "too_many_points" not in codes(game, bought(game, played, Ben=4))
