"""A server as `make run` starts it, and what a phone is to the browser."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

TOP = Path(__file__).parent.parent.parent

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
]

LANGUAGES = {"en": "en-GB", "fr": "fr-FR"}
"""The app's languages, and a browser's wish for each."""

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


class ServerStopped(RuntimeError):
    """The server did not start; says what it printed."""


@contextmanager
def serving() -> Iterator[str]:
    """The address of the app in a child process, with an empty database of its own."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.commands.serve", "--port", str(port)],
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
            process.wait(10)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(address: str, process: subprocess.Popen[bytes], log: IO[str]) -> None:
    for _attempt in range(1200):
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    log.seek(0)
    raise ServerStopped(log.read())
