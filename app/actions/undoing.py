"""Undoing one of the last changes to a game: as a new change, so that the log keeps both.

The entries that one request wrote are undone together. What others changed since is never
overwritten: then the later change is to be undone first.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import Doubted, Stale, refuse
from app.actions.people import LEAST_PLAYERS
from app.actions.rounds import Terms, judge, open_again
from app.actions.rows import keep_entries, keep_first_down, keep_nobody_out, reckoned
from app.actions.transaction import Change, open_change
from app.rules.wording import say
from app.scorebook import players_in
from app.store.games import KeptSeat
from app.store.queries.games import Entry, Table
from app.store.queries.log import Logged, log_since
from app.store.queries.rulings import changed_rules_of, rules_in_round
from app.store.rulings import RuleChange

_OF_A_ROUND = frozenset({"row", "nobody_out", "first_down"})
_OF_THE_TABLE = frozenset({"joined", "left", "rule_changed"})


def changes_of(entries: Sequence[Logged]) -> list[list[Logged]]:
    """The entries of a log, in its order, put together as they were written: by one request."""
    return [list(group) for _key, group in groupby(entries, key=lambda one: (one.at, one.device))]


def may_be_undone(table: Table, written: Sequence[Logged]) -> bool:
    """Can a change be undone as it stands, as far as its kind and its round tell?"""
    kinds = {one.kind for one in written}
    if "closed" in kinds:
        return any(one.round_number == table.open_number - 1 for one in written)
    if table.finished_at is not None and not table.reopened:
        return False
    if "mended" in kinds or kinds & _OF_A_ROUND:
        return "started" not in kinds
    return bool(kinds & _OF_THE_TABLE)


def undo_change(session: Session, game_id: int, version: int, actor: Actor) -> None:
    """Undo the change that the entry with that version belongs to.

    Raises `Refused` where it cannot be undone or was changed again since, `Stale` for a version
    that is not there.
    """
    change = open_change(session, game_id, actor)
    if change.repeated:
        return
    written = next(
        (
            group
            for group in changes_of(log_since(session, game_id, 0))
            if any(one.version == version for one in group)
        ),
        None,
    )
    if written is None:
        raise Stale(change.version)
    if not may_be_undone(change.table, written):
        raise refuse("undo", say("This change can’t be undone here."))
    closed = next((one for one in written if one.kind == "closed"), None)
    if closed is not None:
        open_again(change, closed.round_number or 0)
    else:
        _undo_rows(change, written)
        for one in written:
            _undo_at_table(change, one)
    change.note("undone", round_number=written[0].round_number, after={"version": version})
    change.commit()


def _undo_rows(change: Change, written: Sequence[Logged]) -> None:
    """Put the rows of a round back; a closed round must hold together after it as before."""
    of_round = [one for one in written if one.kind in _OF_A_ROUND]
    if not of_round:
        return
    number = of_round[0].round_number or 0
    seated = [seat.id for seat in players_in(change.table.game, number)]
    if not _belong_together(change.table, of_round, number, seated):
        raise refuse("undo", say("This change can’t be undone here."))
    entries = {seat: change.table.entry(number, seat) for seat in seated}
    for one in reversed(of_round):
        if one.kind == "row" and one.seat is not None:
            entries[one.seat] = _put_back(change, entries[one.seat], one)
    entered = change.table.entered.get(number)
    first_down = entered.first_down if entered else None
    for one in of_round:
        if one.kind == "first_down":
            _still(first_down, one.after["first_down"])
            first_down = one.before["first_down"]
    if number < change.table.open_number:
        _judge_anew(change, number, entries, first_down)
    keep_entries(change, number, entries)
    keep_first_down(change, number, first_down)
    for one in of_round:
        if one.kind == "nobody_out":
            keep_nobody_out(change, number, one.before["nobody_out"])


def _belong_together(
    table: Table, written: Sequence[Logged], number: int, seated: Collection[int]
) -> bool:
    """Are these changes of one round that was played, and of those who play in it?

    Who leaves may leave a row behind; an imported log may say anything.
    """
    return number in table.entered and all(
        one.round_number == number and (one.kind != "row" or one.seat in seated) for one in written
    )


def _put_back(change: Change, entry: Entry, logged: Logged) -> Entry:
    for field, value in logged.after.items():
        _still(_plain(getattr(entry, field)), _plain(value))
    before = {field: _read(value) for field, value in logged.before.items()}
    return reckoned(change.table.variant, replace(entry, **before))[0]


def _judge_anew(
    change: Change, number: int, entries: dict[int, Entry], first_down: int | None
) -> None:
    try:
        judge(change, number, entries, first_down, Terms())
    except Doubted as doubted:
        message = say("{oddity} Edit the round instead.", oddity=doubted.oddities[0].message)
        raise refuse("undo", message) from None


def _undo_at_table(change: Change, logged: Logged) -> None:
    table = change.table
    if logged.kind == "joined" and logged.seat is not None:
        if any(logged.seat in one.entries for one in table.entered.values()):
            raise refuse(
                "undo",
                say("Rounds have been played since. Have the player leave the game instead."),
            )
        others = (one for one in table.game.seats if one.id != logged.seat)
        if sum(one.left_after is None for one in others) < LEAST_PLAYERS:
            raise refuse(
                "undo", say("A game needs at least 2 players. Add one before someone leaves.")
            )
        _let_leave_after(change, logged.seat, table.open_number - 1)
        change.note("left", seat=logged.seat, after={"player": table.names[logged.seat]})
    elif logged.kind == "left" and logged.seat is not None:
        seat = next(one for one in table.game.seats if one.id == logged.seat)
        _still(seat.left_after, table.open_number - 1)
        _let_leave_after(change, logged.seat, None)
        change.note("joined", seat=logged.seat, after={"player": table.names[logged.seat]})
    elif logged.kind == "rule_changed":
        _switch_back(change, logged)


def _let_leave_after(change: Change, seat: int, number: int | None) -> None:
    change.session.execute(update(KeptSeat).where(KeptSeat.id == seat).values(left_after=number))


def _switch_back(change: Change, logged: Logged) -> None:
    if logged.round_number != change.table.open_number:
        raise refuse("undo", say("Rounds have been played with that rule since."))
    session, number = change.session, change.table.open_number
    for field in logged.after:
        session.execute(
            delete(RuleChange).where(
                RuleChange.game_id == change.table.id,
                RuleChange.from_round == number,
                RuleChange.field == field,
            )
        )
    rules = rules_in_round(change.table.variant, changed_rules_of(session, change.table.id), number)
    for field, value in logged.before.items():
        if getattr(rules, field) != value:  # it was switched twice in this round
            session.add(
                RuleChange(game_id=change.table.id, from_round=number, field=field, value=value)
            )
    change.note(
        "rule_changed",
        round_number=logged.round_number,
        before=logged.after,
        after=logged.before,
    )


def _still(now: Any, then: Any) -> None:
    """Refuse where something is not any more as the change left it."""
    if now != then:
        raise refuse("undo", say("That has changed again since. Undo the later change first."))


def _plain(value: Any) -> Any:
    """A value as the log keeps it: without tuples."""
    return list(value) if isinstance(value, tuple) else value


def _read(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
