"""Scores that are corrected beside the cards."""

from dataclasses import dataclass, replace

from app.rules.phrases import say
from app.scorebook.course import Correction
from app.scorebook.events.event import Event
from app.scorebook.game import Game
from app.scorebook.limits import CorrectedPoints, Decision, SeatId
from app.scorebook.refusals import refusal


@dataclass(frozen=True, slots=True)
class ScoreCorrected(Event):
    """A seat's score was corrected by some points from a round on, or that was `removed`."""

    kind = "corrected"
    round_number: int
    seat: SeatId
    points: CorrectedPoints
    reason: Decision = ""
    removed: bool = False

    @property
    def correction(self) -> Correction:
        return Correction(self.round_number, self.seat, self.points, self.reason)

    def apply(self, game: Game) -> Game:
        corrections = [*game.course.corrections]
        if self.removed:
            corrections.remove(self.correction)
        else:
            corrections.append(self.correction)
        course = replace(game.course, corrections=tuple(sorted(corrections)))
        return replace(game, course=course, is_reopened=False)

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The correction is removed or made again. Raises `Refused` where it was removed since."""
        if not self.removed and self.correction not in game.course.corrections:
            raise refusal("undo", say("That correction isn’t there anymore."))
        return (replace(self, removed=not self.removed),)
