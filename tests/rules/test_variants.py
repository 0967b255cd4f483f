"""The nine rule sets say what their texts say, and what was decided where those are silent."""

import tomllib

import pytest

from app.rules.cards import Card
from app.rules.rule_sets import FIELDS, VARIANTS, family_rule_sets, rule_set_by_id

IDS = (
    "frustration",
    "frustration-rummy",
    "aggravation-rummy",
    "twelve-step-rummy",
    "garbage-rummy",
    "frustration-rummy-board",
    "frustration-rummy-bilingual",
    "frustration-nineteen",
    "aggravation-rummy-family",
)
FOURTEEN = (
    "s3 s3 s3 · r4 s3 · r4 s3 s3 · s4 s4 · r4 r4 · s3 s3 s3 s3 · r7 s3 · s4 s4 s4 · r4 r4 r4 · "
    "s5 s5 · r5 r5 · s4 s4 r4 · r4 r4 s4 · r9 s3"
)
SEVEN = "s3 s3 s3 · s3 r4 · s4 s4 · r4 r4 · s4 r4 · s3 s3 s3 s3 · s3 r7"
CONTRACTS = {
    "frustration": "s3 s3 · r4 s3 · r7 · s5 s3 · r4 s4 · s4 s4 · r8 · s5 s2 · r9 · s5 s5",
    "frustration-rummy": FOURTEEN,
    "frustration-rummy-board": FOURTEEN,
    "frustration-rummy-bilingual": FOURTEEN,
    "aggravation-rummy": SEVEN,
    "aggravation-rummy-family": SEVEN,
    "twelve-step-rummy": (
        "s3 s3 · s3 r4 · s4 s4 · r4 r4 · s3 s3 s3 · s4 r4 · s3 r7 · s3 s3 r4 · s5 s5 · r5 r5 · "
        "s8 · r10"
    ),
    "garbage-rummy": (
        "s3 s3 · r3 r3 · s3 r4 · s4 s4 · s3 r5 · s3 s3 s3 · r7 · s3 r6 · r4 r4 · s5 s5 · r11"
    ),
    "frustration-nineteen": (
        "s3 s3 · r3 r3 · s3 r4 · s4 s4 · s3 r5 · s3 s3 s3 · r7 · s3 r6 · r4 r4 · s5 s5 · r9 · "
        "s3 r7 · r5 r5 · s4 r3 r3 · r10 · s4 r6 · s5 r5 · s6 r4 · s7 r3"
    ),
}


def by_variant(field: str) -> dict[str, object]:
    return {one: getattr(rule_set_by_id(one), field) for one in IDS}


def those_with(field: str, value: object) -> set[str]:
    return {one for one, has in by_variant(field).items() if has == value}


# The rule sets


def test_nine_rule_sets_are_shipped() -> None:
    assert set(family_rule_sets()) == set(IDS)


def test_rule_sets_are_offered_in_the_order_of_their_names() -> None:
    names = [one.name for one in family_rule_sets().values()]
    assert names == sorted(names)
    assert len(set(names)) == len(IDS)


@pytest.mark.parametrize("which", IDS)
def test_a_summary_is_one_short_sentence(which: str) -> None:
    summary = rule_set_by_id(which).summary
    assert len(summary) < 90
    assert summary.endswith(".")
    assert summary.count(". ") == 0


@pytest.mark.parametrize("which", IDS)
def test_every_field_is_in_the_file_and_has_its_source_or_its_decision(which: str) -> None:
    file = tomllib.loads((VARIANTS / f"{which}.toml").read_text(encoding="utf-8"))
    own = [field for field in FIELDS if rule_set_by_id(which).has_field(field)]
    assert set(own) - {"last_contract"} <= set(file)
    for field in own:
        fact = rule_set_by_id(which).field_source(field)
        assert fact.source or fact.decision, field


@pytest.mark.parametrize("which", IDS)
def test_a_fact_without_a_place_in_the_text_says_why_in_more_than_a_word(which: str) -> None:
    for field, fact in rule_set_by_id(which).field_sources:
        assert fact.source or len(fact.decision.split()) >= 4, field


# The table


def test_how_many_may_play() -> None:
    players = {
        one: (rule_set_by_id(one).players_min, rule_set_by_id(one).players_max) for one in IDS
    }
    assert players == {
        "frustration": (2, 8),
        "frustration-rummy": (2, 5),
        "aggravation-rummy": (3, 7),
        "twelve-step-rummy": (2, 5),
        "garbage-rummy": (2, 8),
        "frustration-rummy-board": (2, 5),
        "frustration-rummy-bilingual": (2, 6),
        "frustration-nineteen": (2, 6),
        "aggravation-rummy-family": (3, 7),
    }


