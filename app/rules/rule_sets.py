"""Rule sets from their files, house rules upon them, and both checked.

A file under `variants/` is TOML: `id`, `name`, `summary` and `source` (the document) at the top,
with `family` and `edition_of` where it has them, then a table for each field of `Variant`, such as

    deal = { value = 11, source = "Frustration: the deal" }
    jokers = { value = 0, source = "Frustration: Jokers", decision = "Two or four are an option." }

`source` names the place in the document ("; " between several, and a place in another document as
"[Document] place"), `decision` what we decided where it is silent or contradicts itself, and why;
one of them must be there. Field names, types and allowed values are read from `Variant` itself, so
they stand in one place. Left out may be `last_contract`, where all contracts are played, and what
earlier versions did not ask for yet (`_LATER_FIELDS`). A rule set with contracts has none of the
fields of `ONLY_WITHOUT_CONTRACTS`; one without (`contracts` with the value `[]`) has the few of
`WITHOUT_CONTRACTS`, and no others. A table `[faq.<question>]` holds what the file says itself on a
question of the Q&A: `source` and `decision` where no field has them, `answer` and `reason` in its
own words. The same checks serve a file, the house rules of a question, and the frozen copy that a
game keeps.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from app.rules.cards import JOKER, RANKS
from app.rules.consistency import find_inconsistencies
from app.rules.contracts import MOST_PARTS, Contract, UnreadableContract
from app.rules.phrases import Phrase, say, translatable
from app.rules.text import LONGEST_SHOWN, abbreviate
from app.rules.variant import (
    ONLY_WITHOUT_CONTRACTS,
    WITHOUT_CONTRACTS,
    Family,
    FieldSource,
    Penalties,
    RuleSetAnswer,
    Variant,
)

VARIANTS = Path(__file__).parent / "variants"

_HEADINGS = ("id", "name", "summary", "source")
_TYPES = get_type_hints(Variant)
FIELDS = tuple(
    field.name
    for field in fields(Variant)
    if field.name not in (*_HEADINGS, "field_sources", "family", "edition_of", "faq")
)
"""The names of the fields that a file states and a house rule may change, in order."""

_PLAYED_TO_THE_END = FieldSource(
    decision=translatable(
        "All contracts are played; the Frustration Rummy board lets you choose an earlier last one."
    )
)
HOUSE_RULE = FieldSource(decision=translatable("your group’s house rule"))
"""Where the value of a changed field comes from; frozen copies hold these words."""

_LATER_FIELDS: Mapping[str, object] = {
    "buying": "none",
    "most_buys": 0,
    "buy_points": 0,
    "finisher_pays_after_out": False,
    "joiner_contract": "first",
    "joiner_score": "ask",
    "missed_round_points": 0,
}
"""Fields that frozen copies and files of earlier versions lack, and what they meant there."""
_WRITTEN_BEFORE = FieldSource(
    decision=translatable("These rules were written down before the app asked for this.")
)

_NOTHING = {"last_contract": 0, "penalties": Penalties(()), "progress": "common"}
"""Values by which nothing changes, where the least or first choice would change something."""

BOUNDS: Mapping[str, tuple[int, int]] = {
    name: (bounds.least, bounds.most)
    for name, declared in get_type_hints(Variant, include_extras=True).items()
    for bounds in getattr(declared, "__metadata__", ())
}
"""The lowest and highest value of each field that is a whole number."""

MOST_CONTRACTS = 40
_CONTRACTS_NEEDED = say("a list of 1 to {most} contracts is needed", most=MOST_CONTRACTS)
LONGEST_RULE_SET_NAME = 60
"""Letters of the name of a rule set; of ours and of a table's own alike."""
LONGEST_SUMMARY = 200
_MOST_ANSWERS = 100
_OF_AN_ANSWER = tuple(field.name for field in fields(RuleSetAnswer))
_LONGEST_HEADING = 500
_LONGEST_FACT = 1000


class FaultyRules(ValueError):
    """Rules that cannot be used: the `field` at fault, why as a `phrase`, and the `file` if one."""

    def __init__(self, field: str, phrase: Phrase, file: str = "") -> None:
        self.field, self.phrase, self.file = field, phrase, file
        super().__init__(f"{file + ': ' if file else ''}{field}: {phrase}")

    @property
    def with_field(self) -> Phrase:
        """Why, after the name of the field as a file has it."""
        return say("{field}: {reason}", field=self.field, reason=self.phrase)


