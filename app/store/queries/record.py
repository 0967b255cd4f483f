"""Reads for the record of one game: what it is called, what was corrected, a result on paper."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.store.games import KeptGame, KeptSeat, PaperResult
from app.store.groups import Player
from app.store.log import LogEntry


@dataclass(frozen=True, slots=True)
class Particulars:
    """What is kept of a game beside its rounds."""

    id: int
    key: str
    group: int
    variant: str
    variant_name: str
    scores: bool
    title: str
    note: str
    started_at: datetime
    finished_at: datetime | None
    archived: bool
    on_paper: bool
    share_key: str | None


@dataclass(frozen=True, slots=True)
class OnPaper:
    """What a seat came to in a game that was kept on paper, best place first."""

    seat: int
    player: int
    name: str
    position: int
    place: int
    score: int | None


@dataclass(frozen=True, slots=True)
class Correction:
    """A round that was mended or opened again: when, by whom, and what changed in its rows."""

    round_number: int
    at: datetime
    device_name: str
    reason: str
    reopened: bool
    changes: tuple[tuple[int, Mapping[str, Any], Mapping[str, Any]], ...]
    """(seat, fields before, fields after)"""


def particulars_of(session: Session, game_id: int) -> Particulars:
    """What is kept of the game with that id."""
    return next(_particulars(session, KeptGame.id == game_id))


def shared_game(session: Session, share_key: str) -> Particulars | None:
    """The game whose result is shared under that key; None if none is, or no longer."""
    shared = (KeptGame.share_key == share_key, KeptGame.deleted_at.is_(None))
    return next(_particulars(session, *shared, KeptGame.finished_at.is_not(None)), None)


def paper_of(session: Session, game_id: int) -> Sequence[OnPaper]:
    """The result of a game on paper."""
    rows = session.execute(
        select(
            KeptSeat.id,
            KeptSeat.player_id,
            Player.name,
            KeptSeat.position,
            PaperResult.place,
            PaperResult.score,
        )
        .join(KeptSeat, KeptSeat.id == PaperResult.seat_id)
        .join(Player, Player.id == KeptSeat.player_id)
        .where(KeptSeat.game_id == game_id)
        .order_by(PaperResult.place, KeptSeat.position)
    )
    return [OnPaper(*row) for row in rows]


def corrections_of(session: Session, game_id: int) -> Sequence[Correction]:
    """What was corrected in the closed rounds of a game, in the order in which it was done."""
    mended = session.scalars(
        select(LogEntry.round_number)
        .where(LogEntry.game_id == game_id, LogEntry.kind.in_(("mended", "opened_again")))
        .distinct()
    ).all()
    if not mended:
        return []
    entries = session.execute(
        select(
            LogEntry.kind,
            LogEntry.round_number,
            LogEntry.at,
            LogEntry.device_name,
            LogEntry.reason,
            LogEntry.seat_id,
            LogEntry.before,
            LogEntry.after,
        )
        .where(LogEntry.game_id == game_id, LogEntry.round_number.in_(mended))
        .order_by(LogEntry.version)
    )
    return list(_corrections(entries))


def _corrections(entries: Any) -> Iterator[Correction]:
    """A mending writes what it changes right before it says that it mended."""
    rows: list[tuple[int, Mapping[str, Any], Mapping[str, Any]]] = []
    for entry in entries:
        if entry.kind == "row" and entry.seat_id is not None:
            rows.append((entry.seat_id, entry.before, entry.after))
            continue
        if entry.kind in ("mended", "opened_again"):
            reopened = entry.kind == "opened_again"
            changes = () if reopened else tuple(rows)
            yield Correction(
                entry.round_number, entry.at, entry.device_name, entry.reason, reopened, changes
            )
        if entry.kind in ("closed", "mended", "opened_again"):
            rows = []


def _particulars(session: Session, *conditions: Any) -> Iterator[Particulars]:
    rows = session.execute(
        select(
            KeptGame.id,
            KeptGame.key,
            KeptGame.group_id,
            KeptGame.variant_id,
            KeptGame.rules["name"].as_string(),
            KeptGame.rules["keep_score"]["value"].as_string(),
            KeptGame.title,
            KeptGame.note,
            KeptGame.started_at,
            KeptGame.finished_at,
            KeptGame.archived_at,
            KeptGame.on_paper,
            KeptGame.share_key,
        ).where(*conditions)
    )
    for row in rows:
        plain = (*row[:5], row[5] == "yes", *row[6:10], row[10] is not None, *row[11:])
        yield Particulars(*plain)
