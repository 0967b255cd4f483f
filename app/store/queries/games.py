"""Reads of games: the scorebook's record of one, the round that is open, and lists of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import islice

from sqlalchemy import func, select
from sqlalchemy.exc import NoResultFound
from sqlalchemy.orm import Session

from app.rules.loading import from_plain
from app.rules.variant import Variant
from app.scorebook import Board, Game, Round, Row, Seat, board, players_in
from app.store.games import KeptGame, KeptSeat
from app.store.groups import Player
from app.store.queries.kept import Head, Line, Rounds, heads_of, rounds_of


@dataclass(frozen=True, slots=True)
class Entry:
    """What somebody entered for a seat in a round: as typed, as counted, and what it comes to."""

    seat: int
    met: bool = False
    went_out: bool = False
    penalty: int | None = None
    typed: str = ""
    counted: tuple[int, ...] = ()
    exact_deal: bool = False
    not_counted: bool = False

    @property
    def row(self) -> Row:
        """The scorebook's row. Who went out has met the contract: the tap says both."""
        return Row(
            seat=self.seat,
            met=self.met or self.went_out,
            went_out=self.went_out,
            penalty=self.penalty,
            exact_deal=self.exact_deal,
            not_counted=self.not_counted,
        )


@dataclass(frozen=True, slots=True)
class EnteredRound:
    """A round as it was entered, open or closed; `entries` by seat, blank ones left out."""

    number: int
    closed: bool
    first_down: int | None
    entries: dict[int, Entry]
    nobody_out: bool = False
    """Somebody said that nobody went out."""


@dataclass(frozen=True, eq=False)
class Table:
    """A game as it stands: the scorebook's record of its closed rounds, and what is entered.

    It is remembered and handed out again as long as what is kept stays the same, so it is never
    altered; two of them are the same one or not.
    """

    id: int
    key: str
    version: int
    started_at: datetime
    finished_at: datetime | None
    reopened: bool
    game: Game
    names: dict[int, str]
    """Seat and its player's name."""
    players: dict[int, int]
    """Seat and its player's id."""
    entered: dict[int, EnteredRound]
    """Round number and what was entered, closed rounds and drafts alike."""
    on_paper: bool
    """Only its result was brought in: it has no rounds."""
    head: Head
    """What it was read by, and is found by again."""

    @property
    def variant(self) -> Variant:
        """The game's own frozen rules."""
        return self.game.variant

    @property
    def open_number(self) -> int:
        """The number of the round that is to be closed next."""
        return len(self.game.rounds) + 1

    @cached_property
    def board(self) -> Board:
        """How the game stands after its closed rounds."""
        return board(self.game)

    def entry(self, number: int, seat: int) -> Entry:
        """What was entered for a seat in a round; a blank entry where nothing was."""
        entered = self.entered.get(number)
        return (entered.entries.get(seat) if entered else None) or Entry(seat)

    def after_taps(self, version: int, stamp: int, entered: dict[int, EnteredRound]) -> "Table":
        """The game after nothing but what is entered was changed, and committed.

        It is remembered, so that it need not be read.
        """
        number, key, _version, _stamp, *unchanged = self.head.game
        head = Head((number, key, version, stamp, *unchanged), self.head.seats)
        table = replace(self, version=version, entered=entered, head=head)
        _remember(table)
        return table


def table_of(session: Session, game_id: int, *, committed: bool = False) -> Table:
    """The game with that id as it stands. Raises `NoResultFound` where there is none.

    `committed` says that the session has changed nothing of it: then less is asked.
    """
    for table in tables_of(session, [game_id], committed=committed):
        return table
    raise NoResultFound(f"There is no game {game_id}.")


def tables_of(
    session: Session, games: Sequence[int], *, committed: bool = False
) -> Sequence[Table]:
    """The games with these ids as they stand, in their order, in two selects in all."""
    session.flush()  # what is asked for past the ORM is to hold what was done so far
    connection = session.connection()
    heads = heads_of(connection, games)
    known = {game: _remembered.get(head) for game, head in heads.items()} if committed else {}
    tables = {game: table for game, table in known.items() if table is not None}
    others = [game for game in heads if game not in tables]
    if others:
        rounds = rounds_of(connection, others)
        tables |= {game: _table(heads[game], rounds[game]) for game in others}
    if committed:
        for game in others:
            _remember(tables[game])
    return [tables[game] for game in games if game in tables]


_MOST_REMEMBERED = 1000
_remembered: dict[Head, Table] = {}
"""Games as they were committed, by what stands for all of it."""


