"""The form of custom rules with all that was typed, which `app.rules.rule_set_drafts` checks."""

from dataclasses import dataclass

from wtforms import FileField, FormField

from app.rules.contract_parser import LONGEST_TEXT
from app.rules.contracts import Contract
from app.rules.house_rules import HOUSE_RULES, PLAYERS
from app.rules.phrases import Phrase, say_plural
from app.rules.rule_set_drafts import PRICED_RANKS, DraftResult, RuleSetDraft
from app.rules.rule_sets import LONGEST_RULE_SET_NAME, LONGEST_SUMMARY
from app.web.infrastructure.forms import LineField, ListField, NumberField, PageForm, TextField
from app.web.rulesets.house_rules import RulesComparison


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
        """What was typed."""
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


def contract_fields(
    draft: RuleSetDraft, read: DraftResult, comparison: RulesComparison
) -> tuple[ContractField, ...]:
    """The contracts as they were typed, and as they were read."""
    return tuple(
        ContractField(
            place,
            text,
            _understood(text, contract) if contract else None,
            read.faults.get(f"contract-{place}"),
            comparison.contract_warnings.get(contract.number) if contract else None,
        )
        for place, (text, contract) in enumerate(zip(draft.contracts, read.contracts, strict=False))
    )


def _understood(typed: str | Phrase, contract: Contract) -> Phrase:
    """What a typed contract was taken for; its size alone where the words are the same."""
    if str(typed).strip() == str(contract.words):
        return say_plural("{count} card", "{count} cards", contract.size)
    return say_plural(
        "{words}: {count} card", "{words}: {count} cards", contract.size, words=contract.words
    )
