"""Sums over many finished games: for players, their contracts, and each pair of rivals.

Every sum is a sum of whole numbers, so that a game can be taken out again as it was added. What is
no sum (streaks) needs the order of games and is read from the results themselves.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from app.scorebook.results import ContractAttempts, GameResult, SeatResult
from app.scorebook.statistics import ContractSums, PlayerSums


@dataclass(frozen=True, slots=True)
class TalliedGame:
    """A finished game. `year` is the one it ended in."""

    variant: str
    year: int
    result: GameResult

    @property
    def players(self) -> list[int]:
        """Who played in it."""
        return [one.player for one in self.result.seats]


PLAYER_FIELDS = tuple(one.name for one in fields(PlayerSums))
"""What is summed for a player; `places` adds up the places of the `placed` games."""
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
    stuck: Sums = field(default_factory=dict)
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
    sums = _at(tallies.players, (seat.player, finish.variant, finish.year))
    values = {
        "games": 1,
        "wins": int(seat.won),
        "placed": int(seat.place is not None),
        "places": seat.place or 0,
    }
    for name in PLAYER_FIELDS:
        sums[name] += sign * (values[name] if name in values else getattr(seat, name))
    for one in seat.tries:
        _add_tries(tallies, (seat.player, finish.variant), one, sign)


def _add_tries(
    tallies: Tallies, whose: tuple[int, str], tries: ContractAttempts, sign: int
) -> None:
    player, variant = whose
    sums = _at(tallies.contracts, (player, variant, tries.contract, tries.kind))
    sums["games"] += sign
    sums["rounds"] += sign * tries.rounds
    sums["completed"] += sign * int(tries.completed)
    _at(tallies.stuck, (player, tries.rounds, variant, tries.contract))["times"] += sign


def _add_rivals(rivals: Sums, finish: TalliedGame, sign: int) -> None:
    """Who finished above whom; who left before the end is nobody's rival in that game."""
    placed = [(one.player, one.place) for one in finish.result.seats if one.place is not None]
    for player, place in placed:
        for rival, other in placed:
            if rival != player:
                sums = _at(rivals, (player, rival))
                sums["shared"] += sign
                sums["above"] += sign * int(place < other)
                sums["level"] += sign * int(place == other)


def _at(sums: Sums, key: tuple[int | str, ...]) -> Counter[str]:
    return sums.setdefault(key, Counter())


def win_streaks(won: Iterable[bool]) -> tuple[int, int]:
    """The wins in a row at the end, and the most there were, of games in their order."""
    current = longest = 0
    for one in won:
        current = current + 1 if one else 0
        longest = max(longest, current)
    return current, longest
