"""What a browser asks of the history: which games, and from where on."""

from typing import get_args

from wtforms.widgets import TextArea

from app.store.games import StoredGame
from app.store.queries.history import GameFilter, PageCursor, State, Toward
from app.web.infrastructure.forms import (
    LineField,
    NumberField,
    PageForm,
    TextField,
    WordChoiceField,
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


class GameListQuery(PageForm):
    """Which games are listed, and from where on; what cannot be read is left out."""

    rules = LineField(60)
    player = NumberField()
    state = WordChoiceField(get_args(State), default="")
    words = LineField(80)
    after, before = LineField(60), LineField(60)
    end = YesField()

    @property
    def filter(self) -> GameFilter:
        """Which games are listed."""
        return GameFilter(
            variant_id=self.rules.data,
            player=self.player.data,
            state=self.state.data,
            search_text=self.words.data,
        )

    @property
    def page_position(self) -> tuple[PageCursor | None, Toward]:
        """From where on, and which way."""
        newer = PageCursor.read(self.after.data)
        cursor = newer or PageCursor.read(self.before.data)
        return cursor, "newer" if newer or self.end.data else "older"

    @property
    def address_args(self) -> dict[str, object]:
        """The filters as an address carries them, without the page."""
        fields = ("rules", "player", "state", "words")
        return {name: self[name].data for name in fields if self[name].data}
