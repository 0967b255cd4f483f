"""What needs a network says so, keeps what was typed, and is unsaid when the network is back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.bad_network import BadNetwork
from tests.browser.at_the_table import GameOnPhone, settled
from tests.browser.test_offline import wait_until_held

pytestmark = pytest.mark.worker

NEEDED = "This needs the network. Nothing was changed."


@pytest.mark.provokes(cut_off=True)
def test_a_form_that_cannot_be_sent_says_so_and_keeps_what_was_typed_through_a_reload(
    game: GameOnPhone,
) -> None:
    page = game.page
    page.goto(f"{page.url}/players")
    wait_until_held(page, page.url)
    page.context.set_offline(True)
    page.get_by_label("Name").fill("Dora")
    page.get_by_role("button", name="Add to the game").tap()
    said = page.get_by_role("alert").filter(has_text=NEEDED)
    expect(said).to_be_visible()
    expect(page.locator(".when-stored")).to_be_hidden()
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Dora")
    page.get_by_role("button", name="Add to the game").tap()
    expect(said).to_be_visible()
    page.context.set_offline(False)
    expect(said).to_have_count(0)
    expect(page.locator("#held")).to_be_hidden()
    expect(page.get_by_label("Name")).to_have_value("Dora")
    page.get_by_role("button", name="Add to the game").tap()
    expect(page.locator(".seating-name").last).to_have_text("Dora")
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("")


@pytest.mark.provokes(cut_off=True)
def test_the_end_of_a_round_is_not_said_to_wait_for_a_network(game: GameOnPhone) -> None:
    page = game.page
    page.context.set_offline(True)
    page.get_by_label("Points for Ben").tap()
    game.has_left_over("Ben", "15")
    game.close(1)
    expect(page.get_by_role("alert").filter(has_text=NEEDED)).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator(".refusal")).to_have_count(0)
    expect(page.locator(".row.unsent")).to_have_count(0)
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()


@pytest.mark.provokes(cut_off=True)
def test_the_language_without_a_network_leaves_the_page_as_it_is(phone: Page) -> None:
    phone.goto("/")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")  # else its script is cut off
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Français").tap()
    expect(phone.get_by_role("alert")).to_have_text(NEEDED)
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Français").tap()
    expect(phone.get_by_role("link", name="Nouvelle partie")).to_be_visible()


def answering(status: int, headers: dict[str, str]) -> Callable[[Route], None]:
    """What stands in for the table and always says that."""
    return lambda route: route.fulfill(status=status, headers=headers)


@pytest.mark.provokes(429, 502, 503)
def test_what_answers_instead_of_the_table_is_no_answer(game: GameOnPhone) -> None:
    """The figures on the page are then old, and marked."""
    page = game.page
    notice = page.locator("#notice")
    version = page.locator("meta[name=version]").get_attribute("content") or ""
    for status, headers in ((502, {}), (200, {}), (503, {"X-Version": version}), (429, {})):
        page.route("**/live*", answering(status, headers))
        expect(notice).to_be_visible()
        page.unroute_all(behavior="wait")
        expect(notice).to_be_hidden()


@pytest.mark.provokes(cut_off=True)
def test_a_server_that_hangs_is_as_good_as_none_where_there_is_a_copy(
    phone_there: Page, network: BadNetwork
) -> None:
    page, game = phone_there, GameOnPhone(settled(phone_there))
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    wait_until_held(page, page.url)
    network.hangs = True
    page.reload(wait_until="commit")
    expect(page.locator("#held")).to_contain_text("Offline. Last updated")
    expect(game.row("Anna")).to_be_visible()
    network.hangs = False
    expect(page.locator("#held")).to_be_hidden()


def test_what_a_network_answers_in_place_of_the_app_takes_no_round_from_the_screen(
    game: GameOnPhone,
) -> None:
    page = game.page
    with page.expect_response("**/row"):
        game.goes_out("Anna")
    page.route("**/close", lambda route: route.fulfill(status=200, body="<h1>Welcome, guest"))
    game.close(1)
    expect(page.get_by_role("alert").filter(has_text="No answer from the server")).to_be_visible()
    expect(game.row("Anna")).to_be_visible()


@pytest.mark.provokes(cut_off=True)
def test_a_game_whose_start_was_not_answered_is_started_once_also_after_a_reload(
    phone: Page,
) -> None:
    """With the seats that were drawn."""
    page = phone
    page.goto("/games/new/frustration")
    page.get_by_label("Add players").fill("Anna, Ben, Cleo, Dora, Emil")
    page.get_by_label("Add players").press("Enter")
    for drawing in ("Shuffle seats", "Pick dealer"):
        button = page.get_by_role("button", name=drawing)
        button.evaluate("(one) => { one.form.dataset.before = ''; }")
        button.tap()
        expect(page.locator("#new-game:not([data-before])")).to_be_visible()
    seats = page.locator(".seating-name")
    drawn, dealer = seats.all_inner_texts(), page.locator("[name=dealer]:checked")
    chosen = dealer.get_attribute("value") or ""

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/games", lose_the_answer)
    page.get_by_role("button", name="Start game").tap()
    expect(page.get_by_role("alert").filter(has_text="No answer from the server")).to_be_visible()
    page.unroute_all(behavior="wait")
    page.reload()
    expect(seats).to_have_text(drawn)
    expect(dealer).to_have_attribute("value", chosen)
    page.get_by_role("button", name="Start game").tap()
    expect(page.locator(".row-name")).to_have_text(drawn)
    page.goto("/")
    expect(page.locator("[aria-labelledby=running] .card")).to_have_count(1)
