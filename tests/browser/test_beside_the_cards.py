"""Menus and points beside the cards, on a small phone. What can happen there: `test_evening`."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone


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
