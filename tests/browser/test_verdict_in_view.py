"""What a checker's screen shows at once: both piles, the verdict's lines whole, keys near them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone
from tests.browser.looking import cut_off, resized, still
from tests.browser.phones import LANGUAGES, LONGER_WORDS

ASKED = {
    "an illegal set": "variant=frustration&ask=meld&kind=set&m=8H+8D+2S+2C+2D",
    "a contract": "variant=frustration&contract=1&m=5H+5D+2S&m=9H+9D+9C",
    "a longer contract": "variant=frustration-rummy&contract=2&m=3S+JK+5S+JK+7S&m=9H+9S+2C",
    "a hand": "variant=aggravation-rummy&ask=hand&contract=2&m=5H+5D+5C+3S+4H+5S+6D+7C+7D+7H",
    "a lay-off": "variant=garbage-rummy&ask=layoff&kind=run&m=5H+6H+7H+8H&add=2C",
    "a swap": "variant=twelve-step-rummy&ask=swap&kind=run&m=5H+JK+7H+8H&add=6H",
    "one of two jokers": "variant=twelve-step-rummy&ask=swap&kind=run&m=5H+JK+7H+JK&add=6H",
}
SMALL, TALL, SIDEWAYS, DESK = (360, 640), (390, 844), (844, 390), (1280, 800)

CUT_LINES = """() => {
  const verdict = document.querySelector("#verdict"), range = document.createRange();
  const { top, bottom } = verdict.getBoundingClientRect();
  const fade = Number.parseFloat(getComputedStyle(verdict, "::after").height) || 0;
  const walk = document.createTreeWalker(verdict, NodeFilter.SHOW_TEXT);
  const cut = [];
  while (walk.nextNode()) {
    if (!walk.currentNode.parentElement.checkVisibility()) continue;
    range.selectNodeContents(walk.currentNode);
    for (const line of range.getClientRects()) {
      const crosses = line.top < bottom - 1 && line.bottom > bottom + 1;
      if (crosses && line.bottom - bottom < fade) continue; // what is left of it fades
      if (crosses) cut.push(walk.currentNode.data.trim());
    }
  }
  return cut;
}"""
"""Lines that go on below the verdict's edge, but for those that fade towards it."""

FREE_ROOM = """() => {
  const verdict = document.querySelector("#verdict");
  const { bottom } = verdict.getBoundingClientRect();
  const goesOn = verdict.scrollHeight > verdict.clientHeight + 1;
  return goesOn ? document.querySelector(".keypad").getBoundingClientRect().top - bottom : 0;
}"""
"""How much is free below a verdict that is not shown whole."""

SIZES = """() => [...document.querySelectorAll("#verdict, #verdict > *")]
  .map((one) => `${one.className}: ${one.offsetWidth} ${one.offsetHeight}`)"""

PILES = """() => {
  const keypad = document.querySelector(".keypad").getBoundingClientRect();
  return [...document.querySelectorAll("[data-tray]")].map((tray) => {
    const { top, bottom, right } = tray.getBoundingClientRect();
    const floor = keypad.left < right && keypad.top > top ? keypad.top : innerHeight;
    return Math.round(Math.min(bottom, floor) - Math.max(top, 0)) / Math.round(bottom - top);
  });
}"""
"""How much of each pile is in view."""

BESIDE = """() => {
  const [first] = document.querySelectorAll("[data-tray]");
  const top = (one) => one.getBoundingClientRect().top;
  return top(first) - top(document.querySelector(".keypad"));
}"""

ENLARGING = """() => [...document.querySelectorAll("#question :is(select, input:not(.tap))")]
  .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < 16)
  .map((one) => one.outerHTML.slice(0, 80))"""
"""Fields with words so small that an iPhone enlarges the page when one is tapped."""

BEGINS = """(first) => [...document.querySelectorAll("#verdict .grounds")].filter((one) => {
  const range = document.createRange();
  const [after] = [...one.childNodes].filter(({ data }) => data?.trim().startsWith(first));
  if (!after) return false;
  range.setStart(after, after.data.indexOf(first));
  range.setEnd(after, after.data.indexOf(first) + 1);
  return range.getBoundingClientRect().left < one.getBoundingClientRect().left + 8;
}).map((one) => one.textContent)"""
"""The sources of which a line begins with that."""

LONG_NAME = "variant=aggravation-rummy-family&ask=layoff&kind=set&m=9H+9D+9S&add=9C"


WITH_A_HOUSE_RULE = f"{ASKED['an illegal set']}&rule-wild_limit=none"


@pytest.fixture
def phone(new_phone: Callable[..., Page]) -> Page:
    return new_phone(locale=LONGER_WORDS)


def opened(page: Page, asked: str, size: tuple[int, int]) -> Page:
    """The checker with a question on a screen of some size."""
    resized(page, *size).goto(f"/check?{asked}")
    expect(page.locator("#verdict .verdict-word")).to_be_visible()
    still(page)
    return page


