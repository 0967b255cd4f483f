"""A server as `make run` starts it, and what a phone is to the browser."""

import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from playwright.sync_api import expect

from tests.servers import ServerStopped, free_port
from tests.waiting import PATIENCE, wait_until

TOP = Path(__file__).parent.parent.parent

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--renderer-process-limit=1",  # a phone goes on in the process of its blank page
]

LANGUAGES = {"en": "en-GB", "fr": "fr-FR"}
"""The app's languages, and a browser's wish for each."""

LIMIT = 1000 * PATIENCE
"""Milliseconds that a page has for what it is waited for."""
expect.set_options(timeout=LIMIT)

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


@contextmanager
def serving(kept_in: Path | None = None) -> Iterator[str]:
    """The address of the app in a child process, with an empty database of its own."""
    port = free_port()
    with tempfile.TemporaryDirectory() as passing, tempfile.TemporaryFile("w+") as log:
        folder = str(kept_in or passing)
        process = subprocess.Popen(
            [sys.executable, "-m", "app.commands.local_server", "--port", str(port)],
            cwd=TOP,
            env={**os.environ, "INSTANCE_PATH": folder, "NEW_GROUPS_PER_HOUR": "1000000"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        address = f"http://localhost:{port}"
        try:
            _wait_for(address, process, log)
            yield address
        finally:
            process.terminate()
            process.wait()


def _wait_for(address: str, process: subprocess.Popen[bytes], log: IO[str]) -> None:
    def answers() -> bool:
        if process.poll() is not None:
            log.seek(0)
            raise ServerStopped(log.read())
        try:
            urllib.request.urlopen(address).close()
        except OSError:
            return False
        return True

    wait_until(answers, "the server answers")
