"""How pages look with long names: nothing is cut that has room, and nothing touches another."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.at_the_table import GameOnPhone, sent
from tests.browser.looking import resized
from tests.browser.phones import LONGER_WORDS
from tests.browser.test_at_a_glance import LANDSCAPE, SMALL, TALL
from tests.browser.test_checker import tap_cards
from tests.waiting import wait_on_page

LONG = "Bartholomew Christopher Josephine-Elisabeth Rosalind Marie-Antoinette"
DESK = (1280, 800)

_CUT = """() => [...document.querySelectorAll(".name")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent)"""

_TOUCHED_BY_THE_CHIP = """() => {
  const chip = document.querySelector(".row-card > .deals"), row = chip.closest(".row");
  const round = chip.getBoundingClientRect();
  const others = [row.querySelector(".row-name"), row.querySelector(".row-contract > *")];
  return others.filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()].some((box) => box.left < round.right + 2
      && round.left < box.right && box.top < round.bottom && round.top < box.bottom);
  }).map((one) => one.textContent);
}"""

_CLOSE_IN_THE_BOARD = """() => {
  const names = [...document.querySelectorAll(".board .name")]
    .filter((one) => one.checkVisibility());
  const boxes = names.map((one) => one.getBoundingClientRect());
  const close = names.filter((_one, place) => boxes[place].top < boxes[place - 1]?.bottom + 2);
  const sizes = new Set(names.map((one) => getComputedStyle(one).fontSize));
  return [...close.map((one) => one.textContent), ...(sizes.size > 1 ? sizes : [])];
}"""

_AT_THE_BORDER = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  const range = document.createRange();
  while (walk.nextNode()) {
    const text = walk.currentNode, holder = text.parentElement;
    const edge = holder.closest(".tap-face, .button, .chip-button")?.getBoundingClientRect();
    if (!edge?.width || holder.closest(".sr-only") || !text.data.trim()) continue;
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
    if (boxes.some((box) => box.left < edge.left + 1.5 || box.right > edge.right - 1.5)) {
      found.push(text.data);
    }
  }
  return found;
}"""


SIZES = (SMALL, TALL, LANDSCAPE, DESK)


def in_round_two(game: GameOnPhone, rules: str) -> Page:
    """A game of five with long names and a score, in its second round."""
    fields = {"variant": rules, "player": LONG.split(), "rule-keep_score": "yes"}
    game.page.goto(sent(game.page, "/games", fields).headers["location"])
    points = dict.fromkeys(LONG.split()[1:], "125")
    assert game.plain.close(1, out="Bartholomew", **points).status_code == 303
    game.page.reload()
    return game.page


@pytest.mark.parametrize("rules", ["aggravation-rummy", "frustration"])
def test_no_name_is_cut_or_touched_in_a_game_and_its_rounds(phone: Page, rules: str) -> None:
    """Nor does the chip of who deals cover a word, however the card lies."""
    game = GameOnPhone(phone)
    page = in_round_two(game, rules)
    assert page.locator(".row-card > .deals").count() == 1
    for size in SIZES:
        assert resized(page, *size).evaluate(_CUT) + page.evaluate(_CLOSE_IN_THE_BOARD) == [], size
        assert page.evaluate(_AT_THE_BORDER) + page.evaluate(_TOUCHED_BY_THE_CHIP) == [], size
    game.meets("Christopher")
    for size in SIZES:
        assert resized(page, *size).evaluate(_TOUCHED_BY_THE_CHIP) == [], size
    page.goto(f"{page.url}/rounds")
    for size in SIZES:
        assert resized(page, *size).evaluate(_CUT) == [], size


def test_what_heads_a_page_as_it_scrolls_leaves_most_of_a_small_screen(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]}, locale=LONGER_WORDS)
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", LONG)
    game.plain.close(1, out="Bartholomew")
    at = page.url
    for part in ("players", "rounds"):
        page.goto(f"{at}/{part}")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
        bottom = page.locator("main .page-head").first.evaluate(
            "(one) => one.getBoundingClientRect().bottom"
        )
        assert bottom < SMALL[1] / 5, part


