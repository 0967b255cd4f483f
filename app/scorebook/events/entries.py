"""What is entered for a round, tap by tap or at once.

A tap is a command: it answers the round that it asks for, and `events_to_reach` what that changes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from typing_extensions import TypedDict

from app.rules.field_types import Misfit
from app.rules.phrases import Phrase, say, say_plural
from app.rules.text import too_long
from app.scorebook.dealing import players_in
from app.scorebook.decisions import read_values
from app.scorebook.events.event import Event, Subject, name_in, refuse_if_changed
from app.scorebook.faults import contract_faults, not_playing_fault
from app.scorebook.game import Entry, Game, Round
from app.scorebook.limits import LONGEST_TYPED, Buys, CountedCards, Points, SeatId, Typed
from app.scorebook.points import fill_in_points, read_sum
from app.scorebook.refusals import Notice, Refused, refusal


class EntryFields(TypedDict, total=False):
    """Some of the fields of an entry."""

    met: bool
    went_out: bool
    penalty: Points | None
    typed: Typed
    counted: CountedCards
    exact_deal: bool
    not_counted: bool
    buys: Buys


TICKS = tuple(
    name
    for name, kind in EntryFields.__annotations__.items()
    if kind is bool and name != "went_out"
)
"""The fields of an entry that are ticked for one seat, whatever is ticked for the others."""


_ABOUT_POINTS = frozenset({"penalty", "typed", "counted", "not_counted", "went_out"})


def _subjects(number: int, seat: int, fields: EntryFields) -> frozenset[Subject]:
    """What fields of an entry are about.

    All ways to say points are one subject, and going out is about it, too, since it takes a seat's
    points away.
    """
    found = {Subject("points" if one in _ABOUT_POINTS else one, number, seat) for one in fields}
    return frozenset(found | {Subject("out", number)} if "went_out" in fields else found)


def _known_fields(part: Mapping[str, Any]) -> dict[str, Any]:
    known = EntryFields.__annotations__
    return {name: one for name, one in read_values(part).items() if name in known}


@dataclass(frozen=True, slots=True)
class EntryChanged(Event):
    """What is entered for a seat in a round changed: the fields that did, before and after."""

    kind = "row"
    read_part = _known_fields
    round_number: int
    seat: int
    before: EntryFields
    after: EntryFields

    @property
    def subjects(self) -> frozenset[Subject]:
        return _subjects(self.round_number, self.seat, self.after)

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

    def words(self, game: Game) -> Phrase:
        return entry_words(name_in(game, self.seat, self.round_number), self.before, self.after)


class NobodyOutFields(TypedDict):
    """Whether it is entered that no one went out."""

    nobody_out: bool


@dataclass(frozen=True, slots=True)
class NobodyOutChanged(Event):
    """It was entered that no one went out, or that was taken back."""

    kind = "nobody_out"
    about = "out"
    round_number: int
    before: NobodyOutFields
    after: NobodyOutFields

    def apply(self, game: Game) -> Game:
        return game.with_round(replace(game.round(self.round_number), **self.after))

    def undo_in_round(self, _game: Game, changed: Round) -> Round:
        """The round as it was before. Raises `Refused` if it changed since."""
        refuse_if_changed(changed.nobody_out, self.after["nobody_out"])
        return replace(changed, **self.before)

    def words(self, _game: Game) -> Phrase:
        if self.after["nobody_out"]:
            return say("No one went out")
        return say("Undone: no one went out")


class FirstDownFields(TypedDict):
    """Which seat was first to lay down the last contract; None where nobody says who."""

    first_down: SeatId | None


@dataclass(frozen=True, slots=True)
class FirstDownChanged(Event):
    """It was entered who was first to lay down the last contract, or that was taken back."""

    kind = "first_down"
    round_number: int
    before: FirstDownFields
    after: FirstDownFields

    @property
    def seat(self) -> int | None:
        """The seat that is the first from now on, which the log names."""
        return self.after["first_down"]

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("first_down", self.round_number)})

    def apply(self, game: Game) -> Game:
        return game.with_round(replace(game.round(self.round_number), **self.after))

    def undo_in_round(self, _game: Game, changed: Round) -> Round:
        """The round as it was before. Raises `Refused` if it changed since."""
        refuse_if_changed(changed.first_down, self.seat)
        return replace(changed, **self.before)

    def words(self, game: Game) -> Phrase:
        if self.seat is None:
            return say("Undone: who laid down the last contract first")
        return first_down_words(name_in(game, self.seat, self.round_number))


EntryEvent = EntryChanged | NobodyOutChanged | FirstDownChanged
"""Events of what is entered for a round."""


def events_to_reach(game: Game, changed: Round) -> tuple[EntryEvent, ...]:
    """The events that make the game's round of that number what `changed` says.

    A seat that has no entry in `changed` keeps the one it has.
    """
    now, number = game.round(changed.number), changed.number
    found: list[EntryEvent] = [
        EntryChanged(number, after.seat, *difference(before, after))
        for after in changed.entries
        if (before := now.entry_of(after.seat)) != after
    ]
    for event in (NobodyOutChanged, FirstDownChanged):  # whose kind is the field's name
        said: Any = [{event.kind: getattr(one, event.kind)} for one in (now, changed)]
        if said[0] != said[1]:
            found.append(event(number, *said))
    return tuple(found)


def sum_up(events: Iterable[EntryEvent]) -> tuple[EntryEvent, ...]:
    """What events of one round come to: as if all that they changed had been changed at once."""
    found: dict[Any, tuple[Any, dict[str, Any], dict[str, Any]]] = {}
    for one in events:
        about = one.seat if isinstance(one, EntryChanged) else one.kind
        _first, before, after = found.setdefault(about, (one, {}, {}))
        before.update({**one.before, **before})
        after.update(one.after)
    summed: list[Any] = []
    for one, before, after in found.values():
        changed = [name for name in after if before.get(name) != after[name]]
        then, now = ({name: side[name] for name in changed} for side in (before, after))
        summed += [replace(one, before=then, after=now)] if changed else []
    return tuple(summed)


def difference(before: Entry, after: Entry) -> tuple[EntryFields, EntryFields]:
    """The fields in which two entries differ, before and after."""
    names = EntryFields.__annotations__
    changed = [name for name in names if getattr(before, name) != getattr(after, name)]
    then, now = ({name: getattr(one, name) for name in changed} for one in (before, after))
    return cast("EntryFields", then), cast("EntryFields", now)


@dataclass(frozen=True, slots=True)
class SetEntry:
    """Set what was tapped or typed for a seat.

    A tap by which a player goes out takes away their points, unless some are typed with it, and has
    nobody else be out.
    """

    number: int
    seat: int
    fields: EntryFields

    @property
    def subjects(self) -> frozenset[Subject]:
        return _subjects(self.number, self.seat, self.fields)

    def round_after(self, game: Game) -> tuple[Round, Notice | None]:
        """The round that it asks for, and why its points are unreadable.

        Points that cannot be read are kept as they were typed; cards that cannot be counted have no
        such text, so for them it raises `Refused`, as for what cannot be recorded.
        """
        changed, entered = game.round(self.number), self.fields
        before = require_entry(game, self.number, self.seat)
        entry = replace(before, **entered)
        goes_out = entry.went_out and not before.went_out
        if goes_out and not entered.get("typed"):
            entry = replace(entry, typed="", counted=())
        elif "typed" in entered:
            entry = replace(entry, counted=())
        elif "counted" in entered and not any(entry.counted):
            entry = replace(entry, typed="")
        entry, fault = with_points_read(game, entry)
        if fault and any(entered.get("counted", ())):
            raise Refused((fault,))
        _refuse_contracts(game, Round(self.number, (entry,)))
        if entry != before:
            changed = _with_nobody_else_out(changed, self.seat) if goes_out else changed
            changed = changed.with_entry(entry)
        return changed, fault


_ENTERED_AS_POINTS = frozenset({"typed", "counted", "not_counted"})


def with_points_back(
    game: Game, tap: "Tap", entered: Round, latest_first: Iterable[Event]
) -> Round:
    """The round that a tap asks for, with the points back of a seat that no longer goes out.

    They are those that the log knows, if the seat has none by now. What the tap itself says of
    them stays.
    """
    for was in game.round(entered.number).entries:
        entry = entered.entry_of(was.seat)
        said = tap.fields if isinstance(tap, SetEntry) and tap.seat == was.seat else {}
        if not was.went_out or entry.went_out or entry.typed or said.keys() & _ENTERED_AS_POINTS:
            continue
        for one in latest_first:
            if isinstance(one, EntryChanged) and one.seat == was.seat and one.after.get("went_out"):
                points = {
                    name: value for name, value in one.before.items() if name in _ENTERED_AS_POINTS
                }
                now = replace(entry, **cast("Any", points))
                return entered.with_entry(fill_in_points(game.variant, now)[0])
    return entered


@dataclass(frozen=True, slots=True)
class ClearWhoWentOut:
    """Clear who went out; `nobody_out` says whether that is because no one did."""

    number: int
    nobody_out: bool = True

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("out", self.number)})

    def round_after(self, game: Game) -> tuple[Round, None]:
        """The round that it asks for. Raises `Refused` for no one out without contracts."""
        nobody_else = _with_nobody_else_out(game.round(self.number), None)
        _refuse_contracts(game, Round(self.number, nobody_out=self.nobody_out))
        return replace(nobody_else, nobody_out=self.nobody_out), None


@dataclass(frozen=True, slots=True)
class ChooseFirstDown:
    """Set who was first to lay down the last contract."""

    number: int
    seat: int

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset({Subject("first_down", self.number)})

    def round_after(self, game: Game) -> tuple[Round, None]:
        """The round that it asks for. Raises `Refused` for a seat that does not play in it."""
        require_entry(game, self.number, self.seat, field="first_down")
        return replace(game.round(self.number), first_down=self.seat), None


Tap = SetEntry | ClearWhoWentOut | ChooseFirstDown
"""One tap on the open round: `round_after(game)` answers the round that it asks for.

