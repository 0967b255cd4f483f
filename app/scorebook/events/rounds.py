"""What is entered for a round, and a round that ends, opens again or is edited.

A tap is a command that answers the round as it is then; `changes_to` says what that changes.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Self, cast

from typing_extensions import TypedDict

from app.rules.phrases import say
from app.scorebook.course import read_values
from app.scorebook.dealing import players_in
from app.scorebook.events.event import Event, LogFields, Subject, refuse_if_changed
from app.scorebook.faults import (
    find_round_faults,
    nobody_out_faults,
    not_playing_fault,
    seat_faults,
)
from app.scorebook.game import Entry, Game, Round
from app.scorebook.history import is_over
from app.scorebook.limits import LONGEST_TYPED, Buys, CountedCards, Decision, Score, SeatId, Typed
from app.scorebook.points import fill_in_points
from app.scorebook.refusals import ConfirmationNeeded, Notice, Refused, refusal
from app.scorebook.warnings import find_warnings


class EntryFields(TypedDict, total=False):
    """Some of the fields of an entry."""

    met: bool
    went_out: bool
    penalty: Score | None
    typed: Typed
    counted: CountedCards
    exact_deal: bool
    not_counted: bool
    buys: Buys


_ENTRY = frozenset(EntryFields.__annotations__)


@dataclass(frozen=True, slots=True)
class EntryChanged(Event):
    """What is entered for a seat in a round changed: the fields that did, before and after."""

    kind = "row"
    round_number: int
    seat: int
    before: EntryFields
    after: EntryFields

    @property
    def subjects(self) -> frozenset[Subject]:
        entry, out = (
            Subject("entry", self.round_number, self.seat),
            Subject("out", self.round_number),
        )
        return frozenset({entry, out} if "went_out" in self.after else {entry})

    def apply(self, game: Game) -> Game:
        changed = game.round(self.round_number)
        entry = replace(changed.entry_of(self.seat), **self.after)
        return game.with_round(changed.with_entry(entry))

    def undo_in_round(self, game: Game, changed: Round) -> Round:
        """The round with the entry as it was before. Raises `Refused` if it changed since."""
        entry = changed.entry_of(self.seat)
        for name, value in self.after.items():
            refuse_if_changed(getattr(entry, name), value)
        entry, _fault = fill_in_points(game.variant, replace(entry, **self.before))
        return changed.with_entry(entry)

    @classmethod
    def from_log(cls, logged: LogFields) -> Self:
        before, after = (
            cast(
                "EntryFields",
                {name: one for name, one in read_values(part).items() if name in _ENTRY},
            )
            for part in (logged.before, logged.after)
        )
        return cls(logged.round_number or 0, logged.seat or 0, before, after)


class NobodyOutFields(TypedDict):
    """Whether it is entered that no one went out."""

    nobody_out: bool


@dataclass(frozen=True, slots=True)
class NobodyOutChanged(Event):
    """It was entered that no one went out, or that was taken back."""

    kind = "nobody_out"
    round_number: int
    nobody_out: bool = True

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("out", self.round_number)})

    @classmethod
    def payload(cls) -> tuple[Any, Any]:
        return NobodyOutFields, NobodyOutFields

    def apply(self, game: Game) -> Game:
        return game.with_round(replace(game.round(self.round_number), nobody_out=self.nobody_out))

    def undo_in_round(self, _game: Game, changed: Round) -> Round:
        return replace(changed, nobody_out=not self.nobody_out)

    def to_log(self) -> LogFields:
        before, after = {"nobody_out": not self.nobody_out}, {"nobody_out": self.nobody_out}
        return LogFields(self.kind, self.round_number, None, before, after, "")


class FirstDownFields(TypedDict):
    """Which seat laid down the last contract first; None for no one."""

    first_down: SeatId | None


@dataclass(frozen=True, slots=True)
class FirstDownChanged(Event):
    """It was entered which seat laid down the last contract first; None for no one."""

    kind = "first_down"
    round_number: int
    earlier: int | None
    first_down: int | None

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("first_down", self.round_number)})

    @classmethod
    def payload(cls) -> tuple[Any, Any]:
        return FirstDownFields, FirstDownFields

    def apply(self, game: Game) -> Game:
        return game.with_round(replace(game.round(self.round_number), first_down=self.first_down))

    def undo_in_round(self, _game: Game, changed: Round) -> Round:
        """The round as it was before. Raises `Refused` if it changed since."""
        refuse_if_changed(changed.first_down, self.first_down)
        return replace(changed, first_down=self.earlier)

    def to_log(self) -> LogFields:
        before, after = {"first_down": self.earlier}, {"first_down": self.first_down}
        return LogFields(self.kind, self.round_number, self.first_down, before, after, "")

    @classmethod
    def from_log(cls, logged: LogFields) -> Self:
        earlier, first_down = (part.get("first_down") for part in (logged.before, logged.after))
        return cls(logged.round_number or 0, earlier, first_down)


EntryEvent = EntryChanged | NobodyOutChanged | FirstDownChanged
"""Events of what is entered for a round."""


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """The open round ended."""

    kind = "closed"
    round_number: int

    def apply(self, game: Game) -> Game:
        return game.with_round_ended(self.round_number)


@dataclass(frozen=True, slots=True)
class RoundReopened(Event):
    """The last round is open again."""

    kind = "opened_again"
    round_number: int

    def apply(self, game: Game) -> Game:
        return game.with_last_round_reopened()


@dataclass(frozen=True, slots=True)
class RoundEdited(Event):
    """An ended round was changed; what changed in it stands right before this event."""

    kind = "mended"
    round_number: int
    reason: Decision = ""

    def apply(self, game: Game) -> Game:
        return replace(game, is_reopened=False)


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
    names = EntryFields.__annotations__
    changed = [name for name in names if getattr(before, name) != getattr(after, name)]
    then, now = ({name: getattr(one, name) for name in changed} for one in (before, after))
    return cast("EntryFields", then), cast("EntryFields", now)


@dataclass(frozen=True, slots=True)
class SetEntry:
    """Set what was tapped or typed for a seat.

    Whoever goes out has no points but those entered with it, and is the only one.
    """

    number: int
    seat: int
    fields: EntryFields

    @property
    def subjects(self) -> frozenset[Subject]:
        entry, out = Subject("entry", self.number, self.seat), Subject("out", self.number)
        return frozenset({entry, out} if self.fields.get("went_out") else {entry})

    def apply_to(self, game: Game) -> tuple[Round, Notice | None]:
        """The round as it is then, and why its points are unreadable. Raises `Refused`."""
        changed, said = game.round(self.number), self.fields
        before = require_entry(game, self.number, self.seat)
        entry = replace(before, **said)
        goes_out = entry.went_out and not before.went_out
        if goes_out and not said.get("typed"):
            entry = replace(entry, typed="", counted=())
        elif "typed" in said:
            entry = replace(entry, counted=())
        elif "counted" in said and not any(entry.counted):
            entry = replace(entry, typed="")
        entry, fault = _readable(game, entry)
        if entry != before:
            changed = _with_nobody_else_out(changed, self.seat) if goes_out else changed
            changed = changed.with_entry(entry)
        return changed, fault


@dataclass(frozen=True, slots=True)
class DeclareNobodyOut:
    """Set that no one went out."""

    number: int

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("out", self.number)})

    def apply_to(self, game: Game) -> tuple[Round, None]:
        nobody_else = _with_nobody_else_out(game.round(self.number), None)
        return replace(nobody_else, nobody_out=True), None


@dataclass(frozen=True, slots=True)
class ChooseFirstDown:
    """Set who laid down the last contract first."""

    number: int
    seat: int

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("first_down", self.number)})

    def apply_to(self, game: Game) -> tuple[Round, None]:
        """The round as it is then. Raises `Refused` for a seat that does not play in it."""
        require_entry(game, self.number, self.seat, field="first_down")
        return replace(game.round(self.number), first_down=self.seat), None


Command = SetEntry | DeclareNobodyOut | ChooseFirstDown
"""One tap on the open round: `apply_to` a game answers the round as it is then."""


def validated_round(game: Game, entered: Round) -> Round:
    """A round that was entered as a whole, its points read. Raises `Refused` with all its faults.

    It need not be complete; `check_round` says whether it can be recorded as ended.
    """
    read = [_readable(game, entry) for entry in entered.entries]
    unreadable = (fault for _entry, fault in read if fault)
    wrong = [*seat_faults(game, entered), *unreadable, *nobody_out_faults(entered)]
    if wrong:
        raise Refused(wrong)
    if entered.first_down is not None:
        require_entry(game, entered.number, entered.first_down, field="first_down")
    return replace(entered, entries=tuple(entry for entry, _fault in read))


def require_entry(game: Game, number: int, seat: int, field: str = "row") -> Entry:
    """The entry of a seat that plays in the round. Raises `Refused` for any other seat."""
    if not any(one.id == seat for one in players_in(game, number)):
        raise Refused((not_playing_fault(game, number, seat, field),))
    return game.round(number).entry_of(seat)


def _readable(game: Game, entry: Entry) -> tuple[Entry, Notice | None]:
    if len(entry.typed) > LONGEST_TYPED:
        message = say("Use {most} characters or fewer.", most=LONGEST_TYPED)
        raise refusal("penalty", message, entry.seat)
    return fill_in_points(game.variant, entry)


def _with_nobody_else_out(changed: Round, seat: int | None) -> Round:
    """The round without anyone out but that seat, and without that no one was."""
    for entry in changed.entries:
        if entry.went_out and entry.seat != seat:
            changed = changed.with_entry(replace(entry, went_out=False))
    return changed if seat is None else replace(changed, nobody_out=False)


def check_round(game: Game, played: Round, accepted: Collection[str] = ()) -> None:
    """Raise `Refused` for the contradictions of a round that is to be recorded as ended.

    Raises `ConfirmationNeeded` for warnings whose mark is not among the `accepted`.
    """
    wrong = find_round_faults(game, played)
    if wrong:
        raise Refused(wrong)
    open_warnings = [one for one in find_warnings(game, played) if one.mark not in accepted]
    if open_warnings:
        raise ConfirmationNeeded(open_warnings)


def events_to_save_round(game: Game, entered: Round) -> tuple[Event, ...]:
    """The open round is kept as it was entered, without ending it. Raises `Refused`."""
    return changes_to(game, validated_round(game, entered))


def events_to_end_round(game: Game, entered: Round, accepted: Collection[str]) -> tuple[Event, ...]:
    """The open round ends as it was entered.

    Raises `Refused` for contradictions, `ConfirmationNeeded` for warnings not accepted.
    """
    entered = validated_round(game, entered)
    check_round(game, entered, accepted)
    return (*changes_to(game, entered), RoundEnded(entered.number))


def events_to_edit_round(
    game: Game, entered: Round, accepted: Collection[str], reason: str
) -> tuple[Event, ...]:
    """An ended round is changed to what was entered; everything after it follows.

    A finished game is edited only after it was reopened. Raises as `events_to_end_round`.
    """
    if is_over(game) and not game.is_reopened:
        raise refusal("game", say("The game is over. Reopen it before you edit a round."))
    entered = validated_round(game, entered)
    check_round(game, entered, accepted)
    return (*changes_to(game, entered), RoundEdited(entered.number, reason))


def events_to_reopen_round(number: int) -> tuple[Event, ...]:
    """The round that ended last is open again; what was entered for the next one is kept."""
    return (RoundReopened(number),)
