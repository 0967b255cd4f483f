"""Laws of the judge that hold for all cards, whatever the rule set and its house rules."""

import json
import re
from dataclasses import replace
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import Phase, assume, event, given, settings
from hypothesis import strategies as st

from app.rules.advice import judge_with_advice
from app.rules.cards import JOKER, RANKS, SUITS, Card, cards_in_words, one_card_phrase, read_cards
from app.rules.contracts import Contract, Kind, Part
from app.rules.judge import UnreadableQuestion, answer
from app.rules.judge_questions import answer_question, read_question
from app.rules.laydown import judge_contract
from app.rules.layoffs import judge_layoff, lacks_cards_on_table, read_table_meld
from app.rules.melds import judge_meld, judge_part, keeps_wild_limit
from app.rules.rule_sets import FaultyRules, family_rule_sets, with_house_rules
from app.rules.shapes import place_cards
from app.rules.variant import Variant
from app.rules.verdicts import Code, Verdict
from tests.any_rules import WITH_CONTRACTS, rule_sets
from tests.draws import drawn
from tests.strategies import deck, hands, house_rules

RULE_SETS = sorted(family_rule_sets().values(), key=lambda one: one.id)
KINDS: tuple[Kind, ...] = ("set", "run")


@st.composite
def rules_as_played(draw: st.DrawFn) -> Variant:
    """A rule set, as written or with up to four house rules."""
    rules = draw(st.sampled_from(RULE_SETS))
    try:
        return with_house_rules(rules, draw(house_rules()))
    except FaultyRules:
        return rules


@st.composite
def meld_for(draw: st.DrawFn, rules: Variant, part: Part) -> list[Card]:
    """Cards for a part of a contract, in any order, and sometimes not quite right."""
    if part.kind == "set":
        ranks = [rank for rank in RANKS if not rules.is_wild(Card(rank, "S"))]
        rank = draw(st.sampled_from(ranks))
        cards = [Card(rank, draw(st.sampled_from(SUITS))) for _ in range(part.size)]
    else:
        start = draw(st.integers(0, len(rules.run_ranks) - part.size))
        suit = draw(st.sampled_from(SUITS))
        cards = [Card(rank, suit) for rank in rules.run_ranks[start : start + part.size]]
    wilds = [card for card in deck(rules) if rules.is_wild(card)]
    for place in range(part.size):
        if wilds and draw(st.integers(0, 3)) == 0:
            cards[place] = draw(st.sampled_from(wilds))
    return draw(st.permutations(cards))


def asking_for(rules: Variant, kind: Kind, size: int) -> Variant:
    """The rules with one contract more, which asks for that meld."""
    one_more = Contract(len(rules.contracts) + 1, (Part(kind, size),))
    return replace(rules, contracts=(*rules.contracts, one_more))


def sense(verdict: Verdict) -> object:
    """What a verdict says, whatever order its readings come in."""
    return verdict.legal, verdict.reasons, frozenset(verdict.readings)


@settings(max_examples=drawn(120))
@given(rules_as_played(), st.sampled_from(KINDS), st.integers(3, 9), st.data())
def test_the_order_of_cards_never_matters_for_a_new_meld(
    rules: Variant, kind: Kind, size: int, data: st.DataObject
) -> None:
    rules = asking_for(rules, kind, size)
    near = data.draw(st.booleans())
    cards = data.draw(meld_for(rules, Part(kind, size)) if near else hands(rules, 1, 8))
    shuffled = data.draw(st.permutations(cards))
    verdict = judge_meld(rules, kind, cards, size=size)
    event(f"legal: {verdict.legal}")
    assert sense(verdict) == sense(judge_meld(rules, kind, shuffled, size=size))
    extra = judge_meld(rules, kind, cards, contract=1)
    assert sense(extra) == sense(judge_meld(rules, kind, shuffled, contract=1))


@settings(max_examples=drawn(120))
@given(rules_as_played(), st.sampled_from(["at_most_naturals", "fewer_than_naturals"]), st.data())
def test_too_many_wild_cards_of_any_so_many_are_more_than_the_limit(
    rules: Variant, limit: Any, data: st.DataObject
) -> None:
    rules = replace(rules, wild_limit=limit, wilds_adjacent=True, layoff_check="each_card")
    wilds = [one for one in deck(rules) if rules.is_wild(one)]
    assume(wilds)
    part = Part("run", data.draw(st.integers(3, 5)))
    line = rules.run_ranks[3 : 4 + part.size + data.draw(st.integers(0, 3))]
    half = len(line) // 2  # the whole keeps the limit, or nearly
    places = data.draw(st.permutations([True] * half + [False] * (len(line) - half)))
    cards = [
        data.draw(st.sampled_from(wilds)) if is_wild else Card(rank, "H")
        for rank, is_wild in zip(line, places, strict=True)
    ]
    for one in judge_part(rules, part, cards).reasons:
        if said := re.match(r"Too many wild cards: at least (\d+) of any (\d+)", str(one.message)):
            event("at least so many of any so many")
            held, of = map(int, said.groups())
            assert not keeps_wild_limit(rules, held, of - held)


