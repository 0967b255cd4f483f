"""Taps that the table will never take leave the phone's list, and the person is told which."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, let_in


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


@pytest.mark.provokes(422)
def test_a_refused_entry_stays_told_and_missing_whatever_is_entered_elsewhere(
    game: GameOnPhone, new_phone: Callable[..., Page]
) -> None:
    other = GameOnPhone(new_phone())
    let_in(game.page, other.page, "score")
    told = game.row("Ben").get_by_text("Enter a number or a sum")
    game.goes_out("Anna")
    game.has_left_over("Ben", "5, 10, 10")
    expect(told).to_be_visible()
    game.has_left_over("Cleo", "15")
    button = game.page.locator("#close-round")
    expect(button).to_have_text("1 player’s points missing")
    other.meets("Cleo")
    expect(game.row("Cleo").locator(".tap-met")).to_be_checked()
    expect(told).to_be_visible()
    expect(button).to_have_text("1 player’s points missing")
    expect(game.page.get_by_label("Points for Ben")).to_have_value("5, 10, 10")
    game.has_left_over("Ben", "5+10+10")
    expect(told).to_have_count(0)
    expect(button).to_have_text("End round 1")


@pytest.mark.provokes(422)
def test_what_a_refused_end_says_follows_what_is_filled_in_before_the_table_has_it(
    game: GameOnPhone,
) -> None:
    button = game.page.locator("#close-round")
    game.goes_out("Anna")
    game.tap(button)
    told = game.row("Ben").get_by_text("Enter Ben’s points")
    expect(told).to_be_visible()
    game.page.route("**/row", lambda _route: None)  # the table is slow
    game.page.keyboard.type("7")
    expect(told).to_have_count(0)
    expect(button).to_have_text("1 player’s points missing")
    game.has_left_over("Cleo", "5, 10")
    expect(button).to_have_text("1 player’s points missing")
    game.has_left_over("Cleo", "5+10")
    expect(button).to_have_text("End round 1")
    expect(game.page.locator(".lacks-points")).to_have_count(0)


@pytest.mark.provokes(422)
def test_an_edit_tells_of_points_that_cannot_be_read_until_they_can(game: GameOnPhone) -> None:
    page = game.page
    game.plain.close(1, out="Anna", Ben="15", Cleo="10")
    page.goto(f"{page.url}/rounds/1")
    save, told = page.locator("#save-round"), page.get_by_text("Enter a number or a sum")
    game.has_left_over("Ben", "5, 10")
    expect(save).to_have_text("1 player’s points missing")
    save.tap()
    expect(told).to_be_visible()
    game.has_left_over("Cleo", "20")
    game.goes_out("Cleo")
    expect(told).to_be_visible()
    game.has_left_over("Ben", "5+10")
    expect(told).to_have_count(0)
