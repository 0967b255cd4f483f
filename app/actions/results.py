"""Keeping the facts of games, which say what finished ones came to, in the change itself.

The facts of a game are taken away and written anew where it changed, and moved where players were
merged; they always follow from the games (`rebuild_facts`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, select, update
from sqlalchemy.orm import Session

from app.exchange.days import day_of
from app.rules.rule_sets import from_dict
from app.scorebook.limits import LARGEST_NUMBER
from app.scorebook.statistics import GameResult, past_result_of, result_of
from app.store.base import batches, insert_rows
from app.store.games import CAME_AS, StoredGame, StoredPastResult, StoredSeat
from app.store.groups import Player
from app.store.queries.games import load_games
from app.store.statistics import (
    StoredContractAttempts,
    StoredPlayerResult,
    StoredResult,
    is_attempt_in,
)

_OVER = StoredGame.finished_at.is_not(None)
_FINISHED = (_OVER, StoredGame.deleted_at.is_(None))
"""Finished and not deleted. Of these only a game that was stopped without a result has no facts."""

Finished = tuple[Row[*tuple[Any, ...]], int | None, Sequence[int], GameResult]
"""The row of a game, how long it and each of its rounds lasted, and what it came to."""


def refresh_facts(session: Session, game_ids: Iterable[int]) -> None:
    """Make the facts of these games agree with the games as they are now."""
    for portion in batches(game_ids):
        for table in (StoredPlayerResult, StoredResult):
            session.execute(delete(table).where(table.game_id.in_(portion)))
        _insert_facts(session, _finished_games(session, portion))


def move_facts(session: Session, giver: int, taker: int, games: Select[int] | None = None) -> None:
    """Let the results of one player, in these games or in all, be another's."""
    whose: list[ColumnElement[bool]] = [StoredPlayerResult.player_id == giver]
    if games is not None:
        whose.append(StoredPlayerResult.game_id.in_(games))
    moving = update(StoredPlayerResult).where(*whose).values(player_id=taker)
    session.execute(moving, execution_options={"synchronize_session": False})


def rebuild_facts(session: Session, track: Callable[[Sequence[int]], Iterable[int]] = iter) -> bool:
    """Make all facts anew from the games; answers whether they were right before.

    `track` yields the ids that it is given, to show with a progress bar how far it is.
    """
    were_right = True
    games = session.scalars(select(StoredGame.id).order_by(StoredGame.id)).all()
    for portion in batches(track(games)):
        before = facts_of(session, portion)
        refresh_facts(session, portion)
        were_right &= before == facts_of(session, portion)
    return were_right


def facts_of(session: Session, games: Sequence[int]) -> list[set[tuple[Any, ...]]]:
    """Every fact of these games, as sets that compare."""
    session.flush()
    found: list[set[tuple[Any, ...]]] = [set(), set(), set()]
    for some in batches(games):
        wanted = (
            (StoredResult, StoredResult.game_id.in_(some)),
            (StoredPlayerResult, StoredPlayerResult.game_id.in_(some)),
            (StoredContractAttempts, is_attempt_in(some)),
        )
        for facts, (table, of_some) in zip(found, wanted, strict=True):
            question = select(table.__table__).where(of_some)
            facts.update(tuple(row) for row in session.execute(question))
    return found


def games_without_result(session: Session) -> Sequence[int]:
    """The ids of games that lack their result: it never was made."""
    return session.scalars(
        select(StoredGame.id)
        .outerjoin(StoredResult, StoredResult.game_id == StoredGame.id)
        .where(
            *_FINISHED,
            StoredGame.stopped.is_distinct_from("no_result"),
            StoredResult.game_id.is_(None),
        )
        .order_by(StoredGame.id)
    ).all()


def deleted_results(
    session: Session, group: int | None, keys: Sequence[str]
) -> Mapping[str, set[Any]]:
    """As `results_by_game`, of games that are deleted, which have no facts."""
    found: dict[str, set[Any]] = {}
    names = dict[int, str]()
    for portion in batches(keys):
        asked = select(StoredGame.id, StoredGame.key, CAME_AS.label("came_as")).where(
            StoredGame.group_id == group,
            StoredGame.deleted_at.is_not(None),
            StoredGame.key.in_(portion) | StoredGame.imported_key.in_(portion),
        )
        deleted = {row.id: row for row in session.execute(asked)}
        if deleted and not names:
            players = select(Player.id, Player.name_key).where(Player.group_id == group)
            names = {row.id: row.name_key for row in session.execute(players)}
        for game, _seconds, _lasted, result in _finished_games(session, [*deleted], (_OVER,)):
            day = day_of(game.finished_at)
            came_to = {
                (day, game.variant_id, names[one.player], one.place, one.score)
                for one in result.players
            }
            found[deleted[game.id].key] = found[deleted[game.id].came_as] = came_to
    return found


def _finished_games(
    session: Session, game_ids: Sequence[int], which: Sequence[ColumnElement[bool]] = _FINISHED
) -> Iterator[Finished]:
    """What games came to, by their rounds or as a past result, which has none.

    Left out are games in progress, stopped without a result and, unless `which` says
    otherwise, recently deleted.
    """
    kept = session.execute(
        select(
            StoredGame.id,
            StoredGame.group_id,
            StoredGame.started_at,
            StoredGame.finished_at,
            StoredGame.results_only,
            StoredGame.stopped,
            StoredGame.variant_id,
        ).where(StoredGame.id.in_(game_ids), *which)
    ).all()
    played = [row.id for row in kept if not row.results_only]
    loaded = {
        one.id: (one.seconds, one.round_seconds, result_of(one.game))
        for one in load_games(session, played)
    }
    for row in kept:
        if row.id not in loaded:
            yield row, None, (), _past_result(session, row.id)
            continue
        seconds, lasted, result = loaded[row.id]
        if result is not None:
            yield row, seconds, lasted, result


def _past_result(session: Session, game_id: int) -> GameResult:
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
    return past_result_of([(*row,) for row in rows], from_dict(rules))


def _insert_facts(session: Session, ended: Iterable[Finished]) -> None:
    results, players, attempts = [], [], []
    for game, seconds, lasted, what_it_came_to in ended:
        shared = {"variant_id": game.variant_id, "finished_at": game.finished_at}
        result = asdict(what_it_came_to)
        for player in result.pop("players"):
            whose = {"seat_id": player.pop("seat"), "player_id": player.pop("player")} | shared
            attempts += [whose | one for one in player.pop("contract_attempts")]
            players.append({"game_id": game.id} | whose | player)
        of_game = {
            "game_id": game.id,
            "group_id": game.group_id,
            "seconds": None if seconds is None else _seconds_in_column(seconds),
            "longest_round": _seconds_in_column(max(lasted)) if lasted else None,
        }
        results.append(of_game | shared | result)
    insert_rows(session, StoredResult, results)
    insert_rows(session, StoredPlayerResult, players)
    insert_rows(session, StoredContractAttempts, attempts)


def _seconds_in_column(seconds: int) -> int:
    """As far as a column holds it.

    The moments of an imported game may be any distance apart, and in any order.
    """
    return min(max(0, seconds), LARGEST_NUMBER)
