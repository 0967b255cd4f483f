"""Laws of the judge, whatever the cards: order never matters, and what is read can be laid so."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from app.rules import Card, judge_contract, judge_layoff, judge_meld
from app.rules.cards import JOKER, RANKS, SUITS
from app.rules.layoffs import read_on_table
from app.rules.loading import variants

EVERY = st.sampled_from(list(variants().values()))
CARDS = st.builds(Card, st.sampled_from(RANKS), st.sampled_from(SUITS)) | st.just(Card(JOKER))
KINDS = st.sampled_from(["set", "run"])


@st.composite
def melds(draw, variant, least: int = 3, most: int = 9) -> list[Card]:
    """Cards that are nearly a meld: a stretch or a rank, with wild cards and a stranger or so."""
    size = draw(st.integers(least, most))
    suit = draw(st.sampled_from(SUITS))
    if draw(st.booleans()):
        start = draw(st.integers(0, max(0, len(variant.line) - size)))
        cards = [Card(rank, suit) for rank in variant.line[start : start + size]]
    else:
        rank = draw(st.sampled_from(RANKS))
        cards = [Card(rank, SUITS[place % 4]) for place in range(size)]
    wild = [Card("2", "S"), Card("2", "C"), Card("2", "D"), Card(JOKER), Card(JOKER)]
    for stranger in draw(st.lists(st.sampled_from(wild) | CARDS, max_size=3)):
        cards[draw(st.integers(0, len(cards) - 1))] = stranger
    return cards


@given(data=st.data(), variant=EVERY, kind=KINDS)
def test_the_order_of_the_cards_of_a_new_meld_never_matters(data, variant, kind):
    cards = data.draw(melds(variant))
    mixed = data.draw(st.permutations(cards))
    asked = {"contract": 1, "size": len(cards)}
    assert judge_meld(variant, kind, cards, **asked) == judge_meld(variant, kind, mixed, **asked)


@given(data=st.data(), variant=EVERY)
def test_the_order_of_the_melds_of_a_contract_never_matters(data, variant):
    contract = data.draw(st.sampled_from(variant.contracts))
    offered = [data.draw(melds(variant, part.size, part.size)) for part in contract.parts]
    mixed = data.draw(st.permutations(offered))
    first = judge_contract(variant, contract.number, offered, decks=4)
    second = judge_contract(variant, contract.number, mixed, decks=4)
    assert first.legal == second.legal
    assert first.code == second.code


@given(data=st.data(), variant=EVERY, kind=KINDS)
def test_what_is_read_from_new_cards_may_lie_so_on_the_table(data, variant, kind):
    cards = data.draw(melds(variant))
    verdict = judge_meld(variant, kind, cards, size=len(cards), decks=4)
    for (meld,) in verdict.readings:
        on_table, reasons = read_on_table(variant, kind, [one.card for one in meld])
        assert on_table, reasons


@given(data=st.data(), variant=EVERY, kind=KINDS)
def test_a_meld_is_read_with_no_more_wild_cards_than_its_limit(data, variant, kind):
    cards = data.draw(melds(variant))
    verdict = judge_meld(variant, kind, cards, size=len(cards), decks=4)
    for (meld,) in verdict.readings:
        wild = sum(one.is_wild for one in meld)
        assert wild < len(meld)
        if variant.wild_limit == "at_most_naturals":
            assert 2 * wild <= len(meld)
        if variant.wild_limit == "fewer_than_naturals":
            assert 2 * wild < len(meld)


@given(data=st.data(), variant=EVERY)
def test_the_last_card_of_a_legal_meld_may_have_been_laid_off_later(data, variant):
    cards = data.draw(melds(variant, 4, 8))
    kind = data.draw(KINDS)
    verdict = judge_meld(variant, kind, cards, size=len(cards), decks=4)
    assume(verdict.legal)
    lying = [one.card for one in verdict.readings[0][0]]
    assume(any(not variant.is_wild(card) for card in lying[:-1]))
    assert judge_layoff(variant, kind, lying[:-1], lying[-1:], decks=4).legal


def test_the_examples_are_not_all_illegal():
    """The generators above make enough legal melds for the laws to mean something."""
    rng, legal = random.Random(7), 0
    for variant in variants().values():
        for _ in range(50):
            start, suit = rng.randrange(3, 6), rng.choice(SUITS)
            run = [Card(rank, suit) for rank in variant.line[start : start + 4]]
            legal += judge_meld(variant, "run", run, size=4).legal
    assert legal == 9 * 50