@pytest.mark.parametrize(("players", "decks"), [(2, 2), (5, 2), (6, 3), (8, 3)])
def test_frustration_takes_a_third_deck_from_six_players_on(players: int, decks: int) -> None:
    assert rule_set_by_id("frustration").decks_for(players) == decks


@pytest.mark.parametrize(("players", "decks"), [(2, 2), (4, 2), (5, 3), (6, 3)])
def test_the_bilingual_sheet_takes_a_third_deck_from_five_players_on(
    players: int, decks: int
) -> None:
    assert rule_set_by_id("frustration-rummy-bilingual").decks_for(players) == decks


@pytest.mark.parametrize("which", sorted(set(IDS) - {"frustration", "frustration-rummy-bilingual"}))
def test_the_others_always_use_two_decks(which) -> None:
    one = rule_set_by_id(which)
    numbers = range(one.players_min, one.players_max + 1)
    assert {one.decks_for(players) for players in numbers} == {2}


def test_two_decks_hold_four_jokers_except_in_frustration_which_has_none() -> None:
    assert {one: rule_set_by_id(one).joker_count(2) for one in IDS} == {
        one: 0 if one == "frustration" else 4 for one in IDS
    }


def test_the_third_deck_brings_two_jokers_where_there_are_jokers() -> None:
    assert rule_set_by_id("frustration-rummy-bilingual").joker_count(3) == 6
    assert rule_set_by_id("frustration").joker_count(3) == 0


def test_how_many_cards_are_dealt() -> None:
    assert by_variant("deal") == {
        "frustration": 11,
        "frustration-rummy": 13,
        "aggravation-rummy": 11,
        "twelve-step-rummy": 13,
        "garbage-rummy": 10,
        "frustration-rummy-board": 13,
        "frustration-rummy-bilingual": 13,
        "frustration-nineteen": 11,
        "aggravation-rummy-family": 10,
    }


@pytest.mark.parametrize("which", IDS)
def test_the_decks_hold_the_deal_of_a_full_table(which: str) -> None:
    one = rule_set_by_id(which)
    decks = one.decks_for(one.players_max)
    assert one.players_max * one.deal + 2 <= 52 * decks + one.joker_count(decks)


def test_only_in_garbage_rummy_the_first_player_has_a_card_more_and_none_is_turned_up() -> None:
    assert those_with("first_player_extra_card", True) == {"garbage-rummy"}
    assert those_with("turn_up", False) == {"garbage-rummy"}


# Contracts and melds


@pytest.mark.parametrize("which", IDS)
def test_the_contracts_are_those_of_the_text(which: str) -> None:
    assert " · ".join(map(str, rule_set_by_id(which).contracts)) == CONTRACTS[which]


@pytest.mark.parametrize("which", IDS)
def test_contracts_are_numbered_from_one_and_all_are_played(which: str) -> None:
    one = rule_set_by_id(which)
    assert [contract.number for contract in one.contracts] == [
        *range(1, len(CONTRACTS[which].split("·")) + 1)
    ]
    assert one.last_contract == len(one.contracts)
    assert one.contract(one.last_contract) == one.contracts[-1]


@pytest.mark.parametrize("number", [0, -1, 11])
def test_there_is_no_contract_beyond_the_list(number: int) -> None:
    with pytest.raises(IndexError):
        rule_set_by_id("frustration").contract(number)


def test_only_frustrations_eighth_contract_has_a_pair() -> None:
    with_a_pair = {
        (one, contract.number)
        for one in IDS
        for contract in rule_set_by_id(one).contracts
        if any(part.size == 2 for part in contract.parts)
    }
    assert with_a_pair == {("frustration", 8)}


def test_contracts_that_take_more_cards_than_are_dealt() -> None:
    too_large = {
        (one, contract.number, contract.size)
        for one in IDS
        for contract in rule_set_by_id(one).contracts
        if contract.size > rule_set_by_id(one).deal
    }
    assert too_large == {
        ("aggravation-rummy", 6, 12),
        ("aggravation-rummy-family", 6, 12),
        ("garbage-rummy", 11, 11),
    }


def test_twos_are_natural_only_in_twelve_step_and_garbage_rummy() -> None:
    natural = {"twelve-step-rummy", "garbage-rummy"}
    assert {one for one in IDS if not rule_set_by_id(one).is_wild(Card("2", "S"))} == natural
    assert all(rule_set_by_id(one).is_wild(Card("JK")) for one in IDS)
    assert not any(rule_set_by_id(one).is_wild(Card("3", "S")) for one in IDS)


def test_runs_mix_suits_only_in_frustration_and_aggravation_rummy() -> None:
    assert those_with("run_suit", "any") == {"frustration", "aggravation-rummy"}


@pytest.mark.parametrize("which", ["frustration", "aggravation-rummy"])
def test_an_ace_stands_only_above_the_king(which: str) -> None:
    assert " ".join(rule_set_by_id(which).run_ranks) == "3 4 5 6 7 8 9 10 J Q K A"


