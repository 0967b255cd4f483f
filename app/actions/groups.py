"""Groups and the devices in them: who is let in, and as what.

The first group of a fresh browser is made quietly, with the first thing that needs one. The ways in
for others stand in `memberships.py`, and how they leave.

Groups are removed for good: one that the server admin names, and those that nobody uses. What
nobody uses is marked first and removed `KEEP_DELETED` later, unless it was used meanwhile. So a
server that was off for long, or whose clock was wrong for a day, takes nothing from anybody.
"""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum

from sqlalchemy import ColumnElement, Select, delete, exists, false, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from app.actions.requests import Actor, once
from app.actions.texts import validate_line
from app.exchange.keys import KEY_LETTERS
from app.rules.phrases import say
from app.rules.text import normalize_text
from app.scorebook.refusals import refusal
from app.store.announcements import Announcement, announce_when_committed
from app.store.games import StoredGame
from app.store.groups import UNNAMED_GROUP, Device, Group, Membership, Player, Removal
from app.store.queries.access import is_unused_since
from app.store.queries.history import KEEP_DELETED


class Role(IntEnum):
    """What a device or token may do in a group; a greater role has what a lesser one has."""

    WATCH = 1
    SCORE = 2
    MANAGE = 3

    @property
    def slug(self) -> str:
        """The role as tables and addresses say it."""
        return self.name.lower()


def role_of(slug: str) -> Role | None:
    """The role that a table or an address names."""
    return next((role for role in Role if role.slug == slug), None)


def is_enough(slug: str, role: Role) -> bool:
    """Does the role of that name allow what needs this role?"""
    return (role_of(slug) or 0) >= role


def secret_hash(secret: str) -> str:
    """What is kept of a secret, which has 256 random bits or lasts minutes: a quick hash will do.

    `device_mark` is made by it, too, from the app's own key.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """A secret of 256 random bits, fit for an address."""
    return secrets.token_urlsafe(32)


def new_key() -> str:
    """A key that names something in addresses, such as a game."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(12))


@dataclass(frozen=True, slots=True)
class JoiningBrowser:
    """A browser that asks to be let in, by the secret that it holds, and what to call its device.

    A browser whose answer was lost asks again with the same secret: it is the same device.
    """

    name: str = ""
    secret: str = field(default_factory=new_secret)


@dataclass(frozen=True, slots=True)
class AdmittedDevice:
    """A device was let in to a group; it shows by the secret that it is that device."""

    group: int
    device: int
    secret: str


def make_group(session: Session, name: str, at: datetime) -> Group:
    """A new group with nobody in it."""
    group = Group(name=name, created_at=at)
    session.add(group)
    session.flush()
    return group


def lock_group(session: Session, group: int) -> None:
    """Let nobody else lock the group before this transaction ends.

    Whoever changes what has to fit together in a group does: who is in it and who lets in; its
    players, their seats and results; how many rule sets it has, its usual rules and seasons; files
    that wait for a yes. Lock the game first, then the group; of several games each in order of its
    id, and all of them before the group.
    """
    session.execute(select(Group.id).where(Group.id == group).with_for_update(key_share=True))


def membership_of(session: Session, device: int, group: int | None) -> Membership | None:
    """The membership of a device in a group; None where it is not in it."""
    return session.scalar(
        select(Membership).where(Membership.device_id == device, Membership.group_id == group)
    )


def let_in_first_device(session: Session, browser: JoiningBrowser, at: datetime) -> AdmittedDevice:
    """Make a group that this browser manages, unless another window of it was quicker."""
    device = _device(session, browser, at)
    kept = membership_of(session, device.id, device.group_id)
    if kept is not None and kept.role == Role.MANAGE.slug:
        return AdmittedDevice(kept.group_id, device.id, browser.secret)
    group = make_group(session, UNNAMED_GROUP, at)
    return admit(session, browser, group.id, Role.MANAGE, at)


def admit(
    session: Session,
    browser: JoiningBrowser,
    group: int,
    role: Role,
    at: datetime,
    *,
    link: int | None = None,
    let_in_by: int | None = None,
) -> AdmittedDevice:
    """Let a device into a group, and let it look there.

    A device that is in already keeps a stronger role. `link` is the link that it came in by,
    `let_in_by` the device that made that link or the join code.
    """
    device = _device(session, browser, at)
    device.group_id = group
    kept = membership_of(session, device.id, group)
    if kept is None:
        kept = Membership(device_id=device.id, group_id=group, role="", created_at=at)
        session.add(kept)
        session.execute(
            delete(Removal).where(Removal.device_id == device.id, Removal.group_id == group)
        )
    if not is_enough(kept.role, role):
        kept.role, kept.link_id, kept.let_in_by_id = role.slug, link, let_in_by
    kept.seen_at = at
    session.flush()
    return AdmittedDevice(group, device.id, browser.secret)


