"""What all processes of one run of the tests need, and the first of them that needs it makes.

That is an empty database of the newest schema, and templates as Jinja compiles them, which takes
longer than most tests.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache

_FOLDER = "MELDKEEPER_TEST_RUN"
"""The setting that names the folder of the run to its processes."""


@contextmanager
def shared_folder() -> Iterator[None]:
    """A folder for this run, unless a process above this one made it."""
    if _FOLDER in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="mk-run-") as folder:
        os.environ[_FOLDER] = folder
        yield
        del os.environ[_FOLDER]


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder in that of the run, filled by the first who asks for it."""
    folder = Path(os.environ[_FOLDER], name)
    with folder.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            making = Path(tempfile.mkdtemp(dir=folder.parent))
            make(making)
            making.rename(folder)
    return folder


def share_templates() -> None:
    """Let apps that are made from now on take templates that another process compiled."""
    if _FOLDER in os.environ:
        kept = FileSystemBytecodeCache(os.environ[_FOLDER])
        Flask.jinja_options = {"bytecode_cache": kept}
