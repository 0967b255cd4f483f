"""The log of a game: what happened, what was undone, which rounds were edited."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, get_args

from sqlalchemy import Integer, Select, bindparam, func, select
from sqlalchemy.orm import Session

from app.scorebook.events.attendance import JoinUndone, PlayerJoined
from app.scorebook.events.dealing import DealerChanged
from app.scorebook.events.entries import EntryEvent, sum_up
from app.scorebook.events.event import Event, LogFields, Subject, event_of
from app.scorebook.events.games import ChangeUndone
from app.scorebook.events.rounds import DealVoided, RoundEdited, RoundEnded, RoundReopened
from app.scorebook.limits import MOST_LOG_ENTRIES, MOST_VERSIONS
from app.scorebook.undo import subjects_to_undo
from app.store.games import LogEntry


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event of a game, with the game's version after it, its change, and who did it when."""

    version: int
    change: int
    at: datetime
    device_id: int | None
    actor_name: str
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
    return _logged(session, game_id, _OLDEST_FIRST.where(*which))


def last_events(
    session: Session,
    game_id: int,
    up_to: int | None = None,
    most: int = MOST_LOG_ENTRIES,
    *,
    since: int = 0,
) -> Sequence[LoggedEvent]:
    """The last events up to that version (None: up to now) and after `since`, newest first."""
    newest = MOST_VERSIONS if up_to is None else up_to
    return _logged(session, game_id, _NEWEST_FIRST, most=most, up_to=newest, since=since)


def last_actor_of(
    session: Session, game_id: int, kind: type[Event], round_number: int | None = None
) -> tuple[str, int | None]:
    """The name and device of who last did such a thing to a game, or to a round of it.

    Empty and None for nobody.
    """
    which = LogEntry.game_id == game_id, LogEntry.kind == kind.kind
    of_round = () if round_number is None else (LogEntry.round_number == round_number,)
    found = select(LogEntry.actor_name, LogEntry.device_id).where(*which, *of_round)
    last = session.execute(found.order_by(LogEntry.version.desc()).limit(1)).first()
    return (last.actor_name, last.device_id) if last else ("", None)


def change_with(session: Session, game_id: int, version: int) -> Sequence[LoggedEvent]:
    """The events of the change that the version belongs to, oldest first; none for no version."""
    its_change = (
        select(LogEntry.change)
        .where(LogEntry.game_id == game_id, LogEntry.version == version)
        .scalar_subquery()
    )
    return _logged(session, game_id, _OLDEST_FIRST.where(LogEntry.change == its_change))


def last_change_by(
    session: Session, game_id: int, device: int, since: datetime
) -> Sequence[LoggedEvent]:
    """The events of what that device changed last in a game, oldest first; none before `since`."""
    return _logged(session, game_id, _LAST_OF_DEVICE, device=device, since=since)


def removed_seats(session: Session, game_id: int) -> Sequence[tuple[str, int, int]]:
    """Who sat on each seat that is no longer there, since their joining was undone.

    Name, and the versions of the game between which the seat was there: after one, up to the other.
    """
    kinds = (PlayerJoined.kind, JoinUndone.kind)
    which = (LogEntry.kind.in_(kinds), LogEntry.seat_id.is_(None))
    joined, found = dict[str, int](), list[tuple[str, int, int]]()
    for one in _logged(session, game_id, _OLDEST_FIRST.where(*which)):
        if isinstance(one.event, PlayerJoined):
            joined[one.event.player_name] = one.version
        elif isinstance(one.event, JoinUndone):
            name = one.event.player_name
            found.append((name, joined.pop(name, 0), one.version))
    return found


@dataclass(frozen=True, slots=True)
class Undos:
    """What was undone in a game; a change is named by its number (`LoggedEvent.change`)."""

    undone: AbstractSet[int]
    """Changes that do not hold any more."""
    about: Mapping[int, tuple[Sequence[LoggedEvent], bool]]
    """Of each undo the change that it comes down to, and whether that holds again by it."""


NO_UNDOS = Undos(frozenset(), {})
_MOST_UNDOS = 1000


def undos_in(session: Session, game_id: int) -> Undos:
    """What the last undos in a game were about; one that names no earlier change is left out."""
    kind = _log.kind == ChangeUndone.kind
    latest = _ENTRIES.where(kind).order_by(_log.version.desc()).limit(_MOST_UNDOS)
    undos = [
        (one, one.event.version)
        for one in reversed(_logged(session, game_id, latest))
        if isinstance(one.event, ChangeUndone) and one.event.version < one.change
    ]
    if not undos:
        return NO_UNDOS
    versions = {version for _undo, version in undos}
    changes = select(_log.change).where(_of_game, _log.version.in_(versions))
    logged = _logged(session, game_id, _OLDEST_FIRST.where(_log.change.in_(changes)))
    of_version = {one.version: change for change in group_by_change(logged) for one in change}
    about = dict[int, tuple[Sequence[LoggedEvent], bool]]()
    for undo, version in undos:
        if change := of_version.get(version):
            what, holds = about.get(change[0].change, (change, True))
            about[undo.change] = what, not holds
    undone = set[int]()
    for undo, version in reversed(undos):
        if undo.change in about and undo.change not in undone:
            undone.add(of_version[version][0].change)
    return Undos(undone, about)


