"""One change to a game: one transaction, its events in the log, each a version of the game.

`@game_action` locks the game and tells a repeated request from a new one (`open_change`), has the
action record its events, and commits. A tap does so itself; the start of a game, which has nothing
to lock yet, is `once_answering`; how a player is called now, by a new name, a merge or its undo, is
logged in all their running games, which are locked together (`players.py`); the games that count
for no season are left out in one go (`leave_out_games`). Past `Change.store`, log and versions are
written by an import, which brings both along (`import_rows.py`), a move to another database, which
copies both (`app/store/move.py`), and a restored backup, whose versions are raised
(`app/store/backups.py`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, wraps
from typing import Concatenate

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from app.actions.groups import lock_group
from app.actions.requests import Action, Actor, P, claim_key
from app.actions.results import refresh_facts
from app.actions.seasons import noting_season_changes
from app.rules.phrases import say
from app.scorebook.events.event import Event
from app.scorebook.events.games import events_to_leave_out
from app.scorebook.game import Game
from app.scorebook.limits import MOST_LOG_ENTRIES, MOST_ROUNDS, MOST_VERSIONS
from app.scorebook.refusals import StaleVersion, refusal, refuse_growth
from app.scorebook.round_results import is_over
from app.store.announcements import Announcement, announce_when_committed
from app.store.game_cache import cache_when_committed
from app.store.game_rows import write_difference
from app.store.games import LogEntry, StoredGame, new_stamp
from app.store.queries.evenings import games_not_to_count
from app.store.queries.games import LoadedGame, load_game

# Made once: taps ask and write these, and making them costs more than the database does.
_LOCK = select(StoredGame.id).where(StoredGame.id == bindparam("game")).with_for_update()
_SET_GAME = update(StoredGame).where(StoredGame.id == bindparam("of_game"))
_WRITE_LOG = insert(LogEntry)
_CHANGED = ("version", "stamp", "finished_at", "stopped", "left_out")


@dataclass
class Change:
    """An open change to one game. `loaded` is the game as it stood when the change began."""

    session: Session
    loaded: LoadedGame
    actor: Actor
    earlier_result: str | None
    """What is remembered of this very request: "" where it was carried out, `REFUSED` or
    `UNREADABLE` of a tap; None where nothing is."""
    game: Game = field(init=False)
    """The game after what was recorded so far."""
    events: list[Event] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.game = self.loaded.game

    @property
    def is_repeat(self) -> bool:
        """Is anything remembered of this very request?"""
        return self.earlier_result is not None

    @property
    def group(self) -> int:
        """The id of the game's group."""
        return self.loaded.columns.group_id

    @cached_property
    def stored_game(self) -> StoredGame:
        """The game's row, to set what is stored beside what is played."""
        return self.session.get_one(StoredGame, self.loaded.id)

    @property
    def open_number(self) -> int:
        """The number of the open round. Raises `Refused` where that is one too many for a game."""
        number = self.game.open_number
        if number > MOST_ROUNDS:
            raise refusal("game", say("A game has at most {most} rounds.", most=MOST_ROUNDS))
        return number

    def refuse_unless_seen(self, version: int | None) -> None:
        """Raise `StaleVersion` if the game is at another version than was seen (None: not said)."""
        if version is not None and version != self.loaded.version:
            raise StaleVersion(self.loaded.version)

    def record(self, events: Iterable[Event]) -> None:
        """Apply these events to the game; they are stored when the change is committed."""
        for event in events:
            self.game = event.apply(self.game)
            self.events.append(event)

    def commit(self) -> LoadedGame:
        """Commit the change: its events, what the action wrote itself, the key of the request.

        Answers the game as it is played then; of its columns those alone are new that every change
        sets. Raises `Refused` as `store` does.
        """
        after = self.store() if self.events else self.loaded
        self.session.commit()
        return after

    def store(self) -> LoadedGame:
        """Store the events and what they changed; answers what `commit` does.

        Raises `Refused` where the game would come to more than it, or its log, can hold.
        """
        before = self.loaded
        refuse_growth(before.game, self.game)
        self.session.flush()
        if not before.results_only and not before.finished_at and is_over(self.game):
            self.stay_out_of_seasons(before.columns.started_at)
        connection = self.session.connection()
        version = before.version + len(self.events)
        if version > MOST_VERSIONS or self._logged_after(version) > MOST_LOG_ENTRIES:
            raise refusal("game", say("This game holds no more changes. Start the next one."))
        if before.results_only:
            finished_at = self.stored_game.finished_at
        else:
            finished_at = (before.finished_at or self.actor.at) if is_over(self.game) else None
        self._write_log(connection)
        if self.game is not before.game:
            write_difference(connection, before.id, before.game, self.game, self.actor.at)
        columns = before.columns._replace(
            version=version,
            stamp=new_stamp(),
            finished_at=finished_at,
            stopped=self.game.stopped,
            left_out=self.game.left_out,
        )
        changed = {name: getattr(columns, name) for name in _CHANGED}
        set_game = {"of_game": before.id, **changed}
        if finished_at or before.finished_at:
            games, group = [before.id], self.group
            lock_group(self.session, group)
            # Seasons follow what is done to a past result at once. An edit's facts were written by
            # `keep_past_result`, so for it nothing differs here.
            at_once = [before.finished_at] if before.results_only and before.finished_at else []
            with noting_season_changes(self.session, group, games, self.actor.at, at_once):
                connection.execute(_SET_GAME, set_game)
                refresh_facts(self.session, games)
        else:
            connection.execute(_SET_GAME, set_game)
        announce_when_committed(self.session, Announcement(self.group, before.key, version))
        after = before.with_changes(columns, self.game, self.actor.at)
        cache_when_committed(self.session, after)
        return after

    def stay_out_of_seasons(self, at: datetime) -> None:
        """Leave the game, which is stored as begun at that moment, out of seasons with its evening.

        An evening is left out if it has other results and all of them are. A game comes into its
        evening when it ends, a past result when it gets another day.
        """
        lock_group(self.session, self.group)  # who leaves the others out waits for it
        if games_not_to_count(self.session, self.group, {self.loaded.id: at}):
            self.record(events_to_leave_out(self.game, left_out=True))

    def _logged_after(self, version: int) -> int:
        """How many entries the log has then, at most; counted only where it could be too many."""
        if version <= MOST_LOG_ENTRIES:
            return version
        logged = select(func.count()).where(LogEntry.game_id == self.loaded.id)
        return len(self.events) + (self.session.scalar(logged) or 0)

    def _write_log(self, connection: Connection) -> None:
        of_all = {
            "game_id": self.loaded.id,
            "change": self.loaded.version + 1,
            "at": self.actor.at,
            "device_id": self.actor.device,
            "actor_name": self.actor.name,
        }
        entries = [
            {**of_all, "version": version, **event.to_log()._asdict()}
            for version, event in enumerate(self.events, start=self.loaded.version + 1)
        ]
        connection.execute(_WRITE_LOG, entries)


