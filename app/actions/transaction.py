"""One change = one transaction = its log entries = the game's version gone up.

An action opens a `Change`, which locks the game's row and tells a repeated request from a new one;
notes what it does; and commits. Nothing else raises a version or writes the log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.orm import Session

from app.actions.actor import Actor
from app.actions.faults import Stale, refuse
from app.actions.groups import hold_group
from app.actions.idempotency import claim
from app.actions.results import note_result
from app.exchange.limits import MOST_ROUNDS, MOST_VERSIONS
from app.rules.wording import say
from app.store.games import KeptGame, KeptRound, new_stamp
from app.store.log import LogEntry
from app.store.queries.games import EnteredRound, Table, table_of

# Made once: each tap asks and writes these, and making them costs more than the database does.
_LOCK = select(KeptGame.id).where(KeptGame.id == bindparam("game")).with_for_update()
_KEEP_VERSION = update(KeptGame).where(KeptGame.id == bindparam("of_game"))
_ROUND = select(KeptRound).where(
    KeptRound.game_id == bindparam("game"), KeptRound.number == bindparam("number")
)
_WRITE_LOG = insert(LogEntry)


@dataclass
class Change:
    """An open change to one game. `table` is the game as it stood when the change began."""

    session: Session
    table: Table
    actor: Actor
    repeated: bool
    """This very request was carried out before: there is nothing to do."""
    version: int = field(init=False)
    """What the game's version is to be: one more for each entry noted."""
    stamp: int = field(init=False)
    """What the game's stamp is to be."""
    entered: dict[int, EnteredRound] = field(init=False)
    """What is entered by now; as `Table.entered`."""

    def __post_init__(self) -> None:
        self.version, self.entered = self.table.version, dict(self.table.entered)
        self.stamp = new_stamp()

    @cached_property
    def connection(self) -> Connection:
        """Where the session writes, for what is sent past the ORM."""
        return self.session.connection()

    @cached_property
    def game(self) -> KeptGame:
        """The kept game, to set what is kept of it beside its rounds."""
        return self.session.get_one(KeptGame, self.table.id)

    def note(
        self,
        kind: str,
        *,
        round_number: int | None = None,
        seat: int | None = None,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> None:
        """Write one entry of the game's log; the version goes up by one.

        Raises `Refused` where a document could not hold the game with one more.
        """
        self.version += 1
        if self.version > MOST_VERSIONS:
            raise refuse("game", say("This game holds no more changes. Start the next one."))
        entry = {
            "game_id": self.table.id,
            "version": self.version,
            "at": self.actor.at,
            "device_id": self.actor.device,
            "device_name": self.actor.device_name,
            "kind": kind,
            "round_number": round_number,
            "seat_id": seat,
            "before": dict(before or {}),
            "after": dict(after or {}),
            "reason": reason,
        }
        self.connection.execute(_WRITE_LOG, entry)

    @property
    def open_number(self) -> int:
        """The number of the round that is open. Raises `Refused` where no more can be played."""
        number = self.table.open_number
        if number > MOST_ROUNDS:
            raise refuse("game", say("A game has at most {most} rounds.", most=MOST_ROUNDS))
        return number

    def round(self, number: int) -> KeptRound:
        """The kept round of that number, made if nothing was entered for it yet."""
        kept = self.session.scalar(_ROUND, {"game": self.table.id, "number": number})
        if kept is None:
            kept = KeptRound(game_id=self.table.id, number=number)
            self.session.add(kept)
            self.session.flush()
        return kept

    def enter(self, number: int, **says: Any) -> None:
        """Note what is entered for a round by now; `says` are fields of `EnteredRound`."""
        before = self.entered.get(number) or EnteredRound(number, False, None, {})
        self.entered[number] = replace(before, **says)

    def commit(self) -> None:
        """Keep the change, and note whether the game is over now."""
        self._keep_version()
        note_finish(self.session, self.game, self.actor)
        self.session.commit()

    def commit_taps(self) -> Table:
        """Keep a change of nothing but what is entered; no game ends by that. Answers the game."""
        self._keep_version()
        self.session.commit()
        return self.table.after_taps(self.version, self.stamp, self.entered)

    def commit_nothing(self) -> None:
        """Keep no more than that the request was carried out: things are as it wants them."""
        self.session.commit()

    def _keep_version(self) -> None:
        self.session.flush()
        now = {"of_game": self.table.id, "version": self.version, "stamp": self.stamp}
        self.connection.execute(_KEEP_VERSION, now)


def open_change(
    session: Session, game_id: int, actor: Actor, *, seen: int | None = None, on_paper: bool = False
) -> Change:
    """Begin a change to a game; to one that has rounds, unless games `on_paper` will do as well.

    `seen` is the version that the phone saw, where the change could overwrite what it did not
    see; raises `Stale` when the game has moved on since, `Refused` for a game on paper, `KeyReused`
    where the request's key belongs to another request.
    """
    connection = session.connection()
    if connection.dialect.name != "sqlite":  # whose transaction has the whole database already
        connection.execute(_LOCK, {"game": game_id})
    table = table_of(session, game_id, committed=True)
    repeated = claim(session, actor) is not None
    if not repeated and seen is not None and seen != table.version:
        raise Stale(table.version)
    if table.on_paper and not on_paper:
        raise refuse("game", say("This game has results only, without rounds."))
    return Change(session, table, actor, repeated)


def note_finish(session: Session, game: KeptGame, actor: Actor) -> None:
    """Make the caches (`finished_at`, results) agree with what the scorebook says of the game."""
    before = game.finished_at
    if not game.on_paper:
        over = table_of(session, game.id).board.over
        game.finished_at = (before or actor.at) if over else None
    if before is not None or game.finished_at is not None:
        session.flush()
        hold_group(session, game.group_id)
        note_result(session, game.id)
