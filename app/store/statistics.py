"""Tables of what games came to: results, and the tallies that statistics are read from.

All of it follows from the games: results are made of a game by `scorebook.results`, tallies are the
sums of results by `scorebook.tallies`. They are kept so that no page has to reckon ten thousand
games; `flask rebuild-stats` makes them anew and says whether they were right.
"""

from datetime import datetime
from typing import Annotated

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base

PlayerKey = Annotated[
    int, mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
]
"""A player's id, as part of the key of what is known of the player."""


class StoredResult(Base):
    """What a finished game came to as a whole; games in the bin have none.

    `margin` and `comeback` are points or contracts, whichever decides by the game's rules.
    """

    __tablename__ = "results"
    __table_args__ = (Index(None, "group_id", "variant_id"),)

    game_id: Mapped[int] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    variant_id: Mapped[str] = mapped_column(String(60))
    finished_at: Mapped[datetime]
    seconds: Mapped[int | None]
    """From the start to the end; empty for a game with results only."""
    rounds: Mapped[int]
    points_decide: Mapped[bool] = mapped_column("by_points", key="points_decide")
    margin: Mapped[int | None]
    comeback: Mapped[int | None]


class StoredSeatResult(Base):
    """What a finished game came to for one player: the fields of `scorebook.results.SeatResult`."""

    __tablename__ = "seat_results"
    __table_args__ = (Index(None, "player_id", "finished_at", "game_id", "won"),)

    seat_id: Mapped[int] = mapped_column(
        ForeignKey("seats.id", ondelete="CASCADE"), primary_key=True
    )
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    player_id: Mapped[PlayerKey]
    finished_at: Mapped[datetime]
    place: Mapped[int | None]
    won: Mapped[bool]
    score: Mapped[int | None]
    contracts_completed: Mapped[int] = mapped_column("completed", key="contracts_completed")
    rounds: Mapped[int]
    times_met: Mapped[int] = mapped_column("met", key="times_met")
    times_went_out: Mapped[int] = mapped_column("went_out", key="times_went_out")
    penalty: Mapped[int]
    penalty_rounds: Mapped[int]
    bonus: Mapped[int]
    bonus_count: Mapped[int] = mapped_column("bonuses", key="bonus_count")
    contract_attempts: Mapped[list[list[int | str]]] = mapped_column(
        "tries", JSON, key="contract_attempts"
    )
    """[contract, kind, rounds, 1 if completed] for each contract that was tried."""


class PlayerTally(Base):
    """A player's finished games of one rule set that ended in one year, summed up."""

    __tablename__ = "player_tallies"

    player_id: Mapped[PlayerKey]
    variant_id: Mapped[str] = mapped_column(String(60), primary_key=True)
    year: Mapped[int] = mapped_column(primary_key=True)
    games: Mapped[int]
    wins: Mapped[int]
    placed: Mapped[int]
    place_sum: Mapped[int] = mapped_column("places", key="place_sum")
    rounds: Mapped[int]
    times_met: Mapped[int] = mapped_column("met", key="times_met")
    times_went_out: Mapped[int] = mapped_column("went_out", key="times_went_out")
    penalty: Mapped[int]
    penalty_rounds: Mapped[int]
    bonus: Mapped[int]
    bonus_count: Mapped[int] = mapped_column("bonuses", key="bonus_count")


class ContractTally(Base):
    """A player's tries at one contract of a rule set, summed up.

    `kind` says what the contract asks for: it may differ between games, by house rules.
    """

    __tablename__ = "contract_tallies"

    player_id: Mapped[PlayerKey]
    variant_id: Mapped[str] = mapped_column(String(60), primary_key=True)
    contract: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(5), primary_key=True)
    games: Mapped[int]
    rounds: Mapped[int]
    completed: Mapped[int]


class StuckTally(Base):
    """How often a player needed so many rounds for one contract of a rule set in one game."""

    __tablename__ = "stuck_tallies"

    player_id: Mapped[PlayerKey]
    rounds: Mapped[int] = mapped_column(primary_key=True)
    variant_id: Mapped[str] = mapped_column(String(60), primary_key=True)
    contract: Mapped[int] = mapped_column(primary_key=True)
    times: Mapped[int]


class RivalTally(Base):
    """How two players who finished the same games came out: in how many the first was above."""

    __tablename__ = "rival_tallies"

    player_id: Mapped[PlayerKey]
    rival_id: Mapped[PlayerKey]
    shared: Mapped[int]
    above: Mapped[int]
    level: Mapped[int]


class Streak(Base):
    """A player's wins in a row: at the end of the last finished game, and the most there were."""

    __tablename__ = "streaks"

    player_id: Mapped[PlayerKey]
    current: Mapped[int]
    longest: Mapped[int]
    last_at: Mapped[datetime]
    last_game_id: Mapped[int]
