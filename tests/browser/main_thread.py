"""How long a browser's main thread works to load a page: at our own scripts, and in all.

Counted is processor time, not time by the clock, so that what else the machine does neither hides
nor fakes it; beside a bare page's time it says how fast the machine is. It is given as a phone's,
which Lighthouse takes to be four times slower.
"""

import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from tests.browser.looking import still
from tests.browser.phones import MOVING_PHONE

SLOWER = 4
_CATEGORIES = ["toplevel", "devtools.timeline", "v8"]

LetIn = Callable[[BrowserContext], object]
Event = dict[str, Any]


@dataclass(frozen=True)
class MainThread:
    """Milliseconds of one page load on a phone's main thread."""

    scripts: float
    """Compiling and running our own scripts, with all that they make the browser do at once."""
    all: float


def median(loads: Iterable[MainThread]) -> MainThread:
    """The median of several loads of one page."""
    loads = list(loads)
    return MainThread(
        statistics.median(load.scripts for load in loads),
        statistics.median(load.all for load in loads),
    )


def measure(browser: Browser, address: str, let_in: LetIn = lambda context: None) -> MainThread:
    """What a first visit costs, in a browser that has nothing of it yet."""
    context = browser.new_context(**MOVING_PHONE)
    let_in(context)
    page = context.new_page()
    browser.start_tracing(page=page, categories=_CATEGORIES)
    page.goto(address, wait_until="load")
    still(page)
    trace = json.loads(browser.stop_tracing())
    context.close()
    return spent(trace["traceEvents"])


def spent(events: Iterable[Event]) -> MainThread:
    """What the busiest main thread of a trace did."""
    threads = defaultdict(list)
    mains = set()
    for event in events:
        thread = (event["pid"], event["tid"])
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain":
            mains.add(thread)
        if event["ph"] == "X" and "tdur" in event:
            threads[thread].append(event)
    return max((_sums(threads[main]) for main in mains), key=lambda one: one.all)


def _sums(events: Iterable[Event]) -> MainThread:
    """An event counts where none of its kind holds it: a task in all, a script's work as ours."""
    scripts = every = 0
    end_of_task = end_of_script = 0
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        start, end = event["ts"], event["ts"] + event["dur"]
        if start >= end_of_task:
            every, end_of_task = every + event["tdur"], end
        if start >= end_of_script and _is_of_our_script(event):
            scripts, end_of_script = scripts + event["tdur"], end
    return MainThread(scripts * SLOWER / 1000, every * SLOWER / 1000)


def _is_of_our_script(event: Event) -> bool:
    return "/assets/" in event.get("args", {}).get("data", {}).get("url", "")


class _BarePage(BaseHTTPRequestHandler):
    PAGE = b"<!doctype html><html lang=en><title>Bare</title><h1>A bare page</h1>"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.PAGE)))
        self.end_headers()
        self.wfile.write(self.PAGE)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def bare_page() -> Iterator[str]:
    """The address of a page with a title, a heading, and no more."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _BarePage) as server:
        Thread(target=partial(server.serve_forever, 0.1), daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