@cache
def shipped_rule_sets() -> Mapping[str, Variant]:
    """All rule sets that the app ships, by id, in the order of their names."""
    loaded = [load(path) for path in VARIANTS.glob("*.toml")]
    return {variant.id: variant for variant in sorted(loaded, key=lambda one: one.name)}


def family_rule_sets() -> Mapping[str, Variant]:
    """The nine rule sets of the family, by id, in the order of their names."""
    return rule_sets_in_family("core")


@cache
def rule_sets_in_family(family: Family) -> Mapping[str, Variant]:
    """The shipped rule sets of one family, by id, in the order of their names.

    Beside the nine these are their relatives and those that know points alone (`other`).
    """
    return {name: one for name, one in shipped_rule_sets().items() if one.family == family}


def may_be_house_rule(rules: Variant, field: str) -> bool:
    """May a group have chosen the value of that field, as far as the rules' own facts say?

    A game keeps the rules that it began with: what a text said then, or did not ask yet, is no
    house rule because the text is read otherwise today.
    """
    field_source = rules.field_source(field)
    return not field_source.source and field_source != _WRITTEN_BEFORE


def rule_set_by_id(variant_id: str) -> Variant:
    """The shipped rule set of that id. Raises `KeyError`."""
    return shipped_rule_sets()[variant_id]


def load(path: Path) -> Variant:
    """The rule set in a file. Raises `FaultyRules` with the file, the field and the reason."""
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
        loaded = from_dict(plain)
        if loaded.id != path.stem:
            raise FaultyRules("id", say("“{id}” differs from the file’s name", id=loaded.id))
    except FaultyRules as fault:
        raise FaultyRules(fault.field, fault.phrase, path.name) from None
    except (ValueError, RecursionError) as fault:
        # Besides its own fault the reader raises these for huge numbers and for deep nesting.
        reason = say("isn’t TOML in UTF-8 ({fault})", fault=f"{fault!s:.100}")
        raise FaultyRules("file", reason, path.name) from None
    return loaded


def from_dict(plain: Mapping[str, Any]) -> Variant:
    """The rule set that plain tables describe, in the shape of a file. Raises `FaultyRules`."""
    if not isinstance(plain, Mapping):
        raise FaultyRules("rules", say("a table of fields is needed"))
    headings: dict[str, Any] = {heading: _read_heading(heading, plain) for heading in _HEADINGS}
    headings["family"] = _read_choice("family", plain.get("family", "core"))
    if "edition_of" in plain:
        headings["edition_of"] = _read_heading("edition_of", plain)
    headings["faq"] = _read_answers(plain.get("faq", {}))
    known = (*_HEADINGS, "family", "edition_of", "faq", *FIELDS)
    unknown = [_abbreviate_value(name) for name in plain if name not in known]
    if unknown:
        raise FaultyRules(min(unknown), say("there is no such field"))
    values: dict[str, Any] = {}
    field_sources = []
    has_contracts = "contracts" not in plain or bool(
        _read_contracts(_read_field("contracts", plain["contracts"])[0])
    )
    for field in FIELDS:
        unfit = ONLY_WITHOUT_CONTRACTS if has_contracts else frozenset(FIELDS) - WITHOUT_CONTRACTS
        if field in unfit:
            if field in plain:
                raise FaultyRules(field, _no_such_field(has_contracts=has_contracts))
            values[field] = _nothing(field)
            continue
        if field in plain:
            value, field_source = _read_field(field, plain[field])
            values[field] = read_value(field, value)
        elif field == "last_contract":
            values[field], field_source = len(values["contracts"]), _PLAYED_TO_THE_END
        elif field in _LATER_FIELDS:
            values[field], field_source = _LATER_FIELDS[field], _WRITTEN_BEFORE
        else:
            raise FaultyRules(field, say("is missing"))
        field_sources.append((field, field_source))
    return _checked(Variant(**headings, **values, field_sources=tuple(field_sources)))


def _no_such_field(*, has_contracts: bool) -> Phrase:
    if has_contracts:
        return say("rules with contracts have no such field")
    return say("rules without contracts have no such field")


def _nothing(field: str) -> object:
    """What stands in a field that a rule set does not use: a value by which nothing changes."""
    if field in _NOTHING:
        return _NOTHING[field]
    low, _high = BOUNDS.get(field, (0, 0))
    choices = choices_of(field)
    return (False if _TYPES[field] is bool else choices[0]) if choices else max(0, low)


