"""What happens to a ruling once it is recorded: it is edited or removed, which can be undone.

A game does not hold its rulings: they are kept beside it (`app/actions/rulings.py`).
"""

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import TypedDict

from app.rules.field_types import Text
from app.rules.phrases import Phrase, say
from app.scorebook.events.event import Event, Subject
from app.scorebook.game import Game
from app.scorebook.limits import Decision


class RulingState(TypedDict):
    """A ruling, named by the moment of its record, and what of it can be edited."""

    ruling: Annotated[str, Text(40)]
    decided: Decision
    reason: Decision
    removed: bool


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
        """The ruling is again what it was; whether it was edited since its row tells."""
        return (RulingEdited(self.after, self.before),)

    def words(self, _game: Game) -> Phrase:
        decided = self.after["decided"] or say("as the rules say")
        if self.after["removed"]:
            return say("Ruling removed: {decided}", decided=decided)
        if self.before["removed"]:
            return say("Ruling restored: {decided}", decided=decided)
        return say("Ruling edited: {decided}", decided=decided)
