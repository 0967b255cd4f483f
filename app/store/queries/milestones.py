"""Reads of milestones: first and round numbers worth telling, worked out from the facts.

There is none for losing. A milestone belongs to the game that reached it: it is said where that
game ended, and kept among the player's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from app.store.games import StoredGame
from app.store.groups import Player
from app.store.queries.evenings import wins_before
from app.store.statistics import StoredContractAttempts, StoredSeatResult

MilestoneKind = Literal["games", "first_win", "wins_in_a_row", "first_ahead", "contract"]

GAMES = (50, 100, 250, 500, 1000, 2500, 5000, 10_000)
WINS_IN_A_ROW = (5, 10, 15, 20, 30, 40, 50)
LEAST_SHARED = 5
"""The first win against somebody is told after so many games together."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """What a player reached in a game: a `count` of games or wins, ahead of whom, or a contract."""

    kind: MilestoneKind
    player: str
    count: int
    rival: str
    game_key: str
    at: datetime


def milestones_of_game(session: Session, game: int) -> list[Milestone]:
    """What the players of a finished game reached by it."""
    own = StoredSeatResult
    seats = session.execute(
        select(own.player_id, Player.name, own.won, own.place, own.finished_at, StoredGame.key)
        .join(Player, Player.id == own.player_id)
        .join(StoredGame, StoredGame.id == own.game_id)
        .where(own.game_id == game)
        .order_by(own.place.is_(None), own.place, Player.name)
    ).all()
    found: list[Milestone] = []
    for player, name, won, _place, at, key in seats:
        played = _count(session, player, at, game)
        if played in GAMES:
            found.append(Milestone("games", name, played, "", key, at))
        if won:
            wins = 1 + wins_before(session, player, at, game)
            if wins in WINS_IN_A_ROW:
                found.append(Milestone("wins_in_a_row", name, wins, "", key, at))
            if wins == 1 and not _won_before(session, player, at, game):
                found.append(Milestone("first_win", name, 1, "", key, at))
            others = [row.player_id for row in seats if row.place and not row.won]
            for rival, shared in _first_ahead(session, player, others, at, game):
                found.append(Milestone("first_ahead", name, shared, rival, key, at))
    if seats:
        numbers = _laid_at_once(session, StoredSeatResult.game_id == game)
        found += [
            Milestone("contract", "", one.contract, "", seats[0].key, seats[0].finished_at)
            for one in numbers
        ]
    return found


def _until(facts: Any, at: datetime, game: int, *, included: bool) -> ColumnElement[bool]:
    """That a fact is of a game that ended before that one, or is of that one."""
    earlier = facts.game_id <= game if included else facts.game_id < game
    return or_(facts.finished_at < at, and_(facts.finished_at == at, earlier))


def _count(session: Session, player: int, at: datetime, game: int) -> int:
    own = StoredSeatResult
    so_far = _until(own, at, game, included=True)
    return session.scalar(select(func.count()).where(own.player_id == player, so_far)) or 0


def _won_before(session: Session, player: int, at: datetime, game: int) -> bool:
    own = StoredSeatResult
    earlier = own.player_id == player, own.won, _until(own, at, game, included=False)
    return bool(session.scalar(select(exists().where(*earlier))))


def _first_ahead(
    session: Session, player: int, others: Sequence[int], at: datetime, game: int
) -> list[tuple[str, int]]:
    """Whom a winner had never been ahead of before, and how many games they shared."""
    own, other = aliased(StoredSeatResult), aliased(StoredSeatResult)
    both = own.player_id == player, other.player_id == Player.id, own.game_id == other.game_id
    earlier = _until(own, at, game, included=False)
    ahead = exists().where(*both, earlier, own.place < other.place).correlate(Player)
    so_far = _until(own, at, game, included=True)
    shared = select(func.count()).where(*both, so_far).correlate(Player).scalar_subquery()
    rows = session.execute(
        select(Player.name, shared.label("shared"))
        .where(Player.id.in_(others), ~ahead)
        .order_by(Player.name)
    )
    return [(row.name, row.shared) for row in rows if row.shared >= LEAST_SHARED]


def _laid_at_once(session: Session, of: ColumnElement[bool]) -> Sequence[Any]:
    """The contracts that all of a game laid down at the first try: `game_id`, `contract`."""
    own, tried = StoredSeatResult, StoredContractAttempts
    other, theirs = aliased(StoredSeatResult), aliased(StoredContractAttempts)
    same = and_(
        theirs.seat_id == other.seat_id,
        theirs.player_id == other.player_id,
        theirs.contract == tried.contract,
        theirs.rounds == 1,
        theirs.was_completed,
    )
    laid = exists().where(same).correlate(other, tried)
    missing = exists().where(other.game_id == own.game_id, ~laid).correlate(own, tried)
    mine = and_(own.seat_id == tried.seat_id, own.player_id == tried.player_id)
    return session.execute(
        select(own.game_id, tried.contract)
        .select_from(tried)
        .join(own, mine)
        .where(of, tried.rounds == 1, tried.was_completed, ~missing)
        .distinct()
        .order_by(own.game_id, tried.contract)
    ).all()


def milestones_of_player(session: Session, player: int, name: str) -> list[Milestone]:
    """All that a player reached, the latest first."""
    found = list(_reached(session, player, name))
    return sorted(found, key=lambda one: one.at, reverse=True)


def _reached(session: Session, player: int, name: str) -> Iterator[Milestone]:
    own = StoredSeatResult
    played = session.execute(
        select(own.game_id, own.won)
        .where(own.player_id == player)
        .order_by(own.finished_at, own.game_id)
    ).all()
    reached: list[tuple[MilestoneKind, int, str, int]] = []
    wins, ever = 0, False
    for number, row in enumerate(played, start=1):
        wins = wins + 1 if row.won else 0
        reached += [("games", number, "", row.game_id)] if number in GAMES else []
        reached += [("wins_in_a_row", wins, "", row.game_id)] if wins in WINS_IN_A_ROW else []
        reached += [("first_win", 1, "", row.game_id)] if row.won and not ever else []
        ever = ever or row.won
    reached += _first_wins_against(session, player)
    laid = _laid_at_once(session, StoredContractAttempts.player_id == player)
    reached += [("contract", one.contract, "", one.game_id) for one in laid]
    ids = [one[3] for one in reached]
    games = session.execute(
        select(StoredGame.id, StoredGame.key, StoredGame.finished_at).where(StoredGame.id.in_(ids))
    )
    known = {row.id: row for row in games}
    for kind, count, rival, game in reached:
        at = known[game].finished_at
        yield Milestone(kind, name, count, rival, known[game].key, at)


def _first_wins_against(session: Session, player: int) -> list[tuple[MilestoneKind, int, str, int]]:
    """Whom a player was ahead of first by winning, after how many games, and in which."""
    own, other = aliased(StoredSeatResult), aliased(StoredSeatResult)
    rows = session.execute(
        select(own.game_id, own.won, own.place, other.player_id, other.place)
        .join(other, and_(other.game_id == own.game_id, other.player_id != own.player_id))
        .where(own.player_id == player)
        .order_by(own.finished_at, own.game_id)
        .execution_options(yield_per=500)
    )
    rivals = session.scalar(
        select(func.count(other.player_id.distinct()))
        .select_from(own)
        .join(other, and_(other.game_id == own.game_id, other.player_id != own.player_id))
        .where(own.player_id == player)
    )
    shared: dict[int, int] = {}
    done: set[int] = set()
    found = []
    for game, won, place, rival, theirs in rows:
        if len(done) == rivals:
            break  # nobody is left to be ahead of for the first time
        shared[rival] = shared.get(rival, 0) + 1
        if rival in done:
            continue
        if place and theirs and place < theirs:
            done.add(rival)
            if won and shared[rival] >= LEAST_SHARED:
                found.append((rival, shared[rival], game))
    rows.close()
    ids = [rival for rival, _shared, _game in found]
    names = session.execute(select(Player.id, Player.name).where(Player.id.in_(ids)))
    known = {row.id: row.name for row in names}
    return [("first_ahead", count, known[rival], game) for rival, count, game in found]
