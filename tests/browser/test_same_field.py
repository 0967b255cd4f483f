"""Two phones on one field: what either says stays whole, and where they differ one is asked."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.at_the_table import GameOnPhone, all_is_sent, is_the_phone_of, let_in, reads
from tests.browser.looking import resized
from tests.waiting import wait_on_page

Says = Callable[[GameOnPhone], None]


def types(text: str) -> Says:
    return lambda game: game.page.keyboard.type(text)


def presses_space(game: GameOnPhone) -> None:
    game.page.keyboard.press("Space")


def counts(game: GameOnPhone) -> None:
    game.row("Ben").locator(".counting [data-step='1']").first.tap()


FIELDS: dict[str, tuple[str, Says, Says, str, str]] = {
    "points": (
        "[name$=-typed]",
        lambda game: game.has_left_over("Ben", "85"),
        types("70"),
        "Ben: 85 points",
        "Ben: 70 points",
    ),
    "a sum": (
        "[name$=-typed]",
        lambda game: game.has_left_over("Ben", "85"),
        types("+5"),
        "Ben: 85 points",
        r"Ben: .*\+5",
    ),
    "counted cards": (
        ".counting > summary",
        lambda game: game.has_left_over("Ben", "85"),
        counts,
        "Ben: 85 points",
        r"Ben: \d+ points",
    ),
    "buys": (
        "[name$=-buys]",
        lambda game: game.tap(game.row("Ben").locator(".row-buys button")),
        types("3"),
        "Ben: 1 buy",
        "Ben: 3 buys",
    ),
    "laid down": (
        ".tap-met",
        lambda game: game.meets("Ben"),
        presses_space,
        "Ben laid down",
        "Ben .*lay down",
    ),
    "went out": (
        ".tap-out",
        lambda game: game.goes_out("Ben"),
        presses_space,
        "Ben went out",
        "Nothing entered",
    ),
}
"""What the finger is in, what another phone says of it then, what is said here, and the words."""


@pytest.fixture
def pair(phone: Page, new_phone: Callable[..., Page]) -> tuple[GameOnPhone, GameOnPhone]:
    game, other = GameOnPhone(phone), new_phone()
    game.start("Shanghai Rummy", "Anna Ben Cleo")
    let_in(phone, other, "score")
    return game, GameOnPhone(other)


def begins_anew(pair: tuple[GameOnPhone, GameOnPhone], rule_set: str) -> None:
    """Another game of both, in its first round."""
    game, other = pair
    game.start(rule_set, "Anna Ben Cleo")
    other.page.goto(game.page.url)


@pytest.mark.provokes(409)
def test_what_is_said_where_the_finger_was_before_others_spoke_is_asked_and_never_mixed(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    asked = game.page.locator(".unsent-question")
    for field, (where, theirs, mine, their_words, my_words) in FIELDS.items():
        begins_anew(pair, "Shanghai Rummy")
        place = game.row("Ben").locator(where)
        if where.endswith("summary"):
            place.tap()
        else:
            place.focus()
        before = game.page.locator("#game").get_attribute("data-version")
        theirs(other)
        expect(game.page.locator(f"#game:not([data-version='{before}'])")).to_be_attached()
        mine(game)
        expect(asked.locator("dd").first, field).to_contain_text(their_words)
        expect(asked.locator("dd").last, field).to_have_text(re.compile(my_words))
        expect(other.page.locator(".unsent-question"), field).to_have_count(0)
        asked.get_by_role("button", name="Keep theirs").tap()
        expect(asked, field).to_have_count(0)
        for one in pair:
            one.page.reload()
            expect(one.page.locator(".unsent-question"), field).to_have_count(0)
        shown = [one.row("Ben").locator("input").evaluate_all(SHOWN) for one in pair]
        assert shown[0] == shown[1], field


SHOWN = """fields => fields.map(({ name, value, type, checked }) =>
  `${name} ${["radio", "checkbox"].includes(type) ? checked : value}`)"""


@pytest.mark.provokes(409)
def test_points_that_are_being_typed_stay_as_they_are_typed(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    """Here a part is sent already, and the other phone has read it, when that one changes it."""
    game, other = pair
    mine, theirs = (one.page.get_by_label("Points for Ben") for one in pair)
    mine.focus()
    game.page.keyboard.type("7")
    expect(theirs).to_have_value("7")
    reads(other.page)
    with other.page.expect_response("**/row"), game.page.expect_response(NEWS):
        other.has_left_over("Ben", "85")
    expect(mine).to_have_value("7")
    game.page.keyboard.type("0")
    expect(game.page.locator(".unsent-question")).to_contain_text("Ben: 85 points")
    expect(game.page.locator(".unsent-question")).to_contain_text("Ben: 70 points")
    expect(theirs).to_have_value("85")
    game.page.get_by_role("button", name="Use mine").tap()
    expect(theirs).to_have_value("70")
    expect(mine).to_have_value("70")


NEWS = re.compile(r"/live\?")


@pytest.mark.provokes(409)
def test_what_came_as_the_finger_went_down_was_not_read(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    other.has_left_over("Ben", "85")
    expect(game.page.get_by_label("Points for Ben")).to_have_value("85")
    game.has_left_over("Ben", "70")
    asked = game.page.locator(".unsent-question")
    expect(asked).to_contain_text("Ben: 85 points")
    asked.get_by_role("button", name="Use mine").tap()
    expect(other.page.get_by_label("Points for Ben")).to_have_value("70")
    reads(other.page)
    other.page.get_by_label("Points for Cleo").focus()
    other.has_left_over("Ben", "60")
    expect(game.page.get_by_label("Points for Ben")).to_have_value("60")
    expect(other.page.locator(".unsent-question")).to_have_count(0)


def test_others_points_for_others_ask_nothing(pair: tuple[GameOnPhone, GameOnPhone]) -> None:
    game, other = pair
    game.page.get_by_label("Points for Ben").focus()
    other.meets("Ben")
    other.has_left_over("Cleo", "15")
    expect(game.page.get_by_label("Points for Cleo")).to_have_value("15")
    game.page.keyboard.type("5")
    expect(other.page.get_by_label("Points for Ben")).to_have_value("5")
    assert game.page.locator(".unsent-question").count() == 0


def presses_enter(game: GameOnPhone, _asked: Locator) -> None:
    game.page.get_by_label("Points for Ben").press("Enter")


def goes_to_the_next_players_field(game: GameOnPhone, _asked: Locator) -> None:
    game.page.get_by_label("Points for Ben").press("Tab")
    game.page.get_by_label("Points for Cleo").tap()


def gives_the_rest_nothing(game: GameOnPhone, _asked: Locator) -> None:
    game.tap(game.page.get_by_role("button", name="0 for the rest"))


def turns_to_another_app(game: GameOnPhone, _asked: Locator) -> None:
    game.page.evaluate("window.dispatchEvent(new Event('pagehide'))")


LEAVINGS: dict[str, tuple[str, str, Callable[[GameOnPhone, Locator], None]]] = {
    "Enter": ("Shanghai Rummy", "85", presses_enter),
    "the next field": ("Shanghai Rummy", "85", goes_to_the_next_players_field),
    "another app": ("Shanghai Rummy", "85", turns_to_another_app),
    "0 for the rest": ("Points only", "", gives_the_rest_nothing),
}
"""The rule set, what the other phone enters, and what is done instead of choosing."""


@pytest.mark.provokes(409)
def test_what_is_asked_stands_until_a_person_chose(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    mine, asked = game.page.get_by_label("Points for Ben"), game.page.locator(".unsent-question")
    for leaving, (rule_set, theirs, leaves) in LEAVINGS.items():
        begins_anew(pair, rule_set)
        other.has_left_over("Cleo", "5")
        other.has_left_over("Ben", theirs or "30")
        if not theirs:
            expect(mine).to_have_value("30")
            reads(game.page)
        mine.focus()
        with game.page.expect_response(NEWS), other.page.expect_response("**/row"):
            other.has_left_over("Ben", theirs)
        expect(mine, leaving).to_have_value(theirs)
        game.page.keyboard.type("70")
        expect(asked, leaving).to_contain_text("Ben: 70 points")
        expect(mine, leaving).to_have_value(theirs)
        leaves(game, asked)
        with game.page.expect_response("**/row"):
            game.has_left_over("Anna", "15")
        expect(other.page.get_by_label("Points for Anna"), leaving).to_have_value("15")
        expect(asked, leaving).to_contain_text("Ben: 70 points")
        expect(other.page.get_by_label("Points for Ben"), leaving).to_have_value(theirs)
        mine.focus()
        mine.press("ControlOrMeta+a")
        game.page.keyboard.type("65")
        mine.press("Enter")
        expect(other.page.get_by_label("Points for Ben"), leaving).to_have_value("65")
        expect(asked, leaving).to_have_count(0)


@pytest.mark.provokes(409)
def test_no_round_ends_while_a_person_has_to_choose(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    mine = game.page.get_by_label("Points for Ben")
    mine.focus()
    with game.page.expect_response(NEWS):
        other.has_left_over("Ben", "85")
    expect(mine).to_have_value("85")
    game.page.keyboard.type("70")
    mine.press("Enter")
    asked = game.page.locator(".unsent-question")
    expect(asked).to_contain_text("Ben: 70 points")
    expect(mine).to_have_value("85")
    mine.press("Enter")
    game.goes_out("Cleo")
    game.has_left_over("Anna", "75")
    game.close(1)
    expect(asked.get_by_role("button", name="Use mine")).to_be_focused()
    asked.get_by_role("button", name="Use mine").tap()
    expect(asked).to_have_count(0)
    game.close(1)
    expect(game.page.get_by_role("button", name="Reopen round 1")).to_be_visible()
    assert game.score_of("Ben") == 70


@pytest.mark.provokes(409)
def test_a_question_put_again_keeps_the_focus_on_its_button(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    mine, asked = game.page.get_by_label("Points for Ben"), game.page.locator(".unsent-question")
    mine.focus()
    with game.page.expect_response(NEWS):
        other.has_left_over("Ben", "85")
    game.page.keyboard.type("70")
    expect(asked).to_contain_text("Ben: 70 points")
    asked.get_by_role("button", name="Use mine").focus()
    game.page.evaluate(f"window.drawnBefore = {DRAWN}")
    other.has_left_over("Ben", "75")
    wait_on_page(game.page, f"{DRAWN} !== window.drawnBefore")
    expect(asked).to_contain_text("75")
    expect(asked.get_by_role("button", name="Use mine")).to_be_focused()


DRAWN = "document.querySelector('#unsent').dataset.drawn"


def top_of(game: GameOnPhone, name: str) -> float:
    box = game.row(name).bounding_box()
    assert box
    return box["y"]


def end_of_round_is_at_the_foot(game: GameOnPhone) -> None:
    wait_on_page(game.page, FOOT)


FOOT = "Math.round(document.querySelector('.dock').getBoundingClientRect().bottom) === innerHeight"


SIX = "Anna Ben Cleo Dan Eva Fay"


@pytest.mark.provokes(409)
def test_a_question_moves_no_row_in_hand_and_leaves_the_end_of_the_round_at_the_foot(
    phone: Page, new_phone: Callable[..., Page]
) -> None:
    game, other = GameOnPhone(phone), GameOnPhone(new_phone())
    game.start("Aggravation Rummy", SIX)
    let_in(phone, other.page, "score")
    asked = phone.locator(".unsent-question")
    for height, name, hand in (
        (640, "Ben", "Cleo"),
        (640, "Cleo", "Ben"),
        (844, "Dan", "Eva"),
        (844, "Eva", "Dan"),
    ):
        resized(phone, 360, height).evaluate("scrollTo(0, 0)")
        mine = phone.get_by_label(f"Points for {name}")
        mine.focus()
        with phone.expect_response(NEWS):
            other.has_left_over(name, "85")
        expect(mine).to_have_value("85")
        before = top_of(game, hand)
        phone.keyboard.type("70")
        phone.get_by_label(f"Points for {hand}").focus()
        expect(asked).to_be_in_viewport()
        box = asked.bounding_box()
        assert box
        assert abs(top_of(game, hand) - max(before, box["height"])) < 2
        end_of_round_is_at_the_foot(game)
        asked.get_by_role("button", name="Use mine").tap()
        expect(asked).to_have_count(0)
        end_of_round_is_at_the_foot(game)


@pytest.mark.provokes(422)
def test_what_was_asked_at_the_end_of_a_round_leaves_that_button_at_the_foot(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", SIX)
    for name in SIX.split()[1:]:
        game.has_left_over(name, "15")
    for tap, sent, asked in (
        (lambda: game.close(1), "close", 1),
        (lambda: game.goes_out("Anna"), "row", 0),
        (lambda: game.close(1), "close", 0),
    ):
        with phone.expect_response(f"**/{sent}"):
            tap()
        all_is_sent(phone)
        expect(phone.locator("#who-out")).to_have_count(asked)
        for height in (640, 844):
            resized(phone, 360, height)
            phone.evaluate("window.scrollTo(0, document.body.scrollHeight)")
            end_of_round_is_at_the_foot(game)
    for name in SIX.split()[1:]:
        with phone.expect_response("**/row"):
            game.meets(name)
        all_is_sent(phone)
        for height in (640, 844):
            end_of_round_is_at_the_foot(GameOnPhone(resized(phone, 360, height)))


def test_what_another_phone_made_of_an_entry_is_told_to_who_entered_it(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    is_the_phone_of(other.page, "Cleo")
    game.has_left_over("Ben", "25")
    expect(other.page.get_by_label("Points for Ben")).to_have_value("25")
    reads(other.page)
    game.page.get_by_label("Points for Anna").focus()
    other.has_left_over("Ben", "45")
    told = game.page.locator("#told-change")
    expect(told).to_contain_text("Cleo changed your entry · Ben: 45 points (was 25)")
    other.has_left_over("Anna", "55")
    expect(game.page.get_by_label("Points for Anna")).to_have_value("55")
    expect(told).to_contain_text("Cleo changed your entry")
    game.meets("Anna")
    expect(told).to_be_empty()
    other.has_left_over("Cleo", "65")
    expect(game.page.get_by_label("Points for Cleo")).to_have_value("65")
    expect(told).to_be_empty()
    expect(other.page.locator("#told-change")).to_be_empty()


@pytest.mark.provokes(409)
def test_a_question_names_whose_phone_says_something_else(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    is_the_phone_of(other.page, "Cleo")
    game.page.get_by_label("Points for Ben").focus()
    with game.page.expect_response(NEWS):
        other.has_left_over("Ben", "85")
    game.page.keyboard.type("70")
    asked = game.page.locator(".unsent-question")
    expect(asked).to_contain_text("Cleo says something else. Which is right?")


def test_what_was_written_last_does_not_stand_in_the_next_round(
    pair: tuple[GameOnPhone, GameOnPhone],
) -> None:
    game, other = pair
    for name in ("Anna", "Ben"):
        game.page.get_by_label(f"Points for {name}").focus()
        game.page.keyboard.type("85")
        expect(other.page.get_by_label(f"Points for {name}")).to_have_value("85")
    other.goes_out("Cleo")
    other.close(1)
    expect(game.page.get_by_role("button", name="Reopen round 1")).to_be_visible()
    assert game.page.get_by_label("Points for Ben").input_value() == "", "as it comes"
