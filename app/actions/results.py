"""Keeping what games came to: results and tallies, in the transaction of the change itself.

A result is taken out of the tallies and put in again whenever what it says changes; both are always
derivable from the games (`rebuild_results`).
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, delete, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

from app.scorebook.tallies import (
    CONTRACT_FIELDS,
    PLAYER_FIELDS,
    RIVAL_FIELDS,
    STUCK_FIELDS,
    Sums,
    Tallies,
    tally,
    win_streaks,
)
from app.store.base import LARGEST_NUMBER, Base, insert_rows
from app.store.groups import Player
from app.store.queries.results import (
    SEAT_FIELDS,
    FinishedGame,
    batches,
    compute_finished_games,
    finished_game_ids,
    load_stored_results,
)
from app.store.statistics import (
    ContractTally,
    PlayerTally,
    RivalTally,
    StoredResult,
    StoredSeatResult,
    Streak,
    StuckTally,
)

_TALLIES: tuple[tuple[str, type[Base], tuple[str, ...]], ...] = (
    ("players", PlayerTally, PLAYER_FIELDS),
    ("contracts", ContractTally, CONTRACT_FIELDS),
    ("rounds_per_contract", StuckTally, STUCK_FIELDS),
    ("rivals", RivalTally, RIVAL_FIELDS),
)
"""Field of `Tallies`, the table that keeps it, and its sums."""

_ALL: tuple[type[Base], ...] = (
    Streak, *(table for _field, table, _sums in _TALLIES), StoredSeatResult, StoredResult,
)  # fmt: skip


def store_result(session: Session, game_id: int) -> None:
    """Make a game's result and the tallies agree with what its rounds say now."""
    kept = load_stored_results(session, [game_id]).get(game_id)
    ended = compute_finished_games(session, [game_id])
    if kept == (ended[0].tallied_game if ended else None):
        return
    if kept is not None:
        forget_results(session, [game_id])
    insert_results(session, ended)


def store_results(session: Session, game_ids: Iterable[int]) -> None:
    """Make the results of these games agree with what they came to; most have none yet."""
    for portion in batches(game_ids):
        forget_results(session, portion)
        insert_results(session, compute_finished_games(session, portion))


def forget_results(session: Session, game_ids: Sequence[int]) -> None:
    """Take games out of results and tallies."""
    finishes = load_stored_results(session, game_ids)
    if not finishes:
        return
    players = sorted({player for one in finishes.values() for player in one.players})
    _lock(session, players)
    for table in (StoredSeatResult, StoredResult):
        session.execute(delete(table).where(table.game_id.in_(game_ids)))
    _add(session, tally(finishes.values(), -1))
    _drop_empty(session, players)
    update_streaks(session, players)


def insert_results(session: Session, ended: Sequence[FinishedGame]) -> None:
    """Keep the results of games that have none, and add them to the tallies."""
    if not ended:
        return
    players = sorted({player for one in ended for player in one.tallied_game.players})
    _lock(session, players)
    _insert_without_streaks(session, ended)
    _update_streaks_after(session, ended, players)


def move_results(session: Session, game_ids: Sequence[int], giver: int, taker: int) -> None:
    """Let the results of one player in these games be another's."""
    _lock(session, sorted((giver, taker)))
    rivals = {giver, taker}
    for portion in batches(game_ids):
        finishes = load_stored_results(session, portion).values()
        rivals |= {player for one in finishes for player in one.players}
        _add(session, tally(finishes, -1))
        session.execute(
            update(StoredSeatResult)
            .where(StoredSeatResult.game_id.in_(portion), StoredSeatResult.player_id == giver)
            .values(player_id=taker)
        )
        _add(session, tally(load_stored_results(session, portion).values()))
    _drop_empty(session, sorted(rivals))
    update_streaks(session, [giver, taker])


def update_streaks(session: Session, players: Iterable[int]) -> None:
    """Reckon the wins in a row of these players anew."""
    for player in players:
        games = session.execute(
            select(StoredSeatResult.won, StoredSeatResult.finished_at, StoredSeatResult.game_id)
            .where(StoredSeatResult.player_id == player)
            .order_by(StoredSeatResult.finished_at, StoredSeatResult.game_id)
        ).all()
        session.execute(delete(Streak).where(Streak.player_id == player))
        if games:
            current, longest = win_streaks(row.won for row in games)
            _won, last_at, last_game = games[-1]
            values = {"current": current, "longest": longest, "last_at": last_at}
            session.add(Streak(player_id=player, last_game_id=last_game, **values))
    session.flush()


