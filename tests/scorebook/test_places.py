"""What a place goes by is told: which figure comes first, and why a seat stands where it does."""

from random import Random

import pytest

from app.rules.rule_sets import rule_set_by_id
from app.scorebook.events.games import events_to_stop
from app.scorebook.standings import place_in_words
from tests.builders import TableGame, a_game
from tests.rules.test_variants import IDS

THREE = "Anna Ben Cleo"
SCORED = {"keep_score": "yes"}


def words_of(game: TableGame, name: str) -> str:
    said = place_in_words(game.game, game.status, game.seat_by_name[name], game.names)
    return str(said)


def test_as_many_contracts_are_told_apart_by_the_points_where_contracts_come_first() -> None:
    game = a_game("frustration", THREE, **SCORED)
    game = game.round(out="Anna", met="Ben", penalties={"Ben": 30, "Cleo": 5})
    assert words_of(game, "Anna") == "Place 1: as many contracts as Ben, fewer points."
    assert words_of(game, "Ben") == "Place 2: as many contracts as Anna, more points."
    assert words_of(game, "Cleo") == "Place 3: fewer contracts than Ben."


def test_points_alone_tell_apart_where_the_lowest_score_wins() -> None:
    game = a_game("aggravation-rummy", THREE, go_out_bonus=0)
    game = game.round(out="Anna", penalties={"Ben": 30, "Cleo": 5})
    assert words_of(game, "Anna") == "Place 1: fewer points than Cleo."
    assert words_of(game, "Ben") == "Place 3: more points than Cleo."


def test_who_shares_a_place_is_named_and_all_who_are_level_need_no_reason() -> None:
    game = a_game("twelve-step-rummy", THREE).round(out="Anna", met="Ben")
    assert words_of(game, "Anna") == "Place 1, tied with Ben: more contracts than Cleo."
    level = game.round(out="Cleo")
    assert words_of(level, "Cleo") == "Place 1, tied with Anna and Ben."


def test_who_won_is_told_by_the_rule_and_the_next_one_by_that_win() -> None:
    game = a_game("frustration", THREE, last_contract=1, **SCORED)
    game = game.round(out="Ben", met="Anna", penalties={"Anna": 0, "Cleo": 5}, first_down="Ben")
    assert game.winners == "Ben"
    assert words_of(game, "Ben") == f"Place 1: {game.reason}."
    assert words_of(game, "Anna") == "Place 2: as many contracts as Ben, who won."


def test_a_game_that_stopped_is_told_as_it_stood() -> None:
    game = a_game("frustration", THREE, **SCORED)
    game = game.round(out="Anna", met="Ben", penalties={"Ben": 30, "Cleo": 5})
    stopped = game.after(events_to_stop(game.game, result=True))
    for name in THREE.split():
        assert words_of(stopped, name) == words_of(game, name)


def test_who_has_no_place_and_who_is_alone_are_told_nothing() -> None:
    game = a_game("frustration", "Anna Ben").round(out="Anna").leaves("Ben")
    assert (words_of(game, "Ben"), words_of(game, "Anna")) == ("None", "None")


@pytest.mark.parametrize("variant_id", IDS)
def test_of_each_rule_set_what_ranks_first_orders_the_places(variant_id: str) -> None:
    """No place contradicts the words that explain it, with points kept, in any running game."""
    optional = rule_set_by_id(variant_id).score_is_optional
    for seed in range(10):
        chance, game = Random(seed), a_game(variant_id, THREE, **(SCORED if optional else {}))
        for _ in range(chance.randint(1, 4)):
            out, met, *_rest = chance.sample(THREE.split(), 3)
            points = {name: chance.choice((5, 20, 35)) for name in THREE.split() if name != out}
            game = game.round(out=out, met=met, penalties=points)
        standings = {name: game.standing_of(name) for name in THREE.split()}
        for one, other in ((a, b) for a in standings for b in standings if a != b):
            mine, theirs = standings[one], standings[other]
            contracts = mine.contracts_completed - theirs.contracts_completed
            points_more = (mine.score or 0) - (theirs.score or 0)
            ahead = points_more < 0
            if not game.game.variant.places_by_score:
                ahead = contracts > 0 or (contracts == 0 and points_more < 0)
            assert ((mine.place or 0) < (theirs.place or 0)) == ahead
            said = words_of(game, one)
            if f"more contracts than {other}" in said:
                assert contracts > 0
            if f"fewer contracts than {other}" in said:
                assert contracts < 0
            if f"as many contracts as {other}" in said:
                assert contracts == 0
            if said.endswith(f"{other}, more points.") or f"more points than {other}" in said:
                assert points_more > 0
            if said.endswith(f"{other}, fewer points.") or f"fewer points than {other}" in said:
                assert points_more < 0
