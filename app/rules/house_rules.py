"""The house rules: the fields of a rule set that a group is asked about, in players' words.

The words stand in `house_rules.toml`; the Q&A (`faq/`) has sentences of its own. `Variant` and
`rule_sets.py` say which values a field can have. Contracts, card values and the number of players
are edited elsewhere and have no question here.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from app.rules.cards import JOKER, rank_phrase
from app.rules.phrases import Phrase, ask_for_number, join_choices, join_phrases, say, say_plural
from app.rules.rule_sets import (
    BOUNDS,
    FIELDS,
    FaultyRules,
    choices_of,
    may_be_house_rule,
    shipped_rule_sets,
)
from app.rules.text import abbreviate, collapse_blanks
from app.rules.variant import Penalties, Variant

_FILE = Path(__file__).with_suffix(".toml")
PLAYERS = ("players_min", "players_max")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class HouseRuleValue:
    """One value of a house rule, and what it means at the table."""

    value: str | int | bool
    label: Phrase
    sentence: Phrase


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One switch: its question and what may be answered.

    `choices` is empty for a number, which lies between `least` and `most`; both are None for a
    choice. `number` are the words for a number, for one and for many, and `zero` those for 0, each
    as an answer and as a sentence.
    """

    field: str
    group: str
    """A key of `GROUP_NAMES`."""
    question: Phrase
    explanation: Phrase
    choices: tuple[HouseRuleValue, ...] = ()
    least: int | None = None
    most: int | None = None
    number: tuple[Phrase, Phrase] = (Phrase(""), Phrase(""))
    zero: tuple[Phrase, Phrase] | None = None

    @property
    def is_switchable(self) -> bool:
        """May a game change it on its way?"""
        return self.field in SWITCHABLE

    def value_in_words(self, value: object) -> Phrase:
        """What a value means, as an answer: "yes, 2s are wild", "11 cards", "no limit"."""
        return self._words(value, 0)

    def sentence(self, value: object) -> Phrase:
        """What a value means, in a sentence: "2s are wild.", "Each player gets 11 cards."."""
        return self._words(value, 1)

    def _words(self, value: object, form: Literal[0, 1]) -> Phrase:
        if not isinstance(value, int) or self.choices:
            chosen = next(one for one in self.choices if one.value == value)
            return (chosen.label, chosen.sentence)[form]
        if value == 0 and self.zero:
            return self.zero[form]
        words, count = self.number[form], abs(value)
        if words.plural is None:
            return replace(words, values=(("number", count),))
        return replace(words, values=(("count", count),), count=count)


GROUP_NAMES = {
    "table": say("Setup"),
    "contract": say("Contracts"),
    "melds": say("Melds"),
    "after": say("After the contract"),
    "turn": say("The turn"),
    "score": say("Scoring"),
    "end": say("End of the game"),
    "players": say("Players who come and go"),
}
"""The heading of each group, in the order of a game."""


def _house_rule(field: str, plain: Mapping[str, Any]) -> HouseRule:
    least, most = BOUNDS.get(field, (None, None))
    says = plain["says"]
    return HouseRule(
        field,
        group=plain["group"],
        question=Phrase(plain["question"]),
        explanation=Phrase(plain["explanation"]),
        choices=tuple(
            HouseRuleValue(one, Phrase(plain["labels"][name]), Phrase(says[name]))
            for one in choices_of(field)
            if (name := str(one).lower())
        ),
        least=least,
        most=most,
        number=(_number_words(plain.get("number", "")), _number_words(says)),
        zero=(Phrase(plain["zero"]), Phrase(plain["says_zero"])) if "zero" in plain else None,
    )


def _number_words(words: str | Mapping[str, str]) -> Phrase:
    """The words for a number: for one, and for many where they differ."""
    if isinstance(words, str):
        return Phrase(words)
    return Phrase(words.get("one", ""), plural=words.get("many"))


HOUSE_RULES: Mapping[str, HouseRule] = {
    field: _house_rule(field, plain)
    for field, plain in tomllib.loads(_FILE.read_text("utf-8")).items()
}
"""Every house rule that can be asked for, by its field, in the order of `Variant`'s fields."""


def house_rules_of(variant: Variant) -> tuple[HouseRule, ...]:
    """The house rules that a rule set has, with what it can choose of each."""
    return tuple(
        replace(rule, choices=tuple(x for x in rule.choices if variant.can_choose(field, x.value)))
        for field, rule in HOUSE_RULES.items()
        if variant.has_field(field)
    )


SWITCHABLE = frozenset(
    rule.field
    for rule in HOUSE_RULES.values()
    if rule.group in ("contract", "melds", "after", "turn")
    or rule.field.startswith("joiner_")
    or rule.field == "keep_score"
)
"""The house rules that a game may change on its way: those of melds and play, what the next late
joiner begins with, and whether points are kept. Deal, bonuses and end are what the rounds so far
were reckoned by, so they stay."""


