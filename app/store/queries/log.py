"""Reads of a game's log: the events, who did them and when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.scorebook.events.attendance import JoinUndone, PlayerJoined
from app.scorebook.events.entries import EntryChanged
from app.scorebook.events.event import Event, LogFields, event_of
from app.scorebook.events.rounds import RoundEdited, RoundReopened
from app.store.games import LogEntry


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event of a game, with the game's version after it, its change, and who did it when."""

    version: int
    change: int
    at: datetime
    device_id: int | None
    device_name: str
    event: Event


def count_since(session: Session, game_id: int, version: int) -> int:
    """How many events the log has after that version of a game."""
    later = (LogEntry.game_id == game_id, LogEntry.version > version)
    return session.scalar(select(func.count()).where(*later)) or 0


def log_of_round(
    session: Session, game_id: int, round_number: int, since: int
) -> Sequence[LoggedEvent]:
    """What happened in a round after that version of a game, oldest first."""
    which = (LogEntry.round_number == round_number, LogEntry.version > since)
    return _logged(session, _entries(game_id).where(*which).order_by(LogEntry.version))


def log_before(
    session: Session, game_id: int, version: int | None, most: int, *, since: int = 0
) -> Sequence[LoggedEvent]:
    """The last events up to that version (None: up to now) and after `since`, newest first."""
    found = _entries(game_id).order_by(LogEntry.version.desc()).limit(most)
    if version is not None:
        found = found.where(LogEntry.version <= version)
    return _logged(session, found.where(LogEntry.version > since))


def edits_in_log(session: Session, game_id: int) -> Sequence[LoggedEvent]:
    """The rounds that were edited or reopened, and what each edit changed, oldest first."""
    edits = select(LogEntry.change).where(
        LogEntry.game_id == game_id, LogEntry.kind == RoundEdited.kind
    )
    changed = (LogEntry.kind == EntryChanged.kind) & LogEntry.change.in_(edits)
    which = LogEntry.kind.in_((RoundEdited.kind, RoundReopened.kind)) | changed
    return _logged(session, _entries(game_id).where(which).order_by(LogEntry.version))


def change_with(session: Session, game_id: int, version: int) -> Sequence[LoggedEvent]:
    """The events of the change that the version belongs to, oldest first; none for no version."""
    its_change = (
        select(LogEntry.change)
        .where(LogEntry.game_id == game_id, LogEntry.version == version)
        .scalar_subquery()
    )
    found = _entries(game_id).where(LogEntry.change == its_change).order_by(LogEntry.version)
    return _logged(session, found)


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


def group_by_change(logged: Sequence[LoggedEvent]) -> list[list[LoggedEvent]]:
    """Events, in their order, put together as they were recorded: by one request."""
    return [list(group) for _change, group in groupby(logged, key=lambda one: one.change)]


def _logged(session: Session, found: Select[*tuple[Any, ...]]) -> Sequence[LoggedEvent]:
    return [
        LoggedEvent(version, change, at, device, device_name, event_of(LogFields(*logged)))
        for version, change, at, device, device_name, *logged in session.execute(found)
    ]


def _entries(game_id: int) -> Select[*tuple[Any, ...]]:
    return select(
        LogEntry.version,
        LogEntry.change,
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
