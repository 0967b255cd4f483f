"""How often random hands can lay each contract, against frequencies found by another program.

The reference counted 100,000 hands for each rule set; an engine that is further off than four
standard errors has a different rule somewhere.
"""

import random
from math import sqrt

import pytest

from app.rules.rule_sets import rule_set_by_id
from app.rules.solver import can_lay
from tests.strategies import deck

HANDS = 700
REFERENCE_HANDS = 100_000
PERCENT = {
    ("frustration", 12): "42.30 64.17 38.67 2.71 24.04 2.83 23.89 10.35 13.04 0.016",
    ("frustration-rummy", 14): (
        "30.27 59.64 22.28 17.23 20.20 2.13 3.05 0.23 0.44 0.33 1.52 0.70 0.89 0.10"
    ),
    ("frustration-rummy-board", 14): (
        "30.27 58.53 21.65 17.23 18.94 2.13 2.83 0.23 0.38 0.33 1.34 0.67 0.81 0.09"
    ),
    ("frustration-nineteen", 12): (
        "52.21 40.51 20.66 1.36 10.68 8.42 3.24 1.53 1.91 0.05 0.11 0.33 0.16 1.26 0.011 0.10 "
        "0.13 0.03 0.04"
    ),
    ("aggravation-rummy", 12): "8.42 74.54 5.69 55.02 36.25 0.05 17.80",
    ("aggravation-rummy-family", 11): "3.10 23.41 2.53 3.66 5.34 0.00 0.08",
    ("twelve-step-rummy", 14): "41.82 20.90 2.44 2.78 8.45 4.49 0.15 3.32 0.02 0.07 0.005 0.003",
    ("garbage-rummy", 11): "15.63 9.53 4.82 0.23 0.68 0.66 0.16 0.08 0.29 0.001 0.00",
}


@pytest.mark.parametrize(("variant_id", "size"), PERCENT)
def test_random_hands_can_lay_each_contract_as_often_as_found_elsewhere(
    variant_id: str, size: int
) -> None:
    rules = rule_set_by_id(variant_id)
    rng = random.Random(variant_id)
    cards = deck(rules)
    hands = [rng.sample(cards, size) for _ in range(HANDS)]
    for number, text in enumerate(PERCENT[variant_id, size].split(), start=1):
        expected = float(text) / 100
        share = sum(can_lay(rules, number, hand) for hand in hands) / HANDS
        error = sqrt(expected * (1 - expected) * (1 / HANDS + 1 / REFERENCE_HANDS))
        # One chance hand among those that are nearly impossible proves nothing.
        assert abs(share - expected) <= 4 * error + 1.5 / HANDS, (number, share, expected)