def test_in_frustration_rummy_a_low_ace_stands_right_before_the_three() -> None:
    assert " ".join(rule_set_by_id("frustration-rummy").run_ranks) == "A 3 4 5 6 7 8 9 10 J Q K A"


@pytest.mark.parametrize(
    "which", sorted(set(IDS) - {"frustration", "aggravation-rummy", "frustration-rummy"})
)
def test_elsewhere_the_two_has_its_place_between_ace_and_three(which) -> None:
    assert " ".join(rule_set_by_id(which).run_ranks) == "A 2 3 4 5 6 7 8 9 10 J Q K A"


def test_the_limit_of_wild_cards() -> None:
    assert those_with("wild_limit", "fewer_than_naturals") == {"frustration-nineteen"}
    assert those_with("wild_limit", "none") == {"garbage-rummy"}
    assert len(those_with("wild_limit", "at_most_naturals")) == 7


def test_only_in_the_two_aggravations_lay_offs_are_free_of_the_limit() -> None:
    assert those_with("wild_limit_scope", "initial_only") == {
        "aggravation-rummy",
        "aggravation-rummy-family",
    }


def test_only_twelve_step_rummy_keeps_wild_cards_apart_in_a_run() -> None:
    assert those_with("wilds_adjacent", False) == {"twelve-step-rummy"}


def test_only_the_nineteen_goals_ask_for_exact_sizes_and_repeat_the_parts_of_the_contract() -> None:
    assert those_with("contract_size", "exact") == {"frustration-nineteen"}
    assert those_with("extra_melds", "contract_parts") == {"frustration-nineteen"}


def test_the_family_lays_no_extra_melds() -> None:
    assert those_with("extra_melds", "none") == {"aggravation-rummy-family"}


def test_the_shortest_extra_run_is_four_or_three() -> None:
    assert those_with("extra_set_min", 3) == set(IDS)
    assert those_with("extra_run_min", 3) == {
        "garbage-rummy",
        "frustration-rummy-bilingual",
        "frustration-nineteen",
    }
    assert len(those_with("extra_run_min", 4)) == 6


def test_jokers_are_swapped_out_of_others_melds_in_twelve_step_and_of_own_in_garbage_rummy() -> (
    None
):
    swaps = {one: how for one, how in by_variant("wild_swap").items() if how != "none"}
    assert swaps == {"twelve-step-rummy": "others", "garbage-rummy": "own"}


@pytest.mark.parametrize("which", ["twelve-step-rummy", "garbage-rummy"])
def test_a_freed_joker_must_be_used_in_the_same_turn(which: str) -> None:
    reason = rule_set_by_id(which).file_answer("wild-swap").reason
    assert "in that turn" in reason or "in the same turn" in reason


# The turn


def test_where_no_discard_is_needed_to_go_out() -> None:
    assert those_with("must_discard_to_go_out", False) == {
        "aggravation-rummy",
        "aggravation-rummy-family",
        "garbage-rummy",
    }


def test_the_pile_is_bought_in_the_two_aggravations() -> None:
    assert those_with("discard_draw", "buy_pile") == {
        "aggravation-rummy",
        "aggravation-rummy-family",
    }


def test_knocking_belongs_to_frustration_and_what_inherits_from_it() -> None:
    assert those_with("knock", True) == {
        "frustration",
        "frustration-rummy",
        "aggravation-rummy",
        "twelve-step-rummy",
    }


# The score


def test_where_a_score_is_kept() -> None:
    scored = {"aggravation-rummy", "aggravation-rummy-family", "garbage-rummy"}
    assert those_with("keep_score", "yes") == scored
    assert those_with("keep_score", "optional") == {"frustration-rummy-bilingual"}
    assert {one for one in IDS if rule_set_by_id(one).keeps_score} == scored


@pytest.mark.parametrize(
    ("which", "classes"),
    [
        (
            "aggravation-rummy",
            {5: "3 4 5 6 7 8 9", 10: "10 J Q K", 15: "A", 25: "2 JK"},
        ),
        (
            "garbage-rummy",
            {5: "2 3 4 5 6 7 8 9", 10: "10 J Q K", 15: "A", 20: "JK"},
        ),
        (
            "frustration-rummy-bilingual",
            {5: "3 4 5 6 7 8 9", 10: "10 J Q K", 15: "A", 50: "2 JK"},
        ),
        (
            "aggravation-rummy-family",
            {5: "3 4 5 6 7 8 9 10", 10: "J Q K", 15: "A", 20: "2 JK"},
        ),
        (
            "twelve-step-rummy",
            {5: "2 3 4 5 6 7 8 9", 10: "10 J Q K", 15: "A", 50: "JK"},
        ),
    ],
)
def test_what_the_cards_left_in_a_hand_cost(which: str, classes: dict[int, str]) -> None:
    costs = dict(rule_set_by_id(which).penalties.classes)
    assert {points: " ".join(ranks) for points, ranks in costs.items()} == classes


