"""Tables of who shares a history: groups, devices, programs and players.

And of what else is theirs: rules, seasons, keys of requests that were answered, files to import.
A secret (of a device's cookie, a link, a join code or a token) is kept as a hash alone.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.rules.phrases import translatable
from app.scorebook.marks import Mark
from app.scorebook.seasons import Measure
from app.store.base import Base, PlayerMark, Tuples

UNNAMED_GROUP = translatable("My group")
"""The name of a group until people give it one."""


class Group(Base):
    """The people who share a history."""

    __tablename__ = "groups"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]
    milestones: Mapped[bool] = mapped_column(default=True)
    """Are milestones told?"""
    abandoned_at: Mapped[datetime | None]
    """When it was found that nobody used it any more (`ABANDONED_DAYS`)."""


class Device(Base):
    """A browser that was let in somewhere; `name` is its kind until its owner says another."""

    __tablename__ = "devices"

    id: Mapped[int] = mapped_column(primary_key=True)
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    name: Mapped[str] = mapped_column(String(40), default="")
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id", ondelete="SET NULL"))
    """The group that it looks at now."""


class Link(Base):
    """The lasting way into a group for one role; making a new one takes this one's place."""

    __tablename__ = "links"
    __table_args__ = (UniqueConstraint("group_id", "role"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(8))
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("devices.id", ondelete="CASCADE"))
    """The device that made it; None: the shell, or a device of the time before this was kept."""


class Invitation(Base):
    """A short join code for one role, for ten minutes at most: its page ends it as it is left.

    Without scripts the page does not.
    """

    __tablename__ = "invitations"

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("devices.id", ondelete="CASCADE"))
    """The device that made it."""
    role: Mapped[str] = mapped_column(String(8))
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    """The game from which it was made, to which it leads."""
    ends_at: Mapped[datetime]


class _DeviceInGroup:
    """What a device is in a group, or was: the columns that `Membership` and `Removal` share."""

    id: Mapped[int] = mapped_column(primary_key=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("devices.id", ondelete="CASCADE"))
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    role: Mapped[str] = mapped_column(String(8))
    created_at: Mapped[datetime]
    """Since when it is in the group."""
    seen_at: Mapped[datetime | None]
    let_in_by_id: Mapped[int | None] = mapped_column(ForeignKey("devices.id", ondelete="SET NULL"))
    """The device that let it in by a link or code, or gave it a greater role since, where that is
    known."""
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    """The player whose device this is, where its owner said so."""


class Membership(_DeviceInGroup, Base):
    """A device's role (watch, score or manage) in a group."""

    __tablename__ = "memberships"
    __table_args__ = (UniqueConstraint("device_id", "group_id"),)

    link_id: Mapped[int | None] = mapped_column(
        ForeignKey("links.id", ondelete="SET NULL"), index=True
    )
    """The link by which it has its role, or that took its place, while there is one."""
    way_back_dismissed: Mapped[bool] = mapped_column(default=False)
    """It was told that the group is lost with this device, and does not want to hear it again."""


class Removal(_DeviceInGroup, Base):
    """What a device was in a group before others removed it: to undo that, and to tell it so."""

    __tablename__ = "removals"
    __table_args__ = (UniqueConstraint("device_id", "group_id"),)

    removed_at: Mapped[datetime]
    link_id: Mapped[int | None] = mapped_column(ForeignKey("links.id", ondelete="SET NULL"))


class Player(Base):
    """A person in a group. `name_key` is the name as names are compared: without case."""

    __tablename__ = "players"
    __table_args__ = (UniqueConstraint("group_id", "name_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(40))
    name_key: Mapped[str] = mapped_column(String(120))
    """A letter may become three: there is one that is written ﬃ."""
    created_at: Mapped[datetime]
    archived_at: Mapped[datetime | None]
    """Since when the player is no longer offered for new games."""
    merged_into_id: Mapped[int | None] = mapped_column(
        ForeignKey("players.id", ondelete="SET NULL"), index=True
    )
    """The player who is the same person and has taken over all games of this one."""
    mark: Mapped[Mark] = mapped_column(PlayerMark, default=Mark())


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
    seen_at: Mapped[datetime | None]
    """When it was noted last that the program asked."""


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
    """When it was removed from the list; it can be restored."""


class UsualRules(Base):
    """The house rules with which a group's games of one rule set begin."""

    __tablename__ = "default_rules"
    __table_args__ = (UniqueConstraint("group_id", "variant_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    variant_id: Mapped[str] = mapped_column(String(60))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Field and value, as `with_house_rules` takes them."""
    changed_at: Mapped[datetime]


class StoredSeason(Base):
    """A season of a group: of a year, of days, or of a number of evenings from a day on.

    A year is a season by itself; it has a row once its rules were chosen or its table decided.
    """

    __tablename__ = "seasons"
    __table_args__ = (UniqueConstraint("group_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(16))
    """Names it in the group; a year's is the year."""
    name: Mapped[str] = mapped_column(String(40))
    since: Mapped[datetime]
    until: Mapped[datetime | None]
    """The moment before which it ends; empty while a number of evenings is yet to say when."""
    evenings: Mapped[int | None]
    variants: Mapped[tuple[str, ...] | None] = mapped_column(Tuples)
    """The ids of the rule sets that count; all where none is named."""
    measure: Mapped[Measure] = mapped_column(String(16))
    place_points: Mapped[tuple[int, ...] | None] = mapped_column(Tuples)
    best_of: Mapped[int | None]
    least_games: Mapped[int]
    decided: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True))
    """What the evenings of each player had come to when it was decided: the fields of
    `EveningSums`."""
    champions: Mapped[tuple[int, ...] | None] = mapped_column(Tuples)
    """The ids of who won, once it is decided."""
    changed_games: Mapped[tuple[str, ...] | None] = mapped_column(Tuples)
    """The keys of games that changed since it was decided, until somebody says what follows."""


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
    """A file to import, compressed, that waits for a yes (`app/actions/uploads.py`)."""

    __tablename__ = "uploads"

    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(120))
    content: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
