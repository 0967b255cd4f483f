"""No sentence states a limit that the rules in force do not have.

Each claim is a pattern of sentences and a question for the judge, who must say the same wherever a
sentence makes it: an answer of the Q&A, what it rests on, a verdict's reason, fact or note.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import pytest

from app.rules.cards import read_cards
from app.rules.contracts import Part
from app.rules.faq import faq_entries
from app.rules.faq.topics import FaqEntry
from app.rules.house_rules import changed_rules, house_rules_of
from app.rules.judge import answer, answer_any_meld
from app.rules.judge_questions import read_question
from app.rules.layoffs import judge_layoff, lay_off_words
from app.rules.melds import judge_meld, judge_part
from app.rules.rule_sets import FaultyRules, shipped_rule_sets, with_house_rules
from app.rules.swaps import judge_swap
from app.rules.variant import Variant

PLAYED = [one for one in shipped_rule_sets().values() if one.contracts]
JUDGED = ("frustration", "frustration-nineteen", "garbage-rummy")
"""A rule set of each limit for wild cards: the judge's sentences are alike in the others."""


def lays(kind: Any, cards: str, variant: Variant) -> bool:
    held = read_cards(cards)
    return judge_part(variant, Part(kind, len(held)), held).legal


def adds(kind: Any, meld: str, add: str, variant: Variant) -> bool:
    rules = replace(variant, jokers=8)
    return judge_layoff(rules, kind, read_cards(meld), read_cards(add), decks=4).legal


def swaps(kind: Any, meld: str, owner: Any, variant: Variant) -> bool:
    return judge_swap(variant, kind, read_cards(meld), 2, read_cards("4H")[0], owner, decks=4).legal


def as_more_wild(variant: Variant) -> bool:
    return lays("set", "8H JK JK", variant)


def extra(cards: str, variant: Variant) -> bool:
    return judge_meld(variant, "set", read_cards(cards), contract=1, decks=4).legal


def has(field: str, *values: object) -> Any:
    """What no card can ask for: how the rules draw, end and count."""
    return lambda variant: getattr(variant, field) in values


