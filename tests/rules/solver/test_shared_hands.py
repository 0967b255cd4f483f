"""The shared cases that ask about a hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.rules.cards import read_cards
from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.rules.solver import TableMeld, solve

SHARED = Path(__file__).parents[2] / "cases" / "shared.jsonl"
HANDS = [
    case
    for case in map(json.loads, SHARED.read_text(encoding="utf-8").splitlines())
    if case["ask"] == "hand"
]


@pytest.mark.parametrize("case", HANDS, ids=lambda case: str(case["id"]))
def test_shared_hand_is_answered_as_decided(case: dict[str, Any]) -> None:
    rules = with_house_rules(rule_set_by_id(case["variant"]), case.get("house_rules", {}))
    table = [TableMeld(one["kind"], read_cards(one["meld"])) for one in case.get("table", ())]
    found = solve(rules, case["contract"], read_cards(case["hand"]), table)
    answer = {"legal": found.can_lay_down, "out": found.can_go_out, "left": found.remaining_cost}
    assert {key: answer[key] for key in case["expect"]} == case["expect"]
