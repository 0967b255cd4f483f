"""The solver against a slow referee that shares no code with it, on small clustered hands."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.cards import Card, read_cards
from app.rules.rule_sets import family_rule_sets, rule_set_by_id, with_house_rules
from app.rules.solver import TableMeld, can_lay, solve
from app.rules.variant import Variant
from tests.draws import drawn
from tests.referee import Referee
from tests.strategies import hands, house_rules, tables

SMALL = 9
CONTRACTS = [
    (rules.id, contract.number)
    for rules in family_rule_sets().values()
    for contract in rules.contracts
    if contract.size <= SMALL
]
LARGE = [
    (rules.id, contract.number)
    for rules in family_rule_sets().values()
    for contract in rules.contracts
    if contract.size > SMALL
]


def agree(rules: Variant, number: int, data: st.DataObject, least: int, most: int) -> None:
    hand = data.draw(hands(rules, least, most))
    table = data.draw(tables(rules)) if len(hand) <= SMALL else ()
    assert_agreed(rules, number, hand, table)


def assert_agreed(
    rules: Variant, number: int, hand: tuple[Card, ...], table: tuple[TableMeld, ...] = ()
) -> None:
    melds = [(meld.kind, meld.cards) for meld in table]
    opinion = Referee(rules, number, hand, melds).opinion()
    found = solve(rules, number, hand, table)
    assert (found.can_lay_down, found.can_go_out, found.remaining_cost) == (
        opinion.layable,
        opinion.can_go_out,
        opinion.left,
    )
    assert can_lay(rules, number, hand) == opinion.layable


@pytest.mark.parametrize(("variant_id", "number"), CONTRACTS)
@settings(max_examples=drawn(4))
@given(data=st.data())
def test_solver_and_referee_agree_on_every_contract(
    variant_id: str, number: int, data: st.DataObject
) -> None:
    rules = rule_set_by_id(variant_id)
    size = rules.contract(number).size
    agree(rules, number, data, size, min(SMALL, size + 2))


@settings(max_examples=drawn(5))
@given(asked=st.sampled_from(LARGE), data=st.data())
def test_solver_and_referee_agree_on_long_contracts(
    asked: tuple[str, int], data: st.DataObject
) -> None:
    rules = rule_set_by_id(asked[0])
    size = min(11, rules.contract(asked[1]).size)
    agree(rules, asked[1], data, size, size)


@settings(max_examples=drawn(100))
@given(asked=st.sampled_from(CONTRACTS), changes=house_rules(), data=st.data())
def test_solver_and_referee_agree_under_any_house_rules(
    asked: tuple[str, int], changes: dict[str, Any], data: st.DataObject
) -> None:
    rules = with_house_rules(rule_set_by_id(asked[0]), changes)
    size = rules.contract(asked[1]).size
    agree(rules, asked[1], data, size, max(size, 8))


@settings(max_examples=drawn(30))
@given(
    rules=st.sampled_from(sorted(family_rule_sets().values(), key=lambda one: one.id)),
    parts=st.lists(st.sampled_from(["s2", "s3", "s4", "r2", "r3", "r4"]), min_size=2, max_size=4),
    changes=house_rules(),
    data=st.data(),
)
def test_solver_and_referee_agree_whether_any_contract_can_be_laid(
    rules: Variant, parts: list[str], changes: dict[str, Any], data: st.DataObject
) -> None:
    while sum(int(part[1]) for part in parts) > SMALL:
        parts = parts[1:]
    played = with_house_rules(rules, {**changes, "contracts": [" ".join(parts)]})
    assert_layable(played, data.draw(hands(played, played.contract(1).size, SMALL)))


def assert_layable(rules: Variant, hand: tuple[Card, ...]) -> None:
    referee = Referee(rules, 1, hand)
    layable = any(referee.leaves_a_discard(mask) for mask, _ in referee.contract_masks())
    assert can_lay(rules, 1, hand) == layable


def test_two_runs_share_the_cards_that_both_could_lie_with() -> None:
    """The shorter needs the 10, which the longer could take as well and can do without."""
    rules = with_house_rules(rule_set_by_id("frustration-nineteen"), {"contracts": ["r6 r4"]})
    hand = read_cards("2C 2H 2C 7C KC 10C KC JC 8C 9C JC")
    assert can_lay(rules, 1, hand)
    assert_layable(rules, hand)


@pytest.mark.parametrize(
    ("variant_id", "number", "hand"),
    [
        # A run that could take the 10 leaves it for the discard, since all wild cards are needed.
        ("twelve-step-rummy", 4, "JK JK JK 6S 8S 10S 7H 8H 9H"),
        ("frustration-nineteen", 2, "8C 5C 6C 5C 7C 8C 6C 7C"),
    ],
)
def test_a_card_is_kept_for_the_discard(variant_id: str, number: int, hand: str) -> None:
    assert_agreed(rule_set_by_id(variant_id), number, read_cards(hand))
