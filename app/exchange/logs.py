"""What an entry of a game's log must hold so that it can be told in words again."""

from collections.abc import Callable, Mapping
from typing import Any

from app.exchange.records import LogRecord
from app.rules.loading import FaultyRules, with_house_rules
from app.rules.statements import read_statement
from app.rules.variant import Variant
from app.rules.wording import UnreadablePhrase

_ROW_TYPES: Mapping[str, tuple[type, ...]] = {
    "met": (bool,),
    "went_out": (bool,),
    "exact_deal": (bool,),
    "not_counted": (bool,),
    "penalty": (int, type(None)),
    "typed": (str,),
    "counted": (list, tuple),
}

_Check = Callable[[Mapping[str, Any], int, Variant], bool]


def wrong_entry(entry: LogRecord, seats: int, variant: Variant) -> str:
    """The field of an entry that does not fit its kind; empty where all fit."""
    if entry.kind not in _CHECKS:
        return "kind"
    if entry.kind == "row" and entry.seat is None:
        return "seat"
    if not _CHECKS[entry.kind](entry.after, seats, variant):
        return "after"
    if entry.kind in _WITH_BEFORE and not _CHECKS[entry.kind](entry.before, seats, variant):
        return "before"
    return ""


def is_statement(plain: object) -> bool:
    """Can a verdict be said as it was kept, if it was kept at all?"""
    try:
        return plain is None or bool(read_statement(plain))
    except UnreadablePhrase:
        return False


def _row(fields: Mapping[str, Any], _seats: int, _variant: Variant) -> bool:
    return all(
        name in _ROW_TYPES and isinstance(value, _ROW_TYPES[name]) for name, value in fields.items()
    ) and all(isinstance(one, int) for one in fields.get("counted", ()))


def _nobody_out(fields: Mapping[str, Any], _seats: int, _variant: Variant) -> bool:
    return isinstance(fields.get("nobody_out"), bool)


def _first_down(fields: Mapping[str, Any], seats: int, _variant: Variant) -> bool:
    if "first_down" not in fields:
        return not fields
    seat = fields["first_down"]
    return seat is None or (isinstance(seat, int) and 1 <= seat <= seats)


def _started(fields: Mapping[str, Any], _seats: int, _variant: Variant) -> bool:
    players = fields.get("players")
    if not isinstance(players, list) or not players:
        return False
    return all(isinstance(one, str) for one in [*players, fields.get("dealer")])


def _player(fields: Mapping[str, Any], _seats: int, _variant: Variant) -> bool:
    return isinstance(fields.get("player"), str)


def _ruling(fields: Mapping[str, Any], _seats: int, _variant: Variant) -> bool:
    words = all(isinstance(fields.get(name), str) for name in ("verdict", "decided"))
    return words and is_statement(fields.get("said"))


def _rules(fields: Mapping[str, Any], _seats: int, variant: Variant) -> bool:
    try:
        with_house_rules(variant, fields)
    except FaultyRules:
        return False
    return True


def _described(fields: Mapping[str, Any], _seats: int, _variant: Variant) -> bool:
    return bool(fields) and all(
        name in ("title", "note") and isinstance(value, str) for name, value in fields.items()
    )


def _anything(_fields: Mapping[str, Any], _seats: int, _variant: Variant) -> bool:
    return True


_WITH_BEFORE = ("row", "nobody_out", "first_down", "rule_changed", "described")
_CHECKS: Mapping[str, _Check] = {
    "row": _row,
    "nobody_out": _nobody_out,
    "first_down": _first_down,
    "started": _started,
    "joined": _player,
    "left": _player,
    "ruling": _ruling,
    "rule_changed": _rules,
    "described": _described,
    **dict.fromkeys(
        (
            "closed",
            "opened_again",
            "mended",
            "reopened",
            "undone",
            "archived",
            "unarchived",
            "binned",
            "taken_back",
            "shared",
            "unshared",
            "imported",
        ),
        _anything,
    ),
}
"""Kind of entry and what its fields must be; a test compares the kinds with those of the log."""
