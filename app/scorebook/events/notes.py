"""A line that people write about a round."""

from dataclasses import dataclass, replace

from app.rules.phrases import Phrase, say
from app.scorebook.decisions import RoundNote
from app.scorebook.events.event import Event, refuse_if_changed, refuse_if_not_begun
from app.scorebook.game import Game
from app.scorebook.limits import Decision


@dataclass(frozen=True, slots=True)
class RoundNoted(Event):
    """A round has another note than the `earlier` one; blank for none."""

    kind = "noted"
    round_number: int
    note: Decision = ""
    earlier: Decision = ""

    def apply(self, game: Game) -> Game:
        kept = [one for one in game.decisions.notes if one.number != self.round_number]
        if self.note:
            kept.append(RoundNote(self.round_number, self.note))
        return replace(game, decisions=replace(game.decisions, notes=tuple(sorted(kept))))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The earlier note. Raises `Refused` where it was changed again since."""
        refuse_if_changed(game.decisions.note_on(self.round_number), self.note)
        return (RoundNoted(self.round_number, self.earlier, self.note),)

    def words(self, _game: Game) -> Phrase:
        if not self.note:
            return say("Note on round {number} removed", number=self.round_number)
        return say("Note on round {number}: {note}", number=self.round_number, note=self.note)


def events_to_note(game: Game, number: int, note: str) -> tuple[Event, ...]:
    """A round that has begun, also of a game that is over, has that note, or none if it is blank.

    Nothing where it is so already. Raises `Refused`.
    """
    refuse_if_not_begun(game, number)
    earlier = game.decisions.note_on(number)
    return () if note == earlier else (RoundNoted(number, note, earlier),)
