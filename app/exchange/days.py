"""Days: how they are written, which day a moment is on, which moment stands for a day alone.

A day of which no more is known, a past result's, is the same everywhere. It is kept as noon UTC, to
the microsecond, and that noon is always read as its day, even on a server 12 hours or more ahead of
UTC, whose clock shows the next day then.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from app.scorebook.limits import YEARS

_NOON = time(12)
_FARTHEST_AHEAD = timedelta(hours=14)
"""So far ahead of UTC a clock can be."""
LAST_DAY = date(max(YEARS), 12, 31)
_WRITTEN = re.compile(r"(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})")


def noon(day: date) -> datetime:
    """The moment that stands for a day of which no more is known."""
    return datetime.combine(day, _NOON, UTC)


def is_day_alone(moment: datetime) -> bool:
    """Does a moment, as it is kept, stand for a day of which no more is known?"""
    return moment.time() == _NOON and moment.utcoffset() == timedelta()


def day_of(moment: datetime) -> date:
    """The day of a moment: the one that it stands for, or that of the server's clock."""
    return (moment if is_day_alone(moment) else moment.astimezone()).date()


def start_of(day: date) -> datetime:
    """The moment at which a day begins, by the clock of the server."""
    return datetime.combine(day, time()).astimezone()


def late_noon(bound: datetime) -> datetime | None:
    """The moment that stands for the day which ends at a bound, if it is no earlier than that.

    So it is where a clock goes 12 hours and more ahead of UTC; None elsewhere, and where no day
    begins at the bound.
    """
    day = bound.astimezone().date()
    before = noon(day - timedelta(days=1))
    return before if start_of(day) == bound <= before else None


def is_before(moment: datetime, bound: datetime) -> bool:
    """Does a moment, or the day that it stands for, lie before a bound of a period?"""
    return moment < bound or moment == late_noon(bound)


def latest_day(now: datetime) -> date:
    """The latest day that it is anywhere on earth: by the clock that is farthest ahead of UTC."""
    return (now.astimezone(UTC) + _FARTHEST_AHEAD).date()


def is_day_first(texts: Iterable[str]) -> bool | None:
    """Whether the day stands before the month in days like 13/4/2025; None if none is like that."""
    matches = filter(None, map(_WRITTEN.fullmatch, texts))
    seconds = [int(match[2]) for match in matches if len(match[1]) < 4]
    return max(seconds) <= 12 if seconds else None


def read_day(text: str, day_first: bool | None, latest: date) -> date | None:
    """The day that is written so; None where the text is no day in `YEARS`.

    A year of two digits is in the century that makes it no later than the `latest` day's.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return None
    first, second, third = (int(match[place]) for place in (1, 2, 3))
    if len(match[1]) == 4:
        year, month, day = first, second, third
    else:
        century = 2000 if 2000 + third <= latest.year else 1900
        year = third if third > 99 else century + third
        day, month = (first, second) if day_first else (second, first)
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found if year in YEARS else None
