"""What sums over many games say: rates and averages of a player, a contract, a pair of rivals.

The facts that are summed up are made by `results.py`. Where there is nothing to divide by, there is
no rate: None.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from app.scorebook.results import ContractKind

LEAST_SHARED = 3
"""Head-to-head is said of players who finished at least so many games together."""


@dataclass(frozen=True, slots=True)
class PlayerSums:
    """A player's finished games, summed up."""

    games: int = 0
    wins: int = 0
    placed: int = 0
    place_sum: int = 0
    rounds: int = 0
    times_met: int = 0
    times_went_out: int = 0
    penalty: int = 0
    penalty_rounds: int = 0
    bonus: int = 0
    bonus_count: int = 0

    @property
    def win_rate(self) -> float | None:
        """Wins of all finished games; a shared win is a win."""
        return _share(self.wins, self.games)

    @property
    def average_place(self) -> float | None:
        """The mean place in the games played to their end."""
        return _share(self.place_sum, self.placed)

    @property
    def went_out_rate(self) -> float | None:
        """Rounds in which the player went out."""
        return _share(self.times_went_out, self.rounds)

    @property
    def average_penalty(self) -> float | None:
        """Points of the cards left over in rounds in which the player did not go out."""
        return _share(self.penalty, self.penalty_rounds)


@dataclass(frozen=True, slots=True)
class ContractSums:
    """Tries at one contract, or at one kind of contract, summed up.

    `games` counts how often somebody began it, `rounds` the rounds in which it was tried.
    """

    games: int = 0
    rounds: int = 0
    completed: int = 0

    @property
    def success_rate(self) -> float | None:
        """How many of the rounds tried completed it."""
        return _share(self.completed, self.rounds)

    @property
    def rounds_each(self) -> float | None:
        """How many rounds one completion took."""
        return _share(self.rounds, self.completed)


@dataclass(frozen=True, slots=True)
class ContractStats:
    """What the tries at a numbered contract of a rule set came to."""

    number: int
    kind: ContractKind
    sums: ContractSums
    most_rounds: int = 0
    """The most rounds that it took somebody in one game."""


def total(sums: Iterable[PlayerSums]) -> PlayerSums:
    """Several sums in one."""
    together = list(sums)
    return PlayerSums(
        **{one.name: sum(getattr(s, one.name) for s in together) for one in fields(PlayerSums)}
    )


def sums_by_kind(records: Iterable[ContractStats]) -> dict[ContractKind, ContractSums]:
    """Tries at all contracts of each kind that was tried."""
    found: dict[ContractKind, ContractSums] = {}
    for one in records:
        before = found.get(one.kind, ContractSums())
        found[one.kind] = ContractSums(
            before.games + one.sums.games,
            before.rounds + one.sums.rounds,
            before.completed + one.sums.completed,
        )
    return found


def hardest(records: Iterable[ContractStats]) -> ContractStats | None:
    """The contract that takes the most rounds for each completion; None if none was tried.

    One that nobody completed yet is harder than all others.
    """
    return max(records, key=_hardness, default=None)


def _hardness(record: ContractStats) -> tuple[float, int]:
    each = record.sums.rounds_each
    return (float("inf") if each is None else each, record.sums.rounds)


def win_streaks(won: Iterable[bool]) -> tuple[int, int]:
    """The wins in a row at the end, and the most there were, of games in their order."""
    current = longest = 0
    for one in won:
        current = current + 1 if one else 0
        longest = max(longest, current)
    return current, longest


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
