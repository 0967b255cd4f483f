"""Reads for the record of one game: what it is called, edits, rulings, a past result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from app.scorebook.events.entries import EntryChanged
from app.scorebook.events.rounds import RoundEdited, RoundReopened
from app.scorebook.game import Stop
from app.store.games import RecordedRuling, StoredGame, StoredPastResult, StoredSeat
from app.store.groups import Player
from app.store.queries.log import edits_in_log, group_by_change


@dataclass(frozen=True, slots=True)
class GameDetails:
    """What is kept of a game beside its rounds."""

    id: int
    key: str
    group: int
    variant_id: str
    variant_name: str
    keeps_score: bool
    title: str
    note: str
    started_at: datetime
    finished_at: datetime | None
    archived: bool
    results_only: bool
    share_key: str | None
    stopped: Stop | None

    @property
    def has_result(self) -> bool:
        """Is it over, and does what it came to count?"""
        return self.finished_at is not None and self.stopped != "no_result"


PastSeatResult = Row[int, int, str, int, int, int | None]
"""What a seat came to in a past result: `seat`, `player`, `name`, `position`, `place`, `score`."""


@dataclass(frozen=True, slots=True)
class RoundEdit:
    """A round that was mended or opened again: when, by whom, and what changed in its rows."""

    round_number: int
    at: datetime
    device_name: str
    reason: str
    is_reopening: bool
    changes: tuple[EntryChanged, ...]


def game_details(session: Session, game_id: int) -> GameDetails:
    """What is kept of the game with that id."""
    return next(_game_details(session, StoredGame.id == game_id))


def shared_game(session: Session, share_key: str) -> GameDetails | None:
    """The game whose result is shared under that key; None if none is, or no longer."""
    shared = (StoredGame.share_key == share_key, StoredGame.deleted_at.is_(None))
    about = next(_game_details(session, *shared), None)
    return about if about and about.has_result else None


def past_seat_results_of(session: Session, game_id: int) -> Sequence[PastSeatResult]:
    """What the seats of a game with results only came to, best place first."""
    return session.execute(
        select(
            StoredSeat.id.label("seat"),
            StoredSeat.player_id.label("player"),
            Player.name,
            StoredSeat.position,
            StoredPastResult.place,
            StoredPastResult.score,
        )
        .join(StoredSeat, StoredSeat.id == StoredPastResult.seat_id)
        .join(Player, Player.id == StoredSeat.player_id)
        .where(StoredSeat.game_id == game_id)
        .order_by(StoredPastResult.place, StoredSeat.position)
    ).all()


def round_edits_of(session: Session, game_id: int) -> Sequence[RoundEdit]:
    """What was edited in the ended rounds of a game, in the order in which it was done."""
    found: list[RoundEdit] = []
    for change in group_by_change(edits_in_log(session, game_id)):
        entries = [one.event for one in change if isinstance(one.event, EntryChanged)]
        for one in change:
            match one.event:
                case RoundReopened(number):
                    found.append(RoundEdit(number, one.at, one.device_name, "", True, ()))
                case RoundEdited(number, reason):
                    of_round = tuple(entry for entry in entries if entry.round_number == number)
                    edited = RoundEdit(number, one.at, one.device_name, reason, False, of_round)
                    found.append(edited)
    return found


def _game_details(session: Session, *conditions: Any) -> Iterator[GameDetails]:
    rows = session.execute(
        select(
            StoredGame.id,
            StoredGame.key,
            StoredGame.group_id,
            StoredGame.variant_id,
            StoredGame.rules["name"].as_string(),
            StoredGame.rules["keep_score"]["value"].as_string() == "yes",
            StoredGame.title,
            StoredGame.note,
            StoredGame.started_at,
            StoredGame.finished_at,
            StoredGame.archived_at.is_not(None),
            StoredGame.results_only,
            StoredGame.share_key,
            StoredGame.stopped,
        ).where(*conditions)
    )
    for row in rows:
        yield GameDetails(*row)


ListedRuling = Row[int, datetime, str, str, Mapping[str, Any] | None, str, str, str]
"""A recorded ruling: its columns, and in `asked_by` the name of who asked, blank for no one."""


def rulings_of(session: Session, game_id: int) -> Sequence[ListedRuling]:
    """What was disputed in a game, in the order in which it was recorded."""
    return session.execute(
        select(
            RecordedRuling.round_number,
            RecordedRuling.at,
            RecordedRuling.question,
            RecordedRuling.verdict,
            RecordedRuling.recorded_verdict,
            func.coalesce(Player.name, "").label("asked_by"),
            RecordedRuling.decision,
            RecordedRuling.reason,
        )
        .outerjoin(StoredSeat, StoredSeat.id == RecordedRuling.asking_seat_id)
        .outerjoin(Player, Player.id == StoredSeat.player_id)
        .where(RecordedRuling.game_id == game_id)
        .order_by(RecordedRuling.id)
    ).all()
