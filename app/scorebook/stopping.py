"""How a game is stopped before its end and goes on later: what events that makes."""

from app.rules.phrases import say
from app.scorebook.events.event import Event
from app.scorebook.events.games import GameReopened, GameResumed, GameStopped
from app.scorebook.game import Game
from app.scorebook.history import is_over
from app.scorebook.refusals import refusal
from app.scorebook.seats import refuse_when_over


def events_to_stop(game: Game, *, result: bool) -> tuple[Event, ...]:
    """The game is over as it stands, with a result or without one. Raises `Refused`."""
    refuse_when_over(game)
    if result and not game.rounds:
        raise refusal("game", say("No round has ended yet, so there’s no result to keep."))
    return (GameStopped(game.open_number, result),)


def events_to_reopen_game(game: Game) -> tuple[Event, ...]:
    """A game that was stopped goes on; one that was played to its end may be edited."""
    if game.stopped:
        return (GameResumed(game.open_number, game.stopped == "result"),)
    return (GameReopened(),) if is_over(game) and not game.is_reopened else ()
