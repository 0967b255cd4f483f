"""What the app refuses is said in its own words, and never as if the network were gone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.at_the_table import GameOnPhone, settled
from tests.browser.looking import not_in_view


@pytest.mark.provokes(404, 503)
@pytest.mark.worker
def test_why_a_form_was_refused_stands_beside_it_and_what_failed_is_sent_again_with_its_key(
    phone: Page,
) -> None:
    game = GameOnPhone(settled(phone))
    game.start("Frustration Rummy", "Anna Ben")
    phone.goto(f"{phone.url}/players")
    keys: list[str] = []

    def fail_after_it_was_done(route: Route) -> None:
        keys.append((route.request.post_data or "").split("request_key=")[1].split("&")[0])
        if len(keys) > 1:
            return route.continue_()
        route.fetch()
        page = "<h1>Your change might not be saved</h1><p>Try again."
        return route.fulfill(status=503, body=page, headers={"X-Version": "same"})

    phone.route("**/players", fail_after_it_was_done)
    phone.get_by_label("Name").fill("Dora")
    join = phone.get_by_role("button", name="Add to the game")
    join.tap()
    expect(phone.get_by_role("alert")).to_have_text("Your change might not be saved. Try again.")
    expect(phone.get_by_label("Name")).to_have_value("Dora")
    join.tap()
    expect(phone.locator(".seating-name")).to_have_text(["Anna", "Ben", "Dora"])
    assert keys[0] == keys[1]
    expect(phone.locator(".fault")).to_have_count(0)
    phone.context.clear_cookies(name="meldkeeper")
    phone.get_by_label("Name").fill("Emil")
    join.tap()
    expect(phone.get_by_role("alert")).to_contain_text("Page not found")
    expect(phone.locator("#notice")).to_be_hidden()
    phone.locator("a[href^='/games/']").first.evaluate("link => link.click()")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(phone.locator("#notice")).to_be_hidden()


@pytest.mark.provokes(422)
def test_a_past_game_that_is_left_half_typed_is_there_again_until_it_is_added(phone: Page) -> None:
    GameOnPhone(phone).start("Frustration Rummy", "Anna Ben")
    name, points = phone.locator("[name=p0-player]"), phone.locator("[name=p0-score]")

    def come_back() -> None:
        phone.get_by_role("link", name="Players").first.tap()
        phone.get_by_role("heading", name="Players", level=1).wait_for()
        phone.get_by_role("link", name="History").first.tap()
        phone.get_by_role("link", name="Add a past game").tap()
        phone.get_by_role("heading", name="Add a past game").wait_for()

    phone.goto(f"{phone.url.split('/games')[0]}/data/past-game")
    phone.get_by_role("button", name="+ Ben").tap()
    expect(name).to_have_value("Ben")
    points.fill("33")
    come_back()
    expect(name).to_have_value("Ben")
    expect(points).to_have_value("33")
    phone.get_by_role("button", name="Add game").tap()
    expect(phone.locator(".fault").first).to_be_visible()
    come_back()
    expect(points).to_have_value("33")
    phone.locator("[name=p1-player]").fill("Anna")
    phone.locator("[name=p1-score]").fill("20")
    phone.get_by_role("button", name="Add game").tap()
    phone.wait_for_url("**/rounds")
    come_back()
    expect(phone.locator("form#past-game[data-redraw]")).to_have_count(1)
    expect(name).to_have_value("")


@pytest.mark.provokes(422)
def test_what_is_wrong_deep_in_a_page_is_in_view_with_the_field_that_it_is_about(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 360, "height": 480})
    game = GameOnPhone(phone)
    game.start("Frustration Rummy", "Anna Ben Cleo")
    phone.goto("/players")
    phone.locator(".person-card", has_text="Anna").tap()
    phone.locator("summary", has_text="Name and look").tap()
    phone.get_by_label("Name").fill("Ben")
    phone.get_by_role("button", name="Rename").tap()
    expect(phone.get_by_label("Name")).to_be_focused()
    expect(phone.locator("#name, #name-fault")).to_have_count(2)
    assert not_in_view(phone, "#name, #name-fault") == []
    phone.get_by_label("Name").fill("Anne")
    with phone.expect_response("**/mark"):
        phone.get_by_role("button", name="Use", exact=True).tap()
    expect(phone.get_by_label("Name")).to_have_value("Anne")
    expect(phone.get_by_text("Tap Rename to keep this name.", exact=True)).to_be_visible()
    phone.get_by_role("button", name="Rename").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Anne")
    assert not_in_view(phone, ".done") == []


@pytest.mark.provokes(422)
def test_what_was_wrong_with_a_field_goes_once_a_name_stands_there(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration Rummy", "Anna Ben")
    phone.goto("/group")
    phone.locator("summary", has_text="Rename group").tap()
    name = phone.get_by_label("Group name")
    name.fill(" ")
    phone.get_by_role("button", name="Rename").tap()
    fault = phone.locator("#name-fault")
    expect(fault).to_be_visible()
    expect(name).to_have_attribute("aria-invalid", "true")
    name.press("Backspace")
    expect(fault).to_be_visible()
    name.press_sequentially("W")
    expect(fault).to_have_count(0)
    expect(name).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.provokes(409)
def test_a_yes_to_a_preview_of_what_was_imported_meanwhile_says_that_it_is_gone(
    phone: Page,
) -> None:
    GameOnPhone(phone).start("Frustration Rummy", "Anna Ben")
    lines = [
        f"2025-12-31,Frustration,{name},{place}" for place, name in enumerate(("Anna", "Ben"), 1)
    ]
    table = "\n".join(["date,rule set,player,place", *lines]).encode()
    previews = phone.context.new_page(), phone
    for page in previews:
        page.goto("/data")
        page.locator("[type=file]").set_input_files(
            {"name": "past.csv", "mimeType": "text/csv", "buffer": table}
        )
        page.get_by_role("button", name="Preview").tap()
        expect(page.get_by_role("heading", name="Line by line")).to_be_visible()
    for page in previews:
        page.get_by_role("button", name="Import 1 game").tap()
        expect(page.get_by_role("button", name="Import 1 game")).to_be_hidden()
    expect(previews[0].locator(".done", has_text="1 game imported")).to_be_visible()
    expect(phone.get_by_role("heading", name="This preview is gone")).to_be_visible()
    expect(phone.locator(".fault")).to_have_count(0)
