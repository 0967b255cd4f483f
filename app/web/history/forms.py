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
class GameListQuery:
    """Which games a list shall show, and the page of it."""

    filter: GameFilter
    cursor: PageCursor | None
    direction: Toward

    @classmethod
    def from_query(cls) -> "GameListQuery":
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
            cursor=newer or PageCursor.read(asked.before.data),
            direction="newer" if newer or asked.end.data else "older",
        )

    @property
    def address(self) -> dict[str, str]:
        """The filters as an address carries them, without the page."""
        filters = self.filter
        fields = {
            "rules": filters.variant,
            "player": "" if filters.player is None else str(filters.player),
            "state": filters.state,
            "words": filters.search_text,
        }
        return {name: value for name, value in fields.items() if value}
