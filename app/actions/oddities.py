"""What looks wrong about a round and may be overruled, and how a table overrules it."""

from collections.abc import Mapping

from app.rules.wording import say
from app.scorebook import Game, Oddity, Round, oddities, rounds_after_end, with_round


def doubts(game: Game, played: Round, names: Mapping[int, str]) -> tuple[Oddity, ...]:
    """What looks wrong about a round, closed or mended, and may be overruled."""
    found = list(oddities(game, played, names))
    lost = rounds_after_end(with_round(game, played))
    if lost:
        message = say(
            "This ends the game in round {end}. Later rounds won’t count.",
            end=lost[0].number - 1,
        )
        found.append(Oddity("rounds_after_end", None, message))
    return tuple(found)


def mark(oddity: Oddity) -> str:
    """What a phone sends back to overrule exactly what it was shown, numbers and all."""
    return f"{oddity.code}|{oddity.seat or ''}|{oddity.message}"
