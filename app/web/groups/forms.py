"""The forms of the group: its name, its devices, what lets others in."""

from app.store.games import StoredGame
from app.store.groups import Device, Group
from app.web.game_parts.seating import LONGEST_TYPED_NAMES
from app.web.infrastructure.forms import (
    IdChoiceField,
    LineField,
    PageForm,
    RoleField,
    YesField,
)


class GroupNameForm(PageForm):
    """What the group is called."""

    name = LineField(Group.name)


class NewGroupForm(GroupNameForm):
    """A group that is yet to be made, and who plays in it."""

    players = LineField(LONGEST_TYPED_NAMES)


class DeviceForm(PageForm):
    """What this device is called, and whose it is."""

    device = LineField(Device.name)
    player = IdChoiceField()


class RoleForm(PageForm):
    """What another device can do from now on."""

    role = RoleField()


class NewInviteCodeForm(PageForm):
    """An invite code: for which role, and is it for the same person's installed app?"""

    role = RoleField()
    own = YesField()
    game = LineField(StoredGame.key)
    """The key of the game to which it leads, if any."""
