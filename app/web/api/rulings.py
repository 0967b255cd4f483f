"""What a group decided in its games, over the interface."""

from typing import Any

from flask import abort

from app.actions import rulings as act
from app.actions.groups import Role
from app.extensions import db
from app.scorebook.refusals import Refused
from app.store.queries.rulings import ListedRuling, group_ruling, group_rulings
from app.web.api.errors import json_blueprint
from app.web.api.operations import operation
from app.web.api.schemas import RulingAnswer, RulingBody, RulingsAnswer, RulingsQuery
from app.web.infrastructure.access import in_game
from app.web.infrastructure.asker import asker

rulings = json_blueprint("rulings")

_MOST_LISTED = 100


@operation(rulings, "GET", "/rulings", Role.WATCH, answer=RulingsAnswer)
def all_rulings(query: RulingsQuery) -> Any:
    """Rulings of the group, the last one first; `older` of one answer asks for the next."""
    before = int(query.older) if query.older.isdecimal() else None
    found = group_rulings(db.session(), asker.group, _MOST_LISTED + 1, before=before)
    listed = found[:_MOST_LISTED]
    return {"rulings": listed, "older": str(listed[-1].id) if found != listed else None}


@operation(rulings, "PUT", "/games/<key>/rulings/<int:ruling_id>", Role.SCORE, answer=RulingAnswer)
def edit_ruling(body: RulingBody, key: str, ruling_id: int) -> Any:
    """Put a ruling otherwise; refused where it does not say what was `seen`."""
    _ruling(key, ruling_id)
    seen = (body.seen.decided, body.seen.reason) if body.seen else None
    in_game(act.edit_ruling, ruling_id, body.decided, body.reason, seen)
    return _ruling(key, ruling_id)


@operation(rulings, "DELETE", "/games/<key>/rulings/<int:ruling_id>", Role.SCORE, status=204)
def remove_ruling(key: str, ruling_id: int) -> None:
    """Remove a ruling."""
    try:
        in_game(act.remove_ruling, ruling_id)
    except Refused:
        abort(404)


def _ruling(key: str, ruling_id: int) -> ListedRuling:
    found = group_ruling(db.session(), asker.group, ruling_id)
    return found if found and found.game_key == key else abort(404)
