"""A server as `make run` starts it, and what a phone is to the browser."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.servers import Production, free_port
from tests.waiting import PATIENCE

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--renderer-process-limit=1",  # for each phone, whatever number of pages it opens
]

LANGUAGES = {"en": "en-GB", "fr": "fr-FR"}
"""The app's languages, and a browser's wish for each."""
LONGER_WORDS = LANGUAGES["fr"]
"""Where only room is looked at, and once will do: most texts are longer in this language."""

LIMIT = 1000 * PATIENCE
"""Milliseconds that a page has for what it is waited for."""
expect.set_options(timeout=LIMIT)

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "reduced_motion": "reduce",  # else most of what is drawn is something on its way
}
MOVING_PHONE = {**PHONE, "reduced_motion": "no-preference"}
"""A phone as most people have it, for what is measured and for what moves."""

HOLDS_WHAT_GOES_BY_ITSELF = """(() => {
  const wait = setTimeout;
  window.setTimeout = (done, time, ...rest) => {
    if (time !== 9999) return wait(done, time, ...rest);
    window.whileIsOver = done;
  };
})()"""
"""What was done is told until a tap elsewhere, or until a test says that its time is over."""


@contextmanager
def serving(kept_in: Path | None = None) -> Iterator[str]:
    """The address of the app in a child process, with an empty database of its own."""
    port = free_port()
    asked = ("app.commands.local_server", ("--port", str(port)), port)
    with tempfile.TemporaryDirectory() as passing, Production(kept_in or Path(passing), {}, *asked):
        yield f"http://localhost:{port}"
