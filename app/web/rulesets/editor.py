"""The form of custom rules with all that was typed, which `app.rules.rule_set_drafts` checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wtforms import FileField, FormField

from app.rules.contract_parser import LONGEST_TEXT
from app.rules.contracts import Contract
from app.rules.house_rules import HOUSE_RULES, PLAYERS, HouseRule
from app.rules.phrases import Phrase, say, say_plural
from app.rules.rule_set_drafts import PRICED_RANKS, DraftResult, RuleSetDraft, parse_draft
from app.rules.rule_sets import LONGEST_NAME, LONGEST_SUMMARY
from app.rules.variant import Variant
from app.web.infrastructure.forms import LineField, ListField, NumberField, PageForm, TextField
from app.web.infrastructure.localization import all_translators
from app.web.rulesets.house_rules import RULE_GROUPS, RulesComparison, compare_rules, standard_texts


class HouseRulesForm(PageForm):
    """A field for each house rule, blank where nothing is changed."""


class OwnRulesForm(HouseRulesForm):
    """The fields of a whole rule set: those of house rules, and how many can play."""


class CardValuesForm(PageForm):
    """What each rank costs."""


for _rule in HOUSE_RULES:
    setattr(HouseRulesForm, _rule.field, LineField(LONGEST_TEXT))
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
    name = TextField(LONGEST_NAME)
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


@dataclass(frozen=True, slots=True)
class EditorPage:
    """A rule set being made or changed, with everything that was typed."""

    rule_set_key: str
    """The key of the rule set; empty for a new one."""
    base: Variant
    seen_version: int
    draft: RuleSetDraft
    contracts: tuple[ContractField, ...]
    part_buttons: tuple[tuple[str, Phrase], ...]
    rule_groups: Sequence[tuple[Phrase, Sequence[HouseRule]]]
    standard_texts: Mapping[str, Phrase]
    """What the base says, by field."""
    faults: Mapping[str, Phrase]
    comparison: RulesComparison
    stale: bool


def editor_page(
    base: Variant, draft: RuleSetDraft, *, own: str = "", seen: int = 0, stale: bool = False
) -> EditorPage:
    """The form for changes to a base."""
    read = parse_draft(draft, base, all_translators())
    comparison = RulesComparison(say("Fix the marked fields to save."))
    if read.variant is not None:
        comparison = compare_rules(base, read.variant)
    return EditorPage(
        rule_set_key=own,
        base=base,
        seen_version=seen,
        draft=draft,
        contracts=_contract_fields(draft, read, comparison),
        part_buttons=tuple((tap, Contract.read(1, tap).words) for tap in PARTS),
        rule_groups=RULE_GROUPS,
        standard_texts=standard_texts(base),
        faults=read.faults,
        comparison=comparison,
        stale=stale,
    )


def _contract_fields(
    draft: RuleSetDraft, read: DraftResult, comparison: RulesComparison
) -> tuple[ContractField, ...]:
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
