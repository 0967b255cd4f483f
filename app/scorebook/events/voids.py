"""A deal that counts nothing, so that the round is dealt again."""

from dataclasses import dataclass, field, replace

from app.scorebook.course import VoidDeal
from app.scorebook.dealing import dealer_of, players_in
from app.scorebook.events.attendance import player_gone_event
from app.scorebook.events.dealing import require_open
from app.scorebook.events.event import (
    Event,
    Subject,
    refuse_if_changed,
    refuse_if_played,
    stored_as,
)
from app.scorebook.events.rounds import changes_to
from app.scorebook.game import Entry, Game, Round
from app.scorebook.limits import Decision


@dataclass(frozen=True, slots=True)
class RoundVoided(Event):
    """The open round was void and is dealt again, or that was undone (`is_undone`).

    What was entered for it is dropped by events that stand before this one.
    """

    kind = "void"
    round_number: int
    dealer: int | None = field(default=None, metadata=stored_as("seat"))
    passed_on: bool = False
    reason: Decision = ""
    is_undone: bool = field(default=False, metadata=stored_as("undone"))

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("round", self.round_number)})

    def apply(self, game: Game) -> Game:
        voids = game.course.voids
        if self.is_undone:
            last = max(place for place, one in enumerate(voids) if one.number == self.round_number)
            voids = (*voids[:last], *voids[last + 1 :])
        else:
            voids = tuple(sorted((*voids, self._void), key=lambda one: one.number))
        return replace(game, course=replace(game.course, voids=voids))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The deal counts after all. Raises `Refused` where something was decided since."""
        refuse_if_played(game, self.round_number)
        course = game.course
        if not self.is_undone:
            refuse_if_changed(course.voids_in(self.round_number)[-1:], (self._void,))
            since = {(one.number, one.deal) for one in course.dealers}
            since |= {(one.number, one.deal) for one in course.seat_changes}
            refuse_if_changed(
                (self.round_number, course.current_deal(self.round_number)) in since, False
            )
        return (replace(self, is_undone=not self.is_undone),)

    @property
    def _void(self) -> VoidDeal:
        return VoidDeal(self.round_number, self.dealer or None, self.passed_on, self.reason)


def events_to_void(game: Game, *, passed_on: bool, reason: str) -> tuple[Event, ...]:
    """The open round is void: what was entered for it is dropped, and it is dealt again.

    The same player deals, or the next one where the deal is passed on. Who left in the middle of
    it is not dealt in again. Raises `Refused`.
    """
    number = require_open(game)
    blank = Round(number, tuple(Entry(seat.id) for seat in players_in(game, number)))
    gone = (player_gone_event(game, seat) for seat in game.seats if seat.left_after == number)
    return (
        *changes_to(game, blank),
        *gone,
        RoundVoided(number, dealer_of(game, number), passed_on, reason),
    )
