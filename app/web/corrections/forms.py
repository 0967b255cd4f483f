"""A correction as a browser sends it."""

from wtforms import IntegerField

from app.scorebook.events.corrections import points_refusal
from app.scorebook.limits import MOST_CORRECTED
from app.store.games import LogEntry
from app.web.infrastructure.forms import (
    IdChoiceField,
    LineField,
    NumberField,
    PageForm,
    WordChoiceField,
)


class CorrectionForm(PageForm):
    """Whose score is corrected, from which round on, by how many points, and why."""

    seat = IdChoiceField()
    number = IdChoiceField()
    points = IntegerField()
    direction = WordChoiceField(("add", "take_off"), default="add")
    reason = LineField(LogEntry.reason)

    def require_valid(self) -> None:
        """Raise `Refused` unless the form is valid."""
        if not 0 < (self.points.data or 0) <= MOST_CORRECTED:
            raise points_refusal()
        super().require_valid()

    @property
    def added(self) -> int:
        """The points as they are added to the score."""
        points: int = self.points.data or 0
        return -points if self.direction.data == "take_off" else points


class RemoveCorrectionForm(PageForm):
    """A correction that is to be removed, as its button carries it."""

    seat = NumberField()
    number = NumberField()
    points = IntegerField()
    reason = LineField(LogEntry.reason)
