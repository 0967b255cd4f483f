"""What an entry of a game's log holds by its kind: enough to be told in words, and to be undone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.exchange.fields import Faulty, Fields
from app.exchange.limits import (
    LONGEST_DECISION,
    LONGEST_NAME,
    LONGEST_NOTE,
    LONGEST_QUESTION,
    LONGEST_TITLE,
    LONGEST_TYPED,
    LONGEST_VERDICT,
    MOST_COUNTED,
    MOST_SEATS,
    MOST_VERSIONS,
)
from app.exchange.records import LogRecord
from app.rules.house_rules import SWITCHABLE
from app.rules.loading import FaultyRules, read_value
from app.rules.statements import read_statement
from app.rules.variant import Variant
from app.rules.wording import UnreadablePhrase, say
from app.scorebook.sums import MOST_POINTS


@dataclass(frozen=True, slots=True)
class OfGame:
    """What the entries of a game's log may name."""

    seats: int
    variant: Variant


Said = Mapping[str, Any]
_Read = Callable[[Fields, OfGame], Said]


def checked_entry(entry: LogRecord, game: OfGame) -> tuple[Said, Said]:
    """What an entry says of before and after it. Raises `Faulty` where it does not fit its kind."""
    kind = _KINDS.get(entry.kind)
    if kind is None:
        raise _misfit("kind", entry)
    if (kind.of_round and not entry.round_number) or (kind.of_seat and entry.seat is None):
        raise _misfit("seat" if entry.round_number else "round", entry)
    before = _read(entry, "before", kind.read if kind.has_before else _nothing, game)
    after = _read(entry, "after", kind.read, game)
    if kind.has_before and before.keys() != after.keys():
        raise _misfit("before", entry)
    return before, after


def _read(entry: LogRecord, part: str, read: _Read, game: OfGame) -> Said:
    fields = Fields(entry.before if part == "before" else entry.after)
    try:
        said = read(fields, game)
        fields.done()
    except Faulty as fault:
        raise fault.within(part) from None
    return said


def _misfit(field: str, entry: LogRecord) -> Faulty:
    return Faulty(field, say("This doesn’t fit an event of the kind {kind}.", kind=entry.kind))


def _nothing(_fields: Fields, _game: OfGame) -> Said:
    return {}


def _row(fields: Fields, game: OfGame) -> Said:
    classes = len(game.variant.penalties.classes)
    said: dict[str, Any] = {}
    for name in ("met", "went_out", "exact_deal", "not_counted"):
        if fields.has(name):
            said[name] = fields.flag(name)
    if fields.has("penalty"):
        said["penalty"] = fields.number_or_none("penalty", -MOST_POINTS, MOST_POINTS)
    if fields.has("typed"):
        said["typed"] = fields.text("typed", LONGEST_TYPED)
    if fields.has("counted"):
        said["counted"] = list(fields.items("counted", read_count, classes))
        if len(said["counted"]) not in (0, classes):
            raise Faulty("counted", say("This must be {count} numbers.", count=classes))
    return said


def read_count(plain: object) -> int:
    """How many cards of a class were counted."""
    return Fields({"": plain}).number("", 0, MOST_COUNTED)


def _nobody_out(fields: Fields, _game: OfGame) -> Said:
    _require(fields, "nobody_out")
    return {"nobody_out": fields.flag("nobody_out")}


def _first_down(fields: Fields, game: OfGame) -> Said:
    _require(fields, "first_down")
    return {"first_down": fields.number_or_none("first_down", 1, game.seats)}


def _started(fields: Fields, _game: OfGame) -> Said:
    names = fields.items("players", _read_name, MOST_SEATS, least=1)
    return {"players": list(names), "dealer": fields.text("dealer", LONGEST_NAME)}


def _read_name(plain: object) -> str:
    return Fields({"": plain}).text("", LONGEST_NAME)


def _joined(fields: Fields, game: OfGame) -> Said:
    score = fields.number("score", -MOST_POINTS, MOST_POINTS) if fields.has("score") else None
    return _left(fields, game) | ({} if score is None else {"score": score})


def _left(fields: Fields, _game: OfGame) -> dict[str, Any]:
    return {"player": fields.text("player", LONGEST_NAME)}


def _ruling(fields: Fields, _game: OfGame) -> Said:
    words = {
        "question": fields.text("question", LONGEST_QUESTION, ""),
        "verdict": fields.text("verdict", LONGEST_VERDICT),
        "decided": fields.text("decided", LONGEST_DECISION),
    }
    return words | ({"said": read_said(fields)} if fields.has("said") else {})


def read_said(fields: Fields) -> Said | None:
    """A verdict as it was said, where it was kept so."""
    said = fields.mapping("said") or None
    try:
        if said is not None:
            read_statement(said)
    except UnreadablePhrase:
        raise Faulty("said", say("This isn’t a recorded verdict.")) from None
    return said


def _rules(fields: Fields, _game: OfGame) -> Said:
    said = {name: fields.anything(name) for name in SWITCHABLE if fields.has(name)}
    for name, value in said.items():
        try:
            read_value(name, value)
        except FaultyRules as fault:
            raise Faulty(name, fault.phrase) from None
    return said


def _described(fields: Fields, _game: OfGame) -> Said:
    longest = {"title": LONGEST_TITLE, "note": LONGEST_NOTE}
    return {name: fields.text(name, most) for name, most in longest.items() if fields.has(name)}


def _undone(fields: Fields, _game: OfGame) -> Said:
    return {"version": fields.number("version", 1, MOST_VERSIONS)}


def _require(fields: Fields, name: str) -> None:
    if not fields.has(name):
        raise Faulty(name, say("is missing"))


@dataclass(frozen=True, slots=True)
class _Kind:
    """What entries of one kind hold: `read` takes what they say, before and after alike."""

    read: _Read = _nothing
    has_before: bool = False
    of_round: bool = False
    of_seat: bool = False


_KINDS: Mapping[str, _Kind] = {
    "row": _Kind(_row, has_before=True, of_round=True, of_seat=True),
    "nobody_out": _Kind(_nobody_out, has_before=True, of_round=True),
    "first_down": _Kind(_first_down, has_before=True, of_round=True),
    "closed": _Kind(of_round=True),
    "opened_again": _Kind(of_round=True),
    "mended": _Kind(of_round=True),
    "started": _Kind(_started),
    "joined": _Kind(_joined, of_seat=True),
    "left": _Kind(_left, of_seat=True),
    "ruling": _Kind(_ruling, of_round=True),
    "rule_changed": _Kind(_rules, has_before=True, of_round=True),
    "described": _Kind(_described, has_before=True),
    "undone": _Kind(_undone),
    **dict.fromkeys(
        ("reopened", "archived", "unarchived", "binned", "taken_back", "shared", "unshared"),
        _Kind(),
    ),
}
"""Kind of entry and what it holds; a test compares the kinds with those that the app writes."""

KINDS = frozenset(_KINDS)