`apply_tap` then gives a seat that no longer goes out, and has no points, its points back.
"""


def require_entry(game: Game, number: int, seat: int, field: str = "row") -> Entry:
    """The entry of a seat that plays in the round. Raises `Refused` for any other seat."""
    if not any(one.id == seat for one in players_in(game, number)):
        raise Refused((not_playing_fault(game, number, seat, field),))
    return game.round(number).entry_of(seat)


def with_points_read(game: Game, entry: Entry) -> tuple[Entry, Notice | None]:
    """`fill_in_points` of a game's entry. Raises `Refused` for a text that is too long."""
    if len(entry.typed) > LONGEST_TYPED:
        raise refusal("penalty", too_long(LONGEST_TYPED), entry.seat)
    return fill_in_points(game.variant, entry)


def _refuse_contracts(game: Game, said: Round) -> None:
    """Raise `Refused` for what `contract_faults` finds."""
    if wrong := tuple(contract_faults(game.variant, said)):
        raise Refused(wrong)


def _with_nobody_else_out(changed: Round, seat: int | None) -> Round:
    """The round with nobody out but that seat, if any; then it no longer says that no one is."""
    for entry in changed.entries:
        if entry.went_out and entry.seat != seat:
            changed = changed.with_entry(replace(entry, went_out=False))
    return changed if seat is None else replace(changed, nobody_out=False)


