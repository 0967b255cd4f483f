"""What goes over the interface, in and out: the OpenAPI document is made of these."""

from typing import Any

from marshmallow import Schema, fields, validate
from sqlalchemy.orm import InstrumentedAttribute

from app.actions.people import MOST_PLAYERS, MOST_STARTING_SCORE
from app.store.base import LARGEST_NUMBER, longest
from app.store.games import KeptRow
from app.store.groups import Player
from app.store.log import LogEntry

_MOST_ACCEPTED = 100


class RequestSchema(Schema):
    """What a program sends; a field that is not known is refused, not passed over."""


def text_of(column: InstrumentedAttribute[Any], **options: Any) -> fields.String:
    """A text that the column holds."""
    return fields.String(validate=validate.Length(max=longest(column)), **options)


def whole(least: int, most: int = LARGEST_NUMBER, **options: Any) -> fields.Integer:
    """A whole number within bounds, and nothing that only looks like one."""
    return fields.Integer(strict=True, validate=validate.Range(least, most), **options)


def accepted_marks() -> fields.List[str]:
    """Marks of the doubts that are overruled."""
    return fields.List(
        fields.String(), load_default=list, validate=validate.Length(max=_MOST_ACCEPTED)
    )


class RuleSetLineSchema(Schema):
    """A rule set in a list."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    summary = fields.String(required=True)
    kind = fields.String(
        required=True,
        validate=validate.OneOf(("own", "core", "relative")),
        metadata={"description": "The group's own, one of the nine, or a relative of them."},
    )


class RuleSetSchema(RuleSetLineSchema):
    """A rule set with its document, in the shape of a file."""

    version = fields.Integer(required=True, metadata={"description": "0 for a shipped one."})
    document = fields.Dict(keys=fields.String(), required=True)


class NewRuleSetSchema(RequestSchema):
    """A rule set to keep as the group's own."""

    document = fields.Dict(keys=fields.String(), required=True)


class ChangedRuleSetSchema(NewRuleSetSchema):
    """A rule set that takes the place of version `seen`."""

    seen = whole(1, required=True)


class QuestionSchema(Schema):
    """A question for the judge, in the fields of its file interface; others are passed over."""

    class Meta:
        """Other fields belong to the kind of question."""

        unknown = "include"

    ask = fields.String(
        required=True,
        validate=validate.OneOf(("meld", "contract", "layoff", "swap", "hand", "score")),
    )
    variant = fields.String(required=True)


class WantedGamesSchema(Schema):
    """Which games to list."""

    state = fields.String(
        load_default="", validate=validate.OneOf(("", "finished", "running", "archived"))
    )
    words = fields.String(load_default="")
    older = fields.String(load_default="", validate=validate.Length(max=40))


class GameLineSchema(Schema):
    """A game in a list; of one that was kept on paper only the result is known."""

    key = fields.String(required=True)
    variant_name = fields.String(required=True, data_key="rule_set")
    title = fields.String(required=True)
    started_at = fields.AwareDateTime(required=True)
    finished_at = fields.AwareDateTime(allow_none=True, required=True)
    on_paper = fields.Boolean(required=True)
    winners = fields.List(fields.String(), required=True)


class GameListSchema(Schema):
    """Some games, newest first, and where to go on."""

    games = fields.List(fields.Nested(GameLineSchema), required=True)
    older = fields.String(allow_none=True, required=True)


class NewGameSchema(RequestSchema):
    """A game to start: players in dealing order."""

    rule_set = fields.String(required=True)
    players = fields.List(
        text_of(Player.name), required=True, validate=validate.Length(min=1, max=MOST_PLAYERS)
    )
    first_dealer = whole(0, MOST_PLAYERS - 1, load_default=0)
    house_rules = fields.Dict(keys=fields.String(), load_default=dict)
    accepted = accepted_marks()


class StandingOutSchema(Schema):
    """How a seat stands."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    place = fields.Integer(allow_none=True, required=True)
    contract = fields.Integer(allow_none=True, required=True)
    completed = fields.Integer(required=True)
    score = fields.Integer(allow_none=True, required=True)
    present = fields.Boolean(required=True)


class NotCountedSchema(Schema):
    """Points that nobody knew any more, and that a score therefore lacks."""

    round = fields.Integer(required=True)
    seat = fields.Integer(required=True)


class StandingsSchema(Schema):
    """How a game stands."""

    version = fields.Integer(required=True)
    next_round = fields.Integer(required=True)
    dealer = fields.Integer(allow_none=True, required=True)
    over = fields.Boolean(required=True)
    winners = fields.List(fields.Integer(), required=True)
    reason = fields.String(allow_none=True, required=True)
    standings = fields.List(fields.Nested(StandingOutSchema), required=True)
    not_counted = fields.List(fields.Nested(NotCountedSchema), required=True)


class GameSchema(StandingsSchema):
    """A game as it stands, with the rules that it is played by."""

    key = fields.String(required=True)
    started_at = fields.AwareDateTime(required=True)
    rules = fields.Dict(keys=fields.String(), required=True)


class RowInSchema(RequestSchema):
    """What happened to a seat; `points` a number or a sum such as `10+5`, blank if not known."""

    met = fields.Boolean(load_default=False)
    went_out = fields.Boolean(load_default=False)
    points = text_of(KeptRow.typed, load_default="")
    exact_deal = fields.Boolean(load_default=False)
    not_counted = fields.Boolean(
        load_default=False,
        metadata={"description": "Nobody knows the points any more: blank, they add nothing."},
    )


class SeatRowInSchema(RowInSchema):
    """A row with its seat."""

    seat = whole(1, required=True)


class RoundInSchema(RequestSchema):
    """A whole round; a seat without a row stays as it was entered."""

    rows = fields.List(
        fields.Nested(SeatRowInSchema),
        load_default=list,
        validate=validate.Length(max=MOST_PLAYERS),
    )
    first_down = whole(1, allow_none=True, load_default=None)
    nobody_out = fields.Boolean(load_default=False)
    seen = whole(0, allow_none=True, load_default=None)
    accepted = accepted_marks()
    reason = text_of(LogEntry.reason, load_default="")


class RowOutSchema(Schema):
    """What a round came to for a seat."""

    seat = fields.Integer(required=True)
    contract = fields.Integer(allow_none=True, required=True)
    met = fields.Boolean(required=True)
    went_out = fields.Boolean(required=True)
    penalty = fields.Integer(allow_none=True, required=True)
    points = fields.Integer(allow_none=True, required=True)
    score = fields.Integer(allow_none=True, required=True)
    completed = fields.Integer(required=True)
    not_counted = fields.Boolean(required=True)


class RoundOutSchema(Schema):
    """A closed round."""

    number = fields.Integer(required=True)
    dealer = fields.Integer(allow_none=True, required=True)
    rows = fields.List(fields.Nested(RowOutSchema), required=True)


class PlayerInSchema(RequestSchema):
    """Somebody who joins from the next round on."""

    name = text_of(Player.name, required=True)
    after = whole(1, allow_none=True, load_default=None)
    score = whole(-MOST_STARTING_SCORE, MOST_STARTING_SCORE, load_default=0)


class TroubleSchema(Schema):
    """Why something was not done.

    `faults` cannot be recorded at all; `doubts` only look wrong, and are overruled by sending
    their `mark` among the `accepted`.
    """

    status = fields.Integer(required=True)
    message = fields.String(required=True)
    faults = fields.List(fields.Dict(keys=fields.String()))
    doubts = fields.List(fields.Dict(keys=fields.String()))
    version = fields.Integer()
    errors = fields.Dict(keys=fields.String())
