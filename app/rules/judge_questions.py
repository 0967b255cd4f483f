"""One question for the judge as plain JSON values, and its answer as plain JSON values.

The fields are those of the judge's file interface. A question that cannot be read raises
`UnreadableQuestion` with the field and what is wrong; a card that cannot be read gets a verdict.

`answer_question` and `answer_under` go all the way. Pages read plain values by `read_question`,
too, and may ask about a meld of any kind and size (`answer_any_meld`), which programs cannot.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, get_args

from app.rules.cards import write_cards
from app.rules.coach import Coaching
from app.rules.contracts import Kind
from app.rules.deciding import answer_with_deciding_rules
from app.rules.judge import Answer, Question, UnreadableQuestion, answer
from app.rules.phrases import say
from app.rules.rule_sets import FaultyRules, shipped_rule_sets, with_house_rules
from app.rules.swaps import Owner
from app.rules.variant import Variant
from app.rules.verdicts import Fact, MeldReading

MOST_CARDS = 60
"""The most cards in one question; the next two bound its melds and players."""
MOST_MELDS = 40
MOST_AT_TABLE = 12
LONGEST_CARDS = MOST_CARDS * 8
"""The most characters in one text of cards."""

Plain = dict[str, Any]


def answer_question(question: object) -> Plain:
    """The answer to one question. Raises `UnreadableQuestion`.

    >>> answer_question({"ask": "score", "variant": "garbage-rummy", "cards": "2H JK"})["points"]
    25
    """
    if not isinstance(question, Mapping):
        raise UnreadableQuestion("line", say("a question is a JSON object"))
    _one_of(question, "ask", CARD_FIELDS)
    name = question.get("variant")
    found = shipped_rule_sets().get(name) if isinstance(name, str) else None
    if found is None:
        message = say("There is no rule set {value}.", value=_shown(name))
        raise UnreadableQuestion("variant", message)
    return answer_under(found, question)


def answer_under(variant: Variant, question: Mapping[str, Any]) -> Plain:
    """The answer to a question under a given rule set, with the house rules that it names.

    Raises `UnreadableQuestion`.
    """
    played = _with_named_house_rules(variant, question)
    given = answer_with_deciding_rules(answer, read_question(played, question))
    plain = answer_to_json(given)
    return {"id": question["id"], **plain} if "id" in question else plain


def read_question(variant: Variant, plain: Mapping[str, Any]) -> Question:
    """The question, read from plain values, under given rules. Raises `UnreadableQuestion`."""
    if not variant.contracts:
        raise UnreadableQuestion("variant", say("These rules have only points, and no cards."))
    ask = _one_of(plain, "ask", CARD_FIELDS)
    first, *second = CARD_FIELDS[ask]
    fields: Plain = {} if ask == "contract" else {"melds": (_text(plain, first),)}
    added = _text(plain, second[0]) if second else ""
    if ask == "swap":
        _check_swap(plain["meld"], added)
    optional = {"table"} if ask in ("contract", "hand") else {"contract", "size"}
    for name in OTHER_FIELDS[ask]:
        if plain.get(name) is not None or name not in optional:
            fields[name] = _READERS[name](variant, plain)
    _check_extra_meld(variant, plain)
    players = _number(plain, "players", 1, MOST_AT_TABLE) if "players" in plain else 0
    question = Question(
        ask=ask,
        variant=variant,
        decks=variant.decks_for(players),
        players=players,
        added=added,
        **fields,
    )
    texts = (*question.melds, added, *(text for _kind, text in question.table))
    if sum(len(text.split()) for text in texts) > MOST_CARDS:
        raise _too_many_cards("meld" if ask == "swap" else CARD_FIELDS[ask][-1])
    return question


def card_texts(plain: Mapping[str, Any]) -> list[str]:
    """The texts of a question's cards, and of those added to them; not of the table of a hand."""
    first, *second = (plain[field] for field in CARD_FIELDS[plain["ask"]])
    return [*(first if isinstance(first, list) else [first]), *second]


