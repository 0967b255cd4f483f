"""Players who join a game and leave it."""

from dataclasses import dataclass, replace

from app.rules.phrases import say
from app.scorebook.events.event import Event, LogFields, refuse_if_changed
from app.scorebook.game import Entry, Game, Seat
from app.scorebook.refusal import refuse

LEAST_PLAYERS = 2
"""So many stay in a game."""


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """A player takes a seat, a new one or the one that was left.

    `place` is the seat as it is from now on and `position` where it stands in dealing order; the
    log does not store them.
    """

    kind = "joined"
    seat: int
    player: str = ""
    score: int | None = None
    place: Seat | None = None
    position: int = 0

    def apply(self, game: Game) -> Game:
        """The game with the seat."""
        seats = [one for one in game.seats if one.id != self.seat]
        seats.insert(self.position, self.place or Seat(self.seat, name=self.player))
        return replace(game, seats=tuple(seats))

    def undo(self, game: Game) -> tuple[Event, ...]:
        """The player leaves before playing. Raises `Refused` where rounds were played since."""
        played = [entry for one in game.rounds for entry in one.entries]
        entered = [one for draft in game.drafts for one in draft.entries if one != Entry(one.seat)]
        if any(entry.seat == self.seat for entry in (*played, *entered)):
            message = say("Rounds have been played since. Have the player leave the game instead.")
            raise refuse("undo", message)
        return (left(game, self.seat, field="undo"),)

    def to_log(self) -> LogFields:
        """The event as the log stores it: whose seat, and the starting score of a new one."""
        score = {} if self.score is None else {"score": self.score}
        return LogFields(self.kind, None, self.seat, {}, {"player": self.player, **score}, "")


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player left the game after round `after_round`, which the log does not store."""

    kind = "left"
    seat: int
    player: str = ""
    after_round: int = 0

    def apply(self, game: Game) -> Game:
        """The game, whose later rounds the player does not play."""
        return replace(
            game,
            seats=tuple(
                replace(one, left_after=self.after_round) if one.id == self.seat else one
                for one in game.seats
            ),
        )

    def undo(self, game: Game) -> tuple[Event, ...]:
        """The player is back, if no round was played meanwhile. Raises `Refused`."""
        position = next((n for n, one in enumerate(game.seats) if one.id == self.seat), None)
        if position is None:
            raise refuse("undo", say("This change can’t be undone here."))
        seat = game.seats[position]
        refuse_if_changed(seat.left_after, len(game.rounds))
        stays = replace(seat, left_after=None)
        return (PlayerJoined(seat.id, seat.name, place=stays, position=position),)

    def to_log(self) -> LogFields:
        """The event as the log stores it."""
        return LogFields(self.kind, None, self.seat, {}, {"player": self.player}, "")


def left(game: Game, seat: int, field: str = "players") -> PlayerLeft:
    """The event that a player leaves before the open round. Raises `Refused`."""
    others = (one for one in game.seats if one.id != seat)
    if sum(one.left_after is None for one in others) < LEAST_PLAYERS:
        message = say("A game needs at least 2 players. Add one before someone leaves.")
        raise refuse(field, message)
    return PlayerLeft(seat, game.name_of(seat), len(game.rounds))
