"""The big screen: large, whole and in columns, whatever stands on it."""

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, let_in, sent
from tests.browser.looking import not_in_view, resized
from tests.browser.test_at_a_glance import SIX

_COLUMNS = """() => [".place", ".mark", ".screen-name", ".score"].map((column) => {
  const edge = column === ".score" ? "right" : "left";
  const rows = [...document.querySelectorAll(`.screen-row ${column}`)];
  return new Set(rows.map((one) => Math.round(one.getBoundingClientRect()[edge]))).size;
})"""


_RUNS_OVER = """() => [...document.querySelectorAll(".screen-row *, .screen > p")].filter((one) => {
  const row = one.closest(".screen-row")?.getBoundingClientRect();
  const rows = document.querySelector(".screen-rows").getBoundingClientRect();
  const { top, bottom } = one.getBoundingClientRect();
  return row ? top < row.top - 0.5 || bottom > row.bottom + 0.5 : top < rows.bottom;
}).map((one) => one.className)"""
"""What runs over the edge of its row, or lies under the rows."""


_FRAME = """() => {
  const one = document.activeElement;
  const { color, outlineColor, outlineOffset } = getComputedStyle(one);
  return [one.innerText.trim(), color === outlineColor, parseInt(outlineOffset) < 0];
}"""
"""What has the focus, and is its frame seen on its ground and within its own edges?"""


def test_the_big_screen_is_large_whole_and_in_columns(phone: Page) -> None:
    page, game = phone, GameOnPhone(phone)
    game.start("Aggravation Rummy", SIX)
    plain = game.plain
    typed = {name: "25" for name in SIX.split() if name != "Anna"}
    assert plain.close(1, out="Anna", **typed).status_code == 303
    extra = {"seat": str(plain.seats["Anna"]), "points": "20", "reason": "a misdeal", "number": "1"}
    sent(page, f"/games/{plain.key}/corrections", extra)
    plain.keep(2, out="Anna", met="Ben", **typed)
    page.goto(f"/games/{plain.key}/screen")
    contracts = page.locator(".screen-contract")
    expect(contracts.filter(has_text="went out")).to_have_text("2 set of 3 and run of 4 · went out")
    expect(contracts.filter(has_text="laid down").first).to_contain_text("· laid down · 25 points")
    expect(page.locator(".screen > p")).to_contain_text("Anna")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    whole = ".screen-head, .screen-row, .screen-name, .screen-row .score"
    for width, height in ((1024, 768), (1920, 1080), (3840, 2160)):
        resized(page, width, height)
        assert page.evaluate(_RUNS_OVER) == [], width
        assert page.evaluate(_COLUMNS) == [1, 1, 1, 1], width
        assert not_in_view(page, whole) == [], width
        name, score = (
            page.locator(what).first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
            for what in (".screen-name", ".screen-row .score")
        )
        assert name >= width / 40
        assert score > 1.4 * name  # what is looked up from across the room
        assert page.evaluate(_FRAME) == ["Back to the game", True, True], width


def test_on_a_phone_the_head_of_the_big_screen_is_read_too(phone: Page) -> None:
    page, game = phone, GameOnPhone(phone)
    game.start("Aggravation Rummy", SIX)
    game.plain.close(1, out="Anna", **{name: "25" for name in SIX.split() if name != "Anna"})
    page.goto(f"{page.url}/screen")
    head = page.locator(".screen-head > *")
    for width in (360, 844):
        resized(page, width, 390)
        sizes = head.evaluate_all(
            "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert min(sizes) >= 16, width


def test_the_big_screen_goes_on_to_the_next_game_once_the_result_was_seen(
    game: GameOnPhone, new_phone: Callable[..., Page]
) -> None:
    """Of each next one: the rematch, and another of the same people that is none."""
    screen, plain = new_phone(viewport={"width": 1280, "height": 800}), game.plain
    screen.clock.install(time="2030-01-01T20:00:00")
    let_in(game.page, screen, "watch")
    screen.goto(f"/games/{plain.key}/screen")
    following = [
        lambda: sent(game.page, f"/games/{plain.key}/rematch", {}),
        lambda: sent(game.page, "/games", {"variant": "points-only", "player": ["Ben", "Anna"]}),
    ]
    for start in following:
        screen.clock.run_for(60_000)
        expect(screen.get_by_text("Round 1", exact=False)).to_be_visible()
        sent(
            game.page, f"{urlsplit(screen.url).path.removesuffix('/screen')}/stop", {"result": "no"}
        )
        screen.clock.run_for(10_000)
        expect(screen.get_by_text("stopped without a result")).to_be_visible()
        begun = start().headers["location"]
        screen.clock.run_for(10_000)
        leads_on = screen.get_by_role("link", name="Go to the next game")
        expect(leads_on).to_be_visible()
        with screen.expect_response(f"**{urlsplit(begun).path}/screen"):
            screen.clock.run_for(30_000)
        expect(leads_on).to_be_hidden()


def test_a_device_that_watches_on_a_wide_window_fills_it_with_who_plays(
    game: GameOnPhone, new_phone: Callable[..., Page]
) -> None:
    watching = new_phone(viewport={"width": 1280, "height": 800})
    let_in(game.page, watching, "watch")
    watching.goto(urlsplit(game.page.url).path)
    last = watching.locator(".watching .row").last
    expect(last).to_be_in_viewport(ratio=1)
    box = last.bounding_box()
    assert box
    assert box["y"] + box["height"] > 600
