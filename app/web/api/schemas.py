"""What goes over the interface, in and out: the OpenAPI document is made of these.

Bodies are read like documents (`app.exchange.schema`), of the judge's question only `ask` and
`variant`; an answer holds what it promises, taken from a record or a dictionary.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    create_model,
)

from app.rules.field_types import As, ListOf, Text, WholeNumber
from app.rules.judge import Ask
from app.rules.rule_types import LONGEST_RULE_SET_ID, MOST_PARTS_OF_RULES
from app.scorebook.events.attendance import MOST_STARTING_SCORE
from app.scorebook.game import Stop
from app.scorebook.limits import (
    LARGEST_NUMBER,
    MOST_SEATS,
    Buys,
    ContractNumber,
    CorrectedPoints,
    Decision,
    Name,
    SeatId,
    Typed,
)
from app.scorebook.marks import Mark

_MOST_ACCEPTED = 100
_LONGEST_ACCEPTED = 1000


Number = Annotated[int, WholeNumber(1, LARGEST_NUMBER)]
JsonObject = Annotated[
    Mapping[str, Any], As(Annotated[dict[str, Any], Field(max_length=MOST_PARTS_OF_RULES)])
]
AcceptedMarks = Annotated[
    tuple[Annotated[str, Text(_LONGEST_ACCEPTED)], ...], ListOf(_MOST_ACCEPTED)
]
"""Marks of the warnings that are overruled."""


# What is sent


class QuestionBody(BaseModel):
    """A question for the judge; `answer_under` checks its other fields."""

    model_config = ConfigDict(extra="allow")
    ask: Ask
    variant: str


@dataclass(frozen=True, slots=True)
class GamesQuery:
    """Which games to list; all but those archived where no `state` is named."""

    state: Literal["", "finished", "running", "archived"] = ""
    words: Annotated[str, Text(LARGEST_NUMBER)] = ""  # an address is never as long
    older: Annotated[str, Text(40)] = ""


@dataclass(frozen=True, slots=True)
class NewGameBody:
    """A game to start: players in seating order, clockwise."""

    rule_set: Annotated[str, Text(LONGEST_RULE_SET_ID)]
    players: Annotated[tuple[Name, ...], ListOf(MOST_SEATS, 1)]
    first_dealer: Annotated[int, WholeNumber(0, MOST_SEATS - 1)] = 0
    house_rules: JsonObject = field(default_factory=dict)
    accepted: AcceptedMarks = ()


@dataclass(frozen=True, slots=True)
class CorrectionBody:
    """Points added to a player's score from a round on, beside what was entered for it."""

    number: Annotated[Number, Field(alias="round")]
    seat: SeatId
    points: CorrectedPoints
    reason: Decision = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowBody:
    """What happened to a seat; `points` a number or a sum such as `10+5`, blank for none.

    `not_counted`: nobody knows the points any more, and they add nothing. `buys`: discards bought
    out of turn, where the rules limit or price them.
    """

    met: bool = False
    went_out: bool = False
    typed: Annotated[Typed, AfterValidator(str.strip), Field(alias="points")] = ""
    exact_deal: bool = False
    not_counted: bool = False
    buys: Buys = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRowBody(RowBody):
    """A row with its seat."""

    seat: SeatId


@dataclass(frozen=True, slots=True)
class RoundBody:
    """A whole round; a seat without a row stays as it was entered."""

    rows: Annotated[tuple[SeatRowBody, ...], ListOf(MOST_SEATS)] = ()
    first_down: SeatId | None = None
    nobody_out: bool = False
    seen: Annotated[int, WholeNumber(0, LARGEST_NUMBER)] | None = None
    accepted: AcceptedMarks = ()
    reason: Decision = ""


@dataclass(frozen=True, slots=True)
class PlayerBody:
    """Somebody who joins from the open round on, or comes back.

    What a late joiner begins with is a number or a usual one, which is then the house rule for the
    next joiner. Without either the house rule says it; where that is to ask, the score is 0, or
    has to be sent if it decides who wins and the usual ones differ.
    """

    name: Name
    after: SeatId | None = None
    contract: ContractNumber | None = None
    usual_contract: Literal["first", "lowest"] | None = None
    score: Annotated[int, WholeNumber(-MOST_STARTING_SCORE, MOST_STARTING_SCORE)] | None = None
    usual_score: Literal["zero", "average", "highest"] | None = None


@dataclass(frozen=True, slots=True)
class LeaveQuery:
    """Do the cards of who leaves in the middle of the round count? Blank before the round."""

    cards: Literal["", "counted", "not_counted"] = ""


# What is answered

