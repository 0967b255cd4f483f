"""The address of the first page."""

from flask import Blueprint, g, render_template

from app.extensions import db
from app.store.queries.games import running_games, tables_of
from app.store.queries.history import last_results
from app.web.access import open_to_all
from app.web.games.pages import GameCard, game_card
from app.web.history.pages import LineView, line_view

home = Blueprint("home", __name__)

_MOST_RUNNING = 20
_MOST_FINISHED = 5


@home.get("/")
@open_to_all
def index() -> str:
    """The running games of this device's group and the last results; nothing for a stranger."""
    running: list[GameCard] = []
    finished: list[LineView] = []
    if g.group is not None:
        session = db.session()
        ids = running_games(session, g.group, _MOST_RUNNING)
        tables = tables_of(session, ids)
        running = [game_card(tables[one]) for one in ids]
        finished = [line_view(one) for one in last_results(session, g.group, _MOST_FINISHED)]
    return render_template("home/index.html", running=running, finished=finished)
