"""What tells players apart at a glance: a colour and a shape for each seat of a game."""

from collections.abc import Mapping

from app.scorebook import Game

_MARKS = 8


def mark_of(position: int) -> int:
    """The number of the mark, from 1, of the player who came to the game at that place (from 0)."""
    return position % _MARKS + 1


def marks_of(game: Game) -> Mapping[int, int]:
    """The mark of each seat, which it keeps whoever sits down beside it or changes places."""
    return {seat: mark_of(place) for place, seat in enumerate(sorted(game.names))}
