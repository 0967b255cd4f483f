"""What is kept of a game beside its rounds and its log: its title, rulings, a past result."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, case, func, select
from sqlalchemy.orm import Session

from app.scorebook.events.games import RuleChanged
from app.scorebook.game import Stop
from app.scorebook.marks import Mark
from app.store.base import columns_of
from app.store.games import (
    NAME_OF_RULES,
    LogEntry,
    RecordedRuling,
    StoredGame,
    StoredPastResult,
    StoredRuleChange,
    StoredSeat,
    StoredStandIn,
)
from app.store.groups import Player


@dataclass(frozen=True, slots=True)
class GameDetails:
    """A game's title and note, its dates, and what became of it."""

    id: int
    key: str
    version: int
    group: int
    variant_id: str
    variant_name: str
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


PastSeatResult = Row[int, int, str, Mark, int, int | None]
"""What a seat came to in a past result: `seat`, `player`, `name`, `mark`, `place`, `score`."""


_DETAILS = select(
    *columns_of(
        GameDetails,
        StoredGame,
        group=StoredGame.group_id,
        variant_name=NAME_OF_RULES,
        archived=StoredGame.archived_at.is_not(None),
    ).values()
)


def game_details(session: Session, game_id: int) -> GameDetails:
    """What is kept of the game with that id."""
    return GameDetails(*session.execute(_DETAILS.where(StoredGame.id == game_id)).one())


def shared_game(session: Session, share_key: str) -> GameDetails | None:
    """The game whose result is shared under that key; None if none is, or no longer."""
    shared = _DETAILS.where(StoredGame.share_key == share_key, StoredGame.deleted_at.is_(None))
    row = session.execute(shared).first()
    about = row and GameDetails(*row)
    return about if about and about.has_result else None


def past_seat_results_of(session: Session, game_id: int) -> Sequence[PastSeatResult]:
    """What the seats of a game with results only came to, best place first."""
    return session.execute(
        select(
            StoredSeat.id.label("seat"),
            StoredSeat.player_id.label("player"),
            Player.name,
            Player.mark,
            StoredPastResult.place,
            StoredPastResult.score,
        )
        .join(StoredSeat, StoredSeat.id == StoredPastResult.seat_id)
        .join(Player, Player.id == StoredSeat.player_id)
        .where(StoredSeat.game_id == game_id)
        .order_by(StoredPastResult.place, StoredSeat.position)
    ).all()


_ASKER = func.coalesce(
    select(StoredStandIn.player_id)
    .where(
        StoredStandIn.seat_id == RecordedRuling.asking_seat_id,
        StoredStandIn.from_round <= RecordedRuling.round_number,
    )
    .order_by(StoredStandIn.from_round.desc())
    .limit(1)
    .scalar_subquery(),
    StoredSeat.player_id,
)
"""Who held the seat that asked in the round of the ruling."""

ListedRuling = Row[int, datetime, str, str, Mapping[str, Any] | None, str, str, str]
"""A recorded ruling: its columns, and in `asked_by` the name of who asked, or blank."""


def rulings_of(session: Session, game_id: int) -> Sequence[ListedRuling]:
    """The rulings of a game, in the order in which they were recorded."""
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
        .outerjoin(Player, Player.id == _ASKER)
        .where(RecordedRuling.game_id == game_id, RecordedRuling.removed_at.is_(None))
        .order_by(RecordedRuling.id)
    ).all()


@dataclass(frozen=True, slots=True)
class GroupRuling:
    """A ruling in the list of a group's."""

    id: int
    game_key: str
    game_name: str
    round_number: int
    at: datetime
    question: str
    verdict: str
    recorded_verdict: Mapping[str, Any] | None
    asked_by: str
    decision: str
    reason: str
    changes_rules: bool
    """Did a house rule change with it, and does that still hold in its game?"""


def group_rulings(
    session: Session, group: int, most: int, *, before: int | None = None
) -> Sequence[GroupRuling]:
    """The rulings of a group's games, the last one first; of one's id, those before that one."""
    ruling = RecordedRuling
    switched = (
        select(LogEntry.after)
        .where(
            LogEntry.game_id == ruling.game_id,
            LogEntry.kind == RuleChanged.kind,
            LogEntry.at == ruling.at,
        )
        .limit(1)
        .scalar_subquery()
    )
    rows = session.execute(
        select(
            ruling.id,
            StoredGame.key,
            case((StoredGame.title != "", StoredGame.title), else_=NAME_OF_RULES),
            ruling.round_number,
            ruling.at,
            ruling.question,
            ruling.verdict,
            ruling.recorded_verdict,
            func.coalesce(Player.name, ""),
            ruling.decision,
            ruling.reason,
            ruling.game_id,
            switched.label("switched"),
        )
        .join(StoredGame, StoredGame.id == ruling.game_id)
        .outerjoin(StoredSeat, StoredSeat.id == ruling.asking_seat_id)
        .outerjoin(Player, Player.id == _ASKER)
        .where(
            StoredGame.group_id == group,
            StoredGame.deleted_at.is_(None),
            ruling.removed_at.is_(None),
            *([ruling.id < before] if before else []),
        )
        .order_by(ruling.id.desc())
        .limit(most)
    ).all()
    change = StoredRuleChange
    games = {row.game_id for row in rows if row.switched}
    held = session.execute(
        select(change.game_id, change.from_round, change.field).where(change.game_id.in_(games))
    )
    holding = set(map(tuple, held)) if games else set()

    def still_holds(row: Any) -> bool:
        made = {(row.game_id, row.round_number, field) for field in row.switched or ()}
        return not made.isdisjoint(holding)

    return [GroupRuling(*(*row[:-2], still_holds(row))) for row in rows]


def rules_switched(session: Session, game_id: int) -> Mapping[datetime, Collection[str]]:
    """The fields of the house rules that a game changed on its way, by the moment of the change."""
    rows = session.execute(
        select(LogEntry.at, LogEntry.after).where(
            LogEntry.game_id == game_id, LogEntry.kind == RuleChanged.kind
        )
    )
    return {at: fields.keys() for at, fields in rows}
