"""Laws that hold for every hand, whatever the rule set."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.cards import Card
from app.rules.laydown import judge_contract
from app.rules.layoffs import judge_layoff
from app.rules.melds import judge_meld
from app.rules.rule_sets import family_rule_sets, with_house_rules
from app.rules.solver import LaidMeld, Solution, TableMeld, can_lay, solve
from app.rules.variant import Variant
from tests.draws import drawn
from tests.strategies import deck, hands, house_rules, laid_from_hand, tables

rule_sets = st.sampled_from(sorted(family_rule_sets().values(), key=lambda one: one.id))


@st.composite
def asked(draw: st.DrawFn) -> tuple[Variant, int]:
    rules = draw(rule_sets)
    return rules, draw(st.integers(1, len(rules.contracts)))


def accounted(found: Solution, table: tuple[TableMeld, ...]) -> Counter[Card]:
    laid = [card for meld in found.laydown for card in laid_from_hand(meld, table)]
    return Counter([*laid, *found.remaining, *([found.discard] if found.discard else [])])


@settings(max_examples=drawn(40))
@given(asked(), st.data())
def test_laid_cards_discard_and_rest_are_the_hand(
    question: tuple[Variant, int], data: st.DataObject
) -> None:
    rules, number = question
    hand = data.draw(hands(rules, 8, 16))
    table = data.draw(tables(rules))
    found = solve(rules, number, hand, table)
    assert accounted(found, table) == Counter(hand)
    assert found.can_go_out == (found.can_lay_down and not found.remaining)
    assert found.is_proven_best


@settings(max_examples=drawn(30))
@given(asked(), st.data())
def test_the_order_of_the_cards_never_matters(
    question: tuple[Variant, int], data: st.DataObject
) -> None:
    rules, number = question
    hand = data.draw(hands(rules, 8, 16))
    shuffled = data.draw(st.permutations(hand))
    assert solve(rules, number, hand) == solve(rules, number, shuffled)


@settings(max_examples=drawn(50))
@given(asked(), st.data())
def test_one_natural_card_more_never_makes_a_contract_impossible(
    question: tuple[Variant, int], data: st.DataObject
) -> None:
    rules, number = question
    hand = data.draw(hands(rules, 8, 14))
    naturals = [card for card in deck(rules, 3) if not rules.is_wild(card)]
    more = (*hand, data.draw(st.sampled_from(naturals)))
    assert can_lay(rules, number, more) or not can_lay(rules, number, hand)


@settings(max_examples=drawn(50))
@given(asked(), st.data())
def test_the_fast_answer_and_the_search_agree_on_the_contract(
    question: tuple[Variant, int], data: st.DataObject
) -> None:
    rules, number = question
    hand = data.draw(hands(rules, 8, 20))
    found = solve(rules, number, hand)
    served = Counter(meld.part for meld in found.laydown if meld.part is not None)
    assert served == (Counter(rules.contract(number).parts) if found.can_lay_down else Counter())


@pytest.mark.parametrize("with_changes", [False, True], ids=["as-written", "house-rules"])
@settings(max_examples=drawn(40))
@given(question=asked(), changes=house_rules(), data=st.data())
def test_the_judge_accepts_what_the_solver_lays(
    with_changes: bool,
    question: tuple[Variant, int],
    changes: dict[str, object],
    data: st.DataObject,
) -> None:
    rules, number = question
    rules = with_house_rules(rules, {"jokers": 8, **(changes if with_changes else {})})
    hand = data.draw(hands(rules, 8, 14))
    table = data.draw(tables(rules))
    found = solve(rules, number, hand, table)
    contract = [meld for meld in found.laydown if meld.part is not None]
    if found.can_lay_down and rules.contract_size == "exact_core":
        verdict = judge_contract(rules, number, [meld.cards for meld in contract], decks=6)
        assert verdict.legal, verdict.reasons
    for meld in found.laydown:
        assert_accepted(rules, number, table, meld)


def assert_accepted(
    rules: Variant, number: int, table: tuple[TableMeld, ...], meld: LaidMeld
) -> None:
    if meld.onto is not None:
        lying = table[meld.onto]
        added = laid_from_hand(meld, table)
        verdict = judge_layoff(rules, lying.kind, lying.cards, added, decks=6)
        assert verdict.legal, verdict.reasons
    elif meld.part is None and rules.extra_melds == "any" and rules.wild_limit_scope == "always":
        verdict = judge_meld(rules, meld.kind, meld.cards, contract=number, decks=6)
        assert verdict.legal, verdict.reasons