CLAIMS: Mapping[str, tuple[bool, Any]] = {
    # Of wild cards
    r"[Aa]t most half": (False, as_more_wild),
    r"[Ff]ewer than half": (False, partial(lays, "set", "8H 8D JK JK")),
    r"As many as you like, with": (True, partial(lays, "set", "8H JK JK JK")),
    r"the wild-card limit|limit also holds": (
        False,
        lambda rules: rules.wild_limit == "none" or as_more_wild(rules),
    ),
    r"limit only holds for a meld as you first lay": (
        True,
        partial(adds, "set", "8H 8D 8C JK", "JK JK JK"),
    ),
    r"wild cards can lie side by side": (True, lambda rules: rules.wilds_adjacent),
    r"another card must lie between|can’t be next to each other": (
        False,
        has("wilds_adjacent", True),
    ),
    r"pair can’t have a wild card": (False, partial(lays, "set", "4D JK")),
    r"1 card that isn’t wild is enough": (True, partial(lays, "set", "4D JK")),
    # Of ranks and suits
    r"2s? (and jokers )?are wild|every 2 is wild|the 2 is wild|wild 2|are the wild cards": (
        False,
        partial(lays, "set", "2H 2D 2S"),
    ),
    r"only jokers are wild|nothing else is wild": (True, partial(lays, "set", "2H 2D 2S")),
    r"all its cards have one suit|^A run has one suit|Cards of one suit in sequence": (
        False,
        partial(lays, "run", "5H 6D 7S 8C"),
    ),
    r"only the ranks must follow|in any suits\.?$(?<!rank, in any suits.)": (
        True,
        lambda rules: lays("run", "5H 6D 7S 8C", rules),
    ),
    r"High only|Aces are high here|lowest card of a (run|meld) is the 3": (
        False,
        partial(lays, "run", "AH 3H 4H 5H"),
    ),
    r"right before the 3|below the 2|ace can begin": (
        True,
        lambda rules: rules.run_ranks[0] == "A",
    ),
    r"run holds only 1 ace|ace at both ends here": (False, has("run_both_aces", "allow")),
    r"begin and end with an ace": (True, has("run_both_aces", "allow")),
    r"as an ordinary 2": (True, has("two_natural_in_own_slot", True)),
    r"wild even in its own place|the 2 of A-2-3-4 is wild": (
        False,
        has("two_natural_in_own_slot", True),
    ),
    r"only wild cards can repeat|can’t have [^.]* twice": (
        False,
        partial(lays, "set", "7H 7H 7D"),
    ),
    r"only the rank counts": (True, partial(lays, "set", "7H 7H 7D")),
    # Of contracts and what comes after them
    r"lay exactly 3|met exactly|takes exactly|lay down exactly the contract": (
        False,
        lambda rules: judge_part(rules, Part("set", 3), read_cards("9H 9D 9S 9C")).legal,
    ),
    r"meld can be bigger|contract asks for can be bigger": (
        True,
        lambda rules: judge_part(rules, Part("set", 3), read_cards("9H 9D 9S 9C")).legal,
    ),
    r"each set needs a rank of its own": (False, has("two_sets_same_rank", "allow")),
    r"two sets of 9s count as two": (True, has("two_sets_same_rank", "allow")),
    r"they stay two runs": (True, has("touching_runs", "allow")),
    r"begin where the other ends": (False, has("touching_runs", "allow")),
    r"any sets and runs": (True, has("extra_melds", "any")),
    r"only melds like those|must match": (True, has("extra_melds", "contract_parts")),
    r"only add cards to melds|can’t lay extra melds": (
        False,
        has("extra_melds", "any", "contract_parts"),
    ),
    r"new meld or|make a new one": (True, has("extra_melds", "any", "contract_parts")),
    r"[Ee]xtra runs? needs? (at least )?3 cards": (True, has("extra_run_min", 3)),
    r"from your next turn on|[Ff]rom the turn after": (False, has("extras_same_turn", True)),
    r"[Oo]nce your (own )?contract is down, you can add|right after your contract|"
    r"even if you have just laid it": (
        True,
        has("extras_same_turn", True),
    ),
    r"to any meld on the table|onto a meld on the table": (True, has("layoff_on_others", True)),
    r"only to your own melds|to your own melds\.": (False, has("layoff_on_others", True)),
    r"only the result counts": (True, has("layoff_check", "end_state")),
    r"must be legal after each|^Laid one at a time": (False, has("layoff_check", "end_state")),
    r"the wild card stays\.|wild card on the table stays": (
        False,
        has("wild_swap", "own", "others", "any"),
    ),
    r"only swap it for the card|or swap a wild card|in any meld on the table": (
        True,
        has("wild_swap", "own", "others", "any"),
    ),
    r"lets a joker be (swapped|replaced)|take a wild card from your own|in your own melds": (
        True,
        has("wild_swap", "own", "others", "any"),
    ),
    r"only out of runs|wild card in a set stays": (False, has("swap_in_sets", "any_suit")),
    r"for any card of that rank": (True, has("swap_in_sets", "any_suit")),
    r"No, only jokers\.|only take jokers": (False, has("swap_wild_twos", True)),
    # Of the turn
    r"must be a discard|keep 1 card to discard|discarded the last card": (
        True,
        has("must_discard_to_go_out", True),
    ),
    r"also (lay down or )?add your last card|No discard is needed|melds or discards the last": (
        False,
        has("must_discard_to_go_out", True),
    ),
    r"whole pile|[Bb]uy the discard pile": (True, has("discard_draw", "buy_pile")),
    r"only its top card": (True, has("discard_draw", "top_card")),
    r"you only draw on your own turn": (True, has("buying", "none")),
    r"1 more card from the draw pile": (True, has("buying", "one_more_card")),
    r"as often as you like": (True, has("most_buys", 0)),
    r"do so \d+ times": (False, has("most_buys", 0)),
    r"[Ss]huffles? all discards": (True, has("stock_exhausted", "reshuffle")),
    r"^The round ends\.": (True, has("stock_exhausted", "end_round")),
    r"knock on the table": (True, has("knock", True)),
    r"no one has to": (False, has("knock", True)),
    r"no score is kept": (True, has("keep_score", "no")),
}
"""Pattern: is what the second asks so where a sentence says this?"""

