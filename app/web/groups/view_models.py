"""What the templates of a group are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.actions.groups import Role, role_of
from app.rules.phrases import Phrase, say
from app.scorebook.faults import Fault
from app.store.queries.access import DeviceInGroup, GroupOfDevice
from app.web.groups.forms import DeviceForm, GroupNameForm


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


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A phone in the group."""

    device: int
    name: Phrase
    role: RoleWords
    seen_at: datetime | None
    by_link: bool
    is_this_device: bool
    """It is the one that asks."""
    fault: Phrase | None


@dataclass(frozen=True, slots=True)
class GroupPage:
    """A group as one phone sees it."""

    name: str
    role: RoleWords
    manages: bool
    name_form: GroupNameForm
    device_form: DeviceForm
    groups: Sequence[GroupOfDevice]
    group: int
    devices: tuple[DeviceView, ...]
    fault: Phrase | None
    """Why this device was not taken out of the group."""
    game: str | None
    """The key of the game from which it was opened."""
    saved_part: str
    """What was kept just now: `phone` or `name`."""
    linked_roles: frozenset[str]
    """The roles for which there is a link."""

    @property
    def depends_on_this_device(self) -> bool:
        """Is the group lost with this phone: nobody else manages it, and no link does?"""
        managing = [one for one in self.devices if one.role.role == Role.MANAGE]
        return len(managing) == 1 and Role.MANAGE.word not in self.linked_roles


def device_views(
    devices: Sequence[DeviceInGroup], here: int | None, fault: Fault | None
) -> tuple[DeviceView, ...]:
    """The phones of a group."""
    return tuple(
        DeviceView(
            device=one.device,
            name=device_words(one.name, one.player_name),
            role=ROLE_WORDS[role_of(one.role)],
            seen_at=one.seen_at,
            by_link=one.link is not None,
            is_this_device=one.device == here,
            fault=fault.message if fault and fault.seat == one.device else None,
        )
        for one in devices
    )


def device_words(name: str, player: str | None) -> Phrase:
    """What to call a device: its name, and whose it is."""
    if player and name and name != player:
        return say("{player} ({name})", player=player, name=name)
    return say("{name}", name=player or name) if player or name else say("a device")
