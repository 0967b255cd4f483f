"""Reads of wins in a row, in the order in which the games ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Subquery, case, func, literal, select, tuple_
from sqlalchemy.orm import Session, aliased

from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredSeatResult


@dataclass(frozen=True, slots=True)
class PlayerStreaks:
    """A player's wins in a row: now, since when, and the most there were."""

    wins_now: int
    most_wins: int
    since: datetime | None


def streaks_of(
    session: Session, player: int, selection: GameSelection = ALL_GAMES
) -> PlayerStreaks:
    """A player's stretches of wins, each between two games that were not won."""
    own = StoredSeatResult
    in_order = own.finished_at, own.game_id
    lost = func.sum(case((own.won, 0), else_=1)).over(order_by=in_order)
    played = (
        select(own.won, own.finished_at, lost.label("lost"))
        .where(own.player_id == player, *selection.conditions(own))
        .subquery()
        .c
    )
    wins, since = func.count().filter(played.won), func.min(played.finished_at)
    stretches = (
        select(wins.label("wins"), since.filter(played.won).label("since"), played.lost)
        .group_by(played.lost)
        .cte()
    )
    most = select(func.max(stretches.c.wins)).scalar_subquery()
    last = session.execute(
        select(stretches.c.wins, most, stretches.c.since).order_by(stretches.c.lost.desc()).limit(1)
    ).first()
    return PlayerStreaks(*last) if last else PlayerStreaks(0, 0, None)


def end_of(facts: Any) -> ColumnElement[Any]:
    """When a game ended, as it is compared: of those that ended at one moment by its id."""
    return tuple_(facts.finished_at, facts.game_id)


def wins_before(games: Sequence[int]) -> Subquery:
    """How many games in a row each player of these games had won before: `wins`.

    One row for each `player_id` and `game_id`.
    """
    own, lost, between = (aliased(StoredSeatResult) for _ in range(3))
    last_lost = (
        select(lost)
        .where(lost.player_id == own.player_id, lost.won.is_(False), end_of(lost) < end_of(own))
        .order_by(lost.finished_at.desc(), lost.game_id.desc())
        .limit(1)
        .correlate(own)
    )
    at, game = (
        last_lost.with_only_columns(one).scalar_subquery()
        for one in (lost.finished_at, lost.game_id)
    )
    here = (
        select(
            own.player_id,
            own.game_id,
            own.finished_at,
            func.coalesce(at, literal(_LONG_AGO, own.finished_at.type)).label("lost_at"),
            func.coalesce(game, 0).label("lost_in"),
        )
        .where(own.game_id.in_(games))
        .subquery()
        .c
    )
    wins = (
        select(func.count())
        .where(
            between.player_id == here.player_id,
            end_of(between) > tuple_(here.lost_at, here.lost_in),
            end_of(between) < end_of(here),
        )
        .scalar_subquery()
    )
    return select(here.player_id, here.game_id, wins.label("wins")).subquery()


_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