def _remember(table: Table) -> None:
    _remembered[table.head] = table
    for oldest in list(islice(_remembered, max(0, len(_remembered) - _MOST_REMEMBERED))):
        _remembered.pop(oldest, None)


@lru_cache(maxsize=512)
def _table(head: Head, rounds: Rounds) -> Table:
    game_id, key, version, _stamp, rules, started_at, finished_at, reopened, on_paper = head.game
    entered = {lines[0][0]: _entered_round(lines) for lines in rounds}
    closed = tuple(lines for lines in rounds if lines[0][1])
    return Table(
        id=game_id,
        key=key,
        version=version,
        started_at=started_at,
        finished_at=finished_at,
        reopened=reopened,
        game=_game(rules, head.seats, closed),
        names={line[0]: line[6] for line in head.seats},
        players={line[0]: line[5] for line in head.seats},
        entered=entered,
        on_paper=on_paper,
        head=head,
    )


@lru_cache(maxsize=256)
def _variant(rules: str) -> Variant:
    """The rule set that a game's frozen rules say, as they stand in the database."""
    return from_plain(json.loads(rules))


@lru_cache(maxsize=512)
def _game(rules: str, seats: tuple[Line, ...], closed: tuple[tuple[Line, ...], ...]) -> Game:
    """The scorebook's record: the same one as long as no closed round changes."""
    game = Game(
        variant=_variant(rules),
        seats=tuple(Seat(*line[:4]) for line in seats),
        first_dealer=next(line[0] for line in seats if line[4]),
    )
    entered = [_entered_round(lines) for lines in closed]
    return with_closed_rounds(game, {one.number: one for one in entered})


@lru_cache(maxsize=2048)
def _entered_round(lines: tuple[Line, ...]) -> EnteredRound:
    number, closed, first_down, nobody_out = lines[0][:4]
    entries = {}
    for line in lines:
        seat, met, went_out, penalty, typed, counted, *marks = line[4:]
        if seat is not None:
            cards = tuple(json.loads(counted)) if counted else ()
            entries[seat] = Entry(seat, met, went_out, penalty, typed, cards, *marks)
    return EnteredRound(number, closed, first_down, entries, nobody_out)


def with_closed_rounds(game: Game, entered: dict[int, EnteredRound]) -> Game:
    """The game with those of the entered rounds that are closed, in order."""
    closed = [entered[number] for number in sorted(entered) if entered[number].closed]
    return replace(game, rounds=tuple(record_of(game, one) for one in closed))


def record_of(game: Game, entered: EnteredRound) -> Round:
    """The scorebook's record of an entered round: a row for each seat that plays in it."""
    rows = tuple(
        (entered.entries.get(seat.id) or Entry(seat.id)).row
        for seat in players_in(game, entered.number)
    )
    return Round(entered.number, rows, entered.first_down)


@dataclass(frozen=True, slots=True)
class Running:
    """A game that is not over."""

    id: int
    key: str


def running_games(session: Session, group: int, most: int) -> Sequence[Running]:
    """The group's games that are not over, newest first."""
    # Written so that no index gives this order: SQLite would go through all games by it, instead
    # of finding the few that are not over.
    started = func.coalesce(KeptGame.started_at, KeptGame.started_at)
    rows = session.execute(
        select(KeptGame.id, KeptGame.key)
        .where(
            KeptGame.group_id == group,
            KeptGame.finished_at.is_(None),
            KeptGame.deleted_at.is_(None),
            KeptGame.archived_at.is_(None),
        )
        .order_by(started.desc(), KeptGame.id.desc())
        .limit(most)
    )
    return [Running(*row) for row in rows]


def known_players(session: Session, group: int) -> Sequence[str]:
    """The names of the group's players who still play: the last table first, as it sat down."""
    last_game, last_seat = (
        select(func.max(column))
        .where(KeptSeat.player_id == Player.id)
        .correlate(Player)
        .scalar_subquery()
        for column in (KeptSeat.game_id, KeptSeat.id)
    )
    return session.scalars(
        select(Player.name)
        .where(
            Player.group_id == group,
            Player.archived_at.is_(None),
            Player.merged_into_id.is_(None),
        )
        .order_by(last_game.desc().nulls_last(), last_seat, Player.name)
    ).all()


def last_variant(session: Session, group: int) -> str | None:
    """The id of the rule set that the group played last."""
    return session.scalar(
        select(KeptGame.variant_id)
        .where(KeptGame.group_id == group)
        .order_by(KeptGame.id.desc())
        .limit(1)
    )
