"""The strip above the keypad says a verdict in a few lines, on the smallest phones as well."""

from dataclasses import replace
from textwrap import wrap
from typing import Any

import pytest

from app.rules.cards import cards_phrase
from app.rules.deciding import answer_with_deciding_rules
from app.rules.judge import answer, answer_any_meld
from app.rules.judge_questions import read_question
from app.rules.phrases import Translate, in_english
from app.rules.rule_sets import shipped_rule_sets, with_house_rules
from app.web.checker.question import ANY_SIZE, AskedQuestion
from app.web.checker.view_models import CheckPage
from tests.french import french
from tests.rules.test_case_book import EVERY_CASE

SIGN = "## "
"""As wide as the sign before the words."""
ONCE_LAID_DOWN = ("Legal, once you have laid down", "Valable, une fois votre contrat posé")
LINE, LINE_BESIDE_UNDO = 34, 28
"""So many letters of a wide typeface fit a line of 360 pixels; fewer where suits don't matter."""


def pages_of(case: dict[str, Any]) -> list[CheckPage]:
    """The checker with the question of a case; of a meld also as any set or run."""
    rules = shipped_rule_sets()[case["variant"]]
    rules = with_house_rules(rules, case.get("house_rules", {}))
    asked = AskedQuestion(rules).with_example(case)
    any_meld = replace(asked, texts={**asked.texts, "size": ANY_SIZE})
    found = []
    for one in (asked, any_meld) if asked.ask == "meld" else (asked,):
        judge = answer_any_meld if one.is_any_meld else answer
        given = answer_with_deciding_rules(judge, read_question(rules, one.plain_question))
        found.append(CheckPage(one, (), answer=given))
    return found


@pytest.mark.parametrize("language", [in_english, french])
def test_every_verdict_of_the_case_book_is_said_in_four_lines(language: Translate) -> None:
    too_long = []
    for page in (page for case in EVERY_CASE for page in pages_of(case)):
        said = page.strip.render(language)
        room = LINE if page.question.variant.run_suit == "same" else LINE_BESIDE_UNDO
        if len(wrap(SIGN + said, room)) > 4:
            too_long.append(said)
    assert too_long == []


@pytest.mark.parametrize(
    ("melds", "said"),
    [
        (
            "AH 3H 4H 2C/KH KS KD",
            "Legal. The ace can be low here, before the 3. The 2♣ stands for 5♥.",
        ),
        (
            "7H 2C JK 10H/KH KS KD",
            "Legal. The wild cards stand for 8♥ and 9♥. That’s contract 2: run of 4 and set of 3.",
        ),
        (
            "6H 7H 8H 9H/KH KS 2D",
            "Legal. That’s contract 2: run of 4 and set of 3. At most half the cards can be wild.",
        ),
    ],
)
def test_what_decides_is_said_first(melds: str, said: str) -> None:
    case = {"ask": "contract", "variant": "frustration-rummy", "contract": 2}
    (page,) = pages_of({**case, "melds": melds.split("/")})
    assert str(page.strip) == said


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("carioca", "Legal. The ace goes after the king. The joker stands for Q♥."),
        (
            "frustration-rummy",
            "Legal. The ace goes after the king. Wild cards: 1 of 4. At most half the cards can be "
            "wild.",
        ),
    ],
)
def test_how_many_wild_cards_a_meld_has_is_said_only_where_they_are_limited(
    rules: str, said: str
) -> None:
    case = {"ask": "meld", "variant": rules, "kind": "run", "cards": "JH JK KH AH", "size": 4}
    (page, _of_any_size) = pages_of(case)
    assert str(page.strip) == said


@pytest.mark.parametrize("language", [in_english, french], ids=["english", "french"])
def test_what_legal_cards_take_besides_is_said_unless_a_house_rule_decides(
    language: Translate,
) -> None:
    silent = []
    for page in (page for case in EVERY_CASE for page in pages_of(case)):
        answer = page.answer
        assert answer
        if answer.verdict.legal and answer.turn is None and not answer.decided_by:
            said = page.strip.render(language)
            if said in ONCE_LAID_DOWN and page.question.ask != "swap":
                continue
            silent += [said for one in answer.notes if one.render(language) not in said]
    assert silent == []


def test_a_meld_that_can_be_laid_down_is_in_one_line_however_wide_a_phone_is() -> None:
    seen = broken = 0
    for page in (page for case in EVERY_CASE for page in pages_of(case)):
        turn = page.answer and page.answer.turn
        melds = turn.laydown if turn and turn.can_lay_down else ()
        for meld in (one for one in melds if len(one.cards) <= 7):
            cards = str(cards_phrase(meld.cards))
            for room in range(len(cards) + 1, LINE):
                lines = [line.replace("\xa0", " ") for line in wrap(str(page.strip), room)]
                seen += 1
                broken += not any(cards in line for line in lines)
    assert (broken, seen > 0) == (0, True)
