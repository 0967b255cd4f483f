"""The app without a network: what is kept on the phone, what says so, and what goes again."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, settled
from tests.waiting import wait_on_page

pytestmark = pytest.mark.worker

CONTROLLED = "Boolean(navigator.serviceWorker.controller)"
HELD = "async (name) => Boolean(await caches.match(name))"
GONE = "async (name) => !await caches.match(name)"
IN_COPIES = """async (text) => {
  for (const place of await caches.keys()) {
    const held = await caches.open(place);
    for (const name of await held.keys()) {
      if ((await (await held.match(name)).text()).includes(text)) return name.url;
    }
  }
  return null;
}"""
RULES = "/rules/frustration"


def wait_until_held(page: Page, *addresses: str) -> None:
    wait_on_page(page, CONTROLLED)
    for address in addresses:
        wait_on_page(page, HELD, address)


def fill(page: Page) -> None:
    """What a page at rest asks for after some seconds."""
    page.evaluate("navigator.serviceWorker.controller.postMessage({ kind: 'fill' })")


@pytest.fixture
def installed(phone: Page) -> Page:
    phone.goto("/")
    wait_until_held(phone, "/offline")
    return phone


def test_the_rules_can_be_read_without_a_network(installed: Page) -> None:
    fill(installed)
    wait_until_held(installed, RULES, "/rules", f"{RULES}/sheet", "/check?ask=contract")
    installed.context.set_offline(True)
    for address in ("/rules", f"{RULES}/sheet", RULES):
        installed.goto(address)
        expect(installed.locator("#held")).to_contain_text("Offline. Last updated")
        expect(installed.locator("#held time")).to_have_text(re.compile(r"20\d\d"))
    expect(installed.locator(".faq").first).to_be_visible()


@pytest.mark.provokes(cut_off=True)
def test_cards_are_entered_without_a_network_and_judged_when_it_is_back(installed: Page) -> None:
    installed.goto("/check?variant=frustration&ask=meld&kind=set")
    wait_until_held(installed, "/check?variant=frustration&ask=meld&kind=set")
    installed.context.set_offline(True)
    installed.reload()
    for rank in ("8", "8", "8"):
        installed.locator(f'[data-rank="{rank}"]').tap()
    expect(installed.locator("[data-card]")).to_have_count(3)
    expect(installed.locator(".needs-network")).to_be_visible()
    installed.context.set_offline(False)
    expect(installed.locator("#held")).to_be_hidden()
    expect(installed.locator(".needs-network")).to_be_hidden()


def test_the_checker_without_a_network_never_answers_another_question_than_its_address(
    installed: Page,
) -> None:
    installed.goto("/check?ask=contract")
    wait_until_held(installed, "/check?ask=contract")
    installed.context.set_offline(True)
    for address in ("/check?variant=twelve-step-rummy&contract=9", "/check"):
        installed.goto(address)
        expect(installed.locator("#checker")).to_be_visible()
        assert installed.url.endswith("/check?ask=contract")
    installed.context.set_offline(False)


def test_a_page_that_was_never_seen_says_so(installed: Page) -> None:
    installed.context.set_offline(True)
    installed.goto("/games/new")
    expect(installed.get_by_role("heading", name="Offline")).to_be_visible()
    installed.context.set_offline(False)


@pytest.mark.provokes(cut_off=True)
def test_the_last_seen_game_can_be_read_and_is_fresh_again_with_the_network(phone: Page) -> None:
    game = GameOnPhone(settled(phone))
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    wait_until_held(phone, phone.url)
    phone.context.set_offline(True)
    phone.reload()
    expect(game.row("Anna")).to_be_visible()
    expect(phone.locator("#held")).to_contain_text("Last updated")
    phone.context.set_offline(False)
    expect(phone.locator("#held")).to_be_hidden()


@pytest.mark.provokes(403, 404)
def test_a_phone_that_was_put_out_keeps_of_the_table_only_what_it_could_not_send(
    phone: Page,
) -> None:
    game = GameOnPhone(settled(phone))
    game.start("Aggravation Rummy", "Anna Ben Zenobia")
    address = phone.url
    phone.goto("/rules")
    wait_on_page(phone, IN_COPIES, "Zenobia")
    phone.goto(address)
    wait_until_held(phone, address)
    phone.route("**/row", lambda route: route.fulfill(status=403, headers={"X-Version": "same"}))
    game.has_left_over("Ben", "15")
    expect(phone.locator(".unsent-question")).to_contain_text("Ben: 15 points")
    phone.context.clear_cookies()
    # The open page asks what is new, is refused and loads itself anew.
    expect(phone.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(phone.locator(".unsent-question")).to_contain_text("Ben: 15 points")
    phone.get_by_role("button", name="Dismiss").tap()
    wait_on_page(phone, "(localStorage.getItem('meldkeeper-outbox') ?? '[]') === '[]'")
    wait_on_page(phone, f"async (name) => !await ({IN_COPIES})(name)", "Zenobia")
    phone.context.set_offline(True)
    phone.goto(address)
    expect(phone.get_by_text("Anna")).to_have_count(0)
    phone.context.set_offline(False)


def test_another_language_leaves_no_page_in_the_one_before(installed: Page) -> None:
    fill(installed)
    wait_until_held(installed, RULES)
    installed.get_by_role("button", name="Français").tap()
    expect(installed.get_by_role("link", name="Nouvelle partie")).to_be_visible()
    wait_on_page(installed, GONE, RULES)
    fill(installed)
    wait_until_held(installed, RULES)
    installed.context.set_offline(True)
    installed.goto(RULES)
    expect(installed.locator("#held")).to_contain_text("Hors ligne")
    installed.context.set_offline(False)


def test_parts_of_two_versions_never_meet_on_one_page(installed: Page) -> None:
    """A page of a newer version, asked for by a link, is loaded whole with its own files."""
    installed.evaluate("window.before = true")

    def newer(route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "x-version": "newer"})

    installed.context.route("**/rules", newer)
    installed.get_by_role("link", name="Rules").tap()
    expect(installed.get_by_role("heading", name="Rules")).to_be_visible()
    wait_on_page(installed, "!window.before")
    installed.context.unroute_all(behavior="ignoreErrors")


def test_the_browser_finds_the_app_fit_to_be_installed(installed: Page) -> None:
    session = installed.context.new_cdp_session(installed)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults] in ([], ["in-incognito"])
