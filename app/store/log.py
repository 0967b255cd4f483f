"""Table of what was changed: the log of each game."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base


class LogEntry(Base):
    """One event of a game, written in the transaction of its change and never altered.

    `version` is the game's version after it; `kind` the verb; `before` and `after` hold what
    changed; `device_id` is empty for what the shell did.
    """

    __tablename__ = "log"
    __table_args__ = (
        UniqueConstraint("game_id", "version"),
        Index(None, "game_id", "change", "version"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    version: Mapped[int]
    change: Mapped[int]
    """The version of the first entry that the same request wrote: those with it are one change."""
    at: Mapped[datetime]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("devices.id", ondelete="SET NULL"))
    device_name: Mapped[str] = mapped_column(String(40), default="")
    """What the device was called then."""
    kind: Mapped[str] = mapped_column(String(24))
    round_number: Mapped[int | None]
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id", ondelete="SET NULL"))
    before: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    after: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    reason: Mapped[str] = mapped_column(String(200), default="")