@pytest.mark.parametrize(
    "which", ["frustration", "frustration-rummy", "frustration-rummy-board", "frustration-nineteen"]
)
def test_a_text_without_penalties_lends_those_of_the_bilingual_sheet_and_says_so(
    which: str,
) -> None:
    one = rule_set_by_id(which)
    assert one.penalties == rule_set_by_id("frustration-rummy-bilingual").penalties
    assert "bilingual" in one.field_source("penalties").decision


def test_bonuses_lower_the_score() -> None:
    def bonuses(which: str) -> tuple[int, int, int]:
        one = rule_set_by_id(which)
        return one.go_out_bonus, one.completion_bonus, one.exact_deal_bonus

    assert {one: bonuses(one) for one in IDS if any(bonuses(one))} == {
        "aggravation-rummy": (-25, -200, 0),
        "garbage-rummy": (0, -100, -50),
    }


# The end


def test_who_wins() -> None:
    assert by_variant("win") == {
        "frustration": "first_to_complete",
        "frustration-rummy": "first_to_complete",
        "aggravation-rummy": "lowest_score",
        "twelve-step-rummy": "first_to_complete",
        "garbage-rummy": "lowest_score",
        "frustration-rummy-board": "first_out_on_last",
        "frustration-rummy-bilingual": "first_out_on_last",
        "frustration-nineteen": "first_to_complete",
        "aggravation-rummy-family": "lowest_score",
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("jokers_per_extra_deck", 2),
        ("run_both_aces", "allow"),
        ("two_natural_in_own_slot", False),
        ("pair_with_wild", "allow"),
        ("identical_cards_in_set", "allow"),
        ("two_sets_same_rank", "allow"),
        ("touching_runs", "allow"),
        ("extras_same_turn", True),
        ("layoff_on_others", True),
        ("layoff_check", "end_state"),
        ("swap_in_sets", "any_suit"),
        ("swap_wild_twos", False),
        ("stock_exhausted", "reshuffle"),
        ("finisher_pays", False),
        ("max_deals", 0),
        ("progress", "individual"),
    ],
)
def test_what_is_the_same_in_all_nine(field: str, value: bool | int | str) -> None:
    assert those_with(field, value) == set(IDS)


def test_who_played_first_deals_next_where_the_text_says_it_so() -> None:
    boards = {"frustration-rummy-board", "frustration-rummy-bilingual"}
    assert those_with("dealer_rotation", "first_player") == boards
    assert those_with("dealer_rotation", "left") == set(IDS) - boards


# What was decided where the texts are silent or contradict themselves


@pytest.mark.parametrize(
    ("which", "field", "value", "says"),
    [
        ("frustration-rummy", "run_both_aces", "allow", "two different aces"),
        ("frustration", "contract_size", "exact_core", "stands inside"),
        ("frustration-nineteen", "layoff_check", "end_state", ""),
        ("aggravation-rummy", "wild_limit_scope", "initial_only", "any initial meld"),
        ("frustration", "two_sets_same_rank", "allow", "Nothing forbids it"),
        ("frustration", "touching_runs", "allow", "Nothing forbids it"),
        ("frustration", "identical_cards_in_set", "allow", "rank"),
        ("garbage-rummy", "wild_limit", "none", "of wild cards alone"),
        ("frustration-rummy-board", "win", "first_out_on_last", ""),
        ("aggravation-rummy", "finisher_pays", False, "each other player"),
        ("garbage-rummy", "run_suit", "same", "doesn’t say"),
        ("frustration-rummy-bilingual", "two_natural_in_own_slot", False, "disagree"),
        ("frustration-rummy-bilingual", "extra_run_min", 3, "says 4"),
        ("twelve-step-rummy", "run_order", "two_slot", "need their place"),
        ("aggravation-rummy-family", "stock_exhausted", "reshuffle", "discards but the top"),
        ("frustration", "jokers_per_extra_deck", 2, "two more Jokers"),
        ("aggravation-rummy-family", "max_deals", 0, "15 deals"),
    ],
)
def test_a_decision_stands_in_its_field_with_its_reason(
    which: str, field: str, value: bool | int | str, says: str
) -> None:
    assert getattr(rule_set_by_id(which), field) == value
    assert says in rule_set_by_id(which).field_source(field).decision


@pytest.mark.parametrize("which", ["aggravation-rummy", "aggravation-rummy-family"])
def test_the_contract_of_twelve_cards_says_how_it_can_be_laid(which: str) -> None:
    assert "12 cards" in rule_set_by_id(which).file_answer("large-contracts").decision
