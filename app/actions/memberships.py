"""How devices come into a group by what others made for them, and how they leave it.

Whatever a device made to let others in (join codes, links, tokens) is good only while that device
may let others in itself: `is_valid` in `store/queries/access.py` is that rule, and every way
in is looked up by it. Here it is deleted as well as soon as its maker is out, so that nothing comes
back to life when that device is let in again. Changes to who is in wait for each other.
"""

from collections.abc import Callable, Collection

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.groups import AdmittedDevice, JoiningBrowser, Role, admit, lock_group, role_of
from app.actions.idempotency import once
from app.rules.phrases import say
from app.scorebook.refusals import refusal
from app.store.groups import Device, Invitation, Link, Membership
from app.store.queries.access import ValidInvite, devices_invited_by
from app.store.tokens import Token


def check_manages(session: Session, actor: Actor, group: int) -> None:
    """Raise `Refused` unless who asks manages the group now; the shell always may.

    The role that let the request through may have been taken away meanwhile.
    """
    lock_group(session, group)
    if actor.device is None:
        return
    role = session.scalar(
        select(Membership.role).where(
            Membership.device_id == actor.device, Membership.group_id == group
        )
    )
    if role != Role.MANAGE.slug:
        raise refusal("device", say("This device no longer manages the group."), actor.device)


def join_group(
    session: Session, actor: Actor, find: Callable[[], ValidInvite | None], asker: JoiningBrowser
) -> AdmittedDevice | None:
    """Let a device in by the way in that `find` answers; None where there is none."""
    way = find()
    if way is None:
        return None
    lock_group(session, way.group)
    way = find()  # it may have ended before we held the group
    role = role_of(way.role) if way else None
    if way is None or role is None:
        return None
    joined = admit(
        session, asker, way.group, role, actor.at, link=way.link_id, let_in_by=way.inviting_device
    )
    session.commit()
    return joined


@once
def remove_device(session: Session, actor: Actor, device: int, group: int) -> None:
    """End a device's membership, at once. Raises `Refused` for the last one that manages."""
    if device == actor.device:  # it leaves by itself
        lock_group(session, group)
    else:
        check_manages(session, actor, group)
    others = session.scalar(
        select(func.count()).where(
            Membership.group_id == group,
            Membership.device_id != device,
            Membership.role == Role.MANAGE.slug,
        )
    )
    if not others:
        message = say(
            "This is the last device that can manage the group. Invite another manager first."
        )
        raise refusal("device", message, device)
    end_memberships(session, group, [device])


@once
def remove_invited_by(session: Session, actor: Actor, device: int, group: int) -> None:
    """Put out whom a device let in, and whom those let in, and so on; who asks stays."""
    check_manages(session, actor, group)
    end_memberships(session, group, devices_invited_by(session, group, [device], but=actor.device))


def end_memberships(session: Session, group: int, devices: Collection[int]) -> None:
    """End the memberships of these devices, and whatever they made to let others in.

    Those who came in by it stay; who puts a device out is asked about them.
    """
    for made in (Link, Invitation, Token):
        session.execute(delete(made).where(made.group_id == group, made.device_id.in_(devices)))
    session.execute(
        delete(Membership).where(Membership.device_id.in_(devices), Membership.group_id == group)
    )
    session.execute(
        update(Device).where(Device.id.in_(devices), Device.group_id == group).values(group_id=None)
    )
