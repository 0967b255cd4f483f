"""A correction as a browser sends it."""

from wtforms import IntegerField
from wtforms.validators import NumberRange

from app.rules.phrases import say
from app.scorebook.corrections import MOST_CORRECTED
from app.store.log import LogEntry
from app.web.infrastructure.forms import IdField, LineField, NumberField, PageForm, WordField

_MESSAGE = say("Enter a whole number from {least} to {most}.", least=1, most=MOST_CORRECTED)


class CorrectionForm(PageForm):
    """Whose score is corrected, from which round on, by how many points, and why."""

    seat = IdField()
    number = IdField()
    points = IntegerField(validators=[NumberRange(1, MOST_CORRECTED, _MESSAGE)])  # type: ignore[arg-type]
    direction = WordField(("add", "take_off"), default="add")
    reason = LineField(LogEntry.reason)

    @property
    def added(self) -> int:
        """The points as they are added to the score."""
        points: int = self.points.data or 0
        return -points if self.direction.data == "take_off" else points


class RemovalForm(PageForm):
    """A correction that is to be removed, as its button carries it."""

    seat = NumberField()
    number = NumberField()
    points = IntegerField()
    reason = LineField(LogEntry.reason)
