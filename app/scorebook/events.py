"""What happens to a game, as typed events.

An event says one thing that changed, and what it was before where it was something. It can be
applied to a game, told in words, stored in the log and undone. To add one: write its class here,
with its `kind` (its name in the log and in documents), `apply` and, if it can be undone, `undo`;
its words belong to `app.web.activity`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple, Self, TypedDict, cast

from app.rules.wording import say
from app.scorebook.game import Entry, Game, Round, RuleChange, Seat
from app.scorebook.points import with_points
from app.scorebook.refusal import refuse

LEAST_PLAYERS = 2
"""So many stay in a game."""

Subject = tuple[str | int, ...]
"""What an event is about; two events of one subject concern each other."""


class LogFields(NamedTuple):
    """An event as the log stores it; `before` and `after` hold plain values by name."""

    kind: str
    number: int | None
    seat: int | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: str


class EntryFields(TypedDict, total=False):
    """Some of the fields of an entry."""

    met: bool
    went_out: bool
    penalty: int | None
    typed: str
    counted: tuple[int, ...]
    exact_deal: bool
    not_counted: bool


class Description(TypedDict, total=False):
    """What a game is called, and a note to it."""

    title: str
    note: str


_COLUMNS = ("number", "seat", "reason", "before", "after")
"""Fields of an event that have a column of their own in the log; all others stand in `after`."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a game. By itself it changes nothing and cannot be undone."""

    kind: ClassVar[str]

    @property
    def subjects(self) -> frozenset[Subject]:
        """What it is about, for a tap that was sent late."""
        return frozenset()

    def apply(self, game: Game) -> Game:
        """The game after it."""
        return game

    def undo(self, game: Game) -> "tuple[Event, ...]":
        """The events that take it back. Raises `Refused`."""
        raise refuse("undo", say("This change can’t be undone here."))

    def to_log(self) -> LogFields:
        """The event as the log stores it."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        column = {name: values.pop(name, None) for name in _COLUMNS}
        return LogFields(
            self.kind,
            column["number"],
            column["seat"],
            _plain(column["before"] or {}),
            _plain(column["after"] or values),
            column["reason"] or "",
        )

    @classmethod
    def from_log(cls, logged: LogFields) -> Self:
        """The event that the log stores, which may be old or imported and lack something."""
        values = {**_read(logged.after), "number": logged.number or 0, "seat": logged.seat or 0}
        values |= {"reason": logged.reason, "before": _read(logged.before)}
        values |= {"after": _read(logged.after)}
        return cls(**{one.name: values[one.name] for one in fields(cls) if one.name in values})


@dataclass(frozen=True, slots=True)
class EntryChanged(Event):
    """What is entered for a seat in a round changed: the fields that did, before and after."""

    kind = "row"
    number: int
    seat: int
    before: EntryFields
    after: EntryFields

    @property
    def subjects(self) -> frozenset[Subject]:
        """The entry, and who went out where that changed."""
        about: set[Subject] = {entry_subject(self.number, self.seat)}
        return frozenset(
            about | ({out_subject(self.number)} if "went_out" in self.after else set())
        )

    def apply(self, game: Game) -> Game:
        """The game with the entry as it is after."""
        changed = game.round(self.number)
        entry = replace(changed.entry_of(self.seat), **self.after)
        return game.with_round(changed.with_entry(entry))

    def put_back(self, game: Game, changed: Round) -> Round:
        """The round with the entry as it was before. Raises `Refused` if it changed since."""
        entry = changed.entry_of(self.seat)
        for name, value in self.after.items():
            _refuse_if_changed(getattr(entry, name), value)
        entry, _fault = with_points(game.variant, replace(entry, **self.before))
        return changed.with_entry(entry)

    @classmethod
    def from_log(cls, logged: LogFields) -> Self:
        """The event, without anything that is no field of an entry."""
        before, after = (
            cast("EntryFields", {name: one for name, one in _read(part).items() if name in _ENTRY})
            for part in (logged.before, logged.after)
        )
        return cls(logged.number or 0, logged.seat or 0, before, after)


@dataclass(frozen=True, slots=True)
class NobodyOutChanged(Event):
    """It was entered that no one went out, or that was taken back."""

    kind = "nobody_out"
    number: int
    nobody_out: bool = True

    @property
    def subjects(self) -> frozenset[Subject]:
        """Who went out."""
        return frozenset({out_subject(self.number)})

    def apply(self, game: Game) -> Game:
        """The game with that entered."""
        return game.with_round(replace(game.round(self.number), nobody_out=self.nobody_out))

    def put_back(self, _game: Game, changed: Round) -> Round:
        """The round as it was before."""
        return replace(changed, nobody_out=not self.nobody_out)

    def to_log(self) -> LogFields:
        """The event as the log stores it: with what was entered before."""
        before, after = {"nobody_out": not self.nobody_out}, {"nobody_out": self.nobody_out}
        return LogFields(self.kind, self.number, None, before, after, "")


@dataclass(frozen=True, slots=True)
class FirstDownChanged(Event):
    """It was entered which seat laid down the last contract first; None for no one."""

    kind = "first_down"
    number: int
    earlier: int | None
    first_down: int | None

    @property
    def subjects(self) -> frozenset[Subject]:
        """Who was first in that round."""
        return frozenset({first_down_subject(self.number)})

    def apply(self, game: Game) -> Game:
        """The game with that entered."""
        return game.with_round(replace(game.round(self.number), first_down=self.first_down))

    def put_back(self, _game: Game, changed: Round) -> Round:
        """The round as it was before. Raises `Refused` if it changed since."""
        _refuse_if_changed(changed.first_down, self.first_down)
        return replace(changed, first_down=self.earlier)

    def to_log(self) -> LogFields:
        """The event as the log stores it: the seat has a column, too."""
        before, after = {"first_down": self.earlier}, {"first_down": self.first_down}
        return LogFields(self.kind, self.number, self.first_down, before, after, "")

    @classmethod
    def from_log(cls, logged: LogFields) -> Self:
        """The event that the log stores."""
        earlier, first_down = (part.get("first_down") for part in (logged.before, logged.after))
        return cls(logged.number or 0, earlier, first_down)


EntryEvent = EntryChanged | NobodyOutChanged | FirstDownChanged
"""Events of what is entered for a round."""


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """The open round ended."""

    kind = "closed"
    number: int

    def apply(self, game: Game) -> Game:
        """The game with the round among those that count."""
        return game.with_ended(self.number)


@dataclass(frozen=True, slots=True)
class RoundReopened(Event):
    """The last round is open again."""

    kind = "opened_again"
    number: int

    def apply(self, game: Game) -> Game:
        """The game with its last round open."""
        return replace(game.with_last_reopened(), reopened=False)


@dataclass(frozen=True, slots=True)
class RoundEdited(Event):
    """An ended round was changed; what changed in it stands right before this event."""

    kind = "mended"
    number: int
    reason: str = ""

    def apply(self, game: Game) -> Game:
        """The game, which is over again if it was."""
        return replace(game, reopened=False)


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The game started, with these players in dealing order."""

    kind = "started"
    players: tuple[str, ...] = ()
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class GameReopened(Event):
    """A finished game may be edited."""

    kind = "reopened"

    def apply(self, game: Game) -> Game:
        """The game, open to be edited."""
        return replace(game, reopened=True)


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """A player takes a seat, a new one or the one that was left.

    `place` is the seat as it is from now on and `position` where it stands in dealing order; the
    log does not store them.
    """

    kind = "joined"
    seat: int
    player: str = ""
    score: int | None = None
    place: Seat | None = None
    position: int = 0

    def apply(self, game: Game) -> Game:
        """The game with the seat."""
        seats = [one for one in game.seats if one.id != self.seat]
        seats.insert(self.position, self.place or Seat(self.seat, name=self.player))
        return replace(game, seats=tuple(seats))

    def undo(self, game: Game) -> tuple[Event, ...]:
        """The player leaves before playing. Raises `Refused` where rounds were played since."""
        played = (*game.rounds, *game.drafts)
        if any(entry.seat == self.seat for one in played for entry in one.entries):
            message = say("Rounds have been played since. Have the player leave the game instead.")
            raise refuse("undo", message)
        return (left(game, self.seat, field="undo"),)

    def to_log(self) -> LogFields:
        """The event as the log stores it: whose seat, and the starting score of a new one."""
        score = {} if self.score is None else {"score": self.score}
        return LogFields(self.kind, None, self.seat, {}, {"player": self.player, **score}, "")


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player left the game after round `after_round`, which the log does not store."""

    kind = "left"
    seat: int
    player: str = ""
    after_round: int = 0

    def apply(self, game: Game) -> Game:
        """The game, whose later rounds the player does not play."""
        return replace(
            game,
            seats=tuple(
                replace(one, left_after=self.after_round) if one.id == self.seat else one
                for one in game.seats
            ),
        )

    def undo(self, game: Game) -> tuple[Event, ...]:
        """The player is back, if no round was played meanwhile. Raises `Refused`."""
        position = next((n for n, one in enumerate(game.seats) if one.id == self.seat), None)
        if position is None:
            raise refuse("undo", say("This change can’t be undone here."))
        seat = game.seats[position]
        _refuse_if_changed(seat.left_after, len(game.rounds))
        stays = replace(seat, left_after=None)
        return (PlayerJoined(seat.id, seat.name, place=stays, position=position),)

    def to_log(self) -> LogFields:
        """The event as the log stores it."""
        return LogFields(self.kind, None, self.seat, {}, {"player": self.player}, "")


@dataclass(frozen=True, slots=True)
class RuleChanged(Event):
    """House rules hold from a round on: the fields of the rule set, before and after."""

    kind = "rule_changed"
    number: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def apply(self, game: Game) -> Game:
        """The game with these rules in force from that round on."""
        kept = tuple(
            one
            for one in game.rule_changes
            if one.from_round != self.number or one.field not in self.after
        )
        rules = replace(game, rule_changes=kept).rules_in(self.number)
        changed = (
            RuleChange(self.number, name, value)
            for name, value in self.after.items()
            if getattr(rules, name) != value
        )
        in_order = sorted((*kept, *changed), key=lambda one: one.from_round)
        return replace(game, rule_changes=tuple(in_order))

    def undo(self, game: Game) -> tuple[Event, ...]:
        """The rules as they were. Raises `Refused` where rounds were played by them."""
        if self.number != game.open_number:
            raise refuse("undo", say("Rounds have been played with that rule since."))
        return (RuleChanged(self.number, before=self.after, after=self.before),)


@dataclass(frozen=True, slots=True)
class RulingRecorded(Event):
    """The group settled a question: the verdict as it was said, and what was decided."""

    kind = "ruling"
    number: int
    seat: int | None = None
    question: str = ""
    verdict: str = ""
    said: Mapping[str, Any] | None = None
    decided: str = ""


@dataclass(frozen=True, slots=True)
class ChangeUndone(Event):
    """An earlier change was undone: the one that led to that version."""

    kind = "undone"
    number: int | None
    version: int = 0


@dataclass(frozen=True, slots=True)
class GameDescribed(Event):
    """The game's title or note changed."""

    kind = "described"
    before: Description
    after: Description


