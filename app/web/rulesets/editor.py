"""The form of custom rules with all that was typed, which `app.rules.rule_set_drafts` checks."""

from dataclasses import dataclass, replace

from wtforms import FileField, FormField

from app.rules.contract_parser import LONGEST_TEXT
from app.rules.contracts import Contract
from app.rules.house_rules import HOUSE_RULES, PLAYERS
from app.rules.impossible_contracts import impossible_contracts
from app.rules.phrases import Phrase, say, say_plural
from app.rules.rule_set_drafts import PRICED_RANKS, DraftResult, RuleSetDraft
from app.rules.rule_sets import LONGEST_RULE_SET_NAME, LONGEST_SUMMARY
from app.rules.variant import Variant
from app.web.infrastructure.forms import LineField, ListField, NumberField, PageForm, TextField


class HouseRulesForm(PageForm):
    """A field for each house rule, blank where nothing is changed."""


class OwnRulesForm(HouseRulesForm):
    """The house rules of a rule set of a group's own, and how many can play."""


class CardValuesForm(PageForm):
    """What each rank costs."""


for _name in HOUSE_RULES:
    setattr(HouseRulesForm, _name, LineField(LONGEST_TEXT))
for _name in PLAYERS:
    setattr(OwnRulesForm, _name, LineField(LONGEST_TEXT))
for _rank in PRICED_RANKS:
    setattr(CardValuesForm, _rank, LineField(LONGEST_TEXT))


class RuleSetForm(PageForm):
    """A rule set that is made or changed: its base, its key and version if kept, its draft."""

    base = LineField(80)
    own = LineField(80)
    seen = NumberField(default=0)
    arrange = LineField(80)
    """The button that was pressed, if it only arranges the contracts."""
    name = TextField(LONGEST_RULE_SET_NAME)
    summary = TextField(LONGEST_SUMMARY)
    contract = ListField()
    rule = FormField(OwnRulesForm)
    points = FormField(CardValuesForm)

    @property
    def draft(self) -> RuleSetDraft:
        rules, points = self.rule.data, self.points.data
        return RuleSetDraft(self.name.data, self.summary.data, self.contract.data, rules, points)


class ImportForm(PageForm):
    """A rule set's file, or its link."""

    file = FileField()
    link = LineField(6000)


class ApprovedRuleSetForm(PageForm):
    """A rule set whose preview somebody said yes to."""

    document = TextField(1_000_000)


PARTS = ("s2", "s3", "s4", "s5", "r3", "r4", "r5", "r7")
"""The melds that a contract can be built of by taps."""


@dataclass(frozen=True, slots=True)
class ContractField:
    """A contract in the form: as it was typed, what it is understood as, and what is wrong."""

    index: int
    text: str | Phrase
    understood: Phrase | None
    fault: Phrase | None
    warning: Phrase | None


def contract_fields(draft: RuleSetDraft, read: DraftResult) -> tuple[ContractField, ...]:
    """The contracts as they were typed, and as they were read."""
    warnings = impossible_contracts(read.played) if read.played else {}
    return tuple(
        ContractField(
            place,
            text,
            _understood(text, contract, read.played) if contract else None,
            read.faults.get(f"contract-{place}"),
            _of_line(warnings.get(contract.number) if contract else None, place + 1),
        )
        for place, (text, contract) in enumerate(zip(draft.contracts, read.contracts, strict=False))
    )


def _of_line(warning: Phrase | None, number: int) -> Phrase | None:
    """The warning about the contract that stands in that line, also while others are not read."""
    if warning is None:
        return None
    values = tuple((name, number if name == "number" else one) for name, one in warning.values)
    return replace(warning, values=values)


def _understood(typed: str | Phrase, contract: Contract, played: Variant | None) -> Phrase:
    """What a typed contract was taken for; its size alone where the words are the same.

    Where the rules are known, also that the cards dealt and drawn are too few for it.
    """
    size = say_plural("{count} card", "{count} cards", contract.size)
    if played and played.laid_from(contract) == "bought":
        size = say("{size}, only after buying", size=size)
    if str(typed).strip() == str(contract.words):
        return size
    return say("{words}: {size}", words=contract.words, size=size)
