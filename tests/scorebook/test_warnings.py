"""What only looks wrong, and may stand if the table says so."""

from dataclasses import replace
from random import Random

import pytest

from app.exchange.files import read_rule_sets
from app.exchange.games import game_from_document
from app.rules.rule_sets import rule_set_by_id, shipped_rule_sets, with_house_rules
from app.rules.variant import NO_LIMIT, Variant
from app.scorebook.events.attendance import events_to_leave
from app.scorebook.game import Entry, Round
from app.scorebook.points import HandCosts, fill_in_points
from app.scorebook.warnings import (
    ASK_WHETHER_LAID_DOWN,
    DOUBT_POINTS,
    FEW_LEFT,
    find_warnings,
    player_count_warning,
)
from tests.builders import TableGame, a_game
from tests.simulation import simulate_group

THREE = "Anna Ben Cleo"
ALL_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK")


def costing(**points):
    """Frustration with four jokers and a penalty table of its own; ranks not named cost 0."""
    table = dict.fromkeys(ALL_RANKS, 0) | {name.strip("_"): cost for name, cost in points.items()}
    return with_house_rules(rule_set_by_id("frustration"), {"jokers": 4, "penalties": table})


def test_a_usual_round_looks_right() -> None:
    game = a_game("aggravation-rummy", THREE)
    assert codes(game, out="Anna", met="Ben", penalties={"Ben": 5, "Cleo": 85}) == []


# A penalty that no hand makes


@pytest.mark.parametrize(("penalty", "nearest"), [(7, (5, 10)), (3, (5,)), (0, (5,))])
def test_a_penalty_that_no_hand_makes_looks_wrong_and_the_nearest_sums_are_offered(
    penalty: int, nearest: tuple[int, ...]
) -> None:
    game = a_game("aggravation-rummy", THREE)
    entered = game.entered(out="Anna", met="Ben Cleo", penalties={"Ben": penalty, "Cleo": 5})
    (oddity,) = game.find_warnings(entered)
    assert (oddity.code, oddity.seat, oddity.nearest) == ("odd_penalty", 20, nearest)


def test_swapped_digits_that_make_a_possible_sum_are_offered_first() -> None:
    game = a_game("aggravation-rummy", THREE)
    (oddity,) = game.find_warnings(
        game.entered(out="Anna", met="Ben Cleo", penalties={"Ben": 53, "Cleo": 5})
    )
    assert oddity.nearest == (35, 55)
    assert str(oddity.message) == "No hand adds up to 53. Did Ben have 35 or 55?"


@pytest.mark.parametrize("variant", sorted(shipped_rule_sets()))
@pytest.mark.parametrize("met", ["", "Ben"])
def test_what_a_doubt_offers_raises_no_doubt(variant: str, met: str) -> None:
    game = a_game(variant, THREE)
    for penalty in range(300):
        entered = game.entered(out="Anna", met=met, penalties={"Ben": penalty, "Cleo": 100})
        doubts = [one for one in game.find_warnings(entered) if one.code not in FEW_LEFT]
        for offered in {mend for one in doubts for mend in one.nearest}:
            mended = game.entered(out="Anna", met=met, penalties={"Ben": offered, "Cleo": 100})
            asked = [one.code for one in game.find_warnings(mended) if one.seat == 20]
            assert not {*asked} & DOUBT_POINTS, (penalty, offered)


def test_the_offer_names_the_player_and_the_sums() -> None:
    game = a_game("aggravation-rummy", THREE)
    entered = game.entered(out="Anna", met="Ben Cleo", penalties={"Ben": 7, "Cleo": 3})
    (seven, three) = game.find_warnings(entered)
    assert str(seven.message) == "No hand adds up to 7. Did Ben have 5 or 10?"
    assert str(three.message) == "No hand adds up to 3. Did Cleo have 5?"


def test_a_penalty_that_is_refused_anyway_is_not_called_odd() -> None:
    game = a_game("aggravation-rummy", THREE)
    entered = game.entered(out="Anna", penalties={"Ben": -3, "Cleo": 9999})
    assert game.find_warnings(entered) == ()


def test_the_penalty_of_who_pays_nothing_is_not_looked_at() -> None:
    game = a_game("aggravation-rummy", THREE)
    assert game.find_warnings(game.entered(out="Anna", penalties={"Anna": 7, "Ben": 65})) == ()


def test_a_penalty_is_not_looked_at_where_no_score_is_kept() -> None:
    game = a_game("frustration", THREE)
    assert game.find_warnings(game.entered(out="Anna", penalties={"Ben": 7})) == ()


