"""What a document of a group holds, and how each part of it is read, written and described.

The annotation of each field is its declaration in the schema (`fields.schema_class_of`). Players
are named; a seat is its number in the game, from 1.

Groups' links, devices and tokens are no part of it, nor the addresses by which results are shared:
whoever brings a document in brings games, players and rules, not rights.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, get_args

from app.exchange import limits
from app.exchange.course_fields import CourseSchema
from app.exchange.events import (
    Buys,
    Decision,
    EventDocument,
    EventSchema,
    Name,
    Points,
    RoundNumber,
    Score,
    SeatNumber,
    counted_cards_field,
)
from app.exchange.fields import (
    NOT_NULL,
    AnyJson,
    JsonObject,
    NestedObject,
    StrictSchema,
    Text,
    WholeNumber,
    document_list,
    object_schema,
)
from app.exchange.rule_fields import (
    RecordedVerdictField,
    RuleSetField,
    RuleSetId,
    house_rules_schema,
)
from app.rules.phrases import say
from app.rules.rule_sets import FIELDS, MOST_CONTRACTS
from app.scorebook.game import Stop
from app.scorebook.limits import MOST_ABSENCES, MOST_RULE_CHANGES, MOST_STAND_INS

FORMAT = "meldkeeper-group"
VERSION = 1
"""Goes up when a document could no longer be read by what read the one before."""

NO_NAME = say("This isn’t a name.")
NO_STOP = say("This isn’t a way to stop a game.")
NO_GAME_KEY = say("This isn’t the key of a game.")
NO_RULE_SET_KEY = say("This isn’t the key of a custom rule set.")


class PlayerName(Text):
    """A player's name as the app itself would have kept it."""

    def __init__(self, **more: Any) -> None:
        super().__init__(limits.LONGEST_NAME, 1, told=NO_NAME, **more)

    def _deserialize(self, value: Any, *names: Any, **options: Any) -> str:
        name = super()._deserialize(value, *names, **options)
        if not name.isprintable() or name != " ".join(name.split()):
            raise self.make_error("form")
        return name


@dataclass(frozen=True, slots=True)
class PlayerDocument:
    """A player, with a name that is unique in the group whatever the case of its letters.

    `archived_at`: since when the player is not offered for new games. `merged_into` names the entry
    of the same person that has taken over this one's games.
    """

    name: Annotated[str, PlayerName()]
    since: datetime
    archived_at: datetime | None = None
    merged_into: Name | None = None


@dataclass(frozen=True, slots=True)
class MissedDocument:
    """The first and the last round that a player missed between leaving and coming back."""

    first: RoundNumber
    last: RoundNumber


@dataclass(frozen=True, slots=True)
class StandInDocument:
    """Who plays a seat on from a round; `played_as` as for seats."""

    from_round: RoundNumber
    player: Annotated[str, Text(limits.LONGEST_NAME, 1, told=NO_NAME)]
    played_as: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDocument:
    """A player's place in a game; exactly one deals first.

    `played_as` is the name of the entry that sat here before it was merged. The last of the
    `stand_ins` whose round has come plays in place of the player.
    """

    player: Annotated[str, Text(limits.LONGEST_NAME, 1, told=NO_NAME)]
    deals_first: bool = False
    joined_in: RoundNumber = 1
    starting_score: Score = 0
    played_as: Name | None = None
    left_after: Annotated[int | None, WholeNumber(0, limits.MOST_ROUNDS)] = None
    starting_contract: Annotated[int, WholeNumber(1, MOST_CONTRACTS)] = 1
    missed: Annotated[tuple[MissedDocument, ...], MOST_ABSENCES] = ()
    stand_ins: Annotated[tuple[StandInDocument, ...], MOST_STAND_INS] = ()


def default_typed_text(penalty: int | None) -> str:
    """What was typed where a document does not say it: the points themselves."""
    return "" if penalty is None else str(penalty)


@dataclass(frozen=True, slots=True)
class EntryDocument:
    """What was entered for a seat; of one who does not play in the round it counts for nothing.

    `penalty`: missing where it is blank, which is not 0. `typed`: where it is not the penalty
    itself. `counted`: left-over cards of each class of cards that cost the same, cheapest first.
    `not_counted`: nobody knew the penalty any more, which is missing and adds nothing.
    `buys`: discards bought out of turn, where the rules limit or price them.
    """

    seat: SeatNumber
    met: bool = False
    went_out: bool = False
    penalty: Score | None = None
    typed: Annotated[str | None, Text(limits.LONGEST_TYPED)] = None
    counted: Annotated[tuple[int, ...], counted_cards_field()] = ()
    exact_deal: bool = False
    not_counted: bool = False
    buys: Buys = 0

    @property
    def typed_text(self) -> str:
        """What was typed: the penalty itself, unless something else is said."""
        return default_typed_text(self.penalty) if self.typed is None else self.typed


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDocument:
    """A round, open while it has no `closed_at`, as all after an open one are.

    `first_down`: who laid the last contract first, where several did.
    """

    number: RoundNumber
    closed_at: datetime | None = None
    first_down: SeatNumber | None = None
    nobody_out: bool = False
    rows: Annotated[
        tuple[EntryDocument, ...], document_list(EntryDocument, limits.MOST_SEATS, load_default=())
    ]


