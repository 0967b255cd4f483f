"""What of players, records, evenings and seasons goes over the interface, in and out."""

from dataclasses import dataclass, field
from datetime import date
from re import fullmatch
from typing import Annotated, Any, Literal

from pydantic import AliasPath, BaseModel, BeforeValidator, Field, PlainValidator, WithJsonSchema

from app.rules.field_types import ListOf, Misfit, Text, WholeNumber
from app.rules.phrases import say
from app.rules.rule_types import LONGEST_RULE_SET_ID
from app.scorebook.game import NO_DAY
from app.scorebook.limits import MOST_RULE_SETS_OF_SEASON, YEARS
from app.scorebook.seasons import EveningSums, SeasonRules
from app.scorebook.statistics import ContractStats
from app.store.queries.group_records import RecordUnit
from app.store.queries.milestones import MilestoneKind
from app.web.api.schemas import GameLineAnswer, Moment, listed
from app.web.evenings import MomentKind
from app.web.game_parts.selection import MOST_TOGETHER


def _read_day(value: Any) -> date:
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError):
        raise Misfit(NO_DAY) from None
    if day.year not in YEARS:
        raise Misfit(say("Enter a year from 1900 to 2200."))
    return day


Day = Annotated[
    date, PlainValidator(_read_day), WithJsonSchema({"type": "string", "format": "date"})
]

_MOST_OF_AN_EVENING = 1000
_IDS = rf"[0-9]{{1,9}}(,[0-9]{{1,9}}){{0,{MOST_TOGETHER - 1}}}"


def _read_ids(value: Any) -> tuple[int, ...]:
    if not isinstance(value, str) or not fullmatch(_IDS, value):
        raise Misfit(say("Enter the ids of players, such as 3,7."))
    return tuple(map(int, value.split(",")))


PlayerIds = Annotated[
    tuple[int, ...],
    PlainValidator(_read_ids),
    WithJsonSchema({"type": "string", "pattern": f"^{_IDS}$"}),
]


# What is sent


@dataclass(frozen=True, slots=True)
class ChosenGamesQuery:
    """Which finished games count: of a season, on some days, by a rule set, with players."""

    season: Annotated[str, Text(16)] = ""
    since: Day | None = None
    last_day: Day | None = None
    rule_set: Annotated[str, Text(LONGEST_RULE_SET_ID)] = ""
    with_players: PlayerIds | None = None


@dataclass(frozen=True, slots=True)
class SeasonBody:
    """A season: from `since` (today) to its `last_day`, or for a number of `evenings`.

    All games count, or those by the `rule_sets` named. A year keeps its name and days.
    """

    name: Annotated[str, Text(40)] = ""
    since: Day | None = None
    last_day: Day | None = None
    evenings: Annotated[int, WholeNumber(1, 200)] | None = None
    rule_sets: Annotated[
        tuple[Annotated[str, Text(LONGEST_RULE_SET_ID)], ...], ListOf(MOST_RULE_SETS_OF_SEASON)
    ] = ()
    rules: SeasonRules = field(default_factory=SeasonRules)


GameKeys = Annotated[tuple[Annotated[str, Text(16)], ...], ListOf(_MOST_OF_AN_EVENING)]


# What is answered

Words = Annotated[str, BeforeValidator(str)]
"""A sentence or a title in English."""


class PlayerSumsAnswer(BaseModel):
    """What a player's finished games came to."""

    games: int
    wins: int
    placed: int = Field(description="Those played to their end, that have a place.")
    place_sum: int
    average_place: float | None
    rounds: int
    contract_rounds: int = Field(description="Those by rules with contracts.")
    times_met: int
    times_went_out: int
    penalty: int
    penalty_rounds: int
    bonus: int
    bonus_count: int


class PlayerAnswer(BaseModel):
    """A player with what their games came to."""

    id: int
    name: str
    sums: PlayerSumsAnswer


class StreaksAnswer(BaseModel):
    """Wins in a row: now, since when, and the most there were."""

    wins_now: int
    most_wins: int
    since: Moment | None


class MonthAnswer(BaseModel):
    """What a player's games of a month by a rule set came to."""

    year: int
    month: int
    rule_set: str
    sums: PlayerSumsAnswer


class PlacedGameAnswer(BaseModel):
    """How a player did in one of the last games."""

    finished_at: Moment
    place: int | None
    players: int = Field(validation_alias="placed_count")
    won: bool


class RivalAnswer(BaseModel):
    """How a player came out against another: in how many shared games ahead, behind, level."""

    id: int
    name: str
    shared: int
    ahead: int
    behind: int
    level: int


