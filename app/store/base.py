"""What all tables share: naming of constraints, types of columns, rows in batches."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import JSON, DateTime, Dialect, MetaData, String, TypeDecorator, insert
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session

from app.scorebook.marks import FIRST_MARK, Mark

T = TypeVar("T")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets the zone of a time, so it is taken off and put back here."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Keep the moment in UTC, without its zone."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment its zone back."""
        return None if value is None else value.replace(tzinfo=UTC)


class Tuples(TypeDecorator[tuple[Any, ...]]):
    """A tuple of plain values, or of tuples of them; NULL where it is empty."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_bind_param(
        self, value: tuple[Any, ...] | None, dialect: Dialect
    ) -> tuple[Any, ...] | None:
        """Keep nothing of an empty tuple."""
        return value or None

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[Any, ...]:
        """Make tuples of the lists that JSON has."""
        return tuple(tuple(one) if isinstance(one, list) else one for one in value or ())


class PlayerMark(TypeDecorator[Mark]):
    """A player's mark as a text: the numbers of its color and shape, and its sign."""

    impl = String(16)
    cache_ok = True

    def process_bind_param(self, value: Mark | None, dialect: Dialect) -> str | None:
        """Write it in one text."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Mark | None:
        """The mark that a text says, `FIRST_MARK` if it says none; None for NULL."""
        found = re.fullmatch(r"([1-8])-([1-8])-(.*)", value or "")
        if found is None:
            return None if value is None else FIRST_MARK
        return Mark(int(found[1]), int(found[2]), found[3])


class Base(DeclarativeBase):
    """What all tables inherit.

    Constraints have names from the first day, so that a migration can change them on every
    database. Where an attribute has another name than its column, the column has the attribute's
    as its `key`: ORM and Core say the same.
    """

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime}  # noqa: RUF012 (SQLAlchemy reads it from the class)


def max_length(column: InstrumentedAttribute[Any]) -> int:
    """How many characters a column of a bounded text holds."""
    kind = column.type
    if not isinstance(kind, String) or kind.length is None:
        raise TypeError(f"{column} has no length")
    return kind.length


def columns_of(record: Any, table: Any, *but: str, **elsewhere: Any) -> dict[str, Any]:
    """The columns for the fields of a record, in the record's order, but those of `but`.

    A column is the table's of the field's name, unless `elsewhere` gives another.
    """
    names = (one.name for one in fields(record) if one.name not in but)
    return {name: elsewhere[name] if name in elsewhere else getattr(table, name) for name in names}


def insert_rows(session: Session, model: Any, rows: list[dict[str, Any]]) -> None:
    """Insert these rows, of which there may be none."""
    if rows:
        session.execute(insert(model), rows)


AT_ONCE = 200
"""How many games are read or written at once, where there are many."""


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """The items in batches of `AT_ONCE`."""
    left = iter(items)
    while portion := list(islice(left, AT_ONCE)):
        yield portion
