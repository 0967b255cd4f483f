"""Reads that decide who may do what: a device by its secret, its role for a game."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.store.games import KeptGame
from app.store.groups import Device, Membership


@dataclass(frozen=True, slots=True)
class Let:
    """What a device was let in to: a group and its role there; for a game also the game's id."""

    group: int
    role: str
    game: int | None = None


def device_of(session: Session, secret_hash: str) -> tuple[int, int | None] | None:
    """The device with that secret and the group it looks at; None for a stranger."""
    row = session.execute(
        select(Device.id, Device.group_id).where(Device.secret_hash == secret_hash)
    ).first()
    return None if row is None else (row.id, row.group_id)


def let_in_to_group(session: Session, device: int, group: int) -> Let | None:
    """The device's role in a group; None where it was not let in."""
    role = session.scalar(
        select(Membership.role).where(Membership.device_id == device, Membership.group_id == group)
    )
    return None if role is None else Let(group, role)


def let_in_to_game(session: Session, device: int, key: str) -> Let | None:
    """The device's role in the group of the game with that key; None where it was not let in."""
    row = session.execute(
        select(Membership.group_id, Membership.role, KeptGame.id)
        .join(KeptGame, KeptGame.group_id == Membership.group_id)
        .where(Membership.device_id == device, KeptGame.key == key, KeptGame.deleted_at.is_(None))
    ).first()
    return None if row is None else Let(row.group_id, row.role, row.id)