class TitleAnswer(BaseModel):
    """A season that a player won."""

    key: str
    name: str


class MilestoneAnswer(BaseModel):
    """What a player reached in a game; `player` is blank where a game tells it of everyone."""

    kind: MilestoneKind
    player: str
    count: int = Field(
        description="Of games, of wins in a row, of games with the rival; of a contract its number."
    )
    rival: str
    game: str = Field(validation_alias="game_key")
    at: Moment


class PlayerFactsAnswer(BaseModel):
    """A player, and what the games chosen came to; milestones and titles are of all games."""

    id: int
    name: str
    merged_into: int | None
    streaks: StreaksAnswer
    months: list[MonthAnswer]
    recent_games: list[PlacedGameAnswer]
    rivals: list[RivalAnswer]
    milestones: list[MilestoneAnswer]
    titles: list[TitleAnswer]


class RivalMonthAnswer(BaseModel):
    """In how many games of a month a player finished ahead of another, and behind."""

    year: int
    month: int
    ahead: int
    behind: int


class ContractAttemptsAnswer(BaseModel):
    """What a player's attempts at a contract of a rule set came to."""

    player: int
    rule_set: str = Field(validation_alias="variant")
    stats: ContractStats


class RecordAnswer(BaseModel):
    """A record of the group: which, the game that holds it, and with what."""

    field: str = Field(validation_alias=AliasPath("sought", "field"))
    most: bool = Field(validation_alias=AliasPath("sought", "is_maximum"))
    title: Words
    value: int = Field(validation_alias=AliasPath("record", "value"))
    unit: RecordUnit = Field(validation_alias=AliasPath("sought", "unit"))
    rule_set: str = Field(description="Its name.")
    game: str = Field(validation_alias=AliasPath("record", "game_key"))
    ended: Moment = Field(validation_alias=AliasPath("record", "finished_at"))
    winners: list[str] = Field(validation_alias=AliasPath("record", "winners"))


class TableLineAnswer(BaseModel):
    """A player's line in a table; no place for who is not ranked."""

    place: int | None = Field(validation_alias=AliasPath("row", "place"))
    id: int = Field(validation_alias=AliasPath("row", "player"))
    player: str = Field(validation_alias="name")
    value: float | None = Field(validation_alias=AliasPath("row", "value"))
    games: int = Field(validation_alias=AliasPath("row", "sums", "games"))
    wins: int = Field(validation_alias=AliasPath("row", "sums", "wins"))
    average_place: float | None = Field(validation_alias=AliasPath("row", "sums", "average_place"))


class EveningAnswer(BaseModel):
    """The games of one sitting."""

    key: str
    began: Moment
    ended: Moment
    results: int = Field(description="How many of the games chosen have a result.")
    left_out: int = Field(
        validation_alias="results_left_out", description="How many of these count for no season."
    )


class EveningMomentAnswer(BaseModel):
    """Something worth telling of an evening, and the game in which it was."""

    kind: MomentKind
    title: Words
    value: int
    unit: RecordUnit | Literal["wins"]
    text: Words
    game: str = Field(validation_alias="game_key")


class WholeEveningAnswer(BaseModel):
    """An evening: who played its finished games, the best first (by wins), all games, moments.

    Nobody has won it as long as a game goes on.
    """

    evening: EveningAnswer
    winners: list[str]
    table: list[TableLineAnswer]
    games: list[GameLineAnswer]
    moments: list[EveningMomentAnswer]


class SeasonAnswer(BaseModel):
    """A season; `until` is the moment before which it ends, where that is known."""

    key: str
    name: str
    since: Moment
    until: Moment | None
    evenings: int | None
    rule_sets: list[str] = Field(validation_alias="variants")
    rules: SeasonRules
    is_decided: bool
    changed_games: list[str]


class SeasonsAnswer(BaseModel):
    """Seasons, the latest first, and by their keys who leads or won."""

    seasons: list[SeasonAnswer]
    leaders: dict[str, list[str]]


class SeasonTableAnswer(BaseModel):
    """A season and its table, best first, and the evenings that it comes from."""

    season: SeasonAnswer
    table: list[TableLineAnswer] = Field(validation_alias="lines")
    evenings: list[EveningSums] = Field(validation_alias="sums")


PlayersAnswer = listed("players", PlayerAnswer)
RivalryAnswer = listed("months", RivalMonthAnswer)
ContractsAnswer = listed("contracts", ContractAttemptsAnswer)
RecordsAnswer = listed("records", RecordAnswer)
MilestonesAnswer = listed("milestones", MilestoneAnswer)
EveningsAnswer = listed("evenings", EveningAnswer)
