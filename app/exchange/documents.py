"""What a document of a group holds, and how each part of it is read, written and described.

The annotation of each field is its declaration in the schema (`fields.schema_of`). Players are
named; a seat is its number in the game, from 1.

Groups' links, devices and tokens are no part of it, nor the addresses by which results are shared:
whoever brings a document in brings games, players and rules, not rights.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from app.exchange import limits
from app.exchange.events import EventDocument, EventSchema, RoundNumber, SeatNumber, counted_cards
from app.exchange.fields import (
    AnyJson,
    Flag,
    JsonObject,
    Moment,
    Part,
    StrictSchema,
    Text,
    Whole,
    object_schema,
    parts,
)
from app.exchange.rule_fields import (
    RuleSetField,
    RuleSetId,
    StatementField,
    house_rules_schema,
)
from app.rules.loading import FIELDS
from app.rules.wording import say
from app.scorebook.sums import MOST_POINTS

FORMAT = "meldkeeper-group"
VERSION = 1
"""Goes up when a document could no longer be read by what read the one before."""

NO_NAME = say("This isn’t a name.")


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
    """A player; `merged_into` names the entry that has taken over this one's games."""

    name: Annotated[str, PlayerName(about="Unique in the group, whatever the case of its letters.")]
    since: Annotated[datetime, Moment()]
    archived_at: Annotated[
        datetime | None, Moment(about="Since when the player is not offered for new games.")
    ] = None
    merged_into: Annotated[
        str | None,
        Text(limits.LONGEST_NAME, about="The entry of the same person that has this one's games."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDocument:
    """A player's place in a game; `played_as` is the entry's name before it was merged."""

    player: Annotated[str, Text(limits.LONGEST_NAME, 1, told=NO_NAME)]
    deals_first: Annotated[bool, Flag(about="True for exactly one seat.")] = False
    joined_in: RoundNumber = 1
    starting_score: Annotated[int, Whole(-MOST_POINTS, MOST_POINTS)] = 0
    played_as: Annotated[
        str | None,
        Text(limits.LONGEST_NAME, about="The entry that sat here before it was merged."),
    ] = None
    left_after: Annotated[int | None, Whole(0, limits.MOST_ROUNDS)] = None


def typed_by_default(penalty: int | None) -> str:
    """What was typed where a document does not say it: the points themselves."""
    return "" if penalty is None else str(penalty)


@dataclass(frozen=True, slots=True)
class RowDocument:
    """What was entered for a seat; see `app.store.games.KeptRow`."""

    seat: SeatNumber
    met: Annotated[bool, Flag()] = False
    went_out: Annotated[bool, Flag()] = False
    penalty: Annotated[
        int | None,
        Whole(-MOST_POINTS, MOST_POINTS, about="Missing: blank, which is not 0."),
    ] = None
    typed: Annotated[
        str | None,
        Text(limits.LONGEST_TYPED, about="What was typed, where it is not the penalty itself."),
    ] = None
    counted: Annotated[tuple[int, ...], counted_cards()] = ()
    exact_deal: Annotated[bool, Flag()] = False
    not_counted: Annotated[
        bool, Flag(about="Nobody knew the penalty any more: it is missing, and adds nothing.")
    ] = False

    @property
    def text(self) -> str:
        """What was typed: the penalty itself, unless something else is said."""
        return typed_by_default(self.penalty) if self.typed is None else self.typed


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDocument:
    """A round; open while it has no `closed_at`."""

    number: RoundNumber
    closed_at: Annotated[
        datetime | None,
        Moment(about="Missing while the round is open; all after an open one are open, too."),
    ] = None
    first_down: Annotated[
        int | None,
        Whole(1, limits.MOST_SEATS, about="Who laid the last contract first, if several did."),
    ] = None
    nobody_out: Annotated[bool, Flag()] = False
    rows: Annotated[
        tuple[RowDocument, ...],
        parts(
            RowDocument,
            limits.MOST_SEATS,
            load_default=(),
            about="A row of who does not play in the round counts for nothing.",
        ),
    ]


@dataclass(frozen=True, slots=True)
class RulingDocument:
    """A dispute that was recorded; `said` is empty where only the English verdict is known."""

    round_number: Annotated[int, Whole(1, limits.MOST_ROUNDS, data_key="round")]
    at: Annotated[datetime, Moment()]
    question: Annotated[str, Text(limits.LONGEST_QUESTION)]
    verdict: Annotated[str, Text(limits.LONGEST_VERDICT)]
    said: Annotated[Mapping[str, Any] | None, StatementField()] = None
    asked_by: SeatNumber | None = None
    decided: Annotated[str, Text(limits.LONGEST_DECISION)] = ""
    reason: Annotated[str, Text(limits.LONGEST_DECISION)] = ""


@dataclass(frozen=True, slots=True)
class RuleChangeDocument:
    """A house rule switched on during the game."""

    from_round: RoundNumber
    field: Annotated[str, Text(40)]
    value: Annotated[Any, AnyJson()]


@dataclass(frozen=True, slots=True)
class PaperDocument:
    """What a seat came to in a game that was kept on paper."""

    seat: SeatNumber
    place: Annotated[int, Whole(1, limits.MOST_SEATS)]
    score: Annotated[int | None, Whole(-MOST_POINTS, MOST_POINTS)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDocument:
    """A game whole. `rules` is the name of its rule set within the document."""

    key: Annotated[
        str,
        Text(
            40,
            form="[0-9A-Za-z-]{1,40}",
            told=say("This isn’t the key of a game."),
            about="By it a game is known: bringing it in twice adds nothing.",
        ),
    ]
    rules: Annotated[str, Text(40, about="A name in rule_sets.")]
    version: Annotated[int, Whole(0, limits.MOST_VERSIONS)]
    started_at: Annotated[datetime, Moment()]
    finished_at: Annotated[
        datetime | None, Moment(about="There exactly if the rounds say that the game is over.")
    ] = None
    reopened: Annotated[bool, Flag()] = False
    title: Annotated[str, Text(limits.LONGEST_TITLE)] = ""
    note: Annotated[str, Text(limits.LONGEST_NOTE)] = ""
    archived_at: Annotated[datetime | None, Moment()] = None
    deleted_at: Annotated[datetime | None, Moment(about="Since when it lies in the bin.")] = None
    seats: Annotated[
        tuple[SeatDocument, ...],
        parts(SeatDocument, limits.MOST_SEATS, 2, about="In dealing order."),
    ]
    rounds: Annotated[tuple[RoundDocument, ...], parts(RoundDocument, limits.MOST_ROUNDS)] = ()
    rulings: Annotated[tuple[RulingDocument, ...], parts(RulingDocument, limits.MOST_RULINGS)] = ()
    rule_changes: Annotated[
        tuple[RuleChangeDocument, ...], parts(RuleChangeDocument, limits.MOST_RULINGS)
    ] = ()
    log: Annotated[
        tuple[EventDocument, ...], parts(EventDocument, limits.MOST_ENTRIES, base=EventSchema)
    ] = ()
    paper: Annotated[
        tuple[PaperDocument, ...],
        parts(
            PaperDocument,
            limits.MOST_SEATS,
            about="Of a game kept on paper, which has no rounds: what each seat came to.",
        ),
    ] = ()


@dataclass(frozen=True, slots=True)
class OwnRuleSetDocument:
    """A rule set of the group's own, whether or not a game was played by it."""

    key: Annotated[
        str,
        Text(
            limits.LONGEST_RULE_SET_ID,
            form="own-[0-9a-z]{1,16}",
            told=say("This isn’t the key of a custom rule set."),
        ),
    ]
    rules: Annotated[Mapping[str, Any], RuleSetField(about="Its id is the key.")]
    version: Annotated[int, Whole(1, limits.MOST_VERSIONS)]
    created_at: Annotated[datetime, Moment()]
    changed_at: Annotated[datetime, Moment()]
    removed_at: Annotated[
        datetime | None, Moment(about="Since when it is not offered for new games.")
    ] = None


@dataclass(frozen=True, slots=True)
class UsualRulesDocument:
    """The house rules with which the group's games of one rule set begin: field and value."""

    rule_set: Annotated[
        str, RuleSetId(about="One of the app's, or the key of one of the group's own.")
    ]
    rules: Annotated[Mapping[str, Any], Part(house_rules_schema("HouseRules", FIELDS))]
    changed_at: Annotated[datetime, Moment()]


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
    """A document whole; what it loads are the fields of a `GroupDocument` and its heading."""

    format = Text(40, form=FORMAT, required=True)
    version = Whole(VERSION, VERSION, required=True)
    group = Part(
        object_schema("Heading", {"name": Text(limits.LONGEST_GROUP_NAME, required=True)}),
        required=True,
    )
    players = parts(PlayerDocument, limits.MOST_PLAYERS, load_default=())
    rule_sets = JsonObject(
        limits.MOST_RULE_SETS,
        values=RuleSetField(),
        load_default=dict,
        about="The rule sets of the games, each under a name that games refer to. "
        "Their fields are those of the files in app/rules/variants.",
    )
    own_rule_sets = parts(
        OwnRuleSetDocument,
        limits.MOST_OWN_RULE_SETS,
        load_default=(),
        about="The group's own rule sets, also those by which no game was played.",
    )
    usual_rules = parts(
        UsualRulesDocument,
        limits.MOST_USUAL_RULES,
        load_default=(),
        about="The house rules with which the group's games begin.",
    )
    games = parts(GameDocument, limits.MOST_GAMES, load_default=())
