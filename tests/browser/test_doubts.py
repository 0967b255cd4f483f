"""What is doubted where a round was to end: answered where it stands, and asked while it is so."""

from collections.abc import Callable, Sequence
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.at_the_table import GameOnPhone, all_is_sent, let_in
from tests.browser.looking import not_in_view, resized
from tests.browser.phones import LONGER_WORDS
from tests.browser.test_at_a_glance import LANDSCAPE, SMALL, SMALL_LANDSCAPE, TALL

_LACKS_ROOM = """(said) => {
  const [words, frame] = [said, said.parentElement].map((one) => one.getBoundingClientRect());
  const chips = said.parentElement.querySelector(".chips").getBoundingClientRect();
  return words.bottom > frame.bottom + 1 || words.right > chips.left;
}"""


def to_be_asked_about(game: GameOnPhone, *points: str) -> None:
    """End round 1, in which the first player went out and these points are left to the others."""
    plain = game.plain
    out, *seats = plain.seats.values()
    typed = {f"{seat}-typed": left for seat, left in zip(seats, points, strict=True)}
    entered = {**plain.sent(), "out": str(out), **typed}
    kept = plain.client.post(f"/games/{plain.key}/rounds/1/save", data=entered)
    assert kept.status_code == 303
    game.page.reload()
    game.close(1)


@pytest.fixture
def doubted(phone: Page) -> GameOnPhone:
    """A round that was to end, with three players of whom it looks as if they laid down."""
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora")
    to_be_asked_about(game, "25", "25", "25")
    expect(game.page.locator("#foot-said > .doubt")).to_have_count(3)
    return game


@pytest.mark.provokes(422)
def test_a_doubt_is_answered_where_it_is_asked_and_the_others_stand(doubted: GameOnPhone) -> None:
    doubts = doubted.page.locator("#foot-said > .doubt")
    doubts.filter(has_text="Did Cleo lay down?").get_by_role("button", name="Yes").tap()
    expect(doubts).to_have_count(2)
    expect(doubted.row("Cleo").get_by_role("checkbox", name="Laid down")).to_be_checked()
    doubted.has_left_over("Dora", 30)
    expect(doubts.last).to_contain_text("not 30. Did Dora lay down?")
    expect(doubts).to_have_count(2)
    doubted.meets("Ben")
    expect(doubts).to_have_count(1)
    expect(doubted.page.get_by_role("button", name="No, end round")).to_be_visible()
    doubted.page.get_by_role("button", name="Yes, end round").tap()
    expect(doubted.page.get_by_role("button", name="Reopen round 1")).to_be_visible()
    assert doubted.contract_of("Dora") == "2"


@pytest.mark.provokes(422)
def test_yes_to_all_that_is_asked_ends_the_round_as_no_does(doubted: GameOnPhone) -> None:
    doubted.page.get_by_role("button", name="Yes to all 3, end round").tap()
    expect(doubted.page.get_by_role("button", name="Reopen round 1")).to_be_visible()
    assert {doubted.contract_of(name) for name in ("Anna", "Ben", "Cleo", "Dora")} == {"2"}


@pytest.mark.provokes(422)
def test_whom_a_question_is_about_is_in_view_above_it(new_phone: Callable[..., Page]) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]})
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora Emil")
    game.goes_out("Anna")
    for name, points in {"Ben": 80, "Cleo": 80, "Dora": 80, "Emil": 25}.items():
        game.has_left_over(name, points)
    game.close(1)
    expect(page.locator("#foot-said > .doubt")).to_have_count(1)
    assert not_in_view(page, ".row.warned, #yes, #close-round") == []


def test_where_a_player_stands_is_read_beside_what_their_points_could_be(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]}, locale=LONGER_WORDS)
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora Emil")
    typed = dict.fromkeys(("Ben", "Cleo", "Dora", "Emil"), "105")
    assert game.plain.close(1, out="Anna", **typed).status_code == 303
    page.reload()
    field = page.locator(".penalty-field").nth(1)
    field.fill("112")
    field.blur()
    row = page.locator("li.row", has=page.locator(".row-doubt > .chips"))
    expect(row).to_contain_text("112")
    parts = ".doubt", ".chips", ".row-stands .score", ".row-stands .place"
    boxes = [row.locator(part).bounding_box() for part in parts]
    ends = [0.0]
    for part, box in zip(parts, boxes, strict=True):
        expect(row.locator(part)).to_be_visible()
        assert box
        assert box["x"] >= ends[-1], part
        ends.append(box["x"] + box["width"])


