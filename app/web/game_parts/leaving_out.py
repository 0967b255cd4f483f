"""Games of an evening are left out of seasons, or count again; what is told of it and undoes it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from app.actions.games import leave_out_games
from app.extensions import db
from app.rules.phrases import Phrase, say_plural
from app.store.queries.evenings import Evening
from app.store.queries.history import listed_games
from app.web.infrastructure.access import in_group
from app.web.infrastructure.forms import asked_values

ANCHOR = "left-out"
"""Where a page tells it."""


@dataclass(frozen=True, slots=True)
class LeftOutChange:
    """The keys of the games that were just left out, and of those that count again since."""

    left_out_keys: Sequence[str]
    counted_keys: Sequence[str]

    @property
    def game(self) -> str:
        """One of them, which names their evening."""
        return [*self.left_out_keys, *self.counted_keys][0]

    @property
    def words(self) -> Sequence[Phrase]:
        """What was done."""
        left, counted = len(self.left_out_keys), len(self.counted_keys)
        gone = say_plural(
            "{count} game no longer counts for seasons.",
            "{count} games no longer count for seasons.",
            left,
        )
        back = say_plural(
            "{count} game counts for seasons again.",
            "{count} games count for seasons again.",
            counted,
        )
        return [words for count, words in ((left, gone), (counted, back)) if count]


def leave_out(evening: Evening, ticked: Collection[str], seen: Collection[str]) -> dict[str, Any]:
    """Let the games of these keys that are `ticked` count for no season, those `seen` count.

    What is both stays as it is. Answers how the address of a page says what was done.
    """
    games = [
        one
        for one in listed_games(db.session(), evening.games)
        if (one.key in ticked) != (one.key in seen)
    ]
    left = [one for one in games if one.key in ticked]
    in_group(leave_out_games, [one.id for one in games], {one.id for one in left})
    return {
        "left": [one.key for one in left],
        "counted": [one.key for one in games if one.key in seen],
        "_anchor": ANCHOR if games else None,
    }


def left_out_change() -> LeftOutChange | None:
    """What was done, as the address says it; None where it says nothing."""
    left, counted = map(asked_values().getlist, ("left", "counted"))
    return LeftOutChange(left, counted) if left or counted else None
