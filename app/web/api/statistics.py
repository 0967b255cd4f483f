"""Evenings, seasons, records and the figures of players over the interface."""

from datetime import UTC, datetime
from typing import Any

from flask import abort

from app.actions import seasons as act
from app.actions.games import mark_evening
from app.actions.groups import Role
from app.extensions import db
from app.scorebook.game import EveningMark
from app.scorebook.refusals import Refused
from app.store.queries.evenings import evening_with, evenings_of
from app.store.queries.group_records import game_tallies
from app.store.queries.history import listed_games
from app.store.queries.milestones import milestones_of_game, milestones_of_player
from app.store.queries.players import (
    player_contract_stats,
    player_in_group,
    player_names,
    players_with_sums,
)
from app.store.queries.seasons import Season, seasons_of
from app.store.queries.selection import GameSelection
from app.store.queries.trends import months_of, rivalry_by_month
from app.web.api import statistics_schemas as schemas
from app.web.api.errors import json_blueprint
from app.web.api.operations import operation
from app.web.evenings import evening_page
from app.web.game_parts.leaving_out import leave_out as leave_out_of_evening
from app.web.game_parts.season_tables import leaders_of, season_or_404, season_table_view
from app.web.game_parts.selection import select_games, variant_names
from app.web.history.view_models import group_record_views
from app.web.infrastructure.access import in_game, in_group
from app.web.infrastructure.asker import asker
from app.web.players.statistics import player_statistics
from app.web.rulesets.lookup import rule_set_or_404
from app.web.seasons import seasons_won_by

statistics = json_blueprint("statistics")

_MOST_EVENINGS = 100


@operation(statistics, "GET", "/players", Role.WATCH, answer=schemas.PlayersAnswer)
def players(query: schemas.ChosenGamesQuery) -> Any:
    """The group's players and what their finished games came to, of all games or those chosen."""
    return {"players": players_with_sums(db.session(), asker.group, _selection(query))}


@operation(statistics, "GET", "/players/<int:player>", Role.WATCH, answer=schemas.PlayerFactsAnswer)
def one_player(query: schemas.ChosenGamesQuery, player: int) -> Any:
    """A player: wins in a row, month by month, the last games, rivals, milestones and titles."""
    session, selection = db.session(), _selection(query)
    details = player_in_group(session, asker.group, player) or abort(404)
    found = player_statistics(session, asker.group, player, selection)
    months = [
        {"year": year, "month": month, "rule_set": variant, "sums": sums}
        for variant, (year, month), sums, _against in found.months
    ]
    return {
        "id": details.id,
        "name": details.name,
        "merged_into": details.merged_into,
        "streaks": found.streaks,
        "months": months,
        "recent_games": found.recent_games,
        "rivals": found.rivals,
        "titles": seasons_won_by(player, seasons_of(session, asker.group, datetime.now(UTC))),
        "milestones": milestones_of_player(session, player, details.name),
    }


@operation(
    statistics,
    "GET",
    "/players/<int:player>/rivals/<int:rival>",
    Role.WATCH,
    answer=schemas.RivalryAnswer,
)
def rivalry(query: schemas.ChosenGamesQuery, player: int, rival: int) -> Any:
    """How often one player finished ahead of another and behind, month by month."""
    session, selection = db.session(), _selection(query)
    for one in (player, rival):
        _ = player_in_group(session, asker.group, one) or abort(404)
    months = rivalry_by_month(months_of(session, player, selection, [rival]), 0)
    return {
        "months": [
            {"year": year, "month": month, "ahead": ahead, "behind": behind}
            for (year, month), (ahead, behind) in months.items()
        ]
    }


@operation(statistics, "GET", "/contracts", Role.WATCH, answer=schemas.ContractsAnswer)
def contracts(query: schemas.ChosenGamesQuery) -> Any:
    """What each player's attempts at contracts came to."""
    return {"contracts": player_contract_stats(db.session(), asker.group, _selection(query))}


@operation(statistics, "GET", "/records", Role.WATCH, answer=schemas.RecordsAnswer)
def records(query: schemas.ChosenGamesQuery) -> Any:
    """The records of the group, of all games or those chosen."""
    session, group, selection = db.session(), asker.group, _selection(query)
    tallies = game_tallies(session, group, selection)
    names = dict(variant_names())
    return {"records": group_record_views(session, group, selection, names, tallies)}


@operation(
    statistics, "GET", "/games/<key>/milestones", Role.WATCH, answer=schemas.MilestonesAnswer
)
def milestones(key: str) -> Any:
    """What the players of a finished game reached by it."""
    return {"milestones": milestones_of_game(db.session(), asker.game)}