def entry_words(player_name: str, before: EntryFields, after: EntryFields) -> Phrase:
    """What changed in an entry, naming its player once; `after` holds the fields that did."""
    said = [
        field
        for field in _FACTS
        if field in after
        and not (field == "not_counted" and after.get("typed"))
        and not (field == "counted" and "typed" in after)
        and not (field == "met" and "went_out" in after and after["went_out"] != after["met"])
    ]
    if not said:
        return say("{name}: no change", name=player_name)
    sentence = _sentence(player_name, said[0], before, after)
    for field in said[1:]:
        sentence = say("{sentence}, {fact}", sentence=sentence, fact=_FACTS[field](before, after))
    return sentence


def first_down_words(player_name: str) -> Phrase:
    """Who was first to lay down the last contract."""
    return say("{name} laid down the last contract first", name=player_name)


def of_player(name: str, fact: Phrase) -> Phrase:
    """A fact as a sentence that names the player."""
    return say("{name}: {fact}", name=name, fact=fact)


def _sentence(name: str, field: str, before: EntryFields, after: EntryFields) -> Phrase:
    """What a field says, as a sentence that names the player."""
    if field == "met" and after["met"]:
        return say("{name} laid down their contract", name=name)
    if field == "met":
        return say("{name} didn’t lay down their contract", name=name)
    if field != "went_out":
        return of_player(name, _FACTS[field](before, after))
    if after["went_out"]:
        return say("{name} went out", name=name)
    if after.get("met"):
        return say("{name} laid down but didn’t go out", name=name)
    return say("{name} didn’t go out", name=name)


_FACTS: Mapping[str, Callable[[EntryFields, EntryFields], Phrase]] = {
    "went_out": lambda _, after: say("went out") if after["went_out"] else say("didn’t go out"),
    "met": lambda _, after: say("laid down") if after["met"] else say("not laid down"),
    "typed": lambda before, after: _points_words(after["typed"], before.get("typed", "")),
    "counted": lambda _, after: (
        say("cards counted") if any(after["counted"]) else say("points typed")
    ),
    "exact_deal": lambda _, after: (
        say("dealer bonus") if after["exact_deal"] else say("no dealer bonus")
    ),
    "not_counted": lambda _, after: (
        say("points unknown") if after["not_counted"] else say("points known after all")
    ),
    "buys": lambda before, after: _bought(after["buys"], before.get("buys", 0)),
}
"""What a field says, to follow what another said, by the fields before and after."""


def _points_words(typed: str, earlier: str) -> Phrase:
    points, before = _sum(typed), _sum(earlier)
    if not typed and before == "":
        return say("points removed")
    if not typed:
        return say("points removed (was {before})", before=before)
    now = say("{points} points", points=points)  # what cannot be read, as it was typed
    if isinstance(points, int):
        now = say_plural("{count} point", "{count} points", points)
    if before in ("", points):
        return now
    return say("{points} (was {before})", points=now, before=before)


def _sum(typed: str) -> int | str:
    """What was typed as points comes to; where it is blank or cannot be read, as it was typed."""
    try:
        points = read_sum(typed)
    except Misfit:
        return typed
    return typed if points is None else points


def _bought(buys: int, before: int) -> Phrase:
    fact = say_plural("{count} buy", "{count} buys", buys)
    return say("{buys} (was {before})", buys=fact, before=before) if before else fact
