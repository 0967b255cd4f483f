"""Games as rows: read whole, by three selects for any number, and written by what a change altered.

A fourth reads past results, where some are among them. All go past the ORM. Columns have the names
of the scorebook's fields, but for those that are named here. An entry's are read and written by one
list; a round's stand in `rounds_of` and `_write_round`; what a change writes of a seat is its
`Attendance`, its position and who holds it.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Text,
    bindparam,
    cast,
    delete,
    insert,
    select,
    update,
)

from app.rules.rule_sets import from_dict
from app.rules.variant import Variant
from app.scorebook.decisions import plain_decisions, read_decisions
from app.scorebook.events.attendance import attendance_of
from app.scorebook.game import (
    Entry,
    Game,
    PastLine,
    PastResult,
    Round,
    RuleChange,
    Seat,
    SeatHolder,
    Stop,
)
from app.scorebook.refusals import Notice
from app.scorebook.standings import GameStatus, game_status
from app.scorebook.warnings import find_warnings
from app.store.base import columns_of
from app.store.games import (
    StoredEntry,
    StoredGame,
    StoredPastResult,
    StoredRound,
    StoredRuleChange,
    StoredSeat,
    StoredStandIn,
)
from app.store.groups import Player

_ASKED: BindParameter[int] = bindparam("games", expanding=True)
_game, _seat, _stand_in, _round, _entry, _rule_change = (
    one.__table__.c
    for one in (StoredGame, StoredSeat, StoredStandIn, StoredRound, StoredEntry, StoredRuleChange)
)
_player, _other = Player.__table__, Player.__table__.alias()


class GameColumns(NamedTuple):
    """The columns of a game that are read with it."""

    id: int
    key: str
    group_id: int
    version: int
    stamp: int
    rules: str
    started_at: datetime
    finished_at: datetime | None
    results_only: bool
    course: str | None
    stopped: Stop | None
    title: str
    note: str
    archived_at: datetime | None
    share_key: str | None
    left_out: bool

    @property
    def has_result(self) -> bool:
        """Is it over, and does what it came to count?"""
        return self.finished_at is not None and self.stopped != "no_result"


ENTRY_COLUMNS = columns_of(Entry, _entry, seat=_entry.seat_id)
_SEAT = columns_of(
    Seat, _seat, "stand_ins", player=_seat.player_id, name=_player.c.name, mark=_player.c.mark
)
_STAND_IN = columns_of(
    SeatHolder, _stand_in, player=_stand_in.player_id, name=_other.c.name, mark=_other.c.mark
)
_GAME = [
    cast(_game[name], Text) if name in ("rules", "course") else _game[name]
    for name in GameColumns._fields
]
_ROUND = (_round.game_id, _round.closed_at, *columns_of(Round, _round, "entries").values())

# Made once and sent past the ORM: making and compiling them costs more than the database does.
_HEADS = (
    select(*_GAME, _seat.deals_first, *_SEAT.values(), *_STAND_IN.values())
    .outerjoin(StoredSeat.__table__, _seat.game_id == _game.id)
    .outerjoin(_player, _player.c.id == _seat.player_id)
    .outerjoin(StoredStandIn.__table__, _stand_in.seat_id == _seat.id)
    .outerjoin(_other, _other.c.id == _stand_in.player_id)
    .where(_game.id.in_(_ASKED))
    .order_by(_game.id, _seat.position, _stand_in.id)
)
_SEATS = (
    select(_seat.game_id, *_SEAT.values(), *_STAND_IN.values())
    .join(_player, _player.c.id == _seat.player_id)
    .outerjoin(StoredStandIn.__table__, _stand_in.seat_id == _seat.id)
    .outerjoin(_other, _other.c.id == _stand_in.player_id)
    .where(_seat.game_id.in_(_ASKED))
    .order_by(_seat.game_id, _seat.position, _stand_in.id)
)
_ROUNDS = (
    select(*_ROUND, *ENTRY_COLUMNS.values())
    .outerjoin(StoredEntry.__table__, _entry.round_id == _round.id)
    .where(_round.game_id.in_(_ASKED))
    .order_by(_round.game_id, _round.number, _entry.id)
)
_CHANGES = (
    select(_rule_change.game_id, *columns_of(RuleChange, _rule_change).values())
    .where(_rule_change.game_id.in_(_ASKED))
    .order_by(_rule_change.from_round, _rule_change.id)
)
_past = StoredPastResult.__table__.c
_PAST_LINES = (
    select(_seat.game_id, _player.c.name, _past.place, _past.score)
    .join(StoredPastResult.__table__, _past.seat_id == _seat.id)
    .join(_player, _player.c.id == _seat.player_id)
    .where(_seat.game_id.in_(_ASKED))
    .order_by(_seat.game_id, _seat.position)
)


Values = tuple[Any, ...]
"""What the database answers, in the order of its columns; each is None where a join found none."""


class SeatLine(NamedTuple):
    """A seat with one of its stand-ins, if it has any."""

    deals_first: bool
    seat: Values
    stand_in: Values


class GameHeader(NamedTuple):
    """What is cheap to read of a game, by which the cache knows whether it has all of the game.

    That is its columns, among them the stamp, which is drawn anew with each change and so stands
    for the rounds and rule changes, too; and its seats in seating order, each with the names and
    marks of its players: a line for each stand-in, or one.
    """

    columns: GameColumns
    seats: tuple[SeatLine, ...]


def headers_of(connection: Connection, games: Sequence[int]) -> dict[int, GameHeader]:
    """The headers of the games with these ids, by id. Ids of no game are left out."""
    found = defaultdict[GameColumns, list[SeatLine]](list)
    own, stand_in = len(_GAME), len(_GAME) + 1 + len(_SEAT)
    for row in connection.execute(_HEADS, {"games": games}).all():
        seats = found[GameColumns(*row[:own])]
        line = SeatLine(row[own], tuple(row[own + 1 : stand_in]), tuple(row[stand_in:]))
        if line.seat[0] is not None:
            seats.append(line)
    return {game.id: GameHeader(game, tuple(seats)) for game, seats in found.items()}


@dataclass(frozen=True, eq=False)
class LoadedGame:
    """A game as it is stored: the scorebook's game, and what is known of it beside.

    What it holds is never altered; what follows from it is reckoned once and remembered. No two are
    equal, whatever they hold.
    """

    id: int
    key: str
    version: int
    started_at: datetime
    finished_at: datetime | None
    results_only: bool
    """It has no rounds: only its result was entered or imported."""
    game: Game
    round_ends: tuple[datetime, ...]
    """When each round ended that has ended."""
    header: GameHeader
    """With which it was read. After a change only the columns that all changes set are new in it:
    where others changed, or seats, the database has another, and the cache reads the game anew."""

    @property
    def columns(self) -> GameColumns:
        """What is kept of the game itself."""
        return self.header.columns

    @property
    def variant(self) -> Variant:
        """The rules that the game started with."""
        return self.game.variant

    @property
    def name(self) -> str:
        """What the game is called: its own name, else that of its rules."""
        return self.columns.title or self.variant.name

    @cached_property
    def status(self) -> GameStatus:
        """How the game stands after its ended rounds."""
        return game_status(self.game)

    @cached_property
    def warnings(self) -> tuple[Notice, ...]:
        """What looks wrong about the open round so far."""
        return find_warnings(self.game, self.game.round(self.game.open_number))

    @cached_property
    def round_seconds(self) -> tuple[int, ...]:
        """How long each round lasted that has ended."""
        moments = self.started_at, *self.round_ends
        return tuple(int((end - before).total_seconds()) for before, end in pairwise(moments))

    @property
    def seconds(self) -> int | None:
        """How long it took, if it is over and was entered round by round.

        One that was stopped took as long as its rounds: it may have been stopped days later.
        """
        if self.finished_at is None or self.results_only:
            return None
        if self.game.stopped:
            return sum(self.round_seconds)
        return int((self.finished_at - self.started_at).total_seconds())

    def with_changes(self, columns: GameColumns, game: Game, at: datetime) -> "LoadedGame":
        """The game after a change at that moment, with these columns and this state of play."""
        kept = self.round_ends[: len(game.rounds)]
        changed = replace(
            self,
            version=columns.version,
            finished_at=columns.finished_at,
            game=game,
            round_ends=(*kept, *(at for _round in game.rounds[len(kept) :])),
            header=self.header._replace(columns=columns),
        )
        changed.reuse_status(self)
        return changed

    def reuse_status(self, earlier: "LoadedGame") -> None:
        """Reuse how the game stands from an earlier state, if nothing but drafts changed."""
        if replace(earlier.game, drafts=self.game.drafts) == self.game:
            self.game.remember_results(earlier.game.known_results)
            self.__dict__["status"] = earlier.status


def read_games(connection: Connection, games: Sequence[int]) -> dict[int, LoadedGame]:
    """The games with these ids as this connection sees them, by id."""
    headers, rounds = headers_of(connection, games), rounds_of(connection, games)
    changes = defaultdict[int, list[RuleChange]](list)
    for game, *change in connection.execute(_CHANGES, {"games": games}).all():
        changes[game].append(RuleChange(*change))
    lines = defaultdict[int, list[PastLine]](list)
    alone = [game for game, header in headers.items() if header.columns.results_only]
    for game, name, place, score in (
        connection.execute(_PAST_LINES, {"games": alone}) if alone else ()
    ):
        lines[game].append(PastLine(player=name, place=place, score=score))
    return {
        game: _loaded(header, rounds[game], changes[game], tuple(lines[game]))
        for game, header in headers.items()
    }


def seats_of(connection: Connection, games: Collection[int]) -> dict[int, tuple[Seat, ...]]:
    """The seats of these games in seating order, to be asked who holds them; none for no games."""
    found, own = defaultdict[int, tuple[Seat, ...]](tuple), 1 + len(_SEAT)
    rows = connection.execute(_SEATS, {"games": list(games)}).all() if games else ()
    for (game, *seat), lines in groupby(rows, key=lambda row: row[:own]):
        seat_lines = [SeatLine(False, tuple(seat), tuple(line[own:])) for line in lines]
        found[game] += (_seat_of(seat_lines),)
    return found


def rounds_of(
    connection: Connection, games: Sequence[int]
) -> defaultdict[int, list[tuple[datetime | None, Round]]]:
    """The rounds of these games, each with when it ended, if it has."""
    found = defaultdict[int, list[tuple[datetime | None, Round]]](list)
    own = len(_ROUND)
    rows = connection.execute(_ROUNDS, {"games": games}).all()
    for of_round, lines in groupby(rows, key=lambda row: row[:own]):
        game, end, number, first_down, nobody_out = of_round
        entries = tuple(Entry(*line[own:]) for line in lines if line[own] is not None)
        found[game].append((end, Round(number, entries, first_down, nobody_out)))
    return found


def _loaded(
    header: GameHeader,
    rounds: Sequence[tuple[datetime | None, Round]],
    rule_changes: Sequence[RuleChange],
    past_lines: tuple[PastLine, ...],
) -> LoadedGame:
    kept = header.columns
    past = PastResult(day=kept.started_at.date().isoformat(), players=past_lines)
    game = Game(
        variant=_rules(kept.rules),
        seats=tuple(
            _seat_of(list(lines)) for _id, lines in groupby(header.seats, key=lambda one: one.seat)
        ),
        first_dealer=next(line.seat[0] for line in header.seats if line.deals_first),
        rounds=tuple(one for end, one in rounds if end),
        drafts=tuple(one for end, one in rounds if not end),
        rule_changes=tuple(rule_changes),
        decisions=read_decisions(json.loads(kept.course or "{}")),
        stopped=kept.stopped,
        past_result=past if kept.results_only else None,
        left_out=kept.left_out,
    )
    return LoadedGame(
        id=kept.id,
        key=kept.key,
        version=kept.version,
        started_at=kept.started_at,
        finished_at=kept.finished_at,
        results_only=kept.results_only,
        game=game,
        round_ends=tuple(end for end, _round in rounds if end),
        header=header,
    )


@lru_cache(maxsize=256)
def _rules(plain: str) -> Variant:
    """The rule set that a text of the database says.

    Remembered, for reading it takes 1.5 ms: as long as all else of a tap.
    """
    return from_dict(json.loads(plain))


def _seat_of(lines: Sequence[SeatLine]) -> Seat:
    stand_ins = (SeatHolder(*one.stand_in) for one in lines if one.stand_in[0] is not None)
    return Seat(**dict(zip(_SEAT, lines[0].seat, strict=True)), stand_ins=tuple(stand_ins))


# Made once and sent past the ORM: most taps write an entry that is there already.
_THIS_ROUND = (_round.game_id == bindparam("of_game"), _round.number == bindparam("of_number"))
_SET_ROUND = update(StoredRound).where(*_THIS_ROUND)
_ROUND_ID = select(_round.id).where(*_THIS_ROUND)
_SET_ENTRY = update(StoredEntry).where(
    _entry.seat_id == bindparam("of_seat"), _entry.round_id.in_(_ROUND_ID)
)
_NEW_ENTRY = insert(StoredEntry)
_ENTRY_FIELDS = [name for name in ENTRY_COLUMNS if name != "seat"]


def write_difference(
    connection: Connection, game_id: int, before: Game, after: Game, at: datetime
) -> None:
    """Store what differs in rounds, seats, decisions and rule changes.

    A new seat has its row already: the action inserts it, for its id. `at` is stored as the end of
    a round that ended. The game's columns beside its decisions are the caller's.
    """
    for number in _numbers(before, after):
        was, now = before.round(number), after.round(number)
        ended = after.is_round_ended(number)
        if was is not now or ended != before.is_round_ended(number):
            _write_round(connection, game_id, was, now)
            if ended != before.is_round_ended(number):
                _set_round(connection, game_id, number, closed_at=at if ended else None)
    if before.seats != after.seats:
        _write_seats(connection, before, after)
    if before.decisions != after.decisions:
        values = {"course": plain_decisions(after.decisions) or None}
        connection.execute(update(StoredGame).where(StoredGame.id == game_id).values(**values))
    if before.rule_changes != after.rule_changes:
        _write_rule_changes(connection, game_id, after)


def _numbers(before: Game, after: Game) -> Iterator[int]:
    """The numbers of all rounds that something may be stored for."""
    ended = max(len(before.rounds), len(after.rounds))
    yield from range(1, ended + 1)
    yield from sorted({one.number for one in after.drafts if one.number > ended})


def _write_round(connection: Connection, game_id: int, was: Round, now: Round) -> None:
    if (was.first_down, was.nobody_out) != (now.first_down, now.nobody_out):
        said = {"first_down": now.first_down, "nobody_out": now.nobody_out}
        _set_round(connection, game_id, now.number, **said)
    for entry in now.entries:
        if entry != was.entry_of(entry.seat):
            _write_entry(connection, game_id, now.number, entry)


def _set_round(connection: Connection, game_id: int, number: int, **values: Any) -> None:
    which = {"of_game": game_id, "of_number": number}
    if not connection.execute(_SET_ROUND, {**which, **values}).rowcount:
        connection.execute(insert(StoredRound), {"game_id": game_id, "number": number, **values})


def _write_entry(connection: Connection, game_id: int, number: int, entry: Entry) -> None:
    values = {name: getattr(entry, name) for name in _ENTRY_FIELDS}
    which = {"of_game": game_id, "of_number": number}
    if connection.execute(_SET_ENTRY, {**which, **values, "of_seat": entry.seat}).rowcount:
        return
    round_id = connection.scalar(_ROUND_ID, which)
    if round_id is None:
        _set_round(connection, game_id, number, nobody_out=False)  # makes the row
        round_id = connection.scalar(_ROUND_ID, which)
    connection.execute(_NEW_ENTRY, {"round_id": round_id, "seat_id": entry.seat, **values})


def _write_seats(connection: Connection, before: Game, after: Game) -> None:
    was = {seat.id: (position, seat) for position, seat in enumerate(before.seats)}
    gone = was.keys() - {seat.id for seat in after.seats}
    if gone:
        connection.execute(delete(StoredSeat).where(StoredSeat.id.in_(gone)))
    for position, seat in enumerate(after.seats):
        if was.get(seat.id) != (position, seat):
            earlier = was[seat.id][1] if seat.id in was else seat
            values = {"position": position, **attendance_of(seat)}
            if earlier.player != seat.player:
                values |= _held_by(seat.player)
            connection.execute(update(StoredSeat).where(StoredSeat.id == seat.id).values(**values))
            if earlier.stand_ins != seat.stand_ins:
                _write_stand_ins(connection, seat, earlier.stand_ins)


def _held_by(player: int) -> Mapping[str, Any]:
    """The columns that say which player holds a seat, and that no merge made it theirs."""
    return {"player_id": player, "player_before_merge_id": None}


def _write_stand_ins(connection: Connection, seat: Seat, earlier: Sequence[SeatHolder]) -> None:
    """Stand-ins are named one after the other, and taken back last first.

    Where it was corrected who one is, the row gets the right player.
    """
    kept = select(_stand_in.id).where(_stand_in.seat_id == seat.id).order_by(_stand_in.id)
    ids = connection.scalars(kept).all()
    taken_back = ids[len(seat.stand_ins) :]
    connection.execute(delete(StoredStandIn).where(_stand_in.id.in_(taken_back)))
    for row, was, one in zip(ids, earlier, seat.stand_ins, strict=False):
        if was.player != one.player:
            changed = update(StoredStandIn).where(_stand_in.id == row)
            connection.execute(changed.values(**_held_by(one.player)))
    for one in seat.stand_ins[len(earlier) :]:
        values = {"from_round": one.from_round, "player_id": one.player}
        connection.execute(insert(StoredStandIn), {"seat_id": seat.id, **values})


def _write_rule_changes(connection: Connection, game_id: int, after: Game) -> None:
    connection.execute(delete(StoredRuleChange).where(StoredRuleChange.game_id == game_id))
    for change in after.rule_changes:
        connection.execute(insert(StoredRuleChange), {"game_id": game_id, **asdict(change)})
