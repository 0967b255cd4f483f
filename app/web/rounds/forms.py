"""A round as a browser sends it: a row of fields for each seat, and what holds for all of them.

The fields of a row are named `<seat>-met`, `<seat>-typed`, `<seat>-counted-<class>`,
`<seat>-exact_deal`, `<seat>-not_counted` and `<seat>-buys`; `out`, `first_down`, `seen`, `accepted`
and `reason` belong to the round, the first three to a tap, too. A row's penalty that the browser
does not send (there is no field for who need not pay, nor where no score is kept) stays as kept,
and so do its buys.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self, cast

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, FieldList, Form, StringField
from wtforms.validators import ValidationError

from app.actions.rounds import Confirmation
from app.rules.phrases import Phrase, say
from app.scorebook.dealing import players_in
from app.scorebook.events.entries import (
    TICKS,
    ChooseFirstDown,
    ClearWhoWentOut,
    EntryFields,
    SetEntry,
    Tap,
    difference,
    entry_words,
    first_down_words,
)
from app.scorebook.game import Entry, Round
from app.scorebook.limits import LONGEST_TYPED, MOST_BUYS
from app.scorebook.points import fill_in_points
from app.scorebook.refusals import Notice, Refused
from app.store.games import LogEntry
from app.store.queries.games import LoadedGame
from app.web.game_parts.viewer import seen_version
from app.web.infrastructure.forms import (
    NO_CHOICE,
    FitsLength,
    LineField,
    ListField,
    NumberField,
    PageForm,
    TextField,
    errors_of,
    one_of,
    whole_number,
)

NOBODY = "nobody"


class CountField(StringField):
    """A count, of buys or of the cards of a class."""

    def __init__(self, longest: int, **named: Any) -> None:
        super().__init__(validators=[FitsLength(longest), _is_number], **named)

    @property
    def number(self) -> int:
        """The number that was sent, 0 for a blank, -1 for what is none."""
        number = whole_number(text) if (text := (self.data or "").strip()) else 0
        return -1 if number is None else number


def _is_number(_form: Form, field: CountField) -> None:
    if field.number < 0:
        raise ValidationError(say("Enter a number in digits."))  # type: ignore[arg-type]


class NoteForm(PageForm):
    """A line about a round, and the one that was shown to who writes it."""

    note = LineField(LogEntry.reason)  # as long as a reason
    seen_note = LineField(LogEntry.reason)

    @classmethod
    def showing(cls, kept: str) -> Self:
        """The form of a note as it is kept."""
        return cls(note=kept, seen_note=kept)

    def catch_up(self, kept: str) -> None:
        """Show the note that is kept now, unless another was written here."""
        if self.note.data == self.seen_note.data:
            self.note.data = kept
        self.seen_note.data = kept


class EntryForm(Form):
    """What is entered for one seat; its fields are named `<seat>-…`."""

    met = BooleanField()
    typed = TextField(LONGEST_TYPED)
    counted = FieldList(CountField(9))
    exact_deal = BooleanField()
    not_counted = BooleanField()
    buys = CountField(len(str(MOST_BUYS)))

    @property
    def card_counts(self) -> tuple[int, ...]:
        """How many cards of each class were counted, as far as they were sent."""
        return tuple(one.number for one in self.counted)

    def entry(self, kept: Entry, out: int | None) -> Entry:
        """The entry that the fields make of the one that is stored."""
        entered = replace(
            kept,
            went_out=kept.seat == out,
            **{name: self[name].data for name in TICKS},
            buys=self.buys.number if self.buys.raw_data else kept.buys,
        )
        typed, counts = self.typed.data.strip(), self.card_counts
        if not self.typed.raw_data and not any(counts):
            return entered
        if typed != kept.typed and any(counts) and counts == kept.counted:
            counts = ()  # which the form only sent along: what was typed since is what holds
        return replace(entered, typed=typed, counted=counts)


class TapForm(PageForm):
    """One tap or text of the open round: what it is about, and what that says now.

    `changed` names it: `out`, `first_down`, or a field of an entry. `shows` is the version that the
    page shows as it sends the tap, if it shows nothing but the game: no news, no warnings. `seen`,
    read by `viewer.seen_version`, is the version that its person knew when they turned to the
    field; `v`, read by `viewer.shown_version`, that which was shown when they tapped; `warned`,
    read by `rows.overlay_with_shown_warnings`, the warnings that the page shows as it sends it.
    """

    changed = TextField(40)
    out = TextField(20)
    first_down = NumberField()
    shows = NumberField()

    def __init__(self, sent: MultiDict[str, str] | None = None, **named: Any) -> None:
        super().__init__(sent, **named)
        # `3-met` names a seat; `out` and `first_down` have it as their value.
        about, _, self._field = self.changed.data.partition("-")
        self._entry = EntryForm(sent, prefix=f"{about}-")
        of_round = {"out": whole_number(self.out.data), "first_down": self.first_down.data}
        self.seat = whole_number(about) if self._field else of_round.get(about)

    @property
    def only_row(self) -> int | None:
        """The seat whose row alone the page may show otherwise than it was kept; None if each may.

        A tap on who went out empties that row's points on the page at once. A quick tap on one
        player and then on another empties both rows, but perhaps only the second was sent.
        """
        return None if self.changed.data == "out" else self.seat

    def tap(self, number: int) -> Tap | None:
        """What it sets in the round of that number; None where there is no such tap, or no seat.

        Raises `Refused` for a text that is too long, or what is no number in a field of an entry.
        """
        _check(self)
        if self.changed.data == "out" and self.out.raw_data and self.out.data in (NOBODY, ""):
            return ClearWhoWentOut(number, nobody_out=self.out.data == NOBODY)
        if self.seat is None:
            return None
        if self.changed.data == "first_down":
            return ChooseFirstDown(number, self.seat)
        fields = self._entry_fields(self.seat)
        return SetEntry(number, self.seat, fields) if fields else None

    def _entry_fields(self, seat: int) -> EntryFields | None:
        form, field = self._entry, self._field
        _check(form, seat)
        if self.changed.data == "out":
            return {"went_out": True}
        if field in TICKS:
            return cast("EntryFields", {field: form[field].data})
        if field == "buys":
            return {"buys": form.buys.number}
        if field == "typed" and form.typed.raw_data:
            return {"typed": form.typed.data.strip()}
        return {"counted": form.card_counts} if field == "counted" and form.card_counts else None


def both_values(loaded: LoadedGame, tap: Tap) -> tuple[Phrase, Phrase, dict[str, Any]] | None:
    """What the table says now, and a tap said that was not carried out; None for a foreign seat.

    With them the fields that put the second into the form that edits the round. Raises `Refused`
    for cards that cannot be counted so.
    """
    names, entered = loaded.game.names_in(tap.number), loaded.game.round(tap.number)
    out = next((one.seat for one in entered.entries if one.went_out), None)
    theirs = _out_in_words(names, out) if out or entered.nobody_out else say("Nothing entered")
    if isinstance(tap, ClearWhoWentOut):
        mine = _out_in_words(names, None) if tap.nobody_out else say("Nothing entered")
        return theirs, mine, {"out": NOBODY if tap.nobody_out else ""}
    seat = tap.seat
    if seat not in [one.id for one in players_in(loaded.game, tap.number)]:
        return None
    if isinstance(tap, ChooseFirstDown):
        first = entered.first_down
        theirs = say("Nothing entered") if first is None else first_down_words(names[first])
        return theirs, first_down_words(names[seat]), {"first_down": str(seat)}
    row = _row_in_words(names[seat], entered.entry_of(seat))
    if "went_out" in tap.fields:
        theirs = theirs if out or entered.nobody_out else row
        return theirs, _out_in_words(names, seat), {"out": str(seat)}
    entry, fault = fill_in_points(loaded.variant, replace(Entry(seat), **tap.fields))
    if fault and "counted" in tap.fields:
        raise Refused((fault,))
    field = "typed" if "counted" in tap.fields else next(iter(tap.fields))
    value = getattr(entry, field)
    sent = ("on" if value else "") if field in TICKS else str(value)
    mine = entry_words(names[seat], {}, cast("EntryFields", {field: value}))
    return row, mine, {f"{seat}-{field}": sent}


def _out_in_words(names: Mapping[int, str], seat: int | None) -> Phrase:
    """That a seat, or nobody, went out."""
    if seat is None:
        return say("No one went out")
    return entry_words(names[seat], {}, {"went_out": True})


def _row_in_words(name: str, entry: Entry) -> Phrase:
    """What the table says of a seat."""
    _blank, entered = difference(Entry(entry.seat), entry)
    return entry_words(name, {}, entered) if entered else say("{name}: nothing entered", name=name)


class RoundForm(PageForm):
    """The whole round, to be bound to the game that it belongs to."""

    accepted = ListField()
    reason = TextField(LogEntry.reason)

    def __init__(self, sent: MultiDict[str, str] | None = None, **named: Any) -> None:
        super().__init__(sent, **named)
        self._sent = MultiDict[str, str]() if sent is None else sent

    def bind_to(self, loaded: LoadedGame, number: int) -> Self:
        """The form as the round of that number in this game."""
        self._loaded, self.number = loaded, number
        self.seats = [seat.id for seat in players_in(loaded.game, number)]
        self._entries = {seat: EntryForm(self._sent, prefix=f"{seat}-") for seat in self.seats}
        return self

    @property
    def has_sent_fields(self) -> bool:
        return bool(self._sent)

    @property
    def out_seat(self) -> int | None:
        """The seat of the round that is said to have gone out; None where none is."""
        return one_of(whole_number(self._sent.get("out")), self.seats)

    @property
    def nobody_out(self) -> bool:
        """Was it sent that nobody went out? The form of an ended round may say so by itself."""
        return self._sent.get("out") == NOBODY

    @property
    def first_down_seat(self) -> int | None:
        """The seat that was first to lay down the last contract."""
        return one_of(whole_number(self._sent.get("first_down")), self.seats)

    def entry_of(self, seat: int) -> Entry:
        kept = self._loaded.game.round(self.number).entry_of(seat)
        return self._entries[seat].entry(kept, self.out_seat)

    @property
    def entries(self) -> Mapping[int, Entry]:
        return {seat: self.entry_of(seat) for seat in self.seats}

    def entries_filling_blanks(self, loaded: LoadedGame) -> Mapping[int, Entry]:
        """What is stored now, and what the browser sent for seats that have no entry yet.

        That one of these went out is left out where somebody is stored to have.
        """
        touched = {one.seat: one for one in loaded.game.round(self.number).entries}
        somebody_out = any(entry.went_out for entry in touched.values())
        return {
            seat: touched[seat]
            if seat in touched
            else replace(entry, went_out=entry.went_out and not somebody_out)
            for seat, entry in self.entries.items()
        }

    def entries_with_sent_fields(self) -> Mapping[int, Entry]:
        """What is kept, with the fields that were sent put over it."""
        entries = {}
        for seat in self.seats:
            kept, sent = self._loaded.game.round(self.number).entry_of(seat), self.entry_of(seat)
            sent_fields: dict[str, Any] = {
                field: getattr(sent, field)
                for field in (*TICKS, "buys", "typed")
                if f"{seat}-{field}" in self._sent
            }
            if "typed" in sent_fields:
                sent_fields["counted"] = ()
            if "out" in self._sent:
                sent_fields["went_out"] = seat == self.out_seat
                sent_fields.setdefault("met", kept.laid_down)
            entries[seat] = replace(kept, **sent_fields)
        return entries

    def entered_round(self) -> Round:
        """The whole round: one to be ended or saved as it stands, or an edited one.

        A seat that was sent and does not play in it is in it, too: the actions refuse it.
        Raises `Refused` for a count that is no number, and for what no browser sends of its form:
        two players who go out, somebody who is not there, a text that is too long.
        """
        if len(set(self._sent.getlist("out"))) > 1:
            message = say("Only one player can go out in a round.")
            raise Refused((Notice("several_out", None, message, "went_out"),))
        out, first_down = self.nobody_out or self.out_seat, self.first_down_seat
        for name, read, field in (
            ("out", out, "went_out"),
            ("first_down", first_down, "first_down"),
        ):
            if self._sent.get(name) and not read:
                raise Refused((Notice("invalid", None, NO_CHOICE, field),))
        _check(self)
        for seat, form in self._entries.items():
            _check(form, seat)
        entries = (*self.entries.values(), *map(Entry, sorted(self._strangers)))
        sent = Round(self.number, entries, self.first_down_seat, self.nobody_out)
        game = self._loaded.game
        ended = game.is_round_ended(self.number)
        return _without_implied(sent, game.round(self.number)) if ended else sent

    @property
    def _strangers(self) -> set[int]:
        """The seats that fields are named after and that do not play in the round."""
        named = {whole_number(name.partition("-")[0]) for name in self._sent if "-" in name}
        return {seat for seat in named if seat is not None} - set(self.seats)

    def confirmation(self) -> Confirmation:
        """What the device saw, which warnings the table overruled, and why the round is edited."""
        return Confirmation(seen_version(), frozenset(self.accepted.data), self.reason.data.strip())


def _without_implied(sent: Round, kept: Round) -> Round:
    """An edited round without what its form (`round_view`) ticks by itself.

    That is *Laid down* of whoever still goes out, and *No one went out* where still nobody does.
    """
    entries = tuple(
        replace(one, met=before.met)
        if one.went_out and (before := kept.entry_of(one.seat)).went_out
        else one
        for one in sent.entries
    )
    still_nobody = not any(one.went_out for one in (*sent.entries, *kept.entries))
    nobody_out = sent.nobody_out and kept.nobody_out if still_nobody else sent.nobody_out
    return replace(sent, entries=entries, nobody_out=nobody_out)


def _check(form: Form, seat: int | None = None) -> None:
    """Raise `Refused` unless the form is valid."""
    if not form.validate():
        raise Refused(
            [
                Notice(
                    "invalid", seat, message, "penalty" if name in ("typed", "counted") else name
                )
                for name, message in errors_of(form).items()
            ]
        )
