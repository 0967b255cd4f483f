"""No tap is lost where each is answered with the form anew, however soon the next one follows."""

from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.at_the_table import GameOnPhone, hears_nothing_new, let_in, reads, sent
from tests.browser.looking import still
from tests.waiting import wait_on_page, wait_with_page

ALL_IS_SELECTED = """() => {
  const { selectionStart, selectionEnd } = document.activeElement;
  return selectionStart === 0 && selectionEnd > 0;
}"""


def _held(phone: Page, address: str, method: str = "POST") -> Callable[[], None]:
    """Hold up what is asked of an address, until what is returned is called."""
    waiting: list[Route] = []
    released: list[bool] = []

    def hold(route: Route) -> None:
        if route.request.method == method and not released:
            waiting.append(route)
        else:
            route.continue_()

    def release() -> None:
        released.append(True)
        for route in waiting:
            route.continue_()

    phone.route(address, hold)
    return release


def test_quick_taps_at_setup_are_all_done(phone: Page) -> None:
    GameOnPhone(phone).start("Frustration Rummy", "Anna Ben Cleo Dora")
    phone.goto("/games/new/frustration-rummy")
    names, setup = phone.locator(".seating-name"), "**/games/new/frustration-rummy"
    release = _held(phone, setup)
    for name in ("Anna", "Ben", "Cleo"):
        phone.get_by_role("button", name=f"+ {name}").tap()
    release()
    expect(names).to_have_text(["Anna", "Ben", "Cleo"])

    release = _held(phone, setup)
    phone.get_by_role("button", name="+ Dora").tap()
    phone.locator(".seating-row", has_text="Ben").locator(".deals-face").tap()
    phone.get_by_role("button", name="Remove Anna").tap()
    phone.get_by_role("button", name="Move Cleo up").tap()
    phone.locator("label[for=keep-yes]").tap()
    phone.locator("#rule-last_contract").select_option("5")
    phone.get_by_label("Add players").fill("Emil")
    phone.get_by_label("Add players").press("Enter")
    release()
    expect(names).to_have_text(["Cleo", "Ben", "Dora", "Emil"])
    expect(phone.locator(".seating-row", has_text="Ben").locator("[name=dealer]")).to_be_checked()
    expect(phone.locator("#keep-yes")).to_be_checked()
    expect(phone.locator("#rule-last_contract")).to_have_value("5")
    expect(phone.get_by_label("Add players")).to_have_value("")

    release = _held(phone, "**/games")
    for _ in range(2):
        phone.get_by_role("button", name="Start game").tap()
    release()
    expect(phone.get_by_role("heading", name="Round 1")).to_be_visible()
    phone.goto("/")
    expect(phone.locator("main .game-card")).to_have_count(2)


NOTES_ANSWERS = """document.addEventListener("htmx:afterOnLoad", () => {
  document.documentElement.dataset.answered = "yes";
})"""


@pytest.mark.provokes(422)
def test_an_answer_that_comes_late_asks_nothing_that_was_said_meanwhile(game: GameOnPhone) -> None:
    phone = game.page
    for name in ("Ben", "Cleo"):
        with phone.expect_response("**/row"):
            game.has_left_over(name, "75")
    phone.evaluate(NOTES_ANSWERS)
    hears_nothing_new(phone)
    ends: list[tuple[Route, APIResponse]] = []
    phone.route("**/close", lambda route: ends.append((route, route.fetch())))
    game.close(1)
    wait_with_page(phone, lambda: ends)
    with phone.expect_response("**/row"):
        game.goes_out("Anna")
    expect(game.row("Anna").locator(".tap-out")).to_be_checked()
    [(route, asks_who_went_out)] = ends
    assert "who-out" in asks_who_went_out.text()
    route.fulfill(response=asks_who_went_out)
    wait_on_page(phone, "document.documentElement.dataset.answered")
    expect(phone.locator("#who-out")).to_have_count(0)
    phone.unroute_all(behavior="ignoreErrors")
    game.close(1)
    expect(phone.get_by_role("button", name="Reopen round 1")).to_be_visible()


TAPS_WHAT_COMES = """document.addEventListener("htmx:afterSettle", () => {
  if (document.documentElement.dataset.tapped) return;
  const button = document.querySelector(".dock .primary");
  button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  button.click();
  document.documentElement.dataset.tapped = button.textContent.trim();
})"""


