"""What every event is: how it is applied, undone and stored in the log; what many ask."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple, NotRequired, Self, cast, get_type_hints

from typing_extensions import TypedDict

from app.rules.phrases import Phrase, say
from app.scorebook.decisions import read_values
from app.scorebook.game import Game
from app.scorebook.refusals import Refused, refusal
from app.scorebook.round_results import is_ended_by_round, is_over


class Subject(NamedTuple):
    """What an event is about; two events of one subject concern each other.

    It may be: a round with all that is entered for it; who went out in it; who was first to lay
    down the last contract; what is said of a seat: its points, or another field of its entry by
    its name. Of other events it is mostly what their kind says.
    """

    what: str
    round_number: int
    seat: int | None = None


class LogFields(NamedTuple):
    """An event as the log stores it; `before` and `after` hold plain values by name."""

    kind: str
    round_number: int | None
    seat_id: int | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: str


_COLUMNS = ("round_number", "seat", "reason", "before", "after")
"""Fields of an event that have a column of their own in the log; all others stand in `after`."""

SEAT_FIELDS = ("first_down", "deals")
"""What `before` and `after` of some events call a seat; `order` names several."""


def renumber_seats(fields: Mapping[str, Any], seats: Mapping[int, int]) -> Mapping[str, Any]:
    """What a log entry holds, its seats called by other numbers; some may not be there anymore."""
    renumbered: dict[str, Any] = {
        name: seats.get(fields[name]) for name in SEAT_FIELDS if fields.get(name) is not None
    }
    if "order" in fields:
        renumbered["order"] = [seats[seat] for seat in fields["order"] if seat in seats]
    return {**fields, **renumbered}


def stored_as(name: str) -> Mapping[str, str]:
    """The metadata of an event's field: what the log and documents call it, "" if they lack it."""
    return {"stored_as": name}


class Nothing(TypedDict):
    """Where an event says nothing of before or of after it."""


REMOVED_SEAT = 0
"""The seat of an event in a game in which its own seat is no longer there."""

EVENTS: dict[str, type["Event"]] = {}
"""All events by their kind."""


@cache
def stored_fields(kind: str) -> Mapping[str, Field[Any]]:
    """The fields that the log and documents hold of a kind of event, by what they call them."""
    named = {str(one.metadata.get("stored_as", one.name)): one for one in fields(EVENTS[kind])}
    return {name: one for name, one in named.items() if name}


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a game; without an `apply` of its own it leaves that as it is."""

    kind: ClassVar[str]
    about: ClassVar[str] = ""
    """What it is about, where that is not its kind."""
    happened: ClassVar[Phrase | None] = None
    """The words of a kind that says the same each time."""
    read_part: ClassVar[Callable[[Mapping[str, Any]], Any]] = read_values
    """Reads `before` or `after` from what the log says there."""

    def __init_subclass__(cls) -> None:
        if getattr(cls, "kind", ""):  # else it is what several kinds have in common
            EVENTS[cls.kind] = cls

    @property
    def subjects(self) -> frozenset[Subject]:
        """What it is about: a tap or an undo of the same, made without knowing of it, conflicts."""
        number, seat = getattr(self, "round_number", 0) or 0, getattr(self, "seat", None)
        return frozenset({Subject(self.about or self.kind, number, seat)})

    def apply(self, game: Game) -> Game:
        """The game after it."""
        return game

    def inverse_events(self, game: Game) -> "tuple[Event, ...]":
        """The events that take it back. Raises `Refused` where there are none."""
        raise no_way_back()

    def with_names_now(self, _game: Game) -> "Event":
        """The event as it would be logged by the names that the game's players have now."""
        return self

    def words(self, game: Game) -> Phrase:
        """What happened, as a sentence, unless `app/web/activity.py` says it."""
        if self.happened is None:
            raise NotImplementedError(self.kind)
        return self.happened

    def to_log(self) -> LogFields:
        stored = stored_fields(self.kind)
        values = {name: getattr(self, one.name) for name, one in stored.items()}
        column = {name: values.pop(name, getattr(self, name, None)) for name in _COLUMNS}
        return LogFields(
            self.kind,
            column["round_number"] or None,
            column["seat"],
            column["before"] or {},
            column["after"] or values,
            column["reason"] or "",
        )

    @classmethod
    def payload(cls) -> tuple[Any, Any]:
        """The types of what the log says of before and of after it."""
        hints = get_type_hints(cls, include_extras=True)
        if "before" in hints:
            return hints["before"], hints["after"]
        return Nothing, cls.fields_type()

    @classmethod
    def fields_type(cls, **more: Any) -> Any:
        """A typed dict of its fields that have no column of their own in the log, and of `more`."""
        hints, typed_dict = get_type_hints(cls, include_extras=True), cast("Any", TypedDict)
        values = more | {
            name: hints[one.name] if one.default is MISSING else NotRequired[hints[one.name]]
            for name, one in stored_fields(cls.kind).items()
            if name not in _COLUMNS
        }
        return typed_dict(f"{cls.__name__}Fields", values) if values else Nothing

    @classmethod
    def is_of_round(cls) -> bool:
        """Does each event of this kind name a round?"""
        return any(
            one.name == "round_number" and one.type is int and one.default is MISSING
            for one in fields(cls)
        )

    @classmethod
    def from_log(cls, logged: LogFields) -> Self:
        """The event that the log stores, which may be old or imported and lack something."""
        values = read_values(logged.after) | {
            "round_number": logged.round_number or 0,
            "seat": logged.seat_id or 0,
            "reason": logged.reason,
            "before": cls.read_part(logged.before),
            "after": cls.read_part(logged.after),
        }
        stored = stored_fields(cls.kind).items()
        return cls(**{one.name: values[name] for name, one in stored if name in values})


