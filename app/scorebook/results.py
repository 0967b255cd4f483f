"""What a finished game came to, for the game as a whole and for each seat.

These are the facts of one game that statistics are made of; adding up many games is `tallies.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.rules.contracts import Contract
from app.rules.variant import Variant
from app.scorebook.game import Game
from app.scorebook.history import RoundRecord, RowRecord, history
from app.scorebook.standings import Board, board

ContractKind = Literal["sets", "runs", "mixed"]


@dataclass(frozen=True, slots=True)
class Tries:
    """One seat's rounds on one contract, and whether it was completed in the last of them."""

    contract: int
    kind: ContractKind
    rounds: int
    completed: bool


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a game came to for one seat.

    `place` is None for who left before the end, `score` where none was kept. `penalty` adds up the
    points of the `penalty_rounds` in which the seat did not go out and its cards were counted;
    `bonus` the points of its `bonuses`, as they are added to the score (so -25 helps).
    """

    seat: int
    place: int | None
    won: bool
    score: int | None
    completed: int = 0
    rounds: int = 0
    met: int = 0
    went_out: int = 0
    penalty: int = 0
    penalty_rounds: int = 0
    bonus: int = 0
    bonuses: int = 0
    tries: tuple[Tries, ...] = ()


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a game came to as a whole.

    `margin` is by how much the winners were ahead of the next best, `comeback` the farthest that
    the winner had been behind the best after some round: in points where they decide
    (`by_points`), else in contracts. None where there is nothing to compare with.
    """

    rounds: int
    by_points: bool
    margin: int | None
    comeback: int | None
    seats: tuple[SeatResult, ...]


def kind_of(contract: Contract) -> ContractKind:
    """What a contract asks for: sets, runs, or both. A pair is a set."""
    kinds = {part.kind for part in contract.parts}
    if len(kinds) > 1:
        return "mixed"
    return "sets" if kinds == {"set"} else "runs"


def result_of(game: Game) -> GameResult | None:
    """What a game came to; None while it is not over, or where it stopped without a result.

    Seats that never played are left out.
    """
    stands = board(game)
    if not stands.has_result:
        return None
    records = history(game)
    by_points = game.variant.win == "lowest_score"
    return GameResult(
        rounds=len(records),
        by_points=by_points,
        margin=_margin(stands, by_points),
        comeback=_comeback(records, stands.winners, by_points),
        seats=tuple(
            _seat_result(game.variant, stands, seat.id, rows)
            for seat in game.seats
            if (rows := [row for one in records for row in one.rows if row.seat == seat.id])
        ),
    )


def paper_result(seats: Sequence[tuple[int, int, int | None]], *, by_points: bool) -> GameResult:
    """What a game came to of which only (seat, place, score) are known. Place 1 has won."""
    results = tuple(SeatResult(seat, place, place == 1, score) for seat, place, score in seats)
    scores = [(one.won, one.score) for one in results if one.score is not None]
    won, others = [score for w, score in scores if w], [score for w, score in scores if not w]
    known = by_points and len(scores) == len(results) and won and others
    return GameResult(
        rounds=0,
        by_points=by_points,
        margin=max(0, min(others) - min(won)) if known else None,
        comeback=None,
        seats=results,
    )


def _seat_result(
    variant: Variant, stands: Board, seat: int, rows: Sequence[RowRecord]
) -> SeatResult:
    standing = stands.standing(seat)
    paid = [row.penalty for row in rows if not row.went_out and row.penalty is not None]
    bonuses = [bonus.points for row in rows for bonus in row.bonuses]
    return SeatResult(
        seat=seat,
        place=standing.place,
        won=seat in stands.winners,
        score=standing.score,
        completed=standing.completed,
        rounds=len(rows),
        met=sum(row.met for row in rows),
        went_out=sum(row.went_out for row in rows),
        penalty=sum(paid),
        penalty_rounds=len(paid),
        bonus=sum(bonuses),
        bonuses=len(bonuses),
        tries=_tries(variant, rows),
    )


def _tries(variant: Variant, rows: Sequence[RowRecord]) -> tuple[Tries, ...]:
    rounds: dict[int, int] = {}
    completed: set[int] = set()
    for row in rows:
        if row.contract is not None:
            rounds[row.contract] = rounds.get(row.contract, 0) + 1
            if row.moved_on:
                completed.add(row.contract)
    return tuple(
        Tries(number, kind_of(variant.contract(number)), count, number in completed)
        for number, count in sorted(rounds.items())
    )


def _margin(stands: Board, by_points: bool) -> int | None:
    present = [one for one in stands.standings if one.present]
    others = [one for one in present if one.seat not in stands.winners]
    won = [one for one in present if one.seat in stands.winners]
    if not others or not won:
        return None
    if by_points:
        return max(0, min(one.score or 0 for one in others) - min(one.score or 0 for one in won))
    ahead = max(one.completed for one in won) - max(one.completed for one in others)
    return max(0, ahead)


def _comeback(
    records: Sequence[RoundRecord], winners: tuple[int, ...], by_points: bool
) -> int | None:
    behind = [
        max(_lead(other, row, by_points) for other in played.rows)
        for played in records
        for row in played.rows
        if row.seat in winners
    ]
    return max(behind, default=None)


def _lead(other: RowRecord, row: RowRecord, by_points: bool) -> int:
    """How far a row's seat was behind another after the round."""
    if by_points:
        return (row.score or 0) - (other.score or 0)
    return other.completed - row.completed
