"""The table of seasons: a period with a name, how it is decided, and what was decided."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.scorebook.seasons import Measure
from app.store.base import Base, Tuples


class StoredSeason(Base):
    """A season of a group: of a year, of days, or of a number of evenings from a day on.

    A year is a season by itself; it has a row once its rules were chosen or its table decided.
    """

    __tablename__ = "seasons"
    __table_args__ = (UniqueConstraint("group_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("groups.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(16))
    """Names it in the group; a year's is the year."""
    name: Mapped[str] = mapped_column(String(40))
    since: Mapped[datetime]
    until: Mapped[datetime | None]
    """The moment before which it ends; empty while a number of evenings is yet to say when."""
    evenings: Mapped[int | None]
    variants: Mapped[tuple[str, ...] | None] = mapped_column(Tuples)
    """The ids of the rule sets that count; all where none is named."""
    measure: Mapped[Measure] = mapped_column(String(16))
    place_points: Mapped[tuple[int, ...] | None] = mapped_column(Tuples)
    best_of: Mapped[int | None]
    least_games: Mapped[int]
    decided: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True))
    """What the evenings of each player had come to when it was decided: the fields of
    `EveningSums`."""
    champions: Mapped[tuple[int, ...] | None] = mapped_column(Tuples)
    """The ids of who won, once it is decided."""
    changed_games: Mapped[tuple[str, ...] | None] = mapped_column(Tuples)
    """The keys of games that changed since it was decided, until somebody says what follows."""
