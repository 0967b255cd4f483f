"""Reads of what all games of a player came to, and of wins in a row, as the games ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Subquery, case, func, literal, select, tuple_
from sqlalchemy.orm import Session, aliased

from app.scorebook.statistics import PlayerSums
from app.store.queries.players import SUMMED_COLUMNS, sums_over
from app.store.queries.selection import ALL_GAMES, GameSelection
from app.store.statistics import StoredSeatResult


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """A player's games summed up, and wins in a row: now, since when, and the most there were."""

    sums: PlayerSums
    wins_now: int
    most_wins: int
    since: datetime | None


def totals_of(session: Session, player: int, selection: GameSelection = ALL_GAMES) -> PlayerTotals:
    """What a player's games came to in all, and their stretches of wins."""
    own = StoredSeatResult
    mine = select(own.finished_at).where(own.player_id == player)
    # A letter for each game in one text: as rows, or by a window, they take several times as long.
    # Both databases aggregate what a subquery orders in that order.
    letter = case((own.won, "w"), else_=" ").label("letter")
    chosen = mine.with_only_columns(letter, *SUMMED_COLUMNS).where(*selection.conditions(own))
    games = chosen.order_by(own.finished_at, own.game_id).subquery().c
    row = session.execute(select(func.aggregate_strings(games.letter, ""), *sums_over(games))).one()
    sums = PlayerSums(*map(int, row[1:]))
    stretches = [len(wins) for wins in (row[0] or "").split(" ")]
    if not stretches[-1]:
        return PlayerTotals(sums, 0, max(stretches), None)
    newest = mine.order_by(own.finished_at.desc(), own.game_id.desc())
    newest = newest.where(*selection.conditions(own, lazily=True))
    first = newest.offset(stretches[-1] - 1).limit(1)
    return PlayerTotals(sums, stretches[-1], max(stretches), session.scalar(first))


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
