"""What a phone could not send is told in words, wherever its person is, and is never lost."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.bad_network import BadNetwork
from tests.browser.at_the_table import GameOnPhone, let_in, settled
from tests.browser.test_offline import wait_until_held
from tests.browser.test_what_a_phone_shows import enters, points_of, types_offline

pytestmark = pytest.mark.worker

REFUSED = "<p data-refused>It isn’t taken.</p>"


def refuse(route: Route) -> None:
    route.fulfill(status=422, body=REFUSED, headers={"X-Version": "same"})


@pytest.mark.provokes(422)
def test_a_refused_entry_is_told_as_people_would_say_it(phone: Page) -> None:
    """Each kind of tap that a round has, one after the other."""
    game = GameOnPhone(settled(phone))
    game.start("Shanghai Rummy", "Anna Ben Cleo")
    phone.route("**/row", refuse)
    told = phone.locator(".unsent-question")

    def is_told(words: str) -> None:
        expect(told.locator("b")).to_have_text(words)
        expect(told).to_contain_text("It isn’t taken.")
        told.get_by_role("button", name="Dismiss").tap()
        expect(told).to_have_count(0)
        expect(phone.locator(".row.unsent")).to_have_count(0)

    game.meets("Ben")
    is_told("Ben laid down their contract")
    game.has_left_over("Cleo", "53")
    is_told("Cleo: 53 points")
    game.has_left_over("Cleo", "1")
    is_told("Cleo: 1 point")
    game.count_cards_of("Anna")
    game.tap(game.row("Anna").locator(".counting [data-step='1']").first)
    is_told("Anna: 1 card")
    game.tap(game.row("Anna").locator(".row-buys [data-step]"))
    is_told("Anna: 1 buy")
    game.goes_out("Ben")
    is_told("Ben went out")


@pytest.mark.provokes(404, cut_off=True)
def test_entries_of_a_deleted_game_are_told_and_sent_once_it_is_restored(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    address = far.page.url
    types_offline(far, "Ben", "35")
    host.from_menu("Rounds")
    host.tap(host.page.get_by_role("button", name="Delete game"))
    host.page.wait_for_url("**/history/deleted")
    far.page.context.set_offline(False)
    told = far.page.locator(".unsent-question")
    expect(far.page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(told).to_contain_text("Ben: 35 points")
    expect(told).to_contain_text("If you can open the game again, they’ll sync then.")
    far.page.goto("/")
    expect(told).to_contain_text("Ben: 35 points")
    host.tap(host.page.get_by_role("button", name="Restore"))
    expect(host.page.get_by_role("button", name="Delete game")).to_be_visible()
    far.page.goto(address)
    host.page.goto(address)
    expect(points_of(host, "Ben")).to_have_value("35")
    expect(told).to_have_count(0)


@pytest.mark.provokes(409, cut_off=True)
def test_a_conflict_that_arises_on_home_is_told_there_and_leads_to_its_game(
    game: GameOnPhone, phone_there: Page, network: BadNetwork
) -> None:
    host, far = game, GameOnPhone(settled(phone_there))
    let_in(host.page, far.page, "score")
    wait_until_held(far.page, far.page.url, "/")
    # Not `set_offline`, which lets a new page send for a moment.
    network.is_cut = True
    far.has_left_over("Ben", "35")
    expect(far.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    far.page.goto("/")
    enters(host, "Ben", "15")
    network.is_cut = False
    told = far.page.locator(".unsent-question")
    expect(told).to_contain_text("Ben: 35 points")
    told.get_by_role("link", name="Go to the game").tap()
    far.page.get_by_role("button", name="Use mine").tap()
    expect(points_of(host, "Ben")).to_have_value("35")
    expect(told).to_have_count(0)


@pytest.mark.parametrize("day", [-86_400_000, 86_400_000])
def test_a_phone_whose_clock_is_set_to_another_day_still_follows_the_game(
    two: tuple[GameOnPhone, GameOnPhone], day: int
) -> None:
    host, far = two
    far.page.evaluate(
        """(day) => {
          const now = Date.now;
          Date.now = () => now() + day;
          htmx.trigger(document.body, "htmx:load", { elt: document.body });  // plans anew
        }""",
        day,
    )
    for points in ("15", "25"):
        enters(host, "Ben", points)
        expect(points_of(far, "Ben")).to_have_value(points)
