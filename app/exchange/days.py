"""Days: on which one a moment lies, and which moment stands for a day of which no more is known.

Such a day, a past result's, is the same everywhere. It is kept as its noon in UTC, to the
microsecond, and read as that wherever it comes from, whatever the clock of the server says then:
12 hours and more ahead of UTC that is another day.
"""

from datetime import UTC, date, datetime, time, timedelta

_NOON = time(12)


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
