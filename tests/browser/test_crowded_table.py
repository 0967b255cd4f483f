"""Five and six on a phone: all are in view, and no row moves while a round is entered."""

import random
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, let_in, sent
from tests.browser.looking import RESTS, cut_off, not_in_view, resized
from tests.browser.phones import LONGER_WORDS
from tests.browser.test_at_a_glance import EVERYTHING, FOUR, LANDSCAPE, SMALL, TALL
from tests.waiting import wait_on_page

FIVE = "Anna Ben Cleo Dominique Maximilian-Alexander"
SIX = f"{FIVE} Friederike"
SIX_SHORT = "Anna Ben Cleo Dominique Emil Friederike"
"""Six whose names leave who deals and starts one line; what is dealt takes the other."""
SIX_LONG = (
    "Grandma-Josephine-Elisabeth Jean-Sébastien-Alexandre Marie-Christine-Bernadette"
    " Maximilian-Alexander Friederike Anna"
)


_LINES_OF_THE_DEAL = """() => {
  const line = document.querySelector(".bar-deal"), { lineHeight } = getComputedStyle(line);
  return Math.floor(line.clientHeight / parseFloat(lineHeight));
}"""


@pytest.mark.parametrize(
    ("rules", "names", "size"),
    [
        ("Aggravation Rummy", FIVE, SMALL),
        ("Aggravation Rummy", SIX, TALL),
        ("Aggravation Rummy", SIX_SHORT, SMALL),
        ("Garbage Rummy", SIX_LONG, SMALL),  # whose dealer is asked about a bonus
    ],
)
def test_all_are_in_view_with_what_they_need_in_every_round(
    new_phone: Callable[..., Page], rules: str, names: str, size: tuple[int, int]
) -> None:
    page = new_phone(viewport={"width": size[0], "height": size[1]}, locale=LONGER_WORDS)
    game = GameOnPhone(page)
    game.start(rules, names)
    out, *others = names.split()
    heights = set()
    for number in range(1, 4):
        assert not_in_view(page, EVERYTHING) == []
        heights.add(_places(page)[0]["offsetTop"])
        entered = {"out": out, "met": " ".join(others), **dict.fromkeys(others, "25")}
        game.plain.keep(number, **entered)
        page.reload()
        assert not_in_view(page, EVERYTHING) == []
        game.plain.close(number, **entered)
        page.reload()
    assert len(heights) == 1


