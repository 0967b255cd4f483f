"""The forms of the group: its name, its devices, what lets others in."""

from app.scorebook.limits import MOST_PLAYERS
from app.store.games import StoredGame
from app.store.groups import Device, Group
from app.web.game_parts.seating import NamesField, Seating
from app.web.infrastructure.forms import (
    IdChoiceField,
    LineField,
    ListField,
    PageForm,
    RoleField,
    YesField,
)


class GroupNameForm(PageForm):
    """What the group is called."""

    name = LineField(Group.name)


class NewGroupForm(GroupNameForm):
    """A group that is yet to be made, and who plays in it."""

    players = NamesField()
    player = ListField()
    """Who was added already."""
    arrange = LineField(80)

    @property
    def seating(self) -> Seating:
        """Who was added, each once, and what is half typed."""
        once: dict[str, str] = {}
        for name in self.player.data[:MOST_PLAYERS]:
            once.setdefault(name.casefold(), name)
        return Seating(tuple(once.values()), typed=self.players.data)

    @property
    def names(self) -> tuple[str, ...]:
        """All who are to be in it."""
        return self.seating.with_typed().names


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
