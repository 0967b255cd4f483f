"""Groups and the devices in them: made quietly by the first game on a fresh browser."""

import hashlib
import secrets
from datetime import datetime
from enum import IntEnum

from sqlalchemy.orm import Session

from app.store.groups import Device, Group, Membership


class Role(IntEnum):
    """What a device may do in a group; a greater role may do all that a lesser one may."""

    WATCH = 1
    SCORE = 2
    MANAGE = 3


def secret_hash(secret: str) -> str:
    """What is kept of a secret. No slow hash is needed: the secret has 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def let_in_first_device(session: Session, device: int | None, at: datetime) -> tuple[Group, str]:
    """Make a group that this device, or a new one, manages; answers a new device's secret."""
    group = Group(name="Our table", created_at=at)
    session.add(group)
    kept = session.get(Device, device) if device else None
    secret = ""
    if kept is None:
        secret = secrets.token_urlsafe(32)
        kept = Device(secret_hash=secret_hash(secret), created_at=at)
        session.add(kept)
    session.flush()
    kept.group_id = group.id
    session.add(
        Membership(
            device_id=kept.id, group_id=group.id, role=Role.MANAGE.name.lower(), created_at=at
        )
    )
    session.flush()
    return group, secret
