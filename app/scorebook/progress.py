"""Which contract each seat tries in a round, and who moves on after it.

Points and the end of the game are not looked at here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.rules.variant import Variant
from app.scorebook.dealing import players_in
from app.scorebook.game import Entry, Game, Round, before_round


@dataclass(frozen=True, slots=True)
class Attempt:
    """One seat's try at a contract in one round, and how many it had completed before.

    `contract` is None for a seat that has no contract left. `completes_contract` says whether the
    contract was completed by it.
    """

    seat: int
    contract: int | None
    completed_before: int
    completes_contract: bool
    entry: Entry

    @property
    def completed_after(self) -> int:
        """How many contracts the seat has completed after this round."""
        return self.completed_before + int(self.completes_contract)


def contract_tried(variant: Variant, completed: int, number: int) -> int | None:
    """The contract that a seat tries in the round of that number; None if none is left.

    It is the one after those completed, or everybody's contract of that round.
    """
    contract = number if variant.progress == "common" else completed + 1
    return contract if contract <= variant.last_contract else None


def attempts_in(game: Game, played: Round, completed: Mapping[int, int]) -> tuple[Attempt, ...]:
    """What each seat of a round tried, in dealing order, given how many each had completed."""
    return tuple(
        _attempt(game.variant, played, seat.id, completed.get(seat.id, seat.starting_contract - 1))
        for seat in players_in(game, played.number)
    )


def round_attempts(game: Game, played: Round) -> tuple[Attempt, ...]:
    """What each seat of a round tried, in dealing order, by the rounds recorded before it."""
    return attempts_in(game, played, _completed(before_round(game, played.number)))


def attempts_by_round(game: Game) -> Iterator[tuple[Attempt, ...]]:
    """What each seat tried in each recorded round, going through the rounds once."""
    completed: dict[int, int] = {}
    for played in game.rounds:
        tried = attempts_in(game, played, completed)
        completed |= {attempt.seat: attempt.completed_after for attempt in tried}
        yield tried


def _completed(game: Game) -> Mapping[int, int]:
    """How many contracts each seat has completed in the game's rounds."""
    if game.cached_round_results is not None and len(game.cached_round_results) == len(game.rounds):
        return {
            row.seat: row.contracts_completed
            for played in game.cached_round_results
            for row in played.rows
        }
    return {
        attempt.seat: attempt.completed_after
        for tried in attempts_by_round(game)
        for attempt in tried
    }


def finishers_among(variant: Variant, tried: tuple[Attempt, ...]) -> tuple[int, ...]:
    """The seats that completed the whole game's contracts by these attempts."""
    return tuple(
        attempt.seat
        for attempt in tried
        if attempt.completes_contract and attempt.completed_after >= variant.last_contract
    )


def _attempt(variant: Variant, played: Round, seat: int, completed: int) -> Attempt:
    contract = contract_tried(variant, completed, played.number)
    entry = played.entry_of(seat)
    return Attempt(seat, contract, completed, _completes(variant, contract, entry), entry)


def _completes(variant: Variant, contract: int | None, entry: Entry) -> bool:
    """Does the seat move on from that contract?

    Where the first to go out on the last contract wins, laying that one is not enough.
    """
    if contract is None or not entry.laid_down:
        return False
    if contract == variant.last_contract and variant.win == "first_out_on_last":
        return entry.went_out
    return True
