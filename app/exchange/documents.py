"""What a document of a group holds, and how each part of it is read, written and described.

The annotation of each field is its declaration (`app.rules.field_types`). Players are named; a
seat is its number in the game, from 1.

Groups' links, devices and tokens are no part of it, nor the addresses by which results are shared:
whoever imports a document brings games, players, seasons and rules, not rights.
"""

import dataclasses
import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    PlainSerializer,
    WithJsonSchema,
)
from pydantic_core import CoreSchema
from pydantic_core import core_schema as core
from typing_extensions import TypedDict

from app.exchange.keys import ANY_KEY
from app.exchange.schema import JsonSchema, schema_of
from app.rules.field_types import As, ListOf, Misfit, Text, Unfit, WholeNumber
from app.rules.phrases import say
from app.rules.rule_types import (
    LONGEST_RULE_SET_ID,
    HouseRules,
    PlainVerdict,
    RuleSetId,
    RuleSetTable,
    RuleSetTables,
)
from app.rules.text import collapse_blanks
from app.scorebook.decisions import TableDecisions
from app.scorebook.events.event import EVENTS, Event, Nothing
from app.scorebook.events.games import NO_EVENING
from app.scorebook.game import Entry, EveningMark, RuleChange, Stop
from app.scorebook.limits import (
    LARGEST_NUMBER,
    LONGEST_GROUP_NAME,
    LONGEST_NAME,
    MOST_ABSENCES,
    MOST_LOG_ENTRIES,
    MOST_OWN_RULE_SETS,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_ROUNDS,
    MOST_RULE_CHANGES,
    MOST_RULE_SETS_OF_SEASON,
    MOST_RULINGS,
    MOST_SEASONS,
    MOST_SEATS,
    MOST_STAND_INS,
    MOST_VERSIONS,
    ContractNumber,
    Decision,
    LastRound,
    Name,
    Note,
    Place,
    Points,
    Question,
    RoundNumber,
    Score,
    SeatId,
    Title,
    VerdictText,
    Version,
)
from app.scorebook.marks import Mark
from app.scorebook.seasons import Measure, PlacePoints

FORMAT = "meldkeeper-group"
VERSION = 1
"""Goes up when this app could no longer read older documents.

An older app refuses a document that uses a newer field.
"""
MOST_GAMES = 100_000
MOST_USUAL_RULES = 2_000
"""Far more than any group has, as `MOST_GAMES`: they only keep a document's size sane."""

NO_NAME = say("This isn’t a name.")
NO_SEASON_KEY = say("This isn’t the key of a season.")
NO_RULE_SET_KEY = say("This isn’t the key of a custom rule set.")


