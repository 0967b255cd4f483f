"""Evenings, seasons and the figures of players over the interface."""

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, abort

from app.actions import seasons as act
from app.actions.games import mark_evening
from app.actions.groups import Role
from app.extensions import db
from app.scorebook.refusals import Refused
from app.store.queries.evenings import evening_with, evenings_of
from app.store.queries.players import players_with_sums
from app.store.queries.seasons import Season, seasons_of
from app.store.queries.selection import GameSelection
from app.web.api import errors
from app.web.api import statistics_schemas as schemas
from app.web.api.operations import operation
from app.web.game_parts.season_tables import season_or_404, season_table_view
from app.web.infrastructure.access import in_game, in_group
from app.web.infrastructure.asker import asker
from app.web.rulesets.lookup import rule_set_or_404

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
    faults=[404],
)
def players(sent: schemas.ChosenGamesQuery) -> Any:
    """The group's players and what their finished games came to, of all games or those chosen."""
    selection = season_or_404(sent.season).selection if sent.season else GameSelection()
    if sent.rule_set:
        selection = GameSelection((sent.rule_set,), selection.since, selection.until)
    return {"players": players_with_sums(db.session(), asker.group, selection)}


@operation(statistics, "GET", "/evenings", Role.WATCH, answer=schemas.EveningsAnswer)
def evenings() -> Any:
    """The last evenings, the latest first: each is known by the key of its first game."""
    return {"evenings": evenings_of(db.session(), asker.group, _MOST_EVENINGS)}


@operation(
    statistics,
    "PUT",
    "/games/<key>/evening",
    Role.MANAGE,
    body=schemas.EveningMarkBody,
    answer=schemas.EveningAnswer,
)
def mark(sent: schemas.EveningMarkBody, key: str) -> Any:
    """Split an evening before a game, or join the game to the evening before."""
    in_game(mark_evening, sent.mark)
    return evening_with(db.session(), asker.group, asker.game) or abort(404)


@operation(statistics, "GET", "/seasons", Role.WATCH, answer=schemas.SeasonsAnswer)
def seasons() -> Any:
    """The group's seasons, the latest first."""
    return {"seasons": seasons_of(db.session(), asker.group, datetime.now(UTC))}


@operation(
    statistics,
    "POST",
    "/seasons",
    Role.MANAGE,
    body=schemas.SeasonBody,
    answer=schemas.SeasonTableAnswer,
    status=201,
    faults=[404],
)
def make_season(sent: schemas.SeasonBody) -> Any:
    """Make a season."""
    return _table(season_or_404(in_group(act.make_season, _plan(sent))))


@operation(statistics, "GET", "/seasons/<season>", Role.WATCH, answer=schemas.SeasonTableAnswer)
def one_season(season: str) -> Any:
    """The table of a season, as it was decided or as it stands."""
    return _table(season_or_404(season))


@operation(
    statistics,
    "PUT",
    "/seasons/<season>",
    Role.MANAGE,
    body=schemas.SeasonBody,
    answer=schemas.SeasonTableAnswer,
)
def change_season(sent: schemas.SeasonBody, season: str) -> Any:
    """Change a season; one that is over is decided anew."""
    in_group(act.change_season, season_or_404(season).key, _plan(sent))
    return _table(season_or_404(season))


@operation(statistics, "DELETE", "/seasons/<season>", Role.MANAGE, status=204)
def remove_season(season: str) -> None:
    """Remove a season; of a year what was chosen and decided."""
    try:
        in_group(act.remove_season, season)
    except Refused:
        abort(404)


@operation(
    statistics,
    "POST",
    "/seasons/<season>/settle",
    Role.MANAGE,
    body=schemas.SettleBody,
    answer=schemas.SeasonTableAnswer,
)
def settle_season(sent: schemas.SettleBody, season: str) -> Any:
    """Say whether a decided season changes with the games that changed since."""
    in_group(act.settle_season, season_or_404(season).key, decide_anew=sent.decide_anew)
    return _table(season_or_404(season))


def _plan(sent: schemas.SeasonBody) -> act.SeasonPlan:
    variants = tuple(rule_set_or_404(one).id for one in sent.rule_sets)
    days = sent.since, sent.last_day
    return act.SeasonPlan(sent.name, *days, sent.evenings, variants, sent.rules)


def _table(season: Season) -> Any:
    lines = [
        {
            "place": one.row.place,
            "player": one.name,
            "value": None if one.row.value is None else float(one.row.value),
            "games": one.row.sums.games,
            "wins": one.row.sums.wins,
        }
        for one in season_table_view(db.session(), asker.group, season).lines
    ]
    return {"season": season, "table": lines}
