"""Whatever the loader accepts can be ruled on, judged, played, passed on and typed again."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.rules.cards import Card, write_cards
from app.rules.faq import faq_entries
from app.rules.house_rules import value_in_words
from app.rules.impossible_contracts import impossible_contracts
from app.rules.judge_questions import answer_under, matches_expectation
from app.rules.phrases import Phrase
from app.rules.rule_set_drafts import RuleSetDraft, parse_draft
from app.rules.rule_set_transfer import from_code, from_file, to_code, to_json, to_toml
from app.rules.rule_sets import (
    FIELDS,
    from_dict,
    rule_set_by_id,
    to_dict,
    with_house_rules,
)
from app.rules.variant import Variant
from tests.any_rules import WITH_CONTRACTS, rule_sets
from tests.draws import drawn
from tests.strategies import deck

several = settings(max_examples=drawn(30), deadline=None)


def differ_in(one: Variant, other: Variant) -> list[str]:
    return [field for field in FIELDS if getattr(one, field) != getattr(other, field)]


@given(rule_sets())
def test_it_survives_being_written_and_read(rules) -> None:
    assert from_dict(json.loads(json.dumps(to_dict(rules)))) == rules
    assert from_file(to_toml(rules).encode()) == rules
    assert from_file(to_json(rules).encode()) == rules


@given(rule_sets())
def test_its_link_carries_all_its_rules(rules) -> None:
    came = from_code(to_code(rules))
    assert (came.name, came.summary, differ_in(came, rules)) == (rules.name, rules.summary, [])


@pytest.mark.parametrize("base", WITH_CONTRACTS, ids=lambda one: one.id)
def test_its_link_carries_the_last_contract_of_others_than_the_base_has(base) -> None:
    contracts = [*map(str, base.contracts), "s3"]
    rules = {"contracts": contracts, "last_contract": base.last_contract}
    played = with_house_rules(base, rules)
    assert differ_in(from_code(to_code(played)), played) == []


@given(rule_sets())
def test_shown_in_the_form_and_sent_back_it_is_the_same(rules) -> None:
    read = parse_draft(RuleSetDraft.from_variant(rules), rules)
    assert read.faults == {}
    assert read.variant
    assert differ_in(read.variant, rules) == []
    assert read.variant.field_sources == rules.field_sources


@given(rule_sets(WITH_CONTRACTS), rule_sets(WITH_CONTRACTS))
def test_typed_over_another_rule_set_it_comes_out_the_same(rules, base) -> None:
    """A blank means all contracts in the form, but no other rule is left blank."""
    read = parse_draft(RuleSetDraft.from_variant(rules), base)
    assert read.faults == {}
    assert read.variant
    assert differ_in(read.variant, rules) == []


SIX_PAIRS = with_house_rules(rule_set_by_id("frustration"), {"contracts": ["s2 s2 s2 s2 s2 s2"]})


@several
@given(rule_sets())
@example(SIX_PAIRS)
def test_every_question_of_the_q_and_a_is_answered_and_its_example_judged_as_it_says(rules) -> None:
    for entry in faq_entries(rules):
        assert str(entry.question)
        assert str(entry.answer)
        if entry.example:
            answer = answer_under(rules, entry.example.question)
            assert matches_expectation(answer, entry.example.expect), (entry.id, answer)


@given(rule_sets())
def test_every_field_is_told_in_words_and_every_contract_looked_at(rules) -> None:
    own = [field for field in FIELDS if rules.has_field(field)]
    assert all(isinstance(value_in_words(rules, field), Phrase) for field in own)
    numbers = list(impossible_contracts(rules))
    assert set(numbers) <= set(range(1, rules.last_contract + 1))


def a_set(rules: Variant, cards: list[Card]) -> str:
    """Three natural cards of one rank in different suits, which may lie on any table."""
    naturals = sorted({card for card in cards if not rules.is_wild(card)})
    ranks = [card.rank for card in naturals]
    rank = next(one for one in ranks if ranks.count(one) >= 3)
    return write_cards([card for card in naturals if card.rank == rank][:3])


@several
@given(st.data())
def test_the_judge_answers_every_kind_of_question(data) -> None:
    rules = data.draw(rule_sets(WITH_CONTRACTS))
    every = data.draw(st.permutations(deck(rules, rules.decks)))
    hand = every[: min(rules.deal, 13) + 1]
    text = " ".join(map(str, hand))
    number = data.draw(st.integers(1, len(rules.contracts)))
    few, one = " ".join(map(str, hand[:4])), str(every[-1])
    for question in (
        {"ask": "score", "cards": text},
        {"ask": "hand", "contract": number, "hand": text},
        {
            "ask": "hand",
            "contract": number,
            "hand": text,
            "table": [{"kind": "set", "meld": a_set(rules, every[len(hand) :])}],
        },
        {"ask": "contract", "contract": number, "melds": [few, one]},
        {"ask": "meld", "contract": number, "kind": "set", "cards": few},
        {"ask": "meld", "contract": number, "kind": "run", "cards": few},
        {"ask": "layoff", "kind": "run", "meld": few, "add": one},
        {"ask": "swap", "kind": "set", "meld": few, "position": 1, "card": one, "owner": "self"},
    ):
        answer = answer_under(rules, question)
        assert isinstance(answer["legal"], bool), question
