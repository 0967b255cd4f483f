"""Reads of all groups, for who hosts them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.store.games import StoredGame
from app.store.groups import Group, Membership


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """A group in a list: what it has, and when one of its devices was last seen."""

    id: int
    name: str
    game_count: int
    device_count: int
    manager_count: int
    seen_at: datetime | None


def count_groups_and_devices(session: Session, since: datetime) -> tuple[int, int]:
    """How many groups there are, and how many devices were seen since then."""
    groups = select(func.count()).select_from(Group).scalar_subquery()
    seen = select(func.count()).where(Membership.seen_at >= since).scalar_subquery()
    found = session.execute(select(groups, seen)).one()
    return found[0], found[1]


def all_groups(session: Session) -> Sequence[ListedGroup]:
    """Every group, oldest first."""
    games = (
        select(func.count())
        .where(StoredGame.group_id == Group.id, StoredGame.deleted_at.is_(None))
        .scalar_subquery()
    )
    managers = func.count(Membership.id).filter(Membership.role == "manage")
    rows = session.execute(
        select(
            Group.id,
            Group.name,
            games,
            func.count(Membership.id),
            managers,
            func.max(Membership.seen_at),
        )
        .outerjoin(Membership, Membership.group_id == Group.id)
        .group_by(Group.id, Group.name)
        .order_by(Group.id)
    )
    return [ListedGroup(*row) for row in rows]