def changed_since(newest_first: Sequence[LoggedEvent], undos: Undos) -> AbstractSet[int]:
    """The numbers of those of these changes after which another of them changed the same again.

    One that was undone changed nothing, nor did its undo.
    """
    found, touched = set[int](), set[Subject]()
    for change in group_by_change(newest_first):
        number, events = change[0].change, [one.event for one in change]
        if touched & subjects_to_undo(events):
            found.add(number)
        if number not in undos.undone and number not in undos.about:
            touched.update(*(one.subjects for one in events))
    return found


def group_by_change(logged: Sequence[LoggedEvent]) -> list[list[LoggedEvent]]:
    """Events, in their order, put together as they were recorded: by one request."""
    return [list(group) for _change, group in groupby(logged, key=lambda one: one.change)]


def _logged(
    session: Session, game_id: int, found: Select[*tuple[Any, ...]], **values: Any
) -> Sequence[LoggedEvent]:
    rows = session.connection().execute(found, {"game": game_id, **values})
    return [
        LoggedEvent(version, change, at, device, actor_name, event_of(LogFields(*logged)))
        for version, change, at, device, actor_name, *logged in rows
    ]


# Made once and sent past the ORM: most pages of a game ask, and making them costs more than that.
_log = LogEntry.__table__.c
_of_game = _log.game_id == bindparam("game")
_ENTRIES: Select[*tuple[Any, ...]] = select(
    *(_log[name] for name in ("version", "change", "at", "device_id", "actor_name")),
    *(_log[name] for name in ("kind", "round_number", "seat_id", "before", "after", "reason")),
).where(_of_game)
_OLDEST_FIRST = _ENTRIES.order_by(_log.version)
_NEWEST_FIRST = (
    _ENTRIES.where(_log.version <= bindparam("up_to"), _log.version > bindparam("since"))
    .order_by(_log.version.desc())
    .limit(bindparam("most", type_=Integer))
)
_LAST_OF_DEVICE = _OLDEST_FIRST.where(
    _log.change
    == select(_log.change)
    .where(_of_game, _log.device_id == bindparam("device"), _log.at >= bindparam("since"))
    .order_by(_log.version.desc())
    .limit(1)
    .scalar_subquery()
)


@dataclass(frozen=True, slots=True)
class RoundEdit:
    """A round that was edited or reopened: when, by whom, what changed in it; was that undone?"""

    round_number: int
    at: datetime
    actor_name: str
    device_id: int | None
    reason: str
    is_reopening: bool
    changes: tuple[EntryEvent | DealerChanged, ...]
    is_undone: bool


def round_edits_of(session: Session, game_id: int) -> Sequence[RoundEdit]:
    """How rounds of a game were edited and reopened, in the order in which it was done.

    Of a reopened round it is said what is entered otherwise since, once it has ended again, but not
    who dealt; of one whose deal was void instead, nothing.
    """
    reopened, edits = (
        select(column).where(LogEntry.game_id == game_id, LogEntry.kind == event.kind)
        for column, event in (
            (LogEntry.round_number, RoundReopened),
            (LogEntry.change, RoundEdited),
        )
    )
    ends = LogEntry.kind.in_((RoundEnded.kind, DealVoided.kind))
    entered = LogEntry.kind.in_([one.kind for one in get_args(EntryEvent)])
    which = (
        LogEntry.kind.in_((RoundEdited.kind, RoundReopened.kind))
        | (entered | (LogEntry.kind == DealerChanged.kind)) & LogEntry.change.in_(edits)
        | (entered | ends) & LogEntry.round_number.in_(reopened)
    )
    logged = _logged(session, game_id, _OLDEST_FIRST.where(which))
    found: list[RoundEdit] = []
    again: dict[int, tuple[int, list[EntryEvent]]] = {}
    undone = undos_in(session, game_id).undone if logged else ()
    for change in group_by_change(logged):
        edited = [one.event for one in change if isinstance(one.event, EntryEvent | DealerChanged)]
        by = change[0].actor_name, change[0].device_id
        is_undone = change[0].change in undone
        for one in change:
            match one.event:
                case RoundReopened(number):
                    again[number] = len(found), []
                    found.append(RoundEdit(number, one.at, *by, "", True, (), is_undone))
                case RoundEdited(number, reason):
                    of_round = tuple(event for event in edited if event.round_number == number)
                    found.append(RoundEdit(number, one.at, *by, reason, False, of_round, is_undone))
                case RoundEnded(number) | DealVoided(number):
                    place, since = again.pop(number, (0, []))
                    if since and isinstance(one.event, RoundEnded):
                        found[place] = replace(found[place], changes=sum_up(since))
                case event if isinstance(event, EntryEvent) and event.round_number in again:
                    again[event.round_number][1].append(event)
    return found
