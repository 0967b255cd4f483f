"""What happens to a round: its rows are set, it is closed, mended, and opened again.

The open round belongs to the table: each tap is kept at once, as a value that is set, so that
repeating it is harmless. Closing and mending take the whole round as a form holds it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.actions.by import By
from app.actions.faults import Doubted, Refused, Stale, refuse
from app.actions.oddities import doubts, mark
from app.actions.transaction import Change, open_change
from app.rules.variant import Variant
from app.rules.wording import say
from app.scorebook import (
    Fault,
    faults,
    players_in,
)
from app.scorebook.sums import UnreadableSum, counted_points, read_sum
from app.store.games import KeptRow
from app.store.queries.games import EnteredRound, Entry, record_of

_MOST_COUNTED = 60


@dataclass(frozen=True, slots=True)
class Filled:
    """A whole round as a form holds it: an entry for each seat, and who was first down."""

    entries: Sequence[Entry]
    first_down: int | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """What a phone closes or mends on: the version it saw, the marks of the oddities overruled."""

    seen: int | None = None
    accepted: frozenset[str] = frozenset()
    reason: str = ""


def set_entry(
    session: Session, game_id: int, number: int, seat: int, by: By, **changes: Any
) -> None:
    """Set what was tapped or typed for one seat in the open round.

    `changes` are fields of `Entry`: `met`, `typed`, `counted`, `exact_deal`, `went_out`. A tap that
    says nothing new writes nothing. Raises `Stale` if the round is not the open one any more,
    `Refused` for a penalty that is none (what was typed is kept all the same).
    """
    change = _open_round(session, game_id, number, by)
    if change.repeated:
        return
    before = change.table.entry(number, seat)
    if not any(one.id == seat for one in players_in(change.table.game, number)):
        raise refuse("row", say("Nobody sits there in this round."), seat)
    entry = replace(before, **changes)
    if entry.went_out and not before.went_out:
        _nobody_else_out(change, number, seat)
        entry = replace(entry, typed="", counted=(), penalty=None)
    elif "typed" in changes:
        entry = replace(entry, counted=())
    entry, fault = reckoned(change.table.variant, entry)
    if entry == before:
        return
    _keep(change, number, entry)
    change.commit()
    if fault is not None:
        raise Refused((fault,))


def set_nobody_out(session: Session, game_id: int, number: int, by: By) -> None:
    """Set that nobody went out in the open round."""
    change = _open_round(session, game_id, number, by)
    if change.repeated:
        return
    _nobody_else_out(change, number, None)
    change.commit()


def set_first_down(session: Session, game_id: int, number: int, seat: int, by: By) -> None:
    """Set who laid the last contract first in the open round."""
    change = _open_round(session, game_id, number, by)
    kept = change.round(number)
    if change.repeated or kept.first_down_id == seat:
        return
    if seat not in change.table.names:
        raise refuse("first_down", say("Nobody sits there in this round."))
    change.note("first_down", round_number=number, seat=seat)
    kept.first_down_id = seat
    change.commit()


def save_round(session: Session, game_id: int, number: int, filled: Filled, by: By) -> None:
    """Keep the whole open round as a form holds it, without closing it. Raises as `set_entry`."""
    change = _open_round(session, game_id, number, by)
    if change.repeated:
        return
    entries = _reckoned_all(change.table.variant, filled)
    _keep_all(change, number, entries, filled.first_down)
    change.commit()


def close_round(
    session: Session, game_id: int, number: int, filled: Filled, terms: Terms, by: By
) -> None:
    """Close the open round with what the form holds; the game goes on from there.

    A repeated request changes nothing. Raises `Stale` when the round or a row of it was changed
    since the phone showed it, `Refused` for contradictions, `Doubted` for oddities not accepted.
    """
    change = open_change(session, game_id, by, seen=terms.seen)
    if change.repeated:
        return
    if number != change.table.open_number:
        raise Stale(change.game.version)
    entries = _reckoned_all(change.table.variant, filled)
    _judge(change, number, entries, filled.first_down, terms)
    _keep_all(change, number, entries, filled.first_down)
    change.round(number).closed_at = by.at
    change.note("closed", round_number=number)
    change.commit()


def mend_round(
    session: Session, game_id: int, number: int, filled: Filled, terms: Terms, by: By
) -> None:
    """Change a closed round; everything after it follows. Raises as `close_round`.

    A finished game is mended only after it was reopened, and is finished again if it is over.
    """
    change = open_change(session, game_id, by, seen=terms.seen)
    if change.repeated:
        return
    if not 1 <= number < change.table.open_number:
        raise Stale(change.game.version)
    if change.game.finished_at is not None and not change.game.reopened:
        raise refuse("game", say("The game is over. Reopen it before you mend a round."))
    entries = _reckoned_all(change.table.variant, filled)
    _judge(change, number, entries, filled.first_down, terms)
    _keep_all(change, number, entries, filled.first_down)
    change.game.reopened = False
    change.note("mended", round_number=number, reason=terms.reason)
    change.commit()


def undo_close(session: Session, game_id: int, number: int, by: By) -> None:
    """Open the round that was closed last again; what was entered for the next one is kept."""
    change = open_change(session, game_id, by)
    if change.repeated:
        return
    if number != change.table.open_number - 1 or number < 1:
        raise Stale(change.game.version)
    change.round(number).closed_at = None
    change.game.reopened = False
    change.note("opened_again", round_number=number)
    change.commit()


def reckoned(variant: Variant, entry: Entry) -> tuple[Entry, Fault | None]:
    """The entry with the points that its text or its counted cards come to, and what is wrong."""
    counted = entry.counted if any(entry.counted) else ()
    try:
        if not counted:
            return replace(entry, counted=(), penalty=read_sum(entry.typed)), None
        if len(counted) != len(variant.penalties.classes) or not _countable(counted):
            raise UnreadableSum
    except UnreadableSum:
        message = say("Type a number or a sum such as 10+5+15.")
        fault = Fault("unreadable_penalty", entry.seat, "penalty", message)
        return replace(entry, counted=(), penalty=None), fault
    points = counted_points(variant, counted)
    return replace(entry, counted=counted, penalty=points, typed=str(points)), None


def _countable(counted: Sequence[int]) -> bool:
    return all(0 <= number <= _MOST_COUNTED for number in counted)


def _reckoned_all(variant: Variant, filled: Filled) -> dict[int, Entry]:
    pairs = [reckoned(variant, entry) for entry in filled.entries]
    unreadable = [fault for _entry, fault in pairs if fault is not None]
    if unreadable:
        raise Refused(unreadable)
    return {entry.seat: entry for entry, _fault in pairs}


def _judge(
    change: Change, number: int, entries: dict[int, Entry], first_down: int | None, terms: Terms
) -> None:
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


def _open_round(session: Session, game_id: int, number: int, by: By) -> Change:
    change = open_change(session, game_id, by)
    if change.repeated:
        return change
    if number != change.table.open_number:
        raise Stale(change.game.version)
    if change.game.finished_at is not None:
        raise refuse("game", say("The game is over."))
    return change


def _nobody_else_out(change: Change, number: int, seat: int | None) -> None:
    entered = change.table.entered.get(number)
    for other in entered.entries.values() if entered else ():
        if other.went_out and other.seat != seat:
            _keep(change, number, replace(other, went_out=False))


def _keep_all(
    change: Change, number: int, entries: dict[int, Entry], first_down: int | None
) -> None:
    for entry in entries.values():
        if entry != change.table.entry(number, entry.seat):
            _keep(change, number, entry)
    change.round(number).first_down_id = first_down


def _keep(change: Change, number: int, entry: Entry) -> None:
    """Keep one row and note it, with what it was before."""
    kept = change.round(number)
    row = change.session.scalar(
        select(KeptRow).where(KeptRow.round_id == kept.id, KeptRow.seat_id == entry.seat)
    )
    if row is None:
        row = KeptRow(round_id=kept.id, seat_id=entry.seat)
        change.session.add(row)
    row.met, row.went_out, row.exact_deal = entry.met, entry.went_out, entry.exact_deal
    row.penalty, row.typed = entry.penalty, entry.typed
    row.counted = list(entry.counted) or None
    before = asdict(change.table.entry(number, entry.seat))
    after = asdict(entry)
    changed = [field for field in after if after[field] != before[field]]
    change.note(
        "row",
        round_number=number,
        seat=entry.seat,
        before={field: before[field] for field in changed},
        after={field: after[field] for field in changed},
    )
