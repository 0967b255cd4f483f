"""Which questions are the same to people, and which are alike."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.alike import in_plain_cards, what_is_alike
from app.rules.cards import JOKER, RANKS, SUITS, Card, read_cards, write_cards
from app.rules.judge import Question, answer
from app.rules.judge_questions import read_question
from app.rules.rule_sets import rule_set_by_id, shipped_rule_sets, with_house_rules
from app.rules.variant import Variant
from tests.draws import drawn
from tests.strategies import deck

RULE_SETS = [one for one in shipped_rule_sets().values() if one.contracts]


def asked(variant: Variant, **said: Any) -> Question:
    return read_question(variant, {"ask": "meld", "variant": variant.id, **said})


def of_meld(variant: Variant, kind: str, meld: list[Card]) -> Question:
    return asked(variant, kind=kind, cards=write_cards(meld), size=max(2, len(meld)))


def moved(variant: Variant, meld: list[Card], by: int, suits: dict[str, str]) -> list[Card]:
    """The natural cards of a meld so many ranks on, and all in other suits."""
    in_suits = [replace(one, suit=suits.get(one.suit, "")) for one in meld]
    return [
        one
        if variant.is_wild(one) or variant.is_wild(meld[at])
        else replace(one, rank=RANKS[(RANKS.index(one.rank) + by) % len(RANKS)])
        for at, one in enumerate(in_suits)
    ]


@settings(max_examples=drawn(20))
@given(st.data())
@pytest.mark.parametrize("variant", RULE_SETS, ids=[one.id for one in RULE_SETS])
def test_what_is_asked_in_other_suits_and_another_order_is_the_same(
    variant: Variant, data: st.DataObject
) -> None:
    meld = data.draw(st.lists(st.sampled_from(deck(variant)), min_size=1, max_size=8))
    suits = dict(zip(SUITS, data.draw(st.permutations(SUITS)), strict=True))
    other = data.draw(st.permutations(moved(variant, meld, 0, suits)))
    for kind in ("set", "run"):
        mine, theirs = of_meld(variant, kind, meld), of_meld(variant, kind, other)
        assert in_plain_cards(mine) == in_plain_cards(theirs)
        assert what_is_alike(mine) == what_is_alike(theirs)


@settings(max_examples=drawn(20))
@given(st.data())
@pytest.mark.parametrize("kind", ["set", "run"])
@pytest.mark.parametrize("variant", RULE_SETS, ids=[one.id for one in RULE_SETS])
def test_a_meld_of_other_ranks_is_alike_and_as_legal(
    variant: Variant, kind: str, data: st.DataObject
) -> None:
    """Well inside the line of a run, where no end of it is near."""
    naturals = ["6", "7", "8"] if kind == "run" else [data.draw(st.sampled_from(RANKS[2:]))] * 3
    meld = [Card(rank, data.draw(st.sampled_from(SUITS))) for rank in naturals]
    meld += [Card(JOKER)] * data.draw(st.integers(0, 2))
    suits = dict(zip(SUITS, data.draw(st.permutations(SUITS)), strict=True))
    if kind == "run":
        other = moved(variant, meld, data.draw(st.integers(-1, 1)), suits)
    else:
        rank = data.draw(st.sampled_from(RANKS[2:]))
        other = [one if one.is_joker else Card(rank, suits[one.suit]) for one in meld]
    mine, theirs = of_meld(variant, kind, meld), of_meld(variant, kind, other)
    assert what_is_alike(mine) == what_is_alike(theirs)
    assert answer(mine).verdict.legal is answer(theirs).verdict.legal
    more = [*other, other[0]]
    assert what_is_alike(mine) != what_is_alike(of_meld(variant, kind, more))


@pytest.mark.parametrize(
    ("rules", "kind", "mine", "theirs", "are_alike"),
    [
        ({}, "run", "AS 3S 4S 5S", "3S 4S 5S 6S", False),
        ({}, "run", "AS 3S 4S 5S", "AH 3H 4H 5H", True),
        ({}, "run", "3S 4S 5S 2D", "7S 8S 9S 2S", True),
        ({}, "run", "3S 4S 5S JK", "3S 4S 5S 2S", False),
        ({}, "run", "3S 4S 5S 6S", "3S 4S 5S 7S", False),
        ({}, "set", "9S 9S 9H", "9S 9D 9H", False),
        ({}, "set", "AS AD AH", "9S 9D 9H", True),
        ({}, "set", "2S 2D JK", "9S 9D JK", False),
        ({"twos": "natural"}, "set", "2S 2D JK", "9S 9D JK", True),
        ({"two_natural_in_own_slot": True}, "run", "3S 4S 5S 2D", "7S 8S 9S 2D", False),
        ({"two_natural_in_own_slot": True}, "run", "3S 4S 5S 2D", "3S 4S 5S 2S", False),
    ],
)
def test_where_rules_look_at_ranks_questions_are_not_alike(
    rules: dict[str, Any], kind: str, mine: str, theirs: str, are_alike: bool
) -> None:
    variant = with_house_rules(rule_set_by_id("frustration-rummy"), rules)
    one, other = (of_meld(variant, kind, list(read_cards(text))) for text in (mine, theirs))
    assert (what_is_alike(one) == what_is_alike(other)) is are_alike


@pytest.mark.parametrize(
    ("mine", "theirs", "are_alike"),
    [
        (["9H 9D 9S", "5H 6H 7H 8H"], ["4H 4D 4S", "6D 7D 8D 9D"], True),
        (["9H 9D 9S", "9C 9D 9H"], ["4H 4D 4S", "4C 4D 4H"], True),
        (["9H 9D 9S", "9C 9D 9H"], ["4H 4D 4S", "5C 5D 5H"], False),
        (["3H 4H 5H 6H", "7H 8H 9H 10H"], ["4S 5S 6S 7S", "8S 9S 10S JS"], True),
        (["3H 4H 5H 6H", "7H 8H 9H 10H"], ["4S 5S 6S 7S", "9S 10S JS QS"], False),
    ],
)
def test_how_melds_of_a_contract_lie_to_each_other_is_kept(
    mine: list[str], theirs: list[str], are_alike: bool
) -> None:
    variant = rule_set_by_id("frustration-rummy")
    one, other = (asked(variant, ask="contract", contract=2, melds=x) for x in (mine, theirs))
    assert (what_is_alike(one) == what_is_alike(other)) is are_alike


@pytest.mark.parametrize("ask", ["hand", "score"])
def test_a_hand_and_cards_that_are_counted_are_alike_in_the_same_ranks_alone(ask: str) -> None:
    variant = rule_set_by_id("frustration-rummy")
    field = {"hand": "hand", "score": "cards"}[ask]
    one, same, other = (
        what_is_alike(asked(variant, ask=ask, contract=1, **{field: text}))
        for text in ("9H 9D 3S", "3H 9D 9S", "8H 8D 3S")
    )
    assert one == same
    assert one != other
