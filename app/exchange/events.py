"""The events of a game's log by kind: enough of each to be told in words, and to be undone."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from marshmallow import ValidationError
from marshmallow.fields import Field

from app.exchange import limits
from app.exchange.fields import (
    DocumentSchema,
    JsonObject,
    ListOf,
    NestedObject,
    StrictSchema,
    Text,
    WholeNumber,
    YesNo,
    object_schema,
)
from app.exchange.rule_fields import RecordedVerdictField, house_rules_schema
from app.rules.house_rules import SWITCHABLE
from app.rules.phrases import say
from app.rules.rule_sets import MOST_CONTRACTS
from app.scorebook.corrections import MOST_CORRECTED
from app.scorebook.game import MOST_BUYS
from app.scorebook.limits import MOST_DECISIONS
from app.scorebook.points import MOST_POINTS

SeatNumber = Annotated[int, WholeNumber(1, limits.MOST_SEATS)]
RoundNumber = Annotated[int, WholeNumber(1, limits.MOST_ROUNDS)]
Name = Annotated[str, Text(limits.LONGEST_NAME)]
Points = Annotated[int, WholeNumber(-MOST_POINTS, MOST_POINTS)]
Buys = Annotated[int, WholeNumber(0, MOST_BUYS)]
Decision = Annotated[str, Text(limits.LONGEST_DECISION)]


def score_field(**more: Any) -> WholeNumber:
    """A score, which many rounds and corrections may have added up to."""
    return WholeNumber(-limits.LARGEST_SCORE, limits.LARGEST_SCORE, **more)


Score = Annotated[int, score_field()]


def counted_cards_field() -> ListOf:
    """The left-over cards of each class of cards that cost the same."""
    return ListOf(WholeNumber(0, limits.MOST_COUNTED_CARDS), limits.MOST_CLASSES)


@dataclass(frozen=True, slots=True)
class EventDocument:
    """An event of the game's log; `by` is what the device was called.

    `seat` is missing, too, where a seat was taken by mistake and is no longer there.

    What it says of before and after it is read by the schema of its kind.
    """

    version: Annotated[int, WholeNumber(1, limits.MOST_VERSIONS)]
    at: datetime
    kind: Annotated[str, Text(24)]
    by: Name = ""
    round_number: Annotated[
        int | None, WholeNumber(0, limits.MOST_ROUNDS + 1, data_key="round")
    ] = None
    seat: SeatNumber | None = None
    before: Annotated[Mapping[str, Any], JsonObject(limits.MOST_PARTS)] = field(
        default_factory=dict
    )
    after: Annotated[Mapping[str, Any], JsonObject(limits.MOST_PARTS)] = field(default_factory=dict)
    reason: Decision = ""


@dataclass(frozen=True, slots=True)
class EventKind:
    """What events of one kind hold: `schema` reads what they say of after, `before` of before.

    Where it `has_before`, both say the same things.
    """

    schema: StrictSchema
    has_before: bool = False
    of_round: bool = False
    own_before: StrictSchema | None = None

    @property
    def before(self) -> StrictSchema:
        """What reads what is said of before."""
        return self.own_before or (self.schema if self.has_before else NOTHING)


def _kind(said: Mapping[str, Field[Any]] | None = None, **more: Any) -> EventKind:
    return EventKind(object_schema("Said", said or {}), **more)


def _attendance_kind(said: Mapping[str, Field[Any]], **more: Any) -> EventKind:
    return _kind({**_PLAYER, **said, **_ATTENDED}, own_before=_ATTENDED_BEFORE, **more)


_PLAYER: dict[str, Field[Any]] = {"player": Text(limits.LONGEST_NAME, required=True)}
_HANDED_OVER: dict[str, Field[Any]] = {**_PLAYER, "earlier": Text(limits.LONGEST_NAME)}
_ATTENDED: dict[str, Field[Any]] = {
    "seat": NestedObject(
        object_schema(
            "Attendance",
            {
                "joined_in": WholeNumber(1, limits.MOST_ROUNDS, required=True),
                "left_after": WholeNumber(0, limits.MOST_ROUNDS, required=True, allow_none=True),
                "starting_score": score_field(required=True),
                "starting_contract": WholeNumber(1, MOST_CONTRACTS, required=True),
                "missed": ListOf(
                    ListOf(WholeNumber(1, limits.MOST_ROUNDS), 2, 2),
                    limits.MOST_ROUNDS,
                    required=True,
                ),
            },
        )
    )
}
_ATTENDED_BEFORE = object_schema("AttendedBefore", _ATTENDED)
_JOINED: dict[str, Field[Any]] = {
    "score": score_field(),
    "contract": WholeNumber(1, MOST_CONTRACTS),
}
_ENTERED: dict[str, Field[Any]] = {
    "met": YesNo(),
    "went_out": YesNo(),
    "penalty": score_field(allow_none=True),
    "typed": Text(limits.LONGEST_TYPED),
    "counted": counted_cards_field(),
    "exact_deal": YesNo(),
    "not_counted": YesNo(),
    "buys": WholeNumber(0, MOST_BUYS),
}
_STARTED: dict[str, Field[Any]] = {
    "players": ListOf(Text(limits.LONGEST_NAME), limits.MOST_SEATS, 1, required=True),
    "dealer": Text(limits.LONGEST_NAME, required=True),
}
_RULING: dict[str, Field[Any]] = {
    "question": Text(limits.LONGEST_QUESTION, load_default=""),
    "verdict": Text(limits.LONGEST_VERDICT, required=True),
    "decided": Text(limits.LONGEST_DECISION, required=True),
    "said": RecordedVerdictField(allow_none=True),
}
_FIRST_DOWN = WholeNumber(1, limits.MOST_SEATS, required=True, allow_none=True)
_DEALER: dict[str, Field[Any]] = {
    "deals": WholeNumber(1, limits.MOST_SEATS, required=True, allow_none=True),
    "once": YesNo(required=True),
}
_SEATED: dict[str, Field[Any]] = {
    "order": ListOf(WholeNumber(1, limits.MOST_SEATS), limits.MOST_SEATS, 2, required=True),
    "deal": WholeNumber(1, MOST_DECISIONS + 1),
}
_SWITCHED = house_rules_schema("SwitchedRules", SWITCHABLE)
_DESCRIBED: dict[str, Field[Any]] = {
    "title": Text(limits.LONGEST_TITLE),
    "note": Text(limits.LONGEST_NOTE),
}
_CORRECTED: dict[str, Field[Any]] = {
    "points": WholeNumber(-MOST_CORRECTED, MOST_CORRECTED, required=True),
    "removed": YesNo(),
}
_STOPPED: dict[str, Field[Any]] = {"result": YesNo(required=True)}
_OF_THE_GAME = (
    "reopened", "archived", "unarchived", "binned", "taken_back", "shared", "unshared",
)  # fmt: skip

KINDS: Mapping[str, EventKind] = {
    "row": _kind(_ENTERED, has_before=True, of_round=True),
    "nobody_out": _kind({"nobody_out": YesNo(required=True)}, has_before=True, of_round=True),
    "first_down": _kind({"first_down": _FIRST_DOWN}, has_before=True, of_round=True),
    "void": _kind({"passed_on": YesNo(), "undone": YesNo()}, of_round=True),
    "dealer": _kind(_DEALER, has_before=True, of_round=True),
    "seats": _kind(_SEATED, has_before=True, of_round=True),
    "closed": _kind(of_round=True),
    "opened_again": _kind(of_round=True),
    "mended": _kind(of_round=True),
    "started": _kind(_STARTED),
    "joined": _attendance_kind(_JOINED),
    "unjoined": _kind(_PLAYER),
    "left": _attendance_kind({"cards": Text(20, form="counted|not_counted")}),
    "returned": _attendance_kind({"left_after": WholeNumber(0, limits.MOST_ROUNDS)}, of_round=True),
    "handed_over": _kind(_HANDED_OVER, of_round=True),
    "hand_over_undone": _kind(_HANDED_OVER, of_round=True),
    "stopped": _kind(_STOPPED, of_round=True),
    "resumed": _kind(_STOPPED, of_round=True),
    "corrected": _kind(_CORRECTED, of_round=True),
    "ruling": _kind(_RULING, of_round=True),
    "rule_changed": EventKind(_SWITCHED, has_before=True, of_round=True),
    "described": _kind(_DESCRIBED, has_before=True),
    "undone": _kind({"version": WholeNumber(1, limits.MOST_VERSIONS, required=True)}),
    **dict.fromkeys(_OF_THE_GAME, _kind()),
}
"""Kind of event and what it holds; a test compares the kinds with those that the app writes."""

NOTHING = _kind().schema


class EventSchema(DocumentSchema):
    """An event, what it says by its kind."""

    def load(self, data: Any, **options: Any) -> EventDocument:
        """The event, with what it says of before and after it as plain values."""
        event: EventDocument = super().load(data, **options)
        kind = KINDS.get(event.kind)
        if kind is None:
            raise _misfit("kind", event)
        if kind.of_round and not event.round_number:
            raise _misfit("round", event)
        said = {}
        for part, schema in (
            ("before", kind.before),
            ("after", kind.schema),
        ):
            try:
                said[part] = schema.load(getattr(event, part))
            except ValidationError as error:
                raise ValidationError({part: error.messages}) from None
        if kind.has_before and said["before"].keys() != said["after"].keys():
            raise _misfit("before", event)
        return replace(event, **said)


def _misfit(place: str, event: EventDocument) -> ValidationError:
    message = say("This doesn’t fit an event of the kind {kind}.", kind=event.kind)
    return ValidationError({place: [message]})
