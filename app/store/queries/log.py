"""Reads of a game's log: the events, who did them and when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.scorebook.events.event import Event, LogFields, event_of
from app.store.log import LogEntry


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
