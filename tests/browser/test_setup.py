"""Who plays, at setup: names that are offered stay where they are while they are tapped."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone


@pytest.mark.parametrize("height", [640, 844])
def test_the_names_that_are_offered_keep_their_places_while_some_are_chosen(
    new_phone, height: int
) -> None:
    phone: Page = new_phone(viewport={"width": 390, "height": height})
    GameOnPhone(phone).start("Frustration", "Anna Ben Cleo Dora Grandma-Ilse")
    phone.goto("/games/new/frustration")
    names = phone.get_by_role("group", name="Players in your group").get_by_role("button")
    names.first.scroll_into_view_if_needed()
    places = [one.bounding_box() for one in names.all()]
    seats = phone.locator(".seating-row").count()
    for name in names.all():
        name.tap()
        seats += 1
        expect(phone.locator(".seating-row")).to_have_count(seats)
        expect(name).to_be_disabled()
        now = [one.bounding_box() for one in names.all()]
        assert [(one["x"], round(one["y"])) for one in now] == [
            (one["x"], round(one["y"])) for one in places
        ]


def test_a_link_amid_what_asks_by_itself_leads_to_its_page(phone: Page) -> None:
    phone.goto("/games/new/aggravation-rummy")
    phone.locator("summary", has_text="House rules").tap()
    phone.locator("summary", has_text="Scoring").tap()
    phone.get_by_role("link", name="Other card values").tap()
    expect(phone.locator("#rule-set")).to_be_visible()
    expect(phone.locator("#new-game, .own-bar + .own-bar")).to_have_count(0)
    assert phone.url.endswith("/rules/custom/new?base=aggravation-rummy")
