"""Tables of what was sent: keys of requests that were answered, files that wait for a yes."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base


class IdempotencyKey(Base):
    """A key that its sender used for a request that was carried out, or for a tap that was not.

    It is written in the transaction of the change, so that no change is kept without it.
    """

    __tablename__ = "idempotency_keys"

    sender: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The hash of the secret of a device or token; no other is ever given the same."""
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    """What was asked for; the same key for anything else is refused, but for what comes in the
    place of a tap that was refused or unreadable."""
    result: Mapped[str] = mapped_column(String(40), default="")
    """What a repeat is answered (`once_answering`); what became of a tap (`REFUSED`,
    `UNREADABLE`); empty of all else."""
    at: Mapped[datetime] = mapped_column(index=True)


class Upload(Base):
    """A file to import, compressed, that waits for a yes (`app/actions/importing.py`)."""

    __tablename__ = "uploads"

    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(120))
    content: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
