"""A round as a browser sends it: a row of fields for each seat, and what holds for all of them.

The fields of a row are named `<seat>-met`, `<seat>-typed`, `<seat>-counted-<class>`,
`<seat>-exact_deal` and `<seat>-not_counted`; `out`, `first_down`, `seen`, `accepted` and `reason`
belong to the round. A row's penalty that the browser does not send (there is no field for who went
out) stays as kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import cast

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Form, RadioField, StringField
from wtforms.validators import Optional

from app.actions.faults import Refused
from app.actions.rounds import Confirmation
from app.rules.wording import Phrase, say
from app.scorebook import Entry, Fault, Round, players_in
from app.scorebook.events import EntryFields
from app.scorebook.points import with_points
from app.store.games import KeptRow
from app.store.log import LogEntry
from app.store.queries.games import LoadedGame
from app.web.infrastructure.forms import Fits, errors_of, one_of, whole_number
from app.web.rounds.words import RowWords

NOBODY = "nobody"
_FIELDS = {"typed": "penalty", "out": "went_out"}
"""The fields of a row or round that are called otherwise in the form."""


@dataclass(frozen=True, slots=True)
class Tapped:
    """One tap: what the table says, what it said, and the fields that would say it again."""

    now: Phrase
    mine: Phrase
    fields: Mapping[str, str]


class RowForm(Form):
    """What is entered for one seat."""

    met = BooleanField()
    typed = StringField(validators=[Fits(KeptRow.typed)])
    exact_deal = BooleanField()
    not_counted = BooleanField()

    def entry(self, kept: Entry, out: int | None, counted: tuple[int, ...]) -> Entry:
        """The entry that the fields, and the cards that were counted, make of the one kept."""
        entered = replace(
            kept,
            met=self.met.data,
            went_out=kept.seat == out,
            exact_deal=self.exact_deal.data,
            not_counted=self.not_counted.data,
        )
        if not self.typed.raw_data and not any(counted):
            return entered
        return replace(entered, typed=(self.typed.data or "").strip(), counted=counted)


class RoundForm(Form):
    """What is entered for the round as a whole."""

    out = RadioField(validators=[Optional()])
    first_down = RadioField(validators=[Optional()])
    reason = StringField(validators=[Fits(LogEntry.reason)])


class SentTap:
    """One tap or text of the open round: what it is about, and what that says now.

    `changed` names it: `out`, `first_down`, or a field of a row.
    """

    def __init__(self, sent: MultiDict[str, str]) -> None:
        self.changed = sent.get("changed", "")
        row, _, field = self.changed.partition("-")
        self.seat = whole_number(row if field else sent.get(self.changed))
        self.nobody_out = self.changed == "out" and sent.get("out") == NOBODY
        self._sent, self._row, self._field = sent, row, field or row

    @property
    def says(self) -> EntryFields | None:
        """The fields of the seat's entry that it sets; None where there is no such tap.

        Raises `Refused` for a text that is too long.
        """
        form = RowForm(self._sent, prefix=f"{self._row}-")
        if self.seat is None:
            return None
        _check(form, self.seat)
        if self.changed == "out":
            return {"went_out": True}
        if self._field in ("met", "exact_deal", "not_counted"):
            return cast("EntryFields", {self._field: form[self._field].data})
        if self._field == "typed" and form.typed.raw_data:
            return {"typed": (form.typed.data or "").strip()}
        counted = _counted(self._sent, self.seat)
        return {"counted": counted} if self._field == "counted" and counted else None


class SentRound:
    """The whole round that a browser sent, read against the table that it belongs to."""

    def __init__(self, sent: MultiDict[str, str], loaded: LoadedGame, number: int) -> None:
        self._sent, self._loaded, self.number = sent, loaded, number
        self.form = RoundForm(sent)
        self.seats = [seat.id for seat in players_in(loaded.game, number)]
        seats = [(str(seat), loaded.game.names[seat]) for seat in self.seats]
        self.form.first_down.choices = seats
        self.form.out.choices = [*seats, (NOBODY, NOBODY)]

    @property
    def out(self) -> int | None:
        """The seat that went out; None for nobody, or if nothing was said."""
        return one_of(whole_number(self._sent.get("out")), self.seats)

    @property
    def nobody_out(self) -> bool:
        """Did somebody say that nobody went out?"""
        return self._sent.get("out") == NOBODY

    @property
    def first_down(self) -> int | None:
        """The seat that laid the last contract first."""
        return one_of(whole_number(self._sent.get("first_down")), self.seats)

    def entry(self, seat: int) -> Entry:
        """What the browser sent for a seat."""
        form = self._row(seat)
        kept, counted = (
            self._loaded.game.round(self.number).entry_of(seat),
            _counted(self._sent, seat),
        )
        return form.entry(kept, self.out, counted)

    @property
    def entries(self) -> Mapping[int, Entry]:
        """What the browser sent for every seat."""
        return {seat: self.entry(seat) for seat in self.seats}

    def beside(self, loaded: LoadedGame) -> Mapping[int, Entry]:
        """What is stored now, and what the browser sent for seats that have no entry yet."""
        touched = {one.seat: one for one in loaded.game.round(self.number).entries}
        somebody_out = any(entry.went_out for entry in touched.values())
        return {
            seat: touched[seat]
            if seat in touched
            else replace(entry, went_out=entry.went_out and not somebody_out)
            for seat, entry in self.entries.items()
        }

    def over_kept(self) -> Mapping[int, Entry]:
        """What is kept, with the fields that were sent put over it."""
        entries = {}
        for seat in self.seats:
            kept, sent = self._loaded.game.round(self.number).entry_of(seat), self.entry(seat)
            entry = replace(kept, met=sent.met) if f"{seat}-met" in self._sent else kept
            if f"{seat}-not_counted" in self._sent:
                entry = replace(entry, not_counted=sent.not_counted)
            if f"{seat}-typed" in self._sent:
                entry = replace(entry, typed=sent.typed, counted=())
            if "out" in self._sent:
                entry = replace(entry, went_out=seat == self.out)
            entries[seat] = entry
        return entries

    def tapped(self, changed: str) -> Tapped | None:
        """One tap, named by what it changed; None for one that no form holds."""
        seat_text, _, field = changed.partition("-")
        seat, words = whole_number(seat_text), RowWords(self._loaded, self.number)
        if changed == "out" and (self.out or self.nobody_out):
            return Tapped(words.who_is_out(), words.out(self.out), {"out": self._sent["out"]})
        if changed == "first_down" and self.first_down:
            mine = words.first_down(self.first_down)
            return Tapped(words.first_down_now(), mine, {"first_down": str(self.first_down)})
        if seat not in self.seats or seat is None:
            return None
        entry, _fault = with_points(self._loaded.variant, self.entry(seat))
        if field in ("met", "exact_deal", "not_counted"):
            value = "on" if getattr(entry, field) else ""
        else:
            value = entry.typed
        name = f"{seat}-{'typed' if field == 'counted' else field}"
        return Tapped(words.now(seat), words.field(entry, field), {name: value})

    def entered(self) -> Round:
        """The whole round, for closing or mending.

        A seat that does not play in it is in it, too, if it was sent: so the actions refuse it.
        Raises `Refused` for what no browser sends of its form: two players who go out, somebody
        who is not there, a text that is too long.
        """
        if len(set(self._sent.getlist("out"))) > 1:
            message = say("Only one player can go out in a round.")
            raise Refused((Fault("several_out", None, "went_out", message),))
        _check(self.form)
        for seat in self.seats:
            _check(self._row(seat), seat)
        entries = [*self.entries.values(), *map(Entry, sorted(self._strangers))]
        return Round(self.number, tuple(entries), self.first_down, self.nobody_out)

    def _row(self, seat: int) -> RowForm:
        return RowForm(self._sent, prefix=f"{seat}-")

    @property
    def _strangers(self) -> set[int]:
        """The seats that fields are named after and that do not play in the round."""
        named = {whole_number(name.partition("-")[0]) for name in self._sent if "-" in name}
        return {seat for seat in named if seat is not None} - set(self.seats)

    def confirmation(self) -> Confirmation:
        """What the phone saw, which oddities the table overruled, and why the round is mended."""
        return Confirmation(
            seen=whole_number(self._sent.get("seen")),
            accepted=frozenset(self._sent.getlist("accepted")),
            reason=(self.form.reason.data or "").strip(),
        )


def _check(form: Form, seat: int | None = None) -> None:
    """Raise `Refused` unless the form is valid."""
    if not form.validate():
        raise Refused(
            [
                Fault("invalid", seat, _FIELDS.get(name, name), message)
                for name, message in errors_of(form).items()
            ]
        )


def _counted(sent: Mapping[str, str], seat: int) -> tuple[int, ...]:
    """How many cards of each class were counted, as far as they were sent; -1 for no number."""
    names = takewhile(sent.__contains__, (f"{seat}-counted-{place}" for place in count()))
    texts = [sent[name].strip() for name in names]
    numbers = [whole_number(text) if text else 0 for text in texts]
    return tuple(-1 if number is None else number for number in numbers)
