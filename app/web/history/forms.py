"""What a browser asks of the history: which games, and from where on."""

from dataclasses import dataclass
from typing import get_args

from werkzeug.datastructures import MultiDict

from app.rules.text import one_line
from app.store.queries.history import Mark, State, Toward, Wanted
from app.web.infrastructure.forms import whole_number


@dataclass(frozen=True, slots=True)
class Asked:
    """Which games a list shall show, and the page of it."""

    wanted: Wanted
    beyond: Mark | None
    toward: Toward

    @classmethod
    def sent(cls, sent: MultiDict[str, str]) -> "Asked":
        """What an address asks for; what cannot be read is left out."""
        state = sent.get("state", "")
        newer = Mark.read(sent.get("after", ""))
        return cls(
            Wanted(
                variant=sent.get("rules", ""),
                player=whole_number(sent.get("player")),
                state=next((one for one in get_args(State) if one == state), ""),
                words=one_line(sent.get("words", "")),
            ),
            beyond=newer or Mark.read(sent.get("before", "")),
            toward="newer" if newer or "end" in sent else "older",
        )

    @property
    def address(self) -> dict[str, str]:
        """The filters as an address carries them, without the page."""
        wanted = self.wanted
        fields = {
            "rules": wanted.variant,
            "player": "" if wanted.player is None else str(wanted.player),
            "state": wanted.state,
            "words": wanted.words,
        }
        return {name: value for name, value in fields.items() if value}
