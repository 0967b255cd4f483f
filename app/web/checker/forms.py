"""The form that records a verdict of the checker in a game."""

from collections.abc import Mapping

from app.actions.rounds import NewRuling
from app.rules.recorded_verdicts import RecordedVerdict
from app.store.games import RecordedRuling
from app.web.infrastructure.forms import LineField, NumberField, PageForm, TextField


class RecordRulingForm(PageForm):
    """What the table made of a verdict; `question` is the one that was asked, as an address."""

    names: Mapping[int, str]
    """Who may have asked, by seat: there where the form is shown."""

    question = TextField(4000)
    switch = TextField(80)
    """A house rule that the table plays from now on, as `field=value`."""
    asked_by = NumberField()
    decided = LineField(RecordedRuling.decision)
    reason = LineField(RecordedRuling.reason)

    def ruling(self, question: str, verdict: RecordedVerdict) -> NewRuling:
        """The ruling that the form asks to record."""
        field, _, value = self.switch.data.partition("=")
        return NewRuling(
            question=question,
            verdict=verdict,
            asking_seat=self.asked_by.data,
            decision=self.decided.data,
            reason=self.reason.data,
            rule_change=(field, value) if value else None,
        )
