"""A name that is typed and new, while the group has a player whose name differs in little.

People are asked once whether that one is meant; they are never refused.
"""

from collections.abc import Callable
from typing import Any

from app.extensions import db
from app.rules.phrases import Phrase, say
from app.rules.text import loose_key
from app.store.groups import Player
from app.store.queries.players import names_by_key
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import LineField, PageForm


def look_alikes(*typed: str) -> dict[str, str]:
    """For each typed name that is new and looks like a player's: that player's name."""
    if not asker.group_if_any:
        return {}
    known = names_by_key(db.session(), asker.group_if_any)
    new = {name: loose_key(name) for name in typed if name.casefold() not in known}
    alike = {loose_key(key): name for key, name in known.items()} if any(new.values()) else {}
    return {name: alike[key] for name, key in new.items() if key and key in alike}


def question_of(typed: str, known: str) -> Phrase:
    """Is that the same person?"""
    return say("Is {typed} the same person as {known}?", typed=typed, known=known)


def asks_who_is_meant(name: Any, meant: Any) -> bool:
    """Is it to be asked whom a field names? Then the field shows the question; else it is settled.

    `meant` is what the buttons of the question send. Both fields are changed: where it is asked,
    `meant` holds whom it is asked about; else `name` holds who is meant.
    """
    typed, answer = name.data, meant.data
    known = look_alikes(typed).get(typed)
    if known is None or answer in (typed, known):
        name.data, meant.data = answer if known else typed, typed if answer == typed else ""
        return False
    name.errors, meant.data = (question_of(typed, known),), known
    return True


class NamedPlayerForm(PageForm):
    """A player who is named, and whom that means where it was asked."""

    name, meant = LineField(Player.name), LineField(Player.name)

    def submit(self, act: Callable[[], object]) -> bool:
        """Do what the form asks for, unless it is to be asked whom the name means."""
        return not asks_who_is_meant(self.name, self.meant) and super().submit(act)
