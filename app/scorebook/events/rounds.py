"""What is entered for a round, and a round that ends, opens again or is edited."""

from dataclasses import dataclass, replace
from typing import Any, Self, cast

from typing_extensions import TypedDict

from app.scorebook.course import read_values
from app.scorebook.events.event import Event, LogFields, Subject, refuse_if_changed
from app.scorebook.game import Entry, Game, Round
from app.scorebook.limits import Buys, CountedCards, Decision, Score, SeatId, Typed
from app.scorebook.points import fill_in_points


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
