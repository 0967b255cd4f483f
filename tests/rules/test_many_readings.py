"""Contracts of many melds with many wild cards: every reading is found, and none is sought twice.

A table may make such contracts itself; found by brute force they would take minutes.
"""

from itertools import combinations, product

import pytest

from app.rules.cards import read_cards
from app.rules.laydown import _runs_touch, judge_contract
from app.rules.melds import judge_part
from app.rules.rule_sets import from_dict, rule_set_by_id, to_dict

TWOS = [f"2{suit}" for suit in "SHDC" for _ in range(6)]


def one_contract(text: str, **rules: object):
    """Frustration Rummy with one contract, six decks and wild cards without limit."""
    plain = to_dict(rule_set_by_id("frustration-rummy"))
    changes = {"contracts": [text], "last_contract": 1, "decks": 6, "wild_limit": "none", **rules}
    for name, value in changes.items():
        plain[name] = {"value": value, "decision": "for this test"}
    return from_dict(plain)


def runs(count: int, length: int, wilds: int) -> list[str]:
    """So many runs, each longer than the one before, each with so many wild twos."""
    line, twos = ["8", "9", "10", "J", "Q", "K", "A"], iter(TWOS)
    return [
        " ".join(
            [f"{rank}{'SHDC'[place % 4]}" for rank in line[: length - wilds + place]]
            + [next(twos) for _ in range(wilds)]
        )
        for place in range(count)
    ]


@pytest.mark.parametrize("touching", ["allow", "forbid"])
def test_seven_runs_of_which_each_may_be_several_parts_are_read(touching: str) -> None:
    contract = " ".join(f"r{length}" for length in range(3, 10))
    rules = one_contract(contract, touching_runs=touching)
    verdict = judge_contract(rules, 1, [read_cards(meld) for meld in runs(7, 4, 3)])
    assert verdict.legal
    assert verdict.readings


@pytest.mark.parametrize("touching", ["allow", "forbid"])
def test_the_readings_are_those_that_every_way_by_itself_finds(touching: str) -> None:
    rules = one_contract("r4 r4 r4", touching_runs=touching)
    melds = [read_cards(text) for text in ("7S 2S 2S 2S", "JS 2H 2H 2H", "9S 2D 2D 2D")]
    part = rules.contracts[0].parts[0]
    ways = product(*(judge_part(rules, part, meld).readings for meld in melds))
    read = [tuple(meld for way in one for meld in way) for one in ways]
    apart = [
        reading
        for reading in read
        if touching == "allow"
        or not any(_runs_touch(rules, one, other) for one, other in combinations(reading, 2))
    ]
    assert 0 < len(apart) < 500
    assert judge_contract(rules, 1, melds).readings == tuple(apart)


def test_runs_that_cannot_lie_apart_are_refused() -> None:
    rules = one_contract("r4 r4", touching_runs="forbid")
    verdict = judge_contract(rules, 1, [read_cards("3S 4S 5S 6S"), read_cards("7S 8S 9S 10S")])
    assert not verdict.legal
    assert "run of a contract can’t continue another" in str(verdict.reasons[0].message)
