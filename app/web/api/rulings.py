"""What a group decided in its games, over the interface."""

from dataclasses import dataclass
from typing import Annotated, Any

from flask import Blueprint, abort
from pydantic import Field

from app.actions import rulings as act
from app.actions.groups import Role
from app.extensions import db
from app.rules.field_types import Text
from app.scorebook.limits import Decision
from app.scorebook.refusals import Refused
from app.store.queries.record import ListedRuling, group_ruling, group_rulings
from app.web.api import errors
from app.web.api.operations import operation
from app.web.api.schemas import ApiAnswer, Moment
from app.web.infrastructure.access import in_game
from app.web.infrastructure.asker import asker

rulings = Blueprint("api_rulings", __name__, url_prefix=errors.PREFIX)
errors.register(rulings)

_MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class RulingsQuery:
    """Where to go on: `older` of the answer before."""

    older: Annotated[str, Text(9)] = ""


@dataclass(frozen=True, slots=True)
class RulingWords:
    """What was decided, and why."""

    decided: Decision = ""
    reason: Decision = ""


@dataclass(frozen=True, slots=True)
class RulingBody(RulingWords):
    """What is to stand there, in place of what was `seen`."""

    seen: RulingWords | None = None


class RulingAnswer(ApiAnswer):
    """What a group decided in a game, with the verdict as it was said."""

    id: int
    game: str = Field(validation_alias="game_key")
    round: int = Field(validation_alias="round_number")
    at: Moment
    question: str = Field(description="As the address of *Check* asks it.")
    verdict: str
    asked_by: str
    decided: str = Field(validation_alias="decision")
    reason: str
    changes_rules: bool = Field(description="A house rule changed with it, which still holds.")
    changed_again_in: int | None = Field(
        description="The round from which on its game plays that house rule otherwise."
    )


class RulingsAnswer(ApiAnswer):
    """Some rulings, the last one first, and where to go on."""

    rulings: list[RulingAnswer]
    older: str | None


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
