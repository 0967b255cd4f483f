"""Files that were sent and wait for a yes: kept compressed for a day."""

import secrets
import zlib
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.rules.text import abbreviate
from app.store.base import max_length
from app.store.uploads import Upload

_WAITS = timedelta(days=1)


def keep_upload(session: Session, group: int, name: str, content: bytes, actor: Actor) -> str:
    """Keep a file until somebody says yes to it; answers the key to find it by."""
    forget_uploads(session, actor.at)
    key = secrets.token_urlsafe(16)
    session.add(
        Upload(
            key=key,
            group_id=group,
            name=abbreviate(name, max_length(Upload.name)),
            content=zlib.compress(content, 6),
            created_at=actor.at,
        )
    )
    session.commit()
    return key


def upload_of(session: Session, group: int, key: str) -> tuple[str, bytes] | None:
    """The name and content of a group's file that waits; None where there is none."""
    row = session.execute(
        select(Upload.name, Upload.content).where(Upload.group_id == group, Upload.key == key)
    ).first()
    return None if row is None else (row.name, zlib.decompress(row.content))


def drop_upload(session: Session, key: str) -> None:
    """Forget a file that was brought in."""
    session.execute(delete(Upload).where(Upload.key == key))


def forget_uploads(session: Session, now: datetime) -> None:
    """Forget files that nobody said yes to within a day."""
    session.execute(delete(Upload).where(Upload.created_at < now - _WAITS))