def matches_expectation(answer: Plain, expect: object) -> bool:
    """Does an answer say what was expected: a legality, or each key of an object?"""
    if not isinstance(expect, Mapping):
        return answer.get("legal") is expect
    reasons = answer.get("reasons") or [{}]
    found = {**answer, "code": reasons[0].get("code")}
    # To Python true is 1; as the value itself it isn’t here.
    return all(
        found.get(key) == value and isinstance(found.get(key), bool) is isinstance(value, bool)
        for key, value in expect.items()
    )


# Reading a question

CARD_FIELDS: Mapping[str, tuple[str, ...]] = {
    "contract": ("melds",),
    "meld": ("cards",),
    "hand": ("hand",),
    "layoff": ("meld", "add"),
    "swap": ("meld", "card"),
    "score": ("cards",),
}
"""What each kind of question calls its cards: the melds, and what is added to them."""
OTHER_FIELDS: Mapping[str, tuple[str, ...]] = {
    "contract": ("contract", "melds"),
    "meld": ("kind", "size", "contract"),
    "hand": ("contract", "table"),
    "layoff": ("contract", "kind"),
    "swap": ("position", "owner", "kind"),
    "score": (),
}
"""The fields of each kind of question other than those that hold one text of cards.

Besides, every question has `ask` and `variant`, and can have `house_rules`, `players`,
`id` and, to be checked, `expect`. The
format lets a lay-off name its player's contract; no rule set makes it depend on that.
"""


def _shown(value: object) -> str:
    return f"{value!r:.40}"


def _too_many_cards(field: str) -> UnreadableQuestion:
    return UnreadableQuestion(field, say("There are more than {most} cards.", most=MOST_CARDS))


def _with_named_house_rules(variant: Variant, question: Mapping[str, Any]) -> Variant:
    house_rules = question.get("house_rules", {})
    if not isinstance(house_rules, Mapping):
        fault = say("an object of fields and values is needed")
        raise UnreadableQuestion("house_rules", fault)
    try:
        return with_house_rules(variant, house_rules)
    except FaultyRules as fault:
        raise UnreadableQuestion("house_rules", fault.with_field) from None


def _number(question: Mapping[str, Any], field: str, least: int, most: int) -> int:
    value = question.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        message = say(
            "{value} isn’t a whole number between {least} and {most}.",
            value=_shown(value),
            least=least,
            most=most,
        )
        raise UnreadableQuestion(field, message)
    return value


def _one_of(question: Mapping[str, Any], field: str, choices: Collection[str]) -> Any:
    """The value of a field that is one of some words."""
    value = question.get(field)
    if not isinstance(value, str) or value not in choices:
        words = ", ".join(choices)
        message = say("{value} isn’t one of these: {choices}.", value=_shown(value), choices=words)
        raise UnreadableQuestion(field, message)
    return value


def _text(question: Mapping[str, Any], field: str) -> str:
    if field not in question:
        raise UnreadableQuestion(field, say("This field is missing."))
    return _card_text(question[field], field)


def _card_text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise UnreadableQuestion(field, say("Cards are a text such as “5H 6H JK”."))
    if len(value) > LONGEST_CARDS or len(value.split()) > MOST_CARDS:
        raise _too_many_cards(field)
    return value


def _list(question: Mapping[str, Any], field: str) -> list[Any]:
    value = question.get(field)
    if not isinstance(value, list) or len(value) > MOST_MELDS:
        message = say("A list of at most {most} melds is needed.", most=MOST_MELDS)
        raise UnreadableQuestion(field, message)
    return value


def _table(question: Mapping[str, Any]) -> tuple[tuple[Kind, str], ...]:
    melds = _list({"table": question["table"] or []}, "table")
    if not all(isinstance(meld, Mapping) for meld in melds):
        raise UnreadableQuestion("table", say("Each meld is an object with kind and meld."))
    return tuple((_one_of(meld, "kind", get_args(Kind)), _text(meld, "meld")) for meld in melds)


