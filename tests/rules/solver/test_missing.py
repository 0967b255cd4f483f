"""What is missing from a contract, held against a slow reference that tries every card.

`MISSING_HANDS=40` tries so many hands of each rule set.
"""

import os
import random
from collections import Counter
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from app.rules.card_supply import full_pack
from app.rules.cards import SUITS, Card, read_cards
from app.rules.coach import coach
from app.rules.judge_questions import answer_question
from app.rules.rule_sets import (
    family_rule_sets,
    rule_set_by_id,
    with_house_rules,
)
from app.rules.solver import can_lay, solve
from app.rules.solver import missing as search
from app.rules.solver.missing import NearMeld, nearest_way, unseen_cards
from app.rules.variant import Variant
from tests.any_rules import WITH_CONTRACTS
from tests.referee import Referee

HANDS = int(os.environ.get("MISSING_HANDS", "1"))
HOUSE_RULES: list[dict[str, Any]] = [
    {},
    {"identical_cards_in_set": "forbid"},
    {"two_sets_same_rank": "forbid"},
    {"touching_runs": "forbid"},
    {"wild_limit": "none"},
    {"wilds_adjacent": False},
]


def layable(rules: Variant, number: int, hand: list[Card]) -> bool:
    """By the referee, who shares no code with the engine."""
    return any(True for _ in Referee(rules, number, hand).contract_masks())


def completing(rules: Variant, number: int, hand: list[Card], unseen: list[Card]) -> set[Card]:
    return {card for card in set(unseen) if layable(rules, number, [*hand, card])}


def two_suffice(rules: Variant, number: int, hand: list[Card], unseen: list[Card]) -> bool:
    left = Counter(unseen)
    free = with_house_rules(rules, {"must_discard_to_go_out": False})
    return any(
        can_lay(free, number, [*hand, *pair])
        for pair in combinations_with_replacement(sorted(left), 2)
        if all(left[card] >= count for card, count in Counter(pair).items())
    )


def is_meant(card: Card, meant: Card) -> bool:
    return card.rank == meant.rank and meant.suit in ("", card.suit)


def wild_card_does(
    rules: Variant,
    number: int,
    hand: list[Card],
    unseen: list[Card],
    lacks: list[Card],
    meld: NearMeld,
) -> bool:
    """Can a wild card lie for one that the meld lacks, the others being natural or wild?"""
    wild = next(card for card in full_pack(rules, 1) if rules.is_wild(card))
    for meant in meld.lacks:
        rest = list(lacks)
        rest.remove(meant)
        choices = (
            [
                wild,
                *(
                    one
                    for one in {*unseen}
                    if one.rank == card.rank and card.suit in ("", one.suit)
                ),
            ]
            for card in rest
        )
        if any(layable(rules, number, [*hand, wild, *one]) for one in product(*choices)):
            return True
    return False


def near_hand(rng: random.Random, rules: Variant, number: int) -> list[Card]:
    """A contract of which some cards lack, others are wild, and a stray one is there."""
    cards: list[Card] = []
    for part in rules.contract(number).parts:
        if part.kind == "set":
            rank = rng.choice([one for one in rules.run_ranks if one != "2"])
            cards += [Card(rank, SUITS[place % 4]) for place in range(part.size)]
        else:
            start = rng.randint(0, len(rules.run_ranks) - part.size)
            suit = rng.choice(SUITS)
            cards += [Card(rank, suit) for rank in rules.run_ranks[start : start + part.size]]
    rng.shuffle(cards)
    cards = cards[rng.choice([0, 1, 1, 1, 2, 2, 3]) :]
    wilds = [card for card in full_pack(rules, rules.decks) if rules.is_wild(card)]
    for place in range(min(len(cards), rng.choice([0, 0, 1, 2, 3]))):
        cards[place] = rng.choice(wilds)
    cards = [*cards[:7], rng.choice(full_pack(rules, rules.decks))]
    pack = Counter(full_pack(rules, rules.decks))
    return [card for at, card in enumerate(cards) if cards[:at].count(card) < pack[card]]


@pytest.mark.parametrize("rules", WITH_CONTRACTS, ids=lambda one: one.id)
def test_what_is_missing_is_what_the_reference_finds(rules: Variant) -> None:
    rng = random.Random(rules.id)
    small = [one.number for one in rules.contracts if one.size <= 8]
    for _ in range(HANDS):
        played = with_house_rules(rules, rng.choice(HOUSE_RULES))
        number = rng.choice(small)
        hand = near_hand(rng, played, number)
        unseen = unseen_cards(played, played.decks, hand)
        way = nearest_way(played, number, hand, unseen)
        told = (played.id, number, [str(card) for card in hand], way)
        assert way is not None, told
        assert way.is_exact, told
        if layable(played, number, hand):
            assert way.missing == 0, told
            continue
        by_reference = completing(played, number, hand, unseen)
        assert (way.missing == 1) is bool(by_reference), told
        if way.missing == 1:
            ranks = {card.rank for card, _ in way.completed_by if not card.suit}
            single = {card for card, _ in way.completed_by}
            named = {card for card in set(unseen) if card.rank in ranks or card in single}
            assert named == by_reference, told
            out = sum(copies for _, copies in way.completed_by)
            assert out == sum(card in by_reference for card in unseen), told
        else:
            assert (way.missing == 2) is two_suffice(played, number, hand, unseen), told
        lacks = [one for meld in way.melds for one in meld.lacks]
        filled = [card for meld in way.melds for card in meld.cards if card]
        assert len(lacks) == way.missing, told
        assert not Counter(filled) - Counter(hand), told
        for meld in way.melds:
            does = wild_card_does(played, number, hand, unseen, lacks, meld)
            assert does or not meld.takes_wild or not meld.lacks, (meld, told)


