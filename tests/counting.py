"""What some work takes, counted in calls, lines or bytes, so that no clock matters."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls_of(work: Callable[[], Any]) -> int:
    """How many functions were called, those written in C among them."""
    count = 0

    def note(_frame: object, kind: str, _argument: object) -> None:
        nonlocal count
        count += kind in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def steps_of(work: Callable[[], Any]) -> int:
    """How many lines of Python were gone through, those of a loop each time; what calls hide."""
    count = 0

    def note(_frame: FrameType, _kind: str, _argument: object) -> Callable[..., Any]:
        nonlocal count
        count += 1
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def most_bytes_of(work: Callable[[], Any]) -> int:
    """How many bytes were held at the most while it was done, beside those that were before."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
