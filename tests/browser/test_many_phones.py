"""Five phones at one table: everybody sees it live, and nothing that was entered is lost."""

import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import quote

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.at_the_table import (
    GameOnPhone,
    hears_nothing_new,
    is_the_phone_of,
    let_in,
    let_in_by_taps,
    reads,
)
from tests.waiting import wait_on_page, wait_with_page

NAMES = "Anna Ben Cleo Dora Emil"


@pytest.fixture
def table(new_phone: Callable[..., Page]) -> list[GameOnPhone]:
    """Five phones that may score, in round 1 of one game of Aggravation Rummy."""
    host = GameOnPhone(new_phone())
    host.start("Aggravation Rummy", NAMES)
    phones = [host]
    for _ in range(4):
        other = new_phone()
        let_in(host.page, other, "score")
        phones.append(GameOnPhone(other))
    return phones


def penalties(game: GameOnPhone) -> list[str]:
    fields = game.page.locator(".penalty-field")
    return [fields.nth(place).input_value() for place in range(fields.count())]


def shows_what(one: GameOnPhone, other: GameOnPhone) -> None:
    """Wait until a phone shows at least what another shows now."""
    version = "Number(document.querySelector('#game').dataset.version)"
    wait_on_page(one.page, f"(least) => {version} >= least", other.page.evaluate(version))


def test_all_five_enter_at_once_and_every_row_arrives(table: list[GameOnPhone]) -> None:
    table[0].goes_out("Anna")
    for game, name, points in zip(
        table[1:], NAMES.split()[1:], ("60", "65", "70", "75"), strict=True
    ):
        game.page.get_by_label(f"Points for {name}").fill(points)
    for game in table:
        expect(game.row("Anna").locator(".tap-out")).to_be_checked()
        for name, points in zip(NAMES.split()[1:], ("60", "65", "70", "75"), strict=True):
            expect(game.page.get_by_label(f"Points for {name}")).to_have_value(points)
    table[3].close(1)
    for game in table:
        expect(game.page.get_by_role("heading", name="Round 2")).to_be_visible()
        assert game.score_of("Emil") == 75


