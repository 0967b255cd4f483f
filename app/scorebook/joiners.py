"""What a late joiner begins with: a contract where each has their own, a score where one is kept.

Either is a number, or one of the usual ones by its name (the values of the house rules
`joiner_contract` and `joiner_score`); that one is then the house rule for the next joiner.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.rules.phrases import ask_for_number, say
from app.scorebook.events.event import Event
from app.scorebook.events.games import RuleChanged
from app.scorebook.game import Game, Seat
from app.scorebook.refusals import refusal
from app.scorebook.standings import game_status, score_decides

MOST_STARTING_SCORE = 10_000


def usual_contracts(game: Game) -> Mapping[str, int]:
    """The contracts that a late joiner usually begins on, by the value of the house rule."""
    tried = (one.contract for one in game_status(game).standings if one.present)
    return {"first": 1, "lowest": min((one for one in tried if one), default=1)}


def usual_scores(game: Game) -> Mapping[str, int]:
    """The scores that a late joiner usually begins with, by that; an average's half goes up."""
    scores = [one.score or 0 for one in game_status(game).standings if one.present] or [0]
    average = (2 * sum(scores) + len(scores)) // (2 * len(scores))
    return {"zero": 0, "average": average, "highest": max(scores)}


def with_joiner_start(
    game: Game, seat: Seat, contract: int | str | None, score: int | str | None
) -> tuple[Seat, tuple[Event, ...]]:
    """A late joiner's seat with what it begins with, and the house rules that this makes.

    None leaves it to the house rule. Raises `Refused` for what cannot be chosen, and where a score
    that decides who wins is left open, unless all the usual ones are the same.
    """
    events: tuple[Event, ...] = ()
    if game.variant.progress == "individual":
        usual, bounds = usual_contracts(game), (1, game.variant.last_contract)
        number, events = _chosen(game, "joiner_contract", contract, usual, bounds)
        seat = replace(seat, starting_contract=number)
    if game.keeps_score:
        bounds = (-MOST_STARTING_SCORE, MOST_STARTING_SCORE)
        number, more = _chosen(game, "joiner_score", score, usual_scores(game), bounds)
        seat, events = replace(seat, starting_score=number), (*events, *more)
    return seat, events


def _chosen(
    game: Game,
    rule: str,
    asked: int | str | None,
    usual: Mapping[str, int],
    bounds: tuple[int, int],
) -> tuple[int, tuple[Event, ...]]:
    """The number that was asked for, and the house rule where that changes."""
    field, now = rule.removeprefix("joiner_"), getattr(game.rules_in(game.open_number), rule)
    chosen = now if asked is None else asked
    if chosen == "ask":
        if score_decides(game.variant) and len(set(usual.values())) > 1:
            raise refusal(field, say("Choose a starting score: the score decides who wins."))
        return 0, ()
    if isinstance(chosen, str) and chosen in usual:
        change = RuleChanged(game.open_number, {rule: now}, {rule: chosen})
        return usual[chosen], (change,) if chosen != now else ()
    least, most = bounds
    if isinstance(chosen, str) or not least <= chosen <= most:
        raise refusal(field, ask_for_number(least, most))
    return chosen, ()
