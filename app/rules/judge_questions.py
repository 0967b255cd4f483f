"""One question for the judge as plain JSON values, and its verdict as plain JSON values.

The fields are those of the judge's file interface. A question that cannot be read raises
`UnreadableQuestion` with the field and what is wrong; cards that do not exist are a verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from app.rules.advice import judge_contract_with_advice, judge_with_advice
from app.rules.card_supply import supply_reasons
from app.rules.cards import Card, UnreadableCard, read_cards, write_cards
from app.rules.contracts import Kind
from app.rules.layoffs import judge_layoff, read_table_meld
from app.rules.melds import judge_meld
from app.rules.phrases import say
from app.rules.rule_sets import FaultyRules, shipped_rule_sets, with_house_rules
from app.rules.scoring import hand_points
from app.rules.solver import Solution, TableMeld, TooManyWays, solve, takes_every_card
from app.rules.swaps import Owner, judge_swap
from app.rules.variant import Variant
from app.rules.verdicts import Code, MeldReading, Reason, Verdict, illegal_verdict, make_reason

MOST_CARDS = 60
"""In one field; more than any table holds."""
_MOST_MELDS = 40
_MOST_PLAYERS = 12

Answer = dict[str, Any]


class UnreadableQuestion(ValueError):
    """A question that cannot be read: the `field`, and what is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(f"{field}: {reason}")


def answer_question(question: object) -> Answer:
    """The verdict on one question. Raises `UnreadableQuestion`.

    >>> answer_question({"ask": "score", "variant": "garbage-rummy", "cards": "2H JK"})["points"]
    25
    """
    if not isinstance(question, Mapping):
        raise UnreadableQuestion("line", "a question is a JSON object")
    _answerer(question)
    return answer_under(_variant(question), question)


def answer_under(variant: Variant, question: Mapping[str, Any]) -> Answer:
    """The verdict on a question under given rules; those that it names are passed over.

    Raises `UnreadableQuestion`.
    """
    answerer = _answerer(question)
    players = _number(question, "players", 1, _MOST_PLAYERS) if "players" in question else 0
    decks = variant.decks_for(players)
    try:
        answer = answerer(variant, question, decks)
    except UnreadableCard as fault:
        message = say("“{text}” isn’t a card.", text=fault.text)
        reason = make_reason(variant, Code.UNKNOWN_CARD, message, "decks")
        answer = _verdict_to_json(illegal_verdict(reason))
    return {"id": question["id"], **answer} if "id" in question else answer


def matches_expectation(answer: Answer, expect: object) -> bool:
    """Does an answer say what was expected: a legality, or each key of an object?"""
    if not isinstance(expect, Mapping):
        return answer.get("legal") is expect
    return all(_is_same_json(_value_at(answer, key), value) for key, value in expect.items())


def _is_same_json(said: object, expected: object) -> bool:
    """Are both the same JSON value? To Python true is 1, but not here."""
    return said == expected and isinstance(said, bool) is isinstance(expected, bool)


def _value_at(answer: Answer, key: object) -> object:
    if key == "code":
        reasons = answer.get("reasons") or [{}]
        return reasons[0].get("code")
    return answer.get(str(key))


# Reading a question


def _answerer(question: Mapping[str, Any]) -> "Answerer":
    ask = question.get("ask")
    answerer = _ANSWERERS.get(ask) if isinstance(ask, str) else None
    if answerer is None:
        raise UnreadableQuestion("ask", f"{ask!r:.40} is not one of {', '.join(_ANSWERERS)}")
    return answerer


def _variant(question: Mapping[str, Any]) -> Variant:
    name = question.get("variant")
    found = shipped_rule_sets().get(name) if isinstance(name, str) else None
    if found is None:
        raise UnreadableQuestion("variant", f"there is no rule set {name!r:.60}")
    house_rules = question.get("house_rules", {})
    if not isinstance(house_rules, Mapping):
        raise UnreadableQuestion("house_rules", "an object of fields and values is needed")
    try:
        return with_house_rules(found, house_rules)
    except FaultyRules as fault:
        raise UnreadableQuestion("house_rules", f"{fault.field}: {fault.reason}") from None


