"""Contracts that nobody can lay are pointed out, and only those."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.impossible_contracts import impossible_contracts
from app.rules.rule_sets import FaultyRules, rule_set_by_id, shipped_rule_sets, with_house_rules
from tests.pack_search import can_be_made
from tests.strategies import house_rules


def said_of(which: str, *contracts: str, **rules: object) -> list[str]:
    played = with_house_rules(rule_set_by_id(which), {"contracts": list(contracts), **rules})
    return [str(reason) for reason in impossible_contracts(played).values()]


@pytest.mark.parametrize("one", shipped_rule_sets().values(), ids=lambda one: one.id)
def test_every_shipped_contract_can_be_laid(one) -> None:
    assert impossible_contracts(one) == {}


def test_a_contract_that_takes_more_cards_than_a_hand_ever_has_is_pointed_out() -> None:
    assert said_of("frustration", "s3", "s4 s4 s4") == [
        "Contract 2 takes 12 cards and one more for the discard, but a hand never has more than 12"
    ]


def test_without_the_discard_the_last_card_may_be_laid_too() -> None:
    assert said_of("frustration", "s4 s4 s4", must_discard_to_go_out=False) == []
    assert said_of("frustration", "s4 s4 r5", must_discard_to_go_out=False) == [
        "Contract 1 takes 13 cards, but a hand never has more than 12"
    ]


def test_cards_that_are_bought_make_room_for_a_larger_contract() -> None:
    assert said_of("frustration", "s5 s5 s5", discard_draw="buy_pile") == []
    bought = {"buying": "one_more_card", "most_buys": 2}
    assert said_of("frustration", "s5 s5 s5", **bought) == []
    assert said_of("frustration", "s5 s5 s6", **bought) != []
    assert said_of("frustration", "s6 s6 s6", buying="one_more_card") == []


def test_contracts_after_the_last_one_are_not_looked_at() -> None:
    assert said_of("frustration", "s3", "s9 s9", last_contract=1) == []


@pytest.mark.parametrize(
    ("contract", "rules"),
    [
        ("s9", {"decks": 1, "twos": "natural"}),
        ("s5", {"decks": 1, "twos": "natural"}),
        ("s4 r13", {"decks": 1, "twos": "natural", "run_suit": "same"}),
        ("s8 s8 r13", {"twos": "natural", "run_suit": "same"}),
        ("r14", {"run_order": "two_slot", "run_both_aces": "forbid"}),
        ("s8", {"decks": 1, "wild_limit": "fewer_than_naturals"}),
        ("s9", {"identical_cards_in_set": "forbid"}),
    ],
)
def test_a_contract_that_the_decks_cannot_make_is_pointed_out_or_refused(
    contract: str, rules: dict[str, Any]
) -> None:
    table = {"deal": 30, "players_max": 2, "must_discard_to_go_out": False, "decks": 2}
    said = said_or_refused("frustration", contract, **{**table, "players_min": 1, **rules})
    assert len(said) == 1
    assert "can’t make contract 1" in said[0] or "contract 1: no set has more" in said[0]


def said_or_refused(which: str, *contracts: str, **rules: object) -> list[str]:
    try:
        return said_of(which, *contracts, **rules)
    except FaultyRules as fault:
        return [str(fault.phrase)]


SETS = st.builds("s{}".format, st.integers(2, 6))
RUNS = st.builds("r{}".format, st.integers(3, 13))


@given(
    which=st.sampled_from(["frustration", "twelve-step-rummy", "frustration-nineteen"]),
    parts=st.lists(SETS | RUNS, min_size=1, max_size=3),
    rules=house_rules(),
    decks=st.sampled_from([1, 2]),
)
def test_what_is_pointed_out_cannot_be_laid_from_all_the_cards_there_are(
    which, parts, rules, decks
) -> None:
    """A second search, which shares no code with the solver, has the last word."""
    table = {"deal": 30, "players_min": 1, "decks": decks, "buying": "one_more_card"}
    try:
        played = with_house_rules(
            rule_set_by_id(which), {**table, **rules, "contracts": [" ".join(parts)]}
        )
    except FaultyRules:
        return
    if impossible_contracts(played):
        apart = played.touching_runs == "forbid"  # which the second search does not know
        assert apart or not can_be_made(played, played.contract(1).parts, decks)