@settings(max_examples=drawn(60))
@given(rules_as_played(), st.data())
def test_where_a_meld_is_wrong_nobody_is_told_first_that_another_is_missing(
    rules: Variant, data: st.DataObject
) -> None:
    contract = data.draw(st.sampled_from(rules.contracts))
    melds = [data.draw(meld_for(rules, part)) for part in contract.parts[1:]]
    assume(melds)
    texts = [" ".join(map(str, meld)) for meld in melds]
    asked = {"ask": "contract", "contract": contract.number, "melds": texts}
    found = answer(read_question(rules, asked))
    event(found.state)
    if found.state == "illegal":
        assert "but you have" not in str(found.explanation[0].message)


@settings(max_examples=drawn(100))
@given(rules_as_played(), st.data())
def test_the_order_of_melds_and_of_cards_never_matters_for_a_contract(
    rules: Variant, data: st.DataObject
) -> None:
    contract = data.draw(st.sampled_from(rules.contracts))
    melds = [data.draw(meld_for(rules, part)) for part in contract.parts]
    one = judge_contract(rules, contract.number, melds, decks=3)
    shuffled = [data.draw(st.permutations(meld)) for meld in melds]
    other = judge_contract(rules, contract.number, shuffled, decks=3)
    event(f"legal: {one.legal}")
    assert sense(one) == sense(other)
    moved = judge_contract(rules, contract.number, data.draw(st.permutations(melds)), decks=3)
    assert one.legal == moved.legal


@settings(max_examples=drawn(100))
@given(rules_as_played(), st.data())
def test_the_one_faulty_meld_is_judged_as_the_part_in_whose_place_it_was_entered(
    rules: Variant, data: st.DataObject
) -> None:
    contract = data.draw(st.sampled_from(rules.contracts))
    melds = [data.draw(meld_for(rules, part)) for part in contract.parts]
    fits = [
        judge_part(rules, part, meld).legal
        for part, meld in zip(contract.parts, melds, strict=True)
    ]
    verdict = judge_contract(rules, contract.number, melds, decks=3)
    assume(fits.count(False) == 1 and len(fits) > 1 and not verdict.legal)
    assume(verdict.reason_code is not Code.IMPOSSIBLE_CARDS)
    place = fits.index(False)
    part = contract.parts[place]
    named = [
        f"Meld {place + 1} ({part.words}): ",
        f"Meld {place + 1} isn’t a {part.words}.",
        f"Still missing: {part.words}.",
    ]
    for reason in verdict.reasons:
        if reason.rule != "two_sets_same_rank":
            assert any(one in str(reason.message) for one in named)


@settings(max_examples=drawn(120))
@given(rules_as_played(), st.sampled_from(KINDS), st.integers(2, 9), st.booleans(), st.data())
def test_a_reading_laid_down_in_its_order_is_read_the_same_on_the_table(
    rules: Variant, kind: Kind, size: int, extra: bool, data: st.DataObject
) -> None:
    if extra:
        least = data.draw(st.integers(2, 4))
        rules = with_house_rules(rules, {"extra_set_min": least, "extra_run_min": least})
    cards = data.draw(meld_for(rules, Part(kind, size)))
    rules = asking_for(rules, kind, size)
    asked = {"contract": 1} if extra else {"size": size}
    verdict = judge_meld(rules, kind, cards, **asked, decks=3)
    event(f"legal: {verdict.legal}")
    for (reading,) in verdict.readings:
        on_table, faults = read_table_meld(rules, kind, [one.card for one in reading])
        assert [place_cards(rules, table) for table in on_table] == [reading]
        assert faults == []


@settings(max_examples=drawn(80))
@given(rules_as_played(), st.sampled_from(KINDS), st.integers(2, 9), st.data())
def test_a_new_meld_has_a_natural_card_and_no_more_wild_ones_than_its_limit(
    rules: Variant, kind: Kind, size: int, data: st.DataObject
) -> None:
    cards = data.draw(meld_for(rules, Part(kind, size)))
    rules = asking_for(rules, kind, size)
    verdict = judge_meld(rules, kind, cards, size=size, decks=3)
    for (reading,) in verdict.readings:
        wild = sum(one.is_wild for one in reading)
        natural = len(reading) - wild
        assert natural >= 1
        assert rules.wild_limit == "none" or wild <= natural
        assert rules.wild_limit != "fewer_than_naturals" or wild < natural


