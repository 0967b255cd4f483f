"""What the templates of a group are given."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.actions.groups import Role
from app.rules.phrases import Phrase, say


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


def device_words(name: str, player: str | None) -> Phrase:
    """What to call a device: its name, and whose it is."""
    if player and name and name != player:
        return say("{player} ({name})", player=player, name=name)
    return say("{name}", name=player or name) if player or name else say("a device")
