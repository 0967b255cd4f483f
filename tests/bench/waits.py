"""How long people wait: for a verdict, for what another phone entered, for the judge's command.

Phones are pages of a real browser; where none can be had, only the command is measured.
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.__main__ import find_browser
from tests.browser.at_the_table import GameOnPhone, let_in
from tests.browser.phones import ARGUMENTS, LIMIT, MOVING_PHONE
from tests.servers import TOP, Production
from tests.waiting import wait_on_page

NAMES = "Anna Ben Cleo Dora Emil"
TAPS = 15
GOALS = {
    "what one enters is on the other phones (95 %)": 1.5,
    "a verdict after the last tap (median)": 0.15,
    "the judge's command has answered one question": 2.0,
    "the judge's command has answered a thousand contracts": 8.0,
}
"""Seconds."""
OTHERS, VERDICT, ONE, THOUSAND = GOALS

_RECORD = """() => {
  window.shownAt = [];
  document.addEventListener("live:after", () => window.shownAt.push(
    [Date.now(), Number(document.querySelector("#game").dataset.version)]));
}"""
_WATCH = """() => {
  window.shown = [];
  document.addEventListener('htmx:afterSettle', () => window.shown.push(performance.now()));
  document.addEventListener('click', () => { window.tapped = performance.now(); }, true);
}"""


def report(*, short: bool) -> int:
    """Measure, print the table, and answer 1 if a goal is missed."""
    measured = {ONE: judge_command(1), THOUSAND: judge_command(1000)}
    path = find_browser()
    if path is None:
        print("No browser could be found or installed: nothing is measured on phones.")
    else:
        with phones(path, 5) as table:
            measured[OTHERS] = on_other_phones(table, 5 if short else TAPS)
            measured[VERDICT] = verdicts(table[0])
    for name, seconds in measured.items():
        print(f"{name:56}{seconds:8.3f} s  (goal: {GOALS[name]} s)")
    return int(any(seconds > GOALS[name] for name, seconds in measured.items()))


@contextmanager
def phones(path: str, number: int) -> Iterator[list[Page]]:
    """So many phones, and a server with two processes."""
    with (
        tempfile.TemporaryDirectory(prefix="mk-bench-") as folder,
        Production(Path(folder), anew=True) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        address = f"http://localhost:{server.port}"
        yield [_phone(browser, address) for _ in range(number)]
        browser.close()


def _phone(browser: Browser, address: str) -> Page:
    context = browser.new_context(base_url=address, **MOVING_PHONE)
    context.set_default_timeout(LIMIT)
    return context.new_page()


def on_other_phones(pages: list[Page], taps: int) -> float:
    """Seconds from a tap until the other phones show it, for 95 % of them."""
    table = [GameOnPhone(page) for page in pages]
    table[0].start("Aggravation Rummy", NAMES)
    for other in pages[1:]:
        let_in(pages[0], other, "score")
    for page in pages:
        page.evaluate(_RECORD)
    tapped = []
    for turn in range(taps):
        game, at = table[turn % len(table)], time.time() * 1000
        with game.page.expect_response("**/row") as answer:
            game.meets(NAMES.split()[turn % 4])
        found = re.search(r'data-version="(\d+)"', answer.value.text())
        assert found
        tapped.append((game, at, int(found[1])))
        game.page.wait_for_timeout(300 + 37 * turn)  # taps fall anywhere in the phones' second
    pages[0].wait_for_timeout(2500)
    waited = []
    for game in table:
        shown = game.page.evaluate("() => window.shownAt")
        for by, at, version in tapped:
            if by is not game:
                waited.append(next(when for when, what in shown if what >= version) - at)
    return sorted(waited)[int(len(waited) * 0.95)] / 1000


def verdicts(page: Page) -> float:
    """Seconds from a tap on the keypad until its verdict is shown, at the median."""
    page.goto("/check?variant=frustration&ask=meld&kind=set")
    page.evaluate(_WATCH)
    times = []
    for rank in ("8", "8", "8", "9", "2", "8", "8", "3", "4", "5"):
        before = page.evaluate("window.shown.length")
        page.locator(f'[data-rank="{rank}"]').tap()
        wait_on_page(page, "count => window.shown.length > count", before)
        times.append(page.evaluate("window.shown.at(-1) - window.tapped"))
        page.wait_for_timeout(50)
    return statistics.median(times) / 1000


def judge_command(questions: int) -> float:
    """Seconds that the command takes for so many contracts, its start included."""
    melds = (["3C 4C JK 6C 7C 2D 9C", "9H 9D JK"], ["3C JK JK 2S 7C 2D 9C", "9H 9D KH"])
    asked = {"ask": "contract", "variant": "frustration-rummy", "contract": 7}
    lines = [
        json.dumps({"id": str(number), **asked, "melds": melds[number % 2]})
        for number in range(questions)
    ]
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "app.rules", "judge", "-"],
        input="\n".join(lines).encode(),
        stdout=subprocess.DEVNULL,
        cwd=TOP,
        check=True,
    )
    return time.perf_counter() - began
