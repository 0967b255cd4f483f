"""A ruling on a phone: recorded with one tap, and told apart from the verdict."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, finger_on
from tests.browser.looking import cut_off, not_in_view, resized, too_small
from tests.browser.phones import LANGUAGES
from tests.browser.test_checker import tap_cards, verdict

SIZES = [(390, 844), (360, 640)]
SIDEWAYS = (844, 390)


def illegal_in_a_game(phone: Page) -> None:
    """Have the checker say “Not legal” in a game."""
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    phone.goto(f"/check?game={game.plain.key}&variant=frustration&contract=1")
    tap_cards(phone, "3 2 2 2 9 9 9")
    expect(verdict(phone)).to_contain_text("Not legal")


@pytest.mark.parametrize("size", SIZES)
def test_a_decision_is_typed_and_recorded_with_one_tap(phone: Page, size: tuple[int, int]) -> None:
    illegal_in_a_game(resized(phone, *size))
    phone.get_by_text("Record a ruling").tap()
    expect(phone.locator("#ruling summary")).to_be_in_viewport(ratio=1)
    assert not_in_view(phone, "#ruling :is(input:not([type=hidden]), [type=submit])") == []
    phone.get_by_label("What did the group decide?").tap()
    phone.keyboard.type("it counts")
    finger_on(phone.get_by_role("button", name="Record ruling"))
    expect(phone.get_by_role("heading", level=1)).to_have_text("Check a play")
    expect(phone.locator(".done")).to_have_text("Ruling recorded")
    expect(phone.locator(".done")).to_be_in_viewport(ratio=1)
    expect(phone.locator("#verdict").get_by_text("it counts")).to_be_in_viewport(ratio=1)
    assert not_in_view(phone, ".keypad button") == []


STANDS_AT_THE_SWAP = """() => document.addEventListener("htmx:afterSwap", () => {
  const field = document.activeElement;
  window.stands = [document.querySelector("#ruling").open, field.name, field.value];
}, { once: true })"""


def test_a_late_verdict_leaves_open_and_focused_what_is_being_recorded(phone: Page) -> None:
    illegal_in_a_game(phone)
    phone.get_by_text("Record a ruling").tap()
    phone.get_by_label("Who asked?").select_option("Ben")
    asked_by = phone.get_by_label("Who asked?").input_value()
    phone.get_by_label("What did the group decide?").tap()
    phone.keyboard.type("let it ")
    phone.evaluate(STANDS_AT_THE_SWAP)
    phone.locator("#tray-1").evaluate("(tray) => { tray.value = '3C 2S' }")
    phone.locator("#question").dispatch_event("entered")
    expect(verdict(phone)).to_contain_text("Not complete yet")
    assert phone.evaluate("stands") == [True, "decided", "let it "]
    phone.keyboard.type("count")
    expect(phone.get_by_label("What did the group decide?")).to_have_value("let it count")
    expect(phone.get_by_label("Who asked?")).to_have_value(asked_by)


def test_a_ruling_is_on_the_cards_that_are_entered_though_their_verdict_is_on_the_way(
    phone: Page,
) -> None:
    illegal_in_a_game(phone)
    phone.route("**/check/verdict*", lambda _route: None)
    tap_cards(phone, "9 4")
    phone.get_by_text("Record a ruling").tap()
    phone.get_by_label("What did the group decide?").fill("it counts")
    phone.get_by_role("button", name="Record ruling").tap()
    expect(phone.locator("#verdict .ruled")).to_contain_text("it counts")
    entered = [tray.input_value() for tray in phone.locator(".tray-text").all()]
    assert entered == ["3 2 2", "2 9 9 9 9 4"]


@pytest.mark.parametrize("size", [*SIZES, SIDEWAYS])
def test_the_form_of_a_ruling_comes_into_view_wherever_it_was_opened(
    phone: Page, size: tuple[int, int]
) -> None:
    illegal_in_a_game(resized(phone, *size))
    opens = phone.locator("#ruling summary")
    # The tap that opens it may be at the foot of what is seen.
    opens.evaluate("(one) => one.scrollIntoView(false)")
    opens.evaluate("(one) => one.click()")
    form = "#ruling summary, #ruling [name=decided], #ruling [name=switch]"
    assert not_in_view(phone, form) == []
    opens.tap()
    expect(phone.locator("#ruling [name=decided]")).to_be_hidden()


def test_the_form_of_a_ruling_is_in_no_box_of_its_own_on_a_phone_held_sideways(
    phone: Page,
) -> None:
    illegal_in_a_game(resized(phone, *SIDEWAYS))
    phone.get_by_text("Record a ruling").tap()
    expect(phone.locator("#ruling summary")).to_be_in_viewport(ratio=1)
    scrolls = "(one) => one.scrollHeight > one.clientHeight"
    assert not phone.locator("#verdict").evaluate(scrolls)
    assert not_in_view(phone, "#ruling label :is(input, select)") == []
    phone.get_by_role("button", name="Record ruling").tap()
    expect(phone.locator(".done")).to_have_text("Ruling recorded")


def test_the_keypad_keeps_its_place_below_a_ruling_that_a_link_opened(phone: Page) -> None:
    illegal_in_a_game(resized(phone, 360, 640))
    phone.goto(f"{phone.url}&about=wild_limit#ruling")
    expect(phone.get_by_label("What did the group decide?")).to_be_visible()
    assert not_in_view(phone, "#ruling :is(input:not([type=hidden]), [type=submit])") == []


_LOOKS = """(one) => [getComputedStyle(one).backgroundColor, one.textContent]"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_group_decided_is_told_apart_from_the_verdict(
    new_phone: Callable[..., Page], language: str
) -> None:
    width, height = SIZES[1]
    phone = new_phone(viewport={"width": width, "height": height}, locale=LANGUAGES[language])
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    asked = "ask=contract&variant=frustration&contract=1&m=3+2+2&m=2+9+9+9"
    game.plain.client.post(
        f"/games/{game.plain.key}/rulings", data={"question": asked, "decided": "runs may wrap"}
    )
    refused = "/check?ask=meld&kind=set&variant=frustration&m=3+2+2"
    phone.goto(refused)
    reds = [phone.locator(one).evaluate(_LOOKS)[0] for one in ("#verdict", "#strip")]
    phone.goto(f"/check?{asked}")
    for one in ("#strip", "#verdict .already"):
        background, words = phone.locator(one).evaluate(_LOOKS)
        assert "runs may wrap" in words
        assert background not in reds
        assert "✗" not in words
    assert phone.locator("#verdict").evaluate(_LOOKS)[0] not in reds
    size = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    assert verdict(phone).evaluate(size) < 24
    assert cut_off(phone) + too_small(phone) == []