# What a hand can cost


def test_a_hand_costs_no_more_than_the_copies_that_the_decks_hold() -> None:
    rules = costing(JK=7)
    assert HandCosts(rules, 2).most == 28
    assert HandCosts(rules, 2).can_be(28)
    assert not HandCosts(rules, 2).can_be(35)
    assert HandCosts(rules, 3).can_be(35)


def test_a_hand_may_mix_cards_of_different_points() -> None:
    rules = costing(JK=7, A=100)
    assert HandCosts(rules, 2).can_be(3 * 100 + 2 * 7)
    assert not HandCosts(rules, 2).can_be(100 + 5 * 7)


def test_a_card_that_costs_nothing_makes_a_hand_of_0() -> None:
    assert HandCosts(costing(JK=7), 2).can_be(0)
    assert not HandCosts(rule_set_by_id("aggravation-rummy"), 2).can_be(0)


def test_the_cheapest_and_the_dearest_of_so_many_cards_are_as_many_as_the_decks_hold() -> None:
    costs = HandCosts(costing(JK=7, A=100, _2=1), 2)
    assert [costs.cheapest(number) for number in (0, 88, 89, 96, 97, 101)] == [0, 0, 1, 8, 15, 136]
    assert [costs.dearest(number) for number in (0, 8, 9, 13, 101)] == [0, 800, 807, 829, 836]


def test_a_joker_that_is_not_in_the_decks_makes_no_hand() -> None:
    table = dict.fromkeys(ALL_RANKS, 5) | {"JK": 0}
    rules = with_house_rules(rule_set_by_id("frustration"), {"jokers": 0, "penalties": table})
    assert not HandCosts(rules, 2).can_be(0)


def test_no_hand_costs_less_than_0() -> None:
    assert not HandCosts(rule_set_by_id("aggravation-rummy"), 2).can_be(-5)


def test_the_nearest_sum_may_lie_only_below() -> None:
    assert HandCosts(costing(JK=7), 2).nearest(30) == (28,)


def test_the_nearest_sums_of_a_wide_gap_are_found() -> None:
    assert HandCosts(costing(JK=7, A=100), 2).nearest(60) == (28, 100)


# Nobody went out


def test_a_round_in_which_nobody_went_out_looks_wrong() -> None:
    game = a_game("frustration", THREE)
    (oddity,) = game.find_warnings(game.entered(met="Anna"))
    assert (oddity.code, oddity.seat, oddity.nearest) == ("nobody_out", None, ())
    assert str(oddity.message) == "No one went out in this round. Is that right?"


def test_nobody_need_go_out_in_the_round_that_the_last_contract_ends() -> None:
    game = a_game("frustration", THREE, last_contract=1)
    assert game.find_warnings(game.entered(met="Anna")) == ()


def test_somebody_goes_out_in_the_last_round_where_winning_takes_it() -> None:
    game = a_game("frustration-rummy-board", THREE, last_contract=1)
    assert [oddity.code for oddity in game.find_warnings(game.entered(met="Anna"))] == [
        "nobody_out"
    ]


def test_what_looks_wrong_does_not_depend_on_the_rounds_after_it() -> None:
    game = a_game("frustration", THREE, last_contract=2).rounds(2, out="Anna")
    assert len(game.find_warnings(game.entered(met="Anna", number=1))) == 1
    assert game.find_warnings(game.entered(met="Anna", number=2)) == ()


# The number of players


@pytest.mark.parametrize("count", [2, 5, 6, 8])
def test_a_number_of_players_that_the_rule_set_names_looks_right(count: int) -> None:
    assert player_count_warning(rule_set_by_id("frustration"), count) is None


@pytest.mark.parametrize(("count", "code"), [(2, "few_players"), (8, "many_players")])
def test_fewer_or_more_players_than_the_rule_set_names_look_wrong(count: int, code: str) -> None:
    oddity = player_count_warning(rule_set_by_id("aggravation-rummy"), count)
    assert oddity is not None
    assert oddity.code == code
    assert str(oddity.message) == (f"Aggravation Rummy is for 3 to 7 players, and you are {count}.")


def test_a_rule_set_for_one_number_of_players_names_just_that() -> None:
    rules = replace(rule_set_by_id("aggravation-rummy"), players_min=4, players_max=4)
    assert str(player_count_warning(rules, 5).message) == (
        "Aggravation Rummy is for 4 players, and you are 5."
    )