ASKED: tuple[dict[str, Any], ...] = (
    {"ask": "meld", "contract": 1, "kind": "set", "cards": "2S"},
    {"ask": "meld", "contract": 1, "kind": "set", "cards": "2S 2H 2D"},
    {"ask": "meld", "contract": 1, "kind": "set", "cards": "JK JK"},
    {"ask": "meld", "contract": 1, "kind": "set", "cards": "8H 2S 2C"},
    {"ask": "meld", "contract": 1, "kind": "set", "cards": "8H 8D 2S 2C"},
    {"ask": "meld", "contract": 1, "kind": "set", "cards": "7H 7H 7D"},
    {"ask": "meld", "contract": 1, "kind": "set", "cards": "4D 2S"},
    {"ask": "meld", "contract": 1, "kind": "run", "cards": "5H 2S 2C 8H"},
    {"ask": "meld", "contract": 1, "kind": "run", "cards": "KH AH 3H"},
    {"ask": "meld", "contract": 1, "kind": "run", "cards": "AH 3H 4H 5H"},
    {"ask": "meld", "contract": 1, "kind": "run", "cards": "5H 6D 7S 8C"},
    {"ask": "meld", "contract": 1, "kind": "run", "cards": "3S 2S 5S 2C 7S"},
    {"ask": "layoff", "kind": "set", "meld": "8H 8D 2S", "add": "2C 2H"},
    {"ask": "layoff", "kind": "run", "meld": "3S 2S 5S", "add": "2C 7S"},
    {
        "ask": "swap",
        "kind": "run",
        "meld": "3H 2S 5H 6H",
        "position": 2,
        "card": "4H",
        "owner": "self",
    },
    {
        "ask": "swap",
        "kind": "set",
        "meld": "9H 2S 9D",
        "position": 2,
        "card": "9S",
        "owner": "other",
    },
    {"ask": "contract", "contract": 1, "melds": ["9H 9D 9S 9C", "9H 9D 9S"]},
)


@cache
def claims_in(sentence: str) -> list[str]:
    return [one for one in CLAIMS if re.search(one, sentence)]


def answered(variant: Variant, entries: Iterable[FaqEntry]) -> Iterator[str]:
    """What the Q&A says of some rules."""
    for entry in entries:
        yield from (str(one) for one in (entry.answer, entry.reason, entry.grounds.why) if one)
    yield str(lay_off_words(variant))


def judged(variant: Variant) -> Iterator[str]:
    """What verdicts say under some rules."""
    for plain in ASKED:
        is_meld = plain["ask"] == "meld"
        for judge in (answer, answer_any_meld) if is_meld else (answer,):
            given = judge(read_question(variant, plain | {"players": 8}))
            yield from map(str, given.notes)
            for told in (*given.verdict.reasons, *given.verdict.facts):
                yield str(told.message)
                yield str(told.grounds.why or "")


def rules_over_all_choices() -> Iterator[tuple[Variant, Variant, str]]:
    for printed in PLAYED:
        yield printed, printed, ""
        for rule in house_rules_of(printed):
            for value in [one.value for one in rule.choices] or [0, 1, 2, 4]:
                with suppress(FaultyRules):
                    yield with_house_rules(printed, {rule.field: value}), printed, rule.group


@dataclass
class Walk:
    """What was met under all choices: each claim, those that are wrong, and needless questions."""

    claimed: set[str] = field(default_factory=set)
    wrong: dict[tuple[str, str], tuple[str, dict[str, object]]] = field(default_factory=dict)
    needless: list[tuple[str, str]] = field(default_factory=list)

    def hear(self, variant: Variant, printed: Variant, sentences: set[str]) -> None:
        truths: dict[str, bool] = {}
        for sentence in sentences:
            for pattern in claims_in(sentence):
                expected, ask = CLAIMS[pattern]
                self.claimed.add(pattern)
                if pattern not in truths:
                    truths[pattern] = bool(ask(variant))
                if truths[pattern] is not expected:
                    fields = changed_rules(printed, variant)
                    changed = {field: getattr(variant, field) for field in fields}
                    self.wrong.setdefault((pattern, sentence), (printed.id, changed))


@pytest.fixture(scope="module")
def walk() -> Walk:
    walk = Walk()
    for variant, printed, group in rules_over_all_choices():
        entries = faq_entries(variant, printed)
        of_cards = group in ("contract", "melds", "after") and printed.id in JUDGED
        said = {*answered(variant, entries), *(judged(variant) if of_cards else ())}
        walk.hear(variant, printed, said)
        walk.needless += [
            (printed.id, entry.id) for entry in entries if not is_raised(entry, variant, printed)
        ]
    return walk


def is_raised(entry: FaqEntry, variant: Variant, printed: Variant) -> bool:
    """Is a question one of these rules, or of these without the one that it asks for?"""
    own = {field: getattr(printed, field) for field in entry.topic.fields[:1]}
    asked = str(entry.question)
    has_pairs = any(p.size == 2 for one in variant.contracts for p in one.parts)
    return (
        (entry.topic.is_relevant(variant) or entry.topic.is_relevant(replace(variant, **own)))
        and (has_pairs or not re.search(r"\bpair\b", asked))
        and "Contract 0" not in asked
    )


def test_no_sentence_states_a_limit_that_the_rules_in_force_do_not_have(walk: Walk) -> None:
    assert not walk.wrong, "\n".join(f"{one}: {where}" for one, where in walk.wrong.items())
    assert walk.claimed == set(CLAIMS)


def test_no_question_is_shown_that_the_rules_do_not_raise(walk: Walk) -> None:
    assert walk.needless == []
