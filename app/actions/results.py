"""Keeping the facts of finished games, in the transaction of the change itself.

The facts of a game are taken away and written anew whenever they may have changed; they always
follow from the games (`rebuild_results`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, select, update
from sqlalchemy.orm import Session

from app.store.base import LARGEST_NUMBER, insert_rows
from app.store.games import StoredGame
from app.store.queries.results import FinishedGame, batches, compute_finished_games
from app.store.statistics import StoredContractAttempts, StoredResult, StoredSeatResult


def store_results(session: Session, game_ids: Iterable[int]) -> None:
    """Make the facts of these games agree with what their rounds say now."""
    for portion in batches(game_ids):
        for table in (StoredSeatResult, StoredResult):
            session.execute(delete(table).where(table.game_id.in_(portion)))
        _insert_facts(session, compute_finished_games(session, portion))


def move_results(
    session: Session, giver: int, taker: int, games: Select[int] | None = None
) -> None:
    """Let the results of one player, in these games or in all, be another's."""
    whose: list[ColumnElement[bool]] = [StoredSeatResult.player_id == giver]
    if games is not None:
        whose.append(StoredSeatResult.game_id.in_(games))
    moving = update(StoredSeatResult).where(*whose).values(player_id=taker)
    session.execute(moving, execution_options={"synchronize_session": False})


def rebuild_results(
    session: Session, track: Callable[[Sequence[int]], Iterable[int]] = iter
) -> bool:
    """Make all facts anew from the games; answers whether they were right before.

    `track` is given the ids of the games and hands them on, such as a progress bar does.
    """
    were_right = True
    games = session.scalars(select(StoredGame.id).order_by(StoredGame.id)).all()
    for portion in batches(track(games)):
        before = _facts_of(session, portion)
        store_results(session, portion)
        were_right &= before == _facts_of(session, portion)
    return were_right


def _facts_of(session: Session, games: Sequence[int]) -> list[set[tuple[Any, ...]]]:
    """Every fact of these games, as sets that compare."""
    session.flush()
    results, seats = StoredResult.__table__, StoredSeatResult.__table__
    attempts = StoredContractAttempts.__table__
    wanted = (
        select(results).where(results.c.game_id.in_(games)),
        select(seats).where(seats.c.game_id.in_(games)),
        select(attempts).join(seats).where(seats.c.game_id.in_(games)),
    )
    return [{tuple(row) for row in session.execute(one)} for one in wanted]


def _insert_facts(session: Session, ended: Iterable[FinishedGame]) -> None:
    results, seats, attempts = [], [], []
    for game in ended:
        shared = {"variant_id": game.variant_id, "finished_at": game.finished_at}
        result = asdict(game.result)
        for seat in result.pop("seats"):
            whose = {"seat_id": seat.pop("seat"), "player_id": seat.pop("player")} | shared
            attempts += [whose | one for one in seat.pop("contract_attempts")]
            seats.append({"game_id": game.game_id} | whose | seat)
        of_game = {"game_id": game.game_id, "group_id": game.group_id, "seconds": _seconds(game)}
        results.append(of_game | shared | result)
    insert_rows(session, StoredResult, results)
    insert_rows(session, StoredSeatResult, seats)
    insert_rows(session, StoredContractAttempts, attempts)


def _seconds(game: FinishedGame) -> int | None:
    """As many as the column holds, however far apart the two moments of an imported game are."""
    if game.results_only:
        return None
    seconds = int((game.finished_at - game.started_at).total_seconds())
    return min(max(0, seconds), LARGEST_NUMBER)
