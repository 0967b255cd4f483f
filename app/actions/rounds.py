"""What happens to a round: its rows are set, it is closed, mended, and opened again.

The open round belongs to the table: each tap is kept at once, as a value that is set, so that
repeating it is harmless. Closing and mending take the whole round as a form holds it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import Doubted, Overtaken, Refused, Stale, refuse
from app.actions.idempotency import release
from app.actions.oddities import doubts, mark
from app.actions.rows import keep_entries, keep_entry, keep_first_down, keep_nobody_out, reckoned
from app.actions.seats import seat_faults, seat_in_round
from app.actions.texts import fitting
from app.actions.transaction import Change, open_change
from app.rules.wording import say
from app.scorebook import Fault, faults, players_in
from app.store.log import LogEntry
from app.store.queries.games import EnteredRound, Entry, Table, record_of
from app.store.queries.log import Logged, log_since


@dataclass(frozen=True, slots=True)
class Filled:
    """A whole round as a form holds it: an entry for each seat, and what holds for all."""

    entries: Sequence[Entry]
    first_down: int | None = None
    nobody_out: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """What a phone closes or mends on: the version it saw, the marks of the oddities overruled."""

    seen: int | None = None
    accepted: frozenset[str] = frozenset()
    reason: str = ""


class Step(NamedTuple):
    """A game before and after a tap; twice the same one where the tap said nothing new."""

    before: Table
    after: Table


def set_entry(
    session: Session,
    game_id: int,
    number: int,
    seat: int,
    actor: Actor,
    *,
    late_since: int | None = None,
    keep_unreadable: bool = False,
    **changes: Any,
) -> Step:
    """Set what was tapped or typed for one seat in the open round.

    `changes` are fields of `Entry`: `met`, `typed`, `counted`, `exact_deal`, `went_out`. A tap that
    says nothing new writes nothing. `late_since` is the version that the phone saw when a tap was
    made that could not be sent at once. Raises `Stale` if the round is not the open one any more,
    `Overtaken` if another device changed the row since then, `Refused` for a penalty that is none
    (what was typed is kept all the same where it is to `keep_unreadable`).
    """
    change = _open_round(session, game_id, number, actor)
    if change.repeated:
        return Step(change.table, change.table)
    before = change.table.entry(number, seat_in_round(change.table, number, seat, "row"))
    entry = replace(before, **changes)
    goes_out = entry.went_out and not before.went_out
    if goes_out and not changes.get("typed"):
        entry = replace(entry, typed="", counted=(), penalty=None)
    elif "typed" in changes:
        entry = replace(entry, counted=())
    elif "counted" in changes and not any(entry.counted):
        entry = replace(entry, typed="")
    entry, fault = reckoned(change.table.variant, entry)
    if fault is not None and not keep_unreadable:
        raise Refused((fault,))
    if entry == before:
        change.commit_nothing()
        return Step(change.table, change.table)
    _let_a_person_choose(
        change, number, late_since, lambda one: one.seat == seat or (goes_out and _says_out(one))
    )
    if goes_out:
        _nobody_else_out(change, number, seat)
    keep_entry(change, number, entry)
    if fault is not None:
        release(session, actor)
    after = change.commit_taps()
    if fault is not None:
        raise Refused((fault,))
    return Step(change.table, after)


def set_nobody_out(
    session: Session, game_id: int, number: int, actor: Actor, *, late_since: int | None = None
) -> Step:
    """Set that nobody went out in the open round. Raises `Stale` and `Overtaken` as `set_entry`."""
    change = _open_round(session, game_id, number, actor)
    if change.repeated:
        return Step(change.table, change.table)
    _let_a_person_choose(change, number, late_since, _says_out)
    _nobody_else_out(change, number, None)
    keep_nobody_out(change, number, True)
    return Step(change.table, change.commit_taps())


def set_first_down(
    session: Session,
    game_id: int,
    number: int,
    seat: int,
    actor: Actor,
    *,
    late_since: int | None = None,
) -> Step:
    """Set who laid the last contract first in the open round. Raises as `set_entry`."""
    change = _open_round(session, game_id, number, actor)
    if change.repeated:
        return Step(change.table, change.table)
    seat_in_round(change.table, number, seat, "first_down")
    _let_a_person_choose(change, number, late_since, lambda one: one.kind == "first_down")
    keep_first_down(change, number, seat)
    return Step(change.table, change.commit_taps())


def save_round(session: Session, game_id: int, number: int, filled: Filled, actor: Actor) -> None:
    """Keep the whole open round as a form holds it, without closing it. Raises as `set_entry`."""
    change = _open_round(session, game_id, number, actor)
    if change.repeated:
        return
    _keep_filled(change, number, filled, _read(change.table, number, filled))
    change.commit_taps()


def close_round(
    session: Session, game_id: int, number: int, filled: Filled, terms: Terms, actor: Actor
) -> None:
    """Close the open round with what the form holds; the game goes on from there.

    A repeated request changes nothing. Raises `Stale` when the round or a row of it was changed
    since the phone showed it, `Refused` for contradictions, `Doubted` for oddities not accepted.
    """
    change = open_change(session, game_id, actor, seen=terms.seen)
    if change.repeated:
        return
    if number != change.open_number:
        raise Stale(change.version)
    entries = _read(change.table, number, filled)
    judge(change, number, entries, filled.first_down, terms)
    _keep_filled(change, number, filled, entries)
    change.round(number).closed_at = actor.at
    change.note("closed", round_number=number)
    change.commit()


def mend_round(
    session: Session, game_id: int, number: int, filled: Filled, terms: Terms, actor: Actor
) -> None:
    """Change a closed round; everything after it follows. Raises as `close_round`.

    A finished game is mended only after it was reopened, and is finished again if it is over.
    """
    change = open_change(session, game_id, actor, seen=terms.seen)
    if change.repeated:
        return
    if not 1 <= number < change.table.open_number:
        raise Stale(change.version)
    if change.table.finished_at is not None and not change.table.reopened:
        raise refuse("game", say("The game is over. Reopen it before you edit a round."))
    entries = _read(change.table, number, filled)
    judge(change, number, entries, filled.first_down, terms)
    _keep_filled(change, number, filled, entries)
    change.game.reopened = False
    reason = fitting("reason", terms.reason.strip(), LogEntry.reason)
    change.note("mended", round_number=number, reason=reason)
    change.commit()


def undo_close(session: Session, game_id: int, number: int, actor: Actor) -> None:
    """Open the round that was closed last again; what was entered for the next one is kept."""
    change = open_change(session, game_id, actor)
    if change.repeated:
        return
    open_again(change, number)
    change.commit()


def open_again(change: Change, number: int) -> None:
    """Open the round that was closed last. Raises `Stale` for any other."""
    if number != change.table.open_number - 1 or number < 1:
        raise Stale(change.version)
    change.round(number).closed_at = None
    change.game.reopened = False
    change.note("opened_again", round_number=number)


def judge(
    change: Change, number: int, entries: dict[int, Entry], first_down: int | None, terms: Terms
) -> None:
    """Raise `Refused` for contradictions of a whole round, `Doubted` for oddities not accepted."""
    table = change.table
    played = record_of(table.game, EnteredRound(number, True, first_down, entries))
    wrong = faults(table.game, played, table.names)
    if wrong:
        raise Refused(wrong)
    odd = [
        one for one in doubts(table.game, played, table.names) if mark(one) not in terms.accepted
    ]
    if odd:
        raise Doubted(odd)


def _read(table: Table, number: int, filled: Filled) -> dict[int, Entry]:
    """The entries by seat, with what each comes to. Raises `Refused` for what cannot be read."""
    wrong = list(_contradictions(table, number, filled))
    pairs = [reckoned(table.variant, entry) for entry in filled.entries]
    wrong += [fault for _entry, fault in pairs if fault is not None]
    if wrong:
        raise Refused(wrong)
    return {entry.seat: entry for entry, _fault in pairs}


def _contradictions(table: Table, number: int, filled: Filled) -> Iterator[Fault]:
    """What a form says that no round can hold."""
    yield from seat_faults(table, number, [entry.seat for entry in filled.entries])
    if filled.nobody_out and any(entry.went_out for entry in filled.entries):
        message = say("Choose either “No one went out” or a player.")
        yield Fault("nobody_and_one_out", None, "nobody_out", message)


def _open_round(session: Session, game_id: int, number: int, actor: Actor) -> Change:
    change = open_change(session, game_id, actor)
    if change.repeated:
        return change
    if number != change.open_number:
        raise Stale(change.version)
    if change.table.finished_at is not None:
        raise refuse("game", say("The game is over."))
    return change


def _let_a_person_choose(
    change: Change, number: int, since: int | None, concerns: Callable[[Logged], bool]
) -> None:
    """Raise `Overtaken` where another device changed what a late tap is about.

    So does a tap from before a copy was restored: versions are missing in the log since then.
    """
    if since is None:
        return
    later = log_since(change.session, change.table.id, since)
    if len(later) != change.table.version - since:
        raise Overtaken(change.version)
    for one in later:
        if one.round_number == number and one.device != change.actor.device and concerns(one):
            raise Overtaken(change.version)


def _says_out(one: Logged) -> bool:
    return one.kind == "nobody_out" or "went_out" in one.after


def _nobody_else_out(change: Change, number: int, seat: int | None) -> None:
    """Let nobody but that seat be out, and take back that nobody was."""
    for one in players_in(change.table.game, number):
        other = change.table.entry(number, one.id)
        if other.went_out and other.seat != seat:
            keep_entry(change, number, replace(other, went_out=False))
    if seat is not None:
        keep_nobody_out(change, number, False)


def _keep_filled(change: Change, number: int, filled: Filled, entries: dict[int, Entry]) -> None:
    keep_entries(change, number, entries)
    keep_nobody_out(change, number, filled.nobody_out)
    keep_first_down(change, number, filled.first_down)
