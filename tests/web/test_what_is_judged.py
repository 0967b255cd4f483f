"""What of an address the judge reads: that alone is recorded, and says what was asked before."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from app.rules.judge import UnreadableQuestion, answer, answer_any_meld
from app.rules.judge_questions import CARD_FIELDS, read_question
from app.rules.rule_sets import rule_set_by_id, shipped_rule_sets
from app.rules.variant import Variant
from app.web.checker.question import AskedQuestion
from tests.web_table import PlainGame, fields_of

SIZES = ("any", "", "3")
KINDS = [*((ask, "") for ask in CARD_FIELDS if ask != "meld"), *(("meld", one) for one in SIZES)]
"""The kinds of question, of a meld each with a size that an address can say."""
ENTERED = {"m": "5H * 7H * 9H", "add": "10H", "table": "9C 9D 9S", "table-kind": "set"}
OTHERS: Mapping[str, tuple[str, ...]] = {
    "game": ("abc",),
    "seat": ("2",),
    "contract": ("2", "3", "4"),
    "kind": ("set",),
    "position": ("4",),
    "owner": ("self", "other"),
    "players": ("3", "4", "8"),
    "add": ("JH",),
    "table": ("8C 8D 8S",),
    "table-kind": ("run",),
    "aside": ("QH QD QC",),
    "at": ("1",),
    "kept-laid": ("QH",),
    "kept-meld": ("QH",),
    "kept-hand": ("QH",),
    "kept-score": ("QH",),
}
"""Other values of what an address can say, beside the kind of question and its cards."""


def asked(variant: Variant, ask: str, size: str, **changed: str) -> AskedQuestion:
    said = {"ask": ask, "variant": variant.id, "kind": "run", "contract": "1", "players": "2"}
    address = {**said, **ENTERED, "size": size, **changed}
    return AskedQuestion.from_args(MultiDict(address), variant, lambda _name: variant)


@pytest.mark.parametrize("rules", ["frustration", "aggravation-rummy", "twelve-step-rummy"])
@pytest.mark.parametrize(("ask", "size"), KINDS)
def test_what_the_judge_does_not_read_is_not_recorded_and_keeps_no_ruling_from_being_cited(
    rules: str, ask: str, size: str
) -> None:
    variant = rule_set_by_id(rules)
    question = asked(variant, ask, size)
    read = read_question(variant, question.plain_question)
    for name, texts in OTHERS.items():
        others = [asked(variant, ask, size, **{name: text}) for text in texts]
        same = [read_question(variant, one.plain_question) == read for one in others]
        for one, is_same in zip(others, same, strict=True):
            recorded = urlencode(one.address_args(), doseq=True)  # as older versions did
            assert (question.judged_in(recorded) == question.judged) is is_same, (name, recorded)
        if all(same) and name != "players":  # of which the judge reads how many decks they use
            assert all(one.judged_args == question.judged_args for one in others), name


def test_cards_of_all_suits_are_read_as_others_in_the_same_places() -> None:
    variant = rule_set_by_id("frustration")
    question = asked(variant, "meld", "", m="5C 6C 5D 5H 5S JK 6S")
    recorded = urlencode(asked(variant, "meld", "", m="5S 6S 5H 5D 5C JK 6C").address_args(), True)
    assert question.judged_in(recorded) == question.judged


@pytest.mark.parametrize("suit", ["H", "h", "♥", "♡", "S"])
def test_a_ruling_is_cited_however_its_cards_are_written_and_in_any_suit(suit: str) -> None:
    variant = rule_set_by_id("frustration")
    same = {"5H 6H 7H 8H": True, "5H 6H 7H 9H": False, "5H 6H 7S 8H": False, "5H 6H 7H x": False}
    for ask in ("meld", "layoff"):
        written = f" 5{suit}  6{suit} 7{suit} 8{suit}"
        question = asked(variant, ask, "", m=written, add=f"10{suit}")
        for cards, is_same in same.items():
            recorded = urlencode(asked(variant, ask, "", m=cards).address_args(), doseq=True)
            assert (question.judged_in(recorded) == question.judged) is is_same, (ask, cards)


@pytest.mark.parametrize(
    ("ask", "m", "add", "is_same"),
    [
        ("layoff", "5S 6S 7S", "8S", True),
        ("layoff", "6S 7S 8S", "5S", True),
        ("meld", "5D 6D 7D 8D", "", True),
        ("layoff", "5S 6S 7S", "9S", False),
        ("layoff", "5S 6S 7S", "8D", False),
        ("contract", "5D 6D 7D 8D", "", True),
    ],
)
def test_a_ruling_is_of_the_same_meld_whether_it_was_laid_at_once_or_cards_are_added(
    ask: str, m: str, add: str, is_same: bool
) -> None:
    variant = rule_set_by_id("frustration")
    recorded = urlencode(asked(variant, "meld", "any", m="5H 6H 7H 8H").address_args(), doseq=True)
    question = asked(variant, ask, "", m=m, add=add)
    own, other = question.judged, question.judged_in(recorded)
    assert own is not None
    assert other is not None
    assert (own.alike == other.alike) is is_same


@pytest.mark.parametrize("rules", [one.id for one in shipped_rule_sets().values() if one.contracts])
@pytest.mark.parametrize(("ask", "size"), KINDS)
def test_the_contract_is_judged_where_answers_depend_on_it(rules: str, ask: str, size: str) -> None:
    variant = rule_set_by_id(rules)
    question = asked(variant, ask, size)
    judge = answer_any_meld if question.is_any_meld else answer

    def told(number: int, cards: str) -> Any:
        plain = asked(variant, ask, size, m=cards).plain_question
        try:
            found = judge(read_question(variant, plain | {"contract": number}))
        except UnreadableQuestion as fault:
            return fault.phrase
        return found.verdict, found.points, found.turn

    depends = any(
        told(1, cards) != told(one.number, cards)
        for cards in (ENTERED["m"], "5H 5D 5C", "5H 6H 7H 8H", "")
        for one in variant.contracts
    )
    assert depends is question.depends_on_contract is ("contract" in question.judged_args)


@pytest.mark.parametrize("rules", ["frustration-rummy", "frustration-nineteen", "liverpool-rummy"])
def test_whose_contract_it_is_can_be_said_only_where_the_answer_depends_on_it(
    client: FlaskClient, rules: str
) -> None:
    """Extra melds follow the contract by Frustration Nineteen alone."""
    game = PlainGame.started(client, rules, "Anna Ben")
    for said, depends in (
        ("ask=contract", True),
        ("ask=hand", True),
        ("ask=meld&kind=set&size=any", False),
        ("ask=meld&kind=set&size=3", False),
        ("ask=meld&kind=set", rules == "frustration-nineteen"),
        ("ask=layoff&kind=set", False),
    ):
        address = f"/check?variant={rules}&game={game.key}&contract=1&m=5H+5D+5C&{said}"
        page = client.get(address).get_data(as_text=True)
        assert ('aria-label="Whose contract?"' in page) is depends, said
        assert fields_of(page, "question")["contract"] == "1", said
