"""Keeping the rows of a round: what a penalty comes to, and one log entry for each row changed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from sqlalchemy import bindparam, insert, select, update

from app.actions.seats import seat_in_round
from app.actions.texts import fitting
from app.actions.transaction import Change
from app.rules.variant import Variant
from app.rules.wording import say
from app.scorebook import Fault
from app.scorebook.sums import UnreadableSum, counted_points, read_sum
from app.store.games import KeptRound, KeptRow
from app.store.queries.games import Entry

UNREADABLE_PENALTY = "unreadable_penalty"
_MOST_COUNTED = 60
# Made once and sent past the ORM: each tap keeps a row, mostly one that is there already.
_row, _round = KeptRow.__table__, KeptRound.__table__
_KEEP_ROW = update(KeptRow).where(
    _row.c.seat_id == bindparam("of_seat"),
    _row.c.round_id.in_(
        select(_round.c.id).where(
            _round.c.game_id == bindparam("of_game"), _round.c.number == bindparam("of_number")
        )
    ),
)
_NEW_ROW = insert(KeptRow)


def reckoned(variant: Variant, entry: Entry) -> tuple[Entry, Fault | None]:
    """The entry with the points that its text or its counted cards come to, and what is wrong.

    Points that are known, or that are none since the seat went out, are counted.
    """
    entry, fault = _with_points(variant, entry)
    known = entry.went_out or entry.penalty is not None
    return (replace(entry, not_counted=False) if known else entry), fault


def _with_points(variant: Variant, entry: Entry) -> tuple[Entry, Fault | None]:
    counted = entry.counted if any(entry.counted) else ()
    try:
        if not counted:
            return replace(entry, counted=(), penalty=read_sum(entry.typed)), None
        if len(counted) != len(variant.penalties.classes) or not _countable(counted):
            raise UnreadableSum(
                say("You can count up to {most} cards of a kind.", most=_MOST_COUNTED)
            )
    except UnreadableSum as unreadable:
        fault = Fault(UNREADABLE_PENALTY, entry.seat, "penalty", unreadable.message)
        return replace(entry, counted=(), penalty=None), fault
    points = counted_points(variant, counted)
    return replace(entry, counted=counted, penalty=points, typed=str(points)), None


def _countable(counted: Sequence[int]) -> bool:
    return all(0 <= number <= _MOST_COUNTED for number in counted)


def keep_entries(change: Change, number: int, entries: Mapping[int, Entry]) -> None:
    """Keep those of the entries that differ from what is kept."""
    for entry in entries.values():
        if entry != change.table.entry(number, entry.seat):
            keep_entry(change, number, entry)


def keep_entry(change: Change, number: int, entry: Entry) -> None:
    """Keep one row and note it, with what it was before.

    Raises `Refused` for a seat that does not play in the round, and for a text that is too long.
    """
    seat_in_round(change.table, number, entry.seat, "rows")
    fitting("penalty", entry.typed, KeptRow.typed, entry.seat)
    before, after = asdict(change.table.entry(number, entry.seat)), asdict(entry)
    says = {**after, "counted": list(entry.counted) or None}
    del says["seat"]
    which = {"of_seat": entry.seat, "of_game": change.table.id, "of_number": number}
    if not change.connection.execute(_KEEP_ROW, {**which, **says}).rowcount:
        round_id = change.round(number).id
        change.connection.execute(_NEW_ROW, {"round_id": round_id, "seat_id": entry.seat, **says})
    entries = change.entered[number].entries if number in change.entered else {}
    change.enter(number, entries={**entries, entry.seat: entry})
    changed = [field for field in after if after[field] != before[field]]
    change.note(
        "row",
        round_number=number,
        seat=entry.seat,
        before={field: before[field] for field in changed},
        after={field: after[field] for field in changed},
    )


def keep_nobody_out(change: Change, number: int, nobody_out: bool) -> None:
    """Keep and note whether somebody said that nobody went out."""
    entered = change.table.entered.get(number)
    before = entered.nobody_out if entered else False
    if before == nobody_out:
        return
    change.round(number).nobody_out = nobody_out
    change.enter(number, nobody_out=nobody_out)
    change.note(
        "nobody_out",
        round_number=number,
        before={"nobody_out": before},
        after={"nobody_out": nobody_out},
    )


def keep_first_down(change: Change, number: int, seat: int | None) -> None:
    """Keep and note who laid the last contract first. Raises `Refused` for who does not play."""
    if seat is not None:
        seat_in_round(change.table, number, seat, "first_down")
    entered = change.table.entered.get(number)
    before = entered.first_down if entered else None
    if before == seat:
        return
    change.round(number).first_down_id = seat
    change.enter(number, first_down=seat)
    change.note(
        "first_down",
        round_number=number,
        seat=seat,
        before={"first_down": before},
        after={"first_down": seat},
    )