Moment = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


def listed(name: str, of: Any) -> type[BaseModel]:
    """What is answered: an object with one list, of that name."""
    parts: Any = {name: (list[of], ...)}
    return create_model(f"{name.title()}Answer", **parts)


class RuleSetLineAnswer(BaseModel):
    """A rule set in a list."""

    id: str
    name: str
    summary: str
    kind: Literal["own", "core", "relative", "other"] = Field(
        description="The group's own, one of the nine, a relative of them, or any other game."
    )


class WholeRuleSetAnswer(RuleSetLineAnswer):
    """A rule set with its document, in the shape of a file."""

    version: int = Field(description="0 for a shipped one.")
    document: dict[str, Any]


_STOPPED = Field(description="Where the table stopped it: whether what it came to counts.")


class GameLineAnswer(BaseModel):
    """A game in a list; of one that was kept on paper only the result is known."""

    key: str
    rule_set: str = Field(validation_alias="variant_name", description="Its name.")
    title: str
    started_at: Moment
    finished_at: Moment | None
    stopped: Stop | None = _STOPPED
    on_paper: bool = Field(validation_alias="results_only")
    left_out: bool = Field(description="It counts for no season.")
    winners: list[str]


class GameListAnswer(BaseModel):
    """Some games, newest first, and where to go on."""

    games: list[GameLineAnswer]
    older: str | None


class StandInAnswer(BaseModel):
    """Who played a seat on from a round."""

    from_round: int
    name: str


class StandingAnswer(BaseModel):
    """How a seat stands."""

    seat: int
    player: str
    place: int | None
    contract: int | None
    completed: int = Field(validation_alias="contracts_completed")
    score: int | None
    present: bool
    mark: Mark
    taken_by: str = Field(description="Who took the seat; `player` holds it now.")
    stand_ins: list[StandInAnswer]


class UncountedPointsAnswer(BaseModel):
    """Points that nobody knew any more, and that a score therefore lacks."""

    round: int
    seat: int


class CorrectionAnswer(BaseModel):
    """Points added to a player's score from a round on, beside what was entered for it."""

    round: int = Field(validation_alias="number")
    seat: int
    points: int
    reason: str


class NoteAnswer(BaseModel):
    """A line that people wrote about a round."""

    round: int = Field(validation_alias="number")
    note: str


class VoidAnswer(BaseModel):
    """A deal that counted nothing; where it was `passed_on`, the next player was to deal."""

    round: int = Field(validation_alias="number")
    dealer: int | None
    passed_on: bool
    reason: str


class StandingsAnswer(BaseModel):
    """How a game stands."""

    version: int
    next_round: int
    dealer: int | None
    over: bool
    stopped: Stop | None = _STOPPED
    winners: list[int]
    reason: str | None
    standings: list[StandingAnswer]
    voids: list[VoidAnswer]
    not_counted: list[UncountedPointsAnswer]
    corrections: list[CorrectionAnswer]
    notes: list[NoteAnswer]


class GameAnswer(StandingsAnswer):
    """A game as it stands, with the rules that it is played by."""

    key: str
    started_at: Moment
    rules: dict[str, Any]


class RowAnswer(BaseModel):
    """What a round came to for a seat."""

    seat: int
    contract: int | None
    met: bool = Field(validation_alias="laid_down")
    went_out: bool
    penalty: int | None
    points: int | None
    score: int | None = Field(validation_alias="score_after")
    completed: int = Field(validation_alias="contracts_completed")
    not_counted: bool
    buys: int
    correction: int


class MissedRoundAnswer(BaseModel):
    """A round that a seat missed between leaving and coming back."""

    seat: int
    points: int | None
    score: int | None = Field(validation_alias="score_after")


class RoundAnswer(BaseModel):
    """What a round that has ended came to."""

    number: int
    dealer: int | None
    rows: list[RowAnswer] = Field(validation_alias="entries")
    missed: list[MissedRoundAnswer]


class TroubleAnswer(BaseModel):
    """Why something was not done.

    `faults` cannot be done at all; `doubts` only look wrong, and are overruled by sending their
    `mark` among the `accepted`; `errors` are of what was sent, by its fields. `version` is
    today's, where something is not as it was taken to be.
    """

    status: int
    message: str
    faults: list[dict[str, Any]] = []
    doubts: list[dict[str, Any]] = []
    version: int = 0
    errors: dict[str, Any] = {}


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


class RulingAnswer(BaseModel):
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


class RulingsAnswer(BaseModel):
    """Some rulings, the last one first, and where to go on."""

    rulings: list[RulingAnswer]
    older: str | None