def _number(question: Mapping[str, Any], field: str, least: int, most: int) -> int:
    value = question.get(field)
    if not isinstance(value, int) or isinstance(value, bool):
        raise UnreadableQuestion(field, f"{value!r:.40} is not a whole number")
    if not least <= value <= most:
        raise UnreadableQuestion(field, f"{value!r:.40} is not between {least} and {most}")
    return value


def _contract(variant: Variant, question: Mapping[str, Any]) -> int:
    return _number(question, "contract", 1, len(variant.contracts))


def _optional_contract(variant: Variant, question: Mapping[str, Any]) -> int | None:
    return _contract(variant, question) if question.get("contract") is not None else None


def _one_of(question: Mapping[str, Any], field: str, choices: Any) -> Any:
    """The value of a field that is one of a pair of words."""
    value, (first, second) = question.get(field), get_args(choices)
    if value not in (first, second):
        raise UnreadableQuestion(field, f"{value!r:.40} is neither {first} nor {second}")
    return value


def _kind(question: Mapping[str, Any]) -> Kind:
    kind: Kind = _one_of(question, "kind", Kind)
    return kind


def _cards(value: object, field: str) -> tuple[Card, ...]:
    if not isinstance(value, str):
        raise UnreadableQuestion(field, "cards are a text such as “5H 6H JK”")
    if len(value) > MOST_CARDS * 8 or len(value.split()) > MOST_CARDS:
        raise UnreadableQuestion(field, f"more than {MOST_CARDS} cards")
    return read_cards(value)


def _cards_field(question: Mapping[str, Any], field: str) -> tuple[Card, ...]:
    if field not in question:
        raise UnreadableQuestion(field, "is missing")
    return _cards(question[field], field)


# Answering


def _answer_meld(variant: Variant, question: Mapping[str, Any], decks: int) -> Answer:
    kind, cards = _kind(question), _cards_field(question, "cards")
    size = _number(question, "size", 1, MOST_CARDS) if question.get("size") is not None else None
    contract = _optional_contract(variant, question)
    if size is None and contract is None and variant.extra_melds == "contract_parts":
        raise UnreadableQuestion("contract", "extra melds depend on the player's own contract")

    def judge(given: Sequence[Card]) -> Verdict:
        return judge_meld(variant, kind, given, size=size, contract=contract, decks=decks)

    return _verdict_to_json(judge_with_advice(variant, cards, judge))


def _answer_contract(variant: Variant, question: Mapping[str, Any], decks: int) -> Answer:
    number = _contract(variant, question)
    texts = question.get("melds")
    if not isinstance(texts, list) or len(texts) > _MOST_MELDS:
        raise UnreadableQuestion("melds", f"a list of at most {_MOST_MELDS} texts is needed")
    melds = [_cards(text, "melds") for text in texts]
    verdict = judge_contract_with_advice(variant, number, melds, decks=decks)
    return _verdict_to_json(verdict, several=True)


def _answer_layoff(variant: Variant, question: Mapping[str, Any], decks: int) -> Answer:
    _optional_contract(variant, question)
    kind, meld = _kind(question), _cards_field(question, "meld")

    def judge(given: Sequence[Card]) -> Verdict:
        return judge_layoff(variant, kind, meld, given, decks=decks)

    return _verdict_to_json(judge_with_advice(variant, _cards_field(question, "add"), judge))


def _answer_swap(variant: Variant, question: Mapping[str, Any], decks: int) -> Answer:
    meld, offered = _cards_field(question, "meld"), _cards_field(question, "card")
    if len(offered) != 1:
        raise UnreadableQuestion("card", "one card is needed")
    position = _number(question, "position", 1, max(1, len(meld)))
    owner: Owner = _one_of(question, "owner", Owner)
    if not meld:
        raise UnreadableQuestion("meld", "is empty")
    return _verdict_to_json(
        judge_swap(variant, _kind(question), meld, position, offered[0], owner, decks=decks)
    )


