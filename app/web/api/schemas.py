"""What goes over the interface, in and out: the OpenAPI document is made of these."""

from typing import Any, get_args

from marshmallow import Schema, fields, post_dump, validate
from sqlalchemy.orm import InstrumentedAttribute

from app.rules.rule_sets import MOST_CONTRACTS
from app.rules.rule_types import LONGEST_RULE_SET_ID, MOST_PARTS_OF_RULES
from app.scorebook.game import Stop
from app.scorebook.joiners import MOST_STARTING_SCORE
from app.scorebook.limits import MOST_BUYS, MOST_CORRECTED, MOST_SEATS
from app.store.base import LARGEST_NUMBER, max_length
from app.store.games import StoredEntry
from app.store.groups import Player
from app.store.log import LogEntry
from app.web.api.fields import (
    BodyList,
    BodyNumber,
    BodyText,
    JsonObject,
    NestedObject,
    StrictSchema,
    YesNo,
)

_MOST_ACCEPTED = 100
_LONGEST_ACCEPTED = 1000


def text_field_for(column: InstrumentedAttribute[Any], **options: Any) -> BodyText:
    """A text that the column holds."""
    return BodyText(max_length(column), **options)


def accepted_marks_field() -> BodyList:
    """Marks of the warnings that are overruled."""
    return BodyList(BodyText(_LONGEST_ACCEPTED), _MOST_ACCEPTED, load_default=())


class AnswerSchema(Schema):
    """What is answered: nothing that it promises is left out, as marshmallow would silently do."""

    @post_dump
    def hold_promise(self, answer: dict[str, Any], **_options: Any) -> dict[str, Any]:
        """Raise `KeyError` where a required field found nothing."""
        for name, field in self.fields.items():
            if field.required and (field.data_key or name) not in answer:
                raise KeyError(f"{type(self).__name__} has no {name}")
        return answer


class RuleSetLineSchema(AnswerSchema):
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


class NewRuleSetSchema(StrictSchema):
    """A rule set to keep as the group's own."""

    document = JsonObject(MOST_PARTS_OF_RULES, required=True)


class ChangedRuleSetSchema(NewRuleSetSchema):
    """A rule set that takes the place of version `seen`."""

    seen = BodyNumber(1, LARGEST_NUMBER, required=True)


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


def stop_result_field() -> fields.String:
    """How a game counts that stopped before its end."""
    values = validate.OneOf(get_args(Stop))
    told = {"description": "Stopped before its end, and its result counts or does not."}
    return fields.String(allow_none=True, required=True, validate=values, metadata=told)


class GameLineSchema(AnswerSchema):
    """A game in a list; of one that was kept on paper only the result is known."""

    key = fields.String(required=True)
    variant_name = fields.String(required=True, data_key="rule_set")
    title = fields.String(required=True)
    started_at = fields.AwareDateTime(required=True)
    finished_at = fields.AwareDateTime(allow_none=True, required=True)
    stopped = stop_result_field()
    results_only = fields.Boolean(required=True, data_key="on_paper")
    winners = fields.List(fields.String(), required=True)


class GameListSchema(AnswerSchema):
    """Some games, newest first, and where to go on."""

    games = fields.List(fields.Nested(GameLineSchema), required=True)
    older = fields.String(allow_none=True, required=True)


class NewGameSchema(StrictSchema):
    """A game to start: players in dealing order."""

    rule_set = BodyText(LONGEST_RULE_SET_ID, required=True)
    players = BodyList(text_field_for(Player.name), MOST_SEATS, 1, required=True)
    first_dealer = BodyNumber(0, MOST_SEATS - 1, load_default=0)
    house_rules = JsonObject(MOST_PARTS_OF_RULES, load_default=dict)
    accepted = accepted_marks_field()


class StandInOutSchema(AnswerSchema):
    """Who played a seat on from a round."""

    from_round = fields.Integer(required=True)
    name = fields.String(required=True)


class StandingOutSchema(AnswerSchema):
    """How a seat stands."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    place = fields.Integer(allow_none=True, required=True)
    contract = fields.Integer(allow_none=True, required=True)
    completed = fields.Integer(required=True, attribute="contracts_completed")
    score = fields.Integer(allow_none=True, required=True)
    present = fields.Boolean(required=True)
    taken_by = fields.String(
        required=True, metadata={"description": "Who took the seat; `player` holds it now."}
    )
    stand_ins = fields.List(fields.Nested(StandInOutSchema), required=True)


class UncountedPointsSchema(AnswerSchema):
    """Points that nobody knew any more, and that a score therefore lacks."""

    round = fields.Integer(required=True)
    seat = fields.Integer(required=True)


class CorrectionSchema(StrictSchema):
    """Points added to a player's score (so -25 helps) from a round on, beside its cards."""

    round = BodyNumber(1, LARGEST_NUMBER, required=True)
    seat = BodyNumber(1, LARGEST_NUMBER, required=True)
    points = BodyNumber(-MOST_CORRECTED, MOST_CORRECTED, required=True)
    reason = text_field_for(LogEntry.reason, load_default="")


class VoidOutSchema(AnswerSchema):
    """A deal that counted nothing; where it was passed on, the next player dealt the round."""

    round = fields.Integer(required=True)
    dealer = fields.Integer(allow_none=True, required=True)
    passed_on = fields.Boolean(required=True)
    reason = fields.String(required=True)


