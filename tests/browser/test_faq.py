"""Ten disputes settled on a phone, from the game; and the page of answers as it is used there."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from app.rules.rule_sets import family_rule_sets
from tests.browser.at_the_table import GameOnPhone, sent
from tests.browser.looking import cut_off, too_small
from tests.browser.phones import LONGER_WORDS

DISPUTES = tomllib.loads(
    (Path(__file__).parent.parent / "faq/disputes.toml").read_text(encoding="utf-8")
)["dispute"]


def to_the_rules(phone: Page) -> None:
    """From a game to the answers for it."""
    phone.get_by_title("Menu").tap()
    phone.get_by_role("navigation", name="This game").get_by_role(
        "link", name="This game’s rules"
    ).tap()


def test_ten_disputes_are_settled_from_the_game_by_a_few_letters_or_by_the_ten_on_top(
    phone: Page,
) -> None:
    assert len(DISPUTES) == 10
    for number, dispute in enumerate(DISPUTES):
        begun = {"variant": dispute["rules"], "player": ["Anna", "Ben", "Cleo"]}
        game = sent(phone, "/games", begun).headers["location"]
        if number:
            phone.goto(f"{game}/rules")
        else:
            phone.goto(game)
            to_the_rules(phone)
        if dispute["typed"]:
            # The first answer that is shown, with its label and its place.
            phone.get_by_label("Search the Q&A").fill(dispute["typed"])
            expect(phone.locator("#asked-most")).to_have_count(0)
            first = phone.locator(".faq").first
            expect(first).to_have_id(dispute["entry"])
            expect(first.locator(".faq-answer")).to_contain_text(dispute["says"])
            expect(first.locator(".grounds")).to_contain_text(dispute["source"])
            expect(first.locator(".faq-answer")).to_be_in_viewport()
        else:
            on_top = phone.locator(f"#asked-most li:has([href='#{dispute['entry']}'])")
            expect(on_top).to_contain_text(dispute["says"])


def test_what_is_typed_the_moment_a_page_is_there_is_searched_for(phone: Page) -> None:
    GameOnPhone(phone).start("Frustration", "Anna Ben Cleo")
    phone.evaluate(
        """() => {
          const typing = new MutationObserver(() => {
            const words = document.querySelector("#words");
            if (!words) return;
            typing.disconnect();
            words.value = "joker";
            words.dispatchEvent(new Event("input", { bubbles: true }));
          });
          typing.observe(document.documentElement, { childList: true, subtree: true });
        }"""
    )
    to_the_rules(phone)
    expect(phone.get_by_label("Search the Q&A")).to_have_value("joker")
    expect(phone.locator("#asked-most")).to_have_count(0)


def test_from_a_game_its_house_rules_are_on_top_with_what_the_printed_rules_say(
    phone: Page,
) -> None:
    phone.goto("/games/new/frustration")
    phone.get_by_label("Add players").fill("Anna, Ben, Cleo")
    for fold in phone.locator("details:has(#rule-run_suit) > summary").all():
        fold.tap()
    phone.get_by_label("Must a run be of one suit?").select_option("same")
    phone.get_by_role("button", name="Start game").tap()
    to_the_rules(phone)
    changed = phone.locator("#house-rules li")
    expect(changed.first).to_contain_text("yes, one suit")
    expect(changed.first).to_contain_text("Printed rules: no, suits can be mixed")
    expect(phone.locator("#run-suit .basis")).to_have_text("House rule")


def test_a_verdict_leads_straight_to_the_question_that_explains_it(phone: Page) -> None:
    phone.goto("/check?variant=twelve-step-rummy&ask=meld&kind=run&m=3H+JK+JK+6H+7H")
    expect(phone.locator("#verdict .basis")).to_have_text("In the rules")
    phone.get_by_role("link", name="See the rule").tap()
    entry = phone.locator("#wilds-adjacent")
    expect(entry).to_be_in_viewport()
    expect(entry).to_contain_text("No, another card must lie between them.")


def test_every_answer_can_be_read_and_tapped_on_a_small_phone(phone: Page) -> None:
    for rules in family_rule_sets():
        phone.goto(f"/rules/{rules}")
        assert cut_off(phone) + too_small(phone) == [], rules


def test_a_page_on_paper_has_no_bars(phone: Page) -> None:
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo")
    for address in ("/", "/history", "/history/records", "/rules", "/players"):
        phone.emulate_media(media="screen")
        phone.goto(address)
        expect(phone.locator(".places")).to_be_visible()
        phone.emulate_media(media="print")
        for bar in (".top", ".places"):
            expect(phone.locator(bar), address).to_be_hidden()


def test_the_printed_sheet_of_each_rule_set_is_one_page(phone: Page) -> None:
    for rules in family_rule_sets():
        phone.goto(f"/rules/{rules}/sheet")
        pages = phone.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
        assert pages == 1, rules


def test_the_ways_from_the_rules_of_a_game_stand_in_one_row_on_a_small_phone(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(locale=LONGER_WORDS)
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo")
    phone.goto(f"{phone.url}/rules")
    links = phone.locator(".these-rules > a")
    expect(links).to_have_count(4)
    boxes = links.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert len({box["top"] for box in boxes}) == 1
    assert cut_off(phone) == []
    assert too_small(phone) == []