@settings(max_examples=drawn(120))
@given(rules_as_played(), st.integers(3, 9), st.booleans(), st.data())
def test_an_end_card_of_a_legal_run_can_be_laid_off_again_where_lay_offs_are_free(
    rules: Variant, size: int, low_end: bool, data: st.DataObject
) -> None:
    free = with_house_rules(rules, {"wild_limit_scope": "initial_only"})
    free = asking_for(free, "run", size)
    cards = data.draw(meld_for(free, Part("run", size)))
    verdict = judge_meld(free, "run", cards, size=size, decks=3)
    event(f"legal: {verdict.legal}")
    for (reading,) in verdict.readings:
        run = [one.card for one in reading]
        rest, end = (run[1:], run[0]) if low_end else (run[:-1], run[-1])
        if not read_table_meld(free, "run", rest)[0]:
            continue
        laid_off = judge_layoff(free, "run", rest, [end], decks=3)
        assert laid_off.legal
        assert (reading,) in laid_off.readings


@settings(max_examples=drawn(120))
@given(rules_as_played(), st.sampled_from(KINDS), st.integers(3, 7), st.data())
def test_a_card_left_out_for_later_can_then_be_laid_off(
    rules: Variant, kind: Kind, size: int, data: st.DataObject
) -> None:
    cards = data.draw(meld_for(rules, Part(kind, size + 1)))
    rules = asking_for(rules, kind, size)
    judge = partial(judge_meld, rules, kind, size=size, decks=3)
    advice = str(judge_with_advice(rules, cards, judge, (kind,)).advice or "")
    event(advice.split(" ", 1)[0] + (" later" if "later" in advice else ""))
    if "later" in advice:
        rests = [[*cards[:place], *cards[place + 1 :]] for place in range(len(cards))]
        place = next(place for place, rest in enumerate(rests) if judge(rest).legal)
        readings = judge(rests[place]).readings
        laid = [[one.card for one in reading] for (reading,) in readings]
        assert any(judge_layoff(rules, kind, one, [cards[place]], decks=3).legal for one in laid)


ADVICE = re.compile(r"Replace (.+) with (.+)\.|Leave (.+) out\b.*")


def cards_called(words: str) -> list[Card]:
    """The cards that people may take for a card of those words."""
    every = [Card(rank, suit) for rank in RANKS for suit in ("", *SUITS)] + [Card(JOKER)]
    named = next(one for one in every if str(one_card_phrase(one)) == words)
    bare = not named.suit and not named.is_joker
    return [Card(named.rank, suit) for suit in SUITS] if bare else [named]


@settings(max_examples=drawn(200))
@given(
    rules_as_played() | rule_sets(WITH_CONTRACTS),
    st.sampled_from(KINDS),
    st.integers(2, 6),
    st.integers(0, 2),
    st.integers(1, 3),
    st.data(),
)
def test_advice_helps_whatever_cards_of_its_words_are_taken(
    rules: Variant, kind: Kind, size: int, more: int, decks: int, data: st.DataObject
) -> None:
    assume(kind == "set" or size + more <= len(rules.run_ranks))
    cards = data.draw(meld_for(rules, Part(kind, size + more)))
    if data.draw(st.booleans()):
        cards = [*cards[1:], data.draw(st.sampled_from(cards))]
    rules = asking_for(rules, kind, size)
    judge = partial(judge_meld, rules, kind, size=size, decks=decks)
    advice = str(judge_with_advice(rules, cards, judge, (kind,)).advice or "")
    event(advice.split(" ", 1)[0])
    if not advice:
        return
    of, by, left_out = ADVICE.fullmatch(advice).groups()
    for place, card in enumerate(cards):
        rest = [*cards[:place], *cards[place + 1 :]]
        if left_out == str(cards_in_words([card])):
            assert judge(rest).legal, (advice, cards)
        elif of == str(cards_in_words([card])) or (of == "one wild card" and rules.is_wild(card)):
            for one in cards_called(by):
                assert judge([*rest, one]).legal, (advice, cards, one)