@pytest.mark.provokes(cut_off=True)
def test_a_phone_without_network_loses_no_row_and_doubles_none(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    _host, far = two
    far.page.context.set_offline(True)
    far.has_left_over("Anna", "5")
    far.has_left_over("Ben", "10")
    far.has_left_over("Cleo", "15")
    expect(far.row("Cleo").get_by_text("Not synced yet")).to_be_visible()
    far.page.context.set_offline(False)
    for game in two:
        for name, points in (("Anna", "5"), ("Ben", "10"), ("Cleo", "15")):
            expect(game.page.get_by_label(f"Points for {name}")).to_have_value(points)
    expect(far.page.locator(".row.unsent")).to_have_count(0)
    far.page.goto(far.page.url + "/activity")
    for said in ("Anna: 5 points", "Ben: 10 points", "Cleo: 15 points"):
        expect(far.page.get_by_text(said, exact=True)).to_have_count(1)


@pytest.mark.worker
@pytest.mark.provokes(cut_off=True)
def test_what_was_not_sent_survives_the_end_of_the_browser(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    context, address = far.page.context, far.page.url
    context.set_offline(True)
    far.has_left_over("Ben", "35")
    expect(far.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    far.page.close()
    context.set_offline(False)
    context.new_page().goto(address)
    expect(host.page.get_by_label("Points for Ben")).to_have_value("35")


@pytest.mark.provokes(cut_off=True)
def test_a_lost_answer_does_not_double_a_tap(two: tuple[GameOnPhone, GameOnPhone]) -> None:
    host, far = two
    lost: list[APIResponse] = []

    def lose_the_first_answer(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        return route.abort()

    far.page.route("**/row", lose_the_first_answer)
    far.has_left_over("Ben", "20")
    expect(host.page.get_by_label("Points for Ben")).to_have_value("20")
    expect(far.page.locator(".row.unsent")).to_have_count(0)
    far.page.unroute_all(behavior="wait")
    host.page.goto(host.page.url + "/activity")
    expect(host.page.get_by_text("Ben: 20 points")).to_have_count(1)
    assert lost[0].ok


@pytest.mark.provokes(409, cut_off=True)
def test_a_close_on_an_old_page_is_refused_and_says_what_changed_and_by_whom(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    is_the_phone_of(far.page, "Cleo")
    host.goes_out("Anna")
    for name in ("Ben", "Cleo"):
        host.has_left_over(name, "60")
    expect(far.row("Anna").locator(".tap-out")).to_be_checked()
    expect(far.page.get_by_label("Points for Cleo")).to_have_value("60")
    reads(far.page)
    hears_nothing_new(host.page)
    with far.page.expect_response("**/row"):
        far.has_left_over("Ben", "75")
    host.close(1)
    said = host.page.locator(".stale")
    expect(said).to_contain_text("The game was changed meanwhile")
    expect(said).to_contain_text("Cleo: Ben: 75 points (was 60)")
    expect(host.page.get_by_label("Points for Ben")).to_have_value("75")
    host.page.unroute_all(behavior="wait")
    host.close(1)
    expect(host.page.get_by_role("heading", name="Round 2")).to_be_visible()
    assert host.score_of("Ben") == 75


@pytest.mark.provokes(409, cut_off=True)
def test_a_close_with_a_tap_on_its_way_is_refused_where_another_device_changed_no_row(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    host.meets("Anna")
    host.has_left_over("Anna", "5")
    host.has_left_over("Ben", "10")
    expect(far.page.get_by_label("Points for Ben")).to_have_value("10")
    hears_nothing_new(host.page)
    with far.page.expect_response("**/row"):
        far.page.locator(".tap-face[for=out-nobody]").tap()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    host.page.route("**/row", hold)
    host.has_left_over("Cleo", "10")
    host.close(1)
    wait_with_page(host.page, lambda: held)
    for route in held:
        route.continue_()
    said = host.page.locator(".stale")
    expect(said).to_contain_text("The game was changed meanwhile")
    expect(said).to_contain_text("No one went out")


@pytest.mark.worker
@pytest.mark.provokes(409, cut_off=True)
def test_two_values_for_one_row_are_both_shown_and_a_person_chooses(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    far.page.context.set_offline(True)
    far.has_left_over("Ben", "30")
    expect(far.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    with host.page.expect_response("**/row"):
        host.has_left_over("Ben", "5")
    far.page.context.set_offline(False)
    asked = far.page.locator(".unsent-question")
    expect(asked).to_contain_text("Ben: 5 points")
    expect(asked).to_contain_text("Ben: 30 points")
    expect(host.page.get_by_label("Points for Ben")).to_have_value("5")
    far.page.reload()
    far.page.get_by_role("button", name="Use mine").tap()
    expect(host.page.get_by_label("Points for Ben")).to_have_value("30")
    expect(asked).to_have_count(0)


@pytest.mark.provokes(409, cut_off=True)
def test_what_was_entered_for_a_round_closed_meanwhile_is_offered_as_a_correction(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    far.page.context.set_offline(True)
    far.has_left_over("Ben", "35")
    expect(far.row("Ben").get_by_text("Not synced yet")).to_be_visible()
    host.play(1, "Anna", Ben="10", Cleo="10")
    far.page.context.set_offline(False)
    far.page.get_by_role("link", name="Edit round 1").tap()
    expect(far.page.get_by_label("Points for Ben")).to_have_value("35")
    far.page.get_by_role("button", name="Save round 1").tap()
    expect(far.page.get_by_role("heading", name="Round by round")).to_be_visible()
    host.page.bring_to_front()
    expect(host.row("Ben").locator(".score")).to_contain_text("35")
    far.page.goto(host.page.url)
    far.page.get_by_role("button", name="Dismiss").tap()
    expect(far.page.locator(".unsent-question")).to_have_count(0)


def test_focus_scroll_and_half_typed_input_survive_an_update_by_another_phone(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    field = far.page.get_by_label("Points for Cleo")
    field.tap()
    far.count_cards_of("Ben")
    field.focus()
    far.page.keyboard.type("1")  # the browser scrolls to where it types
    before = far.page.evaluate("() => window.scrollY")
    # The other phone changes rows, and this one hears of it between two keys.
    for number, sign in enumerate("0+1"):
        with host.page.expect_response("**/row"):
            host.meets("Ben")
        far.page.keyboard.type(sign)
        far.page.evaluate("() => document.dispatchEvent(new Event('live'))")
        expect(far.row("Ben").locator(".tap-met")).to_be_checked(checked=number % 2 == 0)
    far.page.keyboard.type("5")
    expect(far.row("Ben").locator(".tap-met")).to_be_checked()
    expect(field).to_be_focused()
    expect(field).to_have_value("10+15")
    expect(far.row("Ben").locator("details:not(.row-person)")).to_have_attribute("open", "")
    assert far.page.evaluate("() => window.scrollY") == before
    expect(host.page.get_by_label("Points for Cleo")).to_have_value("10+15")


def test_a_sum_is_sent_once_it_ends_with_a_number(two: tuple[GameOnPhone, GameOnPhone]) -> None:
    _host, far = two
    sent: list[str] = []
    far.page.on("request", lambda request: sent.append(request.post_data or ""))
    far.page.clock.install()
    far.page.get_by_label("Points for Cleo").tap()
    far.page.keyboard.type("10+")
    far.page.clock.run_for(2_000)
    assert not any("typed=" in body for body in sent)
    with far.page.expect_response("**/row"):
        far.page.keyboard.type("5")
        far.page.clock.run_for(2_000)
    assert ["typed=10%2B5" in body for body in sent if "typed=" in body] == [True]


@pytest.mark.provokes(422)
def test_half_a_sum_is_kept_as_it_is_typed_and_sent_when_its_field_is_left(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    """Left with what it held when it was entered, a field has not changed, as browsers see it."""
    _host, far = two
    field = far.page.get_by_label("Points for Cleo")
    far.page.clock.install()
    for typed in ("10+", "", "10+"):
        with far.page.expect_response("**/row") as sent:
            field.tap()
            field.press("ControlOrMeta+a")
            field.press("Backspace")
            far.page.keyboard.type(typed)
            assert typed in far.page.evaluate("localStorage.getItem('meldkeeper-outbox')")
            if typed:
                far.page.get_by_label("Points for Ben").tap()
            else:
                far.page.clock.run_for(2_000)
        assert f"typed={quote(typed)}&" in str(sent.value.request.post_data)


@pytest.mark.worker
@pytest.mark.provokes(cut_off=True)
def test_the_last_seen_state_stays_readable_and_is_right_again_with_the_network(
    two: tuple[GameOnPhone, GameOnPhone],
) -> None:
    host, far = two
    far.page.context.set_offline(True)
    host.play(1, "Anna", Ben="10", Cleo="10")
    expect(far.page.get_by_role("status").filter(has_text="You’re offline")).to_be_visible()
    expect(far.page.get_by_role("heading", name="Round 1")).to_be_visible()
    far.page.context.set_offline(False)
    expect(far.page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(far.page.get_by_role("status").filter(has_text="You’re offline")).to_be_hidden()


def test_what_others_changed_is_marked_and_announced(two: tuple[GameOnPhone, GameOnPhone]) -> None:
    host, far = two
    is_the_phone_of(far.page, "Ben")
    far.has_left_over("Ben", "20")
    expect(host.page.locator("#news")).to_have_text("Ben: Ben: 20 points")
    expect(host.row("Ben")).to_have_class(re.compile("changed"))


def test_my_row_comes_first_with_my_contract_large(two: tuple[GameOnPhone, GameOnPhone]) -> None:
    _host, far = two
    is_the_phone_of(far.page, "Cleo")
    first = far.page.locator("li.row").first
    expect(first.locator(".row-name")).to_have_text("Cleo")
    sizes = far.page.locator("li.row .contract-number").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert all(sizes[0] > other for other in sizes[1:])


@pytest.mark.provokes(404)
def test_a_phone_that_was_put_out_sees_nothing_more(two: tuple[GameOnPhone, GameOnPhone]) -> None:
    host, far = two
    host.page.goto("/group")
    host.page.get_by_role("button", name="Remove device").tap()
    expect(host.page.locator("main").get_by_text("was removed.")).to_be_in_viewport()
    told = re.compile(r"^a computer \(2\) was removed\. In the group since ")
    expect(host.page.locator("#announced")).to_have_text(told)
    expect(far.page.get_by_role("heading", name="This device was removed")).to_be_visible()


def test_who_comes_in_has_the_round_in_view_and_says_below_it_whose_phone_it_is(
    game: GameOnPhone, new_phone: Callable[..., Page]
) -> None:
    other = GameOnPhone(new_phone())
    let_in_by_taps(game.page, other.page, "Score")
    expect(other.page.locator("#close-round")).to_be_in_viewport()
    expect(other.page.locator("li.row").first).to_be_in_viewport(ratio=1)
    other.page.get_by_text("Whose device is this?").tap()
    other.tap(other.page.get_by_role("button", name="Cleo"))
    expect(other.page.locator("li.row").first).to_contain_text("Cleo")
    expect(other.page.get_by_text("Whose device is this?")).to_have_count(0)


def test_who_may_only_watch_sees_the_round_live_and_has_nothing_to_tap(
    new_phone: Callable[..., Page],
) -> None:
    host, watcher = GameOnPhone(new_phone()), new_phone()
    host.start("Aggravation Rummy", "Anna Ben Cleo")
    let_in(host.page, watcher, "watch")
    watcher.get_by_text("Whose device is this?").tap()
    watcher.get_by_role("button", name="No one").tap()
    host.goes_out("Ben")
    expect(watcher.locator("li.row:has(.row-name:text('Ben'))")).to_contain_text("went out")
    expect(
        watcher.locator("form:not(.languages, #claim), input:not([type=hidden]):not(.switch)")
    ).to_have_count(0)


def test_the_big_screen_keeps_itself_current_without_scrolling(
    new_phone: Callable[..., Page],
) -> None:
    host = GameOnPhone(new_phone())
    host.start("Aggravation Rummy", "Anna Ben Cleo Dora Emil Finn Gina")
    television = host.page.context.new_page()
    television.set_viewport_size({"width": 1280, "height": 720})
    television.goto(host.page.url + "/screen")
    host.page.bring_to_front()
    host.goes_out("Anna")
    television.bring_to_front()
    expect(television.locator(".screen-row", has_text="Anna")).to_contain_text("went out")
    height = television.evaluate("() => document.documentElement.scrollHeight")
    assert height <= 720
    sizes = television.locator(".screen-name").evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 24
    expect(television.locator("button, input, form")).to_have_count(0)


@pytest.mark.provokes(422)
def test_a_join_code_ends_when_its_page_is_left(new_phone: Callable[..., Page]) -> None:
    host, other = GameOnPhone(new_phone()), new_phone()
    host.start("Aggravation Rummy", "Anna Ben Cleo")
    host.page.goto("/group/invite")
    host.page.get_by_role("button", name="Score").tap()
    code = host.page.locator(".code").inner_text()
    host.page.get_by_role("link", name="Back").tap()
    expect(host.page.get_by_role("heading", name="Devices", exact=True)).to_be_visible()
    other.goto("/join")
    other.get_by_label("Code").fill(code)
    other.get_by_role("button", name="Join").tap()
    expect(other.locator(".fault")).to_contain_text("That code is wrong")
    expect(other.get_by_label("Code")).to_have_value(code)


def test_versions_only_go_up_on_a_page(two: tuple[GameOnPhone, GameOnPhone]) -> None:
    """A late answer to an old question never turns the page back."""
    host, far = two
    far.page.evaluate(
        """() => {
            window.versions = [];
            document.addEventListener("live:after", () => window.versions.push(
                Number(document.querySelector("#game").dataset.version)));
        }"""
    )
    for name in ("Ben", "Cleo", "Ben", "Cleo"):
        with host.page.expect_response("**/row"):
            host.meets(name)
        far.meets("Anna")
    shows_what(far, host)
    versions = far.page.evaluate("() => window.versions")
    assert len(versions) > 2
    assert all(before <= after for before, after in pairwise(versions))
