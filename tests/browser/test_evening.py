"""A whole evening on a small phone, with all that can happen at a table beside the cards."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, all_is_sent
from tests.servers import Http
from tests.web_table import shown_fields

pytestmark = [pytest.mark.worker, pytest.mark.motion]

BUYING = {"buying": "one_more_card", "most_buys": "2", "buy_points": "10"}
START = ["Anna", "Ben", "Cleo", "Dora"]


@pytest.mark.long
@pytest.mark.provokes(422)
def test_an_evening_with_everything_in_it_is_kept_copied_and_undone(
    new_phone: Callable[..., Page], tmp_path: Path
) -> None:
    phone, other = new_phone(), new_phone()
    phone.set_viewport_size({"width": 360, "height": 640})
    game = GameOnPhone(phone)
    start_with_buys(game)
    too_many_buys(game)
    a_void_round_another_dealer_and_other_seats(game)
    leaving_mid_round_with_a_contradiction(game)
    a_stand_in_plays_on(game)
    back_again_and_joining_late(game)
    a_correction(game)
    the_result_says_it_all(game)
    copied(phone, other, tmp_path)
    play_on(game)
    undone_to_the_start(game)


def start_with_buys(game: GameOnPhone) -> None:
    page = game.page
    page.goto("/games/new/aggravation-rummy")
    page.get_by_label("Add players").fill(", ".join(START))
    for field, value in BUYING.items():
        rule = page.locator(f"#rule-{field}")
        for fold in page.locator(f"details:has(#rule-{field})").all():
            if not fold.evaluate("one => one.open"):
                fold.locator("> summary").tap()
        if field == "buying":
            rule.select_option(value)
        else:
            rule.fill(value)
    game.tap(page.get_by_role("button", name="Start"))
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()


def too_many_buys(game: GameOnPhone) -> None:
    for _ in range(3):
        game.tap(game.row("Ben").get_by_role("button", name="One more buy"))
    expect(game.page.get_by_label("Buys (Ben)")).to_have_value("3")
    expect(game.row("Ben")).to_contain_text("At most 2 buys.")
    ends_anyway(game, 1, "Ben bought 3 times", out="Anna", Ben=10, Cleo=20, Dora=30)
    assert scores(game) == {"Anna": -25, "Ben": 40, "Cleo": 20, "Dora": 30}


def a_void_round_another_dealer_and_other_seats(game: GameOnPhone) -> None:
    page = game.page
    game.from_menu("Misdeal: start the round again")
    page.get_by_label("Reason (optional)").fill("11 cards")
    page.get_by_role("button", name="Pass the deal to Cleo").tap()
    deals(game, "Cleo deals, Dora starts.")
    game.from_menu("Dealer and seats")
    page.locator("#dealer").get_by_text("Dora").tap()
    page.get_by_role("button", name="Change the dealer").tap()
    deals(game, "Dora deals, Anna starts.")
    game.from_menu("Dealer and seats")
    page.get_by_role("button", name="Move Cleo up").tap()
    expect(page.locator("main").get_by_text("With these seats")).to_be_visible()
    page.get_by_role("button", name="Save seats").tap()
    deals(game, "Dora deals, Anna starts.")

    game.goes_out("Anna")
    for name, left in {"Ben": 10, "Dora": 15}.items():
        game.meets(name)
        game.has_left_over(name, left)
    game.close(2)
    game.tap(game.row("Cleo").get_by_text("Points unknown"))
    game.close(2)
    expect(
        page.get_by_text("These points are unknown and add nothing: Cleo in round 2.")
    ).to_be_visible()


def leaving_mid_round_with_a_contradiction(game: GameOnPhone) -> None:
    page = game.page
    game.goes_out("Ben")
    player_menu(game, "Ben")
    expect(page.get_by_text("Ben is marked as going out")).to_be_visible()
    page.get_by_text("Now, and the cards in hand count").locator("visible=true").tap()
    page.get_by_role("button", name="Ben leaves").tap()
    expect(page.get_by_role("button", name="Come back (Ben)")).to_be_visible()
    back_to_the_game(game)
    expect(game.row("Ben").get_by_role("radio")).not_to_be_checked()
    ends_anyway(game, 3, "No hand adds up to 12", out="Anna", Ben=10, Cleo=5, Dora=12)
    expect(game.row("Ben")).to_have_count(0)


def a_stand_in_plays_on(game: GameOnPhone) -> None:
    page = game.page
    player_menu(game, "Cleo")
    page.get_by_label("Who plays on from round 4?").locator("visible=true").fill("Emil")
    page.get_by_role("button", name="Take over (Cleo)").tap()
    expect(page.locator("#told-change")).to_contain_text("Emil took over from Cleo")
    game.play(4, "Emil", Anna=10, Dora=5)


def back_again_and_joining_late(game: GameOnPhone) -> None:
    page = game.page
    game.from_menu("Who plays")
    expect(page.get_by_text("1 missed round, contract 4 and score 60")).to_be_visible()
    page.get_by_role("button", name="Come back (Ben)").tap()
    expect(page.get_by_text("Ben missed round 4")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Finn")
    page.get_by_role("button", name="Add to the game").tap()
    expect(page.locator(".fault")).to_contain_text("Choose a starting score")
    page.get_by_text("62, the highest").tap()
    page.get_by_text("Seat and start").tap()
    page.locator("#contract-other").tap()
    page.locator("[name=other_contract]").fill("2")
    page.get_by_role("button", name="Add to the game").tap()
    joined = "Finn joined in round 5, on contract 2 with a score of 62"
    expect(page.get_by_text(joined)).to_be_visible()
    expect(page.get_by_text("Contract 1 · score 62, the highest")).to_be_visible()
    page.get_by_text("Seat and start").tap()
    expect(page.get_by_role("radio", name="62, the highest")).to_be_checked()
    back_to_the_game(game)
    assert (game.score_of("Finn"), game.score_of("Ben")) == (62, 60)
    game.play(5, "Ben", Anna=5, Emil=5, Dora=5, Finn=5)


def a_correction(game: GameOnPhone) -> None:
    page, before, score = game.page, game.taps, game.score_of("Dora")
    game.from_menu("Add or subtract points")
    game.tap(page.locator(".ask label", has_text="Dora"))
    page.get_by_label("Points", exact=True).fill("50")
    page.get_by_label("Reason").fill("Wrong lay-down")
    game.tap(page.get_by_role("button", name="Save"))
    assert game.taps - before == 2  # and two in the menu
    expect(page.get_by_role("button", name="Remove (Dora +50)")).to_be_visible()
    back_to_the_game(game)
    assert game.score_of("Dora") == score + 50
    expect(page.get_by_text("Extra points: Dora +50 in round 5.")).to_be_visible()


def the_result_says_it_all(game: GameOnPhone) -> None:
    page = game.page
    game.from_menu("Stop here")
    page.get_by_role("button", name="Stop with this result").tap()
    expect(page.get_by_role("heading", name="wins!")).to_be_visible()
    expect(page.get_by_text("stopped early: lowest score")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Share result").tap()
    assert saved.value.suggested_filename.endswith(".png")
    game.from_menu("Rounds")
    expect(page.get_by_role("heading", name="Round")).not_to_have_count(0)
    record = page.locator("main").text_content() or ""
    for said in (
        "3 buys", "unknown", "± +50", "Wrong lay-down",
        "Dealt again: Ben dealt, then the deal passed", "11 cards",
        "Dora dealt, for this round only", "New seats: Anna, Cleo, Ben and Dora.",
        "Ben missed round 4", "Emil took over from Cleo in round 4",
        "Finn joined in round 5, on contract 2 with a score of 62",
    ):  # fmt: skip
        assert said in record
    expect(page.get_by_role("rowheader", name="Cleo → Emil")).to_be_visible()
    picture = page.locator(".result-picture img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("naturalWidth", 1200)
    drawn = page.request.get(picture.get_attribute("src") or "").text()
    for said in ("Anna", "Ben", "Cleo → Emil", "Dora", "Finn", "67", "117", "topped early"):
        assert said in drawn, drawn
    page.get_by_role("link", name="Back to the game").tap()
    expect(page.get_by_role("button", name="Play on")).to_be_visible()


def copied(phone: Page, other: Page, folder: Path) -> None:
    """The game, exported and imported into another group, is exported there as it was."""
    address, first = phone.url, exported(phone, folder / "first.json")
    other.goto("/")
    other.get_by_role("button", name="Try it with four sample players").tap()
    GameOnPhone(other).from_menu("Rounds")
    other.get_by_role("button", name="Delete game").tap()
    expect(other.locator("#round")).to_have_count(0)
    other.goto("/data")
    other.locator("[type=file]").set_input_files(folder / "first.json")
    other.get_by_role("button", name="Preview").tap()
    other.get_by_role("button", name="Import 1 game").tap()
    expect(other.locator(".done")).to_contain_text("1 game imported.")
    second = exported(other, folder / "second.json")
    (game,) = (one for one in second["games"] if "deleted_at" not in one)
    assert [game] == first["games"]
    assert second["rule_sets"][game["rules"]] == first["rule_sets"][game["rules"]]
    phone.goto(address)


def exported(phone: Page, path: Path) -> dict[str, Any]:
    phone.goto("/data")
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Full backup (JSON)").tap()
    download.value.save_as(path)
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def play_on(game: GameOnPhone) -> None:
    game.page.get_by_role("button", name="Play on").tap()
    expect(game.page.get_by_role("heading", name="Round 6")).to_be_visible()


def undone_to_the_start(game: GameOnPhone) -> None:
    """Each change is undone by the button in its line, the newest first.

    Until round 5 is as it began that is tapped; the older lines are sent as by a browser without
    scripts, for a whole page is drawn for each tap.
    """
    page, address, without_scripts = game.page, game.page.url, game.plain.client
    activity, by_taps = f"{urlsplit(address).path}/activity", True
    page.goto(activity)
    expect(page.get_by_text("Ben left during the round, and the cards count")).to_be_visible()
    expect(page.get_by_text("Ben didn’t go out")).to_be_visible()
    lines = lines_at(without_scripts, activity)
    while "The game started" not in lines[0]:
        (form,) = re.findall(r"<form.*?</form>", lines[0], re.DOTALL)
        (undo,) = re.findall(r' action="([^"]+)"', form)
        assert form.count("<button") == 1, lines[0]
        by_taps = by_taps and "Round 4 ended" not in lines[0]
        if by_taps:
            button = page.locator(f".log form[action='{undo}'] button")
            button.tap()
            expect(button).to_have_count(0)
            expect(page.locator(".log-entry").first).to_contain_text("An earlier change undone")
            expect(page.locator("#log-fault")).to_have_count(0)
        else:
            sent = without_scripts.post(undo, dict(shown_fields(form)))
            assert sent.location == activity, lines[0]
        (version,) = re.findall(r"/(\d+)/undo$", undo)
        lines = lines_at(without_scripts, f"{activity}?until={version}")[1:]
    page.goto(address)
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    assert page.locator(".row-name").all_inner_texts() == START
    expect(page.locator(".row .score")).to_have_count(0)
    deals(game, "Anna deals, Ben starts.")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)


def lines_at(without_scripts: Http, address: str) -> list[str]:
    """The lines of a page of changes, the newest first."""
    return (
        without_scripts.get(address).get_data(as_text=True).split('<li class="card log-entry')[1:]
    )


def ends_anyway(game: GameOnPhone, number: int, warning: str, out: str, **points: int) -> None:
    """A round whose end is asked about, and overruled; who has points left laid down."""
    game.goes_out(out)
    for name, left in points.items():
        game.meets(name)
        game.has_left_over(name, left)
        all_is_sent(game.page)  # a row that is complete folds
    game.close(number)
    expect(game.page.locator("#foot-said")).to_contain_text(warning)
    game.tap(game.page.get_by_role("button", name="End round anyway"))
    expect(game.page.get_by_role("heading", name=f"Round {number + 1}")).to_be_visible()


def scores(game: GameOnPhone) -> dict[str, int]:
    return {name: game.score_of(name) for name in game.page.locator(".row-name").all_inner_texts()}


def deals(game: GameOnPhone, sentence: str) -> None:
    expect(game.page.locator(".bar-deal")).to_contain_text(sentence)


def player_menu(game: GameOnPhone, name: str) -> None:
    game.from_menu("Who plays")
    line = game.page.locator(".player-row").filter(has_text=re.compile(rf"^\s*{name}\b"))
    line.locator("summary").tap()


def back_to_the_game(game: GameOnPhone) -> None:
    game.page.get_by_role("link", name="Back to the game").tap()
    expect(game.page.locator("#round")).to_be_visible()
