"""What one did is told once, with Undo, beside whatever other devices do; the next tap ends it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser import looking
from tests.browser.at_the_table import GameOnPhone, all_is_sent, let_in
from tests.browser.looking import RESTS, broken_names, not_in_view, one_over_another, resized
from tests.browser.phones import LONGER_WORDS
from tests.browser.test_at_a_glance import LANDSCAPE, SMALL, SMALL_LANDSCAPE, TALL
from tests.browser.test_long_names import DESK
from tests.waiting import wait_on_page, wait_with_page


def test_what_one_did_stays_with_its_undo_until_the_next_tap(
    phone: Page, new_phone: Callable[..., Page]
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    other = new_phone()
    let_in(phone, other, "score")
    game.from_menu("Misdeal: start the round again")
    phone.get_by_role("button", name="Pass the deal to Ben").tap()
    own, said = phone.locator("#told-change"), phone.locator("#announced")
    words = "Round 1 dealt again, the deal passes on · Dealer: Anna → Ben"
    expect(own).to_contain_text(words)
    expect(said).to_have_text(words)
    other.reload()
    expect(other.locator("#told-change")).to_be_empty()
    GameOnPhone(other).meets("Cleo")
    expect(game.row("Cleo").locator(".tap-met")).to_be_checked()
    expect(own).to_contain_text(words)
    phone.reload()
    expect(own).to_contain_text(words)
    expect(phone.locator("#told-change [data-announce]")).to_have_count(0)
    own.get_by_role("button", name="Close").tap()
    expect(own).to_be_empty()
    phone.reload()
    expect(phone.locator("#round")).to_be_visible()
    expect(own).to_be_empty()
    game.meets("Ben")
    game.from_menu("Misdeal: start the round again")
    phone.get_by_role("button", name="Ben deals again").tap()
    own.get_by_role("button", name="Undo").tap()
    expect(own).to_contain_text("Undone: Round 1 dealt again")
    expect(game.row("Ben").locator(".tap-met")).to_be_checked()
    game.play(1, "Anna")
    expect(own).to_be_empty()
    phone.get_by_role("button", name="Reopen round 1").tap()
    expect(own.locator("p")).to_have_text("Round 1 reopened")


_COVERED_BY_IT = """() => {
  const told = [...document.querySelectorAll("#told-change > *")]
    .map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll(
    "li.row, .dock .button, .dock label, .bar-button, .menu > summary")]
    .filter((one) => one.checkVisibility()).filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return told.some((own) => own.left < right - 1 && left < own.right - 1
        && own.top < bottom - 1 && top < own.bottom - 1);
    }).map((one) => one.textContent);
}"""


_HEAD_AND_ROWS = """() => [document.querySelector("header.top").offsetHeight,
  ...[...document.querySelectorAll("li.row")].map((one) => one.offsetTop)]"""


@pytest.mark.parametrize("variant", ["Frustration", "Aggravation Rummy"])
def test_the_head_is_as_high_whatever_is_told_and_no_button_shares_its_place(
    new_phone: Callable[..., Page], variant: str
) -> None:
    phone = new_phone(locale=LONGER_WORDS)
    game = GameOnPhone(phone)
    game.start(variant, "Anna Ben Cleo Dora")
    sizes = SMALL, TALL, SMALL_LANDSCAPE, LANDSCAPE, DESK
    phone.evaluate(LASTS)
    own = phone.locator("#told-change")

    def looks() -> list[list[float]]:
        found = []
        for size in sizes:
            resized(phone, *size)
            buttons = f"#bar .bar-button, .menu > summary{', #told-change :is(p, button)' * undoes}"
            assert not_in_view(phone, buttons) == [], size
            found.append(phone.evaluate(_HEAD_AND_ROWS))
        assert not_in_view(resized(phone, *SMALL), ".bar-plan > span:first-child") == []
        expect(own.locator(".cut")).to_have_count(0)
        assert looking.faults_of(phone, looking.COLOR_RULES) == []
        return found

    undoes = False
    began = looks()
    phone.locator("li.row .out").first.tap()
    for field in phone.locator(".penalty-field:visible").all():
        field.fill("85")
    phone.locator("#close-round").tap()
    expect(own).to_have_attribute("data-moment", "now")
    assert looks() == began
    phone.locator(".row .row-name").first.tap()
    phone.keyboard.press("Escape")
    phone.goto(f"{phone.url}/dealing?again=yes")
    phone.locator("[name=passed_on][value=yes]").tap()
    undoes = True
    expect(own).to_contain_text("Ben → Cleo")
    assert looks() == began
    own.locator("form button").tap()
    expect(own).to_contain_text("Cleo → Ben")
    assert looks() == began
    own.get_by_role("button", name="Fermer").tap()
    expect(own).to_be_empty()
    undoes = False
    assert looks() == began


def test_what_one_did_covers_no_row_and_nothing_that_ends_the_round_and_goes_by_itself(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(locale=LONGER_WORDS)
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora Emil")
    points = dict.fromkeys(("Ben", "Cleo", "Dora", "Emil"), "75")
    assert game.plain.close(1, out="Anna", **points).status_code == 303
    own = phone.locator("#told-change")
    for ends_by in ("its time", "a tap elsewhere"):
        phone.goto(phone.url)
        phone.locator("#bar form .bar-button").tap()
        expect(own.locator("p")).to_have_text(re.compile("rouverte"))
        for size in (SMALL, TALL, SMALL_LANDSCAPE, LANDSCAPE):
            resized(phone, *size)
            for end in ("document.body.scrollHeight", "0"):
                phone.evaluate(f"scrollTo(0, {end})")
                wait_on_page(phone, RESTS)
                assert phone.evaluate(_COVERED_BY_IT) == [], size
            assert not_in_view(phone, "#told-change p, #told-change button") == [], size
        resized(phone, *TALL)
        if ends_by == "its time":
            own.locator("p").tap()
            phone.evaluate("whileIsOver()")
            expect(own.locator("p")).to_have_count(1)  # it is being read
            own.locator("p").blur()
            phone.evaluate("whileIsOver()")
            expect(own).to_be_empty()
            phone.reload()
            expect(phone.locator("#round")).to_be_visible()
            expect(own).to_be_empty()
        game.close(1)  # a tap on its middle ends the round, whatever is told
        expect(phone.locator("#close-round[hx-post$='/rounds/2/close']")).to_be_visible()


def test_what_one_did_is_left_behind_with_the_page_that_told_it_also_without_a_tap(
    phone: Page,
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    address, own = phone.url, phone.locator("#told-change")
    game.from_menu("Misdeal: start the round again")
    phone.get_by_role("button", name="Anna deals again").tap()
    expect(own).to_contain_text("Round 1 dealt again")
    phone.reload()
    expect(own).to_contain_text("Round 1 dealt again")
    phone.goto(f"{address}/rounds")
    expect(phone.locator(".page-head")).to_be_visible()
    expect(own).to_be_empty()
    phone.goto(address)
    expect(phone.locator("#round")).to_be_visible()
    expect(own).to_be_empty()


def test_its_undo_covers_none_of_the_ways_on_from_an_early_stop(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dominique Maximilian-Alexander")
    game.play(1, "Anna", Ben=75, Cleo=75, Dominique=75, Maximilian=75)
    game.from_menu("Stop here")
    phone.get_by_role("button", name="Stop with this result").tap()
    own = phone.locator("#told-change")
    expect(own).to_contain_text("Stopped early")
    told = "#told-change, #told-change p, #told-change button"

    def shows_all_at_its_end() -> bool:
        phone.evaluate("scrollTo(0, document.body.scrollHeight)")
        return not not_in_view(phone, ".game .button")

    for size in (SMALL, TALL):
        assert not_in_view(resized(phone, *size), told) == []
        wait_with_page(phone, shows_all_at_its_end)
    own.get_by_role("button", name="Close").tap()
    expect(own).to_be_empty()
    for size in (SMALL, TALL):
        resized(phone, *size)
        wait_with_page(phone, shows_all_at_its_end)


def test_what_was_left_behind_in_one_game_or_another_never_comes_back(
    phone: Page, new_phone: Callable[..., Page]
) -> None:
    games = []
    for names in ("Anna Ben Cleo", "Xenia Yves Zoe"):
        game = GameOnPhone(phone)
        game.start("Frustration", names)
        games.append(phone.url)
        seat = game.plain.seats[names.split()[0]]
        phone.goto(f"{phone.url}/players?seat={seat}")
        phone.get_by_label("Who plays on from round 1?").first.fill(f"Emil of {names.split()[0]}")
        phone.get_by_role("button", name="Take over").first.tap()
        expect(phone.locator("#round")).to_be_visible()
        expect(phone.locator("#told-change")).to_contain_text("Emil")
        game.from_menu("Who plays")
        expect(phone.locator("#told-change")).to_be_empty()
    phone.goto(games[0])
    expect(phone.locator("#told-change")).to_be_empty()
    other = new_phone()
    let_in(phone, other, "score")
    other.goto(games[0])
    GameOnPhone(other).goes_out("Ben")
    expect(GameOnPhone(phone).row("Ben").locator(".tap-out")).to_be_checked()
    expect(phone.locator("#told-change")).to_be_empty()


@pytest.mark.provokes(422)
def test_a_round_that_ends_is_told_for_a_moment_and_covers_nothing(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    own, said = phone.locator("#told-change"), phone.locator("#announced")
    game.play(1, "Anna", "Ben", Ben=15, Cleo=30)
    expect(own).to_contain_text("Round 1: Anna goes out.")
    expect(said).to_have_text(
        "Round 1: Anna goes out. Anna −25 · Ben +15 · Cleo +30 Ahead now: Anna. "
        "Ben deals, Cleo starts."
    )
    expect(own).to_be_hidden()  # by itself
    game.play(2, "Cleo", Anna=30, Ben=30)
    expect(own).to_contain_text("Round 2: Cleo goes out.")
    phone.mouse.click(*_middle_of(phone, ".row:first-child .row-head"))
    expect(own).to_be_hidden()
    expect(phone.locator(".row:first-child .row-person[open]")).to_have_count(1)
    phone.keyboard.press("Escape")
    phone.evaluate(LASTS)
    game.play(3, "Cleo", Anna=30, Ben=30)
    expect(own).to_contain_text("Round 3: Cleo goes out.")
    for width, height in ((360, 640), (390, 844), (844, 390), (1280, 800)):
        phone.set_viewport_size({"width": width, "height": height})
        wait_on_page(phone, RESTS)
        expect(own).to_be_in_viewport(ratio=1)
        assert not_in_view(phone, "#bar .bar-button, li.row, .tap-face, #close-round") == []
        assert one_over_another(phone) == []
    phone.set_viewport_size({"width": 390, "height": 844})
    phone.locator("#close-round").press("Enter")  # a tap could be the second of two
    expect(own).to_be_hidden()
    expect(phone.locator("#who-out")).to_be_visible()
    phone.get_by_role("button", name="Reopen round 3").tap()
    expect(phone.get_by_role("heading", name="Round 3")).to_be_visible()


TOLD = {
    "Marie-Antoinette Jean-Christophe Anne-Sophie Maximilian Bartholomew": ("Marie-A.", "Jean-C."),
    "Anna Ben Cleo Dora Emil": ("Anna", "Ben"),
    "Anna Ben Cleo Dora Emil Friederike Gustav": ("Anna", "Ben"),
    "Annabell Benedikt Clementi Dorothea Emmanuel Ferdinan Giovanni": ("Annabell", "Benedikt"),
}
"""Who goes out and who deals next, as it is told of these players."""


def test_what_a_round_came_to_is_read_whole_within_the_bar(phone: Page) -> None:
    game, said = GameOnPhone(phone), phone.locator("#told-change > p")
    for names, (out, deals) in TOLD.items():
        game.start("Aggravation Rummy", names)
        phone.evaluate(LASTS)
        first, *others = names.split()
        game.plain.keep(1, out=first, **dict.fromkeys(others, "185"))
        resized(phone, 360, 640)
        expect(phone.locator(".tap-out").first).to_be_checked()
        game.close(1)
        expect(said).to_contain_text(f"Round 1: {out} goes out.")
        expect(said.locator("b")).to_have_text(f"{deals} deals")
        for width, height in ((360, 640), (390, 844), (640, 360), (844, 390), (1280, 800)):
            resized(phone, width, height)
            wait_on_page(phone, RESTS)
            has_points = said.locator("span").count() > 1
            assert said.locator("b").is_visible() is (width < height and has_points)
            assert said.evaluate(_OVER_WHO_DEALS) is False
            assert broken_names(phone) == []
            lowest = said.evaluate(_LOWEST_WORD)
            assert lowest <= said.evaluate("(one) => one.getBoundingClientRect().bottom") + 1
            assert lowest <= phone.evaluate(BAR_ENDS), (names, width, height)


_OVER_WHO_DEALS = """(own) => {
  const line = document.querySelector(".bar-deal"), words = document.createRange();
  words.selectNodeContents(own);
  return getComputedStyle(line).opacity === "1"
    && words.getBoundingClientRect().bottom > line.getBoundingClientRect().top + 1;
}"""
_LOWEST_WORD = """(own) => {
  const words = document.createRange();
  words.selectNodeContents(own);
  return Math.max(...[...words.getClientRects()].map((line) => line.bottom));
}"""
BAR_ENDS = "document.querySelector('header.top').getBoundingClientRect().bottom"


def test_everybody_is_told_for_a_moment_what_a_round_came_to(
    phone: Page, new_phone: Callable[..., Page]
) -> None:
    game, others = GameOnPhone(phone), {role: new_phone() for role in ("score", "watch")}
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    for role, other in others.items():
        let_in(phone, other, role)
        other.evaluate(LASTS)
    game.play(1, "Anna", "Ben", Ben=15, Cleo=30)
    for other in others.values():
        own, said = other.locator("#told-change"), other.locator("#announced")
        expect(own).to_be_visible()
        expect(own).to_contain_text("Round 1: Anna goes out. Anna −25 · Ben +15 · Cleo +30")
        expect(said).to_contain_text("Round 1: Anna goes out. Anna −25 · Ben +15 · Cleo +30")
        expect(own.get_by_role("button", name="Undo")).to_have_count(0)
    game.meets("Ben")
    for other in others.values():
        own = other.locator("#told-change")
        news = other.locator(f"#row-{game.plain.seats['Ben']}.changed")
        expect(news).to_be_attached()
        expect(own).to_be_visible()
        other.locator(".row .row-head").first.tap()
        expect(own).to_be_hidden()
        other.reload()
        expect(other.locator(".round")).to_be_visible()
        expect(own).to_be_hidden()


def test_what_a_round_came_to_outlasts_the_page_shown_anew(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    own = phone.locator("#told-change")
    phone.route("**/live?*", lambda asked: asked.continue_(url=asked.request.url.split("?")[0]))
    phone.evaluate(LASTS)
    game.play(1, "Anna", Ben=75, Cleo=80)
    expect(own).to_be_visible()
    phone.evaluate("document.addEventListener('live:after', () => { window.isAnew = true; })")
    wait_on_page(phone, "window.isAnew")
    expect(own).to_be_visible()
    phone.locator(".row .row-head").first.tap()
    expect(own).to_be_empty()
    phone.evaluate("window.isAnew = false")
    wait_on_page(phone, "window.isAnew")
    expect(own).to_be_empty()


LASTS = """() => {
  const wait = setTimeout;
  window.setTimeout = (done, time) => wait(done, time === 2000 ? 1e8 : time);
}"""
"""What is shown for a moment stays until it is tapped away."""


@pytest.mark.motion
def test_cards_turn_to_the_next_contract_unless_animations_are_switched_off(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    phone.evaluate(
        "document.addEventListener('animationstart', (event) => {"
        " (window.begun ??= []).push(event.animationName); })"
    )
    for number, moves in ((1, True), (2, False)):
        if not moves:
            game.switch("Animations")
        phone.evaluate("window.begun = []")
        game.plain.keep(number, out="Anna", Ben="75", Cleo="80")
        expect(phone.get_by_label("Points for Cleo")).to_have_value("80")
        game.close(number)
        expect(phone.get_by_role("button", name=f"Reopen round {number}")).to_be_visible()
        expect(phone.locator("#told-change")).to_be_empty()
        assert ("turned" in phone.evaluate("window.begun")) == moves
        expect(phone.locator("[data-was]")).to_have_count(0)


@pytest.mark.motion
def test_a_card_turns_and_the_round_is_told_once_if_two_answers_show_the_next(
    phone: Page,
) -> None:
    """What the server sends on its own may come just before the answer to the end of the round."""
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    game.goes_out("Anna")
    for name, points in {"Ben": 75, "Cleo": 80}.items():
        game.has_left_over(name, points)
    all_is_sent(phone)
    phone.evaluate(_KEEPS_WHAT_IS_SAID)
    held: list[tuple[Route, APIResponse]] = []
    phone.route("**/close", lambda route: held.append((route, route.fetch())))
    game.close(1)
    expect(phone.locator("#close-round[hx-post$='/rounds/2/close']")).to_be_attached()
    phone.evaluate("document.querySelector('.row-card[data-was]').getAnimations()[0].pause()")
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(phone.get_by_role("button", name="Reopen round 1")).to_be_visible()
    assert phone.locator("[data-was]").get_attribute("data-was") == "1"
    phone.evaluate("htmx.trigger(document, 'announce', { value: 'Said last' })")
    expect(phone.locator("#announced")).to_contain_text("Said last")
    assert "".join(phone.evaluate("window.saidSoFar")).count("Anna goes out") == 1


_KEEPS_WHAT_IS_SAID = """() => {
  const region = document.querySelector("#announced"), said = window.saidSoFar = [];
  new MutationObserver(() => said.push(region.textContent)).observe(region, { childList: true });
}"""


def _middle_of(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


_LINES = """(said) => {
  const { height } = said.getBoundingClientRect();
  return Math.round(height / Number.parseFloat(getComputedStyle(said).lineHeight));
}"""


_IS_CUT = "(said) => said.scrollHeight > said.clientHeight + 1"
_AFTER = "getComputedStyle(document.querySelector('#told-change > p'), '::after').content"


def test_what_one_did_takes_three_lines_at_most_and_says_where_there_is_more(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(locale=LONGER_WORDS)
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Jean-Sébastien Jean-Stéphane Maximilian-Alexander")
    plain = game.plain
    out, *others = plain.seats
    assert plain.close(1, out=out, **dict.fromkeys(others, "75")).status_code == 303
    address, own = f"/games/{plain.key}", page.locator("#told-change")
    words, seen = own.locator("p"), set[bool]()

    def says_more() -> bool:
        return "Plus" in page.evaluate(_AFTER)

    for part in ("", "/rounds", "/players", "/corrections", "/dealing", "/activity", "stopped"):
        if part == "stopped":
            assert plain.client.post(f"{address}/stop", {"result": "yes"}).status_code == 303
        page.goto("about:blank")  # the game's page would be the first to tell it
        note = {
            "note": f"The famous misdeal of {part}: "
            + "somebody dealt 14 cards; " * (4 if part else 1)
        }
        assert plain.client.post(f"{address}/rounds/1/note", note).status_code == 303
        page.goto(address if part == "stopped" else address + part)
        for width, height in (SMALL, SMALL_LANDSCAPE, TALL, LANDSCAPE, DESK):
            page.set_viewport_size({"width": width, "height": height})
            wait_on_page(page, RESTS)
            box = own.bounding_box()
            assert box, (part, width)
            assert box["height"] <= height / 5, (part, width, box)
            assert box["width"] <= width, (part, width, box)
            most = 3 if width < height and width < 700 else 2
            assert words.evaluate(_LINES) <= most, (part, width)
            wait_with_page(page, lambda: says_more() == words.evaluate(_IS_CUT))
            seen.add(says_more())
            assert not_in_view(page, "#told-change button") == [], (part, width)
        words.tap()
        assert not words.evaluate(_IS_CUT)
        assert not says_more()
        assert not_in_view(page, "#told-change p, #told-change button") == [], part
    assert seen == {True, False}
