"""Why something is legal is said as well, with its source; of a part of a contract what stands."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.rules.cards import RANKS, cards_in_words, read_cards
from app.rules.faq.vocabulary import game_words
from app.rules.judge import answer as answer_of
from app.rules.judge_questions import answer_question, answer_to_json, read_question
from app.rules.melds import part_sizes
from app.rules.rule_sets import shipped_rule_sets, with_house_rules
from app.rules.variant import Variant

GARBAGE = {"variant": "garbage-rummy", "contract": 3}
RUN = {**GARBAGE, "ask": "meld", "kind": "run"}


def told(question: dict[str, Any], kind: str = "facts") -> list[str]:
    return [one["message"] for one in answer_question(question).get(kind, [])]


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        (
            {**RUN, "size": 4, "cards": "5H JK 7H 8H"},
            ["The joker stands for 6♥.", "That’s a run of 4."],
        ),
        (
            {**RUN, "size": 4, "cards": "5H 6H 7H 8H 9H"},
            ["That’s a run of 5: what a contract asks for can be bigger."],
        ),
        (
            {**RUN, "cards": "5H 6H 7H 8H"},
            ["An extra run needs at least 3 cards, and that’s a run of 4."],
        ),
        (
            {**RUN, "cards": "JH QH KH AH"},
            [
                "The ace goes after the king.",
                "An extra run needs at least 3 cards, and that’s a run of 4.",
            ],
        ),
        (
            {
                "ask": "meld",
                "variant": "frustration",
                "kind": "set",
                "size": 3,
                "cards": "9H 9C 2D",
            },
            ["That’s a set of 3.", "Wild cards: 1 of 3. At most half the cards can be wild."],
        ),
        (
            {**GARBAGE, "ask": "contract", "melds": ["5H JK 7H 8H", "9H 9C 9D"]},
            ["The joker stands for 6♥.", "That’s contract 3: set of 3 and run of 4."],
        ),
        (
            {**GARBAGE, "ask": "layoff", "kind": "run", "meld": "9H 10H JH", "add": "QH KH"},
            ["With Q♥ K♥ it’s a run of 5."],
        ),
        (
            {
                "ask": "layoff",
                "variant": "carioca",
                "kind": "run",
                "meld": "9H 10H JH QH",
                "add": "JK KH JK",
            },
            ["With K♥ and 2 jokers it’s a run of 7."],
        ),
        (
            {"ask": "score", "variant": "aggravation-rummy", "cards": "JK 7H KD JK 7S AC 2D 9H"},
            ["2 jokers: 2 × 25 = 50 · 2: 25 · A: 15 · K: 10 · 7, 7, 9: 3 × 5 = 15"],
        ),
        (
            {"ask": "score", "variant": "garbage-rummy", "cards": "JK 5H"},
            ["one joker: 20 · 5: 5"],
        ),
    ],
)
def test_a_legal_verdict_says_why(question: dict[str, Any], facts: list[str]) -> None:
    assert told(question) == facts


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({**RUN, "size": 4, "cards": "5H 6H"}, "A run of 4 needs 4 cards, and you have 2."),
        ({**RUN, "cards": "5H 6H"}, "An extra run needs at least 3 cards, and you have 2."),
        (
            {**GARBAGE, "ask": "contract", "melds": ["5H 6H 7H", "9H 9C 9D"]},
            "Meld 1: A run of 4 needs 4 cards, and you have 3.",
        ),
        (
            {**RUN, "size": 4, "cards": "5H 6H 6D 7H"},
            "A run has one suit, and these have several.",
        ),
    ],
)
def test_a_reason_says_by_itself_what_asks_for_it(question: dict[str, Any], reason: str) -> None:
    assert told(question, "reasons")[0] == reason


def test_each_legal_verdict_of_the_case_book_but_those_on_hands_says_why() -> None:
    for file in (Path(__file__).parents[1] / "cases").glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            question = json.loads(line)
            if question["ask"] != "hand":
                answer = answer_question(question)
                for one in answer.get("facts", []):
                    assert one["message"], line
                    assert one["source"], line
                assert not answer["legal"] or answer["facts"], line


def test_what_each_card_counts_comes_to_the_points_in_every_rule_set() -> None:
    deck = " ".join(f"{rank}H {rank}S" for rank in RANKS)
    for variant in shipped_rule_sets().values():
        if not variant.contracts:
            continue
        jokers = " JK JK" if variant.joker_count(variant.decks) else ""
        question = {"ask": "score", "variant": variant.id, "cards": deck + jokers}
        answer = answer_question(question)
        (fact,) = answer["facts"]
        sums = [int(re.search(r"\d+$", one)[0]) for one in fact["message"].split(" · ")]
        assert sum(sums) == answer["points"], variant.id
        assert fact["source"], variant.id
        assert "joker joker" not in fact["message"]


@pytest.mark.parametrize("variant", shipped_rule_sets().values(), ids=lambda one: one.id)
def test_no_sentence_lists_jokers_one_by_one(variant: Variant) -> None:
    if not variant.contracts or not variant.joker_count(variant.decks):
        return
    jokers = read_cards("JK 5H JK")
    assert str(cards_in_words(jokers)) == "5♥ and 2 jokers"
    for kind, meld in (("set", "9H 9S 9D 9C"), ("run", "6H 7H 8H 9H 10H")):
        for add in ("JK JK", "JK"):
            question = {"ask": "layoff", "variant": variant.id, "kind": kind, "meld": meld}
            answer = answer_question({**question, "contract": 1, "add": add})
            said = " ".join(one["message"] for one in answer["reasons"] + answer.get("facts", []))
            assert not re.search(r"joker joker|With joker", said), said
    hand = {"ask": "hand", "variant": variant.id, "contract": 1}
    asked = read_question(variant, {**hand, "hand": "3H 8S KD JK JK"})
    assert not re.search(r"joker joker", " ".join(map(str, answer_of(asked).coaching.sentences)))


def test_what_is_laid_is_never_called_illegal_while_its_cards_come_in() -> None:
    for file in (Path(__file__).parents[1] / "cases").glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            question = json.loads(line)
            if question["ask"] != "meld" or not answer_question(question)["legal"]:
                continue
            variant = with_house_rules(
                shipped_rule_sets()[question["variant"]], question.get("house_rules", {})
            )
            cards = question["cards"].split()
            least = variant.extra_set_min if question["kind"] == "set" else variant.extra_run_min
            if variant.extra_melds == "contract_parts":
                least = len(cards)
            for count in range(1, question.get("size") or least):
                entered = {**question, "cards": " ".join(cards[:count])}
                state = answer_of(read_question(variant, entered)).state
                assert state in ("pending", "legal"), (entered, state)


@pytest.mark.parametrize(
    ("kind", "cards"), [("set", "5H 6H"), ("run", "5H 5D"), ("run", "5H 6S"), ("set", "5H 5H 5H")]
)
@pytest.mark.parametrize("size", [None, 4])
def test_a_fault_that_more_cards_cannot_heal_is_no_unfinished_meld(
    kind: str, cards: str, size: int | None
) -> None:
    question = {"ask": "meld", "kind": kind, "cards": cards, "contract": 3, "size": size}
    variant = shipped_rule_sets()["garbage-rummy"]
    assert answer_of(read_question(variant, question)).state == "illegal"


def test_what_is_added_to_is_never_called_illegal_while_its_cards_come_in() -> None:
    asked = 0
    for file in (Path(__file__).parents[1] / "cases").glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            question = json.loads(line)
            if question["ask"] != "layoff" or not answer_question(question)["legal"]:
                continue
            variant = with_house_rules(
                shipped_rule_sets()[question["variant"]], question.get("house_rules", {})
            )
            cards = question["meld"].split()
            for count in range(min(3, *part_sizes(variant, question["kind"]))):
                for add in ("", question["add"]):
                    entered = {**question, "meld": " ".join(cards[:count]), "add": add}
                    state = answer_of(read_question(variant, entered)).state
                    assert state == "pending", (entered, state)
                    asked += 1
    assert asked > 100


@pytest.mark.parametrize(
    ("kind", "meld", "add", "state"),
    [
        ("set", "9H", "9D", "pending"),
        ("set", "9H", "JK", "pending"),
        ("set", "9H JK", "9D", "pending"),
        ("set", "9H", "KD", "illegal"),
        ("set", "9H", "9H", "pending"),
        ("set", "9H 8H", "", "pending"),
        ("run", "9H", "", "pending"),
        ("run", "5H 9H", "JH", "pending"),
        ("run", "5H 9H", "7H", "illegal"),
        ("run", "9H", "9H", "illegal"),
        ("run", "10H 9H", "", "pending"),
        ("run", "9H 10S", "", "pending"),
        ("run", "9H 10H", "JS", "illegal"),
        ("run", "JK JK", "9H", "pending"),
        ("run", "9H 10S JS", "QH", "illegal"),
    ],
)
def test_a_lay_off_is_unfinished_until_cards_are_added_and_while_only_cards_lack_on_the_table(
    kind: str, meld: str, add: str, state: str
) -> None:
    question = {"ask": "layoff", "kind": kind, "meld": meld, "add": add}
    variant = shipped_rule_sets()["garbage-rummy"]
    assert answer_of(read_question(variant, question)).state == state


@pytest.mark.parametrize("on_others", [True, False])
@pytest.mark.parametrize("same_turn", [True, False])
def test_a_legal_lay_off_says_since_when_and_to_whose_melds(
    *, on_others: bool, same_turn: bool
) -> None:
    rules = replace(
        shipped_rule_sets()["carioca"], layoff_on_others=on_others, extras_same_turn=same_turn
    )
    question = {"ask": "layoff", "kind": "run", "meld": "9H 10H JH QH", "add": "KH"}
    legal, other = (
        answer_to_json(answer_of(read_question(rules, question | {"add": one})))
        for one in ("KH", "3S")
    )
    since = "Once your contract is down" if same_turn else "From the turn after your contract"
    whose = "any meld on the table" if on_others else "your own melds"
    assert legal["notes"] == [f"{since}, you can add cards to {whose}."]
    assert "notes" not in other
    assert str(game_words(rules)["lay_off"].sentence) == legal["notes"][0]


def test_of_an_unfinished_contract_it_is_said_what_stands_and_what_is_missing_once() -> None:
    one_laid = {**GARBAGE, "ask": "contract", "melds": ["", "5H JK 7H 8H"]}
    assert told(one_laid) == ["Already legal: run of 4."]
    assert told(one_laid, "reasons") == ["Still missing: set of 3."]
    none_laid = {**one_laid, "melds": ["", ""]}
    assert told(none_laid) == []
    assert told(none_laid, "reasons") == ["Still missing: set of 3 and run of 4."]


@pytest.mark.parametrize(
    ("second", "stands"),
    [("7H 8H 9H 10H", []), ("8H 9H 10H JH", ["Already legal: 2 runs of 4."])],
)
def test_runs_that_a_contract_cannot_have_together_are_not_said_to_stand(
    second: str, stands: list[str]
) -> None:
    rules = with_house_rules(shipped_rule_sets()["carioca"], {"touching_runs": "forbid"})
    asked = {"ask": "contract", "contract": 6, "melds": ["", "3H 4H 5H 6H", second]}
    answer = answer_to_json(answer_of(read_question(rules, asked)))
    assert [one["message"] for one in answer.get("facts", [])] == stands
    reasons = {one["message"] for one in answer["reasons"]}
    cannot = "One run of a contract can’t continue another here."
    assert (cannot in reasons) is not bool(stands)


@pytest.mark.parametrize(
    "others", [("", ""), ("9S 9H", ""), ("9S 9H 2D", ""), ("9S 9H 2D", "6S 6H")]
)
def test_a_full_meld_that_is_illegal_is_named_whatever_the_others_lack(
    others: tuple[str, str],
) -> None:
    rules = shipped_rule_sets()["frustration-rummy"]
    question = {"ask": "contract", "variant": "frustration-rummy", "contract": 1}
    melds = [others[0], "JS 2H JK", others[1]]
    answer = answer_of(read_question(rules, question | {"melds": melds}))
    assert answer.state == "illegal"
    assert str(answer.explanation[0].message).startswith("Meld 2 (set of 3): Too many wild cards")
    assert "Meld 2 (set of 3): Too many" in str(answer.recorded_verdict.message)
    melds[1] = "JS 2H"
    unfinished = answer_of(read_question(rules, question | {"melds": melds}))
    assert unfinished.state == "pending"


@pytest.mark.parametrize(
    ("melds", "said"),
    [
        (["3H 2S 2C 6D 2H 2D 9C 10C"], "Too many wild cards: at least 4 of any 7."),
        (["3H 2S 2C 2H 2D 2S 9C 10C"], "Too many wild cards: 5 of 8."),
        (["3H 2S 2C 2H 2D 8C 9C"], "Too many wild cards: 4 of 7."),
    ],
)
def test_of_a_larger_meld_it_is_said_in_how_many_cards_the_wild_ones_are_counted(
    melds: list[str], said: str
) -> None:
    question = {"ask": "contract", "variant": "frustration", "contract": 3, "melds": melds}
    assert told(question, "reasons") == [f"{said} At most half the cards can be wild."]


@pytest.mark.parametrize(
    ("same_turn", "note"),
    [
        (True, "Once your contract is down, you can lay extra melds."),
        (False, "From the turn after your contract, you can lay extra melds."),
    ],
)
def test_a_legal_extra_meld_says_since_when_and_a_ruling_on_it_does_too(
    *, same_turn: bool, note: str
) -> None:
    rules = replace(shipped_rule_sets()["frustration"], extras_same_turn=same_turn)
    question = {"ask": "meld", "kind": "set", "cards": "5H 5D 5C"}
    answer = answer_of(read_question(rules, question))
    assert [str(one) for one in answer.notes] == [note]
    assert str(answer.recorded_verdict.message).endswith(note)
    part = answer_of(read_question(rules, question | {"size": 3}))
    assert part.notes == ()
