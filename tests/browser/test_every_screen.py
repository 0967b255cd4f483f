"""Every screen on phones and a tablet, light and dark, in both languages: whole, large enough to
tap, and as screen readers need it (axe-core)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.every_screen import NO_SCREENS, SCREENS, Evening, Screen
from tests.browser.looking import (
    ALL_RULES,
    COLOR_RULES,
    broken_names,
    cut_off,
    faults_of,
    menus_astray,
    open_before_its_scripts,
    put_in_long_words,
    resized,
    shifts,
    too_small,
)
from tests.browser.phones import LANGUAGES, LIMIT, PHONE

PROFILES = {
    "small phone": (360, 740),
    "narrowest": (320, 640),
    "phone on its side": (844, 390),
    "tablet": (820, 1180),
    "phone": (390, 844),
}
"""From the size at which screens are opened to that at which axe looks: each new one takes time."""
LEAST_ROOM = ("narrowest", "phone on its side")
"""Where longer words of another language are the first to be cut."""


@dataclass
class Phones:
    """The browsers of an evening: for each language the host's, a guest's, and a stranger's."""

    browser: Browser
    address: str
    evening: Evening
    contexts: dict[tuple[str, str], BrowserContext] = field(default_factory=dict)
    pages: dict[tuple[str, str], Page] = field(default_factory=dict)

    def page(self, screen: Screen, language: str) -> Page:
        """A page of who sees that screen; one for all on which nothing is done."""
        who = screen.who
        if (who, language) not in self.contexts:
            # Without the worker, which would bring the scripts at once.
            context = self.browser.new_context(
                base_url=self.address,
                locale=LANGUAGES[language],
                service_workers="block",
                **PHONE,
            )
            context.set_default_timeout(LIMIT)
            self.evening.let_in(context, who)
            self.contexts[who, language] = context
            self.pages[who, language] = context.new_page()
        if screen.step is not None:  # what is typed is kept in its page
            return self.contexts[who, language].new_page()
        page = self.pages[who, language]
        page.emulate_media(
            color_scheme="light", reduced_motion="no-preference", forced_colors="none"
        )
        page.set_viewport_size(PHONE["viewport"])
        return page


@pytest.fixture(scope="module")
def phones(browser: Browser, server: str) -> Iterator[Phones]:
    phones = Phones(browser, server, Evening.at(server))
    yield phones
    for context in phones.contexts.values():
        context.close()


@pytest.fixture
def opened(phones: Phones) -> Iterator[Callable[..., Page]]:
    """Opens a screen in a language."""
    pages: list[Page] = []

    def open_screen(screen: Screen, language: str = "en") -> Page:
        pages.append(phones.page(screen, language))
        # What late scripts move has no language, and to hold them takes a third of the time.
        held = language == "en" and screen.step is None
        go = open_before_its_scripts if held else Page.goto
        screen.open(pages[-1], phones.evening, go)
        return pages[-1]

    yield open_screen
    for page in pages:
        if page not in phones.pages.values():
            page.close()


def screen_named(name: str) -> Screen:
    return next(one for one in SCREENS if one.name == name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_a_screen_is_still_and_whole_on_every_phone_and_axe_finds_nothing_in_light_and_dark(
    opened: Callable[..., Page], screen: Screen, language: str
) -> None:
    page = opened(screen, language)
    found = {"targets": too_small(page)}
    if language == "en" and screen.step is None:
        found["moved"] = shifts(page)
    if screen.name != "big-screen":  # on which nothing is tapped
        expect(page.locator("form[action='/language']")).to_be_attached()
    # What unfolds has no room among the links of a head.
    found["heads"] = page.locator(".page-head .links > :not(a)").all_inner_texts()
    sizes = PROFILES if language == "en" else {one: PROFILES[one] for one in LEAST_ROOM}
    for name, size in sizes.items():
        found[name] = cut_off(resized(page, *size)) + broken_names(page) + menus_astray(page)
    if language == "en":
        # All this is the same in each language, and all but colors in the dark.
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        found["light"] = faults_of(page, ALL_RULES)
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        found["dark"] = faults_of(page, COLOR_RULES)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    found["text at 200 %"] = cut_off(page)
    if language == "en":  # what is put in has no language
        page.evaluate("document.documentElement.style.fontSize = ''")
        put_in_long_words(resized(page, *PROFILES["narrowest"]))
        found["long words"] = cut_off(page)
    assert {where: what for where, what in found.items() if what} == {}


def test_every_address_that_shows_something_is_among_the_screens(
    phones: Phones, app: Flask
) -> None:
    adapter = app.url_map.bind("localhost")
    shown = set()
    for screen in SCREENS:
        path = screen.address.format_map(phones.evening.places).partition("?")[0]
        if not screen.name.startswith("error-404"):
            shown.add(adapter.match(path)[0])
    views = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    pages = {
        view
        for view in views
        if not re.match(r"api_(games|rule_sets|rulings|statistics|document)", view)
    }
    assert pages - shown - set(NO_SCREENS) == set()


def test_a_players_row_is_read_as_one_sentence(opened: Callable[..., Page]) -> None:
    page = opened(screen_named("game"))
    row = page.locator("li.row").filter(has=page.locator(".row-name", has_text="Anna"))
    spoken = row.aria_snapshot()
    first = spoken.splitlines()[1]
    assert "Anna: place 1, −125 points, 5 of 7 contracts completed and on contract 6, " in first
    assert "−125" not in spoken.replace(first, "")


def test_a_tap_that_is_on_can_be_told_without_colors(opened: Callable[..., Page]) -> None:
    page = opened(screen_named("game"))
    page.emulate_media(forced_colors="active")
    face = page.locator(".tap-face.met").first
    outline = "one => getComputedStyle(one).outlineStyle"
    assert face.evaluate(outline) == "none"
    face.click()
    expect(page.locator(".tap-met").first).to_be_checked()
    assert face.evaluate(outline) == "solid"


def test_what_unfolds_a_game_stands_over_none_of_its_words_however_large_they_are(
    opened: Callable[..., Page],
) -> None:
    page = resized(opened(screen_named("choose"), "fr"), 390, 844)
    for size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
        assert page.evaluate(WORDS_UNDER_SUMMARIES) == []


def test_no_sign_of_a_place_moves_when_its_word_comes(opened: Callable[..., Page]) -> None:
    """A page may be drawn when half of a link was read."""
    page = opened(screen_named("history"))
    for size in PROFILES.values():
        assert resized(page, *size).evaluate(MOVED_BY_WORDS) == []


MOVED_BY_WORDS = """() => [...document.querySelectorAll(".places a")].filter((place) => {
  const top = () => place.querySelector("svg").getBoundingClientRect().top;
  const word = place.querySelector("span");
  const after = top();
  word.remove();
  const before = top();
  place.append(word);
  return before !== after;
}).map((place) => place.textContent)"""

WORDS_UNDER_SUMMARIES = """() => [...document.querySelectorAll(".variant-card")].flatMap((card) => {
  const range = document.createRange();
  const rects = (one) => (range.selectNodeContents(one), [...range.getClientRects()]);
  const unfolds = rects(card.querySelector("summary").firstChild);
  const words = ":scope > * > .variant-name, :scope > .variant-size, :scope > .variant-jokers";
  return [...card.querySelectorAll(words)]
    .filter((one) => rects(one).some((a) => unfolds.some((b) => a.left < b.right
      && b.left < a.right && a.top < b.bottom - 4 && b.top < a.bottom - 4)))
    .map((one) => one.textContent);
})"""