@dataclass(frozen=True, slots=True)
class GameArchived(Event):
    """The game was put out of the way of lists."""

    kind = "archived"


@dataclass(frozen=True, slots=True)
class GameUnarchived(Event):
    """The game stands in the lists again."""

    kind = "unarchived"


@dataclass(frozen=True, slots=True)
class GameDeleted(Event):
    """The game was deleted; it can be restored for a while."""

    kind = "binned"


@dataclass(frozen=True, slots=True)
class GameRestored(Event):
    """A deleted game was restored."""

    kind = "taken_back"


@dataclass(frozen=True, slots=True)
class ResultShared(Event):
    """The result got a public link."""

    kind = "shared"


@dataclass(frozen=True, slots=True)
class ResultUnshared(Event):
    """The public link of the result was removed."""

    kind = "unshared"


EVENTS: Mapping[str, type[Event]] = {
    one.kind: one
    for one in (
        EntryChanged,
        NobodyOutChanged,
        FirstDownChanged,
        RoundEnded,
        RoundReopened,
        RoundEdited,
        GameStarted,
        GameReopened,
        PlayerJoined,
        PlayerLeft,
        RuleChanged,
        RulingRecorded,
        ChangeUndone,
        GameDescribed,
        GameArchived,
        GameUnarchived,
        GameDeleted,
        GameRestored,
        ResultShared,
        ResultUnshared,
    )
}
"""All events by their kind."""

