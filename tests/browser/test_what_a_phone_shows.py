"""What a phone shows is what the server has or marked as its own; its later word wins.

Here stand single cases of both; `test_two_phones.py` draws many.
"""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from tests.browser.at_the_table import GameOnPhone, hears_nothing_new
from tests.waiting import wait_on_page, wait_with_page


class HeldTap:
    """A tap with such a text does not arrive, however often it is sent, until the network is back.

    What was sent first is held up on the way.
    """

    def __init__(self, game: GameOnPhone, text: str) -> None:
        self._game, self._text = game, text
        self._held: dict[str, Any] = {}
        game.page.route("**/row", self._hold)

    def _hold(self, route: Route) -> None:
        request = route.request
        if self._text not in (request.post_data or ""):
            return route.continue_()
        if self._held:
            return route.abort()
        names = ("x-csrftoken", "hx-request", "content-type", "referer")
        headers = {name: text for name, text in request.headers.items() if name in names}
        self._held = {"url": request.url, "data": request.post_data or "", "headers": headers}
        return route.abort()

    def network_is_back(self) -> None:
        """What is sent from now on arrives."""
        self._game.page.unroute("**/row", self._hold)

    def arrives(self) -> int:
        """It arrives now, long after its phone went on; answers the status it was answered."""
        assert self._held
        return self._game.page.context.request.post(**self._held).status


def types_offline(game: GameOnPhone, name: str, points: str) -> None:
    game.page.context.set_offline(True)
    game.has_left_over(name, points)
    expect(game.row(name).get_by_text("Not synced yet")).to_be_visible()


def enters(game: GameOnPhone, name: str, points: str) -> None:
    with game.page.expect_response("**/row"):
        game.has_left_over(name, points)


def disagree(host: GameOnPhone, far: GameOnPhone, theirs: str, mine: str) -> Locator:
    """One types offline what the other enters otherwise; what it is asked once it is back."""
    types_offline(far, "Ben", mine)
    enters(host, "Ben", theirs)
    far.page.context.set_offline(False)
    asked = far.page.locator(".unsent-question")
    expect(asked).to_contain_text(f"Ben: {theirs} points")
    expect(asked).to_contain_text(f"Ben: {mine} points")
    expect(asked).to_have_count(1)
    return asked


def points_of(game: GameOnPhone, name: str) -> Locator:
    return game.page.get_by_label(f"Points for {name}")


