"""The checker while its contract is changed: what was entered stays, empty places are no melds."""

import pytest
from werkzeug.datastructures import MultiDict

from app.rules.contracts import Contract
from app.rules.judge_questions import answer_under
from app.rules.rule_sets import shipped_rule_sets
from app.rules.variant import Variant
from app.web.checker.question import AskedQuestion
from app.web.checker.view_models import CheckPage

WITH_CONTRACTS = [one for one in shipped_rule_sets().values() if one.contracts]
RANKS = ("3", "4", "5", "6", "7", "8", "9", "J", "Q")


def sets(count: int) -> list[str]:
    return [f"{rank}H {rank}D {rank}C" for rank in RANKS[:count]]


def changed_to(variant: Variant, contract: Contract, rows: list[str]) -> AskedQuestion:
    """What is asked after that contract was chosen where those rows stood."""
    args = MultiDict([("variant", variant.id), ("contract", str(contract.number))])
    args.setlist("m", rows)
    return AskedQuestion.from_args(args, variant, shipped_rule_sets().get)


@pytest.mark.parametrize("variant", WITH_CONTRACTS, ids=lambda one: one.id)
def test_no_empty_row_stays_when_another_contract_is_chosen(variant: Variant) -> None:
    # What stands of the contract before is its rows.
    for before in {len(one.parts) for one in variant.contracts}:
        for after in variant.contracts:
            for entered in range(before + 1):
                filled = sets(entered)
                rows = [*filled, *[""] * (before - entered)]
                for places in (rows, rows[::-1]):
                    question = changed_to(variant, after, places)
                    shown = [one.text for one in CheckPage(question, ()).meld_inputs]
                    assert sorted(filter(None, shown)) == filled
                    assert len(shown) == max(entered, len(after.parts))
                    if 0 < entered < before:
                        assert list(question.melds) == shown, "what is shown is judged"


@pytest.mark.parametrize("variant", WITH_CONTRACTS, ids=lambda one: one.id)
def test_the_judge_counts_no_empty_meld_wherever_it_stands(variant: Variant) -> None:
    for contract in variant.contracts:
        question = {"ask": "contract", "contract": contract.number}
        parts = len(contract.parts)
        for entered in {1, parts, parts + 1}:
            filled = sets(entered)
            alone = answer_under(variant, {**question, "melds": filled})
            for at in range(entered + 1):
                melds = [*filled[:at], "", *filled[at:], " "]
                answer = answer_under(variant, {**question, "melds": melds})
                if entered >= parts:
                    assert answer == alone
                else:
                    assert "but you have" not in str(answer["reasons"])
