"""The table of files that were sent and wait for a yes: any process can answer it."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base


class Upload(Base):
    """A file to bring in, compressed, after its preview was shown; gone after a day."""

    __tablename__ = "uploads"

    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(120))
    content: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