def to_dict(variant: Variant) -> dict[str, Any]:
    """The plain tables of a rule set, such that `from_dict` makes the same rule set of them."""
    plain: dict[str, Any] = {heading: getattr(variant, heading) for heading in _HEADINGS}
    if variant.family != "core":
        plain["family"] = variant.family
    for field, field_source in variant.field_sources:
        plain[field] = {"value": plain_value(getattr(variant, field)), **_texts(field_source)}
    if variant.faq:
        plain["faq"] = {name: _texts(answer) for name, answer in variant.faq}
    return plain


def _texts(of: FieldSource) -> dict[str, str]:
    return {one.name: text for one in fields(of) if (text := getattr(of, one.name))}


def with_house_rules(variant: Variant, house_rules: Mapping[str, Any]) -> Variant:
    """The rule set with the values of these fields. Raises `FaultyRules`.

    A number of decks among them holds for any number of players, so it switches
    `third_deck_from` off; a new list of contracts is played to its end. Both unless the house
    rules say otherwise themselves.
    """
    if not isinstance(house_rules, Mapping):
        raise FaultyRules("house rules", say("a table of fields is needed"))
    changes: dict[str, Any] = {one: read_value(one, value) for one, value in house_rules.items()}
    if not changes:
        return variant
    for field in changes:
        if not variant.has_field(field):
            raise FaultyRules(field, _no_such_field(has_contracts=bool(variant.contracts)))
    if bool(changes.get("contracts", variant.contracts)) != bool(variant.contracts):
        none = say("these rules have no contracts")
        raise FaultyRules("contracts", _CONTRACTS_NEEDED if variant.contracts else none)
    if "decks" in changes and variant.third_deck_from:
        changes.setdefault("third_deck_from", 0)
    if "contracts" in changes:
        changes.setdefault("last_contract", len(changes["contracts"]))
    field_sources = {**dict(variant.field_sources), **dict.fromkeys(changes, HOUSE_RULE)}
    in_order = tuple((field, field_sources[field]) for field in FIELDS if field in field_sources)
    return _checked(replace(variant, **changes, field_sources=in_order))


def choices_of(field: str) -> tuple[str | bool, ...]:
    """The values that a field can be chosen from, in order; none for numbers and tables."""
    if _TYPES[field] is bool:
        return (True, False)
    return get_args(_TYPES[field]) if get_origin(_TYPES[field]) is Literal else ()


def _read_heading(heading: str, plain: Mapping[str, Any]) -> str:
    text = plain.get(heading)
    longest = {"name": LONGEST_RULE_SET_NAME, "summary": LONGEST_SUMMARY}.get(
        heading, _LONGEST_HEADING
    )
    if not isinstance(text, str) or not text.strip() or len(text) > longest:
        raise FaultyRules(heading, say("a short text is needed"))
    if not text.strip().isprintable():
        raise FaultyRules(heading, say("a text has characters that can’t be shown"))
    return text.strip()


def _read_field(field: str, table: object) -> tuple[object, FieldSource]:
    if not isinstance(table, Mapping) or "value" not in table:
        raise FaultyRules(field, say("a table with a value is needed"))
    unknown = [
        _abbreviate_value(name) for name in table if name not in ("value", "source", "decision")
    ]
    if unknown:
        raise FaultyRules(field, say("“{name}” isn’t value, source or decision", name=min(unknown)))
    source, decision = table.get("source", ""), table.get("decision", "")
    if not isinstance(source, str) or not isinstance(decision, str):
        raise FaultyRules(field, say("source and decision are texts"))
    if len(source) > _LONGEST_FACT or len(decision) > _LONGEST_FACT:
        raise FaultyRules(field, say("a text has more than {most} characters", most=_LONGEST_FACT))
    if not (source.strip() + decision.strip()).isprintable():
        raise FaultyRules(field, say("a text has characters that can’t be shown"))
    if not source.strip() and not decision.strip():
        raise FaultyRules(field, say("says neither its source nor what was decided"))
    return table["value"], FieldSource(source.strip(), decision.strip())


def _read_answers(tables: object) -> tuple[tuple[str, RuleSetAnswer], ...]:
    """The file's own answers, by the question's id; ids that the Q&A does not have are kept."""
    if not isinstance(tables, Mapping) or len(tables) > _MOST_ANSWERS:
        raise FaultyRules("faq", say("a table of questions is needed"))
    return tuple((_abbreviate_value(name), _read_answer(table)) for name, table in tables.items())


