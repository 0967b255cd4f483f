"""Reads of what games came to, worked out by the scorebook."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.rules.rule_sets import from_dict
from app.scorebook.statistics import GameResult, paper_result, result_of
from app.store.games import StoredGame, StoredPastResult, StoredSeat
from app.store.queries.games import load_games
from app.store.statistics import StoredResult

_COUNT = (StoredGame.finished_at.is_not(None), StoredGame.deleted_at.is_(None))
"""Games that count are finished and not in the bin."""
AT_ONCE = 200
"""How many games are read or written at once, where there are many."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game: when it started and ended, and what it came to."""

    game_id: int
    group_id: int
    started_at: datetime
    finished_at: datetime
    results_only: bool
    variant_id: str
    result: GameResult


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
    ended = ([*row, result] for row in kept if (result := results[row.id]) is not None)
    return [FinishedGame(*one) for one in ended]


def games_without_result(session: Session) -> Sequence[int]:
    """The ids of finished games without a result: it never was made, or a migration took it."""
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