@pytest.mark.parametrize(
    ("last", "comes", "does"),
    [
        pytest.param("10", "End round 2", "#who-out", marks=pytest.mark.provokes(422)),
        ("1", "Play again, same seats", "#deal-1"),
    ],
)
def test_the_second_of_two_quick_taps_on_the_end_of_a_round_does_nothing(
    phone: Page, last: str, comes: str, does: str
) -> None:
    fields = {"variant": "frustration", "player": ["Anna", "Ben"], "rule-last_contract": last}
    phone.goto(sent(phone, "/games", fields).headers["location"])
    game, address = GameOnPhone(phone), phone.url
    game.goes_out("Anna")
    phone.evaluate(TAPS_WHAT_COMES)
    asked: list[str] = []
    phone.on("request", lambda one: asked.append(one.url) if one.method == "POST" else None)
    game.close(1)
    wait_on_page(phone, "document.documentElement.dataset.tapped")
    assert phone.locator("html").get_attribute("data-tapped") == comes
    reads(phone)
    assert [one.rpartition("/")[2] for one in asked if not one.endswith("/row")] == ["close"]
    assert phone.url == address
    phone.get_by_role("button", name=comes).tap()
    expect(phone.locator(does)).to_be_visible()


def test_seats_are_saved_as_they_were_just_arranged(game: GameOnPhone) -> None:
    phone = game.page
    game.from_menu("Dealer and seats")
    release = _held(phone, "**/seats/arrange")
    phone.get_by_role("button", name="Move Ben up").tap()
    phone.get_by_role("button", name="Save seats").tap()
    release()
    expect(phone.locator(".row-name")).to_have_text(["Ben", "Anna", "Cleo"])


def test_what_is_typed_while_other_fields_are_asked_for_stays(game: GameOnPhone) -> None:
    phone = game.page
    game.from_menu("Who plays")
    phone.get_by_text("Seat and start").tap()
    release = _held(phone, "**/players?*", "GET")
    phone.get_by_label("Name", exact=True).fill("Dora")
    with phone.expect_response("**/players?*"):
        with phone.expect_request("**/players?*"):
            phone.locator("#contract-other").tap()
        number = phone.locator("[name=other_contract]")
        number.fill("2")
        release()
    still(phone)
    expect(number).to_be_focused()
    expect(number).to_have_value("2")
    phone.get_by_role("button", name="Add to the game").tap()
    expect(phone.locator("body")).to_contain_text("Dora joins you: contract 2")


def test_a_count_of_cards_that_is_typed_takes_the_place_of_what_stood_there(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    game.count_cards_of("Ben")
    count = game.row("Ben").locator(".stepper").filter(has_text="15 each").locator(".count")
    for typed in ("3", "04"):  # a nought before it says nothing
        count.tap()
        wait_on_page(phone, ALL_IS_SELECTED)
        phone.keyboard.type(typed)
        phone.keyboard.press("Tab")
        expect(count).to_have_value(typed[-1])
        expect(phone.get_by_label("Points for Ben")).to_have_value(str(15 * int(typed)))


@pytest.mark.parametrize("then", ["Ben", "Cleo", "No one went out"])
def test_points_stand_again_when_going_out_was_taken_back_before_it_was_sent(
    game: GameOnPhone, then: str
) -> None:
    """Who is tapped as going out shows no points, before the table knows of it."""
    phone = game.page
    with phone.expect_response("**/row"):
        game.has_left_over("Ben", "15")
    hears_nothing_new(phone)
    release = _held(phone, "**/row")
    game.meets("Cleo")
    game.goes_out("Ben")
    expect(phone.get_by_label("Points for Ben")).to_have_value("")
    if then == "No one went out":
        phone.locator("#nobody").get_by_text(then).tap()
    else:
        game.goes_out(then)
    release()
    expect(phone.get_by_label("Points for Ben")).to_have_value("15")


@pytest.mark.provokes(cut_off=True)
def test_a_second_tap_takes_back_who_went_out(phone: Page, new_phone: Callable[..., Page]) -> None:
    game = GameOnPhone(phone)
    game.start("Garbage Rummy", "Anna Ben Cleo")
    other = new_phone()
    let_in(phone, other, "score")
    theirs, chosen = other.locator(".tap-out:checked"), phone.locator(".tap-out:checked")
    for name in ("Went out", "No one went out"):
        face = phone.locator("#round .tap-face.out", has_text=name).first
        face.tap()
        expect(theirs).to_have_count(1)
        face.tap()
        expect(chosen).to_have_count(0)
        expect(theirs).to_have_count(0)
    expect(phone.locator("#announced")).to_have_text("Undone: no one went out")
    expect(phone.locator(".penalty-field:visible")).to_have_count(3)
    out = phone.locator("#round .tap-out")
    out.first.focus()
    phone.keyboard.press("Space")
    expect(theirs).to_have_count(1)
    phone.keyboard.press("ArrowDown")
    expect(out.nth(1)).to_be_focused()
    phone.keyboard.press("ArrowUp")
    expect(out.first).to_be_checked()
    phone.context.set_offline(True)
    phone.keyboard.press("Space")
    expect(chosen).to_have_count(0)
    expect(phone.locator("li.row.unsent")).to_have_count(1)
    phone.context.set_offline(False)
    expect(theirs).to_have_count(0)
    phone.reload()
    expect(phone.locator("#round")).to_be_visible()
    expect(chosen).to_have_count(0)
