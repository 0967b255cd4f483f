"""Tables of a group's own rules: rule sets that it made or brought in, and its house rules."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base


class StoredRuleSet(Base):
    """A group's own rule set; `document` is what `to_dict` gives, its id the `key`.

    The key is the group's: another group into which it was imported has it by the same key. Games
    keep a copy of their own, so nothing that happens here alters a game.
    """

    __tablename__ = "rule_sets"
    __table_args__ = (UniqueConstraint("group_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    key: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(60))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    version: Mapped[int] = mapped_column(default=1)
    """Goes up by one with each change; what a form compares before it overwrites."""
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]
    removed_at: Mapped[datetime | None]
    """When it was taken off the list; it can be brought back."""


class DefaultRules(Base):
    """The house rules with which a group's games of one rule set begin."""

    __tablename__ = "default_rules"
    __table_args__ = (UniqueConstraint("group_id", "variant_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    variant_id: Mapped[str] = mapped_column(String(60))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Field and value, as `with_house_rules` takes them."""
    changed_at: Mapped[datetime]
