"""How long a game takes, and what is left of one: rounds and minutes, each as a range.

Where all try the same contract each round, there are as many rounds as contracts. How many it takes
otherwise is known from simulated play (`simulated_rounds.toml` says how it was made): it goes by
the contracts to go, the players, and whether the last contract takes going out. A group whose own
games of the rule set took more rounds, or fewer, is taken to need as many, where simulated play
counts as much as five games. Five also tell the minutes that its rounds last. With fewer the pace
is assumed, since nobody measured it: two minutes for each player in a round, a third more or less.
The rounds that a game has had say how long those to come last, and the usual pace counts as much as
three of them. The ranges are meant to hold in eight of ten games.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor, hypot, sqrt
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from app.rules.variant import Variant
from app.scorebook.game import Game
from app.scorebook.standings import GameStatus

MOST_SIMULATED_CONTRACTS = 20
"""Games with up to so many contracts to go are simulated."""
MOST_SIMULATED_PLAYERS = 8
"""Games of up to so many players are simulated; more are taken to need as many rounds."""
_ENOUGH_GAMES = 5
_ENOUGH_ROUNDS = 3
_SHORTEST_ROUND = 60
"""A round of fewer seconds was entered later and says nothing of the pace."""
_MINUTES_OF_A_PLAYER = 2
_SPREAD_OF_GROUPS = 1 / 3
"""So much longer or shorter than assumed a group's rounds are taken to be.

With it, ranges hold for 84 of 100 games of forty simulated clubs; with 0.29 for 80.
"""
_SPREAD = 0.25
"""So much longer or shorter than usual one round of a game is taken to be."""


class Span(NamedTuple):
    """From the least to the most that is likely."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """Halfway between the two."""
        return (self.low + self.high) / 2

    @property
    def spread(self) -> float:
        """By which part of the middle it may be more or less."""
        return (self.high - self.low) / (self.high + self.low)


class KnownLength(NamedTuple):
    """How long a finished game of the group took; `contracts`: the most behind any player."""

    players: int
    contracts: int
    rounds: int
    seconds: int


@dataclass(frozen=True, slots=True)
class GameLength:
    """How long a game takes, or goes on: rounds, and minutes."""

    rounds: Span
    minutes: Span


def likely_span(counts: Sequence[float]) -> Span:
    """Two of the counts between which at least eight of ten of them lie."""
    ordered = sorted(counts)
    cut = max(1, (len(ordered) + 1) // 10)
    return Span(ordered[cut - 1], ordered[-cut])


def game_length(rules: Variant, players: int, known: Sequence[KnownLength]) -> GameLength | None:
    """How long a game takes, by the finished ones of the group; None by rules without contracts."""
    if not rules.contracts:
        return None
    rounds = _rounds(rules, players, rules.last_contract, 0, known)
    return _length(rounds, *_usual_pace(players, known))


def length_left(
    game: Game, status: GameStatus, known: Sequence[KnownLength], round_seconds: Sequence[int]
) -> GameLength | None:
    """How long a game goes on, by the group's `known` games and how long its own rounds lasted.

    None if it is over, or without contracts or players. It is told as of the beginning of the open
    round.
    """
    completed = [one.contracts_completed for one in status.standings if one.present]
    if status.over or not completed or not game.variant.contracts:
        return None
    rounds = _rounds_left(game, completed, known)
    minutes, spread = _usual_pace(len(completed), known)
    lasted = [one for one in round_seconds if one >= _SHORTEST_ROUND]
    if lasted:
        own = len(lasted) / (len(lasted) + _ENOUGH_ROUNDS)
        minutes = own * median(lasted) / 60 + (1 - own) * minutes
        spread = hypot(own * _SPREAD / sqrt(len(lasted)), (1 - own) * spread)
    return _length(rounds, minutes, spread)


def _rounds_left(game: Game, completed: Sequence[int], known: Sequence[KnownLength]) -> Span:
    """The rounds to come where the players present completed so many contracts each.

    For each count: play on as if only those with at least that many contracts played, each with
    just that many. The shortest of these is told, so that it hardly grows as those behind catch up.
    """
    return min(
        (
            _rounds(
                game.variant,
                sum(one >= least for one in completed),
                max(1, game.variant.last_contract - least),
                len(game.rounds),
                known,
            )
            for least in sorted(set(completed), reverse=True)
        ),
        key=lambda span: span.middle,
    )


def _rounds(
    rules: Variant, players: int, contracts: int, played: int, known: Sequence[KnownLength]
) -> Span:
    """The rounds to come; nobody lays more than one contract in a round."""
    most = max(1, rules.max_deals - played) if rules.max_deals else float("inf")
    if rules.progress == "common":
        left = min(max(1, rules.last_contract - played), most)
        return Span(left, left)
    found = _simulated(rules, players, contracts)
    measures = [
        one.rounds / _simulated(rules, one.players, max(1, one.contracts)).middle for one in known
    ]
    slower = fmean([*measures, *[1] * _ENOUGH_GAMES])
    low = max(contracts, floor(slower * found.low))
    high = max(contracts, ceil(slower * found.high))
    return Span(min(low, most), min(high, most))


def _simulated(rules: Variant, players: int, contracts: int) -> Span:
    """The rounds of simulated games to so many contracts; in proportion where none went so far."""
    ends = "went_out" if rules.win == "first_out_on_last" else "laid_down"
    spans = _simulated_rounds()[ends][min(players, MOST_SIMULATED_PLAYERS)]
    if contracts <= MOST_SIMULATED_CONTRACTS:
        return spans[contracts - 1]
    times = contracts / MOST_SIMULATED_CONTRACTS
    return Span(times * spans[-1].low, times * spans[-1].high)


@cache
def _simulated_rounds() -> Mapping[str, Mapping[int, Sequence[Span]]]:
    """By what ends the game and the number of players: the rounds for 1, 2, 3 … contracts."""
    file = Path(__file__).with_name("simulated_rounds.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        ends: {
            int(players): [Span(*map(int, one.split("-"))) for one in ranges.split()]
            for players, ranges in lines.items()
        }
        for ends, lines in tables.items()
    }


def _usual_pace(players: int, known: Sequence[KnownLength]) -> tuple[float, float]:
    """The usual minutes of a round, and the share by which a game's pace may differ from them."""
    if len(known) < _ENOUGH_GAMES:
        return _MINUTES_OF_A_PLAYER * players, _SPREAD_OF_GROUPS
    minutes = [one.seconds / 60 / one.rounds for one in known]
    return median(minutes), likely_span(minutes).spread


def _length(rounds: Span, minutes: float, spread: float) -> GameLength:
    """That many rounds at that pace; each round may be longer or shorter by itself, too."""
    middle = rounds.middle * minutes
    spread = min(0.9, hypot(rounds.spread, spread, _SPREAD / sqrt(rounds.middle)))
    return GameLength(rounds, Span((1 - spread) * middle, (1 + spread) * middle))
