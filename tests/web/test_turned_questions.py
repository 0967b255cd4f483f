"""Turning from one kind of question to another and back: what each needs is kept."""

from itertools import permutations
from urllib.parse import parse_qsl, urlencode

import pytest
from werkzeug.datastructures import MultiDict

from app.rules.judge_questions import CARD_FIELDS
from app.rules.rule_sets import rule_set_by_id
from app.web.checker.question import AskedQuestion

MELDS = {"m": ["5H JK JK"], "aside": ["KH KD KC", "2H", "5H JK JK"], "at": "2", "kind": "run"}
ADDED = {"layoff": {"add": "8H"}, "swap": {"add": "6H", "position": "3", "owner": "self"}}
ON_TABLE = {"m": ["4H 5H 6H JK"], "table": ["9C 9D 9S", "5H JK JK"], "table-kind": ["set", "run"]}
QUESTIONS = [
    ("contract", {"m": ["KH KD KC", "", "5H JK JK"], "at": "2"}),
    ("hand", ON_TABLE),
    ("score", {"m": ["KH JK"]}),
    *(("meld", {**MELDS, "size": size}) for size in ("any", "", "4")),
    ("meld", {"kind": "run", "size": "any"}),
    ("meld", {"m": ["5H 6H JK 8H"], "kind": "run", "size": "4"}),
    *((ask, {**MELDS, **more}) for ask, more in ADDED.items()),
    *((ask, {"kind": "run"}) for ask in ADDED),
]
"""Questions of each kind, each with all that can be said and entered for it."""


def read(said: dict[str, object]) -> AskedQuestion:
    variant = rule_set_by_id("frustration-rummy")
    address = MultiDict(parse_qsl(urlencode(said, doseq=True), keep_blank_values=True))
    return AskedQuestion.from_args(address, variant, lambda _name: variant)


def turned(question: AskedQuestion, *way: str) -> AskedQuestion:
    """The question after these kinds were pressed, each on the page of the one before."""
    for ask in way:
        question = read(question.turned_to(ask).address_args())
    return question


WAYS = [*permutations(CARD_FIELDS, 1), *permutations(CARD_FIELDS, 2)]


@pytest.mark.parametrize(("ask", "said"), QUESTIONS)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_a_question_is_the_same_again_after_others_but_for_what_a_contract_begins_anew(
    ask: str, said: dict[str, object], way: tuple[str, ...]
) -> None:
    """A contract can have other melds, so that its part is chosen anew."""
    question = read({"ask": ask, "contract": "3", "players": "4", **said})
    back = turned(question, *way, ask)
    begins = {"size"} if "contract" in way and ask == "meld" and question.aside else set()
    asked, again = question.judged_args, back.judged_args
    assert {x: again.get(x) for x in asked if x not in begins} == {
        x: asked[x] for x in asked if x not in begins
    }
    assert [*filter(None, back.all_melds)] == [*filter(None, question.all_melds)]
    assert back.at == question.at
    assert begins or again == asked


@pytest.mark.parametrize("ask", ["meld", "layoff", "swap"])
def test_what_was_said_of_a_meld_is_not_said_of_another(ask: str) -> None:
    question = read({"ask": ask, "contract": "3", **MELDS, "size": "4"})
    for other in (question.turned_to(ask, 0), question.turned_to("contract")):
        entered = read({**other.address_args(), "at": "0"})
        asked = turned(entered, ask)
        assert asked.text("kind") == "set"
        assert asked.ask != "meld" or asked.is_any_meld


@pytest.mark.parametrize("on_the_way", ["meld", "hand", "swap"])
@pytest.mark.parametrize("of_one", ["meld", "layoff", "swap"])
def test_a_contract_and_a_meld_that_is_none_of_it_keep_each_their_own_cards(
    of_one: str, on_the_way: str
) -> None:
    meld = read({"ask": of_one, "contract": "3", "m": ["9H 9C 9D"]})
    contract = turned(meld, on_the_way, "contract")
    assert not any(contract.melds)
    piles = ["JH JC JD", "5H 5C 5D", "KH KC"]
    entered = read({**contract.address_args(), "m": piles})
    again = turned(entered, on_the_way, of_one)
    assert (again.melds, again.aside) == (("9H 9C 9D",), ())
    assert list(turned(again, "contract").melds) == piles
