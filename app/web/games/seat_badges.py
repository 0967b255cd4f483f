"""What tells players apart at a glance: a colour and a shape for each seat of a game."""

from collections.abc import Mapping

from app.scorebook.game import Game

_BADGES = 8


def badge_number(position: int) -> int:
    """The badge, from 1, of the player who came to the game at that place (from 0)."""
    return position % _BADGES + 1


def badge_numbers(game: Game) -> Mapping[int, int]:
    """The badge of each seat, which it keeps whoever sits down beside it or changes places."""
    return {seat: badge_number(place) for place, seat in enumerate(sorted(game.names))}
