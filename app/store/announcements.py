"""Games whose new version is announced, and groups in which somebody's access has changed.

An action notes it in its session. What is not committed is never announced.
"""

from typing import NamedTuple

from sqlalchemy import event
from sqlalchemy.orm import Session

_PENDING = "announcements"


class Announcement(NamedTuple):
    """A game of the group has that version now; without a game, somebody's access there changed."""

    group: int
    game: str = ""
    version: int = 0


def announce_when_committed(session: Session, announcement: Announcement) -> None:
    """Have it announced once the session has committed."""
    session.info.setdefault(_PENDING, []).append(announcement)


def take_announcements(session: Session) -> list[Announcement]:
    """What the session has to announce; nothing the next time."""
    taken: list[Announcement] = session.info.pop(_PENDING, [])
    return taken


@event.listens_for(Session, "after_rollback")
def _drop(session: Session) -> None:
    take_announcements(session)
