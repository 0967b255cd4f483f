"""Names in a list stand by the alphabet of people, which no two databases order alike."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, TypeVar

from app.rules.text import loose_key

T = TypeVar("T")


def alphabetic(name: str) -> tuple[str, str]:
    """The place of a name: an accent counts as its letter, and blanks and hyphens not at all."""
    return loose_key(name), name


def level_by_name(rows: Iterable[T], level: Callable[[T], Any] = lambda _row: None) -> list[T]:
    """Rows in the order in which they come; those that are level stand by their `name`.

    Rows side by side are level if `level` answers the same for them, and all are without it.
    """

    def by_name(row: Any) -> tuple[str, str]:
        return alphabetic(row.name)

    return [one for _level, tied in groupby(rows, level) for one in sorted(tied, key=by_name)]
