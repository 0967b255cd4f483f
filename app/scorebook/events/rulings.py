"""What happens to a ruling: it is recorded, then edited or removed, which can be undone.

A game does not hold its rulings: they are kept beside it (`app/actions/rulings.py`).
"""

from dataclasses import dataclass, field
from typing import Annotated

from typing_extensions import TypedDict

from app.rules.field_types import Text
from app.rules.phrases import Phrase, say
from app.rules.rule_types import PlainVerdict
from app.scorebook.events.event import Event, Subject, stored_as
from app.scorebook.game import Game
from app.scorebook.limits import Decision, Question, VerdictText


class RulingState(TypedDict):
    """A ruling, named by the moment of its record, and what of it can be edited."""

    ruling: Annotated[str, Text(40)]
    decided: Decision
    reason: Decision
    removed: bool


@dataclass(frozen=True, slots=True)
class RulingRecorded(Event):
    """The group settled a question: the verdict as it was said, and what was decided."""

    kind = "ruling"
    round_number: int
    seat: int | None = None
    question: Question = ""
    verdict_text: VerdictText = field(metadata=stored_as("verdict"), kw_only=True)
    recorded_verdict: PlainVerdict | None = field(default=None, metadata=stored_as("said"))
    decision: Decision = field(metadata=stored_as("decided"), kw_only=True)


@dataclass(frozen=True, slots=True)
class RulingEdited(Event):
    """What the group decided, or why, was put otherwise; or the ruling was removed or restored."""

    kind = "ruling_edited"
    before: RulingState
    after: RulingState

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject(f"{self.kind} {self.before['ruling']}", 0)})

    def inverse_events(self, _game: Game) -> tuple[Event, ...]:
        """The ruling is again what it was. Its row tells whether it was edited since."""
        return (RulingEdited(self.after, self.before),)

    def words(self, _game: Game) -> Phrase:
        """With what was written; where nothing was, a house rule may have changed instead."""
        decided = self.after["decided"]
        if self.after["removed"]:
            return say("Ruling removed: {decided}", decided=decided) if decided else _REMOVED
        if self.before["removed"]:
            return say("Ruling restored: {decided}", decided=decided) if decided else _RESTORED
        return say("Ruling edited: {decided}", decided=decided) if decided else _EDITED


_REMOVED, _RESTORED, _EDITED = say("Ruling removed"), say("Ruling restored"), say("Ruling edited")
