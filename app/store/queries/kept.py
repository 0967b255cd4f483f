"""What is kept of games, raw: two selects for any number of games, answered as plain tuples.

They are the keys by which `games.py` remembers what it made of them, so together they hold all that
a `Table` holds, and nothing that changes without being written.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, Text, bindparam, cast, select

from app.store.games import KeptGame, KeptRound, KeptRow, KeptSeat
from app.store.groups import Player

_ASKED: BindParameter[int] = bindparam("games", expanding=True)
_game, _seat, _round, _row = (one.__table__.c for one in (KeptGame, KeptSeat, KeptRound, KeptRow))

# Made once and sent past the ORM: making and compiling them costs more than the database does.
_GAME = (
    _game.id,
    _game.key,
    _game.version,
    _game.stamp,
    cast(_game.rules, Text),
    _game.started_at,
    _game.finished_at,
    _game.reopened,
    _game.on_paper,
)
_SEAT = (
    _seat.id,
    _seat.joined_in,
    _seat.left_after,
    _seat.starting_score,
    _seat.deals_first,
    _seat.player_id,
    Player.__table__.c.name,
)
_HEADS = (
    select(*_GAME, *_SEAT)
    .outerjoin(KeptSeat.__table__, _seat.game_id == _game.id)
    .outerjoin(Player.__table__, Player.__table__.c.id == _seat.player_id)
    .where(_game.id.in_(_ASKED))
    .order_by(_game.id, _seat.position)
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
        _row.not_counted,
    )
    .outerjoin(KeptRow.__table__, _row.round_id == _round.id)
    .where(_round.game_id.in_(_ASKED))
    .order_by(_round.number, _row.id)
)


Line = tuple[Any, ...]
"""A row of an answer."""
Rounds = tuple[tuple[Line, ...], ...]
"""The rounds of a game in order, each as lines that hold the round and one of its rows."""


class Head(NamedTuple):
    """A game's own columns, and its seats in dealing order. Its stamp stands for its rounds."""

    game: Line
    seats: tuple[Line, ...]


def heads_of(connection: Connection, games: Sequence[int]) -> dict[int, Head]:
    """The heads of the games with these ids, by id; those that are none left out."""
    found = defaultdict[Line, list[Line]](list)
    for row in connection.execute(_HEADS, {"games": games}).all():
        seats, seat = found[tuple(row[: len(_GAME)])], row[len(_GAME) :]
        if seat[0] is not None:
            seats.append(tuple(seat))
    return {game[0]: Head(game, tuple(seats)) for game, seats in found.items()}


def rounds_of(connection: Connection, games: Sequence[int]) -> dict[int, Rounds]:
    """The rounds of the games with these ids, by id."""
    lines: dict[int, dict[int, list[Line]]] = {game: defaultdict(list) for game in games}
    for row in connection.execute(_ROUNDS, {"games": games}).all():
        lines[row[0]][row[1]].append(tuple(row[1:]))
    return {game: tuple(map(tuple, lines[game].values())) for game in games}
