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
from tests.any_rules import WITH_CONTRACTS, rule_sets
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
        ({}, "run", "3S 4S 5S JK", "3S 4S 5S 2S", True),
        ({}, "set", "9S 2S 2D JK", "9S JK JK JK", True),
        ({}, "run", "3S 4S 5S 6S", "3S 4S 5S 7S", False),
        ({}, "run", "3S JK JK 6S JK 8S 9S", "5H 6H JK 8H JK JK JH", True),
        ({}, "run", "3S JK JK 6S JK 8S 9S", "5H 6H 7H 8H JK JK JH", False),
        ({}, "run", "AS JK 3S", "AH 2D 4H", True),
        ({}, "run", "AS JK 3S", "3S JK 5S", False),
        ({}, "set", "9S 9S 9H", "9S 9D 9H", False),
        ({}, "set", "AS AD AH", "9S 9D 9H", True),
        ({}, "set", "2S 2D JK", "9S 9D JK", False),
        ({"twos": "natural"}, "set", "2S 2D JK", "9S 9D JK", True),
        ({"two_natural_in_own_slot": True}, "run", "3S 4S 5S 2D", "7S 8S 9S 2D", False),
        ({"two_natural_in_own_slot": True}, "run", "3S 4S 5S 2D", "3S 4S 5S 2S", False),
        ({"two_natural_in_own_slot": True}, "run", "3S 4S 5S JK", "3S 4S 5S 2S", False),
        ({"two_natural_in_own_slot": True}, "set", "9S 9S JK", "9S 9S 2S", True),
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
        (["9H 9D 2C", "8H 8D 8C"], ["4H 4D 4C", "5H 5D JK"], True),
        (["9H 9D 2C", "8H 8D 8C"], ["4H 4D JK", "5H 5D JK"], False),
        (["9H 9D 9S", "6H 7H 8H 9H"], ["4S 5S 6S 7S", "8S 8D 8H"], True),
        (["9H 9D 9S", "6H 7H 8H 9H"], ["4S 5S 6S 7S", "8C 8D 8H"], False),
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


@settings(max_examples=drawn(60))
@given(st.data())
@pytest.mark.parametrize("variant", RULE_SETS, ids=[one.id for one in RULE_SETS])
def test_melds_of_a_contract_in_another_order_are_the_same_question(
    variant: Variant, data: st.DataObject
) -> None:
    few = [one for one in deck(variant) if one.rank in ("2", "5", "6", JOKER)]
    cards = st.sampled_from(few) | st.sampled_from(deck(variant))
    melds = data.draw(st.lists(st.lists(cards, min_size=1, max_size=4), min_size=2, max_size=4))
    mine, theirs = (
        asked(variant, ask="contract", contract=1, melds=[*map(write_cards, order)])
        for order in (melds, data.draw(st.permutations(melds)))
    )
    assert in_plain_cards(mine) == in_plain_cards(theirs)
    assert what_is_alike(mine) == what_is_alike(theirs)
    assert answer(mine).verdict.legal is answer(theirs).verdict.legal


def test_a_contract_of_one_meld_is_a_meld() -> None:
    variant = rule_set_by_id("frustration")
    contract = read_question(
        variant,
        {
            "ask": "contract",
            "variant": variant.id,
            "contract": 4,
            "melds": ["5H 6H JK 8H 9H JK JH"],
        },
    )
    meld = of_meld(variant, "run", list(read_cards("3S 4S JK 6S 7S JK 9S")))
    assert what_is_alike(contract) == what_is_alike(meld)


@pytest.mark.parametrize(("rules", "are_alike"), [({}, False), ({"swap_wild_twos": True}, True)])
def test_a_swap_of_a_joker_is_none_of_a_2_where_a_2_stays(
    rules: dict[str, Any], are_alike: bool
) -> None:
    variant = with_house_rules(rule_set_by_id("frustration-rummy"), {"wild_swap": "any", **rules})

    def of(meld: str) -> Question:
        said = {"meld": meld, "position": 3, "card": "9S", "owner": "other"}
        return asked(variant, ask="swap", kind="set", **said)

    assert (what_is_alike(of("9H 9D JK 2S")) == what_is_alike(of("9H 9D 2S 2S"))) is are_alike
    assert what_is_alike(of("9H 9D JK JK")) == what_is_alike(of("9H 9D JK 2S"))


@settings(max_examples=drawn(150))
@given(st.data())
def test_of_questions_alike_but_for_their_wild_cards_the_judge_says_the_same(
    data: st.DataObject,
) -> None:
    """By any rules; only a 2 that a rule tells from a joker keeps two questions apart."""
    variant = data.draw(rule_sets(WITH_CONTRACTS).filter(lambda one: one.twos_are_wild))
    # As many as anybody could ask about: there is no such thing here as too few of them.
    variant = replace(variant, decks=6, jokers=24, contract_size="exact_core")
    first = data.draw(st.integers(2, 9))
    ranks = RANKS[first : first + 4] if data.draw(st.booleans()) else [RANKS[first]] * 4
    naturals = [rank + "S" for rank in ranks[: data.draw(st.integers(1, 4))]]
    wilds = data.draw(st.lists(st.sampled_from(["JK", "2S", "2H"]), min_size=1, max_size=3))
    jokers = [JOKER] * len(wilds)
    kind = "set" if len(set(ranks)) == 1 else "run"
    ask = data.draw(st.sampled_from(["meld", "layoff", "swap", "contract"]))
    mine, theirs = (_with_wilds(variant, ask, kind, naturals, some) for some in (wilds, jokers))
    tells_apart = (kind == "run" and variant.two_natural_in_own_slot) or (
        ask == "swap" and not variant.swap_wild_twos
    )
    if tells_apart and wilds != jokers:
        return
    assert what_is_alike(mine) == what_is_alike(theirs)
    said, of_jokers = answer(mine).verdict, answer(theirs).verdict
    assert said.legal is of_jokers.legal
    assert [one.rule for one in said.reasons] == [one.rule for one in of_jokers.reasons]


def _with_wilds(
    variant: Variant, ask: str, kind: str, naturals: list[str], wilds: list[str]
) -> Question:
    meld = " ".join([*naturals, *wilds])
    match ask:
        case "meld":
            return asked(variant, kind=kind, cards=meld, size=4)
        case "layoff":
            return asked(variant, ask=ask, kind=kind, meld=" ".join(naturals), add=" ".join(wilds))
        case "swap":
            after = RANKS[(RANKS.index(naturals[-1][:-1]) + 1) % len(RANKS)] + "S"
            said = {"meld": meld, "position": len(naturals) + 1, "owner": "other"}
            card = naturals[0] if kind == "set" else after
            return asked(variant, ask=ask, kind=kind, card=card, **said)
        case _:
            return asked(variant, ask=ask, contract=1, melds=[meld])


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
