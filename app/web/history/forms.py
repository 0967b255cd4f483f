"""What a browser asks of the history: which games, and from where on."""

from dataclasses import dataclass
from typing import get_args

from wtforms.widgets import TextArea

from app.store.games import StoredGame
from app.store.queries.history import GameFilter, PageCursor, State, Toward
from app.web.infrastructure.forms import (
    LineField,
    NumberField,
    PageForm,
    TextField,
    WordField,
    YesField,
)


class DescriptionForm(PageForm):
    """The name of a game, and a note about it."""

    title = LineField(StoredGame.title)
    note = TextField(StoredGame.note, widget=TextArea())


class ArchiveGameForm(PageForm):
    """Is a game archived from now on?"""

    archived = YesField()


class SharingForm(PageForm):
    """Do strangers see the result from now on?"""

    shared = YesField()


class HistoryQuery(PageForm):
    """Which games are listed, and from where on."""

    rules = LineField(60)
    player = NumberField()
    state = WordField(get_args(State), default="")
    words = LineField(80)
    after, before = LineField(60), LineField(60)
    end = YesField()


@dataclass(frozen=True, slots=True)
class Asked:
    """Which games a list shall show, and the page of it."""

    wanted: GameFilter
    beyond: PageCursor | None
    toward: Toward

    @classmethod
    def sent(cls) -> "Asked":
        """What the address asks for; what cannot be read is left out."""
        asked = HistoryQuery.from_query()
        newer = PageCursor.read(asked.after.data)
        return cls(
            GameFilter(
                variant=asked.rules.data,
                player=asked.player.data,
                state=asked.state.data,
                search_text=asked.words.data,
            ),
            beyond=newer or PageCursor.read(asked.before.data),
            toward="newer" if newer or asked.end.data else "older",
        )

    @property
    def address(self) -> dict[str, str]:
        """The filters as an address carries them, without the page."""
        wanted = self.wanted
        fields = {
            "rules": wanted.variant,
            "player": "" if wanted.player is None else str(wanted.player),
            "state": wanted.state,
            "words": wanted.search_text,
        }
        return {name: value for name, value in fields.items() if value}
