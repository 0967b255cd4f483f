"""The log in words: who did what, and when."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.actions.undoing import changes_of, may_be_undone
from app.rules.house_rules import house_rule, value_in_words
from app.rules.wording import Phrase, listed, say
from app.store.queries.games import Table
from app.store.queries.log import Logged
from app.web.checker.recorded_verdicts import recorded_statement
from app.web.rounds.words import first_down_words, row_words


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One change: its newest version, when, by which device, in which round, what, and why."""

    version: int
    at: datetime
    device: Phrase
    round_number: int | None
    lines: tuple[Phrase, ...]
    reason: str
    may_be_undone: bool


@dataclass(frozen=True, slots=True)
class ActivityPage:
    """The log of a game, newest first; `older` is where the page before goes on."""

    key: str
    name: str
    version: int
    changes: tuple[ChangeView, ...]
    older: int | None
    may_undo: bool
    fault: Phrase | None


def change_views(table: Table, entries: Sequence[Logged]) -> tuple[ChangeView, ...]:
    """The changes that entries of a log were written by, in their order."""
    return tuple(_view(table, written) for written in changes_of(entries))


def _view(table: Table, written: Sequence[Logged]) -> ChangeView:
    in_order = sorted(written, key=lambda one: one.version)
    first = in_order[0]
    return ChangeView(
        version=in_order[-1].version,
        at=first.at,
        device=device_of_entry(first),
        round_number=next((one.round_number for one in in_order if one.round_number), None),
        lines=tuple(words_of(table, one) for one in in_order),
        reason=next((one.reason for one in in_order if one.reason), ""),
        may_be_undone=may_be_undone(table, in_order),
    )


def device_of_entry(entry: Logged) -> Phrase:
    """By which device something was done."""
    if entry.device_name:
        return say("{name}", name=entry.device_name)
    return say("the server") if entry.device is None else say("a device")


def words_of(table: Table, entry: Logged) -> Phrase:
    """One entry of the log as a sentence."""
    return _WORDS[entry.kind](table, entry)


def _row(table: Table, entry: Logged) -> Phrase:
    return row_words(_name(table, entry.seat), entry.before, entry.after)


def _nobody_out(_table: Table, entry: Logged) -> Phrase:
    if entry.after["nobody_out"]:
        return say("No one went out")
    return say("Undone: no one went out")


def _first_down(table: Table, entry: Logged) -> Phrase:
    return first_down_words(None if entry.seat is None else _name(table, entry.seat))


def _started(_table: Table, entry: Logged) -> Phrase:
    names = listed([say("{name}", name=name) for name in entry.after["players"]])
    return say(
        "The game started: {names}. {dealer} deals", names=names, dealer=entry.after["dealer"]
    )


def _ruling(_table: Table, entry: Logged) -> Phrase:
    verdict = recorded_statement(entry.after.get("said"), entry.after["verdict"]).verdict
    if entry.after["decided"]:
        return say(
            "Ruling: {verdict} The group decided: {decided}",
            verdict=verdict,
            decided=entry.after["decided"],
        )
    return say("Ruling: {verdict}", verdict=verdict)


def _rule_changed(table: Table, entry: Logged) -> Phrase:
    said = [
        say(
            "{question} {answer}",
            question=house_rule(field).question,
            answer=value_in_words(replace(table.variant, **{field: value}), field),
        )
        for field, value in entry.after.items()
    ]
    return say(
        "From round {number} on: {rules}", number=entry.round_number or 0, rules=listed(said)
    )


def _described(_table: Table, entry: Logged) -> Phrase:
    if "title" not in entry.after:
        return say("Someone changed the note")
    if not entry.after["title"]:
        return say("The game has no name anymore")
    return say("The game is called {title}", title=entry.after["title"])


def _name(table: Table, seat: int | None) -> str:
    return table.names.get(seat or 0, "?")


def _of_round(text: Phrase) -> Callable[[Table, Logged], Phrase]:
    return lambda _table, entry: Phrase(text.text, (("number", entry.round_number or 0),))


def _of_player(text: Phrase) -> Callable[[Table, Logged], Phrase]:
    return lambda _table, entry: Phrase(text.text, (("name", entry.after["player"]),))


_WORDS: dict[str, Callable[[Table, Logged], Phrase]] = {
    "row": _row,
    "nobody_out": _nobody_out,
    "first_down": _first_down,
    "started": _started,
    "ruling": _ruling,
    "rule_changed": _rule_changed,
    "closed": _of_round(say("Round {number} ended")),
    "opened_again": _of_round(say("Round {number} reopened")),
    "mended": _of_round(say("Round {number} edited")),
    "joined": _of_player(say("{name} joined")),
    "left": _of_player(say("{name} left")),
    "reopened": lambda _table, _entry: say("Game reopened"),
    "undone": lambda _table, _entry: say("An earlier change undone"),
    "described": _described,
    "archived": lambda _table, _entry: say("Game archived"),
    "unarchived": lambda _table, _entry: say("Game unarchived"),
    "binned": lambda _table, _entry: say("Game deleted"),
    "taken_back": lambda _table, _entry: say("Game restored"),
    "shared": lambda _table, _entry: say("Public link created"),
    "unshared": lambda _table, _entry: say("Public link removed"),
}
