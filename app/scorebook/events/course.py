"""What the table decides about dealing: a deal is void, another player deals, seats change."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NotRequired

from typing_extensions import TypedDict

from app.rules.phrases import say
from app.scorebook.course import DealerChange, SeatChange, VoidDeal
from app.scorebook.events.event import Event, Subject, refuse_if_changed, stored_as
from app.scorebook.game import Game, in_order
from app.scorebook.limits import Deal, Decision, SeatId, SeatOrder
from app.scorebook.refusals import refusal


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
        _refuse_if_played(game, self.round_number)
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


class DealerFields(TypedDict):
    """Who deals instead of whose turn it is, None for nobody, and whether for that round only."""

    deals: SeatId | None
    once: bool


@dataclass(frozen=True, slots=True)
class DealerChanged(Event):
    """Another player deals the open round than the one whose turn it is, or no longer does."""

    kind = "dealer"
    round_number: int
    before: DealerFields
    after: DealerFields

    def apply(self, game: Game) -> Game:
        course, deal = game.course, game.course.current_deal(self.round_number)
        kept = [
            one for one in course.dealers if (one.number, one.deal) != (self.round_number, deal)
        ]
        if self.after["deals"] is not None:
            kept.append(
                DealerChange(self.round_number, self.after["deals"], self.after["once"], deal)
            )
        kept.sort(key=lambda one: (one.number, one.deal))
        return replace(game, course=replace(course, dealers=tuple(kept)))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The dealer as before. Raises `Refused` where that changed again since."""
        _refuse_if_played(game, self.round_number)
        refuse_if_changed(dealer_fields(game, self.round_number), self.after)
        return (DealerChanged(self.round_number, before=self.after, after=self.before),)


class OrderFields(TypedDict):
    """All seats in dealing order; some may not be taken yet, or no longer be there.

    `deal` is there where the seats are not changed for the deal that counts of the round.
    """

    order: SeatOrder
    deal: NotRequired[Deal]


@dataclass(frozen=True, slots=True)
class SeatsChanged(Event):
    """Players changed seats before the open round; those played keep their dealers."""

    kind = "seats"
    round_number: int
    before: OrderFields
    after: OrderFields

    def apply(self, game: Game) -> Game:
        """The game with its seats in that order from now on.

        Where they are changed back before anything was dealt, nothing was changed.
        """
        course, after = game.course, self.after["order"]
        before = tuple(seat.id for seat in game.seats)
        deal = self.after.get("deal", course.current_deal(self.round_number))
        change = SeatChange(self.round_number, before, deal)
        *earlier, last = course.seat_changes or (None,)
        changes = course.seat_changes
        if last is None or (last.number, last.deal) != (change.number, change.deal):
            changes = (*changes, change)
        elif _are_alike(last.before, after):
            changes = tuple(earlier)
            after = last.before if {*after} <= {*last.before} else after
        course = replace(course, seat_changes=changes)
        return replace(game, seats=in_order(game.seats, after), course=course)

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The seats as before. Raises `Refused` where they changed again since."""
        if self.round_number < game.open_number:
            _refuse_if_played(game, self.round_number)
        now = tuple(seat.id for seat in game.seats)
        refuse_if_changed(_are_alike(now, self.after["order"]), True)
        before: OrderFields = {**self.after, "order": now}
        return (SeatsChanged(self.round_number, before, after=self.before),)


def _are_alike(one: Sequence[int], other: Sequence[int]) -> bool:
    """Are these the same orders, but for seats that were taken or are gone since?"""
    return [seat for seat in one if seat in other] == [seat for seat in other if seat in one]


def dealer_fields(game: Game, number: int) -> DealerFields:
    """Who deals that round instead of whose turn it is."""
    change = game.course.dealer_change(number, game.course.current_deal(number))
    if change is None:
        return {"deals": None, "once": False}
    return {"deals": change.seat, "once": change.once}


def undone_seat_change(game: Game, change: SeatChange) -> SeatsChanged:
    """The event that the last change of seats, planned for a later deal, is not made."""
    now = tuple(seat.id for seat in game.seats)
    before = tuple(seat.id for seat in in_order(game.seats, change.before))
    changed = SeatsChanged(change.number, {"order": now}, {"order": before})
    if change.deal != game.course.current_deal(change.number):
        changed.before["deal"] = changed.after["deal"] = change.deal
    return changed


def _refuse_if_played(game: Game, number: int) -> None:
    if number != game.open_number:
        raise refusal("undo", say("Rounds have been played since."))
