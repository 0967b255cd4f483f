"""Tables of what was played: games, their seats, rounds and entries, rulings and the log.

The scorebook's game is made of them by `game_rows.py`.
"""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    and_,
    false,
    func,
    or_,
    text,
)
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import Mapped, mapped_column

from app.scorebook.game import EveningMark
from app.store.base import Base, Tuples


def _name_of_rules(context: DefaultExecutionContext) -> str:
    name: str = context.get_current_parameters()["rules"]["name"]  # type: ignore[no-untyped-call]
    return name.strip()


def new_stamp() -> int:
    """A number that no version of any game had before."""
    return secrets.randbits(63)


class StoredGame(Base):
    """One playing of a rule set, of which `rules` is its own copy. `key` names it in addresses."""

    __tablename__ = "games"
    __table_args__ = (
        Index(None, "group_id", "started_at", "id"),
        Index(None, "group_id", "finished_at", "id"),
        Index(
            "ix_games_stopped", "group_id", "id",
            sqlite_where=text("stopped IS NOT NULL"), postgresql_where=text("stopped IS NOT NULL"),
        ),
        Index(
            "ix_games_left_out", "group_id", "id",
            sqlite_where=text("left_out"), postgresql_where=text("left_out"),
        ),
        UniqueConstraint("group_id", "imported_key"),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(16), unique=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    variant_id: Mapped[str] = mapped_column(String(60))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    variant_name: Mapped[str | None] = mapped_column(String(60), default=_name_of_rules)
    """The name in its rules, for searches: to read it there takes 50 µs a game. Empty where 1.0.0
    made the game after the upgrade."""
    version: Mapped[int] = mapped_column(default=0)
    """Goes up by one with each event; what devices compare."""
    stamp: Mapped[int] = mapped_column(BigInteger, default=new_stamp)
    """Drawn anew with each change and never given to another state of a game, as ids and versions
    are once a copy was restored or a game imported anew: what processes remember a game by."""
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    """When it was over. That it is over follows from what was played (but for past results and
    stopped games); it is stored so that lists need not read every game whole."""
    reopened: Mapped[bool] = mapped_column(default=False)
    """For servers still at the release 1.1.0, where only so a finished game was edited; documents
    carry it."""
    stopped: Mapped[str | None] = mapped_column(String(10))
    """How it counts where it is over although no round ended it (`Stop`)."""
    title: Mapped[str] = mapped_column(String(80), default="")
    note: Mapped[str] = mapped_column(String(1000), default="")
    archived_at: Mapped[datetime | None]
    """Since when it is out of the way: found only by who looks for it, but counted."""
    deleted_at: Mapped[datetime | None]
    """Since when it is deleted: it counts no more, and can be restored for 30 days."""
    course: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """What the table decided beside the cards (`scorebook.decisions`); read whole, but
    for the search of what people wrote in it (`queries/search.py`)."""
    results_only: Mapped[bool] = mapped_column("on_paper", key="results_only", default=False)
    """It has no rounds: only its result was entered or imported (`StoredPastResult`)."""
    imported_key: Mapped[str | None] = mapped_column(String(40))
    """Its key where it came from, if that is another one."""
    evening: Mapped[EveningMark | None] = mapped_column(String(8))
    """What people said of its evening: it `begins` one, or `joins` the one before. Empty where the
    times tell (`store/queries/evenings.py`)."""
    left_out: Mapped[bool] = mapped_column(default=False, server_default=false())
    """It counts for no season."""
    share_key: Mapped[str | None] = mapped_column(String(32), unique=True)
    """Names its result for strangers, while it is shared."""


CAME_AS: Any = func.coalesce(StoredGame.imported_key, StoredGame.key)
"""The key by which documents know a game: with which it came, or that it was given here."""

NAME_OF_RULES: Any = func.coalesce(StoredGame.variant_name, StoredGame.rules["name"].as_string())

LAST_CONTRACT: ColumnElement[int] = func.coalesce(
    StoredGame.rules["last_contract"]["value"].as_integer(),
    func.json_array_length(StoredGame.rules["contracts"]["value"]),
    0,
)
"""The number of the contract that ends a game, the last where the rules name none; 0 without."""

_LIMITS = (StoredGame.rules[one]["value"].as_integer() for one in ("score_limit", "max_deals"))

HAS_END = or_(LAST_CONTRACT > 0, *(func.coalesce(one, 0) > 0 for one in _LIMITS))
"""Does a game by its rules end by itself (`Variant.has_end`)? Others the table ends."""

IS_STOPPED_EARLY = and_(StoredGame.stopped.is_not(None), HAS_END)


class StoredSeat(Base):
    """A player's place in a game; `position` counts in seating order."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    position: Mapped[int]
    joined_in: Mapped[int] = mapped_column(default=1)
    left_after: Mapped[int | None]
    starting_score: Mapped[int] = mapped_column(default=0)
    deals_first: Mapped[bool] = mapped_column(default=False)
    """Who was to deal round 1; true for one seat of each game, even where nobody deals."""
    player_before_merge_id: Mapped[int | None] = mapped_column(
        "played_as_id", ForeignKey("players.id"), key="player_before_merge_id", index=True
    )
    """Who sat here before they were merged into the player; empty where nobody was."""
    starting_contract: Mapped[int] = mapped_column(default=1)
    missed: Mapped[tuple[tuple[int, int], ...] | None] = mapped_column(Tuples)
    """First and last of the rounds that the player missed before coming back, for each stretch."""


class StoredStandIn(Base):
    """Who plays a seat on from a round; of one seat in the order of their ids."""

    __tablename__ = "stand_ins"

    id: Mapped[int] = mapped_column(primary_key=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id", ondelete="CASCADE"), index=True)
    from_round: Mapped[int]
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    player_before_merge_id: Mapped[int | None] = mapped_column(
        "played_as_id", ForeignKey("players.id"), key="player_before_merge_id", index=True
    )
    """Who played before they were merged into the player; empty where nobody was."""


class StoredRound(Base):
    """A round, dealt again where a deal was void. It has ended once `closed_at` is set."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    number: Mapped[int]
    closed_at: Mapped[datetime | None]
    first_down: Mapped[int | None] = mapped_column(
        "first_down_id", ForeignKey("seats.id", ondelete="SET NULL"), key="first_down"
    )
    nobody_out: Mapped[bool] = mapped_column(default=False)
    """Did somebody say that nobody went out? Taken back when somebody says who did."""


class StoredEntry(Base):
    """What was entered for one seat in one round: the fields of the scorebook's `Entry`."""

    __tablename__ = "rows"
    __table_args__ = (UniqueConstraint("round_id", "seat_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id", ondelete="CASCADE"), index=True)
    met: Mapped[bool] = mapped_column(default=False)
    went_out: Mapped[bool] = mapped_column(default=False)
    penalty: Mapped[int | None]
    typed: Mapped[str] = mapped_column(String(80), default="")
    counted: Mapped[tuple[int, ...] | None] = mapped_column(Tuples)
    exact_deal: Mapped[bool] = mapped_column(default=False)
    not_counted: Mapped[bool] = mapped_column(default=False)
    buys: Mapped[int] = mapped_column(default=0)


class StoredPastResult(Base):
    """What a seat came to in a game with results only, of which there are no rounds."""

    __tablename__ = "paper_results"

    seat_id: Mapped[int] = mapped_column(
        ForeignKey("seats.id", ondelete="CASCADE"), primary_key=True
    )
    place: Mapped[int]
    score: Mapped[int | None]


class RecordedRuling(Base):
    """A ruling: the question as the checker's address asks it, the verdict, what was decided.

    `decision` is empty where the table took the verdict as it is, or only changed a house rule.
    """

    __tablename__ = "recorded_rulings"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    round_number: Mapped[int]
    at: Mapped[datetime]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("devices.id", ondelete="SET NULL"))
    question: Mapped[str] = mapped_column(String(2000))
    verdict: Mapped[str] = mapped_column(String(400))
    recorded_verdict: Mapped[dict[str, Any] | None] = mapped_column(
        "said", JSON(none_as_null=True), key="recorded_verdict"
    )
    """The verdict for every language (`app.rules.verdicts`); `verdict` is its English.
    Empty where that alone is known, as where version 1.0.0 recorded it."""
    asking_seat_id: Mapped[int | None] = mapped_column(
        "asked_by_id", ForeignKey("seats.id", ondelete="SET NULL"), key="asking_seat_id"
    )
    decision: Mapped[str] = mapped_column("decided", String(200), key="decision", default="")
    reason: Mapped[str] = mapped_column(String(200), default="")
    removed_at: Mapped[datetime | None]
    """When it was taken out of the lists; it can be restored."""


