"""The table's screens on a phone: few taps, nothing lost. How they look: `test_every_screen`."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.at_the_table import GameOnPhone
from tests.browser.looking import RESTS
from tests.waiting import wait_on_page, wait_with_page

NAMES = "Anna Ben Cleo Dominique"


@pytest.fixture
def game(phone: Page) -> GameOnPhone:
    game = GameOnPhone(phone)
    game.start("Frustration", NAMES)
    return game


@pytest.fixture
def scored(phone: Page) -> GameOnPhone:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", NAMES)
    return game


def test_a_round_of_four_without_scoring_takes_two_taps_and_one_for_each_who_met(
    game: GameOnPhone,
) -> None:
    before = game.taps
    game.play(1, "Anna", "Ben Cleo")
    assert game.taps - before == 2 + 2


def test_a_new_game_is_running_within_a_few_taps(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.set_up("Frustration", NAMES)
    assert game.taps == 3


def test_the_tour_is_skipped_by_one_tap_and_names_stay(phone: Page) -> None:
    phone.goto("/games/new/frustration")
    phone.get_by_label("Add players").fill("Anna, Ben")
    phone.get_by_text("How to play, in 3 steps").tap()
    expect(phone.locator(".tour-card")).to_have_count(3)
    for card in phone.locator(".tour-card").all():  # none beside the screen
        box = card.bounding_box()
        assert box["x"] + box["width"] <= 360
    phone.get_by_role("button", name="Skip for good").tap()
    expect(phone.locator("#announced")).to_have_text("Skipped. You find it under Rules.")
    expect(phone.get_by_label("Add players")).to_have_value("Anna, Ben")
    phone.reload()
    expect(phone.get_by_text("How to play, in 3 steps")).to_have_count(0)


def test_a_penalty_typed_just_before_closing_is_not_lost(scored: GameOnPhone) -> None:
    scored.goes_out("Anna")
    for name in ("Ben", "Cleo", "Dominique"):
        scored.page.get_by_label(f"Points for {name}").tap()
        scored.page.keyboard.type("30+45")
    scored.close(1)
    expect(scored.page.get_by_role("heading", name="Round 2")).to_be_visible()
    assert scored.score_of("Dominique") == 75


def test_typing_goes_on_undisturbed_while_a_tap_is_answered(scored: GameOnPhone) -> None:
    page = scored.page
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/row", hold_the_first)
    scored.meets("Ben")
    page.get_by_label("Points for Ben").tap()
    page.keyboard.type("3")
    wait_with_page(page, lambda: held)
    with page.expect_response("**/row"):
        held[0].continue_()
    with page.expect_response("**/row"):
        page.keyboard.type("5")
    expect(page.get_by_label("Points for Ben")).to_have_value("35")
    expect(page.get_by_label("Points for Ben")).to_be_focused()


def test_counting_the_cards_left_makes_the_penalty(scored: GameOnPhone) -> None:
    scored.count_cards_of("Ben")
    aces = scored.row("Ben").locator(".stepper").filter(has_text="15 each")
    aces.get_by_role("button", name="One more: ").tap()
    aces.get_by_role("button", name="One more: ").tap()
    expect(scored.page.get_by_label("Points for Ben")).to_have_value("30")


def test_counting_for_the_last_player_leads_on_to_the_end_of_the_round(scored: GameOnPhone) -> None:
    page, counting = scored.page, scored.page.locator(".counting[open]")
    scored.goes_out("Anna")
    scored.count_cards_of("Ben")
    expect(counting.get_by_role("button", name="Next player")).to_be_visible()
    counting.get_by_role("button", name="Done").tap()
    for name in ("Ben", "Dominique"):
        scored.has_left_over(name, 20)
    scored.count_cards_of("Cleo")
    with page.expect_response("**/row"):
        counting.get_by_role("button", name="One more: 10 J Q K, Cleo").tap()
    expect(page.get_by_label("Points for Cleo")).to_have_value("10")
    expect(counting.get_by_role("button", name="Next player")).to_be_hidden()
    counting.get_by_role("button", name="Done").tap()
    expect(counting).to_have_count(0)
    expect(page.locator("#close-round")).to_be_focused()


@pytest.mark.provokes(422)
def test_what_was_wrong_in_an_edit_is_unsaid_as_it_is_put_right(scored: GameOnPhone) -> None:
    page, lacking = scored.page, scored.page.locator(".row.lacks-points")
    faults = page.locator(".said .fault, [aria-invalid]")
    scored.play(1, "Anna", Ben=15, Cleo=30, Dominique=10)
    page.goto(f"{page.url}/rounds/1")
    save = page.locator("#save-round")
    for name, missing in (("Ben", "1 player’s points"), ("Cleo", "2 players’ points")):
        scored.has_left_over(name, "")
        expect(save).to_have_text(f"{missing} missing")
    expect(save).to_contain_class("waits")
    save.tap()
    expect(lacking).to_have_count(2)
    expect(faults).to_have_count(2)
    expect(save).to_have_text("2 players’ points missing")
    scored.has_left_over("Ben", 20)
    expect(save).to_have_text("1 player’s points missing")
    expect(lacking).to_have_count(1)
    expect(faults).to_have_count(0)
    scored.goes_out("Anna")
    expect(page.locator(".tap-out:checked")).to_have_count(0)
    expect(scored.row("Anna").locator(".tap-met")).to_be_checked()
    scored.goes_out("Cleo")
    expect(lacking).to_contain_text("Anna")
    scored.has_left_over("Anna", 5)
    expect(lacking).to_have_count(0)
    page.get_by_role("button", name="Save round 1").tap()
    expect(page.get_by_role("heading", name="Round by round")).to_be_visible()
    expect(page.get_by_role("link", name="Back to the game")).to_be_in_viewport()


def test_a_round_is_edited_in_one_measure_also_once_a_game_is_over(scored: GameOnPhone) -> None:
    page, game = scored.page, scored.page.url
    page.set_viewport_size({"width": 1280, "height": 800})
    scored.play(1, "Anna", Ben=15, Cleo=30, Dominique=10)
    assert _measure(page, f"{game}/rounds/1") == 80 * 16
    page.goto(f"{game}/stop")
    page.get_by_role("button", name="Stop with this result").tap()
    expect(page.get_by_role("heading", name="wins!")).to_be_visible()
    assert _measure(page, f"{game}/rounds/1") == 80 * 16


def _measure(page: Page, address: str) -> float:
    page.goto(address)
    box = page.locator("main").bounding_box()
    assert box
    return box["width"]


def test_the_next_possible_sums_are_offered_for_a_penalty_that_no_hand_makes(
    scored: GameOnPhone,
) -> None:
    scored.has_left_over("Ben", "12")
    scored.row("Ben").get_by_role("button", name="10", exact=True).tap()
    expect(scored.page.get_by_label("Points for Ben")).to_have_value("10")
    expect(scored.row("Ben").locator(".doubt")).to_have_count(0)


@pytest.mark.provokes(422)
def test_an_odd_round_is_closed_by_a_second_press(scored: GameOnPhone) -> None:
    scored.goes_out("Anna")
    for name in ("Ben", "Cleo", "Dominique"):
        scored.meets(name)
        scored.has_left_over(name, "12" if name == "Ben" else "10")
    scored.close(1)
    anyway = scored.page.get_by_role("button", name="End round anyway")
    assert (
        _ground(anyway)
        == _ground(scored.row("Ben"))
        == _ground(scored.page.locator("#foot-said > .doubt"))
    )
    scored.has_left_over("Cleo", "15")
    scored.page.keyboard.press("Enter")
    expect(scored.page.get_by_label("Points for Cleo")).to_have_value("15")
    assert _ground(anyway) == _ground(scored.row("Ben")) != _ground(scored.row("Cleo"))
    anyway.tap()
    expect(scored.page.get_by_role("heading", name="Round 2")).to_be_visible()
    assert scored.score_of("Ben") == 12


def _ground(where: Locator) -> str:
    expect(where).to_be_visible()
    wait_on_page(where.page, RESTS)
    return where.evaluate("one => getComputedStyle(one).backgroundColor")


def test_taps_are_kept_though_the_page_is_loaded_again(game: GameOnPhone) -> None:
    game.meets("Ben")
    with game.page.expect_response(
        lambda answer: "changed=out" in (answer.request.post_data or "")
    ):
        game.goes_out("Cleo")
    expect(game.row("Cleo").locator(".tap-out")).to_be_checked()
    game.page.reload()
    expect(game.row("Cleo").locator(".tap-out")).to_be_checked()
    expect(game.row("Ben").locator(".tap-met")).to_be_checked()


def test_the_last_close_is_undone_with_one_tap(game: GameOnPhone) -> None:
    game.play(1, "Anna", "Ben")
    before = game.taps
    game.tap(game.page.get_by_role("button", name="Reopen round 1"))
    expect(game.page.get_by_role("heading", name="Round 1")).to_be_visible()
    assert game.taps - before == 1
    expect(game.row("Ben").locator(".tap-met")).to_be_checked()


def test_the_board_shows_the_standing_at_a_tap(game: GameOnPhone) -> None:
    game.play(1, "Dominique", "Cleo")
    game.from_menu("Standings")
    expect(game.page.locator(".row-name").first).to_have_text("Cleo")
    game.from_menu("Seating order")
    expect(game.page.locator(".row-name").first).to_have_text("Anna")


def test_a_players_page_begins_with_the_answer_and_its_bars_begin_below_each_other(
    phone: Page,
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    for number, met in enumerate(("", "Ben", "Ben", ""), 1):
        assert game.plain.close_anyway(number, out="Anna", met=met).status_code == 303
    stopped = game.plain.client.post(f"/games/{game.plain.key}/stop", {"result": "yes"})
    assert stopped.status_code == 303
    phone.goto("/players")
    phone.get_by_role("link", name="Ben").tap()
    folds = phone.locator("#mark, .filters")
    expect(folds).to_have_count(2)
    tops = folds.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(set(tops)) == 1
    assert phone.locator(".tiles").bounding_box()["y"] < 200
    bars = phone.locator("#contracts tbody .progress")
    starts = bars.evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)")
    assert len(starts) > 1
    assert len(set(starts)) == 1


def test_the_seats_are_ordered_by_dragging_and_by_arrows(phone: Page) -> None:
    phone.goto("/games/new/frustration")
    phone.get_by_label("Add players").fill("Anna, Ben, Cleo")
    phone.get_by_role("button", name="Add", exact=True).tap()
    names = phone.locator(".seating-name")
    expect(names).to_have_text(["Anna", "Ben", "Cleo"])
    phone.get_by_role("button", name="Move Cleo up").tap()
    expect(names).to_have_text(["Anna", "Cleo", "Ben"])
    grip = phone.locator(".seating-row", has_text="Anna").locator(".grip")
    grip.hover()
    phone.mouse.down()
    last = phone.locator(".seating-row", has_text="Ben").bounding_box()
    phone.mouse.move(last["x"] + 10, last["y"] + last["height"], steps=6)
    phone.mouse.up()
    expect(names).to_have_text(["Cleo", "Ben", "Anna"])
    expect(phone.locator(".seating-row", has_text="Anna").locator("[name=dealer]")).to_be_checked()


def test_names_that_were_added_are_in_view_above_the_field_and_folds_stay_open(
    phone: Page,
) -> None:
    phone.set_viewport_size({"width": 360, "height": 640})
    phone.goto("/games/new/garbage-rummy")
    for fold in ("The 11 contracts", "How to play, in 3 steps"):
        phone.get_by_text(fold).tap()
    names = phone.get_by_label("Add players")
    names.fill("Anna, Ben, Cleo, Dan")
    phone.get_by_role("button", name="Add", exact=True).tap()
    for name in phone.locator(".seating-name").all():
        expect(name).to_be_in_viewport()
    expect(names).to_be_focused()
    expect(phone.locator(".fold[open]")).to_have_count(2)


def test_what_a_name_opens_is_in_view_and_moves_nothing(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Garbage Rummy", "Anna Ben Cleo Dan")
    for width, height in ((360, 640), (844, 390)):
        phone.set_viewport_size({"width": width, "height": height})
        phone.evaluate("scrollTo(0, document.body.scrollHeight)")
        before = phone.evaluate("scrollY"), game.page.locator(".dock").bounding_box()
        game.row("Dan").locator(".row-head").tap()
        expect(game.row("Dan").locator(".person-menu")).to_be_in_viewport(ratio=1)
        assert (phone.evaluate("scrollY"), game.page.locator(".dock").bounding_box()) == before
        phone.keyboard.press("Escape")


def test_players_typed_once_are_offered_ever_after(game: GameOnPhone) -> None:
    game.page.goto("/games/new/frustration")
    game.page.get_by_role("button", name="+ Cleo").tap()
    expect(game.page.locator(".seating-name")).to_have_text(["Cleo"])


def test_a_whole_round_is_played_with_scripts_switched_off(new_phone: Callable[..., Page]) -> None:
    phone = new_phone(java_script_enabled=False)
    game = GameOnPhone(phone)
    game.set_up("Aggravation Rummy", "Anna Ben Cleo")
    game.play(1, "Anna", "Ben", Ben="10+5", Cleo="30")
    assert (game.contract_of("Ben"), game.score_of("Cleo")) == ("2", 30)


def test_another_browser_sees_nothing_of_the_game(
    game: GameOnPhone, new_phone: Callable[..., Page]
) -> None:
    stranger = new_phone()
    stranger.goto("/")
    expect(stranger.get_by_role("link", name="Frustration")).to_have_count(0)


@pytest.mark.provokes(cut_off=True)
def test_a_lost_connection_is_said_and_what_was_tapped_stays(game: GameOnPhone) -> None:
    game.page.context.set_offline(True)
    game.meets("Ben")
    expect(game.page.locator("#notice")).to_be_visible()
    expect(game.row("Ben").locator(".tap-met")).to_be_checked()
    game.page.context.set_offline(False)
    game.play(1, "Anna")
    assert game.contract_of("Ben") == "2"


def test_a_page_opens_at_its_top_though_a_penalty_looks_odd(scored: GameOnPhone) -> None:
    scored.has_left_over("Dominique", "12")
    expect(scored.row("Dominique").get_by_text("Not 12")).to_be_visible()
    scored.page.goto(scored.page.url)
    expect(scored.row("Dominique").get_by_text("Not 12")).to_be_visible()
    assert scored.page.evaluate("scrollY") == 0


FOCUSED = """(wanted) => {
    const one = document.activeElement;
    const faces = [one, ...document.querySelectorAll(`label[for="${one.id}"]`)];
    const shown = faces.some((face) => getComputedStyle(face).outlineStyle !== "none");
    return [one.matches(wanted), shown || one === document.body, one.outerHTML.slice(0, 90)];
}"""


def press_until(page: Page, key: str, wanted: str) -> None:
    """Press a key until what is focused matches; each stop on the way must show that it is."""
    for _ in range(120):
        page.keyboard.press(key)
        matches, shown, html = page.evaluate(FOCUSED, wanted)
        assert shown, html
        if matches:
            return
    raise AssertionError(f"{wanted} is not reached by {key}")


def test_a_round_is_entered_and_closed_by_keyboard_alone(new_phone: Callable[..., Page]) -> None:
    page = new_phone(has_touch=False, is_mobile=False)
    page.goto("/games/new/aggravation-rummy")
    page.get_by_label("Add players").fill("Anna, Ben, Cleo")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Anna", exact=True)).to_be_visible()
    press_until(page, "Tab", ".button.primary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    press_until(page, "Tab", ".tap-out")
    page.keyboard.press("Space")
    expect(page.locator(".tap-out").first).to_be_checked()
    press_until(page, "Tab", ".penalty-field")
    page.keyboard.type("75")
    press_until(page, "Tab", ".penalty-field")
    page.keyboard.type("80")
    press_until(page, "Tab", "#close-round")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()


def test_back_and_a_link_from_elsewhere_lead_where_they_should(
    scored: GameOnPhone, new_phone: Callable[..., Page]
) -> None:
    page, game = scored.page, scored.page.url
    scored.from_menu("Who plays")
    expect(page.get_by_role("heading", name="Add player")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    assert page.url == game
    page.go_forward()
    expect(page.get_by_role("heading", name="Add player")).to_be_visible()
    elsewhere = new_phone()
    elsewhere.goto("/rules/frustration?words=ace#wild-limit")
    expect(elsewhere.get_by_role("heading", name="Frustration")).to_be_visible()


def test_the_theme_is_the_right_one_from_the_first_picture_on(
    new_phone: Callable[..., Page],
) -> None:
    dark = new_phone(color_scheme="dark", java_script_enabled=False)
    dark.goto("/")
    assert dark.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 26, 22)"


COUNTS_DEALS = """() => {
    const counted = document.documentElement.dataset;
    counted.deals = 0;
    new MutationObserver((changes) => {
        const dealt = changes.some(({ target }) => target.matches("html.dealt"));
        if (dealt) counted.deals = Number(counted.deals) + 1;
    }).observe(document, { attributes: true, attributeFilter: ["class"], subtree: true });
}"""


@pytest.mark.motion
def test_the_cards_of_a_new_round_are_dealt_unless_animations_are_switched_off(
    game: GameOnPhone,
) -> None:
    page = game.page
    page.evaluate(COUNTS_DEALS)
    game.play(1, out="Anna", met="Ben")
    expect(page.locator("html[data-deals='1']")).to_have_count(1)
    expect(page.locator("html.dealt")).to_have_count(0)
    game.switch("Animations")
    expect(page.locator("html.still")).to_have_count(1)
    game.play(2, out="Anna", met="Ben")
    expect(page.locator("html[data-deals='1']")).to_have_count(1)
    page.reload()
    expect(page.locator("html.still")).to_have_count(1)


STOPS_ELSEWHERE = """(result) => fetch(`${location.pathname}/stop`, {
    method: "POST",
    headers: { "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content },
    body: new URLSearchParams({ result }),
}).then(() => null)"""


@pytest.mark.motion
def test_suits_are_showered_on_who_won_and_on_no_one_else(game: GameOnPhone) -> None:
    page = game.page
    game.play(1, out="Anna", met="Ben")
    page.evaluate(STOPS_ELSEWHERE, "no")
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(page.locator(".confetti")).to_have_count(0)
    page.get_by_role("button", name="Play on").tap()
    expect(page.locator("#round")).to_be_visible()
    page.evaluate(STOPS_ELSEWHERE, "yes")
    expect(page.locator(".confetti")).to_have_count(1)


def test_a_phone_buzzes_for_who_goes_out_until_that_is_switched_off(phone: Page) -> None:
    phone.add_init_script(
        "globalThis.buzzes = 0;"
        "navigator.vibrate = (pattern) => { buzzes += pattern.length > 1 ? 1 : 0; return true; };"
    )
    game = GameOnPhone(phone)
    game.start("Frustration Rummy", "Anna Ben")
    game.goes_out("Anna")
    assert phone.evaluate("buzzes") == 1
    game.switch("Vibration")
    game.goes_out("Ben")
    assert phone.evaluate("buzzes") == 1


@pytest.mark.provokes(422)
def test_a_round_of_four_with_points_is_asked_for_step_by_step_in_twelve_taps(
    scored: GameOnPhone,
) -> None:
    page, before = scored.page, scored.taps
    scored.close(1)
    scored.tap(page.get_by_role("button", name="Anna", exact=True))
    for name, points in {"Ben": "65", "Cleo": "70", "Dominique": "85"}.items():
        expect(page.get_by_label(f"Points for {name}")).to_be_focused()
        if name == "Cleo":
            expect(page.locator("#close-round")).to_have_text("2 players’ points missing")
        page.keyboard.type(points)
        page.keyboard.press("Enter")
        scored.taps += len(points) + 1
    scored.close(1)
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    assert scored.taps - before <= 12


@pytest.mark.provokes(422)
def test_whose_points_are_missing_is_where_the_round_goes_on(scored: GameOnPhone) -> None:
    scored.goes_out("Anna")
    scored.has_left_over("Ben", 25)
    scored.tap(scored.page.get_by_role("button", name="2 players’ points missing"))
    expect(scored.page.get_by_label("Points for Cleo")).to_be_focused()
    expect(scored.row("Cleo").get_by_text("Points unknown")).to_be_visible()
    expect(scored.page.get_by_text("Points unknown")).to_have_count(1)
