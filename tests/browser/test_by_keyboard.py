"""The app by keyboard alone: where one is after each step, and what is told."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.rules.phrases import Translate, in_english, join_phrases, say
from tests.browser.at_the_table import GameOnPhone
from tests.browser.phones import LANGUAGES
from tests.french import french
from tests.waiting import wait_on_page, wait_with_page

_MOST_TABS = 80
"""From one end of a page to the other."""


def test_each_page_is_begun_at_its_heading_and_has_a_title_of_its_own(phone: Page) -> None:
    phone.goto("/")
    titles = [phone.title()]
    enter(phone.get_by_role("link", name="New game"))
    titles.append(begun_at(phone, "What are you playing?"))
    enter(phone.get_by_role("link", name="Aggravation Rummy").first)
    titles.append(begun_at(phone, "Aggravation Rummy"))
    phone.go_back()
    assert begun_at(phone, "What are you playing?") == titles[1]
    phone.keyboard.press("Tab")
    expect(phone.locator(".variant-name").first).to_be_focused()
    for place, heading in (("Rules", "Rules"), ("Check", "Check a play")):
        phone.goto("/")
        enter(phone.get_by_role("navigation", name="Places").get_by_role("link", name=place))
        titles.append(begun_at(phone, heading))

    game = GameOnPhone(phone)
    game.set_up("Aggravation Rummy", "Anna Ben Cleo")
    titles.append(begun_at(phone, "Aggravation Rummy"))
    for page, heading in (("Rounds", "Aggravation Rummy"), ("Big screen", "Aggravation Rummy")):
        phone.locator(".menu > summary").press("Enter")
        enter(phone.locator(".menu").get_by_role("link", name=page, exact=True))
        titles.append(begun_at(phone, heading))
        phone.go_back()
        begun_at(phone, "Aggravation Rummy")
    assert len(set(titles)) == len(titles)


IS_SELECTED = """() => {
  const { selectionStart, selectionEnd, value } = document.activeElement;
  return selectionStart === 0 && selectionEnd === value.length;
}"""


def test_what_is_typed_takes_the_place_of_what_was_and_a_plus_goes_on(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    game.has_left_over("Ben", "15+5+20")
    phone.get_by_label("Points for Cleo").tap()
    field = phone.get_by_label("Points for Ben")
    field.tap()
    wait_on_page(phone, IS_SELECTED)
    phone.keyboard.type("+10")
    expect(field).to_have_value("15+5+20+10")
    phone.get_by_label("Points for Cleo").tap()
    field.tap()
    wait_on_page(phone, IS_SELECTED)
    phone.keyboard.type("45")
    expect(field).to_have_value("45")


def test_enter_goes_to_the_next_player_whose_points_are_missing(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Garbage Rummy", "Anna Ben Cleo Dan")
    game.goes_out("Ben")
    game.has_left_over("Cleo", 75)
    points = {name: phone.get_by_label(f"Points for {name}") for name in ("Anna", "Dan")}
    points["Anna"].press("Enter")
    expect(points["Dan"]).to_be_focused()
    points["Dan"].fill("80")
    points["Dan"].press("Enter")
    expect(points["Anna"]).to_be_focused()
    points["Anna"].fill("85")
    points["Anna"].press("Enter")
    expect(phone.locator(".penalty-field:focus")).to_have_count(0)


def test_a_sum_is_said_beside_its_parts_as_they_are_typed_and_afterwards(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Garbage Rummy", "Anna Ben Cleo")
    field, said = phone.get_by_label("Points for Ben"), game.row("Ben").locator(".penalty-sum")
    field.press_sequentially("10+5")
    expect(said).to_have_text("= 15")
    field.press_sequentially("+")
    expect(said).to_have_text("= 15")
    field.press_sequentially("15")
    expect(said).to_have_text("= 30")
    game.goes_out("Anna")
    phone.reload()
    expect(said).to_have_text("= 30")
    field.fill("30")
    expect(said).to_have_text("")


@pytest.mark.provokes(422)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_evening_by_keyboard_alone_is_told_step_by_step(
    new_phone: Callable[..., Page], language: str
) -> None:
    page = new_phone(locale=LANGUAGES[language], has_touch=False, is_mobile=False)
    ear = Ear(page, french if language == "fr" else in_english)
    page.goto("/")
    ear.presses("link", "New game")
    begun_at(page, ear.told("What are you playing?"))
    ear.presses("link", "Garbage Rummy")
    begun_at(page, ear.told("Garbage Rummy"))
    region = page.evaluate_handle("document.querySelector('#announced')")

    ear.goes_to("textbox", "Add players")
    page.keyboard.type("Anna, Ben, Cleo, Dan")
    ear.presses("button", "Add")
    ear.hears("Seats: {names}.", names=ear.list("Anna", "Ben", "Cleo", "Dan"))
    ear.hears("{name} deals first.", name="Anna")
    ear.presses("button", "Move %(name)s up", name="Cleo")
    ear.hears("Seats: {names}.", names=ear.list("Anna", "Cleo", "Ben", "Dan"))
    ear.is_at("button", "Move %(name)s up", name="Cleo")
    ear.presses("button", "Remove %(name)s", name="Dan")
    ear.hears("Seats: {names}.", names=ear.list("Anna", "Cleo", "Ben"))
    ear.presses("button", "Shuffle seats")
    ear.hears("Drawn at random.")
    ear.is_at("button", "Shuffle seats")
    ear.presses("button", "Start game")
    begun_at(page, ear.told("Garbage Rummy"))
    assert page.evaluate("one => one.isConnected", region)

    names = page.locator(".row-name").all_inner_texts()
    first, second, third = names
    ear.goes_to("radio", "Went out", of=first)
    page.keyboard.press("ArrowDown")
    ear.is_at("radio", "Went out", of=second)
    assert not page.get_by_role("radio", checked=True).count()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    ear.is_at("radio", "Went out", of=first)
    expect(page.get_by_role("radio", checked=True)).to_have_count(1)
    laid_down = page.get_by_role("checkbox", name=ear.told("Laid down"))
    expect(laid_down).to_have_count(len(names) - 1)
    page.keyboard.press("Tab")
    ear.goes_to("checkbox", "Laid down", of=second)
    page.keyboard.press("Space")
    expect(laid_down.first).to_be_checked()
    ear.goes_to("textbox", "Points for %(name)s", name=second)
    page.keyboard.type("1")
    ear.hears("Not {points}", points=1)
    page.keyboard.press("Backspace")
    page.keyboard.type("25")
    expect(page.locator(".unsent")).to_have_count(0)
    page.locator("#close-round").press("Enter")
    ear.is_at("textbox", "Points for %(name)s", name=third)
    page.keyboard.press("Tab")
    ear.presses("DisclosureTriangle", "Count cards", of=third)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    ear.hears("{count}. Points in all: {points}", count="1", points="5")
    page.keyboard.press("Escape")
    ear.is_at("DisclosureTriangle", "Count cards", of=third)
    expect(page.get_by_label(ear.told("Points for %(name)s", name=third))).to_have_value("5")
    page.locator("#close-round").press("Enter")
    ear.is_at("button", "No, end round")
    ear.hears("{name}", name=third)
    page.keyboard.press("Enter")
    expect(page.locator("h2").first).to_contain_text("2")
    ear.hears("Ahead now: {names}.", names=first)
    ear.hears("{dealer} deals, {starter} starts.", dealer=second, starter=third)
    ear.is_at("button", "End round %(number)s", number=2)

    page.goto(page.url.partition("?")[0] + "/players")
    ear.presses("DisclosureTriangle", "Leaves, or someone takes over", of=third)
    ear.presses("button", "%(name)s leaves", name=third)
    ear.hears("{name}", name=third)
    ear.goes_to("button", "Come back", of=third)
    page.keyboard.press("Enter")
    ear.is_at("DisclosureTriangle", "Leaves, or someone takes over", of=third)


def enter(link: Locator) -> None:
    link.focus()
    link.press("Enter")


def begun_at(page: Page, heading: str) -> str:
    """The title of the page, once the keyboard and who listens are at its heading."""
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator("h1")).to_contain_text(heading)
    return page.title()


@dataclass
class Ear:
    """What a screen reader says: the words are those of the code, heard in the page's language."""

    page: Page
    translate: Translate

    def __post_init__(self) -> None:
        self._tree = self.page.context.new_cdp_session(self.page)
        self._tree.send("Accessibility.enable")

    def told(self, text: str, *, of: str = "", **values: object) -> str:
        said = self.translate(text, None, None)
        said = said % values if "%(" in said else said.format(**values)
        return f"{said} ({of})" if of else said

    def list(self, *names: str) -> str:
        return join_phrases([say("{name}", name=name) for name in names]).render(self.translate)

    def focused(self) -> tuple[str, str]:
        """The role and name of what has the focus, in the accessibility tree."""
        focused = self._tree.send("Runtime.evaluate", {"expression": "document.activeElement"})
        told = {"objectId": focused["result"]["objectId"], "fetchRelatives": False}
        node = self._tree.send("Accessibility.getPartialAXTree", told)["nodes"][0]
        return node["role"]["value"], node.get("name", {}).get("value", "")

    def goes_to(self, role: str, text: str, **values: Any) -> None:
        """By Tab, as far as it takes."""
        wanted, passed = self.told(text, **values), []
        for _ in range(_MOST_TABS):
            passed.append(self.focused())
            if passed[-1][0] == role and passed[-1][1].startswith(wanted):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError((role, wanted, passed))

    def presses(self, role: str, text: str, **values: Any) -> None:
        self.goes_to(role, text, **values)
        self.page.keyboard.press("Enter")

    def is_at(self, role: str, text: str, **values: Any) -> None:
        wanted = role, self.told(text, **values)
        wait_with_page(self.page, lambda: self.focused() == wanted, wanted)

    def hears(self, text: str, **values: Any) -> None:
        """What was done is told, in the region that stays."""
        expect(self.page.locator("#announced")).to_contain_text(self.told(text, **values))
