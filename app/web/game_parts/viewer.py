"""How the device that asks sees a game: what it may do, whose it is, what is new to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import session

from app.extensions import db
from app.store.queries.games import LoadedGame
from app.store.queries.log import LoggedEvent, last_events
from app.web.infrastructure.asker import asker
from app.web.infrastructure.forms import asked_line, asked_number

_ASKS_PLAYER = "asks_whose"
_MOST_NEWS = 100


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at a game: what may they do, which player are they, how the rows are sorted.

    `news` is what others changed since the version that the request says its device showed.
    """

    may_score: bool = True
    manages: bool = False
    player: int | None = None
    by_standing: bool = False
    news: Sequence[LoggedEvent] = ()


def current_viewer(since: int | None = None) -> Viewer:
    """Who looks at the game of this address; `since` is the version that their device showed.

    Without it nothing is news; of very many events since, only the last are.
    """
    news: Sequence[LoggedEvent] = ()
    if since is not None:
        news = last_events(db.session(), asker.game, None, _MOST_NEWS, since=since)[::-1]
    return Viewer(
        may_score=asker.may_score,
        manages=asker.may_manage,
        player=asker.permission.player,
        by_standing=row_order() is not None,
        news=[one for one in news if one.device_id != asker.device],
    )


def row_order() -> str | None:
    """How the rows are to be sorted, as the request says it; None for by seats."""
    return "standing" if asked_line("order") == "standing" else None


def seen_version() -> int | None:
    """The version up to which a person knew the game, as they turned to a field or pressed.

    A tap and the end or edit of a round are compared with it.
    """
    return asked_number("seen")


def shown_version() -> int | None:
    """The version that the device showed as they tapped or pressed: what came since is news.

    Of a tap it may be newer than the one that its person knew; where `v` is not sent, `seen` stands
    for it.
    """
    shown = asked_number("v")
    return seen_version() if shown is None else shown


def start_asking_player() -> None:
    """Have the games ask whose device this is, until somebody says so."""
    session[_ASKS_PLAYER] = True


def stop_asking_player() -> None:
    """Somebody said whose device this is, or that it is nobody's."""
    session.pop(_ASKS_PLAYER, None)


def claimable_players(loaded: LoadedGame) -> tuple[tuple[int, str], ...]:
    """Who plays, where this device is to be asked whose it is: ids of players, and their names."""
    if _ASKS_PLAYER not in session or asker.permission.player is not None:
        return ()
    there = (seat for seat in loaded.game.seats if seat.left_after is None)
    holders = (seat.holder_in(loaded.game.open_number) for seat in there)
    return tuple((one.player, one.name) for one in holders)
