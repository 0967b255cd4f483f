"""Why a seat has the place that it has, in words."""

from collections.abc import Mapping

from app.rules.phrases import Phrase, join_names, say
from app.scorebook.game import Game
from app.scorebook.standings import GameStatus, Standing, score_decides


def place_in_words(
    game: Game, status: GameStatus, seat: int, names: Mapping[int, str]
) -> Phrase | None:
    """A seat's place, who shares it, and what sets it apart from the next.

    None for a seat without a place, and where nobody else has one.
    """
    own = status.standing(seat)
    others = [one for one in status.by_place if one.place and one.seat != seat]
    if own.place is None or not others:
        return None
    shared = [names[one.seat] for one in others if one.place == own.place]
    why = _why(game, status, own, others, names)
    if not shared:
        return why and say("Place {place}: {why}.", place=own.place, why=why)
    with_whom = join_names(shared)
    if why is None:
        return say("Place {place}, tied with {names}.", place=own.place, names=with_whom)
    return say(
        "Place {place}, tied with {names}: {why}.", place=own.place, names=with_whom, why=why
    )


def _why(
    game: Game,
    status: GameStatus,
    own: Standing,
    others: list[Standing],
    names: Mapping[int, str],
) -> Phrase | None:
    """By what a seat won, is behind the next better one or, without one, ahead; None if all tie."""
    winners = () if game.stopped else status.winners
    if own.seat in winners:
        return status.reason
    apart = [one for one in others if one.place != own.place]
    if not apart:
        return None
    better = [one for one in apart if (one.place or 0) < (own.place or 0)]
    other = better[-1] if better else apart[0]
    level = other.contracts_completed == own.contracts_completed
    if other.seat in winners and level and not score_decides(game.variant):
        return say("as many contracts as {name}, who won", name=names[other.seat])
    return _compared(own, other, names[other.seat], by_score=game.variant.places_by_score)


def _compared(own: Standing, other: Standing, name: str, *, by_score: bool) -> Phrase:
    """What a seat has more or less of than another, which has another place."""
    points = (own.score or 0) - (other.score or 0)
    contracts = 0 if by_score else own.contracts_completed - other.contracts_completed
    if contracts > 0:
        return say("more contracts than {name}", name=name)
    if contracts < 0:
        return say("fewer contracts than {name}", name=name)
    if not by_score:
        more = say("as many contracts as {name}, more points", name=name)
        return more if points > 0 else say("as many contracts as {name}, fewer points", name=name)
    more = say("more points than {name}", name=name)
    return more if points > 0 else say("fewer points than {name}", name=name)
