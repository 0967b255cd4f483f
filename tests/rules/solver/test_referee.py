"""The solver against a slow referee that shares no code with it, on small clustered hands."""

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from app.rules.loading import variant, variants, with_house_rules
from app.rules.solver import can_lay, solve
from app.rules.variant import Variant
from tests.referee import Referee
from tests.strategies import hands, house_rules, tables

SMALL = 9
CONTRACTS = [
    (rules.id, contract.number)
    for rules in variants().values()
    for contract in rules.contracts
    if contract.size <= SMALL
]
LARGE = [
    (rules.id, contract.number)
    for rules in variants().values()
    for contract in rules.contracts
    if contract.size > SMALL
]


def agree(rules: Variant, number: int, data: st.DataObject, least: int, most: int) -> None:
    hand = data.draw(hands(rules, least, most))
    table = data.draw(tables(rules)) if len(hand) <= SMALL else ()
    melds = [(meld.kind, meld.cards) for meld in table]
    opinion = Referee(rules, number, hand, melds).opinion()
    found = solve(rules, number, hand, table)
    assert (found.layable, found.can_go_out, found.left) == (
        opinion.layable,
        opinion.can_go_out,
        opinion.left,
    )
    assert can_lay(rules, number, hand) == opinion.layable


@pytest.mark.parametrize(("variant_id", "number"), CONTRACTS)
@settings(max_examples=10, phases=(Phase.reuse, Phase.generate))
@given(data=st.data())
def test_solver_and_referee_agree_on_every_contract(
    variant_id: str, number: int, data: st.DataObject
) -> None:
    rules = variant(variant_id)
    size = rules.contract(number).size
    agree(rules, number, data, size, min(SMALL, size + 2))


@settings(max_examples=12)
@given(asked=st.sampled_from(LARGE), data=st.data())
def test_solver_and_referee_agree_on_long_contracts(
    asked: tuple[str, int], data: st.DataObject
) -> None:
    rules = variant(asked[0])
    size = min(11, rules.contract(asked[1]).size)
    agree(rules, asked[1], data, size, size)


@settings(max_examples=250)
@given(asked=st.sampled_from(CONTRACTS), changes=house_rules(), data=st.data())
def test_solver_and_referee_agree_under_any_house_rules(
    asked: tuple[str, int], changes: dict[str, Any], data: st.DataObject
) -> None:
    rules = with_house_rules(variant(asked[0]), changes)
    size = rules.contract(asked[1]).size
    agree(rules, asked[1], data, size, max(size, 8))
