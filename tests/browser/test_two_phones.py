"""Two phones through networks that lose, delay, double and reorder, by a seed.

`MELDKEEPER_NETWORKS=40 MELDKEEPER_STEPS=60` draws many long evenings; `-s` prints what they drew.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bad_network import BadNetwork
from tests.browser.at_the_table import GameOnPhone, let_in_by_taps
from tests.browser.bad_evening import Evening
from tests.browser.bad_phones import PhoneOnBadNetwork
from tests.browser.phones import PHONE, serving
from tests.waiting import wait_with_page

SEEDS = int(os.environ.get("MELDKEEPER_NETWORKS", "2"))
STEPS = int(os.environ.get("MELDKEEPER_STEPS", "10"))
FIRST = int(os.environ.get("MELDKEEPER_FIRST_NETWORK", "1"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("two-phones")
    with serving(folder) as address:
        yield address, folder / "meldkeeper.sqlite"


def load(page: Page, server: str, path: str) -> str:
    """What the server has for that phone, without a bad network in between."""
    return page.context.request.get(server + path).text()


def begin(browser: Browser, served: tuple[str, Path], seed: int, stack: ExitStack) -> Evening:
    server, database = served
    phones, pages = [], []
    for name in ("host", "far"):
        network = stack.enter_context(BadNetwork(urlsplit(server).port or 0, f"{seed} {name}"))
        context = browser.new_context(base_url=network.address, **PHONE)
        stack.callback(context.close)
        pages.append(context.new_page())
        loads = partial(load, pages[-1], server)
        wait = partial(wait_with_page, pages[-1])
        phones.append(PhoneOnBadNetwork(pages[-1], network, wait, loads))
    host, far = pages
    host.on("dialog", lambda asked: asked.accept())
    GameOnPhone(host).set_up("Shanghai Rummy", "Anna Ben Cleo")
    let_in_by_taps(host, far, "Score")
    return Evening(database, phones, Random(f"{seed}"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_what_phones_show_is_had_or_marked_and_the_later_word_wins(
    browser: Browser, served: tuple[str, Path], seed: int
) -> None:
    with ExitStack() as stack:
        evening = begin(browser, served, seed, stack)
        print(f"seed {seed}:", end=" ")
        evening.play(STEPS)


def test_cards_that_are_counted_on_one_phone_are_put_away_once_the_round_ends_on_another(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, other = two
    other.count_cards_of("Ben")
    expect(other.page.locator(".counting[open]")).to_have_count(1)
    host.goes_out("Anna")
    host.has_left_over("Cleo", 70)
    expect(other.page.locator(".penalty-field").last).to_have_value("70")
    expect(other.page.locator(".counting[open]")).to_have_count(1)
    host.has_left_over("Ben", 60)
    host.close(1)
    expect(other.page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(other.page.locator(".counting[open]")).to_have_count(0)