def asked(variant: str, contract: int, hand: str, **more: object) -> dict:
    return answer_question(
        {"ask": "hand", "variant": variant, "contract": contract, "hand": hand, **more}
    )


def test_a_friend_names_the_card_that_completes_a_contract_and_how_many_are_out() -> None:
    answer = asked("frustration-rummy-board", 2, "5H 6H JK 8H 9S 9D KD 3C")
    assert answer["missing"] == 1
    out = {one["card"]: one["out"] for one in answer["completed_by"]}
    assert out == {"9": 6, "7H": 2, "2": 8, "JK": 3}
    seen = asked(
        "frustration-rummy-board",
        2,
        "5H 6H JK 8H 9S 9D KD 3C",
        table=[{"kind": "set", "meld": "9H 9C 9H"}, {"kind": "run", "meld": "6H 7H 8H JK"}],
    )
    out = {one["card"]: one["out"] for one in seen["completed_by"]}
    assert out == {"9": 3, "7H": 1, "2": 8, "JK": 2}


def test_a_hand_that_can_be_laid_lacks_nothing() -> None:
    assert asked("frustration", 1, "5H 5D 5C 9S 9H 9D 3C")["missing"] == 0


@pytest.mark.parametrize("rules", family_rule_sets().values(), ids=lambda one: one.id)
def test_no_wild_card_is_thrown_while_another_card_is_left(rules: Variant) -> None:
    rng = random.Random(rules.id)
    pack = full_pack(rules, rules.decks)
    for _ in range(HANDS * 5):
        number = rng.choice(rules.contracts).number
        hand = rng.sample(pack, 11)
        turn = solve(rules, number, hand)
        told = coach(rules, number, hand, (), turn, rules.decks)
        if told.discard is not None and rules.is_wild(told.discard):
            assert all(map(rules.is_wild, told.kept)), (number, hand)


def test_the_discard_leaves_the_nearest_way_as_near() -> None:
    """The king costs most of what is not needed; the queens are on the way."""
    answer = asked("aggravation-rummy", 1, "QH QD 5H 5D 3C 3D KS 4H 9C 10H JK")
    assert answer["discard"] == "KS"
    without = "QH QD 5H 5D 3C 3D 4H 9C 10H JK"
    assert asked("aggravation-rummy", 1, without)["missing"] == answer["missing"]


def test_what_is_not_proven_nearest_is_not_called_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = "5H 6H JK 8H 9S 9D KD 3C QS 2H 4C 7C 10S"
    proven = asked("frustration-rummy", 9, hand)
    assert proven["decided"] is True
    monkeypatch.setattr(search, "NEAREST_BUDGET", 1500)
    found = asked("frustration-rummy", 9, hand)
    assert found["decided"] is False
    assert found["missing"] is None or found["missing"] >= proven["missing"]


def test_the_steps_of_the_nearest_way_have_an_end() -> None:
    """Eight melds of a table's own making and sixty cards."""
    rules = with_house_rules(
        rule_set_by_id("frustration-rummy"),
        {"contracts": ["s5 s6 r6 s4 r7 r4 r7 s6"], "decks": 3, "touching_runs": "forbid"},
    )
    hand = list(read_cards("8H 8S JK 9H 4H AC JH 10C 8C KD 8D 10C JC JK JD 8S KC KH 9S 6S QS 7C"))
    way = nearest_way(rules, 1, hand, unseen_cards(rules, 3, hand))
    assert way is None or way.missing >= 1


@pytest.mark.parametrize("rules", family_rule_sets().values(), ids=lambda one: one.id)
def test_another_discard_is_named_only_where_it_would_leave_fewer_points(rules: Variant) -> None:
    """Where no points are counted, all discards leave as many cards."""
    rng, named = random.Random(rules.id), 0
    pack = full_pack(rules, rules.decks)
    for _ in range(HANDS * 5):
        number = rng.choice(rules.contracts).number
        hand = [*rng.sample(pack, 10), rng.choice([one for one in pack if rules.is_wild(one)])]
        turn = solve(rules, number, hand)
        told = coach(rules, number, hand, (), turn, rules.decks)
        facts = [str(fact) for fact in told.sentences if "would leave" in str(fact)]
        scored = rules.keep_score != "no"
        fewer = scored and turn.remaining_cost < rules.penalties.total(told.kept)
        assert bool(facts) is fewer, (number, hand, facts)
        named += fewer
    assert bool(named) is (rules.keep_score != "no")