@pytest.mark.provokes(422)
def test_the_answer_that_ends_the_round_says_so_before_and_after(
    doubted: GameOnPhone, phone: Page
) -> None:
    doubts = doubted.page.locator("#foot-said > .doubt")
    expect(phone.get_by_role("button", name="No, end round")).to_be_in_viewport(ratio=1)
    for left in (2, 1):
        doubts.first.get_by_role("button", name="Yes").tap()
        expect(doubts).to_have_count(left)
    last = phone.get_by_role("button", name="No, end round")
    expect(last).to_be_in_viewport(ratio=1)
    last.tap()
    expect(phone.locator("#told-change")).to_contain_text("Round 1: Anna goes out.")
    expect(phone.get_by_role("button", name="Reopen round 1")).to_be_in_viewport(ratio=1)


@pytest.mark.provokes(422)
def test_all_that_is_doubted_is_in_view_above_one_pair_of_answers(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": SMALL[0], "height": SMALL[1]}, locale=LONGER_WORDS)
    game = GameOnPhone(page)
    for number, counts in ((2, False), (3, False), (2, True), (3, True)):
        game.start("Aggravation Rummy", "Anna Dominique Grandma-Elisabeth Benjamin")
        if counts:
            enters_by_counting(page, number)
            page.locator("#close-round").tap()
        else:
            to_be_asked_about(game, *(["25"] * number + ["80"])[:3])
        expect(page.locator("#foot-said > .doubt")).to_have_count(number)
        assert not_in_view(page, ".dock .doubt > span, .dock button:not([hidden])") == []
        answers = page.locator(".dock button:visible")
        expect(answers).to_have_count(number + 2)
        assert set(answers.evaluate_all(_TOPS)[-2:]) == {max(answers.evaluate_all(_TOPS))}
        assert len({*answers.evaluate_all(_TYPES)[-2:]}) == 1


def enters_by_counting(page: Page, number: int) -> None:
    """The first goes out; the cards of so many are counted, of the others points are typed."""
    page.locator(".tap-face.out").first.tap()
    for place in range(1, 4):
        row = page.locator("li.row").nth(place)
        if place <= number:
            row.locator(".counting > summary").tap()
            row.locator(".stepper [data-step='1']").first.tap()
            row.locator("[data-fold]").tap()
        else:
            row.locator(".penalty-field").fill("80")
    all_is_sent(page)


_TYPES = "all => all.map((one) => getComputedStyle(one).font)"

_NARROWEST = """() => Math.min(...[...document.querySelectorAll(".dock .doubt > span")].map((one) =>
  one.clientWidth / parseFloat(getComputedStyle(one).fontSize)))"""


@pytest.mark.provokes(422)
@pytest.mark.parametrize("sums", [("33", "43", "25"), ("81", "82", "83")])
def test_what_is_doubted_has_lines_of_some_words_with_all_its_answers_in_view(
    new_phone: Callable[..., Page], sums: Sequence[str]
) -> None:
    page = new_phone(locale=LONGER_WORDS)
    game = GameOnPhone(page)
    for number, sizes in (
        (1, (SMALL_LANDSCAPE,)),
        (2, (LANDSCAPE,)),
        (3, (SMALL, TALL, LANDSCAPE)),
    ):
        game.start("Aggravation Rummy", "Anna Jean-Sébastien Josephine-Elisabeth Benjamin")
        resized(page, *sizes[0])
        to_be_asked_about(game, *[*sums[:number], "80", "80", "80"][:3])
        expect(page.locator("#foot-said > .doubt")).to_have_count(number)
        for size in sizes:
            assert resized(page, *size).evaluate(_NARROWEST) >= 11, size
            answers = ".dock .doubt > *, .dock button:not([hidden])"
            assert not_in_view(page, answers) == [], size
            for doubt in page.locator("#foot-said > .doubt").all():
                chips = doubt.locator("button")
                assert len(set(chips.evaluate_all(_TOPS))) == 1, size


_TOPS = "all => all.map((one) => one.getBoundingClientRect().top)"


@pytest.mark.provokes(422)
def test_what_another_phone_enters_leaves_what_one_is_asked_as_far_as_it_is_so(
    doubted: GameOnPhone, phone: Page, new_phone: Callable[..., Page]
) -> None:
    doubts, other = phone.locator("#foot-said > .doubt"), GameOnPhone(new_phone())
    let_in(phone, other.page, "score")
    with other.page.expect_response("**/row"):
        other.meets("Ben")
    expect(doubts).to_have_count(2)
    expect(other.page.locator("#foot-said > .doubt")).to_have_count(0)
    with other.page.expect_response("**/row"):
        other.meets("Cleo")
    expect(doubts).to_have_count(1)
    expect(doubts).to_contain_text("Did Dora lay down?")


@pytest.mark.provokes(422, cut_off=True)
def test_a_tap_whose_answer_was_lost_is_kept_once_though_the_page_doubts_less_by_then(
    doubted: GameOnPhone, phone: Page
) -> None:
    sent: list[dict[str, list[str]]] = []

    def lose(route: Route) -> None:
        sent.append(parse_qs(route.request.post_data or "", keep_blank_values=True))
        if len(sent) > 1:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    phone.route("**/row", lose)
    doubted.meets("Ben")
    expect(phone.locator("#foot-said > .doubt")).to_have_count(2)
    all_is_sent(phone)
    first, *again = sent
    assert again[-1]["request_key"] == first["request_key"]
    assert first["warned"] != again[-1]["warned"]
    expect(phone.get_by_text("couldn’t be saved")).to_have_count(0)
    expect(doubted.row("Ben").get_by_role("checkbox", name="Laid down")).to_be_checked()


@pytest.mark.provokes(422)
def test_points_that_are_doubted_are_put_right_from_the_doubt(game: GameOnPhone) -> None:
    """One after the other, in three rounds."""
    for number, (entered, asked) in enumerate(DOUBTED_POINTS.items(), start=1):
        game.goes_out("Anna")
        game.has_left_over("Ben", int(entered))
        game.has_left_over("Cleo", 80)
        game.close(number)
        doubt = game.page.locator("#foot-said > .doubt").filter(has_text=asked)
        doubt.get_by_role("button", name="Edit").tap()
        field = game.row("Ben").locator(".penalty-field")
        expect(field).to_be_focused()
        assert not_in_view(game.page, ".penalty-field:focus") == []
        expect(field).to_have_value(entered)
        expect(doubt).to_have_count(1)
        field.blur()
        doubt.locator("span").tap()
        expect(field).to_be_focused()
        field.fill("75")
        expect(doubt).to_have_count(0)
        expect(game.row("Cleo").locator(".penalty-field")).to_have_value("80")
        game.close(number)
        expect(game.page.get_by_role("button", name=f"Reopen round {number}")).to_be_visible()


DOUBTED_POINTS = {
    "4": "can’t have 4",
    "700": "at most 11 cards were left",
    "152": "No hand adds up to 152.",
}


def test_why_other_points_are_offered_is_read_beside_them_held_sideways(
    new_phone: Callable[..., Page],
) -> None:
    size = {"width": LANDSCAPE[0], "height": LANDSCAPE[1]}
    page = new_phone(viewport=size, locale=LONGER_WORDS)
    GameOnPhone(page).start("Aggravation Rummy", "Anna Ben Cleo Dora")
    field = page.locator(".penalty-field").nth(1)
    field.fill("112")
    field.blur()
    said = page.locator(".row-doubt > .doubt")
    expect(said).to_contain_text("112")
    assert not said.evaluate(_LACKS_ROOM)


def test_a_mark_without_a_card_has_the_color_of_the_standings_in_the_dark(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    GameOnPhone(page).start("Points only", "Anna Ben")
    for place in range(2):
        colors = {
            page.locator(f"{part} .mark").nth(place).evaluate("(one) => getComputedStyle(one).fill")
            for part in (".rows", ".board")
        }
        assert len(colors) == 1, colors
