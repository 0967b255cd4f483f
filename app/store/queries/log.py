"""Reads of a game's log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.store.log import LogEntry


@dataclass(frozen=True, slots=True)
class Logged:
    """One entry of a game's log."""

    version: int
    at: datetime
    device: int | None
    device_name: str
    kind: str
    round_number: int | None
    seat: int | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: str


def log_since(session: Session, game_id: int, version: int) -> Sequence[Logged]:
    """What was changed after that version of a game, oldest first."""
    found = _entries(game_id).where(LogEntry.version > version).order_by(LogEntry.version)
    return [Logged(*row) for row in session.execute(found)]


def log_before(session: Session, game_id: int, version: int | None, most: int) -> Sequence[Logged]:
    """The last changes up to that version (None: up to now), newest first."""
    found = _entries(game_id).order_by(LogEntry.version.desc()).limit(most)
    if version is not None:
        found = found.where(LogEntry.version <= version)
    return [Logged(*row) for row in session.execute(found)]


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
