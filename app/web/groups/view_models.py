"""Devices and what they can do, in words, and from which groups this one was removed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import session

from app.actions.groups import Role, role_of
from app.extensions import db
from app.rules.phrases import Phrase, say
from app.store.queries.access import DeviceInGroup, removed_from
from app.web.infrastructure.access import actor_in_words
from app.web.infrastructure.asker import asker

_REMOVALS_READ = "removals_read"


@dataclass(frozen=True, slots=True)
class RoleWords:
    """A role in words."""

    role: Role
    name: Phrase
    permissions: Phrase


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """A device in the list of the group's."""

    device: DeviceInGroup
    name: Phrase
    role: RoleWords
    number: int | None
    """Its number among those that are called the same, as they came; None where no other is."""


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


def device_words(name: str, player: str | None) -> Phrase:
    """What to call a device: its name, and whose it is."""
    if player and name and name != player:
        return say("{player} ({name})", player=player, name=actor_in_words(name))
    return actor_in_words(player or name)


def device_lines(devices: Sequence[DeviceInGroup]) -> list[DeviceLine]:
    """The list of a group's devices; those that are called the same are numbered."""
    names = {one.membership: device_words(one.name, one.player_name) for one in devices}
    named, came, numbers = Counter(names.values()), Counter[Phrase](), dict[int, int]()
    for membership in sorted(names):
        came[names[membership]] += 1
        numbers[membership] = came[names[membership]]
    return [
        DeviceLine(
            one,
            (name := names[one.membership]),
            ROLE_WORDS[role_of(one.role)],
            numbers[one.membership] if named[name] > 1 else None,
        )
        for one in devices
    ]


def unread_removals() -> Sequence[str]:
    """The names of the groups from which this device was removed, until it was told so."""
    device, read = asker.device_if_any, session.get(_REMOVALS_READ)
    after = datetime.fromtimestamp(read or 0, UTC)
    return () if device is None else removed_from(db.session(), device, after)


def note_removals_read() -> None:
    """Somebody at this device read from which groups it was removed."""
    session[_REMOVALS_READ] = datetime.now(UTC).timestamp()
