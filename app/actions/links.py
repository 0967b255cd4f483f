"""The three lasting ways into a group: one secret link for each role.

The secrets are unrelated to each other, and only their hashes are kept. So a link can be shown
again only on the phone that made it, which keeps it in a cookie of its own.
"""

from collections.abc import Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.groups import (
    AdmittedDevice,
    JoiningBrowser,
    Role,
    new_secret,
    role_of,
    secret_hash,
)
from app.actions.idempotency import once
from app.actions.memberships import check_manages, end_memberships, join_group
from app.store.groups import Link, Membership
from app.store.queries.access import devices_joined_by_link, link_of, links_of


@once
def make_link(session: Session, actor: Actor, group: int, role: Role, *, keep: bool = False) -> str:
    """Make the link of a role; answers its secret, which is not kept: None for a repeat.

    A link that was there ends at once. Unless they are to be kept, so does the membership of each
    device that came in by it or was let in by such a device, except of the one that replaces it.
    Raises `Refused` for a device that manages the group no longer.
    """
    check_manages(session, actor, group)
    return _make_link(session, actor, group, role, keep=keep)


@once
def replace_links(session: Session, actor: Actor, group: int) -> dict[Role, str]:
    """Replace every link that the group has, and keep all who are in; answers the secrets."""
    check_manages(session, actor, group)
    roles = [role_of(link.role) for link in links_of(session, group)]
    return {role: _make_link(session, actor, group, role, keep=True) for role in roles if role}


def join_by_link(
    session: Session, actor: Actor, secret: str, asker: JoiningBrowser
) -> AdmittedDevice | None:
    """Let a device in by a link; None for a link that is none."""
    kept = secret_hash(secret)
    return join_group(session, actor, lambda: link_of(session, kept), asker)


def _make_link(session: Session, actor: Actor, group: int, role: Role, *, keep: bool) -> str:
    if not keep:
        came = devices_joined_by_link(session, group, role.slug, but=actor.device)
        end_memberships(session, group, came)
    old = session.scalar(select(Link.id).where(Link.group_id == group, Link.role == role.slug))
    stay: Sequence[int] = ()
    if old is not None:  # else they would be all, of all groups, who came in by no link
        stay = session.scalars(select(Membership.id).where(Membership.link_id == old)).all()
        session.execute(delete(Link).where(Link.id == old))
    secret = new_secret()
    link = Link(
        group_id=group,
        role=role.slug,
        secret_hash=secret_hash(secret),
        created_at=actor.at,
        device_id=actor.device,
    )
    session.add(link)
    session.flush()
    session.execute(update(Membership).where(Membership.id.in_(stay)).values(link_id=link.id))
    return secret
