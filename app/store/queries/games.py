"""Reads of games: one as it stands, and lists of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, exists, func, or_, select
from sqlalchemy.exc import NoResultFound
from sqlalchemy.orm import Session

from app.scorebook.lengths import KnownLength
from app.store.game_cache import committed_games
from app.store.game_rows import LoadedGame, headers_of, read_games
from app.store.games import LogEntry, StoredGame, StoredRuleChange, StoredSeat, StoredStandIn
from app.store.groups import Player
from app.store.queries.alphabet import level_by_name
from app.store.statistics import StoredPlayerResult, StoredResult

__all__ = ["LoadedGame"]  # who loads a game need not know where it is made


def load_game(session: Session, game_id: int) -> LoadedGame:
    """The game with that id as it stands. Raises `NoResultFound` where there is none."""
    for loaded in load_games(session, [game_id]):
        return loaded
    raise NoResultFound(f"There is no game {game_id}.")


def load_games(session: Session, games: Sequence[int]) -> Sequence[LoadedGame]:
    """The games with these ids as they stand, in their order. Ids of no game are left out."""
    session.flush()  # what is asked for past the ORM is to hold what was done so far
    connection = session.connection()
    headers = headers_of(connection, games)
    found = committed_games(connection.engine, headers)
    if others := [game for game in headers if game not in found]:
        found |= read_games(connection, others)
    return [found[game] for game in games if game in found]


def game_ids_of(player: int) -> Select[int]:
    """The ids of the games in which a player held a seat, perhaps as a stand-in."""
    return games_with(StoredSeat.player_id == player, StoredStandIn.player_id == player)


def games_with(sits: ColumnElement[bool], stands_in: ColumnElement[bool]) -> Select[int]:
    """The ids of the games that have such a seat, or such a stand-in on one."""
    standing_in = select(StoredStandIn.seat_id).where(stands_in)
    return select(StoredSeat.game_id).where(or_(sits, StoredSeat.id.in_(standing_in))).distinct()


_IN_PROGRESS = [
    one.is_(None) for one in (StoredGame.finished_at, StoredGame.deleted_at, StoredGame.archived_at)
]


def running_games(session: Session, group: int, most: int) -> Sequence[Row[int, str]]:
    """The `id` and `key` of the group's games that are neither over nor archived, newest first."""
    return session.execute(_running(group, most)).all()


def running_games_changed(session: Session, group: int, most: int) -> Mapping[int, datetime]:
    """When each of `running_games` was changed last, by id."""
    newest = _running(group, most).with_only_columns(StoredGame.id).correlate(None)
    return last_change_times(session, newest)


def _running(group: int, most: int) -> Select[int, str]:
    # Written so that no index gives this order: SQLite would go through all games by it, instead
    # of finding the few that are not over.
    started = func.coalesce(StoredGame.started_at, StoredGame.started_at)
    return (
        select(StoredGame.id, StoredGame.key)
        .where(StoredGame.group_id == group, *_IN_PROGRESS)
        .order_by(started.desc(), StoredGame.id.desc())
        .limit(most)
    )


def next_game_key(session: Session, group: int, game: LoadedGame) -> str | None:
    """The key of the newest game at which the players of one that is over, two at least, went on.

    It is in progress, and did not begin before that one was over; None where there is none.
    """
    players = {one.player for seat in game.game.seats for one in seat.stints}
    return session.scalar(
        select(StoredGame.key)
        .join(StoredSeat, StoredSeat.game_id == StoredGame.id)
        .where(
            StoredGame.group_id == group,
            StoredGame.id != game.id,
            *_IN_PROGRESS,
            StoredGame.started_at >= game.finished_at,
            StoredSeat.player_id.in_(players),
        )
        .group_by(StoredGame.id)
        .having(func.count() > 1)
        .order_by(StoredGame.started_at.desc(), StoredGame.id.desc())
        .limit(1)
    )


def game_id_in_group(session: Session, group: int, key: str) -> int | None:
    """The id of the group's game with that key; None for none, or a deleted one."""
    return session.scalar(
        select(StoredGame.id).where(
            StoredGame.group_id == group,
            StoredGame.key == key,
            StoredGame.deleted_at.is_(None),
        )
    )


def shared_game(session: Session, share_key: str) -> LoadedGame | None:
    """The game whose result is shared under that key; None if none is, or no longer."""
    shared = StoredGame.share_key == share_key, StoredGame.deleted_at.is_(None)
    game = session.scalar(select(StoredGame.id).where(*shared))
    loaded = None if game is None else load_game(session, game)
    return loaded if loaded and loaded.columns.has_result else None


def last_change_times(
    session: Session, games: Sequence[int] | Select[int]
) -> Mapping[int, datetime]:
    """When each of these games was changed last; when it started where no log says."""
    # The games of a restored backup have higher versions than their logs.
    newest = select(LogEntry.at).where(LogEntry.game_id == StoredGame.id)
    newest = newest.order_by(LogEntry.version.desc()).limit(1)
    at = func.coalesce(newest.scalar_subquery(), StoredGame.started_at)
    return dict(session.execute(select(StoredGame.id, at).where(StoredGame.id.in_(games))).all())


_LOOKED_BACK = 30
"""So many games are looked through for a choice of the group, or for how long they took."""


def active_player_names(session: Session, group: int, most: int) -> Sequence[str]:
    """The names of so many players who still play: the last table first, as it sat down.

    Tables of deleted games count, too. Who was at none of the last ones follows, those first whose
    game was entered last.
    """
    return [one.name for one in active_players(session, group, most)]


