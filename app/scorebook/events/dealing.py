"""Who deals and in which order players sit, where the table decides it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NotRequired

from typing_extensions import TypedDict

from app.rules.phrases import Phrase, join_names, say
from app.scorebook.dealing import dealer_of, has_dealer, players_in, round_dealers
from app.scorebook.decisions import DealerChange, SeatChange
from app.scorebook.events.event import (
    Event,
    name_in,
    played_since,
    refuse_if_changed,
    refuse_if_played_since,
    refuse_when_over,
    require_seat,
)
from app.scorebook.faults import not_playing_fault
from app.scorebook.game import Game, in_order
from app.scorebook.limits import Deal, SeatId, SeatOrder
from app.scorebook.refusals import Refused, refusal


class DealerFields(TypedDict):
    """Who deals instead of whose turn it is, None for nobody, and whether for that round only."""

    deals: SeatId | None
    once: bool


@dataclass(frozen=True, slots=True)
class DealerChanged(Event):
    """It was decided who deals or dealt a round, or that it is whose turn it is."""

    kind = "dealer"
    round_number: int
    before: DealerFields
    after: DealerFields

    def apply(self, game: Game) -> Game:
        decisions, deal = game.decisions, game.decisions.current_deal(self.round_number)
        kept = [
            one for one in decisions.dealers if (one.number, one.deal) != (self.round_number, deal)
        ]
        if self.after["deals"] is not None:
            kept.append(
                DealerChange(self.round_number, self.after["deals"], self.after["once"], deal)
            )
        kept.sort(key=lambda one: (one.number, one.deal))
        return replace(game, decisions=replace(decisions, dealers=tuple(kept)))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The dealer as before. Raises `Refused` where that changed since, or rounds go by it."""
        refuse_if_changed(dealer_fields(game, self.round_number), self.after)
        undone = DealerChanged(self.round_number, before=self.after, after=self.before)
        if not _is_of_one_round(game, undone):
            refuse_if_played_since(game, self.round_number)
        return (undone,)

    def words(self, game: Game) -> Phrase:
        number, dealer = self.round_number, self.after["deals"]
        if dealer is None:
            return say("Round {number}: the player whose turn it is deals", number=number)
        name = name_in(game, dealer, number)
        if dealer not in {seat.id for seat in players_in(game, number)}:  # left in the middle of it
            return say("{name} dealt round {number}", name=name, number=number)
        if self.after["once"]:
            return say("{name} deals round {number} only", name=name, number=number)
        return say("{name} deals from round {number} on", name=name, number=number)


class OrderFields(TypedDict):
    """All seats in seating order; some may not be taken yet, or no longer be there.

    `deal` is there where the seats are not changed for the deal that counts of the round.
    """

    order: SeatOrder
    deal: NotRequired[Deal]