class StandingsSchema(AnswerSchema):
    """How a game stands."""

    version = fields.Integer(required=True)
    next_round = fields.Integer(required=True)
    dealer = fields.Integer(allow_none=True, required=True)
    over = fields.Boolean(required=True)
    stopped = stop_result_field()
    winners = fields.List(fields.Integer(), required=True)
    reason = fields.String(allow_none=True, required=True)
    standings = fields.List(fields.Nested(StandingOutSchema), required=True)
    voids = fields.List(fields.Nested(VoidOutSchema), required=True)
    not_counted = fields.List(fields.Nested(UncountedPointsSchema), required=True)
    corrections = fields.List(fields.Nested(CorrectionSchema), required=True)


class GameSchema(StandingsSchema):
    """A game as it stands, with the rules that it is played by."""

    key = fields.String(required=True)
    started_at = fields.AwareDateTime(required=True)
    rules = fields.Dict(keys=fields.String(), required=True)


class StopSchema(StrictSchema):
    """Does what the game came to count?"""

    result = YesNo(required=True)


class VoidSchema(StrictSchema):
    """A round that is dealt again, by the next player if the deal is `passed_on`."""

    passed_on = YesNo(load_default=False)
    reason = text_field_for(LogEntry.reason, load_default="")


class DealerSchema(StrictSchema):
    """Who deals; the deal goes on from there unless it is for `once`."""

    seat = BodyNumber(1, LARGEST_NUMBER, required=True)
    once = YesNo(load_default=False)


class SeatsSchema(StrictSchema):
    """The seats of all who play, in dealing order."""

    order = BodyList(BodyNumber(1, LARGEST_NUMBER), MOST_SEATS, 2, required=True)


class RowInSchema(StrictSchema):
    """What happened to a seat; `points` a number or a sum such as `10+5`, blank if not known.

    `not_counted`: nobody knows the points any more, and they add nothing. `buys`: discards bought
    out of turn, where the rules limit or price them.
    """

    met = YesNo(load_default=False)
    went_out = YesNo(load_default=False)
    points = text_field_for(StoredEntry.typed, load_default="")
    exact_deal = YesNo(load_default=False)
    not_counted = YesNo(load_default=False)
    buys = BodyNumber(0, MOST_BUYS, load_default=0)


class SeatRowInSchema(RowInSchema):
    """A row with its seat."""

    seat = BodyNumber(1, LARGEST_NUMBER, required=True)


class RoundInSchema(StrictSchema):
    """A whole round; a seat without a row stays as it was entered."""

    rows = BodyList(NestedObject(SeatRowInSchema), MOST_SEATS, load_default=())
    first_down = BodyNumber(1, LARGEST_NUMBER, allow_none=True, load_default=None)
    nobody_out = YesNo(load_default=False)
    seen = BodyNumber(0, LARGEST_NUMBER, allow_none=True, load_default=None)
    accepted = accepted_marks_field()
    reason = text_field_for(LogEntry.reason, load_default="")


class RowOutSchema(AnswerSchema):
    """What a round came to for a seat."""

    seat = fields.Integer(required=True)
    contract = fields.Integer(allow_none=True, required=True)
    met = fields.Boolean(required=True)
    went_out = fields.Boolean(required=True)
    penalty = fields.Integer(allow_none=True, required=True)
    points = fields.Integer(allow_none=True, required=True)
    score = fields.Integer(allow_none=True, required=True, attribute="score_after")
    completed = fields.Integer(required=True, attribute="contracts_completed")
    not_counted = fields.Boolean(required=True)
    buys = fields.Integer(required=True)
    correction = fields.Integer(required=True)


class MissedOutSchema(AnswerSchema):
    """A round that a seat missed between leaving and coming back."""

    seat = fields.Integer(required=True)
    points = fields.Integer(allow_none=True, required=True)
    score = fields.Integer(allow_none=True, required=True, attribute="score_after")


class RoundOutSchema(AnswerSchema):
    """A closed round."""

    number = fields.Integer(required=True)
    dealer = fields.Integer(allow_none=True, required=True)
    rows = fields.List(fields.Nested(RowOutSchema), required=True)
    missed = fields.List(fields.Nested(MissedOutSchema), required=True)


class StandInSchema(StrictSchema):
    """Who plays a seat on from the next round."""

    name = text_field_for(Player.name, required=True)


class PlayerInSchema(StandInSchema):
    """Somebody who joins from the next round on, or comes back.

    What a late joiner begins with is a number or a usual one, which is then the house rule for the
    next joiner; without either the house rule says it.
    """

    after = BodyNumber(1, LARGEST_NUMBER, allow_none=True, load_default=None)
    contract = BodyNumber(1, MOST_CONTRACTS, allow_none=True, load_default=None)
    usual_contract = BodyText(10, form="first|lowest", load_default=None)
    score = BodyNumber(
        -MOST_STARTING_SCORE, MOST_STARTING_SCORE, allow_none=True, load_default=None
    )
    usual_score = BodyText(10, form="zero|average|highest", load_default=None)


class LeaveSchema(Schema):
    """A player who leaves in the middle of the round: do the cards in hand count?"""

    cards = fields.String(load_default="", validate=validate.OneOf(("", "counted", "not_counted")))


class TroubleSchema(AnswerSchema):
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