def rebuild_results(
    session: Session, track: Callable[[Sequence[int]], Iterable[int]] = iter
) -> bool:
    """Make all results and tallies anew from the games; answers whether they were right before.

    `track` is given the ids of the games and hands them on, such as a progress bar does.
    """
    before = _all_statistics(session)
    for model in _ALL:
        session.execute(delete(model))
    ids = finished_game_ids(session)
    for portion in batches(track(ids)):
        _insert_without_streaks(session, compute_finished_games(session, portion))
    update_streaks(session, session.scalars(select(StoredSeatResult.player_id).distinct()).all())
    return before == _all_statistics(session)


def _insert_without_streaks(session: Session, ended: Sequence[FinishedGame]) -> None:
    insert_rows(session, StoredResult, [_result_row(one) for one in ended])
    insert_rows(session, StoredSeatResult, [row for one in ended for row in _seat_rows(one)])
    _add(session, tally(one.tallied_game for one in ended))


def _all_statistics(session: Session) -> dict[str, set[tuple[Any, ...]]]:
    """Every row of every statistic, as sets that compare."""
    session.flush()
    return {
        table.name: {tuple(map(str, row)) for row in session.execute(select(*table.columns))}
        for table in map(_table, _ALL)
    }


def _update_streaks_after(
    session: Session, ended: Sequence[FinishedGame], players: Sequence[int]
) -> None:
    """Streaks after new results; a single game that came last needs no look at the others."""
    if len(ended) > 1:
        update_streaks(session, players)
        return
    (one,) = ended
    latest = (one.finished_at, one.game_id)
    won = {seat.player: seat.won for seat in one.tallied_game.result.seats}
    for player in players:
        streak = session.get(Streak, player)
        if streak is None or (streak.last_at, streak.last_game_id) >= latest or player not in won:
            update_streaks(session, [player])
            continue
        streak.current = streak.current + 1 if won[player] else 0
        streak.longest = max(streak.longest, streak.current)
        streak.last_at, streak.last_game_id = latest
    session.flush()


def _lock(session: Session, players: Sequence[int]) -> None:
    """Two games of the same people may end at once (PostgreSQL): one after the other."""
    session.flush()
    session.execute(
        select(Player.id).where(Player.id.in_(players)).order_by(Player.id).with_for_update()
    )


def _add(session: Session, tallies: Tallies) -> None:
    """Add sums to those that are kept."""
    postgresql = session.get_bind().dialect.name == "postgresql"
    dialect_insert: Any = postgresql_insert if postgresql else sqlite_insert
    for field, model, sums in _TALLIES:
        rows = _tally_rows(model, getattr(tallies, field), sums)
        if not rows:
            continue
        table: Any = model.__table__
        adding = dialect_insert(table)
        adding = adding.on_conflict_do_update(
            index_elements=list(table.primary_key.columns),
            set_={name: table.c[name] + adding.excluded[name] for name in sums},
        )
        session.execute(adding, rows)


def _tally_rows(model: type[Base], found: Sums, sums: tuple[str, ...]) -> list[dict[str, Any]]:
    keys = [column.name for column in _table(model).primary_key.columns]
    return [
        {**dict(zip(keys, key, strict=True)), **{name: values[name] for name in sums}}
        for key, values in sorted(found.items())
    ]


def _drop_empty(session: Session, players: Sequence[int]) -> None:
    """Take away sums that nothing is left of, so that they equal sums made anew."""
    for _field, model, sums in _TALLIES:
        table = _table(model)
        session.execute(delete(model).where(table.c.player_id.in_(players), table.c[sums[0]] == 0))


def _table(model: type[Base]) -> Table:
    table = model.__table__
    assert isinstance(table, Table)  # noqa: S101 (SQLAlchemy types it more loosely)
    return table


def _result_row(ended: FinishedGame) -> dict[str, Any]:
    result = ended.tallied_game.result
    return {
        "game_id": ended.game_id,
        "group_id": ended.group_id,
        "variant_id": ended.tallied_game.variant_id,
        "finished_at": ended.finished_at,
        "seconds": None if ended.results_only else _seconds(ended.started_at, ended.finished_at),
        **{
            name: getattr(result, name)
            for name in ("rounds", "points_decide", "margin", "comeback")
        },
    }


def _seat_rows(ended: FinishedGame) -> list[dict[str, Any]]:
    return [
        {
            "seat_id": seat.seat,
            "game_id": ended.game_id,
            "player_id": seat.player,
            "finished_at": ended.finished_at,
            **{name: getattr(seat, name) for name in SEAT_FIELDS},
            "contract_attempts": [
                [one.contract, one.kind, one.rounds, int(one.was_completed)]
                for one in seat.contract_attempts
            ],
        }
        for seat in ended.tallied_game.result.seats
    ]


def _seconds(started: datetime, finished: datetime) -> int:
    """As many as the column holds, however far apart the two moments of an imported game are."""
    return min(max(0, int((finished - started).total_seconds())), LARGEST_NUMBER)