@dataclass(frozen=True, slots=True)
class SeatsChanged(Event):
    """Players changed seats from a deal on; rounds played before keep their dealers."""

    kind = "seats"
    round_number: int
    before: OrderFields
    after: OrderFields

    def apply(self, game: Game) -> Game:
        """The game with its seats in that order from now on.

        Where they are changed back before anything was dealt, nothing was changed.
        """
        decisions, after = game.decisions, self.after["order"]
        before = tuple(seat.id for seat in game.seats)
        deal = self.after.get("deal", decisions.current_deal(self.round_number))
        change = SeatChange(self.round_number, before, deal)
        *earlier, last = decisions.seat_changes or (None,)
        changes = decisions.seat_changes
        if last is None or (last.number, last.deal) != (change.number, change.deal):
            changes = (*changes, change)
        elif _are_alike(last.before, after):
            changes = tuple(earlier)
            after = last.before if {*after} <= {*last.before} else after
        decisions = replace(decisions, seat_changes=changes)
        return replace(game, seats=in_order(game.seats, after), decisions=decisions)

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The seats as before. Raises `Refused` where they were played on or changed since."""
        if self.round_number < game.open_number:
            raise played_since()
        now = tuple(seat.id for seat in game.seats)
        refuse_if_changed(_are_alike(now, self.after["order"]), True)
        before: OrderFields = {**self.after, "order": now}
        return (SeatsChanged(self.round_number, before, after=self.before),)

    def words(self, game: Game) -> Phrase:
        playing = {seat.id for seat in players_in(game, self.round_number)}
        order = [seat for seat in self.after["order"] if seat in playing]
        names = join_names(name_in(game, seat, self.round_number) for seat in order)
        return say("Seats from round {number} on: {names}", number=self.round_number, names=names)


def _are_alike(one: Sequence[int], other: Sequence[int]) -> bool:
    """Are these the same orders, but for seats that were taken or are gone since?"""
    return [seat for seat in one if seat in other] == [seat for seat in other if seat in one]


def dealer_fields(game: Game, number: int) -> DealerFields:
    """Who deals that round instead of whose turn it is."""
    change = game.decisions.dealer_change(number, game.decisions.current_deal(number))
    if change is None:
        return {"deals": None, "once": False}
    return {"deals": change.seat, "once": change.once}


def undone_seat_change(game: Game, change: SeatChange) -> SeatsChanged:
    """The event that the last change of seats, planned for a later deal, is not made."""
    now = tuple(seat.id for seat in game.seats)
    before = tuple(seat.id for seat in in_order(game.seats, change.before))
    changed = SeatsChanged(change.number, {"order": now}, {"order": before})
    if change.deal != game.decisions.current_deal(change.number):
        changed.before["deal"] = changed.after["deal"] = change.deal
    return changed


def events_to_choose_dealer(game: Game, seat: int, *, once: bool) -> tuple[Event, ...]:
    """That player deals the open round, and the deal goes on from there unless it is for `once`.

    Nothing where it is so already. Raises `Refused`.
    """
    number = number_to_decide_about(game)
    if not has_dealer(game.variant):
        raise refusal("dealer", say("This game has no dealer."))
    if not game.seat(require_seat(game, seat, "dealer")).plays_in(number):
        raise Refused((not_playing_fault(game, number, seat, "dealer"),))
    before = dealer_fields(game, number)
    none = DealerChanged(number, before, {"deals": None, "once": False})
    change = DealerChanged(number, before, {"deals": seat, "once": once})
    if dealer_of(none.apply(game), number) == seat:
        change = none
    return () if change.after == before else (change,)


def events_to_correct_dealer(game: Game, number: int, seat: int) -> tuple[Event, ...]:
    """That player dealt a round that has ended; who deals another stays as it is.

    Nothing where it is so already. Raises `Refused`.
    """
    if dealer_of(game, number) == seat:
        return ()
    if not game.seat(require_seat(game, seat, "dealer")).plays_in(number):
        raise Refused((not_playing_fault(game, number, seat, "dealer"),))
    before = dealer_fields(game, number)
    change = DealerChanged(number, before, {"deals": seat, "once": True})
    if not has_dealer(game.variant) or not _is_of_one_round(game, change):
        raise played_since()
    return (change,)


def _is_of_one_round(game: Game, change: DealerChanged) -> bool:
    """Is it of a round that has ended, and changes who deals no later one?"""
    number = change.round_number
    if not game.is_round_ended(number):
        return False
    now, then = (
        [*islice(round_dealers(one), number, game.open_number)]
        for one in (game, change.apply(game))
    )
    return now == then


def events_to_change_seats(game: Game, order: Sequence[int]) -> tuple[Event, ...]:
    """The players sit in that order from the open round on; a seat that was left stays in place.

    How they were to sit from a later round on, which was reopened since, no longer holds. Nothing
    where they sit so already. Raises `Refused`, also unless each who plays is named once.
    """
    number = number_to_decide_about(game)
    if [*order] == [seat.id for seat in players_in(game, number)]:
        return ()
    here = (number, game.decisions.current_deal(number))
    undone: list[Event] = []
    for change in reversed(game.decisions.seat_changes):
        if (change.number, change.deal) > here:
            undone.append(undone_seat_change(game, change))
            game = undone[-1].apply(game)
    playing = {seat.id for seat in players_in(game, number)}
    if sorted(order) != sorted(playing):
        raise refusal("order", say("Name each player of the game once, in seating order."))
    moved = iter(order)
    before = tuple(seat.id for seat in game.seats)
    after = tuple(next(moved) if seat in playing else seat for seat in before)
    if after == before:
        return tuple(undone)
    return (*undone, SeatsChanged(number, {"order": before}, {"order": after}))


def number_to_decide_about(game: Game) -> int:
    """The number of the open round. Raises `Refused` where nothing more can be decided about it."""
    refuse_when_over(game)
    return game.open_number