def active_players(
    session: Session, group: int, most: int
) -> Sequence[Row[str, int | None, int | None, bool | None]]:
    """Those of `active_player_names` with the ids of the game and seat that each took last, if any.

    At a past result nobody sat down here. `gave_up` says whether they left that seat or somebody
    took it over.
    """
    taken_over = exists().where(StoredStandIn.seat_id == StoredSeat.id)
    gave_up = or_(StoredSeat.left_after.is_not(None), taken_over)
    newest = (
        select(StoredGame.id, StoredGame.started_at)
        .where(StoredGame.group_id == group, ~StoredGame.results_only)
        .order_by(StoredGame.started_at.desc(), StoredGame.id.desc())
        .limit(_LOOKED_BACK)
        .subquery()
    )
    last_first = (newest.c.started_at.desc(), newest.c.id.desc())
    place = func.row_number().over(partition_by=StoredSeat.player_id, order_by=last_first)
    lately = (
        select(
            *(StoredSeat.player_id, StoredSeat.game_id, StoredSeat.id, newest.c.started_at),
            *(gave_up.label("gave_up"), place.label("place")),
        )
        .join(newest, newest.c.id == StoredSeat.game_id)
        .subquery()
    )
    before = (
        select(StoredSeat)
        .join(StoredGame, StoredGame.id == StoredSeat.game_id)
        .where(StoredSeat.player_id == Player.id, ~StoredGame.results_only)
        .order_by(StoredSeat.id.desc())
        .limit(1)
        .correlate(Player)
    )
    last_game, last_seat, given_up = (
        func.coalesce(known, before.with_only_columns(column).scalar_subquery())
        for known, column in (
            (lately.c.game_id, StoredSeat.game_id),
            (lately.c.id, StoredSeat.id),
            (lately.c.gave_up, gave_up),
        )
    )
    rows = session.execute(
        select(
            Player.name,
            last_game.label("last_game"),
            last_seat.label("last_seat"),
            given_up.label("gave_up"),
        )
        .outerjoin(lately, and_(lately.c.player_id == Player.id, lately.c.place == 1))
        .where(
            Player.group_id == group,
            Player.archived_at.is_(None),
            Player.merged_into_id.is_(None),
        )
        .order_by(
            lately.c.started_at.desc().nulls_last(),
            last_game.desc().nulls_last(),
            last_seat,
            Player.name,
        )
        .limit(most)
    )
    return level_by_name(rows, lambda row: row.last_seat)


def recent_variants(session: Session, group: int, most: int) -> Sequence[str]:
    """The ids of the rule sets of the group's games, that of the game that began last first."""
    return session.scalars(
        select(StoredGame.variant_id)
        .where(StoredGame.group_id == group)
        .group_by(StoredGame.variant_id)
        .order_by(func.max(StoredGame.started_at).desc(), func.max(StoredGame.id).desc())
        .limit(most)
    ).all()


def last_game(session: Session, group: int, variant_id: str) -> LoadedGame | None:
    """The newest game of the group by that rule set; not one of which only the result is known."""
    game = session.scalar(
        select(StoredGame.id)
        .where(
            StoredGame.group_id == group,
            StoredGame.variant_id == variant_id,
            StoredGame.results_only.is_(False),
            StoredGame.deleted_at.is_(None),
        )
        .order_by(StoredGame.started_at.desc(), StoredGame.id.desc())
        .limit(1)
    )
    return None if game is None else load_game(session, game)


# Made once and sent past the ORM: each page of a game asks, and making it costs more than that.
_fact, _of_seat = StoredResult.__table__.c, StoredPlayerResult.__table__.c
_newest = (
    select(_fact.game_id, _fact.rounds, _fact.seconds)
    .where(
        _fact.group_id == bindparam("group"),
        _fact.variant_id == bindparam("variant"),
        _fact.seconds.between(60 * _fact.rounds, 3600 * _fact.rounds),
        _fact.rounds > 0,
    )
    .order_by(_fact.finished_at.desc())
    .limit(_LOOKED_BACK)
    .subquery()
)
_KNOWN_LENGTHS = (
    select(
        func.count(), func.max(_of_seat.contracts_completed), _newest.c.rounds, _newest.c.seconds
    )
    .join(StoredPlayerResult.__table__, _of_seat.game_id == _newest.c.game_id)
    .group_by(_newest.c.game_id, _newest.c.rounds, _newest.c.seconds)
)


def known_lengths(session: Session, group: int, variant: str) -> Sequence[KnownLength]:
    """How long a group's last games of a rule set took, of those that it entered as it played.

    Those whose rounds took on average less than a minute (entered later) or more than an hour
    (played on another day) are left out.
    """
    rows = session.connection().execute(_KNOWN_LENGTHS, {"group": group, "variant": variant})
    return [KnownLength(*row) for row in rows]


def points_kept_last(session: Session, group: int) -> bool | None:
    """Whether the group kept points at last where it could choose; None if lately it couldn’t."""
    newest = (
        select(StoredGame.id, StoredGame.rules, StoredGame.started_at)
        .where(StoredGame.group_id == group, StoredGame.results_only.is_(False))
        .order_by(StoredGame.started_at.desc(), StoredGame.id.desc())
        .limit(_LOOKED_BACK)
        .subquery()
    )
    changed = (
        select(StoredRuleChange.value)
        .where(StoredRuleChange.game_id == newest.c.id, StoredRuleChange.field == "keep_score")
        .order_by(StoredRuleChange.from_round.desc())
        .limit(1)
        .scalar_subquery()
    )
    found = session.execute(
        select(changed, newest.c.rules["keep_score"]["value"].as_string())
        .where(
            newest.c.rules["win"]["value"]
            .as_string()
            .not_in(("lowest_score", "lowest_finisher", "highest_score"))
        )
        .order_by(newest.c.started_at.desc(), newest.c.id.desc())
        .limit(1)
    ).first()
    return None if found is None else (found[0] or found[1]) == "yes"