@pytest.mark.provokes(409, cut_off=True)
def test_a_refused_value_leaves_the_field_to_what_the_table_has(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    """Kept theirs, the round ends with theirs."""
    host, far = two
    disagree(host, far, "15", "35")
    expect(points_of(far, "Ben")).to_have_value("15")
    far.page.get_by_role("button", name="Keep theirs").tap()
    expect(points_of(far, "Ben")).to_have_value("15")
    far.play(1, "Anna", "Ben", Cleo="10")
    assert far.score_of("Ben") == 15


@pytest.mark.worker
@pytest.mark.provokes(409, cut_off=True)
def test_after_end_and_reopen_the_field_shows_what_the_table_has(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    types_offline(far, "Ben", "35")
    host.play(1, "Anna", Ben="15", Cleo="10")
    host.tap(host.page.get_by_role("button", name="Reopen round 1"))
    expect(host.page.get_by_role("heading", name="Round 1")).to_be_visible()
    far.page.context.set_offline(False)
    expect(points_of(far, "Ben")).to_have_value("15")
    far.page.locator(".unsent-question").get_by_role("button", name="Keep theirs").tap()
    expect(points_of(far, "Ben")).to_have_value("15")
    far.close(1)
    expect(far.page.get_by_role("heading", name="Round 2")).to_be_visible()
    assert far.score_of("Ben") == 15


@pytest.mark.provokes(409, cut_off=True)
def test_after_a_void_round_the_field_shows_what_the_table_has(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    enters(host, "Ben", "15")
    expect(points_of(far, "Ben")).to_have_value("15")
    types_offline(far, "Ben", "35")
    host.from_menu("Misdeal: start the round again")
    host.page.get_by_role("button", name="deals again").tap()
    expect(host.page.get_by_role("button", name="End round 1")).to_be_visible()
    far.page.context.set_offline(False)
    far.page.get_by_role("button", name="Keep theirs").tap()
    expect(points_of(far, "Ben")).to_have_value("")


@pytest.mark.provokes(cut_off=True)
def test_a_value_that_arrives_late_is_not_put_over_what_the_same_phone_said_later(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    held = HeldTap(far, "typed=10")
    far.has_left_over("Ben", "10")
    expect(far.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    held.network_is_back()
    far.has_left_over("Ben", "20")
    expect(points_of(host, "Ben")).to_have_value("20")
    expect(far.page.locator(".row.unsent")).to_have_count(0)
    held.arrives()
    for game in two:
        game.page.reload()
        expect(points_of(game, "Ben")).to_have_value("20")


@pytest.mark.provokes(409, cut_off=True)
def test_a_value_that_was_dropped_is_not_taken_when_it_arrives_late(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    held = HeldTap(far, "typed=10")
    far.has_left_over("Ben", "10")
    expect(far.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    enters(host, "Ben", "15")
    held.network_is_back()
    far.page.get_by_role("button", name="Keep theirs").tap()
    assert held.arrives() == 409
    for game in two:
        game.page.reload()
        expect(points_of(game, "Ben")).to_have_value("15")


def test_what_was_entered_just_before_a_browser_ended_replaces_nothing_without_a_question(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    context, address = far.page.context, far.page.url
    context.clock.set_fixed_time(datetime.now(tz=UTC))  # so that nothing is late by its age
    far.page.close()

    def ends(points: str, *, while_it_sends: bool) -> None:
        page = context.new_page()
        held: list[Route] = []
        page.goto(address)
        page.route("**/row", lambda route: held.append(route))  # noqa: PLW0108
        if not while_it_sends:
            page.evaluate("window.setTimeout = () => 0")  # ... but before
        GameOnPhone(page).has_left_over("Ben", points)
        wait_with_page(page, lambda: held or not while_it_sends, "it is being sent")
        with page.expect_event("crash"), suppress(Error):
            page.goto("chrome://crash")
        page.close()

    def begins_again() -> tuple[Page, Locator]:
        page = context.new_page()
        page.goto(address)
        return page, page.locator(".unsent-question")

    ends("25", while_it_sends=True)
    page, asked = begins_again()
    expect(points_of(host, "Ben")).to_have_value("25")
    expect(asked).to_have_count(0)
    for theirs, mine, is_sent in (("15", "35", True), ("20", "40", False)):
        page.close()
        ends(mine, while_it_sends=is_sent)
        enters(host, "Ben", theirs)
        page, asked = begins_again()
        expect(asked).to_contain_text(f"Ben: {mine} points")
        expect(points_of(host, "Ben")).to_have_value(theirs)
        asked.get_by_role("button", name="Keep theirs").tap()
        expect(asked).to_have_count(0)


def test_cards_that_are_counted_replace_the_points_that_were_being_typed(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    """On some phones a tap on a button leaves the focus in the field."""
    _host, far = two
    points_of(far, "Ben").evaluate(
        """(field) => {
          field.focus();
          field.value = "35";
          field.dispatchEvent(new Event("input", { bubbles: true }));
          field.closest("li").querySelector(".counting [data-step='1']").click();
          field.blur();
        }"""
    )
    wait_on_page(far.page, "() => JSON.parse(localStorage['meldkeeper-outbox']).length === 0")
    for game in two:
        game.page.reload()
        expect(points_of(game, "Ben")).to_have_value("5")


@pytest.mark.provokes(cut_off=True)
def test_the_result_stands_alone_though_taps_of_the_round_still_wait(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    types_offline(far, "Ben", "35")
    host.from_menu("Stop here")
    host.page.get_by_role("button", name="Stop without a result").tap()
    expect(host.page.get_by_role("heading", name="The game is over")).to_be_visible()
    far.page.route("**/row", lambda route: route.abort())
    far.page.context.set_offline(False)
    expect(far.page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(far.page.locator("li.row")).to_have_count(0)
    expect(far.page.get_by_role("button", name="End round 1")).to_have_count(0)


@pytest.mark.provokes(409, cut_off=True)
def test_a_question_shows_what_the_table_has_now_and_overwrites_nothing_else(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    asked = disagree(host, far, "15", "35")
    enters(host, "Ben", "80")
    expect(asked).to_contain_text("Ben: 80 points")
    # The answer comes before this phone has heard of another value.
    hears_nothing_new(far.page)
    enters(host, "Ben", "90")
    far.page.get_by_role("button", name="Use mine").tap()
    expect(asked).to_contain_text("Ben: 90 points")
    expect(points_of(host, "Ben")).to_have_value("90")
    far.page.unroute_all(behavior="wait")
    far.page.get_by_role("button", name="Use mine").tap()
    expect(points_of(host, "Ben")).to_have_value("35")
    expect(points_of(far, "Ben")).to_have_value("35")
    expect(asked).to_have_count(0)


@pytest.mark.worker
@pytest.mark.provokes(409, cut_off=True)
def test_a_field_has_one_question_which_goes_when_the_field_is_written_anew(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    disagree(host, far, "15", "35")
    asked = disagree(host, far, "25", "45")
    far.has_left_over("Ben", "50")
    expect(points_of(host, "Ben")).to_have_value("50")
    expect(asked).to_have_count(0)
    far.page.reload()
    expect(asked).to_have_count(0)