def _device(session: Session, browser: JoiningBrowser, at: datetime) -> Device:
    kept = secret_hash(browser.secret)
    known = session.scalar(select(Device).where(Device.secret_hash == kept))
    if known is not None:
        return known
    try:
        with session.begin_nested():
            session.add(Device(secret_hash=kept, created_at=at, name=browser.name))
    except IntegrityError:
        pass  # another window of the browser was quicker
    return session.scalars(select(Device).where(Device.secret_hash == kept)).one()


@once
def rename_group(session: Session, actor: Actor, group: int, typed: str) -> None:
    """Call a group something else. Raises `Refused`."""
    session.execute(update(Group).where(Group.id == group).values(name=read_group_name(typed)))


@once
def switch_milestones(session: Session, actor: Actor, group: int, *, on: bool) -> None:
    """Tell milestones in a group, or no more."""
    session.execute(update(Group).where(Group.id == group).values(milestones=on))


def read_group_name(typed: str) -> str:
    """The name that was typed for a group. Raises `Refused` if it isn’t a name."""
    name = validate_line("name", normalize_text(typed), Group.name)
    if not name:
        raise refusal("name", say("Enter a name for the group."))
    return name


def describe_device(
    session: Session, device: int, group: int, typed: str, player: int | None
) -> None:
    """Let a device's owner call it something, and say whose it is. Raises `Refused`."""
    name = validate_line("device", typed, Device.name)
    session.execute(update(Device).where(Device.id == device).values(name=name))
    claim_player(session, device, group, player)


def claim_player(session: Session, device: int, group: int, player: int | None) -> None:
    """Keep that a device is this player's, or who they were merged into's, or nobody's.

    Raises `Refused`.
    """
    kept = func.coalesce(Player.merged_into_id, Player.id)
    holder = session.scalar(select(kept).where(Player.id == player, Player.group_id == group))
    if player is not None and holder is None:
        raise refusal("player", say("No player here has that name."))
    _change_membership(session, device, group, player_id=holder)


def switch_group(session: Session, device: int, group: int) -> bool:
    """Let a device look at another of its groups; False where it is not in it."""
    if membership_of(session, device, group) is None:
        return False
    session.execute(update(Device).where(Device.id == device).values(group_id=group))
    session.commit()
    return True


def dismiss_way_back(session: Session, device: int, group: int) -> None:
    """Tell that device no more that the group is lost with it."""
    _change_membership(session, device, group, way_back_dismissed=True)


def note_seen(session: Session, device: int, group: int, at: datetime) -> None:
    """Keep when a device was last seen in a group."""
    _change_membership(session, device, group, seen_at=at)


def _change_membership(session: Session, device: int, group: int, **values: object) -> None:
    """Change a membership, and commit."""
    session.execute(
        update(Membership)
        .where(Membership.device_id == device, Membership.group_id == group)
        .values(**values)
    )
    session.commit()


def mark_abandoned(session: Session, now: datetime, days: int) -> None:
    """Note which groups nobody has used for so many days, for 0 none, and forget it of others."""
    unused = is_unused_since(now - timedelta(days=days)) if days else false()
    known = Group.abandoned_at.is_not(None)
    session.execute(update(Group).where(unused, ~known).values(abandoned_at=now))
    session.execute(update(Group).where(~unused, known).values(abandoned_at=None))
    session.commit()


def is_to_be_removed(now: datetime, days: int) -> ColumnElement[bool]:
    """Is a group still unused `KEEP_DELETED` after that was found?"""
    unused = is_unused_since(now - timedelta(days=days))
    return (Group.abandoned_at <= now - KEEP_DELETED) & unused


def remove_group(session: Session, group: int, *conditions: ColumnElement[bool]) -> bool:
    """Remove a group with all that it has, and the devices that are in no other.

    It goes game by game, each in a transaction in which the conditions hold, so that others write
    meanwhile. False where they hold no more, or somebody else removed it.
    """
    locked = select(Group.id).where(Group.id == group, *conditions).with_for_update()
    next_game = select(StoredGame.id).where(StoredGame.group_id == group).limit(1)
    while True:
        if session.scalar(locked) is None:
            session.rollback()
            return False
        game = session.scalar(next_game)
        if game is None:
            break
        session.execute(delete(StoredGame).where(StoredGame.id == game))
        session.commit()
    session.execute(delete(Device).where(Device.id.in_(_devices_only_in(group))))
    # With its players, whom no seat keeps any more.
    session.execute(delete(Group).where(Group.id == group))
    announce_when_committed(session, Announcement(group))
    session.commit()
    return True


def _devices_only_in(group: int) -> Select[int]:
    elsewhere = aliased(Membership)
    return select(Membership.device_id).where(
        Membership.group_id == group,
        ~exists().where(elsewhere.device_id == Membership.device_id, elsewhere.group_id != group),
    )
