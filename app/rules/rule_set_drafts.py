"""A rule set as somebody types it: every field a text, kept as it was typed, and what it comes to.

A form shows a draft, sends it back and gets it read: either it is a rule set, or each fault stands
beside the field where it was typed. Reading what programs write is `rule_sets.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.rules.cards import JOKER, RANKS
from app.rules.contract_parser import ContractParser
from app.rules.contracts import Contract, UnreadableContract
from app.rules.house_rules import HOUSE_RULES, PLAYERS, house_rules_of, read_house_rule, read_number
from app.rules.phrases import Phrase, Translate, say
from app.rules.rule_sets import (
    BOUNDS,
    LONGEST_RULE_SET_NAME,
    LONGEST_SUMMARY,
    MOST_CONTRACTS,
    FaultyRules,
    plain_value,
    with_house_rules,
)
from app.rules.text import collapse_blanks, too_long
from app.rules.variant import Variant

PRICED_RANKS = (*RANKS, JOKER)
"""The ranks, in the order in which a form asks for what they cost."""
_MOST_POINTS = 500


@dataclass(frozen=True, slots=True)
class RuleSetDraft:
    """What was typed, by field; contracts in order, blank ones among them.

    A blank house rule stays as the base has it; a blank `last_contract` means all contracts.
    """

    name: str = ""
    summary: str = ""
    contracts: tuple[str | Phrase, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)
    points: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_variant(cls, variant: Variant) -> "RuleSetDraft":
        """A rule set as a form shows it first."""
        rules = {name: str(getattr(variant, name)) for name in PLAYERS}
        for rule in house_rules_of(variant):
            value = getattr(variant, rule.field)
            # Points that come off stand without their minus.
            rules[rule.field] = str(value if rule.choices else abs(value)).lower()
        if variant.contracts and variant.last_contract == len(variant.contracts):
            rules["last_contract"] = ""
        return cls(
            name=variant.name,
            summary=variant.summary,
            contracts=tuple(contract.words for contract in variant.contracts),
            rules=rules,
            points={rank: str(points) for rank, points in variant.penalties.by_rank},
        )

    def after_button(self, how: str) -> "RuleSetDraft":
        """The draft after a button: `add`, `up:2`, `remove:2`, or `tap:2:s3`, counted from 0."""
        verb, _, what = how.partition(":")
        if verb == "add":
            return replace(self, contracts=(*self.contracts, "")[:MOST_CONTRACTS])
        place, _, meld = what.partition(":")
        if not (place.isascii() and place.isdigit() and int(place) < len(self.contracts)):
            return self
        at, texts = int(place), list(self.contracts)
        if verb == "remove":
            del texts[at]
        elif verb == "up" and at > 0:
            texts.insert(at - 1, texts.pop(at))
        elif verb == "tap":
            texts[at] = _with_meld(texts[at], meld)
        return replace(self, contracts=tuple(texts))


@dataclass(frozen=True, slots=True)
class DraftResult:
    """What a draft comes to: a rule set, or the faults by field (`contract-0`, `points-A`, …).

    `contracts` has what the text at each place was understood as; None where it was not, or blank.
    """

    variant: Variant | None
    faults: Mapping[str, Phrase]
    contracts: tuple[Contract | None, ...]
    played: Variant | None = None
    """What the rules come to, also where names or contracts are faulty: without the latter."""


def parse_draft(
    draft: RuleSetDraft, base: Variant, languages: Iterable[Translate] = ()
) -> DraftResult:
    """The rule set that a draft of changes to a base describes, under the base's id.

    Contracts may be typed in English and in these languages.
    """
    faults: dict[str, Phrase] = {}
    reader = ContractParser(languages)
    contracts = _contracts(draft, reader, faults)
    changes: dict[str, Any] = {}
    _read_rules(draft, base, changes, faults)
    if base.contracts:
        _read_points(draft, changes, faults)
    kept = [str(contract) for contract in contracts if contract is not None]
    if kept:
        changes["contracts"] = kept
        changes.setdefault("last_contract", len(kept))
    elif base.contracts:
        faults.setdefault("contracts", say("A rule set needs at least one contract."))
    name = _text(draft.name, "name", LONGEST_RULE_SET_NAME, faults)
    summary = _text(draft.summary or draft.name, "summary", LONGEST_SUMMARY, faults)
    if any(not one.startswith(("name", "summary", "contract-")) for one in faults):
        return DraftResult(None, faults, contracts)
    try:
        played = with_house_rules(base, _changed(base, changes))
    except FaultyRules as fault:
        return DraftResult(None, {**faults, fault.field: fault.phrase}, contracts)
    faults |= _suit_faults(draft, contracts, reader, played)
    if faults:
        return DraftResult(None, faults, contracts, played)
    named = replace(played, name=name, summary=summary)
    return DraftResult(named, {}, contracts, named)


def _suit_faults(
    draft: RuleSetDraft,
    contracts: Sequence[Contract | None],
    reader: ContractParser,
    played: Variant,
) -> dict[str, Phrase]:
    """That a contract names one suit for a run, where runs take any."""
    if played.run_suit == "same":
        return {}
    return {
        f"contract-{place}": say(
            "Runs take any suits by these rules. Change “{question}” below, or leave out the suit.",
            question=HOUSE_RULES["run_suit"].question,
        )
        for place, (typed, read) in enumerate(zip(draft.contracts, contracts, strict=True))
        if read is not None and reader.names_suit(str(typed))
    }


def _changed(base: Variant, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Those changes that change something, so that all other facts keep their source.

    What `with_house_rules` would adjust by itself is said outright where it matters.
    """
    found = {
        name: value for name, value in changes.items() if plain_value(getattr(base, name)) != value
    }
    if "decks" in found:
        found["third_deck_from"] = changes.get("third_deck_from", base.third_deck_from)
    if "contracts" in found:
        found["last_contract"] = changes["last_contract"]
    return found


