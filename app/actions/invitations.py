"""The way in across the table: a short code, for one role, while the host's page is open."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, or_
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.groups import AdmittedDevice, JoiningBrowser, Role, secret_hash
from app.actions.memberships import check_manages, join_group
from app.store.groups import Invitation
from app.store.queries.access import invitation_of

LASTS = timedelta(minutes=10)
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that look alike
CODE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """A code that was made just now; `id` ends it."""

    id: int
    code: str
    ends_at: datetime


def make_join_code(
    session: Session, actor: Actor, group: int, role: Role, device: int
) -> NewInvitation:
    """Make a join code; one that the same device made before ends, and so do all old ones.

    Raises `Refused` for a device that manages the group no longer.
    """
    check_manages(session, actor, group)
    session.execute(
        delete(Invitation).where(or_(Invitation.device_id == device, Invitation.ends_at < actor.at))
    )
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    made = Invitation(
        group_id=group,
        device_id=device,
        role=role.slug,
        code_hash=secret_hash(code),
        ends_at=actor.at + LASTS,
    )
    session.add(made)
    session.flush()
    invited = NewInvitation(made.id, code, made.ends_at)
    session.commit()
    return invited


def end_invitation(session: Session, invitation: int, device: int) -> None:
    """End a code of this device's, because its page was left."""
    session.execute(
        delete(Invitation).where(Invitation.id == invitation, Invitation.device_id == device)
    )
    session.commit()


def is_code(typed: str) -> bool:
    """Could that be a join code?"""
    code = plain_code(typed)
    return len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS)


def plain_code(typed: str) -> str:
    """A join code as it is kept: without blanks and dashes, in capitals."""
    return "".join(typed.split()).replace("-", "").upper()


def join_by_code(
    session: Session, actor: Actor, typed: str, asker: JoiningBrowser
) -> AdmittedDevice | None:
    """Let a device in by a code; None for a code that is none, or is over."""
    code_hash = secret_hash(plain_code(typed))
    return join_group(session, actor, lambda: invitation_of(session, code_hash, actor.at), asker)