@pytest.mark.parametrize("run_suit", ["any", "same"])
def test_a_card_that_helps_in_some_suits_only_is_named_with_one_of_them(run_suit: str) -> None:
    rules = with_house_rules(
        family_rule_sets()["frustration"],
        {"identical_cards_in_set": "forbid", "run_suit": run_suit},
    )
    judge = partial(judge_meld, rules, "set", size=3)
    advice = judge_with_advice(rules, read_cards("5H 5H 5S"), judge, KINDS[:1]).advice
    assert str(advice) == "Replace 5♥ with 5♦."


def test_a_wild_card_is_named_where_replacing_another_one_does_not_help() -> None:
    rules = family_rule_sets()["frustration"]
    judge = partial(judge_meld, rules, "set", size=4, decks=2)
    advice = judge_with_advice(rules, read_cards("5H 5S 2H 2H 2H 2S"), judge, KINDS[:1]).advice
    assert str(advice) == "Replace 2♥ with a 5."


@settings(max_examples=drawn(120))
@given(rules_as_played(), st.sampled_from(KINDS), st.integers(3, 7), st.data())
def test_the_order_in_which_cards_are_added_never_matters(
    rules: Variant, kind: Kind, size: int, data: st.DataObject
) -> None:
    meld = data.draw(meld_for(rules, Part(kind, size)))
    rules = asking_for(rules, kind, size)
    laid = judge_meld(rules, kind, meld, size=size, decks=3)
    assume(laid.legal)
    on_table = [one.card for one in laid.readings[0][0]]
    add = data.draw(hands(rules, 1, 3))
    shuffled = data.draw(st.permutations(add))
    one = judge_layoff(rules, kind, on_table, add, decks=3)
    other = judge_layoff(rules, kind, on_table, shuffled, decks=3)
    event(f"legal: {one.legal}")
    assert (one.legal, one.reason_code) == (other.legal, other.reason_code)


@settings(max_examples=drawn(120))
@given(rules_as_played(), st.integers(4, 9), st.data())
def test_a_legal_run_can_be_grown_in_one_turn_from_a_few_of_its_cards(
    rules: Variant, size: int, data: st.DataObject
) -> None:
    rules = asking_for(rules, "run", size)
    run = data.draw(meld_for(rules, Part("run", size)))
    whole = judge_meld(rules, "run", run, size=size, decks=3)
    assume(whole.legal)
    reading = [one.card for one in whole.readings[0][0]]
    first = data.draw(st.integers(0, size - 3))
    last = data.draw(st.integers(first + 3, size))
    rest, ends = reading[first:last], reading[:first] + reading[last:]
    end_state = with_house_rules(rules, {"layoff_check": "end_state"})
    assume(ends and read_table_meld(end_state, "run", rest)[0])
    event(f"cards added: {len(ends)}")
    assert judge_layoff(end_state, "run", rest, ends, decks=3).legal


# Anything at all as a question

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
CARDS = st.lists(
    st.sampled_from(
        ["5H", "5D", "2C", "JK", "AS", "3H", "4H", "6h", "T♠", "10D", "7", "X", "2H", "KS", "QS"]
    ),
    max_size=9,
).map(" ".join)
NEARLY_RIGHT: dict[str, st.SearchStrategy[Any]] = {
    "ask": st.sampled_from(["meld", "contract", "layoff", "swap", "hand", "score"]),
    "variant": st.sampled_from([one.id for one in RULE_SETS]),
    "contract": st.integers(0, 20),
    "players": st.integers(0, 13),
    "size": st.integers(0, 15),
    "kind": st.sampled_from(["set", "run"]),
    "cards": CARDS,
    "meld": CARDS,
    "add": CARDS,
    "hand": CARDS,
    "card": CARDS,
    "melds": st.lists(CARDS, max_size=5),
    "position": st.integers(0, 10),
    "owner": st.sampled_from(["self", "other"]),
    "table": st.lists(
        st.fixed_dictionaries({"kind": st.sampled_from(["set", "run"]), "meld": CARDS}), max_size=2
    ),
    "house_rules": house_rules()
    | st.dictionaries(
        st.sampled_from(["decks", "jokers", "penalties", "contracts", "deal", "twos", "win"]),
        ANYTHING,
        max_size=2,
    ),
}


@st.composite
def nearly_questions(draw: st.DrawFn) -> dict[str, Any]:
    """A question with all its fields, of which up to two are anything at all or missing."""
    question = {name: draw(values) for name, values in NEARLY_RIGHT.items() if name != "id"}
    for name in draw(st.lists(st.sampled_from(sorted(NEARLY_RIGHT)), max_size=2)):
        if draw(st.booleans()):
            question[name] = draw(ANYTHING)
        else:
            question.pop(name, None)
    return question


