"""The corrections of a game, with the names of those whose scores they correct."""

from app.scorebook.course import Correction
from app.scorebook.game import Game


def named_corrections(game: Game) -> list[tuple[str, Correction]]:
    """Who played the seat in the round that is corrected, and the correction."""
    corrections = game.course.corrections
    return [(game.names_in(one.number).get(one.seat, ""), one) for one in corrections]