def _contracts(
    draft: RuleSetDraft, reader: ContractParser, faults: dict[str, Phrase]
) -> tuple[Contract | None, ...]:
    read: list[Contract | None] = []
    if len(draft.contracts) > MOST_CONTRACTS:
        faults["contracts"] = say("Use {most} contracts or fewer.", most=MOST_CONTRACTS)
        return (None,) * len(draft.contracts)
    for place, typed in enumerate(draft.contracts):
        number = 1 + sum(contract is not None for contract in read)
        read.append(None)
        if not str(typed).strip():
            continue
        try:
            read[-1] = reader.read(number, str(typed))
        except UnreadableContract as fault:
            faults[f"contract-{place}"] = fault.phrase
    return tuple(read)


def _read_rules(
    draft: RuleSetDraft, base: Variant, changes: dict[str, Any], faults: dict[str, Phrase]
) -> None:
    for name in (*PLAYERS, *(rule.field for rule in house_rules_of(base))):
        typed = draft.rules.get(name, "")
        if typed.strip():
            try:
                changes[name] = (
                    read_number(name, typed, BOUNDS[name])
                    if name in PLAYERS
                    else read_house_rule(name, typed)
                )
            except FaultyRules as fault:
                faults[fault.field] = fault.phrase


def _read_points(draft: RuleSetDraft, changes: dict[str, Any], faults: dict[str, Phrase]) -> None:
    for rank in PRICED_RANKS if draft.points else ():
        try:
            typed = draft.points.get(rank, "")
            points = read_number(f"points-{rank}", typed, (0, _MOST_POINTS))
            changes.setdefault("penalties", {})[rank] = points
        except FaultyRules as fault:
            faults[fault.field] = fault.phrase


def _text(typed: str, name: str, longest: int, faults: dict[str, Phrase]) -> str:
    text = collapse_blanks(typed)
    if not text or not text.isprintable():
        faults[name] = say("Enter a name for the rules.")
    elif len(text) > longest:
        faults[name] = too_long(longest)
    return text


def _with_meld(text: str | Phrase, meld: str) -> str | Phrase:
    """The text of a contract with one more meld, named in its text form; unknown ones are none."""
    try:
        more = Contract.read(1, meld).words
    except UnreadableContract:
        return text
    return say("{one}, {more}", one=text, more=more) if text else more
