"""How many rounds games take in simulated play, for `app/scorebook/simulated_rounds.toml`.

Players are as skilled as those of the simulated club, each game's drawn anew. A game of twenty
contracts is played to its end; where the game would have ended that goes to fewer of them is asked
of the scorebook after each round. The same seeds make the same file:

    python -m tests.simulated_lengths > app/scorebook/simulated_rounds.toml
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from app.rules.rule_sets import rule_set_by_id, with_house_rules
from app.rules.variant import Variant
from app.scorebook.game import Game, Seat
from app.scorebook.lengths import (
    MOST_SIMULATED_CONTRACTS,
    MOST_SIMULATED_PLAYERS,
    Span,
    likely_span,
)
from app.scorebook.standings import game_status
from tests.builders import with_ended_round
from tests.simulation import draw_skill, simulate_round

GAMES = 99
ENDS = {"laid_down": "frustration-rummy", "went_out": "frustration-rummy-board"}
"""What ends a game on the last contract, and a rule set where it does."""

STATEMENT = f"""\
# How many rounds games take in simulated play: nobody played them.
# `python -m tests.simulated_lengths` writes this file. Each player meets the contract in 30% to 60%
# of the rounds, whichever contract it is, and who goes out is drawn from those who have. In each
# table a line is for so many players, and its ranges are for 1, 2, 3 … contracts to go: eight of
# ten of {GAMES} games took that many rounds.
"""


def simulated_ranges(ends: str, players: int, contracts: int) -> list[Span]:
    """The rounds of eight of ten games to contract 1, 2, 3 … by that number of players."""
    games = [_rounds_to_contracts(ends, players, contracts, number) for number in range(GAMES)]
    return [likely_span(rounds) for rounds in zip(*games, strict=True)]


def _rounds_to_contracts(ends: str, players: int, contracts: int, number: int) -> list[int]:
    """In which round a game was over that goes to contract 1, 2, 3 …; one game for all of them."""
    chance = Random(f"{ends} {players} {number}")
    goals = _goals(ends)
    skill = {seat: draw_skill(chance) for seat in range(1, players + 1)}
    game = Game(goals[-1], tuple(map(Seat, skill)), first_dealer=1)
    over_in: list[int] = []
    while len(over_in) < contracts:
        game = with_ended_round(game, simulate_round(game, skill, chance))
        while len(over_in) < contracts and _is_over(game, goals[len(over_in)]):
            over_in.append(len(game.rounds))
    return over_in


@cache
def _goals(ends: str) -> list[Variant]:
    """The rules by which a game goes to contract 1, 2, 3 …"""
    base = rule_set_by_id(ENDS[ends])
    rules = {"contracts": ["s3 s3"] * MOST_SIMULATED_CONTRACTS, "keep_score": "no"}
    return [
        with_house_rules(base, {**rules, "last_contract": last})
        for last in range(1, MOST_SIMULATED_CONTRACTS + 1)
    ]


def _is_over(game: Game, rules: Variant) -> bool:
    return game_status(replace(game, variant=rules)).over


def _lines() -> Iterator[str]:
    yield STATEMENT
    for ends in ENDS:
        yield f"\n[{ends}]\n"
        for players in range(1, MOST_SIMULATED_PLAYERS + 1):
            found = simulated_ranges(ends, players, MOST_SIMULATED_CONTRACTS)
            yield f'{players} = "{" ".join(f"{low}-{high}" for low, high in found)}"\n'


if __name__ == "__main__":
    sys.stdout.writelines(_lines())
