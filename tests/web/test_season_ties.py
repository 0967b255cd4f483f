"""Who is level in the table of a season is ranked by what is said of ties."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import inf
from random import Random

import pytest

from app.scorebook.seasons import EveningSums, SeasonRules, season_table
from app.web.game_parts.season_tables import MEASURE_WORDS, season_rules_in_words

TIES: dict[str, Callable[[EveningSums], float]] = {
    "points for places": lambda sums: -sums.points,
    "more wins": lambda sums: -sums.wins,
    "average place": lambda sums: sums.average_place or inf,
}


@pytest.mark.parametrize("best_of", [None, 1, 2])
@pytest.mark.parametrize("measure", MEASURE_WORDS)
def test_who_is_level_is_ranked_by_what_is_said_of_ties_and_nothing_else(measure, best_of):
    rules, few = SeasonRules(measure, best_of=best_of), partial(Random(1).randint, 1)
    played = [
        EveningSums(player, evening, 9, few(2), few(3), few(3), few(9), 2, few(2), 2, few(4))
        for player in range(300)
        for evening in range(few(3))
    ]
    said = str(season_rules_in_words(rules)[-1])
    named = sorted((one for one in TIES if one in said), key=said.index)
    level = 0
    for one, next_one in pairwise(season_table(played, rules)):
        if one.value == next_one.value:
            first, second = ([TIES[tie](row.sums) for tie in named] for row in (one, next_one))
            assert first <= second
            assert (one.place == next_one.place) == (first == second), (one, next_one)
            level += 1
    assert level > 100
