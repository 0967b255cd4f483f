"""Reads that decide who may do what, and that tell who is in a group."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.store.games import KeptGame
from app.store.groups import Device, Group, Invitation, Link, Membership, Player


@dataclass(frozen=True, slots=True)
class Known:
    """A device that asks: what its owner calls it, and the group that it looks at."""

    id: int
    name: str
    group: int | None


@dataclass(frozen=True, slots=True)
class Let:
    """What a device was let in to: a group and its role there; for a game also the game's id.

    `player` is whose phone it is, `seen_at` when it was noted last in that group.
    """

    group: int
    role: str
    player: int | None
    player_name: str | None
    seen_at: datetime | None
    game: int | None = None
    version: int | None = None


def device_of(session: Session, secret_hash: str) -> Known | None:
    """The device with that secret; None for a stranger."""
    row = session.execute(
        select(Device.id, Device.name, Device.group_id).where(Device.secret_hash == secret_hash)
    ).first()
    return None if row is None else Known(*row)


_LET = (
    Membership.group_id,
    Membership.role,
    Membership.player_id,
    Player.name,
    Membership.seen_at,
)


def let_in_to_group(session: Session, device: int, group: int) -> Let | None:
    """The device's role in a group; None where it was not let in."""
    row = session.execute(
        select(*_LET)
        .outerjoin(Player, Player.id == Membership.player_id)
        .where(Membership.device_id == device, Membership.group_id == group)
    ).first()
    return None if row is None else Let(*row)


def let_in_to_game(session: Session, device: int, key: str) -> Let | None:
    """The device's role in the group of the game with that key; None where it was not let in."""
    row = session.execute(
        select(*_LET, KeptGame.id, KeptGame.version)
        .outerjoin(Player, Player.id == Membership.player_id)
        .join(KeptGame, KeptGame.group_id == Membership.group_id)
        .where(Membership.device_id == device, KeptGame.key == key)
    ).first()
    return None if row is None else Let(*row)


@dataclass(frozen=True, slots=True)
class WayIn:
    """A link or a join code that is good now: to which group, as what."""

    id: int
    group: int
    group_name: str
    role: str


def link_of(session: Session, secret_hash: str) -> WayIn | None:
    """The link with that secret; None for one that is none, or was replaced."""
    row = session.execute(
        select(Link.id, Link.group_id, Group.name, Link.role)
        .join(Group, Group.id == Link.group_id)
        .where(Link.secret_hash == secret_hash)
    ).first()
    return None if row is None else WayIn(*row)


def invitation_of(session: Session, code_hash: str, at: datetime) -> WayIn | None:
    """The join code that is good at that moment; None for one that is none, or is over."""
    row = session.execute(
        select(Invitation.id, Invitation.group_id, Group.name, Invitation.role)
        .join(Group, Group.id == Invitation.group_id)
        .where(Invitation.code_hash == code_hash, Invitation.ends_at > at)
    ).first()
    return None if row is None else WayIn(*row)


@dataclass(frozen=True, slots=True)
class MadeLink:
    """The link of a role, as far as it is kept."""

    role: str
    secret_hash: str
    created_at: datetime


def links_of(session: Session, group: int) -> Sequence[MadeLink]:
    """The links of a group."""
    rows = session.execute(
        select(Link.role, Link.secret_hash, Link.created_at).where(Link.group_id == group)
    )
    return [MadeLink(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class InGroup:
    """A device in a group: what it is called, whose it is, what it may do, when it was seen."""

    device: int
    name: str
    role: str
    player: int | None
    player_name: str | None
    seen_at: datetime | None
    since: datetime
    link: int | None
    """The link that it came in by."""


def devices_of(session: Session, group: int) -> Sequence[InGroup]:
    """The devices in a group, those seen last first."""
    rows = session.execute(
        _in_group()
        .where(Membership.group_id == group)
        .order_by(Membership.seen_at.desc(), Membership.id)
    )
    return [InGroup(*row) for row in rows]


def device_in_group(session: Session, device: int, group: int) -> InGroup | None:
    """A device as it is known in a group; None where it is not in it."""
    row = session.execute(
        _in_group().where(Membership.group_id == group, Membership.device_id == device)
    ).first()
    return None if row is None else InGroup(*row)


def _in_group() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Membership.device_id,
            Device.name,
            Membership.role,
            Membership.player_id,
            Player.name,
            Membership.seen_at,
            Membership.created_at,
            Membership.link_id,
        )
        .join(Device, Device.id == Membership.device_id)
        .outerjoin(Player, Player.id == Membership.player_id)
    )


@dataclass(frozen=True, slots=True)
class InDevice:
    """A group that a device is in, and its role there."""

    group: int
    name: str
    role: str


def groups_of(session: Session, device: int) -> Sequence[InDevice]:
    """The groups that a device is in, by name."""
    rows = session.execute(
        select(Group.id, Group.name, Membership.role)
        .join(Membership, Membership.group_id == Group.id)
        .where(Membership.device_id == device)
        .order_by(Group.name, Group.id)
    )
    return [InDevice(*row) for row in rows]


def group_name(session: Session, group: int) -> str:
    """What a group is called."""
    return session.scalars(select(Group.name).where(Group.id == group)).one()


def players_of(session: Session, group: int) -> Sequence[tuple[int, str]]:
    """The players of a group, id and name, by name."""
    rows = session.execute(
        select(Player.id, Player.name).where(Player.group_id == group).order_by(Player.name_key)
    )
    return [(row.id, row.name) for row in rows]
