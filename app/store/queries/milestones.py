"""Reads of milestones: first and round numbers worth telling, worked out from the facts.

There is none for losing. A milestone belongs to the game that reached it: it is said where that
game ended, and among the player's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import and_, exists, func, select
from sqlalchemy.orm import Session, aliased

from app.store.engine import begin_snapshot
from app.store.games import StoredGame
from app.store.groups import Player
from app.store.queries.players import end_of, player_ids, wins_before
from app.store.statistics import StoredPlayerResult, StoredResult

MilestoneKind = Literal["games", "first_win", "wins_in_a_row", "first_ahead", "contract"]

GAMES = (50, 100, 250, 500, 1000, 2500, 5000, 10_000)
WINS_IN_A_ROW = (5, 10, 15, 20, 30, 40, 50)
LEAST_SHARED_TO_TELL = 5
"""The first win against somebody is told from so many games together on."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """What a player reached in a game.

    `player` is blank for what all players of a game reached, as its page tells it.
    `count` is of games, of wins (the first, or in a row), of games shared with the `rival`, or the
    contract's number.
    """

    kind: MilestoneKind
    player: str
    count: int
    rival: str
    game_key: str
    at: datetime


def milestones_of_game(session: Session, game: int) -> list[Milestone]:
    """What the players of a finished game reached by it."""
    own, so_far, earlier = (
        StoredPlayerResult,
        aliased(StoredPlayerResult),
        aliased(StoredPlayerResult),
    )
    played = select(func.count()).where(
        so_far.player_id == own.player_id, so_far.won.is_not(None), end_of(so_far) <= end_of(own)
    )
    won_before = exists().where(
        earlier.player_id == own.player_id, earlier.won, end_of(earlier) < end_of(own)
    )
    before = wins_before([game])
    seats = session.execute(
        select(
            own.player_id,
            Player.name,
            own.won,
            StoredGame.key,
            own.finished_at,
            played.correlate(own).scalar_subquery().label("played"),
            before.c.wins,
            won_before.correlate(own).label("won_before"),
            StoredResult.laid_at_once,
        )
        .join(Player, Player.id == own.player_id)
        .join(StoredGame, StoredGame.id == own.game_id)
        .join(StoredResult, StoredResult.game_id == own.game_id)
        .join(before, before.c.player_id == own.player_id)
        .where(own.game_id == game, own.won.is_not(None))
        .order_by(own.place.is_(None), own.place, Player.name)
    ).all()
    beaten = _first_ahead(session, game)
    found: list[Milestone] = []
    for row in seats:
        reached: list[tuple[MilestoneKind, int, str]] = []
        wins = row.wins + 1
        reached += [("games", row.played, "")] if row.played in GAMES else []
        if row.won:
            reached += [("wins_in_a_row", wins, "")] if wins in WINS_IN_A_ROW else []
            reached += [] if row.won_before else [("first_win", 1, "")]
        reached += [
            ("first_ahead", one.shared, one.name) for one in beaten if one.winner == row.player_id
        ]
        found += [
            Milestone(kind, row.name, count, rival, row.key, row.finished_at)
            for kind, count, rival in reached
        ]
    for contract in seats[0].laid_at_once or () if seats else ():
        first = seats[0]
        found.append(Milestone("contract", "", contract, "", first.key, first.finished_at))
    return found


def _first_ahead(session: Session, game: int) -> Sequence[Any]:
    """Whom the winners had never been ahead of before: `winner`, `name`, and games `shared`."""
    winner, rival, own, other = (aliased(StoredPlayerResult) for _ in range(4))
    both = (
        own.player_id == winner.player_id,
        other.player_id == rival.player_id,
        own.game_id == other.game_id,
        own.won.is_not(None),
        other.won.is_not(None),
    )
    ahead = exists().where(*both, end_of(own) < end_of(winner), own.place < other.place)
    shared = (
        select(func.count())
        .where(*both, end_of(own) <= end_of(winner))
        .correlate(winner, rival)
        .scalar_subquery()
    )
    rows = session.execute(
        select(winner.player_id.label("winner"), Player.name, shared.label("shared"))
        .join(rival, rival.game_id == winner.game_id)
        .join(Player, Player.id == rival.player_id)
        .where(winner.game_id == game, winner.won, rival.won.is_(False))
        .where(rival.place.is_not(None), ~ahead.correlate(winner, rival))
        .order_by(Player.name)
    )
    return [row for row in rows if row.shared >= LEAST_SHARED_TO_TELL]


def milestones_of_player(session: Session, player: int, name: str) -> list[Milestone]:
    """All that a player reached, the latest first. Begins a transaction of its own."""
    begin_snapshot(session)
    own = StoredPlayerResult
    played = session.execute(
        select(own.game_id, own.won)
        .where(own.player_id == player, own.won.is_not(None))
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
    laid = session.execute(
        select(own.game_id, StoredResult.laid_at_once)
        .join(StoredResult, StoredResult.game_id == own.game_id)
        .where(own.player_id == player, StoredResult.laid_at_once.is_not(None))
        .order_by(own.game_id)
    )
    reached += [("contract", one, "", game) for game, contracts in laid for one in contracts or ()]
    ids = [one[3] for one in reached]
    games = session.execute(
        select(StoredGame.id, StoredGame.key, StoredGame.finished_at).where(StoredGame.id.in_(ids))
    )
    known = {row.id: row for row in games}
    found = [
        Milestone(kind, name, count, rival, known[game].key, known[game].finished_at)
        for kind, count, rival, game in reached
    ]
    return sorted(found, key=lambda one: one.at, reverse=True)


def _first_wins_against(session: Session, player: int) -> list[tuple[MilestoneKind, int, str, int]]:
    """Whom a player was ahead of first by winning, after how many games, and in which."""
    own, other = aliased(StoredPlayerResult), aliased(StoredPlayerResult)
    rows = session.execute(
        select(own.game_id, own.won, own.place, other.player_id, other.place)
        .join(other, and_(other.game_id == own.game_id, other.player_id != own.player_id))
        .where(own.player_id == player, own.won.is_not(None), other.won.is_not(None))
        .order_by(own.finished_at, own.game_id)
        .execution_options(yield_per=500)
    )
    met = exists().where(
        other.player_id == Player.id, own.game_id == other.game_id, own.player_id == player
    )
    group = select(Player.group_id).where(Player.id == player).scalar_subquery()
    rivals = session.execute(
        select(Player.id, Player.name).where(
            Player.id.in_(player_ids(group)), Player.id != player, met.correlate(Player)
        )
    )
    names = {row.id: row.name for row in rivals}
    shared: dict[int, int] = {}
    done: set[int] = set()
    found = list[tuple[MilestoneKind, int, str, int]]()
    for game, won, place, rival, theirs in rows:
        if len(done) == len(names):
            break  # nobody is left to be ahead of for the first time
        shared[rival] = shared.get(rival, 0) + 1
        if rival in done:
            continue
        if place and theirs and place < theirs:
            done.add(rival)
            if won and shared[rival] >= LEAST_SHARED_TO_TELL:
                found.append(("first_ahead", shared[rival], names[rival], game))
    rows.close()
    return found
