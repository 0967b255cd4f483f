"""How devices and programs come into a group by what others made for them, and how they leave it.

A way in is a link, which lasts; a join code, which is good for ten minutes or until the page of
its maker ends it; or the token of a program. Whatever a device made to let others in is good only
while that device may let others in itself: `is_valid` in `store/queries/access.py` is that rule,
and every way in is looked up by it. Here it is deleted as well as soon as its maker is out, or may
do less, so that nothing comes back to life when that device is let in again. Changes to who is in
wait for each other.
"""

import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, false, func, insert, literal, or_, select, update
from sqlalchemy.orm import Session

from app.actions.groups import (
    AdmittedDevice,
    JoiningBrowser,
    Role,
    admit,
    is_enough,
    lock_group,
    membership_of,
    new_secret,
    role_of,
    secret_hash,
)
from app.actions.requests import Actor, once, once_answering
from app.actions.texts import validate_line
from app.exchange.keys import KEY_LETTERS
from app.rules.phrases import say
from app.scorebook.refusals import refusal
from app.store.announcements import Announcement, announce_when_committed
from app.store.groups import Device, Invitation, Link, Membership, Removal, Token
from app.store.queries.access import (
    ValidInvite,
    devices_invited_by,
    devices_joined_by_link,
    invitation_of,
    link_of,
    links_of,
)
from app.store.queries.games import game_id_in_group
from app.store.queries.history import KEEP_DELETED


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
    session: Session, actor: Actor, find: Callable[[], ValidInvite | None], browser: JoiningBrowser
) -> AdmittedDevice | None:
    """Let a device in by the invite that `find` answers; None where there is none."""
    invite = find()
    if invite is None:
        return None
    lock_group(session, invite.group)
    invite = find()  # it may have ended before we held the group
    role = role_of(invite.role) if invite else None
    if invite is None or role is None:
        return None
    joined = admit(
        session,
        browser,
        invite.group,
        role,
        actor.at,
        link=invite.link_id,
        let_in_by=invite.inviting_device,
    )
    session.commit()
    return joined


@once
def remove_device(session: Session, actor: Actor, group: int, device: int) -> None:
    """End a device's membership, at once. Raises `Refused`, also where no other one manages."""
    if device == actor.device:  # it leaves by itself
        lock_group(session, group)
    else:
        check_manages(session, actor, group)
    _check_another_manages(session, device, group)
    end_memberships(session, actor, group, [device])


@once_answering("True".__eq__)
def change_role(session: Session, actor: Actor, group: int, device: int, role: Role) -> bool:
    """Let a device do more or less, at once. Raises `Refused`, also where no other one manages.

    A greater role is as if who gives it had let the device in. Nothing where it is out by now.
    Answers whether that ended what it made to let others in.
    """
    check_manages(session, actor, group)
    kept = membership_of(session, device, group)
    if kept is None:
        return False
    ends_ways = is_enough(kept.role, Role.MANAGE) and role < Role.MANAGE
    if not is_enough(kept.role, role):
        kept.let_in_by_id = actor.device
    if role < Role.MANAGE:
        _check_another_manages(session, device, group)
        _end_what_they_made(session, group, [device])
    if kept.role != role.slug:
        kept.role, kept.link_id = role.slug, None
    announce_when_committed(session, Announcement(group))
    return ends_ways


def _check_another_manages(session: Session, device: int, group: int) -> None:
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


def _end_what_they_made(session: Session, group: int, devices: Collection[int]) -> None:
    for made in (Link, Invitation, Token):
        session.execute(delete(made).where(made.group_id == group, made.device_id.in_(devices)))


@once
def remove_invited_by(session: Session, actor: Actor, group: int, device: int) -> None:
    """Put out whom a device let in, and whom those let in, and so on; who asks stays."""
    check_manages(session, actor, group)
    invited = devices_invited_by(session, group, [device], but=actor.device)
    end_memberships(session, actor, group, invited)


_KEPT_OF_REMOVED = [one.key for one in Removal.__table__.c if one.key not in ("id", "removed_at")]


@once
def restore_device(session: Session, actor: Actor, group: int, device: int) -> None:
    """Give a device that was removed its access back; what it made to let others in stays ended.

    Nothing where it came in again by itself, or the removal is forgotten.
    """
    check_manages(session, actor, group)
    removal = (Removal.device_id == device) & (Removal.group_id == group)
    kept = select(*(getattr(Removal, name) for name in _KEPT_OF_REMOVED), false()).where(removal)
    columns = (*_KEPT_OF_REMOVED, "way_back_dismissed")
    session.execute(insert(Membership).from_select(columns, kept))
    session.execute(delete(Removal).where(removal))
    unplaced = (Device.id == device) & Device.group_id.is_(None)
    session.execute(update(Device).where(unplaced).values(group_id=group))
    announce_when_committed(session, Announcement(group))


