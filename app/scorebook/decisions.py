"""What the table decides about dealing the open round: what events that makes."""

from collections.abc import Sequence

from app.rules.phrases import say
from app.scorebook.dealing import dealer_of, players_in
from app.scorebook.events.course import (
    DealerChanged,
    RoundVoided,
    SeatsChanged,
    dealer_fields,
    undone_seat_change,
)
from app.scorebook.events.event import Event
from app.scorebook.events.rounds import changes_to
from app.scorebook.events.seats import player_gone_event
from app.scorebook.faults import not_playing_fault
from app.scorebook.game import Entry, Game, Round
from app.scorebook.refusals import Refused, refusal
from app.scorebook.seats import refuse_when_over, require_seat


def events_to_void(game: Game, *, passed_on: bool, reason: str) -> tuple[Event, ...]:
    """The open round is void: what was entered for it is dropped, and it is dealt again.

    The same player deals, or the next one where the deal is passed on. Who left in the middle of
    it is not dealt in again. Raises `Refused`.
    """
    number = _open_round(game)
    blank = Round(number, tuple(Entry(seat.id) for seat in players_in(game, number)))
    gone = (player_gone_event(game, seat) for seat in game.seats if seat.left_after == number)
    return (
        *changes_to(game, blank),
        *gone,
        RoundVoided(number, dealer_of(game, number), passed_on, reason),
    )


def events_to_choose_dealer(game: Game, seat: int, *, once: bool) -> tuple[Event, ...]:
    """That player deals the open round, and the deal goes on from there unless it is for `once`.

    Nothing where it is so already. Raises `Refused` for a player who does not play.
    """
    number = _open_round(game)
    if not game.seat(require_seat(game, seat, "dealer")).plays_in(number):
        raise Refused((not_playing_fault(game, number, seat, "dealer"),))
    before = dealer_fields(game, number)
    none = DealerChanged(number, before, {"deals": None, "once": False})
    change = DealerChanged(number, before, {"deals": seat, "once": once})
    if dealer_of(none.apply(game), number) == seat:
        change = none
    return () if change.after == before else (change,)


def events_to_change_seats(game: Game, order: Sequence[int]) -> tuple[Event, ...]:
    """The players sit in that order from the open round on; a seat that was left stays in place.

    How they were to sit from a later round on, which was reopened since, no longer holds. Nothing
    where they sit so already. Raises `Refused` unless each who plays is named once.
    """
    number = _open_round(game)
    if [*order] == [seat.id for seat in players_in(game, number)]:
        return ()
    here = (number, game.course.current_deal(number))
    undone: list[Event] = []
    for change in reversed(game.course.seat_changes):
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


def _open_round(game: Game) -> int:
    """The number of the open round. Raises `Refused` where nothing more can be decided about it."""
    refuse_when_over(game)
    return game.open_number
