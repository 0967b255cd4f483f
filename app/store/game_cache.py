"""The cache of loaded games, the only one below the web of what can change.

Games are cached by their ids; one is used only if its `GameHeader` equals the one in the database
now. The header's stamp is drawn anew with each change and never used again: a header stands for
one content for ever, also after ids and versions are used again (a restored copy, a game imported
anew). What is not committed cannot come in: the cache reads by a connection of its own, and takes
what an action wrote when its session has committed it.

A tap that another process took makes this one read the game again; its standings are then those
cached before, if only drafts changed, which saves a sixth of what the next tap takes.
"""

from collections.abc import Mapping
from itertools import islice

from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from app.store.engine import read_only
from app.store.game_rows import GameHeader, LoadedGame, read_games

_MOST = 1000
_PENDING = "games to be cached"
_games: dict[int, LoadedGame] = {}
"""Games by id, as this process last read or wrote them, up to `_MOST`."""


def committed_games(engine: Engine, headers: Mapping[int, GameHeader]) -> dict[int, LoadedGame]:
    """Of these games, by id, those that are committed with just the header given."""
    known = {game: one for game in headers if (one := _games.get(game))}
    changed = [game for game in headers if game not in known or known[game].header != headers[game]]
    if changed:
        with read_only(), engine.connect() as connection:
            read = read_games(connection, changed)
        for game in known.keys() & read.keys():
            read[game].reuse_status(known[game])
        _remember(*read.values())
        known |= read
    return {game: one for game, one in known.items() if one.header == headers[game]}


def cache_when_committed(session: Session, loaded: LoadedGame) -> None:
    """Take the game once the session has committed it."""
    session.info.setdefault(_PENDING, []).append(loaded)


@event.listens_for(Session, "after_commit")
def _take(session: Session) -> None:
    _remember(*session.info.pop(_PENDING, ()))


@event.listens_for(Session, "after_rollback")
def _drop(session: Session) -> None:
    session.info.pop(_PENDING, None)


def _remember(*loaded: LoadedGame) -> None:
    for one in loaded:
        _games.pop(one.id, None)  # so that those read or written last are the last to go
        _games[one.id] = one
    for oldest in list(islice(_games, max(0, len(_games) - _MOST))):
        _games.pop(oldest, None)
