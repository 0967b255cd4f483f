"""Players who join a game on its way, come back or leave: what events that makes."""

from dataclasses import replace

from app.rules.phrases import say
from app.scorebook.events import Event, PlayerJoined, left
from app.scorebook.game import Game, Seat
from app.scorebook.history import is_over
from app.scorebook.refusal import refuse

MOST_PLAYERS = 12
MOST_STARTING_SCORE = 10_000


def seat_in_game(game: Game, seat: int, field: str) -> int:
    """The seat, which is one of the game's. Raises `Refused`."""
    if seat not in game.names:
        raise refuse(field, say("That seat isn’t in this game."))
    return seat


def refuse_when_over(game: Game) -> None:
    """Raise `Refused` for a game in which no more rounds are played."""
    if is_over(game):
        raise refuse("game", say("The game is over."))


def sit_down(game: Game, seat: Seat, after: int | None) -> tuple[Event, ...]:
    """A new seat, from the open round on, after another one in dealing order or last."""
    position = len(game.seats)
    if after is not None:
        position = [one.id for one in game.seats].index(after) + 1
    return (PlayerJoined(seat.id, seat.name, seat.starting_score, seat, position),)


def come_back(game: Game, seat: Seat, score: int) -> tuple[Event, ...]:
    """Whoever left takes the old seat again, if no round was missed. Raises `Refused`."""
    if seat.left_after is None:
        raise refuse("players", say("{name} is already playing.", name=seat.name))
    missed = len(game.rounds) > seat.left_after
    if missed and seat.left_after >= seat.joined_in:
        message = say(
            "{name} missed a round, so they can’t rejoin this game under the "
            "same name. Add them with another name.",
            name=seat.name,
        )
        raise refuse("players", message)
    joined_in = game.open_number if missed else min(seat.joined_in, game.open_number)
    back = replace(seat, joined_in=joined_in, left_after=None)
    position = game.seats.index(seat)
    return (PlayerJoined(seat.id, seat.name, score, back, position),)


def leave(game: Game, seat_id: int) -> tuple[Event, ...]:
    """A player leaves before the open round; nothing where that was so before. Raises `Refused`."""
    refuse_when_over(game)
    seat = game.seat(seat_in_game(game, seat_id, "players"))
    return () if seat.left_after is not None else (left(game, seat.id),)
