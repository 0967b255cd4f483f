"""Who plays a seat: a stand-in plays it on for another, and nobody plays two at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated

from app.rules.field_types import ListOf, WholeNumber
from app.rules.phrases import Phrase, say
from app.scorebook.events.event import (
    Event,
    Subject,
    name_now,
    no_way_back,
    played_since,
    refuse_if_changed,
    refuse_when_over,
    require_seat,
    stored_as,
)
from app.scorebook.game import Game, Seat, SeatHolder
from app.scorebook.limits import MOST_STAND_INS, Name
from app.scorebook.refusals import Refused, refusal


@dataclass(frozen=True, slots=True)
class SeatHandedOver(Event):
    """From a round on, another player plays a seat on: a stand-in, or who sat there before.

    `updated_seat` is the seat as it is from now on, which the log does not store.
    """

    kind = "handed_over"
    round_number: int
    seat: int
    player_name: Name = field(metadata=stored_as("player"))
    earlier_name: Name = field(default="", metadata=stored_as("earlier"))
    updated_seat: Seat | None = field(default=None, metadata=stored_as(""))

    def apply(self, game: Game) -> Game:
        return with_seat(game, self.updated_seat or game.seat(self.seat))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """Who played before plays on, if no round was played meanwhile. Raises `Refused`."""
        seat = logged_seat(game, self.seat)
        last = seat.stand_ins[-1] if seat.stand_ins else None
        now = last and (last.from_round, last.name)
        refuse_if_changed(now, (self.round_number, self.player_name))
        if self.round_number < game.open_number:
            raise played_since()
        before = replace(seat, stand_ins=seat.stand_ins[:-1])
        holder = before.holder_in(self.round_number)
        return (HandOverUndone(self.round_number, seat.id, self.player_name, holder.name, before),)

    def with_names_now(self, game: Game) -> Event:
        number, seat = self.round_number, self.seat
        return replace(
            self,
            player_name=name_now(game, seat, number, self.player_name),
            earlier_name=name_now(game, seat, number - 1, self.earlier_name),
        )

    def words(self, game: Game) -> Phrase:
        if any(one.id == self.seat and one.name == self.player_name for one in game.seats):
            return say("{name} is back", name=self.player_name)
        return say("{name} took over from {other}", name=self.player_name, other=self.earlier_name)


@dataclass(frozen=True, slots=True)
class HandOverUndone(SeatHandedOver):
    """A player did not take a seat over after all: who played it before plays on.

    Nothing holds who stood in anymore, so they would take the seat over anew.
    """

    kind = "hand_over_undone"

    def words(self, game: Game) -> Phrase:
        return say("Undone: {what}", what=SeatHandedOver.words(self, game))


Stint = Annotated[int, WholeNumber(0, MOST_STAND_INS)]
"""One of the times that a seat was held, in their order: 0 is that of who took it."""


@dataclass(frozen=True, slots=True)
class HolderCorrected(Event):
    """It was another player all along who held a seat at some of its `stints`.

    `holder` is that player, whom the log knows by name alone.
    """

    kind = "holder_corrected"
    seat: int
    player_name: Name = field(metadata=stored_as("player"))
    earlier_name: Name = field(metadata=stored_as("earlier"))
    stints: Annotated[tuple[Stint, ...], ListOf(MOST_STAND_INS + 1, 1)] = (0,)
    holder: SeatHolder | None = field(default=None, metadata=stored_as(""))

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset(Subject(f"{self.kind} {one}", 0, self.seat) for one in self.stints)

    def apply(self, game: Game) -> Game:
        seat, holder = game.seat(self.seat), self.holder or SeatHolder(1, 0, self.player_name)
        first, *later = (
            replace(holder, from_round=one.from_round) if place in self.stints else one
            for place, one in enumerate(seat.stints)
        )
        taken = replace(seat, player=first.player, name=first.name, mark=first.mark)
        return with_seat(game, replace(taken, stand_ins=tuple(later)))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """Who was there before is there again, at the same stints. Raises `Refused`."""
        seat = logged_seat(game, self.seat)
        held = [one.name for place, one in enumerate(seat.stints) if place in self.stints]
        refuse_if_changed(held, [self.player_name] * len(self.stints))
        back = HolderCorrected(seat.id, self.earlier_name, self.player_name, self.stints)
        _refuse_two_at_once(game, back, "undo")
        return (back,)

    def words(self, _game: Game) -> Phrase:
        return say(
            "Seat of {other}: it was {name} all along",
            name=self.player_name,
            other=self.earlier_name,
        )


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """A player of the game is called otherwise, or turned out to be another of the group."""

    kind = "renamed"
    player_name: Name = field(metadata=stored_as("player"))
    earlier_name: Name = field(metadata=stored_as("earlier"))

    def words(self, _game: Game) -> Phrase:
        return say("{other} is now called {name}", name=self.player_name, other=self.earlier_name)


def refuse_two_seats(game: Game, field: str = "players") -> None:
    """Raise `Refused` where a player would play two seats in the open round or a later one."""
    found = next(players_of_two_seats(game, game.open_number), None)
    if found is not None:
        raise already_playing(found[1], field)


def players_of_two_seats(game: Game, first: int) -> Iterator[tuple[int, str]]:
    """The rounds, from that number on, in which somebody plays two seats, with the name."""
    for number in range(first, _last_known_round(game) + 1):
        seen = set[str | int]()
        for seat in game.seats:
            holder = seat.holder_in(number)
            who = holder.name or holder.player
            if seat.plays_in(number):
                if who in seen:
                    yield number, holder.name
                seen.add(who)


def _last_known_round(game: Game) -> int:
    """The last round in which anybody is known to begin to play a seat, or the open one."""
    known = [game.open_number]
    for seat in game.seats:
        known += [seat.joined_in, *(last + 1 for _first, last in seat.missed)]
        known += [one.from_round for one in seat.stand_ins]
    return max(known)


def logged_seat(game: Game, seat: int) -> Seat:
    """The seat of a logged event, which may be imported and say anything. Raises `Refused`."""
    if seat not in game.names:
        raise no_way_back()
    return game.seat(seat)


def with_seat(game: Game, seat: Seat) -> Game:
    """The game with that seat in place of the one of its id."""
    return replace(game, seats=tuple(seat if one.id == seat.id else one for one in game.seats))


def events_to_hand_over(game: Game, seat_id: int, player: SeatHolder) -> tuple[Event, ...]:
    """Another player plays a seat on from the open round. Raises `Refused`."""
    refuse_when_over(game)
    seat = game.seat(require_seat(game, seat_id, "players"))
    holder = seat.holder_in(game.open_number)
    name = holder.name
    if holder.player == player.player:
        raise already_playing(player.name)
    if seat.left_after is not None:
        raise refusal("players", say("{name} left the game. Let them come back first.", name=name))
    place = replace(seat, stand_ins=(*seat.stand_ins, player))
    handed = SeatHandedOver(game.open_number, seat.id, player.name, name, place)
    if next(players_of_two_seats(handed.apply(game), game.open_number), None):
        message = say(
            "{name} is already playing. To play {other}’s cards for a while, change nothing here: "
            "the points stay {other}’s.",
            name=player.name,
            other=name,
        )
        raise refusal("players", message)
    return (handed,)


def events_to_correct_holder(
    game: Game, seat_id: int, player: SeatHolder, instead_of: str = ""
) -> tuple[Event, ...]:
    """It was that player all along, instead of the holder of that name, or of who holds the seat.

    That may be said of a game that is over, too: its points stay. Raises `Refused`.
    """
    seat = game.seat(require_seat(game, seat_id, "players"))
    name = instead_of or game.name_of(seat.id)
    stints = tuple(place for place, one in enumerate(seat.stints) if one.name == name)
    if not stints:
        raise refusal("instead_of", say("Choose one of the options."))
    if player.name == name:
        return ()
    corrected = HolderCorrected(seat.id, player.name, name, stints, player)
    _refuse_two_at_once(game, corrected, "name")
    return (corrected,)


def _refuse_two_at_once(game: Game, corrected: HolderCorrected, field: str) -> None:
    """Raise `Refused` where the right player took another seat, or played one at the same time."""
    after, name = corrected.apply(game), corrected.player_name
    taken = sum(one.name == name for one in after.seats)
    if taken > 1 or name in (one for _number, one in players_of_two_seats(after, 1)):
        message = say("{name} already sits at this table. Correct that seat first.", name=name)
        raise refusal(field, message)


def already_playing(name: str, field: str = "players") -> Refused:
    """Why a player does not take a seat, ready to raise."""
    return refusal(field, say("{name} is already playing.", name=name))
