"""What is asked before a round ends: all of it can be read, and the buttons stay in view."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from app.store.base import max_length
from app.store.groups import Player
from tests.browser.at_the_table import finger_on
from tests.browser.looking import not_in_view
from tests.browser.phones import LIMIT, LONGER_WORDS, PHONE
from tests.servers import Http
from tests.web_table import PlainGame

LONGEST = max_length(Player.name)
NAMES = [f"{start}-Maximiliane-Alexandra-Wilhelmine-Josephine"[:LONGEST] for start in "ABCD"]
SIZES = ((360, 640), (390, 844), (640, 360), (844, 390), (1280, 800))

_FITS = """(most) => {
  const asked = document.querySelector("#foot-said, #new-game .questions").getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const button = document.querySelector(".dock .primary").getBoundingClientRect();
  return {
    high: asked.height / innerHeight <= most + 0.001,
    wide: asked.width >= Math.min(dock.width, innerWidth, 640) - 24,
    apart: asked.bottom <= button.top,
  };
}"""
_LAST_QUESTION = """() => {
  const asked = document.querySelector("#foot-said, #new-game .questions");
  asked.scrollTo(0, asked.scrollHeight);
  const last = asked.querySelector(":scope > p:last-of-type").getBoundingClientRect();
  return last.bottom <= asked.getBoundingClientRect().bottom + 1;
}"""


@pytest.fixture
def table(browser: Browser, server: str) -> Iterator[tuple[Http, Page]]:
    """Someone who plays by plain requests and on a phone."""
    port = urlsplit(server).port
    assert port
    host = Http(port)
    host.get("/games/new")
    context = browser.new_context(
        base_url=server, locale=LONGER_WORDS, service_workers="block", **PHONE
    )
    pairs = [pair.partition("=") for pair in host.cookies.split("; ")]
    context.add_cookies([{"name": name, "value": value, "url": server} for name, _, value in pairs])
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    yield host, page
    context.close()


def assert_all_can_be_read_and_answered(page: Page, buttons: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        where = f"{width}x{height}"
        most = 0.5 if height > width else 0.7  # sideways it stands in place of the standings
        assert page.evaluate(_FITS, most) == {"high": True, "wide": True, "apart": True}, where
        assert page.evaluate(_LAST_QUESTION), where
        assert not_in_view(page, buttons) == [], where


def test_the_buttons_stay_in_view_whatever_is_asked_before_a_round_ends(
    table: tuple[Http, Page],
) -> None:
    host, page = table
    game = PlainGame.started(host, "aggravation-rummy", " ".join(NAMES))
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    page.goto(f"/games/{game.key}")
    for seat in game.seats.values():
        page.locator(f"#row-{seat} .counting > summary").tap()
        page.locator(f"#row-{seat} .stepper [data-step='1']").first.tap()
        page.locator(f"#row-{seat} [data-fold]").tap()
    page.locator("#round .tap-face[for=out-nobody]").tap()
    page.locator("#close-round").tap()
    expect(page.locator("#foot-said .doubt").nth(len(NAMES) - 1)).to_be_visible()
    assert_all_can_be_read_and_answered(page, "#close-round, #round .tap-face[for=out-nobody]")
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    page.locator("#close-round").tap()
    expect(page.get_by_role("heading", level=2).filter(has_text="2")).to_be_visible()


def test_one_tap_says_that_all_who_are_asked_laid_down_and_the_first_row_is_still_in_view(
    table: tuple[Http, Page],
) -> None:
    host, page = table
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        game = PlainGame.started(host, "aggravation-rummy", " ".join(NAMES))
        first, *others = game.seats
        few = {f"{game.seats[name]}-typed": "20" for name in others}
        saved = f"/games/{game.key}/rounds/1/save"
        assert host.post(saved, {**game.sent(out=first, met=first), **few}).status_code == 303
        page.goto(f"/games/{game.key}")
        finger_on(page.locator("#close-round"))
        finger_on(page.locator("#yes"))
        for name in others:
            expect(page.locator(f"#met-{game.seats[name]}")).to_be_checked()
        expect(page.locator("#foot-said .doubt")).to_have_count(0)
        assert not_in_view(page, f"#row-{game.seats[first]} .tap-face.met, .bar-deal") == []
        page.locator("#close-round").tap()
        expect(page.get_by_role("heading", level=2).filter(has_text="2")).to_be_visible()


def test_the_button_stays_in_view_whatever_is_asked_before_a_game_starts(
    table: tuple[Http, Page],
) -> None:
    _host, page = table
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    page.goto("/games/new/frustration")
    page.locator("#typed").fill(", ".join(f"{name[:-1]}{n}" for n in "12345" for name in NAMES[:2]))
    page.locator("#new-game .dock .primary").tap()
    expect(page.locator(".questions .doubt").first).to_be_visible()
    assert_all_can_be_read_and_answered(page, "#new-game .dock .primary")