# What the texts rule out


def codes(game, **taps):
    return [oddity.code for oddity in game.find_warnings(game.entered(**taps))]


def on_contract(variant_id: str, number: int, names: str = THREE, **house_rules):
    """A game in which everybody tries that contract next; in each round the first goes out."""
    first, *others = names.split()
    game = a_game(variant_id, names, **house_rules)
    for _ in range(number - 1):
        game = game.round(out=first, met=" ".join(others), penalties=dict.fromkeys(others, 10))
    return game


@pytest.mark.parametrize("number", [10, 11])
def test_in_garbage_rummy_a_contract_of_a_whole_hand_is_laid_by_going_out(number: int) -> None:
    """Of eleven cards ten are laid and one discarded, or all eleven are laid."""
    game = on_contract("garbage-rummy", 10)
    if number == 11:
        game = game.round(out="Anna", penalties={"Ben": 50, "Cleo": 50})
        game = game.round(out="Ben", penalties={"Anna": 50, "Cleo": 50})
    entered = game.entered(out="Cleo", met="Anna", penalties={"Anna": 5, "Ben": 50})
    (oddity,) = game.find_warnings(entered)
    assert (oddity.code, oddity.seat) == ("still_holding", 10)
    assert str(oddity.message) == (
        f"Contract {number} takes every card, so Anna must have gone out. Did someone else?"
    )
    assert oddity.rule_source is not None


def test_who_laid_a_contract_of_a_whole_hand_may_hold_cards_where_the_table_deals_more() -> None:
    game = on_contract("garbage-rummy", 10, deal=12)
    assert codes(game, out="Cleo", met="Anna", penalties={"Anna": 5, "Ben": 60}) == []


def test_a_bought_pile_leaves_cards_beside_any_contract() -> None:
    game = on_contract("aggravation-rummy-family", 6)
    assert codes(game, out="Cleo", met="Anna", penalties={"Anna": 5, "Ben": 60}) == []


@pytest.mark.parametrize(
    "variant_id",
    [
        "aggravation-rummy",
        "frustration",
        "frustration-rummy",
        "twelve-step-rummy",
        "frustration-nineteen",
    ],
)
def test_where_the_last_contract_ends_the_game_at_once_nobody_goes_out_after_it(
    variant_id: str,
) -> None:
    game = on_contract(variant_id, 1, last_contract=2).round(
        out="Anna", penalties={"Ben": 10, "Cleo": 10}
    )
    entered = game.entered(out="Ben", met="Anna", penalties={"Anna": 10, "Cleo": 100})
    (oddity,) = game.find_warnings(entered)
    assert (oddity.code, oddity.seat) == ("out_after_end", 10)
    assert str(oddity.message) == (
        "Anna laid down contract 2, and that ends the game at once. "
        "Did Ben go out in the same round?"
    )
    assert oddity.rule_source is not None


def test_who_lays_the_last_contract_may_go_out_with_it() -> None:
    game = on_contract("aggravation-rummy", 7)
    assert codes(game, out="Anna", penalties={"Ben": 55, "Cleo": 55}) == []


@pytest.mark.parametrize(
    "variant_id",
    ["aggravation-rummy-family", "frustration-rummy-board", "frustration-rummy-bilingual"],
)
def test_where_play_ends_by_going_out_another_may_have_laid_the_last_contract(
    variant_id: str,
) -> None:
    game = on_contract(variant_id, 1, last_contract=2).round(
        out="Anna", penalties={"Ben": 10, "Cleo": 10}
    )
    assert codes(game, out="Ben", met="Anna", penalties={"Anna": 10, "Cleo": 100}) == []


def test_a_penalty_that_takes_more_cards_than_a_hand_has_looks_wrong() -> None:
    game = a_game("garbage-rummy", THREE)
    entered = game.entered(out="Anna", met="Ben", penalties={"Ben": 80, "Cleo": 170})
    assert game.find_warnings(entered) == ()
    entered = game.entered(out="Anna", met="Ben", penalties={"Ben": 85, "Cleo": 175})
    of_ben, of_cleo = game.find_warnings(entered)
    assert [one.code for one in (of_ben, of_cleo)] == ["too_many_points"] * 2
    assert str(of_ben.message) == (
        "85 points for Ben, but at most 4 cards were left, and the highest of them count 80."
    )
    assert "at most 10 cards were left" in str(of_cleo.message)


def test_a_hand_has_no_most_where_the_whole_pile_is_bought() -> None:
    game = a_game("aggravation-rummy", THREE)
    assert codes(game, out="Anna", met="Ben", penalties={"Ben": 400, "Cleo": 55}) == []


