"""Who plays a seat: a stand-in plays it on for another, and nobody plays two at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from app.rules.phrases import Phrase, say
from app.scorebook.events.event import (
    Event,
    name_now,
    no_way_back,
    played_since,
    refuse_if_changed,
    refuse_when_over,
    require_seat,
    stored_as,
)
from app.scorebook.game import Game, Seat, SeatHolder
from app.scorebook.limits import Name
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
        seen = set()
        for seat in game.seats:
            holder = seat.holder_in(number)
            who = (holder.player, holder.name)
            if seat.plays_in(number):
                if who in seen:
                    yield number, holder.name
                seen.add(who)


def _last_known_round(game: Game) -> int:
    """The round from which on nobody begins to play a seat, by what is known."""
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


def already_playing(name: str, field: str = "players") -> Refused:
    """Why a player does not take a seat, ready to raise."""
    return refusal(field, say("{name} is already playing.", name=name))
