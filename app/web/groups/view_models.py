"""Devices and what they can do, in words, and from which groups this one was removed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import session

from app.actions.groups import Role
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.store.queries.access import removed_from
from app.web.infrastructure.asker import asker

_REMOVALS_READ = "removals_read"


@dataclass(frozen=True, slots=True)
class RoleWords:
    """A role in words."""

    role: Role
    name: Phrase
    permissions: Phrase


ROLE_WORDS: Mapping[Role | None, RoleWords] = {
    one.role: one
    for one in (
        RoleWords(
            Role.WATCH,
            say("Can watch"),
            say("Sees games, history and rules. Can’t change anything."),
        ),
        RoleWords(Role.SCORE, say("Can score"), say("Enters rounds and starts games.")),
        RoleWords(
            Role.MANAGE,
            say("Can manage"),
            say("Can do everything, including invites, devices, players, deleting and export."),
        ),
    )
}


def unread_removals() -> Sequence[str]:
    """The names of the groups from which this device was removed, until it was told so."""
    device, read = asker.device_if_any, session.get(_REMOVALS_READ)
    after = datetime.fromtimestamp(read or 0, UTC)
    return () if device is None else removed_from(db.session(), device, after)


def note_removals_read() -> None:
    """Somebody at this device read from which groups it was removed."""
    session[_REMOVALS_READ] = datetime.now(UTC).timestamp()
