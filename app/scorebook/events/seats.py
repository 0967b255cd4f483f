"""Players who join a game, leave it, come back, and play on for each other."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from app.rules.phrases import say
from app.scorebook.events.event import Event, LogFields, refuse_if_changed, stored_as
from app.scorebook.game import Entry, Game, Seat
from app.scorebook.refusals import refusal

LEAST_PLAYERS = 2
"""So many stay in a game."""

HandTreatment = Literal["", "counted", "not_counted"]
"""What becomes of the cards of a player who leaves in the middle of a round; blank between rounds.
"""


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """A player takes a seat, a new one or one that they left before playing a round.

    `updated_seat` is the seat as it is from now on and `position` where it stands in dealing order;
    the log does not store them.
    """

    kind = "joined"
    seat: int
    player_name: str = field(default="", metadata=stored_as("player"))
    score: int | None = None
    contract: int = 1
    updated_seat: Seat | None = None
    position: int = 0

    def apply(self, game: Game) -> Game:
        seats = [one for one in game.seats if one.id != self.seat]
        seats.insert(self.position, self.updated_seat or Seat(self.seat, name=self.player_name))
        return replace(game, seats=tuple(seats))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The player leaves before playing. Raises `Refused` where rounds were played since."""
        played = [entry for one in game.rounds for entry in one.entries]
        entered = [one for draft in game.drafts for one in draft.entries if one != Entry(one.seat)]
        if any(entry.seat == self.seat for entry in (*played, *entered)):
            message = say("Rounds have been played since. Have the player leave the game instead.")
            raise refusal("undo", message)
        return (player_left_event(game, self.seat, field="undo"),)

    def to_log(self) -> LogFields:
        said: dict[str, Any] = {"player": self.player_name}
        if self.score is not None:
            said["score"] = self.score
        if self.contract != 1:
            said["contract"] = self.contract
        return LogFields(self.kind, None, self.seat, {}, said, "")


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player left the game; the log stores the round only where it was under way.

    The log does not store `after_round`, the last round that the player plays.
    """

    kind = "left"
    seat: int
    player_name: str = field(default="", metadata=stored_as("player"))
    round_number: int = 0
    hand_treatment: HandTreatment = field(default="", metadata=stored_as("cards"))
    after_round: int = 0

    def apply(self, game: Game) -> Game:
        return _with_seat(game, game.seat(self.seat).with_departure_after(self.after_round))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The player is back, if no round was played meanwhile. Raises `Refused`."""
        seat = _seat_of(game, self.seat)
        if seat.left_after is None or seat.has_played_before(game.open_number):
            refuse_if_changed(
                seat.left_after, len(game.rounds) + (self.hand_treatment == "counted")
            )
        refuse_if_playing(game, seat.holder_in(game.open_number).player, but=seat, field="undo")
        return (player_returned_event(game, seat),)

    def to_log(self) -> LogFields:
        cards = {"cards": self.hand_treatment} if self.hand_treatment else {}
        said = {"player": self.player_name, **cards}
        return LogFields(self.kind, self.round_number or None, self.seat, {}, said, "")


@dataclass(frozen=True, slots=True)
class PlayerReturned(Event):
    """A player who left after a round plays again from another one on."""

    kind = "returned"
    round_number: int
    seat: int
    player_name: str = field(default="", metadata=stored_as("player"))
    left_after: int = 0

    @property
    def rounds_missed(self) -> int:
        """How many rounds the player missed meanwhile."""
        return max(0, self.round_number - 1 - self.left_after)

    def apply(self, game: Game) -> Game:
        return _with_seat(game, game.seat(self.seat).with_return_in(self.round_number))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """The player is away as before, if no round was played meanwhile. Raises `Refused`."""
        seat = _seat_of(game, self.seat)
        refuse_if_changed((seat.left_after, game.open_number), (None, self.round_number))
        if any(seat.plays_in(one) for one in range(self.left_after + 1, self.round_number)):
            raise refusal("undo", say("This change can’t be undone here."))
        return (
            replace(player_left_event(game, self.seat, field="undo"), after_round=self.left_after),
        )


@dataclass(frozen=True, slots=True)
class SeatHandedOver(Event):
    """From a round on, another player plays a seat on: a stand-in, or who sat there before.

    `updated_seat` is the seat as it is from now on, which the log does not store.
    """

    kind = "handed_over"
    round_number: int
    seat: int
    player_name: str = field(default="", metadata=stored_as("player"))
    earlier_name: str = field(default="", metadata=stored_as("earlier"))
    updated_seat: Seat | None = None

    def apply(self, game: Game) -> Game:
        return _with_seat(game, self.updated_seat or game.seat(self.seat))

    def inverse_events(self, game: Game) -> tuple[Event, ...]:
        """Who played before plays on, if no round was played meanwhile. Raises `Refused`."""
        seat = _seat_of(game, self.seat)
        last = seat.stand_ins[-1] if seat.stand_ins else None
        now = last and (last.from_round, last.name)
        refuse_if_changed(
            (now, game.open_number), ((self.round_number, self.player_name), self.round_number)
        )
        before = replace(seat, stand_ins=seat.stand_ins[:-1])
        holder = before.holder_in(self.round_number)
        refuse_if_playing(game, holder.player, but=seat, field="undo")
        return (SeatHandedOver(self.round_number, seat.id, holder.name, self.player_name, before),)

    def to_log(self) -> LogFields:
        said = {"player": self.player_name, "earlier": self.earlier_name}
        return LogFields(self.kind, self.round_number, self.seat, {}, said, "")


SeatEvent = PlayerJoined | PlayerLeft | PlayerReturned | SeatHandedOver
"""Events of who plays."""


def player_left_event(
    game: Game, seat: int, cards: HandTreatment = "", field: str = "players"
) -> PlayerLeft:
    """The event that a player leaves before the open round or in it. Raises `Refused`."""
    others = (one for one in game.seats if one.id != seat)
    if sum(one.left_after is None for one in others) < LEAST_PLAYERS:
        message = say("A game needs at least 2 players. Add one before someone leaves.")
        raise refusal(field, message)
    number = game.open_number if cards else 0
    last = len(game.rounds) + (cards == "counted")
    return PlayerLeft(seat, game.name_of(seat), number, cards, last)


def player_returned_event(game: Game, seat: Seat) -> PlayerReturned:
    """The event that a player comes back for the open round."""
    number = game.open_number
    after = number - 1 if seat.left_after is None else seat.left_after
    return PlayerReturned(number, seat.id, seat.holder_in(number).name, after)


def refuse_if_playing(
    game: Game, player: int, but: Seat | None = None, field: str = "players"
) -> None:
    """Raise `Refused` for who plays another seat than that one, in the open round or later."""
    now = game.open_number
    later = (one.from_round for seat in game.seats for one in seat.stand_ins)
    for number in {now, *(one for one in later if one > now)}:
        for seat in game.seats:
            holder = seat.holder_in(number)
            gone = seat.has_left_by(max(number, seat.joined_in))
            if seat != but and holder.player == player and not gone:
                message = say("{name} is already playing.", name=holder.name)
                raise refusal(field, message)


def _seat_of(game: Game, seat: int) -> Seat:
    """The seat of a logged event, which may be imported and say anything. Raises `Refused`."""
    if seat not in game.names:
        raise refusal("undo", say("This change can’t be undone here."))
    return game.seat(seat)


def _with_seat(game: Game, seat: Seat) -> Game:
    return replace(game, seats=tuple(seat if one.id == seat.id else one for one in game.seats))