@operation(statistics, "GET", "/evenings", Role.WATCH, answer=schemas.EveningsAnswer)
def evenings(query: schemas.ChosenGamesQuery) -> Any:
    """The last evenings, the latest first: each is known by the key of its first game."""
    session, selection = db.session(), _selection(query)
    return {"evenings": evenings_of(session, asker.group, _MOST_EVENINGS, selection=selection)}


@operation(statistics, "GET", "/evenings/<key>", Role.WATCH, answer=schemas.WholeEveningAnswer)
def one_evening(key: str) -> Any:
    """The evening that a game belongs to: who played, who won, its games and moments."""
    page = evening_page()
    return {
        "evening": page.view.evening,
        "winners": page.view.first,
        "table": page.view.people,
        "games": [one.game for one in page.games],
        "moments": page.moments,
    }


@operation(statistics, "PUT", "/games/<key>/evening", Role.MANAGE, answer=schemas.EveningAnswer)
def mark(key: str, *, mark: EveningMark) -> Any:
    """Split an evening before a game, or join the game to the evening before."""
    in_game(mark_evening, mark)
    return evening_with(db.session(), asker.group, asker.game) or abort(404)


@operation(
    statistics, "PUT", "/evenings/<key>/seasons", Role.MANAGE, answer=schemas.WholeEveningAnswer
)
def leave_out(key: str, *, left_out: schemas.GameKeys) -> Any:
    """Let these games of an evening count for no season, and its others count.

    404 where one of them is not of that evening.
    """
    evening = evening_with(db.session(), asker.group, asker.game) or abort(404)
    keys = {one.key for one in listed_games(db.session(), evening.games)}
    if not keys.issuperset(left_out):
        abort(404)
    leave_out_of_evening(evening, left_out, keys.difference(left_out))
    return one_evening(key)


@operation(statistics, "GET", "/seasons", Role.WATCH, answer=schemas.SeasonsAnswer)
def seasons() -> Any:
    """The group's seasons, the latest first, with who leads or won."""
    session = db.session()
    found = seasons_of(session, asker.group, datetime.now(UTC))
    return {"seasons": found, "leaders": leaders_of(found)}


@operation(
    statistics, "POST", "/seasons", Role.MANAGE, answer=schemas.SeasonTableAnswer, status=201
)
def make_season(body: schemas.SeasonBody) -> Any:
    """Make a season."""
    return _table(season_or_404(in_group(act.make_season, _plan(body))))


@operation(statistics, "GET", "/seasons/<season>", Role.WATCH, answer=schemas.SeasonTableAnswer)
def one_season(season: str) -> Any:
    """The table of a season, as it was decided or as it stands."""
    return _table(season_or_404(season))


@operation(statistics, "PUT", "/seasons/<season>", Role.MANAGE, answer=schemas.SeasonTableAnswer)
def change_season(body: schemas.SeasonBody, season: str) -> Any:
    """Change a season; one that was decided is decided anew, unless it runs on now."""
    in_group(act.change_season, season_or_404(season).key, _plan(body))
    return _table(season_or_404(season))


@operation(statistics, "DELETE", "/seasons/<season>", Role.MANAGE, status=204)
def remove_season(season: str) -> None:
    """Remove a season; of a year what was chosen and decided."""
    try:
        in_group(act.remove_season, season)
    except Refused:
        abort(404)


@operation(
    statistics, "POST", "/seasons/<season>/settle", Role.MANAGE, answer=schemas.SeasonTableAnswer
)
def settle_season(season: str, *, decide_anew: bool) -> Any:
    """Say whether a decided season changes with the games that changed since."""
    in_group(act.settle_season, season_or_404(season).key, decide_anew=decide_anew)
    return _table(season_or_404(season))


def _plan(sent: schemas.SeasonBody) -> act.SeasonPlan:
    variants = tuple(rule_set_or_404(one).id for one in sent.rule_sets)
    days = sent.since, sent.last_day
    return act.SeasonPlan(sent.name, *days, sent.evenings, variants, sent.rules)


def _table(season: Season) -> Any:
    return season_table_view(season)


def _selection(sent: schemas.ChosenGamesQuery) -> GameSelection:
    """The games that a program chose; 404 for a season or a player who is not there."""
    season = season_or_404(sent.season) if sent.season else None
    together = sent.with_players or ()
    if together and not {*together} <= dict(player_names(db.session(), asker.group)).keys():
        abort(404)
    return select_games(season, [(sent.since, sent.last_day)], sent.rule_set, together)
