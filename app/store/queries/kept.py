"""What is kept of games, raw: three selects for any number of games, answered as plain tuples.

They are the key by which `games.py` remembers what it made of them, so they hold all that a
`Table` holds, and nothing that changes without being written.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import BindParameter, Connection, Text, bindparam, cast, select
from sqlalchemy.orm import Session

from app.store.games import KeptGame, KeptRound, KeptRow, KeptSeat
from app.store.groups import Player
from app.store.log import LogEntry

_ASKED: BindParameter[int] = bindparam("games", expanding=True)
_game, _seat, _round, _row, _log = (
    one.__table__.c for one in (KeptGame, KeptSeat, KeptRound, KeptRow, LogEntry)
)

# Made once and sent past the ORM: making and compiling them costs more than the database does.
_GAMES = (
    select(
        _game.id,
        _game.key,
        _game.version,
        cast(_game.rules, Text),
        _game.started_at,
        _game.finished_at,
        _game.reopened,
        _game.on_paper,
        _log.at,
    )
    # When the version was made tells it from one of that number before a copy was restored.
    .outerjoin(LogEntry.__table__, (_log.game_id == _game.id) & (_log.version == _game.version))
    .where(_game.id.in_(_ASKED))
)
_SEATS = (
    select(
        _seat.game_id,
        _seat.id,
        _seat.joined_in,
        _seat.left_after,
        _seat.starting_score,
        _seat.deals_first,
        _seat.player_id,
        Player.__table__.c.name,
    )
    .join(Player.__table__, Player.__table__.c.id == _seat.player_id)
    .where(_seat.game_id.in_(_ASKED))
    .order_by(_seat.position)
)
_ROUNDS = (
    select(
        _round.game_id,
        _round.number,
        _round.closed_at.is_not(None),
        _round.first_down_id,
        _round.nobody_out,
        _row.seat_id,
        _row.met,
        _row.went_out,
        _row.penalty,
        _row.typed,
        cast(_row.counted, Text),
        _row.exact_deal,
    )
    .outerjoin(KeptRow.__table__, _row.round_id == _round.id)
    .where(_round.game_id.in_(_ASKED))
    .order_by(_round.number, _row.id)
)


Line = tuple[Any, ...]
"""A row of an answer."""
Rounds = tuple[tuple[Line, ...], ...]
"""The rounds of a game in order, each as lines that hold the round and one of its rows."""

_MOST_REMEMBERED = 1000
_remembered: dict[Line, Rounds] = {}
"""The rounds of games as they were committed, by the games' columns, the version among them."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A game's columns, its seats in dealing order, and its rounds with a line for each row."""

    game: Line
    seats: tuple[Line, ...]
    rounds: Rounds


def kept_games(session: Session, games: Sequence[int], *, committed: bool) -> Sequence[Kept]:
    """What is kept of the games with these ids, in their order; those that are none left out.

    A `committed` game is one that the session did not change: its version stands for its rounds.
    """
    connection, asked = session.connection(), {"games": list(games)}
    found = {row[0]: tuple(row) for row in connection.execute(_GAMES, asked).all()}
    seats = defaultdict[int, list[Line]](list)
    for row in connection.execute(_SEATS, asked).all():
        seats[row[0]].append(tuple(row[1:]))
    rounds = {
        game: _remembered[line] for game, line in found.items() if committed and line in _remembered
    }
    others = [game for game in found if game not in rounds]
    if others:
        asked_for = _rounds(connection, others)
        rounds |= asked_for
        if committed:
            _remember({found[game]: asked_for[game] for game in others})
    return [Kept(found[game], tuple(seats[game]), rounds[game]) for game in games if game in found]


def _rounds(connection: Connection, games: Sequence[int]) -> dict[int, Rounds]:
    lines = defaultdict[int, dict[int, list[Line]]](lambda: defaultdict(list))
    for row in connection.execute(_ROUNDS, {"games": games}).all():
        lines[row[0]][row[1]].append(tuple(row[1:]))
    return {game: tuple(map(tuple, lines[game].values())) for game in games}


def _remember(rounds: Mapping[Line, Rounds]) -> None:
    _remembered.update(rounds)
    for oldest in list(islice(_remembered, max(0, len(_remembered) - _MOST_REMEMBERED))):
        _remembered.pop(oldest, None)
