"""How the cards of a hand are shown in the melds that it lays."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.cards import RANKS, SUITS, Card, write_cards
from app.rules.contracts import Contract
from app.rules.judge import answer
from app.rules.judge_questions import read_question
from app.rules.layoffs import read_table_meld
from app.rules.rule_sets import shipped_rule_sets
from app.rules.shapes import place_cards
from app.rules.solver import LaidMeld
from app.rules.variant import Variant
from app.web.checker.card_views import meld_of_hand
from tests.draws import drawn

RULE_SETS = [one for one in shipped_rule_sets().values() if one.contracts]


def laid(variant: Variant, hand: Iterable[Card], contract: int) -> tuple[LaidMeld, ...]:
    asked = {"ask": "hand", "variant": variant.id, "contract": contract}
    found = answer(read_question(variant, asked | {"hand": write_cards(hand)}))
    return found.turn.laydown if found.turn else ()


def held_for(contract: Contract, data: st.DataObject) -> list[Card]:
    """A hand with the cards of the contract: runs of A, a 2 of some suit, 3 and on; sets from 9."""
    hand = list[Card]()
    for part, suit, rank in zip(
        contract.parts, "SHDCSHDC", ("9", "10", "J", "Q") * 2, strict=False
    ):
        if part.kind == "run":
            two = Card("2", data.draw(st.sampled_from(SUITS)))
            hand += [two, *(Card(one, suit) for one in RANKS[: part.size] if one != "2")]
        else:
            hand += [Card(rank, one) for one in (SUITS * 2)[: part.size]]
    return hand


@pytest.mark.parametrize("variant", RULE_SETS, ids=[one.id for one in RULE_SETS])
@settings(max_examples=drawn(20))
@given(data=st.data())
def test_a_card_of_a_laid_run_is_wild_where_it_is_in_the_same_meld_on_the_table(
    variant: Variant, data: st.DataObject
) -> None:
    with_runs = [
        one for one in variant.contracts_played if any(part.kind == "run" for part in one.parts)
    ]
    contract = data.draw(st.sampled_from(with_runs))
    for meld in laid(variant, held_for(contract, data), contract.number):
        if meld.kind == "run":
            layouts, _reasons = read_table_meld(variant, "run", list(meld.cards))
            on_table = [
                [(one.is_wild, one.stands_for if one.is_wild else None) for one in reading]
                for reading in (place_cards(variant, layout) for layout in layouts)
            ]
            shown = [(one.is_wild, one.stands_for) for one in meld_of_hand(variant, meld).cards]
            assert shown in on_table, meld
