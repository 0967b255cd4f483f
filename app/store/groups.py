"""Tables of who shares a history: groups, the devices that were let in, and players."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.store.base import Base


class Group(Base):
    """The people who share a history."""

    __tablename__ = "groups"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]


class Device(Base):
    """A browser that was let in somewhere; its cookie's secret is kept as a hash alone."""

    __tablename__ = "devices"

    id: Mapped[int] = mapped_column(primary_key=True)
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id", ondelete="SET NULL"))
    """The group that it looks at now."""


class Membership(Base):
    """A device's role (watch, score or manage) in a group."""

    __tablename__ = "memberships"
    __table_args__ = (UniqueConstraint("device_id", "group_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("devices.id", ondelete="CASCADE"))
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    role: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[datetime]
    group: Mapped[Group] = relationship()


class Player(Base):
    """A person in a group. `name_key` is the name as names are compared: without case."""

    __tablename__ = "players"
    __table_args__ = (UniqueConstraint("group_id", "name_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(40))
    name_key: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]
