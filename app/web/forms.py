"""What all forms share: reading the numbers and choices that a browser sends."""

from collections.abc import Iterable


def whole_number(text: str | None) -> int | None:
    """The number that a hidden field or button carries; None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def one_of(value: int | None, allowed: Iterable[int]) -> int | None:
    """The value if it is one of those allowed, else None."""
    return value if value in set(allowed) else None
