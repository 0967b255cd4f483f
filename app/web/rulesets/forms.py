"""The forms of custom rules. `app.rules.rule_set_drafts` parses and checks what they send."""

from wtforms import FileField, FormField

from app.rules.contract_parser import LONGEST_TEXT
from app.rules.house_rules import HOUSE_RULES, PLAYERS
from app.rules.rule_set_drafts import PRICED_RANKS, RuleSetDraft
from app.rules.rule_sets import LONGEST_NAME, LONGEST_SUMMARY
from app.web.infrastructure.forms import LineField, ListField, NumberField, PageForm, TextField


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
