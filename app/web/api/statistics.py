"""Evenings, seasons and the figures of players over the interface."""

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, abort

from app.actions.groups import Role
from app.extensions import db
from app.store.queries.evenings import evenings_of
from app.store.queries.players import players_with_sums
from app.store.queries.seasons import Season, season_of, seasons_of
from app.store.queries.selection import GameSelection
from app.web.api import errors, schemas
from app.web.api.operations import operation
from app.web.game_parts.season_tables import season_table_view
from app.web.infrastructure.asker import asker

statistics = Blueprint("api_statistics", __name__, url_prefix=errors.PREFIX)
errors.register(statistics)

_MOST_EVENINGS = 100


@operation(
    statistics,
    "GET",
    "/players",
    Role.WATCH,
    query=schemas.ChosenGamesQuery,
    answer=schemas.PlayersAnswer,
    faults=[422],
)
def players(sent: schemas.ChosenGamesQuery) -> Any:
    """The group's players and what their finished games came to, of all games or those chosen."""
    season = season_of(db.session(), asker.group, sent.season, datetime.now(UTC))
    if sent.season and season is None:
        abort(404)
    selection = season.selection if season else GameSelection()
    if sent.rule_set:
        selection = GameSelection((sent.rule_set,), selection.since, selection.until)
    return {"players": players_with_sums(db.session(), asker.group, selection)}


@operation(statistics, "GET", "/evenings", Role.WATCH, answer=schemas.EveningsAnswer)
def evenings() -> Any:
    """The last evenings, the latest first: each is known by the key of its first game."""
    return {"evenings": evenings_of(db.session(), asker.group, _MOST_EVENINGS)}


@operation(statistics, "GET", "/seasons", Role.WATCH, answer=schemas.SeasonsAnswer)
def seasons() -> Any:
    """The group's seasons, the latest first."""
    return {"seasons": seasons_of(db.session(), asker.group, datetime.now(UTC))}


@operation(
    statistics,
    "GET",
    "/seasons/<season>",
    Role.WATCH,
    answer=schemas.SeasonTableAnswer,
    faults=[404],
)
def one_season(season: str) -> Any:
    """The table of a season, as it was decided or as it stands."""
    found: Season = season_of(db.session(), asker.group, season, datetime.now(UTC)) or abort(404)
    table = season_table_view(db.session(), asker.group, found)
    lines = [
        {
            "place": one.row.place,
            "player": one.name,
            "value": None if one.row.value is None else float(one.row.value),
            "games": one.row.sums.games,
            "wins": one.row.sums.wins,
        }
        for one in table.lines
    ]
    return {"season": found, "table": lines}
