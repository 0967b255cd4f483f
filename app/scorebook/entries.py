"""What may be entered for a round while it is open: the rules of what is said together.

A tap is a command that answers the round as it is then; `events.changes_to` says what that changes.
"""

from dataclasses import dataclass, replace

from app.rules.phrases import say
from app.scorebook.dealing import players_in
from app.scorebook.events.event import Subject
from app.scorebook.events.rounds import EntryFields
from app.scorebook.faults import nobody_out_faults, not_playing_fault, seat_faults
from app.scorebook.game import Entry, Game, Round
from app.scorebook.limits import LONGEST_TYPED
from app.scorebook.points import fill_in_points
from app.scorebook.refusals import Notice, Refused, refusal


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