class StoredRuleChange(Base):
    """A house rule that holds from one round on. The game's frozen rules stay as they were."""

    __tablename__ = "rule_changes"
    __table_args__ = (UniqueConstraint("game_id", "from_round", "field"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    from_round: Mapped[int]
    field: Mapped[str] = mapped_column(String(40))
    value: Mapped[Any] = mapped_column(JSON)
    lasts_as: Mapped[str | None] = mapped_column(String(20))


class LogEntry(Base):
    """One event of a game, written in the transaction of its change or with an imported game.

    It is never altered, but that its `seat_id` goes with a seat that is taken away
    (`removed_seats`), and its `device_id` with a device that is deleted.

    `version` is the game's version after it; `kind` is the event's; `before` and `after` hold
    what changed; `device_id` is empty for what the shell or a program did or an import brought.
    """

    __tablename__ = "log"
    __table_args__ = (
        UniqueConstraint("game_id", "version"),
        Index(None, "game_id", "change", "version"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    version: Mapped[int]
    change: Mapped[int]
    """The version of the first entry of the same change."""
    at: Mapped[datetime]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("devices.id", ondelete="SET NULL"))
    actor_name: Mapped[str] = mapped_column("device_name", String(40), key="actor_name", default="")
    """The name of the actor then (`Actor.name`)."""
    kind: Mapped[str] = mapped_column(String(24))
    round_number: Mapped[int | None]
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id", ondelete="SET NULL"))
    before: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    after: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    reason: Mapped[str] = mapped_column(String(200), default="")
