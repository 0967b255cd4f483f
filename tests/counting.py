"""What some work takes, counted in calls, lines or bytes, so that no clock matters."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

from sqlalchemy.orm import Session

from app.config import TOP

_OURS = (f"{TOP}/app/", f"{TOP}/templates/")


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
    """How many lines of the app and its templates were run, and functions called elsewhere.

    Lines of a loop or a comprehension count each time; a function without a call would hide them.
    """
    count = 0

    def note_line(_frame: FrameType, _kind: str, _argument: object) -> Callable[..., Any]:
        nonlocal count
        count += 1
        return note_line

    def note_call(frame: FrameType, _kind: str, _argument: object) -> Callable[..., Any] | None:
        nonlocal count
        count += 1
        return note_line if frame.f_code.co_filename.startswith(_OURS) else None

    before = sys.gettrace()
    sys.settrace(note_call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def instructions_of(session: Session, work: Callable[[], None]) -> int:
    """How many instructions SQLite carried out."""
    count = 0

    def note() -> int:
        nonlocal count
        count += 1
        return 0

    connection = session.connection().connection.driver_connection
    assert connection
    connection.set_progress_handler(note, 1)
    try:
        work()
    finally:
        connection.set_progress_handler(None, 1)
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
