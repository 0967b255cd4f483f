"""Who deals, who plays first, who plays at all, and what is dealt."""

import pytest

from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.scorebook.dealing import dealer_of, first_player_after, plan_deal, players_in
from tests.builders import a_game


def test_the_deal_passes_to_the_left_and_around_the_table() -> None:
    game = a_game("frustration", "Anna Ben Cleo").rounds(4, out="Anna")
    assert game.dealers_so_far == "Anna Ben Cleo Anna"
    assert game.dealer == "Ben"


def test_the_chosen_first_dealer_deals_first() -> None:
    game = a_game("frustration", "Anna Ben Cleo", first_dealer="Cleo")
    assert (game.dealer, game.first_player) == ("Cleo", "Anna")


def test_who_played_first_deals_next() -> None:
    game = a_game("frustration-rummy-board", "Anna Ben Cleo")
    first_player = game.first_player
    assert game.round(out="Anna").dealer == first_player == "Ben"


def test_who_played_first_deals_next_though_somebody_sits_down_between() -> None:
    game = a_game("frustration-rummy-board", "Anna Ben Cleo").round(out="Anna")
    assert game.joins("Dora", after="Anna").dealer == "Ben"
    left = a_game("frustration", "Anna Ben Cleo").round(out="Anna")
    assert left.joins("Dora", after="Anna").dealer == "Dora"


def test_who_sat_down_between_deals_in_their_turn() -> None:
    game = a_game("frustration-rummy-bilingual", "Anna Ben Cleo").round(out="Anna")
    dealt = game.joins("Dora", after="Anna").rounds(5, out="Anna")
    assert dealt.dealers_so_far == "Anna Ben Cleo Anna Dora Ben"


def test_where_who_played_first_has_left_the_next_after_their_place_deals() -> None:
    game = a_game("frustration-rummy-board", "Anna Ben Cleo").round(out="Anna")
    assert game.joins("Dora", after="Anna").leaves("Ben").dealer == "Cleo"
    assert game.leaves("Anna").dealer == "Ben"


def test_a_deal_to_the_right_passes_the_other_way_and_so_does_the_play() -> None:
    game = a_game("frustration", "Anna Ben Cleo", dealer_rotation="right")
    assert game.first_player == "Cleo"
    assert game.round(out="Anna").dealer == "Cleo"


def test_the_dealers_turn_passes_over_a_player_who_left() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").leaves("Cleo")
    assert game.dealer == "Ben"
    assert game.first_player == "Anna"
    assert game.round(out="Anna").dealer == "Anna"


def test_the_deal_goes_on_from_the_place_of_a_dealer_who_left() -> None:
    game = a_game("frustration", "Anna Ben Cleo Dora").rounds(2, out="Anna").leaves("Ben")
    assert game.dealer == "Cleo"


def test_a_late_joiner_deals_when_their_turn_comes_and_not_before() -> None:
    game = a_game("frustration", "Anna Ben").rounds(3, out="Anna").joins("Cleo")
    assert game.dealers_so_far == "Anna Ben Anna"
    assert game.rounds(3, out="Anna").dealers_so_far == "Anna Ben Anna Ben Cleo Anna"


def test_a_late_joiner_deals_at_the_place_where_they_sit() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").joins("Dora", after="Anna")
    assert game.rounds(4, out="Ben").dealers_so_far == "Anna Dora Ben Cleo Anna"


def test_a_first_dealer_who_has_not_joined_yet_is_passed_over() -> None:
    game = a_game("frustration", "Anna Ben").round(out="Anna").joins("Cleo").game
    waiting = type(game)(game.variant, game.seats, first_dealer=30)
    assert dealer_of(waiting, 1) == 10


def test_a_player_alone_deals_and_plays_first() -> None:
    game = a_game("frustration", "Anna Ben").round(out="Anna").leaves("Ben")
    assert (game.dealer, game.first_player) == ("Anna", "Anna")


def test_nobody_deals_when_everybody_has_left() -> None:
    game = a_game("frustration", "Anna Ben").round(out="Anna").leaves("Ben").leaves("Anna")
    assert (game.dealer, game.first_player) == (None, None)


def test_the_deal_goes_on_after_a_round_that_nobody_played() -> None:
    left = a_game("frustration", "Anna Ben").round(out="Anna").leaves("Ben").leaves("Anna")
    assert left.round().joins("Cleo").dealer == "Cleo"


def test_who_plays_is_told_in_seating_order() -> None:
    game = a_game("frustration", "Anna Ben Cleo").round(out="Anna").leaves("Ben").joins("Dora")
    assert [seat.id for seat in players_in(game.game, 1)] == [10, 20, 30]
    assert [seat.id for seat in players_in(game.game, 2)] == [10, 30, 40]


def test_the_first_player_of_a_past_round_can_be_told() -> None:
    game = a_game("frustration", "Anna Ben Cleo").rounds(2, out="Anna").game
    assert first_player_after(game, dealer_of(game, 2), 2) == 30


@pytest.mark.parametrize(
    ("variant_id", "players", "cards", "decks", "jokers"),
    [
        ("frustration", 5, 11, 2, 0),
        ("frustration", 6, 11, 3, 0),
        ("frustration-rummy", 4, 13, 2, 4),
        ("aggravation-rummy-family", 7, 10, 2, 4),
    ],
)
def test_the_deal_names_cards_decks_and_jokers(
    variant_id: str, players: int, cards: int, decks: int, jokers: int
) -> None:
    deal = plan_deal(rule_set_by_id(variant_id), players)
    assert (deal.cards_each, deal.decks, deal.jokers) == (cards, decks, jokers)


def test_in_garbage_rummy_the_first_player_gets_the_eleventh_card() -> None:
    deal = plan_deal(rule_set_by_id("garbage-rummy"), 4)
    assert (deal.cards_each, deal.extra) == (10, 1)


def test_a_third_deck_comes_in_when_a_sixth_player_joins_and_brings_its_jokers() -> None:
    game = a_game("frustration", "Anna Ben Cleo Dora Emil", jokers=4)
    plan = plan_deal(game.game.variant, len(players_in(game.game, 1)))
    assert (plan.decks, plan.jokers) == (2, 4)
    joined = game.round(out="Anna").joins("Finn").game
    plan = plan_deal(joined.variant, len(players_in(joined, 2)))
    assert (plan.decks, plan.jokers) == (3, 6)


def test_the_other_reading_of_the_third_decks_jokers_is_a_house_rule() -> None:
    """ "A third deck should be added (along with two more Jokers)", to a game without jokers."""
    frustration = rule_set_by_id("frustration")
    assert plan_deal(frustration, 6).jokers == 0
    two_more = with_house_rules(frustration, {"jokers": 2, "jokers_per_extra_deck": 0})
    assert (plan_deal(two_more, 6).decks, plan_deal(two_more, 6).jokers) == (3, 2)
    assert "The other reading" in frustration.file_answer("jokers-per-extra-deck").reason
