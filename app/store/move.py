"""Move a whole database to another of either kind: every row of every table, then compared.

Nothing is chosen and nothing is named here: what a migration adds moves, too.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sqlalchemy import Column, Connection, Table, func, insert, select, text

from app.store.base import Base

_AT_ONCE = 1_000


class NotMoved(RuntimeError):
    """The target was not empty, or is not what the source is; says where."""


def moved_tables(source: Connection, target: Connection) -> Iterator[tuple[str, int]]:
    """Copy one table after the other; answers the name of each and how many rows it has.

    The target has the newest schema and no rows. Both connections are in a transaction, of which
    that of the source sees one moment. Raises `NotMoved`.
    """
    for table in Base.metadata.sorted_tables:
        if target.scalar(select(func.count()).select_from(table)):
            raise NotMoved(f"The target has rows in {table.name} already; take an empty database.")
        _copy(table, source, target)
        count, digest = _summed(table, source)
        if _summed(table, target) != (count, digest):
            raise NotMoved(f"The rows of {table.name} arrived changed.")
        yield table.name, count
    if target.dialect.name == "sqlite" and target.execute(text("PRAGMA foreign_key_check")).all():
        raise NotMoved("Some rows name others that are not there.")


def _copy(table: Table, source: Connection, target: Connection) -> None:
    for rows in _rows(table, source):
        target.execute(insert(table), rows)
    if target.dialect.name == "postgresql" and table.autoincrement_column is not None:
        _go_on_counting(table, table.autoincrement_column, target)


def _go_on_counting(table: Table, column: Column[int], target: Connection) -> None:
    """Let a sequence go on after the largest number that was copied."""
    largest = target.scalar(select(func.max(column)))
    if largest:
        sequence = func.pg_get_serial_sequence(table.name, column.name)
        target.execute(select(func.setval(sequence, largest)))


def _summed(table: Table, connection: Connection) -> tuple[int, int]:
    """How many rows a table has, and the sum of their digests, in whatever order they come."""
    count = total = 0
    for rows in _rows(table, connection):
        count += len(rows)
        total += sum(int.from_bytes(sha256(repr(row).encode()).digest()) for row in rows)
    return count, total


def _rows(table: Table, connection: Connection) -> Iterator[list[dict[str, Any]]]:
    """All rows; those first that name no other of the table, as a player who was not merged."""
    keys = [column.key for column in table.columns]
    others = [key.parent.is_not(None) for key in table.foreign_keys if key.column.table is table]
    everything = select(table).order_by(*others).execution_options(yield_per=_AT_ONCE)
    for rows in connection.execute(everything).partitions():
        yield [dict(zip(keys, row, strict=True)) for row in rows]
