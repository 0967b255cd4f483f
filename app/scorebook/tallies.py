"""Sums over many finished games: for players, their contracts, and each pair of rivals.

Every sum is a sum of whole numbers, so that a game can be taken out again as it was added. What is
no sum (streaks) needs the order of games and is read from the results themselves.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from itertools import permutations

from app.scorebook.results import GameResult, SeatResult
from app.scorebook.statistics import ContractSums, PlayerSums


@dataclass(frozen=True, slots=True)
class TalliedGame:
    """A finished game. `year` is the one it ended in."""

    variant_id: str
    year: int
    result: GameResult

    @property
    def players(self) -> list[int]:
        return [one.player for one in self.result.seats]


PLAYER_FIELDS = tuple(one.name for one in fields(PlayerSums))
"""What is summed for a player; `place_sum` adds up the places of the `placed` games."""
CONTRACT_FIELDS = tuple(one.name for one in fields(ContractSums))
STUCK_FIELDS = ("times",)
RIVAL_FIELDS = ("shared", "above", "level")

Sums = dict[tuple[int | str, ...], Counter[str]]


@dataclass(slots=True)
class Tallies:
    """Sums by their keys; a sum that came to nothing but zeros is left out."""

    players: Sums = field(default_factory=dict)
    """By player, variant and year."""
    contracts: Sums = field(default_factory=dict)
    """By player, variant, contract and kind."""
    rounds_per_contract: Sums = field(default_factory=dict)
    """By player, rounds, variant and contract: how often that contract took so many rounds."""
    rivals: Sums = field(default_factory=dict)
    """By player and rival."""


def tally(finishes: Iterable[TalliedGame], sign: int = 1) -> Tallies:
    """The sums over these games; with `sign` -1, what has to be added to take them out."""
    tallies = Tallies()
    for finish in finishes:
        for seat in finish.result.seats:
            _add_seat(tallies, finish, seat, sign)
        _add_rivals(tallies.rivals, finish, sign)
    return tallies


def _add_seat(tallies: Tallies, finish: TalliedGame, seat: SeatResult, sign: int) -> None:
    player, variant, place = seat.player, finish.variant_id, seat.place
    own = {"games": 1, "wins": seat.won, "placed": place is not None, "place_sum": place or 0}
    values = {name: own[name] if name in own else getattr(seat, name) for name in PLAYER_FIELDS}
    _add(tallies.players, (player, variant, finish.year), values, sign)
    for one in seat.contract_attempts:
        values = {"games": 1, "rounds": one.rounds, "completed": one.was_completed}
        _add(tallies.contracts, (player, variant, one.contract, one.kind), values, sign)
        _add(
            tallies.rounds_per_contract,
            (player, one.rounds, variant, one.contract),
            {"times": 1},
            sign,
        )


def _add_rivals(rivals: Sums, finish: TalliedGame, sign: int) -> None:
    """Who finished above whom; who left before the end is nobody's rival in that game."""
    placed = [(one.player, one.place) for one in finish.result.seats if one.place is not None]
    for (player, place), (rival, other) in permutations(placed, 2):
        values = {"shared": 1, "above": place < other, "level": place == other}
        _add(rivals, (player, rival), values, sign)


def _add(sums: Sums, key: tuple[int | str, ...], values: Mapping[str, int], sign: int) -> None:
    added = sums.setdefault(key, Counter())
    for name, value in values.items():
        added[name] += sign * value


def win_streaks(won: Iterable[bool]) -> tuple[int, int]:
    """The wins in a row at the end, and the most there were, of games in their order."""
    current = longest = 0
    for one in won:
        current = current + 1 if one else 0
        longest = max(longest, current)
    return current, longest
