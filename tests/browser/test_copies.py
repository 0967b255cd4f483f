"""What a phone can show without a network is what it showed last, after an update, too."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.bad_network import BadNetwork
from tests.browser.at_the_table import GameOnPhone, settled
from tests.browser.test_offline import wait_until_held
from tests.waiting import wait_on_page, wait_until

pytestmark = pytest.mark.worker

COPY_HAS = "async ([name, text]) => (await (await caches.match(name))?.text())?.includes(text)"
NEVER_STORED = """() => {
  self.storing = new Promise((begun) => {
    Cache.prototype.put = () => { begun(); return new Promise(() => {}); };
  });
}"""
ONE_VERSION = (
    "async (version) => (await caches.keys()).every((name) => name.endsWith(`-${version}`))"
)


@pytest.mark.provokes(cut_off=True)
def test_an_update_of_the_server_leaves_the_game_on_the_device(
    phone_there: Page, network: BadNetwork
) -> None:
    page = phone_there
    game = GameOnPhone(settled(page))
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    address = page.url
    wait_until_held(page, address)
    page.goto("/")
    version = page.locator("meta[name=version]").get_attribute("content") or ""
    network.update = (version, "newer")
    page.reload()
    wait_on_page(page, ONE_VERSION, "newer")
    network.is_cut = True
    page.goto(address)
    expect(page.locator("#held")).to_contain_text("Offline. Last updated")
    expect(game.row("Anna")).to_be_visible()


@pytest.mark.provokes(cut_off=True)
def test_the_copy_of_a_watched_game_follows_it(two: tuple[GameOnPhone, GameOnPhone]) -> None:
    host, far = two
    address = far.page.url
    wait_until_held(far.page, address)
    host.play(1, out="Anna", Ben="15", Cleo="25")
    second = far.page.get_by_role("heading", name="Round 2")
    expect(second).to_be_visible()
    wait_on_page(far.page, COPY_HAS, [urlsplit(address).path, "/rounds/2/close"])
    far.page.context.set_offline(True)
    far.page.reload()
    expect(second).to_be_visible()
    far.has_left_over("Ben", "35")
    far.page.context.set_offline(False)
    expect(host.page.get_by_label("Points for Ben")).to_have_value("35")
    expect(far.page.locator(".unsent-question")).to_have_count(0)


@pytest.mark.provokes(cut_off=True)
def test_a_phone_that_joined_by_code_reaches_its_game_from_home_without_a_network(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    far = two[1].page
    game = urlsplit(far.url).path
    wait_until_held(far, game, "/")
    wait_on_page(far, COPY_HAS, ["/", f'href="{game}"'])
    far.context.set_offline(True)
    far.goto("/")
    far.locator(f'a[href="{game}"]').tap()
    expect(GameOnPhone(far).row("Anna")).to_be_visible()
    far.context.set_offline(False)
    expect(far.locator("#held")).to_be_hidden()


def test_home_without_a_network_leads_to_a_game_begun_after_it_was_seen(phone: Page) -> None:
    phone.goto("/")
    wait_until_held(phone, "/")
    game = GameOnPhone(phone)
    game.set_up("Aggravation Rummy", "Anna Ben Cleo")
    wait_on_page(phone, COPY_HAS, ["/", f'href="{urlsplit(phone.url).path}"'])


def ask_in_worker(page: Page, path: str, name: str) -> None:
    """Let the worker fetch a page to hold it, and keep under that name when it is done."""
    script = "([path, name]) => { self[name] = fetchAndHold(path); }"
    page.context.service_workers[0].evaluate(script, [path, name])


@pytest.mark.parametrize("path", ["/", "/join", "/games/unknown"])
def test_an_answer_from_before_a_game_takes_nothing_from_the_copies_of_after_it(
    phone_there: Page, network: BadNetwork, path: str
) -> None:
    """Home without the game, a page for a stranger, and a refusal."""
    page = phone_there
    page.goto("/")
    wait_until_held(page, "/")
    kept_back = network.keep_back(path)
    ask_in_worker(page, path, "before")
    wait_until(kept_back.is_here.is_set, "the answer from before")
    GameOnPhone(page).start("Aggravation Rummy", "Anna Ben Cleo")
    game = urlsplit(page.url).path
    wait_until_held(page, game)
    wait_on_page(page, COPY_HAS, ["/", f'href="{game}"'])
    kept_back.may_go_on.set()
    page.context.service_workers[0].evaluate("self.before")
    assert page.evaluate(COPY_HAS, ["/", f'href="{game}"'])
    assert page.evaluate(COPY_HAS, [game, "/rounds/1/close"])


def test_an_answer_from_before_a_second_game_leaves_the_copy_of_home_that_has_both(
    phone_there: Page, network: BadNetwork
) -> None:
    page = phone_there
    GameOnPhone(page).start("Aggravation Rummy", "Anna Ben Cleo")
    wait_until_held(page, "/")
    wait_on_page(page, COPY_HAS, ["/", f'href="{urlsplit(page.url).path}"'])
    kept_back = network.keep_back("/")
    ask_in_worker(page, "/", "before")
    wait_until(kept_back.is_here.is_set, "the answer from before")
    GameOnPhone(page).start("Aggravation Rummy", "Dora Emil Finn")
    both = ["/", f'href="{urlsplit(page.url).path}"']
    wait_on_page(page, COPY_HAS, both)
    kept_back.may_go_on.set()
    page.context.service_workers[0].evaluate("self.before")
    assert page.evaluate(COPY_HAS, both)


@pytest.mark.provokes(cut_off=True)
def test_a_copy_is_there_until_a_newer_one_is_in_its_place(game: GameOnPhone) -> None:
    """However long the device takes to store that."""
    page = game.page
    link = f'href="{urlsplit(page.url).path}"'
    wait_until_held(page, "/")
    wait_on_page(page, COPY_HAS, ["/", link])
    worker = page.context.service_workers[0]
    worker.evaluate(NEVER_STORED)
    ask_in_worker(page, "/", "newer")
    worker.evaluate("self.storing")
    page.context.set_offline(True)
    page.goto("/")
    expect(page.locator("#held")).to_contain_text("Offline. Last updated")
    expect(page.locator(f"a[{link}]")).to_be_visible()
    page.context.set_offline(False)
