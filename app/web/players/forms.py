"""The forms of a player: the name, another player who is the same person, and the state."""

from app.store.groups import Player
from app.web.infrastructure.forms import LineField, NumberField, PageForm, YesField


class NameForm(PageForm):
    """What a player is called."""

    name = LineField(Player.name)


class MergeForm(PageForm):
    """The other player who is the same person."""

    into = NumberField()


class ArchivePlayerForm(PageForm):
    """Is a player inactive from now on?"""

    archived = YesField()
