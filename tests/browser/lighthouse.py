"""`make lighthouse`: Lighthouse over the main screens, as a phone with its usual slow network.

Fetches Lighthouse by npx, so it needs Node 20 or newer beside a Chromium. Each page is measured
several times and the median counts, since the machine's other work shows in the performance; each
time in a browser of its own, since what an earlier visit leaves behind would be measured too.
What the machine's other work cannot change is printed beside it: the main thread's time for our
scripts and for the whole page, and a bare page's in the same run.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.__main__ import find_browser
from tests.browser.every_screen import SCREENS, Evening, Screen, Who
from tests.browser.main_thread import MainThread, bare_page, measure, median
from tests.browser.phones import ARGUMENTS
from tests.servers import Production, free_port

LIGHTHOUSE = "lighthouse@12.8.2"
PUBLIC = ("home-empty", "choose", "new", "check-empty", "rule-sets", "faq")
"""Screens that a search engine may show; the others are shown to their group alone."""
OF_A_GROUP = ("home", "game", "edit", "history", "record", "person", "check-legal")
_ATTEMPTS = 3
"""A browser that does not come up in time says nothing about the page."""
_LOADS = 5
"""How often the main thread is measured for a page, each time after a bare one."""
GOALS = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}


@dataclass(frozen=True)
class Scores:
    """What one page was given, by category, of 100."""

    screen: Screen
    by_category: dict[str, float]
    faults: tuple[str, ...]
    """Audits that took something away."""

    @property
    def missed(self) -> bool:
        return any(score < GOALS[name] for name, score in self.by_category.items())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.lighthouse")
    parser.add_argument("--runs", type=int, default=3, help="how often each page is measured")
    parser.add_argument("names", nargs="*", help="screens; all, if none is named")
    chosen = parser.parse_args()
    browser = find_browser()
    if browser is None or shutil.which("npx") is None:
        print("Lighthouse needs a Chromium and Node 20 or newer (npx).")
        return 1
    with tempfile.TemporaryDirectory() as folder, Production(Path(folder), anew=True) as server:
        evening = Evening.at(f"http://localhost:{server.port}")
        columns = (*GOALS, "scripts ms", "page ms", "bare page ms")
        print(f"{'':16}" + "".join(f"{name:>16}" for name in columns))
        missed = False
        walks: tuple[tuple[Who, tuple[str, ...]], ...] = (
            ("stranger", PUBLIC),
            ("host", OF_A_GROUP),
        )
        for who, names in walks:
            for screen in SCREENS:
                if screen.name not in names or screen.name not in (chosen.names or names):
                    continue
                reports = [report(screen, evening, who, browser) for _ in range(chosen.runs)]
                one = scores(screen, reports)
                marks = "".join(f"{one.by_category.get(name, '–'):>16}" for name in GOALS)
                page, bare = main_threads(screen, evening, who, browser)
                times = f"{page.scripts:16.0f}{page.all:16.0f}{bare.all:16.0f}"
                print(f"{screen.name:16}{marks}{times}  {', '.join(one.faults)}", flush=True)
                missed |= one.missed or page.scripts > bare.all
    return int(missed)


def main_threads(
    screen: Screen, evening: Evening, who: Who, path: str
) -> tuple[MainThread, MainThread]:
    """The main thread's time for a screen and for a bare page, loaded in turn."""
    address = evening.address + screen.address.format_map(evening.places)
    pages, bares = [], []
    with bare_page() as bare, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for _ in range(_LOADS):
            bares.append(measure(browser, bare))
            pages.append(measure(browser, address, lambda context: evening.let_in(context, who)))
        browser.close()
    return median(pages), median(bares)


def report(screen: Screen, evening: Evening, who: Who, browser: str) -> dict:
    """What Lighthouse says of a screen in a fresh browser."""
    with browser_of(evening, who, browser) as port:
        return _report(evening.address + screen.address.format_map(evening.places), port)


@contextmanager
def browser_of(evening: Evening, who: Who, path: str) -> Iterator[int]:
    """The port at which Lighthouse may drive a browser that was let in as whoever it is."""
    port = free_port()
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=path, args=[*ARGUMENTS, f"--remote-debugging-port={port}"]
        )
        evening.let_in(context, who)
        yield port
        context.close()


def scores(screen: Screen, reports: list[dict]) -> Scores:
    """The median of several reports about one screen."""
    categories = [name for name in GOALS if name != "seo" or screen.name in PUBLIC]
    by_category = {
        name: statistics.median(
            round(100 * report["categories"][name]["score"]) for report in reports
        )
        for name in categories
    }
    faults = tuple(
        f"{one['id']} {report['audits'][one['id']].get('displayValue', '')}".strip()
        for report in reports[:1]
        for name in categories
        for one in report["categories"][name]["auditRefs"]
        if one["weight"] and (report["audits"][one["id"]]["score"] or 0) < 1
        if report["audits"][one["id"]]["score"] is not None
    )
    return Scores(screen, by_category, faults)


def _report(address: str, port: int) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            *("npx", "--yes", LIGHTHOUSE, address, "--quiet", "--output=json"),
            f"--output-path={report}",
            f"--only-categories={','.join(GOALS)}",
            f"--port={port}",
        ]
        for _attempt in range(_ATTEMPTS):
            done = subprocess.run(command, timeout=300, capture_output=True)
            if done.returncode == 0:
                return json.loads(report.read_text())
        raise RuntimeError(done.stderr.decode())


if __name__ == "__main__":
    sys.exit(main())
