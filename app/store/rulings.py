"""Tables of what was disputed in a game: recorded rulings, and house rules switched on by them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base


class RecordedRuling(Base):
    """A dispute: the question as the checker's address asks it, the verdict, what was decided.

    `decision` is empty where the table took the verdict as it is.
    """

    __tablename__ = "recorded_rulings"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    round_number: Mapped[int]
    at: Mapped[datetime]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("devices.id", ondelete="SET NULL"))
    question: Mapped[str] = mapped_column(String(2000))
    verdict: Mapped[str] = mapped_column(String(400))
    recorded_verdict: Mapped[dict[str, Any] | None] = mapped_column(
        "said", JSON(none_as_null=True), key="recorded_verdict"
    )
    """The verdict for every language (`app.rules.recorded_verdicts`); `verdict` is its English.
    Empty where version 1.0.0 recorded it."""
    asking_seat_id: Mapped[int | None] = mapped_column(
        "asked_by_id", ForeignKey("seats.id", ondelete="SET NULL"), key="asking_seat_id"
    )
    decision: Mapped[str] = mapped_column("decided", String(200), key="decision", default="")
    reason: Mapped[str] = mapped_column(String(200), default="")


class StoredRuleChange(Base):
    """A house rule that holds from one round on. The game's frozen rules stay as they were."""

    __tablename__ = "rule_changes"
    __table_args__ = (UniqueConstraint("game_id", "from_round", "field"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    from_round: Mapped[int]
    field: Mapped[str] = mapped_column(String(40))
    value: Mapped[Any] = mapped_column(JSON)