_ENTRY = frozenset(EntryFields.__annotations__)


def apply(game: Game, events: Iterable[Event]) -> Game:
    """The game after these events."""
    for event in events:
        game = event.apply(game)
    return game


def event_of(logged: LogFields) -> Event:
    """The event that a log entry stores. Raises `KeyError` for a kind that is none."""
    return EVENTS[logged.kind].from_log(logged)


def changes_to(game: Game, changed: Round) -> tuple[EntryEvent, ...]:
    """The events that make the game's round of that number what `changed` says."""
    now, number = game.round(changed.number), changed.number
    found: list[EntryEvent] = [
        EntryChanged(number, after.seat, *difference(before, after))
        for after in changed.entries
        if (before := now.entry_of(after.seat)) != after
    ]
    if now.nobody_out != changed.nobody_out:
        found.append(NobodyOutChanged(number, changed.nobody_out))
    if now.first_down != changed.first_down:
        found.append(FirstDownChanged(number, now.first_down, changed.first_down))
    return tuple(found)


def difference(before: Entry, after: Entry) -> tuple[EntryFields, EntryFields]:
    """The fields in which two entries differ, before and after."""
    changed = [name for name in EntryFields.__annotations__ if _differs(before, after, name)]
    then, now = ({name: getattr(one, name) for name in changed} for one in (before, after))
    return cast("EntryFields", then), cast("EntryFields", now)


def left(game: Game, seat: int, field: str = "players") -> PlayerLeft:
    """The event that a player leaves before the open round. Raises `Refused`."""
    others = (one for one in game.seats if one.id != seat)
    if sum(one.left_after is None for one in others) < LEAST_PLAYERS:
        message = say("A game needs at least 2 players. Add one before someone leaves.")
        raise refuse(field, message)
    return PlayerLeft(seat, game.name_of(seat), len(game.rounds))


def entry_subject(number: int, seat: int) -> Subject:
    """The entry of a seat in a round."""
    return ("entry", number, seat)


def out_subject(number: int) -> Subject:
    """Who went out in a round."""
    return ("out", number)


def first_down_subject(number: int) -> Subject:
    """Who laid down the last contract first in a round."""
    return ("first_down", number)


def _differs(before: Entry, after: Entry, name: str) -> bool:
    return bool(getattr(before, name) != getattr(after, name))


def _refuse_if_changed(now: object, then: object) -> None:
    """Refuse to undo where something is no longer as the change left it."""
    if now != then:
        message = say("That has changed again since. Undo the later change first.")
        raise refuse("undo", message)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(one) if isinstance(one, tuple) else one for name, one in values.items()}


def _read(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
