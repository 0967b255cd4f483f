"""Files that were sent and wait for a yes.

They wait compressed, for about a day, the same content only once in a group, and not too many. A
group's newest push out its oldest, and the newest of all groups the oldest of all, so that what is
looked at never fills the disk.
"""

import hashlib
import zlib
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from app.actions.groups import lock_group
from app.actions.requests import Actor
from app.rules.text import abbreviate
from app.store.base import max_length
from app.store.groups import Upload

MOST_BYTES_OF_A_GROUP = 32 * 1024 * 1024
"""Compressed, as they are kept."""
MOST_BYTES = 256 * 1024 * 1024
_MOST_FILES_OF_A_GROUP = 20
_WAITS = timedelta(days=1)


def keep_upload(session: Session, actor: Actor, group: int, name: str, content: bytes) -> str:
    """Keep a file for somebody to say yes to; answers the key to find it by.

    The same content has the same key within a group.
    """
    forget_uploads(session, actor.at)
    lock_group(session, group)  # if two devices send one file, one waits
    key = hashlib.sha256(b"%d:" % group + content).hexdigest()[: max_length(Upload.key)]
    session.execute(delete(Upload).where(Upload.key == key))
    session.add(
        Upload(
            key=key,
            group_id=group,
            name=abbreviate(name, max_length(Upload.name)),
            content=zlib.compress(content, 6),
            created_at=actor.at,
        )
    )
    session.flush()
    _drop_oldest(session, group, MOST_BYTES_OF_A_GROUP, _MOST_FILES_OF_A_GROUP)
    _drop_oldest(session, None, MOST_BYTES, None)
    session.commit()
    return key


def _drop_oldest(session: Session, group: int | None, most_bytes: int, most: int | None) -> None:
    """Keep the newest files, of a group or of all, within these limits; the newest one always."""
    newest_first = select(Upload.key, func.length(Upload.content)).order_by(
        Upload.created_at.desc(), Upload.key
    )
    if group is not None:
        newest_first = newest_first.where(Upload.group_id == group)
    held, gone = 0, []
    for place, (key, size) in enumerate(session.execute(newest_first).all()):
        held += size
        if place and (held > most_bytes or (most is not None and place >= most)):
            gone.append(key)
    session.execute(delete(Upload).where(Upload.key.in_(gone)))


def upload_of(session: Session, group: int, key: str) -> tuple[str, bytes] | None:
    """The name and content of a group's file that waits; None where there is none."""
    row = session.execute(
        select(Upload.name, Upload.content).where(Upload.group_id == group, Upload.key == key)
    ).first()
    return None if row is None else (row.name, zlib.decompress(row.content))


def drop_upload(session: Session, key: str) -> None:
    """Forget a file that was imported."""
    session.execute(delete(Upload).where(Upload.key == key))
    session.commit()


def forget_uploads(session: Session, now: datetime) -> None:
    """Forget files that nobody said yes to within a day, in the caller's transaction."""
    session.execute(delete(Upload).where(Upload.created_at < now - _WAITS))
