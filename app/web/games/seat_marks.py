"""What tells players apart at a glance: a colour and a shape for each place at the table."""

_MARKS = 8


def mark_of(position: int) -> int:
    """The number of the mark, from 1, of the seat at that position (from 0)."""
    return position % _MARKS + 1