def _read_moment(value: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
        in_utc = moment.astimezone(UTC)
        if moment.tzinfo is not None and 1900 <= in_utc.year <= 2200:
            return in_utc
    except (TypeError, ValueError, OverflowError):
        pass
    raise Misfit(say("This must be a date and time such as 2026-11-20T19:30:00Z."))


Moment = Annotated[
    datetime,
    BeforeValidator(_read_moment),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A date and time with its offset, between 1900 and 2200; kept in UTC."""


Count = Annotated[int, WholeNumber(0, LARGEST_NUMBER)]


def _check_player_name(name: str) -> str:
    if not name.isprintable() or name != collapse_blanks(name):
        raise Misfit(NO_NAME)
    return name


PlayerName = Annotated[str, Text(LONGEST_NAME, 1, unfit=NO_NAME)]


@dataclass(frozen=True, slots=True)
class PlayerDocument:
    """A player, with a name that is unique in the group whatever the case of its letters.

    `archived_at`: since when the player is not offered for new games. `merged_into` names the
    other player who is the same person and has taken over this one's games. `mark` tells players
    apart.
    """

    name: Annotated[PlayerName, AfterValidator(_check_player_name)]
    since: Moment
    archived_at: Moment | None = None
    merged_into: Name | None = None
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class MissedDocument:
    """The first and the last round that a player missed between leaving and coming back."""

    first: RoundNumber
    last: RoundNumber


@dataclass(frozen=True, slots=True)
class StandInDocument:
    """Who plays a seat on from a round; `played_as` as for seats."""

    from_round: RoundNumber
    player: PlayerName
    played_as: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDocument:
    """A player's place in a game; exactly one deals first.

    `played_as` is the name of who sat here before they were merged into `player`. The last of the
    `stand_ins` whose round has come plays in place of the player.
    """

    player: PlayerName
    deals_first: bool = False
    joined_in: RoundNumber = 1
    starting_score: Score = 0
    played_as: Name | None = None
    left_after: LastRound | None = None
    starting_contract: ContractNumber = 1
    missed: Annotated[tuple[MissedDocument, ...], ListOf(MOST_ABSENCES)] = ()
    stand_ins: Annotated[tuple[StandInDocument, ...], ListOf(MOST_STAND_INS)] = ()


def _with_typed(plain: Any) -> Any:
    """An entry that says what was typed: the penalty itself, unless something else is said."""
    penalty = plain.get("penalty") if isinstance(plain, dict) else None
    if not isinstance(penalty, int | float) or isinstance(penalty, bool):
        return plain
    if plain.get("typed") is not None or abs(penalty) > MOST_POINTS:
        return plain  # what is too large is refused, and may have no text
    return {**plain, "typed": f"{penalty:.0f}"}


def _plain_entry(entry: Entry) -> dict[str, Any]:
    """An entry without what has its default."""
    typed = "" if entry.penalty is None else str(entry.penalty)
    defaults = {one.name: one.default for one in dataclasses.fields(Entry)} | {"typed": typed}
    return {
        name: value
        for name, default in defaults.items()
        if (value := getattr(entry, name)) != default
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDocument:
    """A round, open while it has no `closed_at`, as all after an open one are.

    `first_down`: who laid the last contract first, where several did. What is entered for a seat
    that does not play in the round counts for nothing; what was typed is left out where it is the
    penalty itself.
    """

    number: RoundNumber
    closed_at: Moment | None = None
    first_down: SeatId | None = None
    nobody_out: bool = False
    rows: Annotated[
        tuple[Annotated[Entry, BeforeValidator(_with_typed), PlainSerializer(_plain_entry)], ...],
        ListOf(MOST_SEATS),
    ]


def _with_rows(plain: Any) -> Any:
    """A round, whose list of entries may be left out."""
    return {"rows": [], **plain} if isinstance(plain, dict) else plain


@dataclass(frozen=True, slots=True)
class RulingDocument:
    """A ruling that was recorded; `said` is missing where only the English verdict is known.

    `removed_at`: since when it is in no list.
    """

    round_number: Annotated[RoundNumber, Field(alias="round")]
    at: Moment
    question: Question
    verdict: VerdictText
    said: PlainVerdict | None = None
    asked_by: SeatId | None = None
    decided: Decision = ""
    reason: Decision = ""
    removed_at: Moment | None = None


@dataclass(frozen=True, slots=True)
class PastResultDocument:
    """What a seat came to in a game with results only, which has no rounds."""

    seat: SeatId
    place: Place
    score: Points | None = None


@dataclass(frozen=True, slots=True)
class EventDocument:
    """An event of the game's log.

    `by` names who did it, where a name is known: a player, else the device or token. `seat` is
    left out where the event is of no seat, or of one that was taken by mistake and is no longer
    there. What `before` and `after` hold depends on the kind.
    """

    version: Version
    at: Moment
    kind: str
    by: Name = ""
    round_number: Annotated[
        Annotated[int, WholeNumber(0, MOST_ROUNDS + 1)] | None, Field(alias="round")
    ] = None
    seat: SeatId | None = None
    before: Annotated[Mapping[str, Any], As(dict[str, Any])] = field(default_factory=dict)
    after: Annotated[Mapping[str, Any], As(dict[str, Any])] = field(default_factory=dict)
    reason: Decision = ""


def _document_of(event: type[Event]) -> Any:
    """The type of the document of such events."""
    parts: list[Any] = [("kind", Literal[event.kind])]
    for name, payload in zip(("before", "after"), event.payload(), strict=True):
        needed = getattr(payload, "__required_keys__", ())
        parts.append((name, payload) if needed else (name, payload, field(default_factory=dict)))
    if event.is_of_round():
        number = Annotated[int, WholeNumber(1, MOST_ROUNDS + 1), Field(alias="round")]
        parts.append(("round_number", number))
    made = dataclasses.make_dataclass(
        event.__name__, parts, bases=(EventDocument,), frozen=True, slots=True, kw_only=True
    )
    made.__doc__ = event.__doc__
    return made


_ALIKE = frozenset(
    kind for kind, one in EVENTS.items() if one.payload()[0] is one.payload()[1] is not Nothing
)
"""Kinds of events that say the same things of before and of after."""


def _check_event(event: EventDocument) -> EventDocument:
    if event.kind in _ALIKE and event.before.keys() != event.after.keys():
        message = say("This doesn’t fit an event of the kind {kind}.", kind=event.kind)
        raise Misfit(message, "before")
    return event


class _ByKind:
    """An event, read by its kind and written like any other."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        kinds = functools.reduce(operator.or_, map(_document_of, EVENTS.values()))
        read = handler.generate_schema(Annotated[kinds, Discriminator("kind")])
        written = core.plain_serializer_function_ser_schema(
            lambda event: event, return_schema=handler.generate_schema(source)
        )
        return core.no_info_after_validator_function(_check_event, read, serialization=written)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDocument:
    """A game whole, its seats in seating order, clockwise.

    `key`: by it the game is known, importing it twice adds nothing. `rules`: the name of its rules
    in `rule_sets`. `finished_at`: there exactly if the game is over, as its rounds, `stopped` or
    `paper` say. `stopped`: the table ended it, not a round, and what it came to counts or does
    not. `evening`: people said that it begins an evening, or belongs to the one before. `left_out`:
    it counts for no season. `deleted_at`: since when it is deleted.
    """

    key: Annotated[str, Text(40, form=ANY_KEY.pattern, unfit=say("This isn’t the key of a game."))]
    rules: Annotated[str, Text(40)]
    version: Annotated[int, WholeNumber(0, MOST_VERSIONS)]
    started_at: Moment
    finished_at: Moment | None = None
    reopened: bool = False
    stopped: Annotated[Stop, Unfit(say("This isn’t a way to stop a game."))] | None = None
    title: Title = ""
    note: Note = ""
    evening: Annotated[EveningMark, Unfit(NO_EVENING)] | None = None
    left_out: bool = False
    archived_at: Moment | None = None
    deleted_at: Moment | None = None
    seats: Annotated[tuple[SeatDocument, ...], ListOf(MOST_SEATS, 2)]
    rounds: Annotated[
        tuple[Annotated[RoundDocument, BeforeValidator(_with_rows)], ...], ListOf(MOST_ROUNDS)
    ] = ()
    rulings: Annotated[tuple[RulingDocument, ...], ListOf(MOST_RULINGS)] = ()
    rule_changes: Annotated[tuple[RuleChange, ...], ListOf(MOST_RULE_CHANGES)] = ()
    course: TableDecisions = field(default_factory=TableDecisions)
    log: Annotated[tuple[Annotated[EventDocument, _ByKind()], ...], ListOf(MOST_LOG_ENTRIES)] = ()
    past_result: Annotated[
        tuple[PastResultDocument, ...], ListOf(MOST_SEATS), Field(alias="paper")
    ] = ()

    @property
    def players(self) -> Iterable[str]:
        """The names of all who have or had a seat, each once."""
        sat = [seat.player for seat in self.seats]
        return dict.fromkeys([*sat, *(one.player for seat in self.seats for one in seat.stand_ins)])


@dataclass(frozen=True, slots=True)
class OwnRuleSetDocument:
    """A rule set of the group's own, whether or not a game was played by it.

    `rules`: in the shape of the files in app/rules/variants, their id the key. `removed_at`: since
    when it is not offered for new games.
    """

    key: Annotated[str, Text(LONGEST_RULE_SET_ID, form="own-[0-9a-z]{1,16}", unfit=NO_RULE_SET_KEY)]
    rules: RuleSetTable
    version: Version
    created_at: Moment
    changed_at: Moment
    removed_at: Moment | None = None


@dataclass(frozen=True, slots=True)
class UsualRulesDocument:
    """The house rules with which the group's games of one rule set begin: field and value.

    `rule_set`: the id of one of the app's, or the key of one of the group's own.
    """

    rule_set: RuleSetId
    rules: HouseRules
    changed_at: Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedSumsDocument:
    """What a player's games of one evening of a season had come to when it was decided."""

    player: PlayerName
    evening: Annotated[int, WholeNumber(0, MOST_GAMES)]
    games: Count = 0
    wins: Count = 0
    points: Count = 0
    placed: Count = 0
    place_sum: Count = 0
    rounds: Count = 0
    times_met: Count = 0
    scored_rounds: Count = 0
    penalty: Annotated[int, WholeNumber(-LARGEST_NUMBER, LARGEST_NUMBER)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonDocument:
    """A season; the `key` of a year is the year.

    It ends before its `until`, or with so many `evenings`. `variants`: ids of the rule sets that
    count, or all. `decided` is there once it was decided, `changed_games` names games that changed
    since.
    """

    key: Annotated[str, Text(16, form="[0-9a-z]{1,16}", unfit=NO_SEASON_KEY)]
    name: Annotated[str, Text(40, 1, unfit=NO_NAME)]
    since: Moment
    until: Moment | None = None
    evenings: Annotated[int, WholeNumber(1, 200)] | None = None
    variants: Annotated[tuple[RuleSetId, ...], ListOf(MOST_RULE_SETS_OF_SEASON)] = ()
    measure: Annotated[Measure, Unfit(say("This isn’t a measure of a season."))] = "wins"
    place_points: PlacePoints = ()
    best_of: Annotated[int, WholeNumber(1, 200)] | None = None
    least_games: Annotated[int, WholeNumber(1, 1000)] = 1
    decided: Annotated[tuple[DecidedSumsDocument, ...], ListOf(MOST_GAMES)] | None = None
    changed_games: Annotated[tuple[Annotated[str, Text(40)], ...], ListOf(MOST_GAMES)] = ()


class Heading(TypedDict):
    """What a group is called."""

    name: Annotated[str, Text(LONGEST_GROUP_NAME)]


_GroupName = Annotated[
    str, Field(alias="group"), As(Heading), AfterValidator(operator.itemgetter("name"))
]


@dataclass(frozen=True, slots=True)
class GroupDocument:
    """A group's players, games, seasons and rules; the games may be read one after the other."""

    name: _GroupName
    players: Annotated[Sequence[PlayerDocument], ListOf(MOST_PLAYERS)] = ()
    rule_sets: RuleSetTables = field(default_factory=dict)
    games: Annotated[Iterable[GameDocument], ListOf(MOST_GAMES)] = ()
    own_rule_sets: Annotated[Sequence[OwnRuleSetDocument], ListOf(MOST_OWN_RULE_SETS)] = ()
    usual_rules: Annotated[Sequence[UsualRulesDocument], ListOf(MOST_USUAL_RULES)] = ()
    seasons: Annotated[Sequence[SeasonDocument], ListOf(MOST_SEASONS)] = ()
    milestones: bool = True
    """Are they told?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFile(GroupDocument):
    """A group's players, games, seasons and rules; not devices, links, tokens or shared results.

    `rule_sets` has the rules of the games, each under a name that games refer to, in the shape of
    the files in app/rules/variants. Fields that have their default (false, empty, …) may be left
    out. The version goes up when a newer app could no longer read older documents; an older app
    refuses a document that uses a newer field.
    """

    format: Annotated[str, Text(40, form=FORMAT)]
    version: Annotated[int, WholeNumber(VERSION, VERSION)]


def json_schema() -> dict[str, Any]:
    """The description of a document for other programs, by draft 2020-12."""
    described = schema_of(GroupFile).adapter.json_schema(schema_generator=JsonSchema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **described,
        "title": f"A group of Meldkeeper, version {VERSION}",
    }
