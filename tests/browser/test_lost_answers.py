"""A form whose answer was lost on the way: sending it again does nothing twice."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.at_the_table import GameOnPhone


@pytest.mark.provokes(cut_off=True)
def test_a_form_that_is_sent_again_unchanged_is_carried_out_once_and_a_changed_one_anew(
    phone: Page,
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration Rummy", "Anna Ben")
    phone.goto(f"{phone.url}/players")
    sent: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    phone.route("**/players", lose_the_first_answer)
    join = phone.get_by_role("button", name="Add to the game")
    phone.get_by_label("Name").fill("Dora")
    with phone.expect_event("requestfailed"):
        join.tap()
    phone.get_by_label("Name").press("Enter")
    expect(phone.locator(".seating-name")).to_have_text(["Anna", "Ben", "Dora"])
    expect(phone.locator(".fault")).to_have_count(0)
    phone.get_by_label("Name").fill("Emil")
    join.tap()
    expect(phone.locator(".seating-name")).to_have_text(["Anna", "Ben", "Dora", "Emil"])
    keys = [one.split("request_key=")[1].split("&")[0] for one in sent]
    assert keys[0] == keys[1] != keys[2]
