"""Writing what an action changed of a game: the difference between two games of the scorebook."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from app.scorebook.course import plain_course
from app.scorebook.events.attendance import attendance_of
from app.scorebook.game import Entry, Game, Round, Seat
from app.store.game_reader import ENTRY_COLUMNS
from app.store.games import (
    StoredEntry,
    StoredGame,
    StoredRound,
    StoredRuleChange,
    StoredSeat,
    StoredStandIn,
)

# Made once and sent past the ORM: each tap writes an entry, mostly one that is there already.
_round, _row, _stand_in = (one.__table__.c for one in (StoredRound, StoredEntry, StoredStandIn))
_THIS_ROUND = (_round.game_id == bindparam("of_game"), _round.number == bindparam("of_number"))
_SET_ROUND = update(StoredRound).where(*_THIS_ROUND)
_ROUND_ID = select(_round.id).where(*_THIS_ROUND)
_SET_ENTRY = update(StoredEntry).where(
    _row.seat_id == bindparam("of_seat"), _row.round_id.in_(_ROUND_ID)
)
_NEW_ENTRY = insert(StoredEntry)
_ENTRY_FIELDS = [name for name in ENTRY_COLUMNS if name != "seat"]


def write_difference(
    connection: Connection, game_id: int, before: Game, after: Game, at: datetime
) -> None:
    """Store what differs in `after`; a round that ended did so at that moment."""
    for number in _numbers(before, after):
        was, now = before.round(number), after.round(number)
        ended = after.is_round_ended(number)
        if was is not now or ended != before.is_round_ended(number):
            _write_round(connection, game_id, was, now)
            if ended != before.is_round_ended(number):
                _set_round(connection, game_id, number, closed_at=at if ended else None)
    if before.seats != after.seats:
        _write_seats(connection, before, after)
    if before.course != after.course:
        says = {"course": plain_course(after.course) or None}
        connection.execute(update(StoredGame).where(StoredGame.id == game_id).values(**says))
    if before.rule_changes != after.rule_changes:
        _write_rule_changes(connection, game_id, after)


def _numbers(before: Game, after: Game) -> Iterator[int]:
    """The numbers of all rounds that something may be stored for."""
    ended = max(len(before.rounds), len(after.rounds))
    yield from range(1, ended + 1)
    yield from sorted({one.number for one in after.drafts if one.number > ended})


def _write_round(connection: Connection, game_id: int, was: Round, now: Round) -> None:
    if (was.first_down, was.nobody_out) != (now.first_down, now.nobody_out):
        says = {"first_down_id": now.first_down, "nobody_out": now.nobody_out}
        _set_round(connection, game_id, now.number, **says)
    for entry in now.entries:
        if entry != was.entry_of(entry.seat):
            _write_entry(connection, game_id, now.number, entry)


def _set_round(connection: Connection, game_id: int, number: int, **says: Any) -> None:
    which = {"of_game": game_id, "of_number": number}
    if not connection.execute(_SET_ROUND, {**which, **says}).rowcount:
        connection.execute(insert(StoredRound), {"game_id": game_id, "number": number, **says})


def _write_entry(connection: Connection, game_id: int, number: int, entry: Entry) -> None:
    says = {name: getattr(entry, name) for name in _ENTRY_FIELDS}
    which = {"of_game": game_id, "of_number": number}
    if connection.execute(_SET_ENTRY, {**which, **says, "of_seat": entry.seat}).rowcount:
        return
    round_id = connection.scalar(_ROUND_ID, which)
    if round_id is None:
        _set_round(connection, game_id, number, nobody_out=False)
        round_id = connection.scalar(_ROUND_ID, which)
    connection.execute(_NEW_ENTRY, {"round_id": round_id, "seat_id": entry.seat, **says})


def _write_seats(connection: Connection, before: Game, after: Game) -> None:
    was = {seat.id: (position, seat) for position, seat in enumerate(before.seats)}
    gone = was.keys() - {seat.id for seat in after.seats}
    if gone:
        connection.execute(delete(StoredSeat).where(StoredSeat.id.in_(gone)))
    for position, seat in enumerate(after.seats):
        if was.get(seat.id) != (position, seat):
            connection.execute(
                update(StoredSeat)
                .where(StoredSeat.id == seat.id)
                .values(position=position, **attendance_of(seat))
            )
            earlier = was[seat.id][1].stand_ins if seat.id in was else ()
            if earlier != seat.stand_ins:
                _write_stand_ins(connection, seat, len(earlier))


def _write_stand_ins(connection: Connection, seat: Seat, stored: int) -> None:
    """Stand-ins are named one after the other, and taken back from the last on."""
    kept = select(_stand_in.id).where(_stand_in.seat_id == seat.id).order_by(_stand_in.id)
    taken_back = connection.scalars(kept).all()[len(seat.stand_ins) :]
    connection.execute(delete(StoredStandIn).where(_stand_in.id.in_(taken_back)))
    for one in seat.stand_ins[stored:]:
        says = {"from_round": one.from_round, "player_id": one.player}
        connection.execute(insert(StoredStandIn), {"seat_id": seat.id, **says})


def _write_rule_changes(connection: Connection, game_id: int, after: Game) -> None:
    connection.execute(delete(StoredRuleChange).where(StoredRuleChange.game_id == game_id))
    for change in after.rule_changes:
        connection.execute(insert(StoredRuleChange), {"game_id": game_id, **asdict(change)})
