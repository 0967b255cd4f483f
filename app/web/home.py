"""The first page: the group's running games, the last finished ones, and the way to a new game."""

from collections.abc import Sequence
from datetime import UTC, datetime

from flask import Blueprint, render_template

from app.actions.groups import Role
from app.extensions import db
from app.rules.rule_sets import family_rule_sets
from app.store.queries.access import depends_on_one_device, device_in_group
from app.store.queries.games import (
    LoadedGame,
    last_change_times,
    load_game,
    load_games,
    running_games,
)
from app.store.queries.history import recent_games
from app.web.evenings import recent_evening
from app.web.game_parts.lengths import is_idle
from app.web.game_parts.standings import StandingView, standing_views
from app.web.game_parts.words import house_rules_of_game, stop_words
from app.web.groups.view_models import unread_removals
from app.web.history.view_models import ListedGameView
from app.web.infrastructure.access import may, may_begin, open_to_all
from app.web.infrastructure.asker import asker

home = Blueprint("home", __name__)
home.add_app_template_global(stop_words, "stop_words_of")

_MOST_RUNNING = 20
_MOST_FINISHED = 5


@home.get("/")
@open_to_all
def index() -> str:
    """The games of this device's group that run or ended last; for a stranger none."""
    mine, last_evening = None, None
    running: list[tuple[LoadedGame, Sequence[StandingView], datetime | None]] = []
    finished: list[ListedGameView] = []
    if may(Role.WATCH):
        session, now = db.session(), datetime.now(UTC)
        mine = device_in_group(session, asker.device, asker.group)
        ids = [one.id for one in running_games(session, asker.group, _MOST_RUNNING)]
        if ids:
            changed = last_change_times(session, ids)
            idle = {game: at for game, at in changed.items() if is_idle(at, now)}
            running = [
                (one, standing_views(one), idle.get(one.id)) for one in load_games(session, ids)
            ]
        last_evening = recent_evening(now)
        finished = [
            ListedGameView(one) for one in recent_games(session, asker.group, _MOST_FINISHED)
        ]
    last = next((one.game for one in finished if not one.game.results_only), None)
    again = None if running or not may(Role.SCORE) else last
    last_played = load_game(session, again.id).game if again else None
    return render_template(
        "home/index.html",
        group=mine and mine.group_name,
        running=running,
        finished=finished,
        last_evening=last_evening,
        again=again,
        players_again=[one.name for one in last_played.seated.values()] if last_played else (),
        rules_again=house_rules_of_game(last_played) if last_played else (),
        removed_from=unread_removals() if mine is None or mine.was_removed else (),
        in_group=may(Role.WATCH),
        may_begin=may_begin(),
        tells_way_back=bool(finished and mine and not mine.way_back_dismissed)
        and may(Role.MANAGE)
        and depends_on_one_device(db.session(), asker.group),
        # Of a game to try: one that keeps a score shows the most.
        sample=next(one for one in family_rule_sets().values() if one.keeps_score),
    )
