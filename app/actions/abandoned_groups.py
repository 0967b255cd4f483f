"""Groups are removed for good: one that the server admin names, and those that nobody uses.

What nobody uses is marked first and removed `KEEP_DELETED` later, unless it was used meanwhile. So
a server that was off for long, or whose clock was wrong for a day, takes nothing from anybody.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, delete, exists, false, select, update
from sqlalchemy.orm import Session, aliased

from app.store.announcements import Announcement, announce_when_committed
from app.store.games import StoredGame
from app.store.groups import Device, Group, Membership
from app.store.queries.access import is_unused_since
from app.store.queries.history import KEEP_DELETED


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