def test_who_deals_and_who_starts_are_named_whole_in_two_lines_though_their_names_are_long(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(locale=LONGER_WORDS)
    game, line = GameOnPhone(page), page.locator(".bar-deal")
    names = "Anna Josephine-Elisabeth Maximilian-Alexander"
    game.start("Frustration", names)
    game.plain.close(1, out="Anna")
    page.reload()
    for place, name in enumerate(names.split()[1:]):
        expect(line.locator("b").nth(place)).to_have_text(name)
    for size in (SMALL, LANDSCAPE):
        assert resized(page, *size).evaluate(_LINES_OF_THE_DEAL) <= 2


_TELLS = """(own) => {
  own.dataset.moment = "now";
  const [out, points] = ["Round 1: Anna goes out.", "Anna −25 · Ben +25 · Cleo +25 · Dan +25"];
  own.innerHTML = `<p><span>${out}</span> <span>${points}</span></p>`;
}"""


_ABOVE_NAMES = """() => Math.min(...[...document.querySelectorAll(".row")].map((row) => {
  const words = document.createRange();
  words.selectNodeContents(row.querySelector(".row-name"));
  return words.getBoundingClientRect().top - row.getBoundingClientRect().top - row.clientTop;
}))"""


def test_names_keep_off_the_upper_edge_and_the_chip_of_the_bar_off_the_next_line(
    phone: Page,
) -> None:
    for names, above in ((FIVE, 5), (SIX_LONG, -0.5)):
        GameOnPhone(phone).start("Aggravation Rummy", names)
        for size in (SMALL, TALL):
            assert resized(phone, *size).evaluate(_ABOVE_NAMES) >= above, (names, size)
            chip = phone.locator(".bar-deal > .dealt")
            assert chip.evaluate(_CHIP_IN_ITS_LINE), (names, size)


_CHIP_IN_ITS_LINE = """(one) => parseFloat(getComputedStyle(one, "::before").height)
  < parseFloat(getComputedStyle(one).lineHeight)"""


def test_what_a_round_came_to_covers_nothing_that_can_be_tapped(phone: Page) -> None:
    game, told = GameOnPhone(phone), phone.locator("#told-change")
    tapped = f"{EVERYTHING}, .nobody > .tap-face, #bar .bar-button"
    for names, sizes in ((FIVE, (SMALL, TALL)), (FOUR, (LANDSCAPE,))):
        game.start("Aggravation Rummy", names)
        game.plain.close(1, out="Anna")
        phone.reload()
        told.evaluate(_TELLS)
        expect(told).to_be_visible()
        for size in sizes:
            assert not_in_view(resized(phone, *size), tapped) == [], size
            assert told.evaluate("(own) => own.scrollHeight <= own.clientHeight"), size


def test_all_rows_are_as_high_whoever_deals_and_starts(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Maximilian-Alexander Ben Cleo")
    heights: dict[tuple[int, int], set[float]] = {SMALL: set(), TALL: set(), LANDSCAPE: set()}
    for number in (1, 2):
        game.plain.close(number, out="Anna")
        phone.reload()
        for size, seen in heights.items():
            seen |= {one["offsetHeight"] for one in _places(resized(phone, *size))}
    assert [len(seen) for seen in heights.values()] == [1, 1, 1]


@pytest.mark.parametrize(("names", "size"), [(FIVE, TALL), (SIX, SMALL)])
def test_no_row_moves_while_a_round_is_entered_here_and_elsewhere(
    new_phone: Callable[..., Page], names: str, size: tuple[int, int]
) -> None:
    chance = random.Random(f"{names} {size}")
    viewport = {"width": size[0], "height": size[1]}
    phone, other = new_phone(viewport=viewport), new_phone(viewport=viewport)
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", names)
    let_in(phone, other, "score")
    for number in (1, 2):
        out, *left = chance.sample(names.split(), len(names.split()))
        began = [_places(one) for one in (phone, other)]
        game.goes_out(out)
        for name in left:
            hand = GameOnPhone(chance.choice((phone, other)))
            if met := chance.random() < 0.5:
                hand.meets(name)
            hand.has_left_over(name, 25 if met else 75)
            hand.page.keyboard.press("Enter")
            for one in (phone, other):
                expect(one.get_by_label(f"Points for {name}")).to_have_value("25" if met else "75")
                wait_on_page(one, RESTS)
            assert [_places(one) for one in (phone, other)] == began
        game.close(number)
        for one in (phone, other):
            expect(one.get_by_role("heading", name=f"Round {number + 1}")).to_be_visible()


_NAMES_BEHIND_CHIPS = """() => [...document.querySelectorAll(".row")].flatMap((row) => {
  const words = document.createRange();
  words.selectNodeContents(row.querySelector(".row-name"));
  const lines = [...words.getClientRects()];
  return [...row.querySelectorAll(".row-doubt .chip-button")].filter((chip) => {
    const { left, bottom, height } = chip.getBoundingClientRect();
    const drawn = parseFloat(getComputedStyle(chip, "::before").height) || height;
    return lines.some((line) => line.right > left && line.bottom > bottom - drawn + 2);
  }).map((chip) => `${row.querySelector(".row-name").innerText}: ${chip.innerText}`);
})"""
"""Whose name is covered by what the points could be instead, as far as that is drawn."""


@pytest.mark.parametrize("names", [FOUR, FIVE])
def test_no_row_moves_for_what_is_doubted_while_a_round_is_entered(
    new_phone: Callable[..., Page], names: str
) -> None:
    page = new_phone(locale=LONGER_WORDS)
    game = GameOnPhone(page)
    game.start("Shanghai Rummy", names)
    out, *others = names.split()
    game.plain.keep(1, out=out, met=" ".join(others), **dict.fromkeys(others, "25"))
    page.reload()
    sizes = SMALL, TALL, LANDSCAPE
    began = [_places(resized(page, *size)) for size in sizes]
    for name in others[1:]:
        field = game.row(name).locator(".penalty-field")
        field.fill("147")
        field.press("Enter")
        expect(game.row(name).locator(".row-doubt .chip-button")).to_have_text(["145", "150"])
    for _ in range(4):
        game.row(others[0]).locator(".row-buys > button").tap()
    doubt = game.row(others[0]).locator(".row-doubt")
    expect(doubt).to_contain_text("3")
    for size, places in zip(sizes, began, strict=True):
        assert _places(resized(page, *size)) == places
        assert page.evaluate(_NAMES_BEHIND_CHIPS) == []
    game.row(others[1]).get_by_role("button", name="145").tap()
    expect(game.row(others[1]).locator(".penalty-field")).to_have_value("145")
    for size, places in zip(sizes, began, strict=True):
        assert _places(resized(page, *size)) == places
        assert cut_off(page) == []


def test_no_row_moves_for_the_first_tap_of_a_round(phone: Page) -> None:
    phone.clock.install()
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", SIX)
    began = _tops(phone)
    game.meets("Anna")
    expect(game.row("Anna").locator(".tap-met")).to_be_checked()
    phone.clock.run_for(2000)
    expect(phone.locator(".bar-deal")).to_be_visible()
    phone.reload()
    expect(game.row("Anna").locator(".tap-met")).to_be_checked()
    assert _tops(phone) == began


@pytest.mark.provokes(422)
def test_nothing_moves_when_what_was_asked_at_the_end_is_answered(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", FIVE)
    out, asked, *others = FIVE.split()
    for name in (asked, *others):
        game.has_left_over(name, "15" if name == asked else "85")
    game.goes_out(out)
    page.locator("#close-round").tap()
    expect(page.locator("#foot-said .doubt")).to_have_count(1)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    began = _tops(page)
    game.meets(asked)
    expect(page.locator("#foot-said .doubt")).to_have_count(0)
    wait_on_page(page, RESTS)
    assert _tops(page) == began


def test_what_ends_the_round_is_at_the_foot_of_a_screen_that_grows_after_a_tap(
    game: GameOnPhone,
) -> None:
    """As where a keyboard was open, or a phone was held sideways."""
    foot = game.page.locator("#round .dock")
    below = "(foot) => Math.round(innerHeight - foot.getBoundingClientRect().bottom)"
    for size in ((360, 440), TALL, SMALL, TALL):
        resized(game.page, *size)
        assert foot.evaluate(below) == 0, size
        with game.page.expect_response(re.compile("/row$")):
            game.meets("Ben")
        wait_on_page(game.page, "() => document.querySelector('#shell').style.minHeight")


@pytest.mark.provokes(422)
def test_nothing_moves_under_the_fingers_of_four(phone: Page) -> None:
    phone.clock.install()
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora")
    began = _tops(phone)
    game.goes_out("Anna")
    expect(phone.locator(".row.lacks-points")).to_have_count(3)
    game.has_left_over("Ben", "15+5")
    phone.clock.run_for(2000)
    assert _tops(phone) == began
    game.close(1)
    expect(phone.locator(".fault")).to_have_count(1)
    assert _tops(phone)[:3] == began[:3]
    game.from_menu("Misdeal: start the round again")
    phone.get_by_role("button", name="Pass the deal to Ben").tap()
    expect(phone.locator("#told-change")).to_contain_text("Round 1 dealt again")
    assert _tops(phone) == began


def _places(page: Page) -> list[dict[str, float]]:
    """Where each row stands on the page, and how high it is."""
    return page.locator("li.row").evaluate_all(
        "all => all.map(({ offsetTop, offsetHeight }) => ({ offsetTop, offsetHeight }))"
    )


def _tops(page: Page) -> list[float]:
    rows = page.locator("li.row").all()
    return [box["y"] for row in rows if (box := row.bounding_box())]


@pytest.mark.provokes(422)
def test_while_cards_are_counted_no_button_moves_and_points_that_are_entered_are_not_unknown(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora")
    game.goes_out("Anna")
    game.close(1)
    unknown = page.locator(".row-uncounted")
    expect(unknown).to_be_visible()
    page.get_by_label("Points for Ben").press_sequentially("5")
    expect(unknown).to_be_hidden()
    page.get_by_label("Points for Ben").clear()
    expect(unknown).to_be_visible()
    game.count_cards_of("Ben")
    more = page.locator(".counting[open] [data-step='1']").last
    at = more.bounding_box()
    for _ in range(14):  # more than were dealt, which is doubted
        more.tap()
        assert more.bounding_box() == at
    expect(page.locator(".row-uncounted, .row .fault")).to_have_count(0)
    assert more.bounding_box() == at


def test_a_tap_on_a_label_that_the_foot_covers_in_part_moves_nothing(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    GameOnPhone(page).start("Aggravation Rummy", SIX)
    label, met = page.locator("label.met").nth(5), page.locator(".tap-met").nth(5)
    covered = """(label, above) => {
      const foot = document.querySelector(".dock").getBoundingClientRect().top;
      scrollTo(0, scrollY + label.getBoundingClientRect().top - foot + above);
      return [label.getBoundingClientRect().x + 20, foot - above / 2];
    }"""
    for taps, above_foot in enumerate((8, 24, 40)):
        page.locator(":focus").evaluate_all("all => all.forEach((one) => one.blur())")
        x, y = label.evaluate(covered, above_foot)
        before = page.evaluate("scrollY")
        with page.expect_response("**/row"):
            page.touchscreen.tap(x, y)
        expect(met).to_be_checked(checked=taps % 2 == 0)
        assert page.evaluate("scrollY") == before, above_foot


def test_all_that_is_entered_stays_in_view_while_what_one_did_is_told(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", SIX)
    game.from_menu("Misdeal: start the round again")
    page.get_by_role("button", name="Anna deals again").tap()
    told = page.locator("#told-change")
    expect(told).to_contain_text("Round 1 dealt again")
    wanted = "#round .tap-face, #round .penalty, #close-round"
    assert not_in_view(page, wanted) == []
    game.meets("Friederike")
    expect(told).to_be_empty()
    assert not_in_view(page, wanted) == []


def test_how_many_rows_go_on_below_is_said_beside_what_ends_the_round_and_covers_nothing(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    for more in (1, 2):
        GameOnPhone(page).start("Frustration", f"{SIX} {' '.join(('Gustav', 'Hannelore')[:more])}")
        foot = page.locator("#round .dock")
        expect(foot).to_have_attribute("data-below", str(more))
        assert f"+{more} ▾" in foot.evaluate("(one) => getComputedStyle(one, '::before').content")
        assert foot.evaluate("(one) => getComputedStyle(one, '::before').position") == "static"
        height = foot.evaluate("(one) => one.offsetHeight")
        assert not_in_view(page, "#close-round") == []
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(foot).to_have_attribute("data-below", "")
        assert foot.evaluate("(one) => one.offsetHeight") == height
        assert not_in_view(page, "#close-round, #round li.row:last-child") == []


def test_a_contract_is_one_line_where_a_round_is_edited_held_sideways(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": LANDSCAPE[0], "height": LANDSCAPE[1]})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    for number in (1, 2):
        typed = {"Ben": "75", "Cleo": "75"}
        assert game.plain.close(number, out="Anna", **typed).status_code == 303
    page.goto(f"{page.url}/rounds/2")
    words = page.locator(".row-contract").first
    expect(words).to_contain_text(re.compile("set of 3 and run of 4", re.IGNORECASE))
    assert words.evaluate(
        "(one) => one.offsetHeight < 1.9 * parseFloat(getComputedStyle(one).lineHeight)"
    )


def test_seven_standings_are_whole_beside_a_round_held_sideways(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": LANDSCAPE[0], "height": LANDSCAPE[1]})
    for names in (f"{SIX_SHORT} Gustav", f"{SIX_LONG} Anna-Katharina-Luise"):
        GameOnPhone(page).start("Shanghai Rummy", names)
        assert page.locator(".board-row").count() == 7
        assert not_in_view(page, ".board-row") == [], names


def test_who_only_watches_has_the_room_of_the_fields_and_the_standings_beside_it(
    phone: Page, new_phone: Callable[..., Page]
) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", SIX)
    points = {"seat": game.plain.seats["Anna"], "number": 1, "points": 15}
    sent(phone, f"{urlsplit(phone.url).path}/corrections", points)  # of which a remark tells
    watching = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    let_in(phone, watching, "watch")
    expect(watching.get_by_text("Extra points")).to_be_visible()
    assert min(one["offsetHeight"] for one in _places(watching)) >= 60
    assert not_in_view(watching, ".watching .row") == []
    board = resized(watching, *LANDSCAPE).locator(".board").bounding_box()
    rows = watching.locator(".watching .rows").bounding_box()
    assert board
    assert rows
    assert board["x"] >= rows["x"] + rows["width"]


_UNPARTED = """() => [...document.querySelectorAll(".asks > * + *")]
  .filter((one) => getComputedStyle(one).borderInlineStartWidth === "0px")
  .map((one) => one.textContent)"""


def test_a_line_stands_between_what_can_be_checked_where_their_words_are_close(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]}, locale=LONGER_WORDS)
    page.goto("/check")
    assert page.locator(".asks > *").count() > 1
    assert page.evaluate(_UNPARTED) == []