def _check_extra_meld(variant: Variant, question: Mapping[str, Any]) -> None:
    """Refuse an extra meld without its player's contract where that decides."""
    is_extra = question["ask"] == "meld" and question.get("size") is None
    if is_extra and variant.extra_melds == "contract_parts" and question.get("contract") is None:
        message = say("Extra melds depend on the player’s own contract.")
        raise UnreadableQuestion("contract", message)


def _check_swap(meld: str, offered: str) -> None:
    if len(offered.split()) != 1:
        raise UnreadableQuestion("card", say("Enter one card."))
    if not meld.split():
        raise UnreadableQuestion("meld", say("The meld on the table is empty."))


_READERS: Mapping[str, Callable[[Variant, Mapping[str, Any]], Any]] = {
    "contract": lambda variant, asked: _number(asked, "contract", 1, len(variant.contracts)),
    "kind": lambda _variant, asked: _one_of(asked, "kind", get_args(Kind)),
    "size": lambda _variant, asked: _number(asked, "size", 1, MOST_CARDS),
    "position": lambda _variant, asked: _number(
        asked, "position", 1, max(1, len(asked["meld"].split()))
    ),
    "owner": lambda _variant, asked: _one_of(asked, "owner", get_args(Owner)),
    "melds": lambda _variant, asked: tuple(
        _card_text(text, "melds") for text in _list(asked, "melds")
    ),
    "table": lambda _variant, asked: _table(asked),
}
"""What reads each field that is not a single text of cards."""


# Plain values


def answer_to_json(given: Answer) -> Plain:
    """An answer as the file interface gives it."""
    verdict, several = given.verdict, given.question.ask == "contract"
    reasons = [{"code": one.code.value, **_fact_to_json(one)} for one in verdict.reasons]
    plain: Plain = {"legal": verdict.legal, "reasons": reasons}
    plain |= {"facts": list(map(_fact_to_json, verdict.facts))} if verdict.facts else {}
    decided_by = list(map(_fact_to_json, given.decided_by))
    plain |= {"decided_by": decided_by} if decided_by else {}
    plain |= {"otherwise": _fact_to_json(given.otherwise)} if given.otherwise else {}
    readings = [
        [_reading_to_json(meld) for meld in reading] if several else _reading_to_json(reading[0])
        for reading in verdict.readings
    ]
    plain |= {"advice": str(verdict.advice)} if verdict.advice else {}
    plain |= {"reading": readings[0]} if readings else {}
    plain |= {"readings": readings} if len(readings) > 1 else {}
    plain |= {"notes": list(map(str, given.notes))} if given.notes else {}
    plain |= {"points": given.points} if given.points is not None else {}
    if given.turn is not None:
        plain |= {
            "melds": [write_cards(meld.cards) for meld in given.turn.laydown],
            "out": given.turn.can_go_out,
            "left": given.turn.remaining_cost,
            "decided": given.turn.is_proven_best,
        }
    return plain | (_coaching_to_json(given.coaching) if given.coaching else {})


def _fact_to_json(fact: Fact) -> Plain:
    grounds = fact.grounds
    return {
        "message": str(fact.message),
        "source": str(grounds.citation),
        "label": grounds.basis.value,
    }


def _coaching_to_json(coaching: Coaching) -> Plain:
    way = coaching.way
    plain: Plain = {"discard": str(coaching.discard)} if coaching.discard else {}
    if way is None:
        return plain | {"missing": None}
    plain |= {"missing": way.missing} | ({} if way.is_exact else {"decided": False})
    if way.missing:
        plain["nearest"] = [
            {
                "kind": meld.part.kind,
                "size": meld.part.size,
                "cards": write_cards([card for card in meld.cards if card]),
                "lacks": write_cards(meld.lacks),
            }
            for meld in way.melds
        ]
    if way.completed_by:
        out = [{"card": str(card), "out": copies} for card, copies in way.completed_by]
        plain["completed_by"] = out
    return plain


def _reading_to_json(meld: MeldReading) -> list[Plain]:
    return [{"card": str(one.card), "as": str(one.stands_for)} for one in meld]
