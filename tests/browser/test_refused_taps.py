"""Taps that the table will never take leave the phone's list, and the person is told which."""

import pytest
from playwright.sync_api import expect

from tests.browser.at_the_table import GameOnPhone


@pytest.mark.provokes(422)
def test_points_that_are_too_long_are_told_with_what_was_typed_and_hold_nothing_up(
    game: GameOnPhone,
) -> None:
    page, long = game.page, "1+" * 45 + "1"
    page.evaluate(
        "document.querySelectorAll('[maxlength]').forEach(o => o.removeAttribute('maxlength'))"
    )
    game.has_left_over("Ben", long)
    told = page.locator(".unsent-question")
    expect(told).to_contain_text("These entries couldn’t be saved")
    expect(told).to_contain_text(long)
    expect(told).to_contain_text("Use 80 characters or fewer.")
    with page.expect_response("**/row"):
        game.has_left_over("Cleo", "15")
    page.reload()
    expect(page.get_by_label("Points for Cleo")).to_have_value("15")
    expect(told).to_contain_text(long)
    told.get_by_role("button", name="Dismiss").tap()
    expect(told).to_have_count(0)
    page.reload()
    expect(told).to_have_count(0)


@pytest.mark.provokes(400, 403, 404, 410, 413, 422)
def test_whatever_the_table_refuses_for_good_is_asked_once_and_told(game: GameOnPhone) -> None:
    asked: list[int] = []
    refusals = [400, 403, 404, 410, 413, 422]

    def refuse(route) -> None:
        asked.append(refusals[0])
        headers = {"X-Version": "same"}
        route.fulfill(status=refusals[0], body="<!doctype html><p>no</p>", headers=headers)

    game.page.route("**/row", refuse)
    told = game.page.locator(".unsent-question")
    for number, status in enumerate(list(refusals), start=1):
        game.has_left_over("Ben", str(number * 5))
        expect(told).to_contain_text(f"Ben: {number * 5} points")
        expect(told).to_have_count(1)
        assert asked.count(status) == (2 if status == 400 else 1), "400 may be an old form token"
        refusals.pop(0)
    game.page.unroute("**/row", refuse)
    with game.page.expect_response("**/row"):
        game.has_left_over("Ben", "45")
    game.page.reload()
    expect(game.page.get_by_label("Points for Ben")).to_have_value("45")
    expect(told).to_have_count(0)


@pytest.mark.provokes(408, 429)
def test_what_the_table_may_take_later_is_sent_again(game: GameOnPhone) -> None:
    later = [408, 429]

    def put_off(route):
        if later:
            return route.fulfill(status=later.pop(), body="")
        return route.continue_()

    game.page.route("**/row", put_off)
    game.has_left_over("Ben", "20")
    expect(game.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    expect(game.page.locator(".row.unsent")).to_have_count(0)
    assert later == []
    game.page.reload()
    expect(game.page.get_by_label("Points for Ben")).to_have_value("20")
    expect(game.page.locator(".unsent-question")).to_have_count(0)