CHEAP = [
    one
    for one in shipped_rule_sets().values()
    if one.keeps_score and one.contracts and HandCosts(one, 2).dearest(2 * one.deal) < 500
]


@pytest.mark.parametrize("rules", CHEAP, ids=lambda rules: rules.id)
@pytest.mark.parametrize("met", ["Ben", "Ben Cleo"])
def test_five_hundred_points_in_a_hand_of_cheap_cards_look_wrong(rules: Variant, met: str) -> None:
    """Also where buying sets a hand no limit; as many as twice the deal can count do not."""
    many = HandCosts(rules, 2).dearest(2 * rules.deal)
    game = a_game(rules.id, THREE)
    found = game.find_warnings(game.entered(out="Anna", met=met, penalties={"Ben": 5, "Cleo": 500}))
    assert {one.code for one in found if one.seat == 30} & {"too_many_points", "very_many_points"}
    if rules.max_hand_size == NO_LIMIT:
        assert "very_many_points" not in codes(
            game, out="Anna", met=met, penalties={"Ben": 5, "Cleo": many}
        )


@pytest.mark.parametrize("variant_id", ["aggravation-rummy", "aggravation-rummy-family"])
def test_the_pile_is_bought_only_to_lay_down_so_nobody_else_holds_more_than_was_dealt(
    variant_id: str,
) -> None:
    """The pile's top card must be played at once, and before the contract nothing can be."""
    game = a_game(variant_id, THREE)
    deal = game.game.variant.deal
    dearest = HandCosts(game.game.variant, 2).dearest(deal)
    assert codes(game, out="Anna", penalties={"Ben": dearest, "Cleo": 60}) == []
    beyond = game.entered(out="Anna", penalties={"Ben": dearest + 10, "Cleo": 60})
    (oddity,) = game.find_warnings(beyond)
    assert (oddity.code, oddity.seat) == ("too_many_points", 20)
    assert f"at most {deal} cards were left" in str(oddity.message)


@pytest.mark.parametrize(
    "variant_id", sorted(one.id for one in shipped_rule_sets().values() if one.contracts)
)
def test_who_did_not_lay_down_pays_for_as_many_cards_as_were_dealt(variant_id: str) -> None:
    """Each turn takes one card and gives one, by every rule set’s text; buying adds to them."""
    game = a_game(variant_id, THREE, keep_score="yes")
    variant = game.game.variant
    costs = HandCosts(variant, variant.decks_for(3))
    least = costs.cheapest(variant.deal)
    whole = {"Ben": least, "Cleo": least}
    assert codes(game, out="Anna", penalties=whole) == []
    less = costs.nearest(least)[0]
    few = game.entered(out="Anna", penalties=whole | {"Ben": less})
    (oddity,) = game.find_warnings(few)
    assert (oddity.code, oddity.seat) == ("too_few_points", 20)
    assert str(oddity.message) == (
        f"All {variant.deal} cards count at least {least}, not {less}. Did Ben lay down?"
    )
    assert oddity.rule_source is not None
    nobody_out = replace(game.entered(penalties=whole | {"Ben": 0, "Anna": least}), nobody_out=True)
    assert [one.code for one in game.find_warnings(nobody_out)] == ["impossible_points"]


@pytest.mark.parametrize(
    "variant_id", sorted(one.id for one in shipped_rule_sets().values() if one.contracts)
)
def test_whether_somebody_laid_down_is_asked_just_where_a_yes_leaves_no_doubt_of_their_points(
    variant_id: str,
) -> None:
    table = a_game(variant_id, THREE, keep_score="yes")
    variant, few = table.game.variant, HandCosts(table.game.variant, 2).cheapest(3)
    for number in range(1, variant.last_contract + 1):
        high = {"Ben": 150, "Cleo": 150}
        entered = table.entered(out="Anna", met="Cleo", penalties=high)
        for ben in (
            *(replace(entered.entry_of(20), penalty=few + more) for more in range(30)),
            *(_counted(variant, entered.entry_of(20), cards) for cards in range(1, variant.deal)),
        ):
            asked = _doubts_of_points(table, entered.with_entry(ben))
            laid = _doubts_of_points(table, entered.with_entry(replace(ben, met=True)))
            assert (asked <= ASK_WHETHER_LAID_DOWN) or (asked <= FEW_LEFT - ASK_WHETHER_LAID_DOWN)
            assert bool(asked & ASK_WHETHER_LAID_DOWN) is bool(asked and not laid), (number, ben)
        met = "Ben Cleo" if variant.contract(number).size < variant.deal else "Cleo"
        table = table.round(out="Anna", met=met, penalties=high)


