"""Keeping the facts of games, which say what finished ones came to, in the change itself.

The facts of a game are taken away and written anew where it changed, and moved where players were
merged; they always follow from the games (`rebuild_facts`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, select, update
from sqlalchemy.orm import Session

from app.exchange.days import day_of
from app.scorebook.limits import LARGEST_NUMBER
from app.scorebook.statistics import GameResult, result_of
from app.store.base import batches, insert_rows
from app.store.game_rows import LoadedGame, read_games
from app.store.games import CAME_AS, StoredGame
from app.store.groups import Player
from app.store.statistics import (
    StoredContractAttempts,
    StoredPlayerResult,
    StoredResult,
    is_attempt_in,
)

_OVER = StoredGame.finished_at.is_not(None)
_FINISHED = (_OVER, StoredGame.deleted_at.is_(None))
"""Finished and not deleted. Of these only a game that was stopped without a result has no facts."""
_DELETED = (_OVER, StoredGame.deleted_at.is_not(None))

Finished = tuple[LoadedGame, datetime, GameResult]
"""A game, when it was over, and what it came to."""


def refresh_facts(session: Session, game_ids: Iterable[int]) -> None:
    """Make the facts of these games agree with the games as they are now."""
    for portion in batches(game_ids):
        for table in (StoredPlayerResult, StoredResult):
            session.execute(delete(table).where(table.game_id.in_(portion)))
        over = select(StoredGame.id).where(StoredGame.id.in_(portion), *_FINISHED)
        _insert_facts(session, _with_results(session, session.scalars(over).all()))


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
    """Every fact of these games, in sets, so that they compare equal in any order."""
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


def results_by_game(
    session: Session, group: int | None, keys: Sequence[str]
) -> Mapping[str, set[Any]]:
    """What games that are over came to: day, rule set, `name_key`, place and score of each player.

    `keys`: those with which they came or that they were given here. Deleted games, too, which have
    no facts and are read whole.
    """
    own, found = StoredPlayerResult, defaultdict[str, set[Any]](set)
    for portion in batches(keys):
        asked = StoredGame.key.in_(portion) | StoredGame.imported_key.in_(portion)
        ours = StoredGame.group_id == group, asked
        facts = own.finished_at, own.variant_id, Player.name_key, own.place, own.score
        came_to = (
            select(StoredGame.key, CAME_AS, *facts)
            .join(own, own.game_id == StoredGame.id)
            .join(Player, Player.id == own.player_id)
        )
        rows = [tuple(row) for row in session.execute(came_to.where(*ours))]
        over = select(StoredGame.id, StoredGame.key, CAME_AS).where(*ours, *_DELETED)
        deleted = {game: names for game, *names in session.execute(over)}
        for game, ended, result in _with_results(session, [*deleted]):
            people = {one.player: one.name for seat in game.game.seats for one in seat.stints}
            for one in result.players:
                whose = game.variant.id, people[one.player].casefold()
                rows.append((*deleted[game.id], ended, *whose, one.place, one.score))
        for key, came_as, ended, *what in rows:
            for name in {key, came_as}:
                found[name].add((day_of(ended), *what))
    return found


def _with_results(session: Session, over: Sequence[int]) -> Iterator[Finished]:
    """These games, all of them over, and what each came to, but for those without a result.

    They are read past the cache, where they may be as they were before this transaction.
    """
    found = read_games(session.connection(), over) if over else {}
    for game in found.values():
        result = result_of(game.game)
        if game.finished_at and result:
            yield game, game.finished_at, result


def _insert_facts(session: Session, ended: Iterable[Finished]) -> None:
    results, players, attempts = [], [], []
    for game, finished_at, what_it_came_to in ended:
        shared = {"variant_id": game.variant.id, "finished_at": finished_at}
        result = asdict(what_it_came_to)
        for player in result.pop("players"):
            whose = {"seat_id": player.pop("seat"), "player_id": player.pop("player")} | shared
            attempts += [whose | one for one in player.pop("contract_attempts")]
            players.append({"game_id": game.id} | whose | player)
        of_game = {
            "game_id": game.id,
            "group_id": game.columns.group_id,
            "seconds": _in_column(game.seconds),
            "longest_round": _in_column(max(game.round_seconds, default=None)),
        }
        results.append(of_game | shared | result)
    insert_rows(session, StoredResult, results)
    insert_rows(session, StoredPlayerResult, players)
    insert_rows(session, StoredContractAttempts, attempts)


def _in_column(seconds: int | None) -> int | None:
    """As far as a column holds it.

    The moments of an imported game may be any distance apart, and in any order.
    """
    return None if seconds is None else min(max(0, seconds), LARGEST_NUMBER)