def _read_answer(table: object) -> RuleSetAnswer:
    if not isinstance(table, Mapping) or not table or set(table) - set(_OF_AN_ANSWER):
        raise FaultyRules("faq", say("an answer has a source, decision, answer or reason"))
    for text in table.values():
        if not isinstance(text, str) or len(text) > _LONGEST_FACT or not text.isprintable():
            raise FaultyRules("faq", say("an answer is a short text"))
    return RuleSetAnswer(**{name: text.strip() for name, text in table.items()})


def read_value(field: str, value: object) -> object:
    """The value of a field by itself, whatever the other fields are. Raises `FaultyRules`."""
    if field not in FIELDS:
        raise FaultyRules(_abbreviate_value(field), say("there is no such house rule"))
    if field == "contracts":
        return _read_contracts(value)
    if field == "penalties":
        return _read_penalties(value)
    expected, shown = _TYPES[field], _abbreviate_value(value)
    if get_origin(expected) is Literal:
        return _read_choice(field, value)
    if expected is bool:
        fits = isinstance(value, bool)
        reason = say("{value} is neither true nor false", value=shown)
    elif not isinstance(value, int) or isinstance(value, bool):
        fits, reason = False, say("{value} isn’t a whole number", value=shown)
    else:
        low, high = BOUNDS[field]
        fits = low <= value <= high
        reason = say("{value} isn’t between {low} and {high}", value=shown, low=low, high=high)
    if not fits:
        raise FaultyRules(field, reason)
    return value


def _read_choice(field: str, value: object) -> object:
    choices = get_args(_TYPES[field])
    if value in choices:
        return value
    shown, known = _abbreviate_value(value), ", ".join(choices)
    raise FaultyRules(field, say("{value} isn’t one of {choices}", value=shown, choices=known))


def _read_contracts(value: object) -> tuple[Contract, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_CONTRACTS:
        raise FaultyRules("contracts", _CONTRACTS_NEEDED)
    contracts = []
    for number, text in enumerate(value, start=1):
        if not isinstance(text, str):
            raise FaultyRules("contracts", say("contract {number} isn’t a text", number=number))
        try:
            contract = Contract.read(number, text)
        except UnreadableContract as fault:
            message = say("contract {number}: {fault}", number=number, fault=fault.phrase)
            raise FaultyRules("contracts", message) from None
        if len(contract.parts) > MOST_PARTS:
            reason = say(
                "contract {number} has more than {most} melds", number=number, most=MOST_PARTS
            )
            raise FaultyRules("contracts", reason)
        contracts.append(contract)
    return tuple(contracts)


def _read_penalties(value: object) -> Penalties:
    if not isinstance(value, Mapping):
        raise FaultyRules("penalties", say("a table of ranks to points is needed"))
    for rank, points in value.items():
        if rank not in (*RANKS, JOKER):
            reason = say("“{rank}” isn’t a rank", rank=_abbreviate_value(rank))
            raise FaultyRules("penalties", reason)
        if not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= 500:
            shown = _abbreviate_value(points)
            reason = say("{rank}: {points} isn’t 0 to 500 points", rank=rank, points=shown)
            raise FaultyRules("penalties", reason)
    missing = [rank for rank in (*RANKS, JOKER) if rank not in value]
    if missing:
        raise FaultyRules("penalties", say("{rank} is missing", rank=missing[0]))
    return Penalties(tuple((rank, value[rank]) for rank in (*RANKS, JOKER)))


def plain_value(value: object) -> object:
    """The value of a field as a file has it."""
    if isinstance(value, Penalties):
        return dict(value.by_rank)
    if isinstance(value, tuple):
        return [str(contract) for contract in value]
    return value


def _abbreviate_value(value: object) -> str:
    """A value in a message, or an answer's id: short, and never itself the cause of a fault.

    Lists and tables are named by their kind, since a deep one cannot be written out; nor can a
    number of thousands of digits.
    """
    if isinstance(value, int) and abs(value) >= 10**12:
        return "a huge number"
    if value is None or isinstance(value, str | int | float):
        return abbreviate(str(value), LONGEST_SHOWN + 1)
    return f"a {type(value).__name__}"


def _checked(variant: Variant) -> Variant:
    """The rule set itself, if its fields fit together."""
    for field, reason in find_inconsistencies(variant):
        raise FaultyRules(field, reason)
    return variant