def value_in_words(variant: Variant, field: str) -> Phrase:
    """What a field of `FIELDS` that the variant has says, in words."""
    value = getattr(variant, field)
    if isinstance(value, Penalties):
        return _card_values_in_words(variant)
    if isinstance(value, tuple):
        return say_plural("{count} contract", "{count} contracts", len(value))
    if field in PLAYERS:
        return say_plural("{count} player", "{count} players", value)
    return HOUSE_RULES[field].value_in_words(value)


def aim_in_words(variant: Variant) -> Phrase:
    """Of rules without contracts: which score wins, and when the game is over, in short."""
    is_highest = variant.win == "highest_score"
    wins = say("Highest score wins") if is_highest else say("Lowest score wins")
    limits = []
    if variant.score_limit:
        limits.append(say_plural("{count} point", "{count} points", variant.score_limit))
    if variant.max_deals:
        limits.append(say_plural("{count} round", "{count} rounds", variant.max_deals))
    if not limits:
        return wins
    return say("{wins}, up to {limits}", wins=wins, limits=join_choices(limits))


def points_in_words(variant: Variant) -> Phrase:
    """Are points kept by these rules, or does each table choose? In short."""
    return say("points kept") if variant.keeps_score else say("points optional")


def read_house_rule(field: str, text: str) -> str | int | bool:
    """The value that a form sent: a choice (its value, its label, or yes and no), or a number.

    A bonus may be sent as the points that come off: "25" is -25. Raises `FaultyRules` with a
    sentence for the player. Whether the value fits the other rules is asked of
    `with_house_rules`.
    """
    if field not in HOUSE_RULES:
        raise FaultyRules(abbreviate(field), say("This rule can’t be changed here."))
    rule = HOUSE_RULES[field]
    sent = collapse_blanks(text).lower()
    return _read_choice(rule, sent) if rule.choices else read_number(field, sent, BOUNDS[field])


def fault_words(fault: FaultyRules) -> Phrase:
    """What is wrong with some rules, for the player who chose them: where, and the reason."""
    rule = HOUSE_RULES.get(fault.field)
    if rule is None:
        field = fault.field.replace("_", " ")
        return say("{field}: {reason}", field=field, reason=fault.phrase)
    return say("{question} {reason}", question=rule.question, reason=fault.phrase)


def rules_in_words(rules: Variant, fields: Iterable[str]) -> tuple[Phrase, ...]:
    """House rules with what they are, each in a sentence."""
    return tuple(HOUSE_RULES[field].sentence(getattr(rules, field)) for field in fields)


def house_rules_played(rules: Variant, base: Variant | None = None) -> tuple[str, ...]:
    """The house rules in which some rules differ from the shipped rule set, by their fields.

    Where none is shipped by that id, from the `base`. What counts or lists the house rules of a
    game asks here; a verdict names those that decide it (`deciding.py`). Whether points are kept is
    asked apart where the score decides nothing.
    """
    printed = printed_rules(rules, base or rules)
    apart = "keep_score" if rules.score_is_optional else ""
    return tuple(
        one
        for one in changed_rules(printed, rules)
        if one in HOUSE_RULES and one != apart and may_be_house_rule(rules, one)
    )


def printed_rules(rules: Variant, base: Variant) -> Variant:
    """The rule set as it is shipped; the `base` where none is shipped by that id."""
    return shipped_rule_sets().get(rules.id, base)


def changed_rules(base: Variant, played: Variant) -> tuple[str, ...]:
    """The fields in which the rules played differ from the base, in the order of `FIELDS`."""
    return tuple(field for field in FIELDS if getattr(base, field) != getattr(played, field))


def _read_choice(rule: HouseRule, sent: str) -> str | int | bool:
    meant = {"yes": "true", "no": "false"}.get(sent, sent)
    for choice in rule.choices:
        wanted = meant if isinstance(choice.value, bool) else sent
        if wanted in (str(choice.value).lower(), str(choice.label).lower()):
            return choice.value
    labels = join_phrases([choice.label for choice in rule.choices])
    raise FaultyRules(rule.field, say("Choose one of these: {labels}.", labels=labels))


def read_number(field: str, text: str, bounds: tuple[int, int]) -> int:
    """The whole number of a field within bounds. Raises `FaultyRules`."""
    least, most = bounds
    plain = text.strip().replace("−", "-")
    if _WHOLE_NUMBER.fullmatch(plain):
        # Points that come off are kept as a minus, and phones' number keys often have none.
        number = -abs(int(plain)) if most == 0 else int(plain)
        if least <= number <= most:
            return number
    low, high = (0, -least) if most == 0 else (least, most)
    raise FaultyRules(field, ask_for_number(low, high))


def _card_values_in_words(variant: Variant) -> Phrase:
    return join_phrases(
        [
            say_plural(
                "{count} point for {ranks}",
                "{count} points for {ranks}",
                points,
                ranks=join_phrases([_rank_in_words(rank) for rank in ranks]),
            )
            for points, ranks in variant.card_values
            if ranks
        ]
    )


def _rank_in_words(rank: str) -> Phrase:
    return say("a joker") if rank == JOKER else rank_phrase(rank)
