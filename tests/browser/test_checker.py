"""The checker on a phone: cards by thumb and by keyboard, verdicts shared and recorded."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.rules.rule_sets import shipped_rule_sets
from tests.browser.at_the_table import GameOnPhone
from tests.browser.looking import cut_off, too_small
from tests.browser.phones import LONGER_WORDS


def tap_cards(page: Page, keys: str) -> int:
    """Tap the keys, ranks and suits (♠♥♦♣) alike; answers how many taps that were."""
    signs = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
    for key in keys.split():
        kind = f'[data-suit="{signs[key]}"]' if key in signs else f'[data-rank="{key}"]'
        page.locator(kind).tap()
    return len(keys.split())


def verdict(page: Page):
    return page.locator("#verdict .verdict-word")


@pytest.mark.parametrize(
    ("variant", "contract", "keys", "cards"),
    [
        ("frustration", 2, "3 4 2 6 9 9 9", 7),
        ("frustration-rummy-board", 2, "♥ 5 6 JK 8 9 9 2", 7),
        ("frustration-rummy", 13, "♥ 5 6 JK 8 ♠ 9 10 J Q K K K K", 12),
        ("twelve-step-rummy", 12, "♠ 3 JK 5 JK 7 JK 9 JK J Q", 10),
    ],
)
def test_a_contract_is_entered_in_at_most_cards_and_four_taps_and_judged(
    phone: Page, variant: str, contract: int, keys: str, cards: int
) -> None:
    phone.goto(f"/check?variant={variant}&contract={contract}")
    taps = tap_cards(phone, keys)
    assert taps <= cards + 4
    expect(verdict(phone)).to_contain_text("Legal")
    assert cut_off(phone) + too_small(phone) == []


def test_no_source_of_a_rule_set_makes_the_checker_wider_than_a_phone(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 320, "height": 640}, locale=LONGER_WORDS)
    phone.goto("/check")
    found = {}
    for asked in (
        "ask=contract&m=7S",
        "ask=meld&kind=set&size=3&m=7S+7H",
        "ask=meld&kind=run&m=7S",
    ):
        for name, variant in shipped_rule_sets().items():
            if variant.contracts:
                shown = phone.request.get(f"/check?{asked}&variant={name}").text()
                phone.evaluate(PUTS_IN, shown)
                expect(phone.locator("#verdict .grounds").first).to_be_visible()
                found[asked, name] = cut_off(phone)
    assert {where: what for where, what in found.items() if what} == {}


PUTS_IN = """(html) => document.querySelector("main").replaceWith(
  new DOMParser().parseFromString(html, "text/html").querySelector("main"))"""
"""Another page of the same layout, put in without what all of them load."""


def test_the_keypad_asks_for_a_suit_where_it_matters(phone: Page) -> None:
    phone.goto("/check?variant=frustration-rummy&ask=hand&contract=1")
    phone.locator('[data-rank="5"]').tap()
    expect(phone.locator("[data-asks-suit]")).to_be_visible()
    expect(phone.locator("#tray-1")).to_have_value("")
    phone.locator('[data-suit="H"]').tap()
    expect(phone.locator("#tray-1")).to_have_value("5H")
    expect(phone.locator("[data-asks-suit]")).to_be_hidden()
    phone.locator('[data-rank="6"]').tap()
    expect(phone.locator("#tray-1")).to_have_value("5H 6H")


def test_a_friend_says_what_is_missing_and_shows_it_as_cards(phone: Page) -> None:
    phone.goto("/check?variant=frustration-rummy-board&contract=2&ask=hand")
    phone.locator("#tray-1").fill("5H 6H JK 8H 9S 9D KD 3C")
    expect(phone.locator("#verdict")).to_contain_text("1 card is missing.")
    expect(phone.locator("#verdict")).to_contain_text("You lack a 9 or a wild card (set of 3).")
    expect(phone.locator("#verdict .playing-card.lacks")).to_have_count(1)
    phone.get_by_text("Melds on the table").tap()
    phone.get_by_label("Meld 1").fill("9H 9C 9H")
    expect(phone.locator("#verdict")).to_contain_text("At most")
    assert cut_off(phone) + too_small(phone) == []


def test_from_a_lay_off_to_a_swap_the_cards_on_the_table_tell_the_kind(phone: Page) -> None:
    phone.goto("/check?variant=frustration-rummy&contract=2&m=5H 6H 7H 8H&m=")
    phone.get_by_role("button", name="Lay off").tap()
    expect(phone.locator("#tray-1")).to_have_value("5H 6H 7H 8H")
    phone.get_by_role("button", name="Swap").tap()
    expect(phone.locator("#kind-run")).to_be_checked()
    expect(phone.locator("#tray-1")).to_have_value("5H 6H 7H 8H")


def test_what_cannot_be_read_is_kept_while_cards_are_entered(phone: Page) -> None:
    phone.goto("/check?rule-twos=sometimes&m=5H 5D 5C")
    expect(phone.locator("#said-rules")).to_contain_text("Choose one of these")
    phone.locator("#tray-1").fill("5H 5D 5S")
    expect(phone).to_have_url(re.compile("5S"))
    assert "rule-twos=sometimes" in phone.url
    expect(phone.locator("#said-rules")).to_contain_text("Choose one of these")


def test_a_meld_with_too_many_wild_cards_is_refused_with_the_reason_and_what_would_help(
    phone: Page,
) -> None:
    phone.goto("/check?variant=frustration&ask=meld&kind=set")
    tap_cards(phone, "8 8 2 2 2")
    expect(verdict(phone)).to_contain_text("Not legal")
    expect(phone.locator("#verdict")).to_contain_text("3 of 5")
    expect(phone.locator("#verdict")).to_contain_text("To make it legal")


def test_a_contract_is_entered_and_judged_by_keyboard_alone(new_phone: Callable[..., Page]) -> None:
    page = new_phone(has_touch=False, is_mobile=False)
    page.goto("/check?variant=frustration-rummy-board&contract=2")
    page.locator("#tray-1").focus()
    page.keyboard.type("5h 6h jk 8h")
    page.keyboard.press("Tab")
    expect(page.locator("[data-tray]").nth(1).locator("input")).to_be_focused()
    page.keyboard.type("9♥ 9s 2c")
    expect(verdict(page)).to_contain_text("Legal")
    page.locator("[data-tray]").first.locator("[data-card]").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#tray-2")).to_have_value("9H 9S 2C 5H")
    expect(verdict(page)).to_contain_text("Not")


def test_a_card_is_taken_away_by_a_tap_dragged_and_brought_back_by_undo(phone: Page) -> None:
    phone.goto("/check?variant=frustration&contract=1")
    tap_cards(phone, "5 5 9")
    first, second = phone.locator("[data-tray]").all()
    expect(verdict(phone)).to_be_visible()
    first.locator("[data-card]").last.scroll_into_view_if_needed()
    card = first.locator("[data-card]").last.bounding_box()
    goal = second.bounding_box()
    phone.mouse.move(card["x"] + 10, card["y"] + 10)
    phone.mouse.down()
    phone.mouse.move(goal["x"] + 50, goal["y"] + 30, steps=5)
    phone.mouse.up()
    expect(phone.locator("#tray-2")).to_have_value("9")
    first.locator("[data-card]").first.tap()
    expect(phone.locator("#tray-1")).to_have_value("5")
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator("#tray-1")).to_have_value("5 5")


KINDS = ("contract", "meld", "hand", "layoff", "swap", "score")


@pytest.mark.parametrize("asked", KINDS)
def test_undo_takes_out_card_by_card_what_was_there_before_a_switch(
    phone: Page, asked: str
) -> None:
    same = {"contract": "meld", "meld": "layoff", "layoff": "swap", "swap": "layoff"}
    for switch in (same.get(asked), "set", "run"):
        start = "set" if switch == "run" else "run"
        address = f"/check?variant=frustration-rummy&ask={asked}&contract=1&kind={start}"
        phone.goto(address)
        button = phone.locator(f"#ask-{switch}, label[for=kind-{switch}]")
        if not button.count():
            continue
        tap_cards(phone, "♥ 5 6 7")
        phone.locator("#checker").evaluate("checker => { checker.dataset.before = '' }")
        button.tap()
        expect(phone.locator("#checker[data-before]")).to_have_count(0)
        cards = phone.locator(".tray-cards [data-card]")
        expect(cards.first).to_be_visible()
        for left in range(cards.count() - 1, -1, -1):
            phone.get_by_role("button", name="Undo").tap()
            expect(cards, f"{asked} {switch}").to_have_count(left)
        expect(phone.locator("#strip")).to_contain_text("Enter")


def entered_again(page: Page) -> None:
    """Let the verdict of a hand come again, and be longer than the one before."""
    page.locator("#tray-1").evaluate("one => { one.value = '5H 5D 3C' }")
    page.locator("#question").dispatch_event("entered")
    expect(page.locator("#strip.illegal")).to_have_count(1)


def test_a_late_verdict_moves_no_page_under_a_finger_or_under_one_who_reads_on(
    phone: Page,
) -> None:
    hand = "5H+5D+5C+9H+9D+9C+7C"
    table = "&".join(f"table={rank}H+{rank}D+{rank}C&table-kind=set" for rank in "3468J")
    phone.goto(f"/check?variant=frustration&ask=hand&contract=1&m={hand}&{table}")
    expect(verdict(phone)).to_contain_text("You can lay it down")
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    read_from = phone.evaluate("scrollY")
    assert read_from > 100
    entered_again(phone)
    assert phone.evaluate("[scrollY, document.body.scrollHeight - innerHeight]")[0] > 0
    assert not phone.evaluate(_TRAY_IN_VIEW)

    phone.goto(f"/check?variant=frustration&ask=hand&contract=1&m={hand}")
    card = phone.locator("[data-card]").first.bounding_box()
    phone.mouse.move(card["x"] + 10, card["y"] + 10)
    phone.mouse.down()
    held_at = phone.evaluate("scrollY")
    entered_again(phone)
    assert phone.evaluate("scrollY") == held_at
    phone.mouse.up()


_TRAY_IN_VIEW = """() => {
  const { top, bottom } = document.querySelector(".tray.active").getBoundingClientRect();
  return top >= 0 && bottom <= document.querySelector("[data-keypad]").getBoundingClientRect().top;
}"""


_EDGES = "(line) => getComputedStyle(line).backgroundAttachment"
"""Covers that go with what is scrolled, over edges that stay where there is more."""


def test_a_player_is_chosen_for_a_hand_after_a_verdict_without_a_script_error(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    phone.goto(f"/check?game={game.plain.key}&variant=aggravation-rummy&ask=layoff&m=5H+5C+5D")
    tap_cards(phone, "5")
    phone.locator("#tray-2").fill("5S")
    expect(verdict(phone)).to_contain_text("Legal")
    phone.locator("#ask-hand").tap()
    expect(phone.get_by_role("heading", name="Whose contract?")).to_be_visible()
    with phone.expect_response("**/check/verdict?**"):
        phone.get_by_text("Ben").tap()
    expect(phone.locator("#tray-1")).to_have_value("")


def test_the_kind_of_question_that_is_asked_is_in_view(new_phone: Callable[..., Page]) -> None:
    phone = new_phone(viewport={"width": 360, "height": 640}, locale=LONGER_WORDS)
    for ask in ("contract", "meld", "hand", "layoff", "swap", "score"):
        phone.goto(f"/check?ask={ask}")
        expect(phone.locator(".asks [aria-current]")).to_be_in_viewport(ratio=1)
        assert phone.locator(".asks").evaluate("one => one.scrollWidth <= one.clientWidth")
        assert phone.locator(".asks").evaluate(_EDGES) == "local, local, scroll, scroll"


def test_a_shared_verdict_shows_the_same_in_a_fresh_browser(
    phone: Page, new_phone: Callable[..., Page]
) -> None:
    phone.goto("/check?variant=frustration&contract=1")
    tap_cards(phone, "5 5 5 9 9 2")
    expect(verdict(phone)).to_contain_text("Legal")
    friend = new_phone()
    friend.goto(phone.url)
    expect(verdict(friend)).to_contain_text("Legal")
    expect(friend.locator("[data-tray] [data-card]")).to_have_count(6)


def test_the_verdict_works_without_scripts(new_phone: Callable[..., Page]) -> None:
    page = new_phone(java_script_enabled=False)
    page.goto("/check?variant=frustration&contract=1")
    page.locator("#tray-1").fill("5H 5D 5C")
    page.locator("#tray-2").fill("9H 9D 2S")
    page.get_by_role("button", name="Check").tap()
    expect(verdict(page)).to_contain_text("Legal")


def test_a_card_that_cannot_be_is_said_and_stays_as_entered(phone: Page) -> None:
    phone.goto("/check?variant=frustration&ask=meld&kind=set")
    phone.locator("#tray-1").fill("5H five")
    expect(phone.locator("#verdict")).to_contain_text("isn’t a card")
    expect(phone.locator("#tray-1")).to_have_value("5H five")


def test_the_best_lay_down_of_a_hand_is_drawn(phone: Page) -> None:
    phone.goto("/check?variant=aggravation-rummy&contract=2&ask=hand")
    tap_cards(phone, "5 5 5 3 4 5 6 7 7 7")
    expect(verdict(phone)).to_contain_text("You can lay it down")
    expect(phone.locator("#verdict")).to_contain_text("You can go out this turn")


def test_a_joker_is_taken_from_anothers_meld(phone: Page) -> None:
    phone.goto("/check?variant=twelve-step-rummy&ask=swap&kind=run&owner=other&position=2")
    phone.locator("#tray-1").fill("3H JK 5H 6H")
    phone.locator("#tray-2").fill("4H")
    expect(verdict(phone)).to_contain_text("Legal")
    phone.get_by_text("I laid it").tap()
    expect(verdict(phone)).to_contain_text("Not legal")


def test_a_place_for_one_card_shows_no_other_and_a_tap_puts_another_card_there(
    phone: Page,
) -> None:
    phone.goto("/check?variant=twelve-step-rummy&ask=swap&kind=run&m=3H+JK+5H+6H")
    free = (
        "() => getComputedStyle(document.querySelector('.active [data-cards]'), '::after').content"
    )
    assert phone.evaluate(free) == '""'
    tap_cards(phone, "♥ 9")
    expect(phone.locator("#tray-2")).to_have_value("9H")
    assert phone.evaluate(free) == "none"
    tap_cards(phone, "4")
    expect(phone.locator("#tray-2")).to_have_value("4H")


def test_a_question_is_found_by_its_words(phone: Page) -> None:
    phone.goto("/rules/frustration")
    assert cut_off(phone) + too_small(phone) == []
    phone.get_by_label("Search the Q&A").fill("same card twice")
    first = phone.locator(".faq").first
    expect(first).to_contain_text("Can a set hold the same card twice?")
    first.get_by_role("link", name="Try it").tap()
    expect(verdict(phone)).to_contain_text("Legal")


def test_a_recorded_dispute_is_seen_in_the_games_history(phone: Page) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    game.play(1, "Anna", "Ben")
    game.from_person("Ben", "Check contract 2")
    tap_cards(phone, "3 2 2 2 9 9 9")
    expect(verdict(phone)).to_contain_text("Not legal")
    phone.get_by_text("Record a ruling").tap()
    phone.get_by_label("Who asked?").select_option("Ben")
    phone.get_by_label("What did the group decide?").fill("let it count this once")
    phone.get_by_label("House rule from this round on").select_option("wild_limit=none")
    phone.get_by_role("button", name="Record ruling").tap()
    expect(phone.locator("#verdict .ruled")).to_contain_text("let it count this once")
    phone.get_by_role("link", name="Back to the game").tap()
    game.from_menu("Rounds")
    disputes = phone.locator("#rulings")
    expect(disputes).to_contain_text("3 of 4")
    expect(disputes).to_contain_text("let it count this once")
    expect(disputes).to_contain_text("From round 2 on")
    disputes.get_by_role("link", name="The question").tap()  # by the rules that hold now
    expect(verdict(phone)).to_contain_text("By your house rules: Legal")
    phone.go_back()
    phone.get_by_role("link", name="Back to the game").tap()
    game.from_person("Ben", "Check contract 2")
    tap_cards(phone, "3 2 2 2 9 9 9")
    expect(verdict(phone)).to_contain_text("Legal")


def test_french_players_may_type_roi_dame_and_valet(new_phone: Callable[..., Page]) -> None:
    page = new_phone(locale="fr-FR")
    page.goto("/check?variant=frustration&ask=meld&kind=run")
    page.locator("#tray-1").fill("10S VS DH RC")
    expect(verdict(page)).to_contain_text("Valable")
    assert "m=10S+JS+QH+KC" in page.url


def test_another_language_shows_the_same_cards(phone: Page) -> None:
    phone.goto("/check?variant=frustration&ask=meld&kind=set")
    for rank in ("8", "8", "K"):
        phone.locator(f'[data-rank="{rank}"]').tap()
    phone.get_by_text("Menu", exact=True).locator("xpath=ancestor::summary").tap()
    phone.get_by_role("button", name="Français").tap()
    expect(phone.locator("html")).to_have_attribute("lang", "fr")
    expect(phone.locator("[data-card]")).to_have_count(3)


def test_in_french_cards_are_typed_and_shown_in_french_letters_and_ours_are_read_too(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(locale="fr-FR")
    page.goto("/check?variant=garbage-rummy&ask=meld&size=any&m=10H+JH")
    field = page.locator("#tray-1")
    expect(field).to_have_value("10♥ V♥")
    tap_cards(page, "Q JK")
    expect(field).to_have_value("10♥ V♥ D♥ joker")
    expect(verdict(page)).to_contain_text("Valable")
    page.locator("#tray-1").fill("10♥ VH DH JK")
    expect(page.locator("[data-card]").nth(2)).to_have_accessible_name("dame de cœur")
    expect(page.locator("[data-card]").nth(3)).to_have_accessible_name("joker")
    expect(verdict(page)).to_contain_text("Valable")
    page.locator("[data-card]").first.tap()
    expect(field).to_have_value("V♥ D♥ joker")
    page.get_by_role("button", name="Contrat", exact=True).tap()
    expect(page.locator("#ask-contract")).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="Groupe ou suite").tap()
    expect(page.locator("#tray-1")).to_have_value("V♥ D♥ joker")
    assert "JH+QH+JK" in page.url


def test_a_verdict_that_waits_for_cards_leads_to_where_they_go(phone: Page) -> None:
    phone.goto("/check?variant=frustration&contract=1&m=5H+5D+5C&m=6H+6C")
    second = phone.locator("[data-tray]").nth(1)
    expect(second).to_have_class(re.compile("active"))
    phone.locator("[data-tray]").first.tap()
    expect(second).not_to_have_class(re.compile("active"))
    phone.locator("#strip").tap()
    expect(second).to_have_class(re.compile("active"))
    phone.get_by_role("link", name="Enter what is missing").tap()
    tap_cards(phone, "6")
    expect(verdict(phone)).to_contain_text("Legal")


KEYS_AND_CARDS = {
    "5 5 JK 5": "5♤ 5♡ JK 5♢",
    "5 ♥": "5H",
    "5 ♥ 6": "5H 6H",
    "5 JK 7 ♥ 8": "5H JK 7H 8H",
    "5 ♥ 5 ♠": "5H 5S",
    "5 5 ♠": "5♡ 5S",
    "♥ 5 6 JK 8": "5H 6H JK 8H",
    "5 6 ♥ 7 8": "5H 6H 7H 8H",
    "♥ 5 5 5": "5H 5♤ 5♢",
}


@pytest.mark.parametrize("ask", ["meld&size=any", "layoff"])
def test_a_set_needs_neither_its_suits_nor_its_kind_and_a_run_one_suit(
    phone: Page, ask: str
) -> None:
    for keys, cards in KEYS_AND_CARDS.items():
        phone.goto(f"/check?variant=garbage-rummy&ask={ask}")
        tap_cards(phone, keys)
        expect(phone.locator("#tray-1"), keys).to_have_value(cards)


def test_a_card_shows_no_suit_before_one_is_tapped(phone: Page) -> None:
    phone.goto("/check?variant=garbage-rummy&ask=meld&size=any")
    card, place = phone.locator("[data-card]"), phone.locator("[data-card] .card-pip:empty")
    tap_cards(phone, "5")
    expect(card).to_have_accessible_name("5")
    expect(place).to_be_visible()
    tap_cards(phone, "♥")
    expect(card).to_have_accessible_name("5 of hearts")
    phone.goto("/check?variant=garbage-rummy&ask=meld&kind=set")
    tap_cards(phone, "5 5 5")
    expect(card).to_have_text(["5", "5", "5"])
    expect(card.locator("svg")).to_have_count(0)
    expect(place).to_have_count(0)
    tap_cards(phone, "♣ 5")
    expect(phone.locator("#tray-1")).to_have_value("5♤ 5♡ 5C 5♢")
    expect(verdict(phone)).to_contain_text("Legal")


def test_a_suit_that_was_chosen_stays_while_set_and_run_are_switched(phone: Page) -> None:
    phone.goto("/check?variant=garbage-rummy&contract=3&ask=meld&kind=set")
    phone.locator('[data-suit="H"]').tap()
    phone.get_by_text("Run", exact=True).tap()
    expect(phone.locator("#kind-run")).to_be_checked()
    expect(phone.locator("#suit-H")).to_be_checked()
    tap_cards(phone, "5 JK 7")
    phone.get_by_text("Set", exact=True).tap()
    expect(phone.locator("#tray-1")).to_have_value("5H JK 7H")


def test_the_key_of_the_joker_says_joker_where_the_screen_is_narrow(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": 320, "height": 640})
    page.goto("/check?variant=garbage-rummy&contract=3")
    key = page.locator('[data-rank="JK"]')
    said = "one => getComputedStyle(one, '::after').content"
    assert key.evaluate(said) == '"joker"'
    assert key.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_the_keys_are_those_of_the_rules_that_are_tried(phone: Page) -> None:
    phone.goto("/check?variant=frustration&ask=layoff")
    expect(phone.locator('[data-rank="JK"]')).to_have_count(0)
    phone.locator(".played-by > summary").tap()
    field = phone.get_by_label("How many jokers do you play with?")
    field.fill("4")
    field.blur()
    expect(phone.locator('[data-rank="JK"]')).to_be_visible()