def answered(question: object) -> bool:
    """Is there an answer? Or is the question refused? Any other exception is a crash."""
    try:
        answer = answer_question(question)
    except UnreadableQuestion as fault:
        return not fault.field
    assert json.loads(json.dumps(answer)) == answer
    assert isinstance(answer["legal"], bool)
    assert answer["legal"] == (not answer["reasons"])
    return True


@settings(max_examples=drawn(160))
@given(nearly_questions())
def test_a_question_is_answered_or_refused_but_never_crashes(question: dict[str, Any]) -> None:
    event(f"answered: {answered(question)}")


@settings(max_examples=drawn(80))
@given(ANYTHING)
def test_what_is_no_question_is_refused(value: object) -> None:
    with pytest.raises(UnreadableQuestion):
        answer_question(value)


def additions(rules: Variant, meld: list[Card], most: int) -> list[tuple[Card, ...]]:
    """Up to so many cards that could be added to a meld of one suit or rank."""
    suits = {card.suit for card in meld if card.suit} or {"S"}
    ranks = {card.rank for card in meld if not rules.is_wild(card)} or {"5"}
    line = [Card(rank, suit) for rank in RANKS for suit in suits]
    same = [*(Card(rank, suit) for rank in ranks for suit in SUITS), Card(JOKER)]
    return [
        some
        for of in (line, same)
        for count in range(most + 1)
        for some in combinations_with_replacement(of, count)
    ]


@settings(max_examples=drawn(60), deadline=None, phases=(Phase.explicit, Phase.generate))
@given(rule_sets(WITH_CONTRACTS) | rules_as_played(), st.data())
def test_what_is_not_complete_yet_is_complete_with_some_more_cards(
    rules: Variant, data: st.DataObject
) -> None:
    part = Part(data.draw(st.sampled_from(KINDS)), data.draw(st.integers(2, 4)))
    rules = replace(rules, contracts=(Contract(1, (part,)),), last_contract=1)
    suit = data.draw(st.sampled_from(SUITS))
    near = [Card(rank, suit) for rank in rules.run_ranks[3:7]] + [Card(JOKER), Card("2", suit)]
    near += [Card("A", suit), Card("5", "D"), Card("5", "C")]
    meld = data.draw(st.lists(st.sampled_from(near), min_size=1, max_size=part.size + 1))
    verdict = judge_contract(rules, 1, [meld], decks=20)
    event(f"unfinished: {verdict.is_unfinished}")
    if verdict.is_unfinished:
        assert not {Code.ACE_NOT_LOW, Code.WRAPS_AROUND} & {one.code for one in verdict.reasons}
        assert any(
            judge_contract(rules, 1, [[*meld, *more]], decks=20).legal
            for more in additions(rules, meld, 3)
        )


@settings(max_examples=drawn(80), deadline=None, phases=(Phase.explicit, Phase.generate))
@given(rules_as_played(), st.sampled_from(KINDS), st.data())
def test_a_lay_off_that_lacks_cards_on_the_table_is_legal_with_wild_cards_there(
    rules: Variant, kind: Kind, data: st.DataObject
) -> None:
    twins = data.draw(st.sampled_from(("allow", "forbid")))
    limits: dict[str, Any] = {"wild_limit": "none", "identical_cards_in_set": twins}
    rules = replace(rules, **limits, wilds_adjacent=True, jokers=8)
    suit = data.draw(st.sampled_from(SUITS))
    near = [Card(rank, suit) for rank in rules.run_ranks[3:7]] + [Card(JOKER), Card("2", suit)]
    near += [Card("5", "D"), Card("5", "C")]
    if kind == "set":
        near = [*(Card("5", one) for one in SUITS), Card(JOKER), Card("6", suit)]
    cards = st.sampled_from(near)
    meld, add = (
        data.draw(st.lists(cards, min_size=1, max_size=2)),
        data.draw(st.lists(cards, min_size=1, max_size=2)),
    )
    assume(not all(rules.is_wild(one) for one in meld))  # wild cards alone lie nowhere
    lacks = lacks_cards_on_table(rules, kind, meld, add)
    event(f"lacks cards: {lacks}")
    more = [[Card(JOKER)] * count for count in range(5)]
    on_table = product(more, repeat=3) if kind == "run" else [([], [], more[4])]
    assert not lacks or any(
        judge_layoff(
            rules, kind, [*low, meld[0], *gap, *meld[1:], *high], [*add, *beside], decks=20
        ).legal
        for low, gap, high in on_table
        for beside in more[:3]
    )