@dataclass(frozen=True, slots=True)
class UnknownEvent(Event):
    """An event of a later version, which runs beside this one or ran before it on these tables."""

    kind = ""
    happened = say("Something that this version doesn’t know")
    logged: LogFields

    def to_log(self) -> LogFields:
        return self.logged


def apply_all(game: Game, events: Iterable[Event]) -> Game:
    """The game after these events."""
    for event in events:
        game = event.apply(game)
    return game


def event_of(logged: LogFields) -> Event:
    """The event that a log entry stores."""
    known = EVENTS.get(logged.kind)
    return known.from_log(logged) if known else UnknownEvent(logged)


def after_edit(game: Game) -> Game:
    """The game after an edit: no longer stopped where a round ends it.

    Whether one does is asked of stopped games alone, since all rounds are gone through for it.
    """
    if not game.stopped or not is_ended_by_round(game):
        return game
    edited = replace(game, stopped=None)
    edited.remember_results(game.known_results)  # the rounds are the same
    return edited


def name_in(game: Game, seat: int | None, number: int) -> str:
    """The name of who held a seat in that round, for the words of an event."""
    names = game.names_in(number)
    return names.get(seat or REMOVED_SEAT) or names.get(REMOVED_SEAT, "?")


def name_now(game: Game, seat_id: int, number: int, logged: str) -> str:
    """What somebody that the log names for a seat in that round is called now; else as logged."""
    seat = next((one for one in game.seats if one.id == seat_id), None)
    if (
        seat is None
        or seat_id == REMOVED_SEAT
        or logged in (seat.name, *(one.name for one in seat.stand_ins))
    ):
        return logged
    return seat.holder_in(number).name or logged


def refuse_if_changed(now: object, then: object) -> None:
    """Refuse to undo where something is no longer as the change left it."""
    if now != then:
        raise changed_again()


def changed_again() -> Refused:
    """Why a change is not undone after which the same was changed again, ready to raise."""
    return refusal("undo", say("That has changed again since. Undo the later change first."))


def require_seat(game: Game, seat: int, field: str) -> int:
    """The seat, which is one of the game's. Raises `Refused`."""
    if seat not in game.names:
        raise refusal(field, say("That seat isn’t in this game."))
    return seat


def rounds_begun(game: Game) -> range:
    """The numbers of the rounds that ended, and of the open one, unless a round ended the game."""
    return range(1, game.open_number + (not is_ended_by_round(game)))


def refuse_if_not_begun(game: Game, number: int) -> None:
    """Raise `Refused` for a round that is none of `rounds_begun`."""
    if number not in rounds_begun(game):
        raise refusal("number", say("Choose a round that has begun."))


def refuse_when_over(game: Game) -> None:
    """Raise `Refused` for a game in which no more rounds are played."""
    if is_over(game):
        raise refusal("game", say("The game is over."))


def no_way_back() -> Refused:
    """Why a change is not undone, whatever was done since, ready to raise."""
    return refusal("undo", say("This change can’t be undone here."))


def played_since() -> Refused:
    """Why what was decided before a round is not undone after it, ready to raise."""
    return refusal("undo", say("Rounds have been played since."))


def refuse_if_played_since(game: Game, number: int) -> None:
    """Raise `Refused` where that round is not the open one."""
    if number != game.open_number:
        raise played_since()