def _counted(variant: Variant, entry: Entry, cards: int) -> Entry:
    counted = (cards, *(0,) * (len(variant.penalties.classes) - 1))
    return fill_in_points(variant, replace(entry, counted=counted))[0]


def _doubts_of_points(table: TableGame, played: Round) -> set[str]:
    found = (one.code for one in table.find_warnings(played) if one.seat == 20)
    return {*found} & {*DOUBT_POINTS, "still_holding"}


def test_few_points_are_asked_about_only_where_all_cards_are_still_held() -> None:
    game = a_game("aggravation-rummy", THREE)
    few = {"Ben": 5, "Cleo": 100}
    assert codes(game, out="Anna", met="Ben", penalties=few) == []
    assert codes(game, out="Ben", penalties=few | {"Anna": 55}) == []
    assert codes(game, out="Anna", penalties={"Cleo": 100}) == []
    costless = a_game("aggravation-rummy", THREE, penalties=dict.fromkeys(ALL_RANKS, 0) | {"A": 5})
    assert codes(costless, out="Anna", penalties={"Ben": 0, "Cleo": 5}) == []
    assert codes(a_game("frustration", THREE), out="Anna", penalties=few) == []
    assert codes(a_game("points-only", THREE), penalties=few | {"Anna": 0}) == []


def test_an_edited_round_is_asked_about_few_points_by_its_own_players() -> None:
    game = a_game("aggravation-rummy", THREE).round(out="Anna", penalties={"Ben": 60, "Cleo": 60})
    later = game.round(out="Ben", penalties={"Anna": 60, "Cleo": 60}).joins("Dora").leaves("Cleo")
    entered = later.entered(out="Anna", penalties={"Ben": 60, "Cleo": 40}, number=1)
    assert [(one.code, one.seat) for one in later.find_warnings(entered)] == [
        ("too_few_points", 30)
    ]


def counting(game: TableGame, name: str, *cards: int, met: str = "") -> list[str]:
    played = game.entered(out="Anna", met=met, penalties={"Ben": 75, "Cleo": 100})
    entry = replace(played.entry_of(game.seat_by_name[name]), counted=cards)
    entry, _fault = fill_in_points(game.game.variant, entry)
    return [one.code for one in game.find_warnings(played.with_entry(entry))]


def test_who_did_not_lay_down_holds_as_many_cards_as_were_dealt() -> None:
    game = a_game("garbage-rummy", THREE)
    assert counting(game, "Ben", 8, 2, 0, 0) == []
    assert counting(game, "Ben", 3, 0, 0, 0) == ["too_few_cards"]  # and not of its points, too
    assert counting(game, "Ben", 9, 2, 0, 0) == ["too_many_cards"]


def test_who_laid_down_holds_at_most_what_the_contract_left() -> None:
    game = a_game("garbage-rummy", THREE)
    left = game.game.variant.deal - game.game.variant.contract(1).size
    assert counting(game, "Ben", left, 0, 0, 0, met="Ben") == []
    assert counting(game, "Ben", left + 1, 0, 0, 0, met="Ben") == ["too_many_cards"]


def test_rounds_as_they_are_usually_played_raise_no_doubt() -> None:
    """In simulated games of all rule sets; where nobody laid a contract, nobody went out."""
    group = simulate_group("Test", 60, 5, 25, Random(16))
    rules, seen = read_rule_sets(group), 0
    for record in group.games:
        game = game_from_document(record, rules[record.rules])
        for played in game.rounds:
            found = {one.code for one in find_warnings(game, played)}
            assert found <= ({"nobody_out"} if not any(r.met for r in played.entries) else set())
            seen += 1
    assert seen > 300


def test_who_left_in_the_open_round_is_entered_as_going_out_only_after_a_question() -> None:
    game = a_game("frustration", THREE)
    left = game.after(events_to_leave(game.game, 20, "counted"))
    (warning,) = left.find_warnings(left.entered(out="Ben"))
    assert (warning.code, warning.seat) == ("out_after_leaving", 20)
    assert left.find_warnings(left.entered(out="Anna")) == ()
    gone_later = game.round(out="Ben").leaves("Ben")
    assert gone_later.find_warnings(gone_later.entered(out="Ben", number=1)) == ()
