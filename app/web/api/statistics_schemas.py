"""What of players, evenings and seasons goes over the interface, in and out."""

from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any

from pydantic import Field, PlainValidator, WithJsonSchema

from app.rules.field_types import ListOf, Misfit, Text, WholeNumber
from app.rules.phrases import say
from app.rules.rule_types import LONGEST_RULE_SET_ID
from app.scorebook.game import EveningMark
from app.scorebook.limits import MOST_RULE_SETS_OF_SEASON
from app.scorebook.seasons import SeasonRules
from app.web.api.schemas import ApiAnswer, Moment


def _read_day(value: Any) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise Misfit(say("This must be a day such as 2026-11-20.")) from None


Day = Annotated[
    date, PlainValidator(_read_day), WithJsonSchema({"type": "string", "format": "date"})
]


# What is sent


@dataclass(frozen=True, slots=True)
class ChosenGamesQuery:
    """Which games count: those of a season, by a rule set."""

    season: Annotated[str, Text(16)] = ""
    rule_set: Annotated[str, Text(LONGEST_RULE_SET_ID)] = ""


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


@dataclass(frozen=True, slots=True)
class SettleBody:
    """Does the table of a decided season follow the games that changed since?"""

    decide_anew: bool


@dataclass(frozen=True, slots=True)
class EveningMarkBody:
    """Does a game begin an evening, or join the one before?"""

    mark: EveningMark


# What is answered


class PlayerSumsAnswer(ApiAnswer):
    """What a player's finished games came to."""

    games: int
    wins: int
    average_place: float | None
    rounds: int
    contract_rounds: int = Field(description="Those by rules with contracts.")
    times_met: int
    times_went_out: int


class PlayerAnswer(ApiAnswer):
    """A player with what their games came to."""

    id: int
    name: str
    sums: PlayerSumsAnswer


class PlayersAnswer(ApiAnswer):
    """The players, who has played most first."""

    players: list[PlayerAnswer]


class EveningAnswer(ApiAnswer):
    """The games of one sitting."""

    key: str
    began: Moment
    ended: Moment
    results: int = Field(description="How many games have a result.")


class EveningsAnswer(ApiAnswer):
    """Evenings, the latest first."""

    evenings: list[EveningAnswer]


class SeasonAnswer(ApiAnswer):
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


class SeasonsAnswer(ApiAnswer):
    """Seasons, the latest first."""

    seasons: list[SeasonAnswer]


class SeasonLineAnswer(ApiAnswer):
    """A player's line; no place for who played too few games."""

    place: int | None
    player: str
    value: float | None
    games: int
    wins: int


class SeasonTableAnswer(ApiAnswer):
    """A season and its table, best first."""

    season: SeasonAnswer
    table: list[SeasonLineAnswer]
