"""Reads of games: the scorebook's record of one, the round that is open, and lists of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.rules.loading import from_plain
from app.rules.variant import Variant
from app.scorebook import Game, Round, Row, Seat, players_in
from app.store.games import KeptGame, KeptRound, KeptRow, KeptSeat
from app.store.groups import Player


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

    @property
    def row(self) -> Row:
        """The scorebook's row. Who went out has met the contract: the tap says both."""
        return Row(
            seat=self.seat,
            met=self.met or self.went_out,
            went_out=self.went_out,
            penalty=self.penalty,
            exact_deal=self.exact_deal,
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


@dataclass(frozen=True, slots=True)
class Table:
    """A game as it stands: the scorebook's record of its closed rounds, and what is entered."""

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
    on_paper: bool = False
    """Only its result was brought in: it has no rounds."""

    @property
    def variant(self) -> Variant:
        """The game's own frozen rules."""
        return self.game.variant

    @property
    def open_number(self) -> int:
        """The number of the round that is to be closed next."""
        return len(self.game.rounds) + 1

    def entry(self, number: int, seat: int) -> Entry:
        """What was entered for a seat in a round; a blank entry where nothing was."""
        entered = self.entered.get(number)
        return (entered.entries.get(seat) if entered else None) or Entry(seat)


def table_of(session: Session, game_id: int) -> Table:
    """The game with that id as it stands, in four selects."""
    return tables_of(session, [game_id])[game_id]


def tables_of(session: Session, game_ids: Sequence[int]) -> dict[int, Table]:
    """Games as they stand, by id, in four selects however many they are."""
    rows = session.execute(
        select(
            KeptGame.id,
            KeptGame.key,
            KeptGame.version,
            KeptGame.rules,
            KeptGame.started_at,
            KeptGame.finished_at,
            KeptGame.reopened,
            KeptGame.on_paper,
        ).where(KeptGame.id.in_(game_ids))
    ).all()
    seats, entered = _seats_of(session, game_ids), _entered_rounds(session, game_ids)
    return {kept.id: _table(kept, seats[kept.id], entered[kept.id]) for kept in rows}


def _table(kept: Any, seats: Sequence[Any], entered: dict[int, EnteredRound]) -> Table:
    game = Game(
        variant=from_plain(kept.rules),
        seats=tuple(
            Seat(one.id, one.joined_in, one.left_after, one.starting_score) for one in seats
        ),
        first_dealer=next(one.id for one in seats if one.deals_first),
        rounds=(),
    )
    return Table(
        id=kept.id,
        key=kept.key,
        version=kept.version,
        started_at=kept.started_at,
        finished_at=kept.finished_at,
        reopened=kept.reopened,
        game=with_closed_rounds(game, entered),
        names={one.id: one.name for one in seats},
        players={one.id: one.player_id for one in seats},
        entered=entered,
        on_paper=kept.on_paper,
    )


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


def running_games(session: Session, group: int, most: int) -> Sequence[int]:
    """The ids of the group's games that are not over, newest first."""
    return session.scalars(
        select(KeptGame.id)
        .where(
            KeptGame.group_id == group,
            KeptGame.finished_at.is_(None),
            KeptGame.deleted_at.is_(None),
            KeptGame.archived_at.is_(None),
        )
        .order_by(KeptGame.started_at.desc(), KeptGame.id.desc())
        .limit(most)
    ).all()


def known_players(session: Session, group: int) -> Sequence[str]:
    """The names of the group's players who still play, those who played last first."""
    last_played = (
        select(func.max(KeptSeat.id))
        .where(KeptSeat.player_id == Player.id)
        .correlate(Player)
        .scalar_subquery()
    )
    return session.scalars(
        select(Player.name)
        .where(
            Player.group_id == group,
            Player.archived_at.is_(None),
            Player.merged_into_id.is_(None),
        )
        .order_by(func.coalesce(last_played, 0).desc(), Player.name)
    ).all()


def last_variant(session: Session, group: int) -> str | None:
    """The id of the rule set that the group played last."""
    return session.scalar(
        select(KeptGame.variant_id)
        .where(KeptGame.group_id == group)
        .order_by(KeptGame.id.desc())
        .limit(1)
    )


def _seats_of(session: Session, game_ids: Sequence[int]) -> dict[int, list[Any]]:
    """The seats of each game in dealing order, with their players' names."""
    rows = session.execute(
        select(
            KeptSeat.game_id,
            KeptSeat.id,
            KeptSeat.joined_in,
            KeptSeat.left_after,
            KeptSeat.starting_score,
            KeptSeat.deals_first,
            KeptSeat.player_id,
            Player.name,
        )
        .join(Player, Player.id == KeptSeat.player_id)
        .where(KeptSeat.game_id.in_(game_ids))
        .order_by(KeptSeat.position)
    )
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.game_id].append(row)
    return found


def _entered_rounds(
    session: Session, game_ids: Sequence[int]
) -> dict[int, dict[int, EnteredRound]]:
    """The entered rounds of each game, by number."""
    rounds = session.execute(
        select(
            KeptRound.game_id,
            KeptRound.id,
            KeptRound.number,
            KeptRound.closed_at,
            KeptRound.first_down_id,
            KeptRound.nobody_out,
        )
        .where(KeptRound.game_id.in_(game_ids))
        .order_by(KeptRound.number)
    ).all()
    rows = session.execute(
        select(
            KeptRow.round_id,
            KeptRow.seat_id,
            KeptRow.met,
            KeptRow.went_out,
            KeptRow.penalty,
            KeptRow.typed,
            KeptRow.counted,
            KeptRow.exact_deal,
        )
        .join(KeptRound, KeptRound.id == KeptRow.round_id)
        .where(KeptRound.game_id.in_(game_ids))
    )
    entries: defaultdict[int, dict[int, Entry]] = defaultdict(dict)
    for round_id, seat, met, went_out, penalty, typed, counted, exact_deal in rows:
        entries[round_id][seat] = Entry(
            seat, met, went_out, penalty, typed, tuple(counted or ()), exact_deal
        )
    found: defaultdict[int, dict[int, EnteredRound]] = defaultdict(dict)
    for row in rounds:
        found[row.game_id][row.number] = EnteredRound(
            row.number,
            row.closed_at is not None,
            row.first_down_id,
            entries[row.id],
            row.nobody_out,
        )
    return found
