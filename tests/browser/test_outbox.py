"""The outbox where things go wrong around it: storage, the network's own pages, updates, faults.

A tap is never lost in silence: it is stored, or sent, or the person is told.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.at_the_table import GameOnPhone
from tests.waiting import wait_on_page

pytestmark = pytest.mark.worker

FILL_STORAGE = """() => {
  for (let size = 2 ** 22; size >= 1; size /= 2) {
    try { while (true) localStorage.setItem(`full-${Math.random()}`, "x".repeat(size)); } catch { }
  }
}"""
FORBID_STORAGE = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("forbidden", "SecurityError"); },
})"""
STORED = "localStorage.getItem('meldkeeper-outbox')"


def is_kept(game: GameOnPhone, name: str, points: str) -> None:
    expect(game.page.locator(".row.unsent")).to_have_count(0)
    game.page.reload()
    expect(game.page.get_by_label(f"Points for {name}")).to_have_value(points)


@pytest.mark.provokes(cut_off=True)
def test_what_a_full_browser_cannot_store_is_said_and_sent_as_soon_as_there_is_a_network(
    game: GameOnPhone,
) -> None:
    page = game.page
    page.evaluate(FILL_STORAGE)
    with page.expect_response("**/row"):
        game.has_left_over("Ben", "15")
    page.context.set_offline(True)
    game.has_left_over("Cleo", "25")
    game.meets("Anna")
    expect(page.locator("#notice")).to_have_text(
        "You’re offline, and this browser can’t save your entries. "
        "Keep this page open until they sync.",
        use_inner_text=True,
    )
    page.once("dialog", lambda asked: asked.dismiss())
    with page.expect_event("dialog") as dialog:
        page.evaluate("location.reload()")
    assert dialog.value.type == "beforeunload"
    page.context.set_offline(False)
    is_kept(game, "Cleo", "25")
    expect(page.get_by_label("Points for Ben")).to_have_value("15")


def test_where_a_browser_forbids_storage_everything_is_sent_all_the_same(phone: Page) -> None:
    phone.add_init_script(FORBID_STORAGE)
    game = GameOnPhone(phone)
    game.set_up("Aggravation Rummy", "Anna Ben Cleo")
    game.play(1, out="Anna", Ben="15", Cleo="25")


@pytest.mark.provokes(404)
def test_what_stands_between_phone_and_table_neither_takes_a_tap_nor_puts_the_phone_out(
    game: GameOnPhone,
) -> None:
    """A proxy without its server, a login, the page of a hotel: none of them is the table."""
    page, answered = game.page, set()
    status = 404

    def answer_instead(route: Route) -> None:
        answered.add((status, route.request.method))
        route.fulfill(status=status, body="<html lang=xx><h1>Welcome, guest")

    page.clock.install()
    page.route("**/games/**", answer_instead)
    game.has_left_over("Ben", "15")
    for status in (404, 200):
        while not {(status, "GET"), (status, "POST")} <= answered:
            page.clock.run_for(1000)
    expect(game.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    page.unroute("**/games/**", answer_instead)
    page.clock.run_for(4000)
    is_kept(game, "Ben", "15")


@pytest.mark.provokes(500)
def test_a_tap_on_which_the_app_itself_fails_is_told_at_last_and_holds_nothing_up(
    game: GameOnPhone,
) -> None:
    page, failed = game.page, []

    def fail(route: Route) -> None:
        if "typed=15" not in (route.request.post_data or ""):
            return route.continue_()
        return route.fulfill(status=500, body="<p>oh", headers={"X-Version": "same"})

    # Those that arrived: what the page waited for too long it asked again.
    page.on("response", lambda answer: failed.append(1) if answer.status == 500 else None)
    page.clock.install()
    page.route("**/row", fail)
    game.has_left_over("Ben", "15")
    game.has_left_over("Cleo", "25")
    told = page.locator(".unsent-question")
    while not told.is_visible():
        page.clock.run_for(1000)
    expect(told).to_contain_text("Ben: 15 points")
    assert len(failed) == 5
    is_kept(game, "Cleo", "25")


def test_taps_that_version_1_0_0_left_waiting_are_sent_after_the_update(game: GameOnPhone) -> None:
    page = game.page
    key, version = page.locator("#game").evaluate("e => [e.dataset.game, e.dataset.version]")
    seat = page.get_by_label("Points for Ben").get_attribute("data-tap").partition("-")[0]
    row = {"game": key, "address": f"/games/{key}/rounds/1/row", "seen": version, "about": "Ben"}
    waiting: list[dict[str, Any]] = [
        {"changed": f"{seat}-typed", "fields": {f"{seat}-typed": "35"}},
        {"changed": f"{seat}-met", "fields": {f"{seat}-met": "on"}, "late": True},
        {"changed": "out", "fields": {"out": "nobody"}},
    ]
    of_1_0_0 = [
        {"key": f"{number:032x}", **row, **one, "at": 1763700000000}
        for number, one in enumerate(waiting)
    ]
    page.evaluate("kept => localStorage.setItem('meldkeeper-outbox', kept)", json.dumps(of_1_0_0))
    page.reload()
    wait_on_page(page, f"{STORED} === '[]'")
    expect(page.locator(".unsent-question")).to_have_count(0)
    is_kept(game, "Ben", "35")
    expect(page.locator(f"#met-{seat}")).to_be_checked()
    expect(page.locator("#out-nobody")).to_be_checked()


def test_an_update_of_the_app_shows_its_own_page_and_keeps_what_is_half_typed(
    game: GameOnPhone,
) -> None:
    page = game.page

    def newer(route: Route) -> None:
        answer = route.fetch()
        page.get_by_label("Points for Cleo").press_sequentially("4")
        route.fulfill(response=answer, headers={**answer.headers, "x-version": "newer"})

    page.route("**/row", newer, times=1)
    with page.expect_event("load"):
        game.has_left_over("Ben", "15")
    is_kept(game, "Ben", "15")
    expect(page.get_by_label("Points for Cleo")).to_have_value("4")
