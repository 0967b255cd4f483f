"""A void round, another dealer and other seats, said on a phone and undone one by one."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone
from tests.browser.test_at_a_glance import SMALL


def test_a_void_round_another_dealer_and_other_seats_are_said_and_undone(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    game.play(1, out="Anna")
    laid_down = phone.get_by_role("checkbox", name="Laid down (Ben)")
    game.meets("Ben")
    expect(laid_down).to_be_checked()
    address = phone.url

    game.from_menu("Misdeal: start the round again")
    expect(phone.get_by_role("heading", name="Deal round 2 again")).to_be_in_viewport()
    phone.get_by_role("button", name="Pass the deal to Cleo").tap()
    says(phone, "Cleo deals, Anna starts.")
    expect(laid_down).not_to_be_checked()

    game.from_menu("Dealer and seats")
    phone.locator("#dealer").get_by_text("Anna").tap()
    phone.get_by_role("button", name="Change the dealer").tap()
    says(phone, "Anna deals, Ben starts.")

    game.from_menu("Dealer and seats")
    phone.get_by_role("button", name="Move Cleo up").tap()
    expect(
        phone.locator("main").get_by_text("With these seats, Anna deals round 2 and Cleo starts.")
    ).to_be_visible()
    phone.get_by_role("button", name="Save seats").tap()
    says(phone, "Anna deals, Cleo starts.")

    for sentence in (
        "Anna deals, Ben starts.",
        "Cleo deals, Anna starts.",
        "Ben deals, Cleo starts.",
    ):
        undo_last(phone, address)
        says(phone, sentence)
    expect(laid_down).to_be_checked()


def says(phone: Page, sentence: str) -> None:
    expect(phone.locator(".bar-deal")).to_contain_text(sentence)


def undo_last(phone: Page, address: str) -> None:
    """Undo the newest change that was not undone yet, and go back to the game.

    What was undone is not offered again; the undoing of it is.
    """
    phone.goto(f"{address}/activity")
    undoings = phone.locator("li", has_text="An earlier change undone")
    undone = undoings.count()
    changes = phone.locator("li", has_not_text="An earlier change undone")
    changes.get_by_role("button", name="Undo").first.tap()
    expect(undoings).to_have_count(undone + 1)
    phone.goto(address)


def test_what_is_changed_from_a_game_s_menus_opens_at_the_head_of_its_page(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    game.play(1, "Anna", Ben=75, Cleo=80)
    game.row("Anna").locator(".row-head").tap()
    menus = phone.locator("[aria-labelledby=menu-change] > a, .person-menu:visible > a")
    links = dict.fromkeys(one.get_attribute("href") for one in menus.all())
    assert len(links) > 8
    for link in (one for one in links if one and "#seat-" not in one):  # which leads to a row
        phone.goto(link)
        expect(phone.locator("h1").first).to_be_in_viewport(ratio=1)
