"""What is entered for a row, in words: for the log, and where two phones disagree."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from app.rules.wording import Phrase, listed, say, say_many
from app.scorebook import Board
from app.store.queries.games import Entry, Table


def row_words(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Phrase:
    """What changed in a row, naming its player once; `after` holds the fields that did."""
    told = after if not after.get("typed") else {**after, "not_counted": None}
    facts = [
        words(name, before, after)
        for field, words in _FIELDS.items()
        if told.get(field) is not None
    ]
    if not facts:
        return say("{name}: no change", name=name)
    (sentence, _), *more = facts
    for _, fact in more:
        sentence = say("{sentence}, {fact}", sentence=sentence, fact=fact)
    return sentence


def first_down_words(name: str | None) -> Phrase:
    """Who laid the last contract first."""
    if name is None:
        return say("No one was first with the last contract")
    return say("{name} laid down the last contract first", name=name)


@dataclass(frozen=True, slots=True)
class RowWords:
    """The words for the rows of one round of a game."""

    table: Table
    number: int

    def now(self, seat: int) -> Phrase:
        """What the table says of a seat."""
        name, entry = self.table.names[seat], self.table.entry(self.number, seat)
        blank = asdict(Entry(seat))
        after = {field: value for field, value in asdict(entry).items() if value != blank[field]}
        if not after:
            return say("{name}: nothing entered", name=name)
        return row_words(name, {}, after)

    def field(self, entry: Entry, field: str) -> Phrase:
        """What one field of an entry says."""
        field = "typed" if field == "counted" else field
        return row_words(self.table.names[entry.seat], {}, {field: asdict(entry)[field]})

    def out(self, seat: int | None) -> Phrase:
        """That a seat, or nobody, went out."""
        if seat is None:
            return say("No one went out")
        return row_words(self.table.names[seat], {}, {"went_out": True})

    def who_is_out(self) -> Phrase:
        """Who went out, as the table says it."""
        entered = self.table.entered.get(self.number)
        out = [one.seat for one in entered.entries.values() if one.went_out] if entered else []
        if not out and not (entered and entered.nobody_out):
            return say("Nothing entered")
        return self.out(out[0] if out else None)

    def first_down(self, seat: int | None) -> Phrase:
        """That a seat laid the last contract first."""
        return first_down_words(self.table.names.get(seat or 0))

    def first_down_now(self) -> Phrase:
        """Who laid the last contract first, as the table says it."""
        entered = self.table.entered.get(self.number)
        return self.first_down(entered.first_down if entered else None)


Fact = tuple[Phrase, Phrase]
"""What a field says: as a sentence that names the player, and to follow another one."""


def _out(name: str, _before: Mapping[str, Any], after: Mapping[str, Any]) -> Fact:
    if after["went_out"]:
        return say("{name} went out", name=name), say("went out")
    return say("{name} didn’t go out", name=name), say("didn’t go out")


def _met(name: str, _before: Mapping[str, Any], after: Mapping[str, Any]) -> Fact:
    if after["met"]:
        return say("{name} laid down their contract", name=name), say("laid down")
    return say("{name} didn’t lay down their contract", name=name), say("not laid down")


def _typed(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Fact:
    fact = _points(after["typed"], before.get("typed", ""))
    return _of(name, fact), fact


def _points(typed: str, earlier: str) -> Phrase:
    if not typed:
        return say("points removed (was {before})", before=earlier)
    now = say("{points} points", points=typed)  # a sum, as it was typed
    if typed.isascii() and typed.isdigit():
        now = say_many("{count} point", "{count} points", int(typed))
    return say("{points} (was {before})", points=now, before=earlier) if earlier else now


def _exact(name: str, _before: Mapping[str, Any], after: Mapping[str, Any]) -> Fact:
    fact = say("exact deal") if after["exact_deal"] else say("no exact deal")
    return _of(name, fact), fact


def _not_counted(name: str, _before: Mapping[str, Any], after: Mapping[str, Any]) -> Fact:
    counted = say("points counted after all")
    fact = say("points not counted") if after["not_counted"] else counted
    return _of(name, fact), fact


def _of(name: str, fact: Phrase) -> Phrase:
    return say("{name}: {fact}", name=name, fact=fact)


def not_counted_words(names: Mapping[int, str], stands: Board) -> Phrase | None:
    """That scores rest on points that nobody knew any more, if they do."""
    found = [
        say("{name} in round {number}", name=names[seat], number=number)
        for number, seat in stands.not_counted
    ]
    if not found:
        return None
    return say("These points were not counted: {which}.", which=listed(found))


_FIELDS: dict[str, Callable[[str, Mapping[str, Any], Mapping[str, Any]], Fact]] = {
    "went_out": _out,
    "met": _met,
    "typed": _typed,
    "exact_deal": _exact,
    "not_counted": _not_counted,
}
