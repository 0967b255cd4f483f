"""Reads of what games came to: results as they are kept, as the scorebook's records of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.rules.rule_sets import from_dict
from app.scorebook.results import ContractAttempts, GameResult, SeatResult, paper_result, result_of
from app.scorebook.tallies import TalliedGame
from app.store.games import StoredGame, StoredPastResult, StoredSeat
from app.store.queries.games import load_games
from app.store.statistics import StoredResult, StoredSeatResult

SEAT_FIELDS = [
    one.name
    for one in fields(SeatResult)
    if one.name not in ("seat", "player", "contract_attempts")
]
"""What a seat's result and the table of those call by the same names."""
_COUNT = (StoredGame.finished_at.is_not(None), StoredGame.deleted_at.is_(None))
"""Games that count are finished and not in the bin."""
AT_ONCE = 200
"""How many games are read or written at once, where there are many."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game: when it started and ended, and its finish."""

    game_id: int
    group_id: int
    started_at: datetime
    finished_at: datetime
    results_only: bool
    tallied_game: TalliedGame


def batches(ids: Iterable[int]) -> Iterator[list[int]]:
    """The ids in batches that fit one query."""
    portion: list[int] = []
    for one in ids:
        portion.append(one)
        if len(portion) == AT_ONCE:
            yield portion
            portion = []
    if portion:
        yield portion


def compute_finished_games(session: Session, game_ids: Sequence[int]) -> list[FinishedGame]:
    """What games came to, reckoned from their rounds or their paper.

    Games that do not count are left out: those that run, and those in the bin.
    """
    kept: Sequence[Any] = session.execute(
        select(
            StoredGame.id,
            StoredGame.group_id,
            StoredGame.started_at,
            StoredGame.finished_at,
            StoredGame.results_only,
            StoredGame.variant_id,
        ).where(StoredGame.id.in_(game_ids), *_COUNT)
    ).all()
    played = [row.id for row in kept if not row.results_only]
    results = {one.id: result_of(one.game) for one in load_games(session, played)}
    results |= {row.id: _paper_result_of(session, row.id) for row in kept if row.results_only}
    ended = (
        [*row[:5], TalliedGame(row.variant_id, row.finished_at.year, result)]
        for row in kept
        if (result := results[row.id]) is not None
    )
    return [FinishedGame(*one) for one in ended]


def load_stored_results(session: Session, game_ids: Sequence[int]) -> dict[int, TalliedGame]:
    """The results of these games as they are stored, by game; games without one are left out."""
    by_game: defaultdict[int, list[Any]] = defaultdict(list)
    seat_rows = session.execute(
        select(*StoredSeatResult.__table__.columns)
        .where(StoredSeatResult.game_id.in_(game_ids))
        .order_by(StoredSeatResult.player_id)
    )
    for row in seat_rows:
        by_game[row.game_id].append(row)
    kept = session.execute(
        select(*StoredResult.__table__.columns).where(StoredResult.game_id.in_(game_ids))
    )
    return {
        row.game_id: TalliedGame(
            row.variant_id,
            row.finished_at.year,
            GameResult(
                row.rounds,
                row.points_decide,
                row.margin,
                row.comeback,
                tuple(_seat_result(seat) for seat in by_game[row.game_id]),
            ),
        )
        for row in kept
    }


def finished_game_ids(session: Session) -> Sequence[int]:
    """The ids of all finished games that are not in the bin."""
    return session.scalars(select(StoredGame.id).where(*_COUNT).order_by(StoredGame.id)).all()


def games_without_result(session: Session) -> Sequence[int]:
    """The ids of finished games whose result was never kept: they ended before there were any."""
    return session.scalars(
        select(StoredGame.id)
        .outerjoin(StoredResult, StoredResult.game_id == StoredGame.id)
        .where(
            *_COUNT,
            StoredGame.stopped.is_distinct_from("no_result"),
            StoredResult.game_id.is_(None),
        )
        .order_by(StoredGame.id)
    ).all()


def _paper_result_of(session: Session, game_id: int) -> GameResult:
    rules = session.scalars(select(StoredGame.rules).where(StoredGame.id == game_id)).one()
    rows = session.execute(
        select(
            StoredPastResult.seat_id,
            StoredSeat.player_id,
            StoredPastResult.place,
            StoredPastResult.score,
        )
        .join(StoredSeat, StoredSeat.id == StoredPastResult.seat_id)
        .where(StoredSeat.game_id == game_id)
    )
    points_decide = from_dict(rules).win == "lowest_score"
    return paper_result([(*row,) for row in rows], points_decide=points_decide)


def _seat_result(row: Any) -> SeatResult:
    tries = tuple(
        ContractAttempts(contract, kind, rounds, bool(completed))
        for contract, kind, rounds, completed in row.contract_attempts
    )
    named = {name: getattr(row, name) for name in SEAT_FIELDS}
    return SeatResult(row.seat_id, row.player_id, contract_attempts=tries, **named)