def as_opened(page: Page, size: tuple[int, int]) -> Page:
    """The same page on a screen of another size, where the pile to be filled is shown anew."""
    resized(page, *size).evaluate("scrollTo(0, 0)")
    page.locator("[data-tray].active").dispatch_event("click")
    still(page)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_a_verdict_is_cut_no_room_left_below_one_that_goes_on_and_each_pile_in_view(
    new_phone: Callable[..., Page], language: str
) -> None:
    """And on a large screen the keys are near the piles, whatever is said."""
    page = new_phone(locale=LANGUAGES[language])
    found: dict[tuple[object, ...], object] = {}
    for name, asked in ASKED.items():
        opened(page, asked, SIDEWAYS)
        found[name, "cut lines"] = page.evaluate(CUT_LINES)
        found[name, "free room"] = page.evaluate(FREE_ROOM) > 12
        if name == "an illegal set":
            expect(page.locator("#verdict .advice")).to_be_in_viewport(ratio=1)
        for size in (SIDEWAYS, SMALL, TALL, DESK):
            piles = (page if size == SIDEWAYS else as_opened(page, size)).evaluate(PILES)
            found[name, size, "piles"] = min(piles) < 0.9 and piles
        found[name, "keys far from the piles"] = not 0 <= page.evaluate(BESIDE) <= 250
    assert {where: what for where, what in found.items() if what} == {}


def test_while_a_verdict_is_on_its_way_the_one_before_is_gray_and_keeps_its_room(
    phone: Page,
) -> None:
    """It is asked for by a card, or with the whole page by another rule set."""
    answers = re.compile(r"/check(/verdict)?\?")
    for size in (SMALL, SIDEWAYS, DESK):
        page = opened(phone, ASKED["an illegal set"], size)
        said = page.locator("#strip, #verdict").filter(visible=True).first
        for ask in (
            lambda: phone.locator("[data-rank='9']").tap(),
            lambda: phone.locator("[name=variant]").select_option("frustration-rummy"),
        ):
            expect(said).to_have_css("filter", "none")
            sizes = page.evaluate(SIZES)
            page.route(answers, lambda route: None)
            ask()
            expect(said).to_have_css("filter", "grayscale(1)")
            assert page.evaluate(SIZES) == sizes, size
            page.unroute(answers)  # lets what was held go on
            expect(said).to_have_css("filter", "none")


def test_a_tap_on_a_field_enlarges_no_page_the_names_of_rule_sets_are_whole_and_asks_alike(
    phone: Page,
) -> None:
    shape = "all => all.map((one) => getComputedStyle(one).borderRadius)"
    for asked in (ASKED["a contract"], LONG_NAME):
        opened(phone, asked, SMALL)
        for size in (SMALL, TALL, SIDEWAYS):
            assert resized(phone, *size).evaluate(ENLARGING) == [], size
            assert cut_off(phone) == [], size
            shapes = phone.locator(".asks > button").evaluate_all(shape)
            assert len(set(shapes)) == 1, size


def test_no_line_of_a_source_begins_with_the_colon_behind_its_name(phone: Page) -> None:
    """In French a space stands before it, at which no line may end, however wide a phone is."""
    for rules in ("garbage-rummy", "twelve-step-rummy"):
        opened(phone, ASKED["an illegal set"].replace("frustration", rules), SMALL)
        for width in range(320, 400, 8):
            assert resized(phone, width, 640).evaluate(BEGINS, ":") == [], width


def test_the_way_to_a_house_rule_beside_a_verdict_is_as_high_as_a_finger_needs(
    phone: Page,
) -> None:
    page = opened(phone, WITH_A_HOUSE_RULE, SMALL)
    chip = page.locator("#verdict .basis > a").first.bounding_box()
    assert chip["height"] >= 24


def test_a_verdict_is_not_behind_the_keypad_of_a_phone_held_sideways(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": 844, "height": 390})
    page.goto("/check?variant=garbage-rummy&ask=layoff&kind=run&m=5H+6H+7H+8H&add=2C")
    shown, keypad = (page.locator(one).bounding_box() for one in ("#verdict", ".keypad"))
    assert shown["y"] + shown["height"] <= keypad["y"]
    expect(page.get_by_role("link", name="See the rule")).to_be_in_viewport(ratio=1)


def test_with_six_players_the_place_of_the_first_card_is_above_the_keys(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 360, "height": 640}, locale=LONGER_WORDS)
    names = "Marie-Antoinette Jean-Baptiste-Lefèvre Zoé Édouard Anne-Sophie-de-la-Tour Guy"
    game = GameOnPhone(phone)
    game.start("Liverpool Rummy", names)
    phone.goto(phone.url.replace("/games/", "/check?contract=5&game=").rstrip("/"))
    slot = phone.locator("[data-cards]").first.bounding_box()
    keys = phone.locator("[data-keypad]").bounding_box()
    assert slot["y"] + 60 < keys["y"]
    assert cut_off(phone) == []
