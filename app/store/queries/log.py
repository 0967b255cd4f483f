"""Reads of a game's log: the events, who did them and when."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, takewhile
from typing import Any

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from app.scorebook.events.event import Event, LogFields, event_of
from app.scorebook.events.seats import JoinUndone, PlayerJoined
from app.store.log import LogEntry

_PORTION = 50


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event of a game, with the game's version after it, and who did it when."""

    version: int
    at: datetime
    device_id: int | None
    device_name: str
    event: Event


def log_since(session: Session, game_id: int, version: int) -> Sequence[LoggedEvent]:
    """What happened after that version of a game, oldest first."""
    found = _entries(game_id).where(LogEntry.version > version).order_by(LogEntry.version)
    return _logged(session, found)


def log_before(
    session: Session, game_id: int, version: int | None, most: int
) -> Sequence[LoggedEvent]:
    """The last events up to that version (None: up to now), newest first."""
    found = _entries(game_id).order_by(LogEntry.version.desc()).limit(most)
    if version is not None:
        found = found.where(LogEntry.version <= version)
    return _logged(session, found)


def change_with(session: Session, game_id: int, version: int) -> list[LoggedEvent]:
    """The events that one request recorded, that of the version among them, oldest first.

    Only they are read, and some beside them. Empty where the log has no such version.
    """
    up_to = _in_portions(session, game_id, LogEntry.version <= version, LogEntry.version.desc())
    beyond = _in_portions(session, game_id, LogEntry.version > version, LogEntry.version)
    last = next(up_to, None)
    if last is None or last.version != version:
        return []

    def belongs(one: LoggedEvent) -> bool:
        return (one.at, one.device_id) == (last.at, last.device_id)

    return [*reversed([last, *takewhile(belongs, up_to)]), *takewhile(belongs, beyond)]


def removed_seats(session: Session, game_id: int) -> Sequence[tuple[str, int, int]]:
    """Who sat on each seat that is no longer there, since their joining was undone.

    Name, and the versions of the game between which the seat was there: after one, up to the other.
    """
    kinds = (PlayerJoined.kind, JoinUndone.kind)
    which = (LogEntry.kind.in_(kinds), LogEntry.seat_id.is_(None))
    joined, found = dict[str, int](), list[tuple[str, int, int]]()
    for one in _logged(session, _entries(game_id).where(*which).order_by(LogEntry.version)):
        if isinstance(one.event, PlayerJoined):
            joined[one.event.player_name] = one.version
        elif isinstance(one.event, JoinUndone):
            name = one.event.player_name
            found.append((name, joined.pop(name, 0), one.version))
    return found


def _in_portions(
    session: Session, game_id: int, which: ColumnElement[bool], order: Any
) -> Iterator[LoggedEvent]:
    """These entries in that order, read some at a time."""
    for portion in itertools.count():
        found = _entries(game_id).where(which).order_by(order)
        read = _logged(session, found.limit(_PORTION).offset(portion * _PORTION))
        yield from read
        if len(read) < _PORTION:
            return


def group_by_change(logged: Sequence[LoggedEvent]) -> list[list[LoggedEvent]]:
    """Events, in their order, put together as they were recorded: by one request."""
    return [list(group) for _key, group in groupby(logged, key=lambda one: (one.at, one.device_id))]


def _logged(session: Session, found: Select[*tuple[Any, ...]]) -> Sequence[LoggedEvent]:
    return [
        LoggedEvent(version, at, device, device_name, event_of(LogFields(*logged)))
        for version, at, device, device_name, *logged in session.execute(found)
    ]


def _entries(game_id: int) -> Select[*tuple[Any, ...]]:
    return select(
        LogEntry.version,
        LogEntry.at,
        LogEntry.device_id,
        LogEntry.device_name,
        LogEntry.kind,
        LogEntry.round_number,
        LogEntry.seat_id,
        LogEntry.before,
        LogEntry.after,
        LogEntry.reason,
    ).where(LogEntry.game_id == game_id)
