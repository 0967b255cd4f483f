"""The forms of the checker: the question, and the one that records its verdict in a game."""

from typing import Literal, get_args

from wtforms import FormField

from app.actions.rulings import NewRuling
from app.rules.contracts import Kind
from app.rules.recorded_verdicts import RecordedVerdict
from app.store.rulings import RecordedRuling
from app.web.infrastructure.forms import (
    LineField,
    ListField,
    NumberField,
    PageForm,
    TextField,
    WordChoiceField,
)
from app.web.rulesets.forms import HouseRulesForm

QuestionKind = Literal["contract", "meld", "hand", "layoff", "swap"]


class RecordRulingForm(PageForm):
    """What the table made of a verdict; `question` is the one that was asked, as an address."""

    question = TextField(4000)
    switch = TextField(80)
    """A house rule that the table plays from now on, as `field=value`."""
    asked_by = NumberField()
    decided = LineField(RecordedRuling.decision)
    reason = LineField(RecordedRuling.reason)

    def ruling(self, question: str, said: RecordedVerdict) -> NewRuling:
        """The ruling that the form asks to record."""
        field, _, value = self.switch.data.partition("=")
        return NewRuling(
            question=question,
            verdict=said,
            asking_seat=self.asked_by.data,
            decision=self.decided.data,
            reason=self.reason.data,
            rule_change=(field, value) if value else None,
        )


class QuestionForm(PageForm):
    """A question for the judge, as an address asks it; `m` are its melds, one text for each."""

    ask = WordChoiceField(get_args(QuestionKind), default="contract")
    variant = LineField(80)
    rule = FormField(HouseRulesForm)
    players = NumberField(default=0)
    contract = NumberField(default=1)
    kind = WordChoiceField(get_args(Kind), default="set")
    m = ListField()
    add = TextField(10_000)
    position = NumberField(default=1)
    owner = WordChoiceField(("self", "other"), default="self")
    table = ListField()
    table_kind = ListField(name="table-kind")
    game = LineField(40)
