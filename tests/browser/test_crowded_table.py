"""Five and six on a phone: what is complete folds to one line, so what is missing is in view."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.at_the_table import GameOnPhone
from tests.browser.phones import PHONE
from tests.browser.test_at_a_glance import EVERYTHING, SMALL, TALL, not_in_view

FIVE = "Anna Ben Cleo Dominique Maximilian-Alexander"
SIX = f"{FIVE} Friederike"


def _points(row: Locator) -> Locator:
    return row.locator(".penalty-field")


def _folded(row: Locator) -> Locator:
    return row.locator(".row-fold:not([open]) > summary")


@pytest.mark.parametrize(("names", "size"), [(FIVE, SMALL), (SIX, TALL)])
def test_all_are_in_view_with_what_they_still_need_once_the_round_was_dealt(
    new_phone: Callable[..., Page], names: str, size: tuple[int, int]
) -> None:
    page = new_phone(viewport={"width": size[0], "height": size[1]})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", names)
    expect(page.locator(".bar-deal")).to_be_visible()
    out, *others = names.split()
    page.locator(".bar-title > summary").tap()
    expect(page.locator(".bar-deal")).to_be_hidden()
    game.meets(others[-1])
    assert not_in_view(page, EVERYTHING) == []
    game.goes_out(out)
    expect(_folded(game.row(out))).to_contain_text("Went out")
    expect(game.row(out).locator(".out")).to_be_hidden()
    for name in others:
        assert not_in_view(page, EVERYTHING) == []
        game.has_left_over(name, 75)
        page.keyboard.press("Enter")
        expect(_folded(game.row(name))).to_contain_text("75")
    assert not_in_view(page, EVERYTHING) == []
    game.close(1)
    expect(page.get_by_role("button", name="Reopen round 1")).to_be_visible()
    expect(page.locator(".bar-deal")).to_be_visible()
    expect(page.locator(".row-fold")).to_have_count(0)


def test_a_row_folds_once_it_is_left_opens_by_a_tap_and_loses_nothing(
    phone: Page, browser: Browser
) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", FIVE)
    ben, cleo = game.row("Ben"), game.row("Cleo")
    game.has_left_over("Cleo", 60)
    _points(ben).tap()
    phone.keyboard.type("75")
    expect(_folded(cleo)).to_be_visible()
    expect(ben.locator(".row-fold[open]")).to_have_count(1)  # the finger is still in it
    expect(_points(ben)).to_be_focused()
    phone.keyboard.press("Enter")
    expect(_folded(ben)).to_contain_text("75")
    expect(phone.get_by_label("Points for Dominique")).to_be_focused()
    game.meets("Ben")  # without opening it
    expect(ben.locator(".tap-met")).to_be_checked()
    _folded(ben).focus()
    phone.keyboard.press("Enter")
    expect(_points(ben)).to_have_value("75")
    phone.keyboard.press("Shift+Tab")
    _points(ben).fill("30")
    phone.keyboard.press("Enter")
    expect(_folded(ben)).to_contain_text("30")

    plain = browser.new_context(base_url=phone.url, java_script_enabled=False, **PHONE)
    plain.add_cookies(phone.context.cookies())  # type: ignore[arg-type]
    page = plain.new_page()
    page.goto(phone.url)
    ben = GameOnPhone(page).row("Ben")
    expect(_points(ben)).to_be_hidden()
    _folded(ben).tap()
    expect(_points(ben)).to_have_value("30")
    plain.close()


def test_no_row_moves_for_the_first_tap_of_a_round(phone: Page) -> None:
    phone.clock.install()
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", SIX)
    began = _tops(phone)
    game.meets("Anna")
    expect(game.row("Anna").locator(".tap-met")).to_be_checked()
    phone.clock.run_for(2000)
    expect(phone.locator(".bar-deal")).to_be_visible()
    phone.reload()
    expect(game.row("Anna").locator(".tap-met")).to_be_checked()
    assert _tops(phone) == began


@pytest.mark.provokes(422)
def test_nothing_moves_under_the_fingers_of_four(phone: Page) -> None:
    phone.clock.install()
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora")
    began = _tops(phone)
    game.goes_out("Anna")
    expect(phone.locator(".row.lacks-points")).to_have_count(3)
    expect(phone.locator(".row-fold")).to_have_count(0)
    game.has_left_over("Ben", "15+5")
    phone.clock.run_for(2000)
    assert _tops(phone) == began
    game.close(1)
    expect(phone.locator(".fault")).to_have_count(1)
    assert _tops(phone)[:3] == began[:3]
    game.from_menu("Deal again")
    phone.get_by_role("button", name="Pass the deal to Ben").tap()
    expect(phone.locator("#own-change")).to_contain_text("Round 1 void")
    assert _tops(phone) == began


def _tops(page: Page) -> list[float]:
    rows = page.locator("li.row").all()
    return [box["y"] for row in rows if (box := row.bounding_box())]


@pytest.mark.provokes(422)
def test_while_cards_are_counted_no_button_moves_and_points_that_are_entered_are_not_unknown(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora")
    game.goes_out("Anna")
    game.close(1)
    unknown = page.locator(".row-uncounted")
    expect(unknown).to_be_visible()
    page.get_by_label("Points for Ben").press_sequentially("5")
    expect(unknown).to_be_hidden()
    page.get_by_label("Points for Ben").clear()
    expect(unknown).to_be_visible()
    game.count_cards_of("Ben")
    more = page.locator(".counting[open] [data-step='1']").last
    at = more.bounding_box()
    for _ in range(14):  # more than were dealt, which is doubted
        more.tap()
        assert more.bounding_box() == at
    expect(page.locator(".row-uncounted, .row .fault")).to_have_count(0)
    assert more.bounding_box() == at