def lock_game(session: Session, game_id: int) -> None:
    """Let others wait who change that game, until this transaction is over."""
    connection = session.connection()
    if connection.dialect.name != "sqlite":  # whose transaction has the whole database already
        connection.execute(_LOCK, {"game": game_id})


def open_change(
    session: Session,
    actor: Actor,
    game_id: int,
    *,
    allow_results_only: bool = False,
) -> Change:
    """Begin a change to a game; to one without rounds, only if `allow_results_only`.

    Raises `Refused` for one that is not allowed, `KeyReused` where the request's key belongs to
    another request.
    """
    # Before the game is locked, as in every other action. For a repeat it ends the transaction.
    earlier = claim_key(session, actor)
    lock_game(session, game_id)
    loaded = load_game(session, game_id)
    if loaded.results_only and not allow_results_only:
        raise refusal("game", say("This game has results only, without rounds."))
    return Change(session, loaded, actor, earlier)


GameAction = Action[Concatenate[int, P], LoadedGame]
"""What somebody does to the game with that id; answers the game as it is then."""


def game_action(
    action: Callable[Concatenate[Change, P], None], *, allow_results_only: bool = False
) -> GameAction[P]:
    """Make an action of what records the events of an open change.

    It is carried out once and committed; a repeated request changes nothing. Raises `Refused` for
    a game that would hold too much, and what `open_change` and the action raise.
    """

    @wraps(action)
    def carried_out(
        session: Session, actor: Actor, game_id: int, /, *args: P.args, **kwargs: P.kwargs
    ) -> LoadedGame:
        change = open_change(session, actor, game_id, allow_results_only=allow_results_only)
        if change.is_repeat:
            return change.loaded
        action(change, *args, **kwargs)
        return change.commit()

    return carried_out


def any_game_action(action: Callable[Concatenate[Change, P], None]) -> GameAction[P]:
    """As `game_action`, for games that have results only, too."""
    return game_action(action, allow_results_only=True)


def recording(decide: Callable[Concatenate[Game, P], Iterable[Event]]) -> GameAction[P]:
    """Make an action of a function that decides the events, by the game and what is asked."""

    def record(change: Change, /, *args: P.args, **kwargs: P.kwargs) -> None:
        change.record(decide(change.game, *args, **kwargs))

    return game_action(record)
