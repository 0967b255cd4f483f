"""Points for or against a player that no cards made."""

from dataclasses import astuple, dataclass, replace

from app.rules.phrases import ask_for_number, say
from app.scorebook.decisions import Correction
from app.scorebook.events.event import Event, Subject, after_edit, refuse_if_not_begun, require_seat
from app.scorebook.events.seats import logged_seat
from app.scorebook.game import Game
from app.scorebook.limits import MOST_CORRECTED, CorrectedPoints, Decision, SeatId
from app.scorebook.refusals import Refused, refusal


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

    @property
    def subjects(self) -> frozenset[Subject]:
        what = f"{self.kind} {self.points} {self.reason}"
        return frozenset({Subject(what, self.round_number, self.seat)})

    def apply(self, game: Game) -> Game:
        corrections = [*game.decisions.corrections]
        if self.removed:
            corrections.remove(self.correction)
        else:
            corrections.append(self.correction)
        decisions = replace(game.decisions, corrections=tuple(sorted(corrections)))
        return after_edit(replace(game, decisions=decisions))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The correction is removed or made again. Raises `Refused` where that cannot be."""
        logged_seat(game, self.seat)
        if not self.removed and self.correction not in game.decisions.corrections:
            raise refusal("undo", say("That correction isn’t there anymore."))
        return (replace(self, removed=not self.removed),)


def events_to_correct(game: Game, correction: Correction) -> tuple[Event, ...]:
    """A seat's score is corrected from a round on, the open one or one before.

    It counts at once, whatever becomes of the round and of who plays. Raises `Refused`.
    """
    if not game.keeps_score:
        raise refusal("game", say("This game keeps no score."))
    refuse_if_not_begun(game, correction.number)
    if not game.rules_in(correction.number).keeps_score:
        raise refusal("number", say("Choose a round that has points."))
    require_seat(game, correction.seat, "seat")
    if not 0 < abs(correction.points) <= MOST_CORRECTED:
        raise points_refusal()
    return (ScoreCorrected(*astuple(correction)),)


def events_to_remove_correction(game: Game, correction: Correction) -> tuple[Event, ...]:
    """A correction is removed; nothing where there is none like it. Raises `Refused`."""
    there = correction in game.decisions.corrections
    return (replace(ScoreCorrected(*astuple(correction)), removed=True),) if there else ()


def points_refusal() -> Refused:
    """Why such points are no correction, ready to raise."""
    return refusal("points", ask_for_number(1, MOST_CORRECTED))
