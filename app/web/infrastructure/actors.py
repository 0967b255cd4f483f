"""What to call the devices of a group, and who did something: those called alike have numbers."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from app.extensions import db
from app.rules.phrases import Phrase, say
from app.scorebook.refusals import Conflict
from app.store.queries.access import devices_known_in
from app.web.infrastructure.asker import asker

DEVICE_KINDS = ("iPhone", "iPad", "Android", "Windows", "Mac", "Linux")
"""What a device is called until its owner names it; nothing where it says nothing of itself."""
_KINDS_IN_WORDS = {
    "": say("a device"),
    "Android": say("an Android device"),
    "Windows": say("a Windows computer"),
    "Linux": say("a computer"),
}


@dataclass(frozen=True, slots=True)
class DeviceName:
    """What to call a device of a group."""

    player: str | None
    """Whose it is, where that was said."""
    unnumbered: Phrase
    """Its name, and whose it is."""
    number: int | None
    """Its number among those that are called the same, as they came; None where no other is."""

    @property
    def words(self) -> Phrase:
        """What tells it apart from all others."""
        if self.number is None:
            return self.unnumbered
        return say("{device} ({number})", device=self.unnumbered, number=self.number)

    @property
    def in_short(self) -> Phrase:
        """Whose it is; where nobody said that, what tells it apart."""
        return say("{name}", name=self.player) if self.player else self.words


def device_names() -> Mapping[int, DeviceName]:
    """What to call each device, by its id, that is in the asking group or was removed lately."""
    devices = devices_known_in(db.session(), asker.group)
    called = {one.device: _device_words(one.name, one.player_name) for one in devices}
    whose = {one.device: one.player_name for one in devices}
    alike, came, found = Counter(called.values()), Counter[Phrase](), dict[int, DeviceName]()
    for device, name in called.items():
        came[name] += 1
        found[device] = DeviceName(whose[device], name, came[name] if alike[name] > 1 else None)
    return found


def actors_in_words() -> Callable[[str, int | None], Phrase]:
    """A function that answers what to call who did something, by name in the log and device.

    A device that nobody had named then is called as it is now, as long as the group knows it.
    """
    names = cache(device_names)

    def in_words(name: str, device: int | None) -> Phrase:
        known = None if name and name not in DEVICE_KINDS else names().get(device or 0)
        return known.in_short if known else _kind_or_name(name)

    return in_words


def said_by(conflict: Conflict) -> Phrase | None:
    """What to call who says something else; None if the log has no name, the device no player."""
    if conflict.other:
        return actors_in_words()(conflict.other, conflict.device)
    known = device_names().get(conflict.device or 0)
    return known.in_short if known and known.player else None


def _device_words(name: str, player: str | None) -> Phrase:
    if player and name and name != player:
        return say("{player} ({name})", player=player, name=_kind_or_name(name))
    return _kind_or_name(player or name)


def _kind_or_name(name: str) -> Phrase:
    return _KINDS_IN_WORDS.get(name) or say("{name}", name=name)
