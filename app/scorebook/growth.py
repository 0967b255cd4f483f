"""What a change may not make of a game: more than it can hold (`limits.py`), whoever changes it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.rules.phrases import Phrase, say
from app.scorebook import limits
from app.scorebook.game import Game
from app.scorebook.refusals import refusal


@dataclass(frozen=True, slots=True)
class Limit:
    """How many of something a game holds at most, the field that is told, and what it is told."""

    field: str
    most: int
    counts: Callable[[Game], Iterable[int]]
    message: Phrase


_LIMITS = (
    Limit(
        "switch",
        limits.MOST_RULE_CHANGES,
        lambda game: (len(game.rule_changes),),
        say("A game can have at most {most} rule changes.", most=limits.MOST_RULE_CHANGES),
    ),
    Limit(
        "game",
        limits.MOST_CORRECTIONS,
        lambda game: (len(game.course.corrections),),
        say("A game can have at most {most} score corrections.", most=limits.MOST_CORRECTIONS),
    ),
    Limit(
        "game",
        limits.MOST_DECISIONS,
        lambda game: map(len, (game.course.voids, game.course.dealers, game.course.seat_changes)),
        say("A game can have at most {most} changes of this kind.", most=limits.MOST_DECISIONS),
    ),
    Limit(
        "players",
        limits.MOST_STAND_INS,
        lambda game: (len(seat.stand_ins) for seat in game.seats),
        say("This seat has changed hands too often."),
    ),
    Limit(
        "players",
        limits.MOST_ABSENCES,
        lambda game: (len(seat.missed) for seat in game.seats),
        say("This player has left and come back too often."),
    ),
)


def refuse_growth(before: Game, after: Game) -> None:
    """Raise `Refused` where a change makes something more than a game can hold.

    What was more before, since the limit is younger than the game, may stay so.
    """
    for limit in _LIMITS:
        most = max(limit.counts(after), default=0)
        if most > max([limit.most, *limit.counts(before)]):
            raise refusal(limit.field, limit.message)
