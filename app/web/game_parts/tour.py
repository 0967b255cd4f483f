"""Who is offered the tour of a game: whoever has never played, until they skip it."""

from flask import request

from app.extensions import db
from app.store.queries.history import has_finished_game
from app.web.infrastructure.asker import asker

SKIPPED = "tour_skipped"
"""The cookie of a device that wants no tour."""


def offers_tour() -> bool:
    """Has this device's group finished no game, and is the tour not skipped?"""
    if SKIPPED in request.cookies:
        return False
    group = asker.group_if_any
    return group is None or not has_finished_game(db.session(), group)
