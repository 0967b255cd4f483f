"""The pages on which players leave, come back, play on for each other and join late.

That they do, with all that it says and leaves to be undone, is in `test_evening`.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone
from tests.browser.looking import not_in_view
from tests.browser.phones import LONGER_WORDS


def seat_menu(game: GameOnPhone, name: str) -> None:
    """The menu of a player's seat, on the page of the game's players."""
    if "/players" not in game.page.url:
        game.from_menu("Who plays")
    line = game.page.locator(".player-row").filter(has_text=re.compile(rf"^\s*{name}\b"))
    game.tap(line.locator("summary"))


def back_to_the_game(page: Page) -> None:
    page.get_by_role("link", name="Back to the game").tap()
    expect(page.locator("#round")).to_be_visible()


def test_whoever_is_opened_stays_in_view_with_their_name(new_phone: Callable[..., Page]) -> None:
    game = GameOnPhone(new_phone(viewport={"width": 640, "height": 360}))
    game.start("Frustration", "Anna Ben Cleo Dora Emil Finn")
    for name in ("Dora", "Cleo", "Finn"):
        seat_menu(game, name)
        shown = game.page.locator(".player-menu[open] .name")
        expect(shown).to_have_text(name)
        expect(shown).to_be_in_viewport(ratio=1)
        below_the_head = """(one) => one.getBoundingClientRect().top
            >= document.querySelector("#players > .page-head").getBoundingClientRect().bottom"""
        assert shown.evaluate(below_the_head)
        game.page.reload()


def test_all_that_a_games_menu_leads_to_is_in_one_view(new_phone: Callable[..., Page]) -> None:
    page = new_phone(viewport={"width": 360, "height": 640}, locale=LONGER_WORDS)
    GameOnPhone(page).start("Frustration Rummy", "Anna Ben Cleo")
    game = page.url
    page.goto(f"{game}/corrections")
    page.locator("button[name=keep]").tap()  # with points it is the longest
    expect(page.locator("button[name=keep][value=no]").first).to_be_attached()
    page.goto(game)
    page.locator(".menu > summary").tap()
    expect(page.locator(".menu a[href$='/corrections']")).to_be_visible()
    assert not_in_view(page, ".menu-panel a, .menu-panel button, .menu-panel summary") == []


def test_a_seat_that_was_asked_for_is_shown_below_the_head_of_its_page(
    new_phone: Callable[..., Page],
) -> None:
    game = GameOnPhone(new_phone(viewport={"width": 360, "height": 640}))
    game.start("Frustration", "Anna Ben Cleo Dora Emil Finn")
    for name in ("Anna", "Finn"):
        game.from_person(name, "Leaves, or someone takes over")
        expect(game.page.locator(".player-menu[open] .name")).to_be_in_viewport(ratio=1)
        assert not_in_view(game.page, "#players h1, #players .links a") == []
        assert not_in_view(game.page, ".player-menu[open] .name") == []
        back_to_the_game(game.page)


@pytest.mark.provokes(422)
def test_who_plays_on_is_tapped_and_who_plays_already_is_told_beside_the_field(
    phone: Page,
) -> None:
    phone.set_viewport_size({"width": 390, "height": 844})
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Maximilian-Alexander Dora")
    game.start("Aggravation Rummy", "Anna Ben Cleo Emil Finn Gus Hugo")
    seat_menu(game, "Hugo")
    field = phone.get_by_label("Who plays on from round 1?").locator("visible=true")
    field.fill("Ben")
    phone.get_by_role("button", name="Take over (Hugo)").tap()
    said = "Ben is already playing. To play Hugo’s cards for a while, change nothing here"
    expect(phone.locator(".fault").filter(has_text=said)).to_be_in_viewport(ratio=1)
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport(ratio=1)
    phone.get_by_role("button", name="Maximilian-Alexander").locator("visible=true").first.tap()
    expect(field).to_have_value("Maximilian-Alexander")
    phone.get_by_role("button", name="Take over (Hugo)").tap()
    told = phone.locator("#told-change")
    expect(told).to_contain_text("Maximilian… took over from Hugo")
