"""A game takes as much as it can hold and no more, whichever way it comes; more may stay there."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.scorebook import limits
from app.scorebook.decisions import Correction, DealerChange, SeatChange, TableDecisions, VoidDeal
from app.scorebook.game import Game, RuleChange, SeatHolder
from app.scorebook.refusals import Refused, refuse_growth
from tests.builders import a_game


def of_course(game: Game, **said: Any) -> Game:
    return replace(game, decisions=replace(TableDecisions(), **said))


def of_first_seat(game: Game, **said: Any) -> Game:
    first, *others = game.seats
    return replace(game, seats=(replace(first, **said), *others))


HOLDS: dict[str, tuple[int, Callable[[Game, int], Game]]] = {
    "rule changes": (
        limits.MOST_RULE_CHANGES,
        lambda game, count: replace(
            game, rule_changes=tuple(RuleChange(n, "run_suit", "any") for n in range(count))
        ),
    ),
    "corrections": (
        limits.MOST_CORRECTIONS,
        lambda game, count: of_course(game, corrections=(Correction(1, 10, 5),) * count),
    ),
    "void deals": (
        limits.MOST_DECISIONS,
        lambda game, count: of_course(game, voids=(VoidDeal(1, 10),) * count),
    ),
    "dealers": (
        limits.MOST_DECISIONS,
        lambda game, count: of_course(game, dealers=(DealerChange(1, 10),) * count),
    ),
    "seats changed": (
        limits.MOST_DECISIONS,
        lambda game, count: of_course(game, seat_changes=(SeatChange(1, (10, 20)),) * count),
    ),
    "stand-ins": (
        limits.MOST_STAND_INS,
        lambda game, count: of_first_seat(game, stand_ins=(SeatHolder(1, 9, "Dora"),) * count),
    ),
    "absences": (
        limits.MOST_ABSENCES,
        lambda game, count: of_first_seat(game, missed=((1, 1),) * count),
    ),
}


@pytest.mark.parametrize("what", HOLDS)
def test_a_game_takes_so_many_and_no_more(what: str):
    most, holding = HOLDS[what]
    game = a_game("frustration", "Anna Ben").game
    refuse_growth(game, holding(game, most))
    with pytest.raises(Refused):
        refuse_growth(holding(game, most), holding(game, most + 1))


@pytest.mark.parametrize("what", HOLDS)
def test_what_was_more_before_the_limit_may_stay_and_shrink_but_not_grow(what: str):
    most, holding = HOLDS[what]
    game = a_game("frustration", "Anna Ben").game
    refuse_growth(holding(game, most + 5), holding(game, most + 5))
    refuse_growth(holding(game, most + 5), holding(game, most + 4))
    with pytest.raises(Refused):
        refuse_growth(holding(game, most + 5), holding(game, most + 6))