@dataclass(frozen=True, slots=True)
class RulingDocument:
    """A dispute that was recorded; `said` is missing where only the English verdict is known."""

    round_number: Annotated[int, WholeNumber(1, limits.MOST_ROUNDS, data_key="round")]
    at: datetime
    question: Annotated[str, Text(limits.LONGEST_QUESTION)]
    verdict: Annotated[str, Text(limits.LONGEST_VERDICT)]
    said: Annotated[Mapping[str, Any] | None, RecordedVerdictField()] = None
    asked_by: SeatNumber | None = None
    decided: Decision = ""
    reason: Decision = ""


@dataclass(frozen=True, slots=True)
class RuleChangeDocument:
    """A house rule switched on during the game."""

    from_round: RoundNumber
    field: Annotated[str, Text(40)]
    value: Annotated[Any, AnyJson(bounds=NOT_NULL)]


@dataclass(frozen=True, slots=True)
class PastResultDocument:
    """What a seat came to in a game that was kept on paper, which has no rounds."""

    seat: SeatNumber
    place: Annotated[int, WholeNumber(1, limits.MOST_SEATS)]
    score: Points | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDocument:
    """A game whole, its seats in dealing order.

    `key`: by it the game is known, importing it twice adds nothing. `rules`: its name in
    `rule_sets`. `finished_at`: there exactly if the game is over, as the rounds or `stopped` say.
    `stopped`: the table stopped before the end, and what it came to counts or does not.
    `deleted_at`: since when it lies in the bin.
    """

    key: Annotated[str, Text(40, form="[0-9A-Za-z-]{1,40}", told=NO_GAME_KEY)]
    rules: Annotated[str, Text(40)]
    version: Annotated[int, WholeNumber(0, limits.MOST_VERSIONS)]
    started_at: datetime
    finished_at: datetime | None = None
    reopened: bool = False
    stopped: Annotated[Stop | None, Text(10, form="|".join(get_args(Stop)), told=NO_STOP)] = None
    title: Annotated[str, Text(limits.LONGEST_TITLE)] = ""
    note: Annotated[str, Text(limits.LONGEST_NOTE)] = ""
    archived_at: datetime | None = None
    deleted_at: datetime | None = None
    seats: Annotated[tuple[SeatDocument, ...], document_list(SeatDocument, limits.MOST_SEATS, 2)]
    rounds: Annotated[tuple[RoundDocument, ...], limits.MOST_ROUNDS] = ()
    rulings: Annotated[tuple[RulingDocument, ...], limits.MOST_RULINGS] = ()
    rule_changes: Annotated[tuple[RuleChangeDocument, ...], MOST_RULE_CHANGES] = ()
    course: Annotated[Mapping[str, Any], NestedObject(CourseSchema)] = field(default_factory=dict)
    log: Annotated[
        tuple[EventDocument, ...],
        document_list(EventDocument, limits.MOST_LOG_ENTRIES, base=EventSchema),
    ] = ()
    paper: Annotated[tuple[PastResultDocument, ...], limits.MOST_SEATS] = ()

    @property
    def players(self) -> Iterable[str]:
        """The names of all who played, each once."""
        sat = [seat.player for seat in self.seats]
        return dict.fromkeys([*sat, *(one.player for seat in self.seats for one in seat.stand_ins)])


@dataclass(frozen=True, slots=True)
class OwnRuleSetDocument:
    """A rule set of the group's own, whether or not a game was played by it.

    `rules`: in the shape of the files in app/rules/variants, their id the key. `removed_at`: since
    when it is not offered for new games.
    """

    key: Annotated[
        str, Text(limits.LONGEST_RULE_SET_ID, form="own-[0-9a-z]{1,16}", told=NO_RULE_SET_KEY)
    ]
    rules: Annotated[Mapping[str, Any], RuleSetField()]
    version: Annotated[int, WholeNumber(1, limits.MOST_VERSIONS)]
    created_at: datetime
    changed_at: datetime
    removed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class UsualRulesDocument:
    """The house rules with which the group's games of one rule set begin: field and value.

    `rule_set`: the id of one of the app's, or the key of one of the group's own.
    """

    rule_set: Annotated[str, RuleSetId()]
    rules: Annotated[Mapping[str, Any], NestedObject(house_rules_schema("HouseRules", FIELDS))]
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class GroupDocument:
    """Everything of a group; the games may be read one after the other."""

    name: str
    players: Sequence[PlayerDocument]
    rule_sets: Mapping[str, Mapping[str, Any]]
    games: Iterable[GameDocument]
    own_rule_sets: Sequence[OwnRuleSetDocument] = ()
    usual_rules: Sequence[UsualRulesDocument] = ()


class GroupSchema(StrictSchema):
    """Everything of a group but its devices, links, tokens and rights, and shared results.

    `rule_sets` has the rules of the games, each under a name that games refer to, in the shape of
    the files in app/rules/variants. Fields that are usual (false, empty, the default) may be left
    out. The version goes up when an older reader could no longer read a document.
    """

    format = Text(40, form=FORMAT, required=True)
    version = WholeNumber(VERSION, VERSION, required=True)
    group = NestedObject(
        object_schema("Heading", {"name": Text(limits.LONGEST_GROUP_NAME, required=True)}),
        required=True,
    )
    players = document_list(PlayerDocument, limits.MOST_PLAYERS, load_default=())
    rule_sets = JsonObject(limits.MOST_RULE_SETS, values=RuleSetField(), load_default=dict)
    own_rule_sets = document_list(OwnRuleSetDocument, limits.MOST_OWN_RULE_SETS, load_default=())
    usual_rules = document_list(UsualRulesDocument, limits.MOST_USUAL_RULES, load_default=())
    games = document_list(GameDocument, limits.MOST_GAMES, load_default=())