def test_the_keypad_stays_whole_while_a_link_of_the_verdict_has_the_focus(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": TALL[0], "height": TALL[1]})
    page.goto("/check?variant=frustration-rummy&contract=2")
    tap_cards(page, "♠ 4 ♥ 6 8 ♣ K ♦ 9 ♠ J")
    link = page.locator("#verdict a").first
    expect(link).to_be_visible()
    page.evaluate("scrollTo(0, 40)")
    link.focus()
    bottom = page.locator("[data-keypad]").evaluate("(one) => one.getBoundingClientRect().bottom")
    assert bottom <= TALL[1] + 1


def test_a_button_stands_level_with_its_field(new_phone: Callable[..., Page]) -> None:
    page = new_phone(viewport={"width": TALL[0], "height": TALL[1]})
    GameOnPhone(page).start("Frustration", LONG)
    page.goto("/players")
    page.get_by_role("link", name="Rosalind").tap()
    page.get_by_text("Name and look").tap()
    for field, button in (("#name", "Rename"), ("#sign", "Use")):
        beside = page.get_by_role("button", name=button, exact=True)
        ends = [
            one.evaluate("(one) => one.getBoundingClientRect().bottom")
            for one in (page.locator(field), beside)
        ]
        assert abs(ends[0] - ends[1]) <= 1, button


def test_what_the_figures_of_a_card_are_stands_on_its_own_line_wherever_it_is(
    phone: Page,
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Bo Al")
    game.plain.close(1, out="Bo")
    sent(phone, f"/games/{game.plain.key}/stop", {"result": "yes"})
    for address in ("/", "/history"):
        phone.goto(address)
        for size in (SMALL, DESK):
            people = resized(phone, *size).locator(".game-card-people")
            label = people.locator("> .small").first.bounding_box()
            chip = people.locator("> .chip").first.bounding_box()
            assert label
            assert chip
            assert label["y"] + label["height"] <= chip["y"] + 1, (address, size)


_ENDS_OF_FIGURES = """() => [...document.querySelectorAll(".game-card-people")].map((card) =>
  [...card.querySelectorAll(".chip")].map((one) => {
    const { left, right } = one.getBoundingClientRect();
    return [left, right - one.lastElementChild.getBoundingClientRect().right];
  }))"""


def test_the_points_of_a_listed_game_stand_in_a_column(phone: Page) -> None:
    names = "Anna-Maria-Magdalena Al Rosalind-Wilhelmina-Konstanze Bo"
    seats = {f"p{n}-player": name for n, name in enumerate(names.split())}
    seats |= {f"p{n}-score": str(5 * 10**n) for n in range(4)}
    phone.goto("/")
    phone.get_by_text("Add a past game").first.tap()
    for field, value in seats.items():
        phone.locator(f"[name={field}]").fill(value)
    phone.get_by_role("button", name="Add game").tap()
    phone.wait_for_url("**/rounds")
    phone.goto("/history")
    for size, columns in ((SMALL, 1), (DESK, 2)):
        (card,) = resized(phone, *size).evaluate(_ENDS_OF_FIGURES)
        assert len({round(left) for left, _end in card}) == columns, size
        assert max(abs(end) for _left, end in card) < 1, size


def test_the_contracts_of_a_listed_game_stand_in_a_column_beside_its_points(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone()
    game = GameOnPhone(page)
    game.start("Frustration", "Bo Al")
    sent(page, f"/games/{game.plain.key}/corrections/keep", {"keep": "yes"})
    game.plain.close_anyway(1, out="Bo", Al="130")
    sent(page, f"/games/{game.plain.key}/stop", {"result": "yes"})
    page.goto("/history")
    shown = page.locator("[data-figures] b")
    expect(shown).to_have_text(["1/10", "0/10"])
    ends = shown.evaluate_all("all => all.map((one) => one.getBoundingClientRect().right)")
    assert abs(ends[0] - ends[1]) < 1


_CUT_FIGURES = """() => {
  const edge = document.querySelector(".record-who").getBoundingClientRect().right;
  const range = document.createRange();
  const shown = ".record-table :is(.record-contract, .record-points, .record-cell > b)";
  return [...document.querySelectorAll(shown)].filter((one) => {
    range.selectNodeContents(one);
    const { left, right } = range.getBoundingClientRect();
    return left < edge - 1 && right > edge + 1;
  }).map((one) => one.textContent);
}"""

_WHOLE_ROUNDS = """() => {
  const edge = document.querySelector(".record-who").getBoundingClientRect().right;
  const heads = [...document.querySelectorAll(".record-table thead th:not(.record-who)")];
  return heads.map((one) => one.getBoundingClientRect())
    .filter(({ left, right }) => left >= edge - 1 && right <= innerWidth + 1).length;
}"""

_BROKEN_WORDS = """() => [...document.querySelectorAll(".record-name")]
  .filter((one) => one.getBoundingClientRect().height
    > 1.5 * parseFloat(getComputedStyle(one).lineHeight))
  .map((one) => one.textContent)"""

_EARLIER_BENEATH = (
    "() => getComputedStyle(document.querySelector('.record-who'), '::after').opacity === '1'"
)

_MOVED = """() => [document.querySelector(".bar-deal").innerText, scrollY,
  ...[...document.querySelectorAll("li.row")].map((one) => one.getBoundingClientRect().top)]"""


def test_four_rounds_stand_beside_names_of_long_words(phone: Page) -> None:
    game = GameOnPhone(phone)
    out, *others = ["Grandma", "Bartholomew", "Maximilian", "Wilhelmina"]
    game.start("Aggravation Rummy", " ".join((out, *others)))
    for number in range(1, 6):
        game.plain.close_anyway(number, out=out, **dict.fromkeys(others, "75"))
    rounds = f"{phone.url}/rounds"
    for size in (SMALL, (375, 667), TALL, (412, 915)):
        resized(phone, *size).goto(rounds)
        assert phone.evaluate(_WHOLE_ROUNDS) == 4, size
        assert phone.evaluate(_BROKEN_WORDS) == [], size
        assert phone.evaluate(_CUT_FIGURES) == [], size


@pytest.mark.parametrize(
    "names",
    ["Josephine-Elisabeth Jean-Sébastien Jean-Stéphane Marie-Christine Bo", "Bartholomeus Bo Al"],
)
def test_of_many_rounds_whole_columns_are_shown_and_a_tapped_one_opens_at_its_head(
    phone: Page, names: str
) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", names)
    out, *others = names.split()
    for number in range(1, 6):
        game.plain.close_anyway(number, out=out, **dict.fromkeys(others, "75"))
    rounds = f"{phone.url}/rounds"
    for size in (SMALL, TALL):
        resized(phone, *size).goto(rounds)
        assert phone.evaluate(_CUT_FIGURES) == [], size
        assert phone.evaluate(_EARLIER_BENEATH)
        phone.locator(".record").evaluate("(one) => { one.scrollLeft = -one.scrollWidth; }")
        wait_on_page(phone, f"!({_EARLIER_BENEATH})()")
        phone.locator(".record-table tbody tr").nth(2).locator("td a").last.tap()
        expect(phone.get_by_role("heading", name="Edit round 5")).to_be_visible()
        assert phone.evaluate("scrollY") == 0


@pytest.mark.provokes(422)
def test_no_row_moves_for_what_is_asked_and_the_question_has_the_width_of_its_card(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": TALL[0], "height": TALL[1]}, locale=LONGER_WORDS)
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", LONG)
    before = page.evaluate(_MOVED)
    page.locator("#close-round").tap()
    expect(page.locator("#who-out")).to_be_visible()
    assert page.evaluate(_MOVED) == before
    page.locator("#who-out .chips button").first.tap()
    names = LONG.split()
    for place in range(1, len(names)):
        page.locator(".penalty-field").nth(place).fill("0" if place == 2 else "80")
    page.locator("#close-round").tap()
    asked = page.locator("#foot-said .doubt")
    expect(asked.locator("span")).to_have_count(1)
    widths = asked.evaluate("(one) => [one, ...one.children].map((part) => part.offsetWidth)")
    assert sum(widths[1:]) > widths[0] - 40


def test_of_a_long_sum_that_is_entered_what_it_comes_to_is_read(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    GameOnPhone(page).start("Aggravation Rummy", "Anna Ben Cleo")
    field = page.get_by_label("Points for Anna")
    field.press_sequentially("10+15+20+30+5")
    field.blur()
    inner = field.bounding_box()
    assert inner
    said = page.locator(".penalty-sum").first
    expect(said).to_have_text("= 80")
    within = said.bounding_box()
    assert within
    assert inner["x"] <= within["x"]
    assert within["x"] + within["width"] <= inner["x"] + inner["width"]
    counting = page.locator(".counting > summary").first.bounding_box()
    assert counting
    assert inner["x"] + inner["width"] <= counting["x"] + 1


_LINES_OF_THE_DEAL = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(".bar-deal"));
  const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
  const begins = new Map();
  for (const box of boxes) {
    const line = Math.round(box.top / 8);
    begins.set(line, Math.min(box.left, begins.get(line) ?? Infinity));
  }
  return [...begins.values()].map(Math.round);
}"""


def test_a_name_of_one_long_word_ends_in_an_ellipsis_on_who_plays(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna CleomariavandenberghSteinfeldHohenlohe")
    phone.goto(f"{phone.url}/players")
    for size in (SMALL, LANDSCAPE):
        names = resized(phone, *size).locator(".player-row .name")
        begins = names.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().left)")
        assert begins[0] == begins[1]


def test_past_results_are_seen_whole_on_a_phone_before_they_are_imported(phone: Page) -> None:
    GameOnPhone(phone).start("Frustration", "Anna Ben")
    lines = [
        "date,rule set,player,place,points",
        "2026-01-02,Frustration Rummy,Anna,1,",
        f"2026-01-02,Frustration Rummy,{'M' * 39},2,-1000",
    ]
    phone.goto("/data")
    buffer = "\n".join(lines).encode()
    file = FilePayload(name="old.csv", mimeType="text/csv", buffer=buffer)
    phone.set_input_files("input[type=file]", file)
    phone.get_by_role("button", name="Show preview").click()
    table = resized(phone, 360, 640).locator(".understood")
    table.wait_for()
    assert table.evaluate("(one) => one.scrollWidth - one.parentElement.clientWidth") <= 0
    head = table.locator("th").first
    assert head.evaluate(
        "(one) => one.clientHeight < 3 * parseFloat(getComputedStyle(one).fontSize)"
    )