def forget_removals(session: Session, now: datetime) -> None:
    """Forget of long ago who was removed from where."""
    session.execute(delete(Removal).where(Removal.removed_at <= now - KEEP_DELETED))


def end_memberships(session: Session, actor: Actor, group: int, devices: Collection[int]) -> None:
    """End the memberships of these devices, and whatever they made to let others in.

    Those who came in by it stay. What a device was that another removes is kept a while.
    """
    others = set(devices) - {actor.device}
    theirs = select(
        *(getattr(Membership, name) for name in _KEPT_OF_REMOVED), literal(actor.at)
    ).where(Membership.device_id.in_(others), Membership.group_id == group)
    session.execute(delete(Removal).where(Removal.device_id.in_(others), Removal.group_id == group))
    session.execute(insert(Removal).from_select((*_KEPT_OF_REMOVED, "removed_at"), theirs))
    _end_what_they_made(session, group, devices)
    session.execute(
        delete(Membership).where(Membership.device_id.in_(devices), Membership.group_id == group)
    )
    session.execute(
        update(Device).where(Device.id.in_(devices), Device.group_id == group).values(group_id=None)
    )
    if devices:
        announce_when_committed(session, Announcement(group))


@once
def make_link(session: Session, actor: Actor, group: int, role: Role, *, keep: bool = False) -> str:
    """Make the link of a role; answers its secret, which is not kept: None for a repeat.

    A link that was there ends at once. Unless they are to be kept, so do the memberships of the
    `devices_joined_by_link`, except of the one that replaces it. Raises `Refused` for a device that
    manages the group no longer.
    """
    check_manages(session, actor, group)
    return _make_link(session, actor, group, role, keep=keep)


@once
def replace_links(session: Session, actor: Actor, group: int) -> dict[Role, str]:
    """Replace each link that is good, and keep all who are in; answers the secrets by role.

    None for a repeat. Raises `Refused` for a device that manages the group no longer.
    """
    check_manages(session, actor, group)
    roles = [role_of(link.role) for link in links_of(session, group)]
    return {role: _make_link(session, actor, group, role, keep=True) for role in roles if role}


def join_by_link(
    session: Session, actor: Actor, secret: str, browser: JoiningBrowser
) -> AdmittedDevice | None:
    """Let a device in by a link; None if there is no such link."""
    kept = secret_hash(secret)
    return join_group(session, actor, lambda: link_of(session, kept), browser)


def _make_link(session: Session, actor: Actor, group: int, role: Role, *, keep: bool) -> str:
    if not keep:
        came = devices_joined_by_link(session, group, role.slug, but=actor.device)
        end_memberships(session, actor, group, came)
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


LASTS = timedelta(minutes=10)
CODE_LETTERS = KEY_LETTERS.upper()
CODE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """A code that was made just now; `id` ends it."""

    id: int
    code: str
    ends_at: datetime


def make_join_code(
    session: Session, actor: Actor, group: int, role: Role, device: int, game_key: str = ""
) -> NewInvitation:
    """Make a join code; one that the same device made before ends, and what is over is deleted.

    It leads to the group's game of that key, if there is one. Raises `Refused` for a device that
    manages the group no longer.
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
        game_id=game_id_in_group(session, group, game_key),
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
    """A join code as it was made: without blanks and dashes, in capitals."""
    return "".join(typed.split()).replace("-", "").upper()


def join_by_code(
    session: Session, actor: Actor, typed: str, browser: JoiningBrowser
) -> AdmittedDevice | None:
    """Let a device in by a code; None if there is no such code, or it is over."""
    code_hash = secret_hash(plain_code(typed))
    return join_group(session, actor, lambda: invitation_of(session, code_hash, actor.at), browser)


MOST_TOKENS = 20


@once
def make_token(session: Session, actor: Actor, group: int, name: str, role: Role) -> str:
    """Make a token; answers its secret, which is shown once and kept nowhere: None for a repeat.

    Raises `Refused`.
    """
    check_manages(session, actor, group)
    name = validate_line("name", name, Token.name)
    if not name:
        raise refusal("name", say("Describe what the token is for."))
    count = session.scalar(select(func.count()).where(Token.group_id == group)) or 0
    if count >= MOST_TOKENS:
        raise refusal(
            "name", say("You can have up to {most} tokens. Revoke one first.", most=MOST_TOKENS)
        )
    secret = new_secret()
    session.add(
        Token(
            group_id=group,
            name=name,
            role=role.slug,
            secret_hash=secret_hash(secret),
            created_at=actor.at,
            device_id=actor.device,
        )
    )
    return secret


@once
def revoke_token(session: Session, actor: Actor, group: int, token: int) -> None:
    """Revoke a token of the group; what it was used for stays."""
    session.execute(delete(Token).where(Token.group_id == group, Token.id == token))


def note_token_seen(token: int, session: Session, at: datetime) -> None:
    """Keep when the program with a token last asked."""
    session.execute(update(Token).where(Token.id == token).values(seen_at=at))
    session.commit()
