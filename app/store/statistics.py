"""Facts of finished games: what each came to in all, for each player, by each contract tried.

They are made of a game by `scorebook.statistics` and written anew whenever its result may have
changed (`actions.results`); nothing is summed up before somebody asks. Each fact holds the game's
rule set and the moment of its end, so that those of any rule set and any period can be summed up.
The indexes that end in the columns summed up answer such a question alone, without the table.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from sqlalchemy import ColumnElement, ForeignKey, ForeignKeyConstraint, Index, String, select
from sqlalchemy.orm import Mapped, mapped_column

from app.scorebook.statistics import ContractKind
from app.store.base import Base, Tuples

VariantId = Annotated[str, mapped_column(String(60))]


class StoredResult(Base):
    """What a finished game came to as a whole.

    Deleted games and those stopped without a result have none. `margin` and `comeback` are points
    or contracts, whichever decides by the game's rules.
    """

    __tablename__ = "results"
    __table_args__ = (
        Index(
            "ix_results_records",
            "group_id", "variant_id", "finished_at", "game_id",
            "seconds", "rounds", "places_by_score", "margin", "comeback", "longest_round",
        ),
    )  # fmt: skip

    game_id: Mapped[int] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    variant_id: Mapped[VariantId]
    finished_at: Mapped[datetime]
    seconds: Mapped[int | None]
    """From the start to the end, of a game that was stopped to that of its last round; empty for a
    game with results only."""
    rounds: Mapped[int]
    places_by_score: Mapped[bool] = mapped_column("by_points", key="places_by_score")
    margin: Mapped[int | None]
    comeback: Mapped[int | None]
    longest_round: Mapped[int | None]
    """In seconds, from the end of the round before, or the start of the game; empty for a game with
    results only."""
    laid_at_once: Mapped[tuple[int, ...] | None] = mapped_column(Tuples)
    """The contracts that everyone completed at the first attempt."""


class StoredPlayerResult(Base):
    """What a finished game came to for one player: the scorebook's `PlayerResult`."""

    __tablename__ = "seat_results"
    __table_args__ = (
        Index(
            "ix_seat_results_sums",
            "player_id", "finished_at", "game_id", "variant_id", "won", "place",
            "rounds", "contract_rounds", "times_met", "times_went_out",
            "penalty", "penalty_rounds", "bonus", "bonus_count", "score",
        ),
        Index("ix_seat_results_rivals", "game_id", "player_id", "place", "seat_id"),
    )  # fmt: skip

    seat_id: Mapped[int] = mapped_column(
        ForeignKey("seats.id", ondelete="CASCADE"), primary_key=True
    )
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    variant_id: Mapped[VariantId]
    finished_at: Mapped[datetime]
    place: Mapped[int | None]
    won: Mapped[bool] = mapped_column(nullable=True)
    """Empty where the result is another's, who took over: no game of this player, won or lost."""
    score: Mapped[int | None]
    contracts_completed: Mapped[int] = mapped_column("completed", key="contracts_completed")
    rounds: Mapped[int]
    contract_rounds: Mapped[int]
    times_met: Mapped[int] = mapped_column("met", key="times_met")
    times_went_out: Mapped[int] = mapped_column("went_out", key="times_went_out")
    penalty: Mapped[int]
    penalty_rounds: Mapped[int]
    bonus: Mapped[int]
    bonus_count: Mapped[int] = mapped_column("bonuses", key="bonus_count")


class StoredContractAttempts(Base):
    """A player's attempts at one contract in a finished game: the scorebook's `ContractAttempts`.

    They go wherever the player's result goes: to another player, or away. `kind` says what the
    contract asks for: it may differ between games, by house rules.
    """

    __tablename__ = "contract_attempts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["seat_id", "player_id"],
            ["seat_results.seat_id", "seat_results.player_id"],
            ondelete="CASCADE",
            onupdate="CASCADE",
        ),
        Index(
            "ix_contract_attempts_sums",
            "player_id", "variant_id", "contract", "kind", "rounds", "was_completed", "finished_at",
            "seat_id",
        ),
    )  # fmt: skip

    seat_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[int] = mapped_column(primary_key=True)
    contract: Mapped[int] = mapped_column(primary_key=True)
    variant_id: Mapped[VariantId]
    finished_at: Mapped[datetime]
    kind: Mapped[ContractKind] = mapped_column(String(5))
    rounds: Mapped[int]
    was_completed: Mapped[bool]


def is_attempt_in(games: Sequence[int]) -> ColumnElement[bool]:
    """The condition that an attempt is of one of these games, found by their seats.

    By a join with the players' results SQLite would read all attempts of a player for each seat.
    """
    seats = select(StoredPlayerResult.seat_id).where(StoredPlayerResult.game_id.in_(games))
    return StoredContractAttempts.seat_id.in_(seats)
