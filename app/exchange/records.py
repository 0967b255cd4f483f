"""What a document of a group holds. Players are named; a seat is its number in the game, from 1.

Groups' links, devices and tokens are no part of it, nor the addresses by which results are shared:
whoever brings a document in brings games, players and rules, not rights.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

FORMAT = "meldkeeper-group"
VERSION = 1
"""Goes up when a document could no longer be read by what read the one before."""


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player; `merged_into` names the entry that has taken over this one's games."""

    name: str
    since: datetime
    archived_at: datetime | None = None
    merged_into: str | None = None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A player's place in a game; `played_as` is the entry's name before it was merged."""

    player: str
    joined_in: int = 1
    left_after: int | None = None
    starting_score: int = 0
    deals_first: bool = False
    played_as: str | None = None


@dataclass(frozen=True, slots=True)
class RowRecord:
    """What was entered for a seat; see `app.store.games.KeptRow`."""

    seat: int
    met: bool = False
    went_out: bool = False
    penalty: int | None = None
    typed: str = ""
    counted: tuple[int, ...] = ()
    exact_deal: bool = False
    not_counted: bool = False


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round; open while it has no `closed_at`."""

    number: int
    closed_at: datetime | None
    first_down: int | None
    nobody_out: bool
    rows: tuple[RowRecord, ...]


@dataclass(frozen=True, slots=True)
class RulingRecord:
    """A dispute that was recorded; `said` is empty where only the English verdict is known."""

    round_number: int
    at: datetime
    question: str
    verdict: str
    said: Mapping[str, Any] | None
    asked_by: int | None
    decided: str
    reason: str


@dataclass(frozen=True, slots=True)
class RuleChangeRecord:
    """A house rule switched on during the game."""

    from_round: int
    field: str
    value: Any


@dataclass(frozen=True, slots=True)
class LogRecord:
    """An entry of the game's log; `by` is what the device was called."""

    version: int
    at: datetime
    by: str
    kind: str
    round_number: int | None
    seat: int | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """What a seat came to in a game that was kept on paper."""

    seat: int
    place: int
    score: int | None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game whole. `rules` is the name of its rule set within the document."""

    key: str
    rules: str
    version: int
    started_at: datetime
    finished_at: datetime | None
    reopened: bool
    title: str
    note: str
    archived_at: datetime | None
    deleted_at: datetime | None
    seats: tuple[SeatRecord, ...]
    rounds: tuple[RoundRecord, ...]
    rulings: tuple[RulingRecord, ...]
    rule_changes: tuple[RuleChangeRecord, ...]
    log: tuple[LogRecord, ...]
    paper: tuple[PaperRecord, ...]


@dataclass(frozen=True, slots=True)
class OwnRuleSetRecord:
    """A rule set of the group's own, whether or not a game was played by it."""

    key: str
    rules: Mapping[str, Any]
    version: int
    created_at: datetime
    changed_at: datetime
    removed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class UsualRulesRecord:
    """The house rules with which the group's games of one rule set begin: field and value."""

    rule_set: str
    rules: Mapping[str, Any]
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """Everything of a group; the games may be read one after the other."""

    name: str
    players: Sequence[PlayerRecord]
    rule_sets: Mapping[str, Mapping[str, Any]]
    games: Iterable[GameRecord]
    own_rule_sets: Sequence[OwnRuleSetRecord] = ()
    usual_rules: Sequence[UsualRulesRecord] = ()
