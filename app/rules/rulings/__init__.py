"""The questions that people really argue about, answered from the rule set's own fields.

Most rulings are the house rules' own questions with the value that the rule set has; `examples.py`
adds a worked example, a question for the judge, to each that can be shown in cards. `always.py`
holds the rulings that no field can change and those that several fields make together. So a page
of rulings and the judge can never differ: both read the same fields, and a test asks the judge
every example.
"""

from dataclasses import replace

from app.rules.house_rules import HOUSE_RULES, HouseRule, value_in_words
from app.rules.rulings.always import always
from app.rules.rulings.examples import EXAMPLES
from app.rules.rulings.record import Example, Ruling
from app.rules.rulings.showing import showable
from app.rules.variant import Variant
from app.rules.verdicts import Code, source_of
from app.rules.wording import Translate, in_english

__all__ = ["Example", "Ruling", "ruling_for", "rulings", "rulings_about"]

_NO_DISPUTE = ("jokers_per_extra_deck", "third_deck_from", "last_contract", "players_min")
"""Fields that nobody argues about, or that another ruling answers."""


_BY_CODE = {
    Code.SWAP_NOT_ALLOWED: "wild-swap",
    Code.WRONG_CARD_FOR_SWAP: "wild-swap",
    Code.EXTRA_MELD_NOT_ALLOWED: "extra-melds",
    Code.WRONG_MELDS: "all-at-once",
    Code.TOO_FEW_CARDS: "contract-size",
    Code.WRONG_SIZE: "contract-size",
    Code.NO_NATURAL_CARD: "only-wild-cards",
    Code.MIXED_SUITS: "run-suit",
    Code.ACE_NOT_LOW: "run-order",
    Code.WRAPS_AROUND: "around-the-corner",
    Code.NOT_CONSECUTIVE: "run-order",
    Code.CANNOT_JOIN: "wild-cards-stay",
    Code.TOO_MANY_WILDS: "wild-limit",
    Code.ADJACENT_WILDS: "wilds-adjacent",
    Code.IMPOSSIBLE_CARDS: "decks",
}
"""The ruling that explains a fault, by its code."""


def ruling_for(code: Code) -> str:
    """The id of the ruling that explains a fault; empty where none does."""
    return _BY_CODE.get(code, "")


def rulings(variant: Variant) -> tuple[Ruling, ...]:
    """All rulings of a rule set, in the order of a game."""
    by_field = [_ruling(variant, rule) for rule in HOUSE_RULES if rule.field not in _NO_DISPUTE]
    return tuple(_shown(variant, ruling) for ruling in (*by_field, *always(variant)))


def rulings_about(
    found: tuple[Ruling, ...], words: str, translate: Translate = in_english
) -> tuple[Ruling, ...]:
    """Those rulings in whose question, answer or source each of the words occurs.

    The words are looked for in the language that `translate` makes of the English.
    """
    wanted = words.casefold().split()
    return tuple(
        one
        for one in found
        if all(word in one.text.in_words_of(translate).casefold() for word in wanted)
    )


def _shown(variant: Variant, ruling: Ruling) -> Ruling:
    """The ruling, without its example where that cannot be laid out in this rule set."""
    if ruling.example is None or showable(variant, ruling.field, ruling.example):
        return ruling
    return replace(ruling, example=None)


def _ruling(variant: Variant, rule: HouseRule) -> Ruling:
    make = EXAMPLES.get(rule.field)
    return Ruling(
        id=rule.field.replace("_", "-"),
        question=rule.question,
        answer=value_in_words(variant, rule.field),
        explanation=rule.explanation,
        source=source_of(variant, rule.field),
        silent=not dict(variant.facts)[rule.field].source,
        field=rule.field,
        example=make(variant) if make else None,
    )
