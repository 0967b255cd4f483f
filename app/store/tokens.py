"""Table of the tokens with which other programs speak for a group."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base


class Token(Base):
    """What lets one program into one group with one role; its secret is kept as a hash alone."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    """What the manager calls the program; it stands in the log of games."""
    role: Mapped[str] = mapped_column(String(8))
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("devices.id", ondelete="CASCADE"))
    """The device that made it; None for one of the time before this was kept."""
