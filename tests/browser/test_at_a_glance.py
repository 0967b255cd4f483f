"""The whole table at a glance: what a phone shows and takes without being scrolled."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from app.rules.rule_sets import rule_set_by_id, shipped_rule_sets
from app.scorebook.limits import MOST_CORRECTED
from tests.browser.at_the_table import GameOnPhone
from tests.browser.looking import COVERED, SAID_AFTER, not_in_view, resized
from tests.browser.phones import LANGUAGES, LIMIT, LONGER_WORDS, PHONE
from tests.browser.test_checker import tap_cards
from tests.servers import Http
from tests.waiting import wait_with_page
from tests.web_table import PlainGame

FOUR = "Anna Ben Cleo Maximilian-Alexander"
FIVE = "Grandma-Elisabeth-Charlotte Paul Léa Jo Tom"
SIX = "Anna Ben Cleo Dominique Emil Friederike"

FOUR_ENTERED = "Anna Ben Cleo Dora"
SIX_ENTERED = "Anna Ben Cleo Dominique Emil Fritz"
"""Tables at which something is entered; at the others nothing is, so that tests take any order."""

SMALL, TALL, LANDSCAPE, TABLET = (360, 640), (390, 844), (844, 390), (1024, 768)
SMALL_LANDSCAPE = (640, 360)
SIZES = {FOUR: (SMALL, LANDSCAPE), FIVE: (SMALL, SMALL_LANDSCAPE), SIX: (TALL, TABLET)}
"""On which screens a table is wholly in view."""

EVERY_ROUND = "MELDKEEPER_EVERY_ROUND" in os.environ
TIGHTEST = {
    ("aggravation-rummy", FOUR): (1, 3, 7),
    ("aggravation-rummy", FIVE): (1, 3),
    ("aggravation-rummy", SIX): (3,),
    ("garbage-rummy", FOUR): (3,),
    ("shanghai-rummy", FOUR): (3,),
    ("frustration-rummy-board", FOUR): (3,),
}
"""Rounds that leave the least room, by rule set and table; all are drawn by
`MELDKEEPER_EVERY_ROUND=1`."""

_SMALL_TEXT = """(within) => [...document.querySelectorAll(within)]
  .flatMap((one) => [...one.querySelectorAll("*")])
  .filter((one) => !one.closest(".sr-only") && one.checkVisibility({ visibilityProperty: true })
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    && Number.parseFloat(getComputedStyle(one).fontSize) < 16)
  .map((one) => one.outerHTML.slice(0, 90))"""

EVERYTHING = (
    "#round li.row, #round .tap-face, #round .penalty, #round .counting > summary,"
    " #close-round, .menu > summary"
)


SAID = "#strip" + "".join(
    f", .checker:has(.keypad.told) {one}"
    for one in (".verdict-word", ".reason:first-of-type > .sentence")
)
"""What the judge says: in the strip or, where that is not needed, in the verdict."""


@dataclass
class Tables:
    """Games in their third round, and the phone that began them, by language."""

    host: Http
    games: Mapping[str, str]
    phones: Mapping[str, BrowserContext]

    def open(self, names: str, size: tuple[int, int], language: str = "en") -> Page:
        page = self.phones[language].new_page()
        page.set_default_timeout(LIMIT)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(self.games[names])
        return page


@pytest.fixture(scope="module")
def tables(browser: Browser, server: str) -> Iterator[Tables]:
    port = urlsplit(server).port
    assert port
    host = Http(port)
    tables = FOUR, SIX, FOUR_ENTERED, SIX_ENTERED
    games = {names: _third_round(host, "aggravation-rummy", names) for names in tables}
    phones = {}
    for language, locale in LANGUAGES.items():
        phones[language] = browser.new_context(
            base_url=server, locale=locale, service_workers="block", **PHONE
        )
        pairs = [pair.partition("=") for pair in host.cookies.split("; ")]
        phones[language].add_cookies(
            [{"name": name, "value": value, "url": server} for name, _, value in pairs]
        )
    yield Tables(host, games, phones)
    for phone in phones.values():
        phone.close()


def _third_round(host: Http, variant: str, names: str) -> str:
    game = PlainGame.started(host, variant, names)
    typed = dict.fromkeys(names.split()[1:], "25")
    for number in (1, 2):
        assert game.close(number, out="Anna", met="Ben", **typed).status_code == 303
    return f"/games/{game.key}"


@pytest.fixture
def open_game(tables: Tables) -> Iterator[Callable[..., Page]]:
    """Opens a game on the phone that began it."""
    pages: list[Page] = []

    def open_it(*game: Any) -> Page:
        pages.append(tables.open(*game))
        return pages[-1]

    yield open_it
    for page in pages:
        page.close()


def drawn_rounds() -> Iterator[tuple[str, str]]:
    """The rule sets and tables whose rounds are drawn."""
    if not EVERY_ROUND:
        yield from TIGHTEST
        return
    for variant in shipped_rule_sets().values():
        counts = range(variant.players_min, variant.players_max + 1)
        yield from ((variant.id, names) for names in SIZES if len(names.split()) in counts)


def _unseen(page: Page, key: str, sizes: Iterable[tuple[int, int]], state: str) -> list[str]:
    """What of an open round is cut off, covered or small, in each size."""
    found = []
    page.goto(f"/games/{key}")
    for width, height in sizes:
        unseen = not_in_view(resized(page, width, height), EVERYTHING)
        unseen += page.evaluate(_SMALL_TEXT, "#bar, #round, .menu")
        found += [f"{state}, {width}x{height}: {one}" for one in unseen]
    return found


def _row(page: Page, name: str) -> Locator:
    return page.locator("li.row").filter(has=page.locator(".row-name", has_text=name))


@pytest.mark.parametrize(("variant", "names"), list(drawn_rounds()))
def test_a_whole_round_is_entered_and_closed_without_scrolling(
    tables: Tables, variant: str, names: str
) -> None:
    game = PlainGame.started(tables.host, variant, names)
    out, *others = names.split()
    entered = {"out": out, "met": " ".join(others), **dict.fromkeys(others, "25")}
    last = rule_set_by_id(variant).last_contract
    drawn = range(1, last + 1) if EVERY_ROUND else TIGHTEST[variant, names]
    page = tables.phones["fr"].new_page()  # whose words are longer
    found: list[str] = []
    for number in range(1, max(drawn) + 1):
        if number in drawn:
            found += _unseen(page, game.key, SIZES[names], f"round {number} before")
            game.keep(number, **entered)
            found += _unseen(page, game.key, SIZES[names], f"round {number} after")
        if number == max(drawn):
            break
        assert game.close_anyway(number, **entered).status_code == 303
    page.close()
    assert not found, "\n".join(found)


def test_who_opens_a_game_sees_first_whose_turn_to_deal_it_is(
    open_game: Callable[..., Page],
) -> None:
    page = open_game(FOUR, SMALL)
    expect(page.locator("#bar")).to_contain_text("Cleo deals, Maximilian-Alexander starts.")
    expect(page.locator("li.row", has=page.locator(".tag.deals"))).to_contain_text("Cleo")
    assert not_in_view(page, ".bar-deal, .tag.deals") == []


def test_who_went_out_is_asked_with_every_row_and_every_answer_in_view(
    open_game: Callable[..., Page],
) -> None:
    page = open_game(FOUR, SMALL, "fr")
    page.locator("#close-round").tap()
    expect(page.locator("#who-out .chips button").first).to_be_focused()
    wanted = "#round li.row, #round .tap-face, #who-out, #who-out button"
    wait_with_page(page, lambda: not not_in_view(page, wanted))


def test_who_won_is_in_view_once_the_last_round_ended(tables: Tables) -> None:
    game = PlainGame.started(tables.host, "aggravation-rummy", FOUR)
    out, *others = FOUR.split()
    typed = dict.fromkeys(others, "85")
    for number in range(1, 7):
        assert game.close_anyway(number, out=out, **typed).status_code == 303
    game.keep(7, out=out, **typed)
    page = tables.open(FOUR, SMALL)
    page.goto(f"/games/{game.key}")
    page.locator("#close-round").tap()
    expect(page.locator("#winner")).to_have_text("Anna wins!")
    expect(page.locator(".dock .button")).to_have_text(["Share result", "Play again, same seats"])
    expect(page.locator(".places a").nth(1)).to_have_text("History")
    for size in (SMALL, LANDSCAPE):
        seen = resized(page, *size)
        assert not_in_view(seen, ".bar .bar-button, #winner, .places a, .dock .button") == []
    expect(page.locator("#told-change")).to_be_hidden()
    page.close()


def test_the_next_players_field_follows_by_the_keyboards_own_key(
    open_game: Callable[..., Page],
) -> None:
    page = open_game(FOUR_ENTERED, SMALL)
    _row(page, "Ben").get_by_text("Went out").tap()
    page.get_by_label("Points for Anna").tap()
    page.keyboard.type("25")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Points for Cleo")).to_be_focused()
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Points for Dora")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".penalty-field:focus")).to_have_count(0)
    expect(page.get_by_role("heading", name="Round 3")).to_be_visible()
    expect(page.get_by_label("Points for Anna")).to_have_value("25")


def test_counting_opens_from_the_field_goes_on_to_the_next_player_and_closes_behind_itself(
    open_game: Callable[..., Page],
) -> None:
    page = open_game(SIX_ENTERED, SMALL)
    _row(page, "Anna").locator(".counting > summary").tap()
    opened = page.locator(".counting[open]")
    for points, name in (("25", "Anna"), ("5", "Ben"), ("5", "Cleo")):
        stepper = opened.locator(".stepper", has_text=re.compile(rf"\b{points} each"))
        stepper.get_by_role("button", name="One more: ").tap()
        expect(page.get_by_label(f"Points for {name}")).to_have_value(points)
        opened.get_by_role("button", name="Next player").tap()
    expect(page.locator("li.row", has=opened)).to_contain_text("Dominique")
    assert not_in_view(page, ".counting[open] .stepper, .counting[open] .button") == []
    opened.get_by_role("button", name="Done").tap()
    expect(opened).to_have_count(0)
    _row(page, "Emil").locator(".counting > summary").tap()
    page.locator(".menu > summary").tap()
    expect(opened).to_have_count(0)


@pytest.mark.parametrize("size", [SMALL, LANDSCAPE, (390, 844), (1280, 800)])
@pytest.mark.parametrize("variant", ["aggravation-rummy", "shanghai-rummy", "points-only"])
def test_a_sum_is_read_whole_as_it_is_typed_and_no_row_changes_its_shape(
    tables: Tables, variant: str, size: tuple[int, int]
) -> None:
    game = PlainGame.started(tables.host, variant, "Anna Ben Maximilian-Alexander")
    page = tables.open(FOUR, size)
    page.goto(f"/games/{game.key}")
    before = page.evaluate(_SHAPES)
    for name, parts in (("Anna", "100+30+5"), ("Maximilian", "10+5+5+15+20+10+50")):
        field = page.get_by_label(f"Points for {name}")
        field.press_sequentially(parts)
        expect(_row(page, name).locator(".penalty-sum")).to_have_text(re.compile(r"= \d+"))
        assert _row(page, name).locator(".row-doubt").evaluate(SAID_AFTER) == parts
        assert page.evaluate(COVERED) == not_in_view(page, f"#{field.get_attribute('id')}") == []
        assert page.evaluate(_SHAPES) == before
    page.locator(".penalty-field:focus").blur()
    assert page.evaluate(_SHAPES) == before
    page.close()


_SHAPES = """() => [...document.querySelectorAll("#round :is(li.row, .tap-face, .penalty)")]
  .map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.className.split(" ")[0], x, y, width, height].join(" ");
})"""


QUESTIONS = {
    "many wild cards": ("variant=frustration&ask=meld&kind=set&m=8+8+2", "2 2"),
    "a long contract": (
        "variant=frustration-rummy-board&contract=14&m=5H+6H+JK+8H+9H+10H+JH&m=9S+9S",
        "2 2 2",
    ),
    "a lay-off": ("variant=garbage-rummy&ask=layoff&kind=run&m=5H+6H+7H+8H", "K K K"),
    "a swap": ("variant=twelve-step-rummy&ask=swap&kind=run&m=5H+JK+7H+8H", "♠ K"),
    "a hand": (
        "variant=aggravation-rummy&ask=hand&contract=7&m=5+5+5+3+4+5+6+7+7+7+J+Q",
        "K K",
    ),
}
"""What is entered already, and the keys that are tapped then."""


def test_the_verdict_and_its_reason_stay_in_view_and_the_keypad_covers_no_tray_being_filled(
    tables: Tables,
) -> None:
    page = tables.phones["fr"].new_page()
    page.set_default_timeout(LIMIT)
    for address, keys in QUESTIONS.values():
        page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
        page.goto(f"/check?{address}")
        tap_cards(page, keys)
        expect(page.locator("#strip.illegal, #strip.legal, #strip.pending")).to_have_count(1)
        assert not_in_view(page, f"{SAID}, .key, .tray.active") == [], address
        expect(page).to_have_url(re.compile("[?&](m|add)="))
        page.set_viewport_size({"width": LANDSCAPE[0], "height": LANDSCAPE[1]})
        page.goto(page.url)
        shown = "#verdict .verdict-word, .reason:first-of-type > .sentence, .key, .tray.active"
        assert not_in_view(page, shown) == [], address
    page.close()


def test_the_details_of_a_verdict_are_a_tap_away(tables: Tables) -> None:
    page = tables.phones["en"].new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/check?variant=frustration&ask=meld&kind=set&m=8H+8D+2S+2C+2D")
    expect(page.locator("#strip")).to_be_visible()
    page.locator("#strip").tap()
    expect(page.get_by_text("To make it legal:")).to_be_in_viewport(ratio=1)
    assert not_in_view(page, "#verdict .verdict-word, #verdict .advice") == []
    expect(page.locator("#strip")).to_be_hidden()
    # The keypad stays below the verdict until the next card.
    page.locator("[data-rank='8']").tap()
    expect(page.locator("#strip")).to_be_visible()
    page.close()


def test_who_scrolls_through_a_long_verdict_reads_it_to_its_end(tables: Tables) -> None:
    page = tables.phones["fr"].new_page()
    page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    page.goto("/check?variant=frustration-rummy&contract=2&m=3S+JK+5S+JK+7S&m=9H+9S+2C")
    expect(page.locator("#strip.legal")).to_have_count(1)
    page.locator("#verdict .reason > .sentence").first.evaluate("(one) => one.scrollIntoView()")
    page.mouse.wheel(0, -page.locator(".verdict-word").evaluate("(one) => one.offsetHeight") / 2)
    expect(page.locator("#strip")).to_be_hidden()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert not_in_view(page, "#verdict > :last-child") == []
    expect(page.locator("#strip")).to_be_hidden()
    page.close()


_BROKEN_ROWS = """(rows) => [...document.querySelectorAll(rows)].flatMap((row) => {
  const box = (one) => { // without the room that a name keeps above itself for accents
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const above = one.matches(".name") ? parseFloat(getComputedStyle(one).paddingTop) : 0;
    return { left, right, bottom, top: top + above }; };
  const within = (one, other) => one.left >= other.left && one.right <= other.right
    && one.top >= other.top && one.bottom <= other.bottom;
  const apart = (one, other) => one.right <= other.left || other.right <= one.left
    || one.bottom <= other.top || other.bottom <= one.top;
  const middle = (one) => (box(one).top + box(one).bottom) / 2;
  const shown = [...row.querySelectorAll("*:not(svg *):not(.sr-only)")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const parts = shown.filter((one) => one.matches(".name, .row-contract > .sentence")
    || (!one.closest(".name") && !one.querySelector("*:not(svg *):not(.sr-only)")));
  // Where a player stands can be said at the end of the contract, within the box of both.
  const shares = (one, other) => one.contains(other)
    || (one.matches(".row-who") && other.closest(".row-stands"));
  const found = parts.filter((one) => !within(box(one), box(row)))
    .map((one) => `beyond the border: ${one.outerHTML}`);
  for (const one of parts) {
    const other = parts.find((part) => !shares(one, part) && !shares(part, one)
      && !apart(box(one), box(part)));
    if (other) found.push(`${one.outerHTML} over ${other.outerHTML}`);
  }
  const bar = shown.find((one) => one.matches(".progress"));
  for (const score of row.querySelectorAll(".score")) {
    const text = document.createRange();
    text.selectNodeContents(score.firstChild);
    const isLow = bar && Math.abs(middle(bar) - middle(score)) > 4;
    if (isLow || text.getClientRects().length > 1) found.push(`wrapped: ${score.outerHTML}`);
  }
  return found;
})"""

LONGEST = ("W" * 40, "Maximilian-Alexander-Konstantin-Friedric", "Anna", "m" * 20, "Ben", "i" * 40)
WIDE = (1280, 800)


def test_standings_hold_six_with_the_longest_names_and_scores_of_five_digits(
    tables: Tables,
) -> None:
    game = PlainGame.started(tables.host, "aggravation-rummy", " ".join(LONGEST))
    out, *others = LONGEST
    assert game.close(1, out=out, **dict.fromkeys(others, "25")).status_code == 303
    for seat in game.seats.values():
        more = {
            "seat": seat,
            "number": 1,
            "points": MOST_CORRECTED,
            "reason": "scores of a long year",
        }
        assert tables.host.post(f"/games/{game.key}/corrections", more).status_code == 303
    page = tables.phones["fr"].new_page()
    page.set_default_timeout(LIMIT)
    found: list[str] = []

    def look(size: tuple[int, int], rows: str) -> None:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"/games/{game.key}")
        expect(page.locator(rows)).to_have_count(len(LONGEST))
        found.extend(f"{size}, {one}" for one in page.evaluate(_BROKEN_ROWS, rows))

    for size, rows in {SMALL: ".row-head", LANDSCAPE: ".board-row", WIDE: ".board-row"}.items():
        look(size, rows)
    assert tables.host.post(f"/games/{game.key}/stop", {"result": "yes"}).status_code == 303
    for size in (SMALL, LANDSCAPE, WIDE):
        look(size, ".standing")
    page.close()
    assert not found, "\n".join(found)


def test_a_name_its_points_and_its_contracts_are_one_line_beside_the_round(
    tables: Tables,
) -> None:
    kept = {"rule-keep_score": "yes"}
    game = PlainGame.started(
        tables.host, "frustration-rummy", "Rosemary Friederike Tom Ben", **kept
    )
    typed = {"Rosemary": "205", "Friederike": "250", "Ben": "5"}
    assert game.close(1, out="Tom", **typed).status_code == 303
    page = tables.open(FOUR, LANDSCAPE)
    page.goto(f"/games/{game.key}")
    rows = page.locator(".board-row")
    cut = "all => all.map((one) => one.scrollWidth - one.clientWidth)"
    for size in (LANDSCAPE, TABLET, WIDE):
        resized(page, *size)
        assert max(rows.evaluate_all("all => all.map((one) => one.offsetHeight)")) < 48, size
        assert rows.locator(".name").evaluate_all(cut) == [0] * 4, size
    page.close()


def test_a_tablet_shows_the_list_of_games_and_the_record_side_by_side(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": 1024, "height": 768})
    game_on_phone = GameOnPhone(page)
    game_on_phone.start("Aggravation Rummy", FOUR_ENTERED)
    plain = game_on_phone.plain
    for number in range(1, 8):
        assert plain.close(number, out="Anna", Ben="85", Cleo="85", Dora="85").status_code == 303
    page.goto("/history")
    game = page.get_by_role("link", name="Anna wins!")
    expect(game).to_have_attribute("aria-current", "true")  # the newest is shown unasked
    game.tap()
    expect(page.locator("#pane").get_by_role("heading", name="Round by round")).to_be_visible()
    assert page.url.endswith("/history")

    def lie_beside_each_other() -> bool:  # once the pane was put in anew
        left, right = game.bounding_box(), page.locator("#pane .record").bounding_box()
        return bool(left and right) and left["x"] + left["width"] <= right["x"]

    wait_with_page(page, lie_beside_each_other)
    page.set_viewport_size({"width": 390, "height": 844})
    game.tap()
    page.wait_for_url("**/rounds")
    expect(page.locator("#round-7")).to_be_in_viewport(ratio=1)  # the newest round, unasked


def test_the_game_can_be_started_beside_its_tour_on_a_phone_on_its_side(
    new_phone: Callable[..., Page],
) -> None:
    width, height = LANDSCAPE
    page = new_phone(viewport={"width": width, "height": height}, locale=LONGER_WORDS)
    page.goto("/games/new/aggravation-rummy")
    page.locator("#tour summary").tap()
    assert not_in_view(page, "#new-game .dock .button, .tour-card:first-child") == []
    lowest = "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
    assert page.locator(".tour-card > *").evaluate_all(lowest) <= height


def test_who_comes_for_the_first_time_is_in_a_game_after_one_tap(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": 360, "height": 640})
    page.goto("/")
    assert not_in_view(page, ".welcome p, .welcome .button, .pair .button, .dock .button") == []
    trial = page.get_by_role("button", name="Try it with four sample players")
    expect(trial).to_have_css("background-color", "rgba(0, 0, 0, 0)")  # "New game" alone is filled
    trial.tap()
    expect(page.get_by_text("Anna deals, Ben starts.")).to_be_visible()
