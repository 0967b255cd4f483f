"""The forms of a group: its name, this device, links and codes."""

from app.store.groups import Device, Group
from app.web.infrastructure.forms import (
    IdChoiceField,
    LineField,
    NumberField,
    PageForm,
    RoleField,
    YesField,
)


class GroupNameForm(PageForm):
    """What the group is called."""

    name = LineField(Group.name)


class DeviceForm(PageForm):
    """What this device is called, and whose it is."""

    device = LineField(Device.name)
    player = IdChoiceField()


class GroupChoiceForm(PageForm):
    """Another group of this device."""

    group = NumberField()


class ReplaceLinkForm(PageForm):
    """A new link in place of the old: do those who came in by that stay?"""

    keep = YesField()


class NewInviteCodeForm(PageForm):
    """An invite code: for which role, and is it for the same person's installed app?"""

    role = RoleField()
    own = YesField()
