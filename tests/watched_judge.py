"""Every call of the judge, whoever makes it, seen from outside."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from app.rules import laydown, layoffs, melds, solver, swaps
from app.web.infrastructure import rate_limits

SEARCHES = {one.__code__ for one in (solver.solve, solver.can_lay)}
JUDGES = SEARCHES | {
    one.__code__
    for one in (
        melds.judge_meld,
        melds.judge_part,
        laydown.judge_contract,
        layoffs.judge_layoff,
        swaps.judge_swap,
    )
}


def is_searching() -> bool:
    """Is a hand being searched in this process just now?"""
    free = rate_limits._search.acquire(blocking=False)
    if free:
        rate_limits._search.release()
    return not free


@dataclass
class Watched:
    """What the judge was seen to do."""

    questions: list[str] = field(default_factory=list)
    searched_freely: bool = False
    """A hand was searched while another could have been searched as well."""


@contextmanager
def watching() -> Iterator[Watched]:
    """Look at the judge of this thread."""
    seen = Watched()

    def look(frame: FrameType, _event: str, _value: object) -> None:
        if frame.f_code in JUDGES:
            seen.questions.append(frame.f_code.co_name)
            if frame.f_code in SEARCHES and not is_searching():
                seen.searched_freely = True

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield seen
    finally:
        sys.settrace(before)
