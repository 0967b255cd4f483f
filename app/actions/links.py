"""The three lasting ways into a group: one secret link for each role.

The secrets are unrelated to each other, and only their hashes are kept. So a link can be shown
again only on the phone that made it, which keeps it in a cookie of its own.
"""

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app.actions.by import By
from app.actions.groups import Asker, Joined, Role, admit, new_secret, role_of, secret_hash
from app.actions.idempotency import claim
from app.store.groups import Link, Membership
from app.store.queries.access import link_of


def make_link(session: Session, group: int, role: Role, by: By) -> str | None:
    """Make the link of a role; answers its secret, which is not kept: None for a repeat.

    A link that was there ends at once, with every session that came in by it, except that of the
    device that replaces it.
    """
    if claim(session, by) is not None:
        return None
    old = session.scalar(select(Link).where(Link.group_id == group, Link.role == role.word))
    came_by_it = _came_by(session, old, by.device)
    if old is not None:
        session.execute(update(Membership).where(Membership.id == came_by_it).values(link_id=None))
        session.execute(delete(Membership).where(Membership.link_id == old.id))
        session.delete(old)
        session.flush()
    secret = new_secret()
    link = Link(group_id=group, role=role.word, secret_hash=secret_hash(secret), created_at=by.at)
    session.add(link)
    session.flush()
    session.execute(update(Membership).where(Membership.id == came_by_it).values(link_id=link.id))
    session.commit()
    return secret


def join_by_link(session: Session, secret: str, asker: Asker, by: By) -> Joined | None:
    """Let a device in by a link; None for a link that is none."""
    link = link_of(session, secret_hash(secret))
    role = role_of(link.role) if link else None
    if link is None or role is None:
        return None
    joined = admit(session, asker, link.group, role, by.at, link=link.id)
    session.commit()
    return joined


def _came_by(session: Session, link: Link | None, device: int | None) -> int | None:
    if link is None:
        return None
    return session.scalar(
        select(Membership.id).where(Membership.link_id == link.id, Membership.device_id == device)
    )
