"""What happens at a table beside the cards, said on one small phone in one evening."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone

NAMES = "Anna Ben Cleo Dora"
REST = {"Ben": 100, "Cleo": 100, "Dora": 100}


@pytest.mark.provokes(422)
def test_buys_blanks_corrections_and_an_early_end_are_said_and_undone(phone: Page) -> None:
    phone.set_viewport_size({"width": 360, "height": 640})
    game = GameOnPhone(phone)
    game.start("Shanghai Rummy", NAMES)
    buys_beyond_the_limit(game)
    points_that_nobody_knows(game)
    a_correction(game)
    an_early_end(game)
    going_on_and_back_to_the_first_round(game)


def buys_beyond_the_limit(game: GameOnPhone) -> None:
    buy = game.row("Ben").get_by_role("button", name="One more buy")
    for _ in range(4):
        buy.tap()
    expect(game.page.get_by_label("Buys (Ben)")).to_have_value("4")
    expect(game.row("Ben")).to_contain_text("At most 3 buys.")
    game.goes_out("Anna")
    for name, points in REST.items():
        game.has_left_over(name, points)
    game.close(1)
    expect(game.page.locator("#foot-said")).to_contain_text("Ben bought 4 times")
    game.tap(game.page.get_by_role("button", name="End round anyway"))
    expect(game.page.get_by_role("heading", name="Round 2")).to_be_visible()


def points_that_nobody_knows(game: GameOnPhone) -> None:
    game.goes_out("Anna")
    game.has_left_over("Ben", 100)
    game.has_left_over("Dora", 100)
    game.close(2)
    game.tap(game.row("Cleo").get_by_text("Points unknown"))
    game.close(2)
    expect(game.page.get_by_role("heading", name="Round 3")).to_be_visible()
    expect(
        game.page.get_by_text("These points are unknown and add nothing: Cleo in round 2.")
    ).to_be_visible()


def a_correction(game: GameOnPhone) -> None:
    page, before = game.page, game.taps
    game.from_menu("Add or subtract points")
    game.tap(page.locator(".ask label", has_text="Dora"))
    page.get_by_label("Points", exact=True).fill("50")
    page.get_by_label("Reason").fill("Wrong lay-down")
    game.tap(page.get_by_role("button", name="Save"))
    assert game.taps - before == 2  # and two in the menu
    expect(page.get_by_role("button", name="Remove (Dora +50)")).to_be_visible()
    page.get_by_role("link", name="Back to the game").tap()
    assert [game.score_of(name) for name in NAMES.split()] == [0, 200, 100, 250]
    expect(page.get_by_text("Extra points: Dora +50 in round 2.")).to_be_visible()


def an_early_end(game: GameOnPhone) -> None:
    page = game.page
    game.from_menu("Stop here")
    game.tap(page.get_by_role("button", name="Stop with this result"))
    expect(page.get_by_role("heading", name="Anna wins!")).to_be_visible()
    expect(page.get_by_text("stopped early: lowest score")).to_be_visible()
    game.from_menu("Rounds")
    for said in ("4 buys", "unknown", "± +50", "Wrong lay-down"):
        expect(page.get_by_text(said).first).to_be_attached()
    page.get_by_role("link", name="Back to the game").tap()


def going_on_and_back_to_the_first_round(game: GameOnPhone) -> None:
    page = game.page
    game.tap(page.get_by_role("button", name="Play on"))
    expect(page.get_by_role("heading", name="Round 3")).to_be_visible()
    game.from_menu("All changes")
    lines = ("Game goes on", "Stopped early", "Dora: extra points", "Round 2 ended")
    for undone, line in enumerate(lines, start=1):
        page.locator("li", has_text=line).last.get_by_role("button", name="Undo").tap()
        expect(page.locator("li", has_text="An earlier change undone")).to_have_count(undone)
    page.get_by_role("link", name="Back to the game").tap()
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    assert [game.score_of(name) for name in NAMES.split()] == [0, 100, 100, 100]
    page.get_by_role("button", name="Reopen round 1").tap()
    expect(page.get_by_label("Buys (Ben)")).to_have_value("4")


def test_the_menu_opens_without_moving_the_page(phone: Page) -> None:
    phone.set_viewport_size({"width": 360, "height": 640})
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo Dora Emil Fritz")
    phone.locator(".menu > summary").tap()
    expect(phone.locator(".menu-panel")).to_be_visible()
    assert phone.evaluate("scrollY") == 0
    panel, height = phone.locator(".menu-panel").bounding_box(), 640
    assert panel
    assert panel["y"] + panel["height"] <= height


REACHED = """menu => {
    const isFree = (x, y) => !document.elementFromPoint(x, y)?.closest("[data-folds], nav, header")
    return [...document.querySelectorAll("main label, main button, main a, main input")]
        .map(one => one.getBoundingClientRect())
        .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])
        .filter(([x, y]) => document.elementFromPoint(x, y)?.closest("main")
            && [-40, 0, 40].every(by => isFree(x + by, y) && isFree(x, y + by)))
}"""
"""The middles of what lies free beside an open menu, a finger's width from it."""

ENTERED = """() =>
    location.href + JSON.stringify([...new FormData(document.querySelector("#round"))])"""


def test_a_tap_beside_an_open_menu_closes_it_and_does_nothing_else(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    for opener in (phone.locator(".menu > summary"), game.row("Cleo").locator(".row-head")):
        menu = opener.locator("..")
        opener.tap()
        before, beside = phone.evaluate(ENTERED), 0
        while beside < len(points := menu.evaluate(REACHED)):
            phone.touchscreen.tap(*points[beside])
            expect(menu).not_to_have_attribute("open", "")
            assert phone.evaluate(ENTERED) == before
            opener.tap()
            expect(menu).to_have_attribute("open", "")
            beside += 1
        assert beside
        phone.keyboard.press("Escape")
    game.goes_out("Ben")


def test_where_points_alone_are_kept_what_is_missing_is_filled_with_zeros(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Points only", "Anna Ben Cleo")
    rest = phone.get_by_role("button", name="0 for the rest")
    expect(rest).to_be_hidden()
    game.has_left_over("Ben", "40")
    rest.tap()
    expect(rest).to_be_hidden()
    expect(phone.get_by_label("Points for Ben")).to_have_value("40")
    game.close(1)
    expect(phone.get_by_role("heading", name="Round 2")).to_be_visible()
    assert [game.score_of(name) for name in ("Anna", "Ben", "Cleo")] == [0, 40, 0]


@pytest.mark.provokes(422)
def test_whose_points_are_unknown_is_no_rest_to_be_filled(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Points only", "Anna Ben Cleo")
    game.has_left_over("Ben", "40")
    phone.get_by_role("button", name="End round 1").tap()
    phone.locator("label[for^=not-counted-]").tap()
    expect(phone.get_by_role("button", name="1 player’s points missing")).to_be_visible()
    phone.get_by_role("button", name="0 for the rest").tap()
    expect(phone.get_by_role("button", name="End round 1")).to_be_visible()
    expect(phone.get_by_label("Points for Cleo")).to_have_value("0")
    expect(phone.get_by_label("Points for Anna")).to_have_value("")
    expect(phone.locator("[id^=not-counted-]")).to_be_checked()
