"""Who plays, at setup: names that are offered stay where they are while they are tapped."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, sent
from tests.browser.looking import not_in_view, resized
from tests.browser.phones import LONGER_WORDS
from tests.browser.test_at_a_glance import LANDSCAPE, SMALL, TALL
from tests.waiting import wait_on_page


def test_the_names_that_are_offered_keep_their_places_while_some_are_chosen(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 390, "height": 640})
    GameOnPhone(phone).start("Frustration", "Anna Ben Cleo Dora Grandma-Ilse")
    phone.goto("/games/new/frustration")
    names = phone.get_by_role("group", name="Players in your group").get_by_role("button")
    names.last.scroll_into_view_if_needed()
    places = [one.bounding_box() for one in names.all()]
    seats = phone.locator(".seating-row").count()
    for name in names.all():
        name.tap()
        seats += 1
        expect(phone.locator(".seating-row")).to_have_count(seats)
        expect(name).to_be_disabled()
        now = [one.bounding_box() for one in names.all()]
        assert [(one["x"], round(one["y"])) for one in now] == [
            (one["x"], round(one["y"])) for one in places
        ]


def test_after_a_draw_all_seats_are_in_view_and_who_is_seated_is_offered_no_more(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 360, "height": 640})
    GameOnPhone(phone).start("Frustration", "Anna Ben Cleo Dora Grandma-Ilse")
    phone.goto("/games/new/frustration")
    names = phone.get_by_role("group", name="Players in your group").get_by_role("button")
    for name in ("Anna", "Ben", "Cleo", "Dora"):
        names.filter(has_text=name).tap()
        expect(phone.locator(".seating-row", has_text=name)).to_be_visible()
    phone.get_by_role("button", name="Shuffle seats").tap()
    expect(phone.locator("[data-looked-at]")).to_be_visible()
    expect(names).to_have_text([re.compile("Grandma-Ilse")])
    assert not_in_view(phone, ".seating-row") == []


def test_after_names_were_typed_who_is_seated_and_the_field_for_more_are_in_view(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 360, "height": 640})
    GameOnPhone(phone).start("Frustration", "Anna Ben")
    phone.goto("/games/new/frustration")
    for typed in ("Dora, Emil", "Fritz, Gert"):
        field = phone.get_by_label("Add players")
        field.fill(typed)
        field.press("Enter")
        expect(phone.locator(".seating-row", has_text=typed[:4])).to_be_visible()
        expect(phone.locator("#typed")).to_be_focused()
        assert not_in_view(phone, ".seating-row, #typed") == []


@pytest.mark.provokes(422)
def test_that_players_are_missing_is_said_in_view_beside_where_they_are_entered(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 360, "height": 640})
    GameOnPhone(phone).start("Frustration", "Anna Ben Cleo Dora Emil Fritz Maximilian-Alexander")
    phone.goto("/games/new/frustration")
    phone.get_by_role("button", name="Start").tap()
    expect(phone.locator("#typed")).to_be_focused()
    assert not_in_view(phone, "#players-fault, #typed") == []


def test_what_a_tap_folds_open_is_in_view_and_not_behind_a_bar(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 360, "height": 640})
    GameOnPhone(phone).start("Frustration", "Anna Ben Cleo Dora")
    for address in ("/games/new/garbage-rummy", "/rules/garbage-rummy", "/data", "/group"):
        phone.goto(address)
        folds = phone.locator("main details.fold:not([data-folds])")
        assert folds.count() > 0
        for at in range(folds.count()):
            fold = folds.nth(at)
            summary = fold.locator("> summary")
            if not summary.is_visible() or fold.get_attribute("open") is not None:
                continue
            # Just above what stays at the foot of the screen
            summary.evaluate("(one) => one.scrollIntoView({ block: 'end', behavior: 'instant' })")
            summary.tap()
            expect(fold).to_have_attribute("open", "")
            assert wait_on_page(phone, FOLD_IN_VIEW, at), (address, at)


FOLD_IN_VIEW = """(at) => {
  const fold = document.querySelectorAll('main details.fold:not([data-folds])')[at];
  const { top, bottom } = fold.getBoundingClientRect();
  const bars = [...document.querySelectorAll('.dock, .places')]
    .map((bar) => bar.getBoundingClientRect().top).filter((top) => top > 0);
  return bottom <= Math.min(innerHeight, ...bars) || Math.abs(top) < 16;
}"""


def test_a_link_amid_what_asks_by_itself_leads_to_its_page(phone: Page) -> None:
    phone.goto("/games/new/aggravation-rummy")
    phone.locator("summary", has_text="House rules").tap()
    phone.locator("summary", has_text="Scoring").tap()
    phone.get_by_role("link", name="Other card values").tap()
    expect(phone.locator("#rule-set")).to_be_visible()
    expect(phone.locator("#new-game, .own-bar + .own-bar")).to_have_count(0)
    assert phone.url.endswith("/rules/custom/new?base=aggravation-rummy")


def test_an_invite_shows_its_code_whole_and_that_it_ends_with_the_page(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(locale=LONGER_WORDS)
    GameOnPhone(page).start("Frustration", "Anna Ben")
    for place in range(3):
        page.goto("/group/invite")
        page.locator(".choice").nth(place).tap()
        expect(page.locator(".code")).to_be_visible()
        for size in (SMALL, TALL):
            assert not_in_view(resized(page, *size), ".qr, .code, .code ~ p") == []


def test_where_one_joins_all_is_in_view_on_a_phone_held_sideways(
    new_phone: Callable[..., Page],
) -> None:
    host = new_phone()
    GameOnPhone(host).start("Frustration", "Anna Ben")
    sent(host, "/group/links/score", {})
    link = re.search(r"/join/[\w-]+", host.request.get("/group/links/score").text())
    assert link
    page = new_phone(locale=LONGER_WORDS)
    for address in ("/join", link[0]):
        page.goto(address)
        assert not_in_view(resized(page, *LANDSCAPE), "main .button, .languages button") == []


def test_home_is_as_wide_as_a_large_screen_has_room_for(new_phone: Callable[..., Page]) -> None:
    page = new_phone(viewport={"width": 1280, "height": 800})

    def width_of(shown: str) -> float:
        page.goto("/")
        return page.locator(shown).evaluate("(one) => one.getBoundingClientRect().width")

    assert width_of(".welcome") > 0.7 * 1280
    GameOnPhone(page).start("Frustration", "Anna Ben")
    game = page.url
    assert width_of("[aria-labelledby=running] .card") > 0.7 * 1280
    sent(page, f"{game}/stop", {"result": "no"})
    assert width_of("[aria-labelledby=finished] .card") > 0.7 * 1280


def test_whether_points_are_kept_is_asked_in_view_however_many_play(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": 390, "height": 844})
    page.goto("/games/new/frustration?" + "&".join(f"player=P{at}" for at in range(8)))
    expect(page.locator(".seating-row")).to_have_count(8)
    for answer in ("yes", "no"):
        expect(page.locator(f"label[for=keep-{answer}]")).to_be_in_viewport(ratio=1)


def test_whether_points_are_kept_stays_in_view_with_the_button_that_starts(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(locale=LONGER_WORDS)
    page.goto("/games/new/frustration")
    wanted = ".keeps h2, .keeps p, .keeps .tap-face, .dock .primary"
    page.locator("#typed").fill("Maximilienne, Ben, Cleo, Dora")
    page.locator("#typed").press("Enter")
    rows = page.locator(".seating-row")
    expect(rows).to_have_count(4)
    whole = page.locator(".seating-row, .dock")
    for size in (SMALL, TALL):
        resized(page, *size)
        *heights, bar = whole.evaluate_all("all => all.map(({ clientHeight }) => clientHeight)")
        assert max(heights) <= min(heights) + 1  # a long name stands beside what is tapped
        assert bar < 110
        for end in ("0", "document.documentElement.scrollHeight"):
            page.evaluate(f"scrollTo(0, {end})")
            assert not_in_view(page, wanted) == [], (size, end)


def test_a_tap_on_what_vanishes_opens_no_keyboard(phone: Page) -> None:
    phone.goto("/games/new/frustration")
    phone.locator("#typed").fill("Anna, Ben, Cleo")
    phone.locator("#typed").press("Enter")
    rows = phone.locator(".seating-row")
    for left in (2, 1, 0):
        rows.last.get_by_role("button", name="Remove").tap()
        expect(rows).to_have_count(left)
        expect(
            phone.locator(":is(input[type=text], textarea, input:not([type])):focus")
        ).to_have_count(0)
