"""What browsers do each in their own way: old ones, pages that come back, the screen kept on."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.at_the_table import GameOnPhone, hears_nothing_new
from tests.browser.phones import PHONE
from tests.waiting import wait_on_page


def test_an_old_browser_gets_the_pages_without_scripts(browser: Browser, server: str) -> None:
    context = browser.new_context(base_url=server, **PHONE)
    context.add_init_script("delete AbortSignal.timeout")
    game = GameOnPhone(context.new_page())
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    assert game.page.evaluate("[window.htmx, document.documentElement.className]") == [None, ""]
    game.play(1, "Anna", "Ben", Ben="10+5", Cleo="30")
    assert (game.contract_of("Ben"), game.score_of("Cleo")) == ("2", 30)
    game.page.goto("/check?variant=frustration&contract=1&m=5H+5D+5C&m=9H+9D+2S")
    game.page.get_by_role("button", name="Check").tap()
    expect(game.page.locator("#verdict .verdict-word")).to_contain_text("Legal")
    expect(game.page.locator("[data-keypad]")).to_be_hidden()
    context.close()


@pytest.mark.provokes(cut_off=True)
def test_a_page_that_comes_back_says_nothing_of_what_was_cut_off_by_leaving(phone: Page) -> None:
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo")
    hears_nothing_new(phone)
    phone.evaluate("""() => {
        window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
        document.dispatchEvent(new Event("live:lost"));
    }""")
    expect(phone.locator("#notice")).to_be_hidden()
    with phone.expect_request("**/live*"):
        phone.evaluate(
            'window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))'
        )
    expect(phone.locator("#notice")).to_be_hidden()
    phone.route("**/live*", lambda route: route.abort())
    expect(phone.locator("#notice")).to_be_visible()
    phone.unroute_all(behavior="ignoreErrors")


# A browser that gives the lock only for a tap, as WebKit does, and takes it while a page is hidden.
WANTS_A_TAP = """() => {
    window.held = 0;
    navigator.wakeLock.request = async () => {
        if (!navigator.userActivation.isActive) throw new DOMException("", "NotAllowedError");
        window.held += 1;
        window.lock = Object.assign(new EventTarget(), {
            released: false, release: async () => { window.lock.released = true; },
        });
        return window.lock;
    };
}"""


def test_the_screen_is_kept_on_from_the_next_tap_on_where_a_browser_wants_one(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone()
    phone.add_init_script(f"({WANTS_A_TAP})()")
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo")
    phone.reload()
    GameOnPhone(phone).meets("Ben")
    wait_on_page(phone, "window.held === 1")
    phone.evaluate("window.lock.released = true")
    GameOnPhone(phone).meets("Cleo")
    wait_on_page(phone, "window.held === 2")


SUSPENDED = """() => {
    window.sounds = 0;
    window.AudioContext = class {
        state = "suspended";
        resume() { window.sounds += navigator.userActivation.isActive; this.state = "running"; }
    };
    localStorage.setItem("meldkeeper-sound", "yes");
}"""


def test_the_sound_of_a_round_is_made_ready_by_a_tap(new_phone: Callable[..., Page]) -> None:
    phone = new_phone()
    phone.add_init_script(f"({SUSPENDED})()")
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo")
    phone.reload()
    assert phone.evaluate("window.sounds") == 0
    GameOnPhone(phone).meets("Ben")
    assert phone.evaluate("window.sounds") == 1


def test_two_quick_taps_count_twice_and_enlarge_nothing(phone: Page) -> None:
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo")
    for address in (phone.url, "/check", "/history"):
        phone.goto(address)
        enlarging = phone.locator("a, button, label, select, summary").evaluate_all(
            "all => all.filter((one) => getComputedStyle(one).touchAction === 'auto')"
            ".map((one) => one.outerHTML.slice(0, 90))"
        )
        assert enlarging == []