def _answer_hand(variant: Variant, question: Mapping[str, Any], decks: int) -> Answer:
    number, hand = _contract(variant, question), _cards_field(question, "hand")
    table = _table(question.get("table") or [])
    on_table = [card for meld in table for card in meld.cards]
    impossible = supply_reasons(variant, decks, (*hand, *on_table))
    if impossible:
        return _verdict_to_json(illegal_verdict(*impossible))
    for meld in table:
        readings, faults = read_table_meld(variant, meld.kind, meld.cards)
        if not readings:
            return _verdict_to_json(illegal_verdict(*faults))
    try:
        solution = _solution(variant, number, hand, table)
    except TooManyWays:
        fault = "this contract could be laid from the hand in too many ways to try them all"
        raise UnreadableQuestion("contract", fault) from None
    return _solution_to_json(variant, number, solution)


def _solution(
    variant: Variant, number: int, hand: Sequence[Card], table: Sequence[TableMeld]
) -> Solution:
    solution = solve(variant, number, hand, table)
    if not solution.can_lay_down and takes_every_card(variant, number, hand):
        # The melds are there, which is what is asked; the turn alone could not end with them.
        free = replace(variant, must_discard_to_go_out=False)
        laid = solve(free, number, hand)
        return replace(laid, can_go_out=False, remaining_cost=solution.remaining_cost)
    return solution


def _table(plain: object) -> list[TableMeld]:
    if not isinstance(plain, list) or len(plain) > _MOST_MELDS:
        raise UnreadableQuestion("table", f"a list of at most {_MOST_MELDS} melds is needed")
    melds = []
    for meld in plain:
        if not isinstance(meld, Mapping):
            raise UnreadableQuestion("table", "each meld is an object with kind and meld")
        melds.append(TableMeld(_kind(meld), _cards_field(meld, "meld")))
    return melds


def _answer_score(variant: Variant, question: Mapping[str, Any], decks: int) -> Answer:
    cards = _cards_field(question, "cards")
    impossible = supply_reasons(variant, decks, cards)
    if impossible:
        return _verdict_to_json(illegal_verdict(*impossible))
    return {"legal": True, "reasons": [], "points": hand_points(variant, cards)}


Answerer = Callable[[Variant, Mapping[str, Any], int], Answer]

_ANSWERERS: dict[str, Answerer] = {
    "meld": _answer_meld,
    "contract": _answer_contract,
    "layoff": _answer_layoff,
    "swap": _answer_swap,
    "hand": _answer_hand,
    "score": _answer_score,
}


# Plain values


def _verdict_to_json(verdict: Verdict, *, several: bool = False) -> Answer:
    reasons = [_reason_to_json(one) for one in verdict.reasons]
    answer: Answer = {"legal": verdict.legal, "reasons": reasons}
    if verdict.advice is not None:
        answer["advice"] = str(verdict.advice)
    readings = [
        [_reading_to_json(meld) for meld in reading] if several else _reading_to_json(reading[0])
        for reading in verdict.readings
    ]
    if readings:
        answer["reading"] = readings[0]
    if len(readings) > 1:
        answer["readings"] = readings
    return answer


def _reason_to_json(reason: Reason) -> Answer:
    return {"code": reason.code.value, "message": str(reason.message), "source": str(reason.source)}


def _reading_to_json(meld: MeldReading) -> list[Answer]:
    return [{"card": str(one.card), "as": str(one.stands_for)} for one in meld]


def _solution_to_json(variant: Variant, number: int, solution: Solution) -> Answer:
    reasons = []
    if not solution.can_lay_down:
        words = variant.contract(number).words
        message = say(
            "You can’t lay down contract {number}, {words}, from this hand.",
            number=number,
            words=words,
        )
        reason = make_reason(variant, Code.CANNOT_LAY_CONTRACT, message, "contracts")
        reasons = [_reason_to_json(reason)]
    return {
        "legal": solution.can_lay_down,
        "reasons": reasons,
        "melds": [write_cards(meld.cards) for meld in solution.laydown],
        "out": solution.can_go_out,
        "left": solution.remaining_cost,
        "decided": solution.is_proven_best,
    }
