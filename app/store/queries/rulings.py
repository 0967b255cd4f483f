"""Reads of what was disputed in a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.store.games import StoredSeat
from app.store.groups import Player
from app.store.rulings import RecordedRuling


@dataclass(frozen=True, slots=True)
class ListedRuling:
    """A recorded ruling as it is shown."""

    round_number: int
    at: datetime
    question: str
    verdict: str
    recorded_verdict: Mapping[str, Any] | None
    asked_by: str
    decision: str
    reason: str


def rulings_of(session: Session, game_id: int) -> Sequence[ListedRuling]:
    """What was disputed in a game, in the order in which it was recorded."""
    rows = session.execute(
        select(
            RecordedRuling.round_number,
            RecordedRuling.at,
            RecordedRuling.question,
            RecordedRuling.verdict,
            RecordedRuling.recorded_verdict,
            func.coalesce(Player.name, ""),
            RecordedRuling.decision,
            RecordedRuling.reason,
        )
        .outerjoin(StoredSeat, StoredSeat.id == RecordedRuling.asking_seat_id)
        .outerjoin(Player, Player.id == StoredSeat.player_id)
        .where(RecordedRuling.game_id == game_id)
        .order_by(RecordedRuling.id)
    )
    return [ListedRuling(*row) for row in rows]
