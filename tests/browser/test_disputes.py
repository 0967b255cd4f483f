"""A dispute in a hurry, on a small phone: whose contract, which meld, and where the verdict is."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.at_the_table import GameOnPhone
from tests.browser.looking import not_in_view, resized
from tests.browser.phones import LONGER_WORDS
from tests.browser.test_at_a_glance import SAID
from tests.browser.test_checker import tap_cards, verdict

_TICKS = """() => [...document.querySelectorAll("#checker *")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => ["::before", "::after"]
      .some((part) => getComputedStyle(one, part).content.includes("✓"))
    || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.includes("✓")))
  .map((one) => one.outerHTML.slice(0, 90))"""

_LINES = """one => Math.round(one.firstElementChild.getBoundingClientRect().height
  / parseFloat(getComputedStyle(one).lineHeight))"""


@pytest.fixture
def phone(phone: Page) -> Page:
    phone.set_viewport_size({"width": 360, "height": 640})
    return phone


def cards_in(page: Page, tray: int) -> Locator:
    return page.locator(f"#tray-{tray}")


def test_the_fourth_of_a_rank_stays_with_the_three_and_no_tick_stands_on_what_is_illegal(
    phone: Page,
) -> None:
    phone.goto("/check?variant=frustration&contract=1")
    tap_cards(phone, "5 5 5 5 9 9 K")
    expect(cards_in(phone, 1)).to_have_value("5 5 5 5")
    expect(cards_in(phone, 2)).to_have_value("9 9 K")
    expect(phone.locator("#strip.illegal")).to_have_count(1)
    assert not_in_view(phone, SAID) == []
    assert phone.evaluate(_TICKS) == []


def test_a_card_that_fits_the_full_run_is_put_there_by_a_tap_and_so_are_the_next(
    phone: Page,
) -> None:
    phone.goto("/check?variant=frustration-rummy&contract=2")
    tap_cards(phone, "♥ 5 6 7 8 9")
    expect(cards_in(phone, 2)).to_have_value("9H")
    phone.get_by_role("button", name="Put 9♥ in: Meld 1 (run of 4)").tap()
    expect(cards_in(phone, 1)).to_have_value("5H 6H 7H 8H 9H")
    tap_cards(phone, "10 K K K")
    expect(cards_in(phone, 1)).to_have_value("5H 6H 7H 8H 9H 10H")
    expect(cards_in(phone, 2)).to_have_value("KH K♤ K♢")
    expect(phone.get_by_role("button", name="Put ")).to_have_count(0)
    expect(verdict(phone)).to_contain_text("Legal")


def test_what_was_tapped_for_a_contract_is_there_again_after_one_of_its_melds(phone: Page) -> None:
    phone.goto("/check?variant=frustration-rummy&contract=2")
    tap_cards(phone, "♥ 5 6 7 8 K K")
    phone.get_by_role("button", name="Meld").tap()
    expect(cards_in(phone, 1)).to_have_value("KH K♤")
    phone.get_by_role("button", name="5♥ 6♥ 7♥ 8♥").tap()
    expect(cards_in(phone, 1)).to_have_value("5H 6H 7H 8H")
    expect(verdict(phone)).to_contain_text("Legal")
    tap_cards(phone, "9")
    phone.get_by_role("button", name="Contract").tap()
    expect(cards_in(phone, 1)).to_have_value("5H 6H 7H 8H 9H")
    expect(cards_in(phone, 2)).to_have_value("KH K♤")
    expect(phone).to_have_url(re.compile("m=5H.*m=KH"))


def test_from_a_game_it_is_seen_whose_contract_is_judged_and_one_tap_judges_anothers(
    phone: Page,
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    game.play(1, "Anna", "Ben")
    phone.locator("#bar").get_by_role("link", name="Check").tap()
    expect(phone.get_by_role("heading", name="Whose contract?")).to_be_visible()
    whose = phone.get_by_role("radiogroup", name="Whose contract?")
    expect(whose.locator(".mark")).to_have_count(3)
    whose.get_by_text("Cleo").tap()
    expect(phone.get_by_text("Can Cleo lay down contract 1?")).to_be_visible()
    tap_cards(phone, "5 5 5 9 9 9")
    expect(verdict(phone)).to_contain_text("Legal")
    whose.get_by_text("Ben").tap()
    expect(phone.get_by_text("Can Ben lay down contract 2?")).to_be_visible()
    expect(verdict(phone)).to_contain_text("Not legal")
    expect(cards_in(phone, 1)).to_have_value("5 5 5")


def test_where_there_is_room_every_player_whose_contract_it_can_be_is_in_view(
    phone: Page,
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration Rummy", "Rosemary Maximilian Tom Léa Ben")
    phone.goto(f"/check?game={game.plain.key}&variant=frustration-rummy&contract=1")
    for size in ((844, 390), (1280, 800)):
        assert not_in_view(resized(phone, *size), ".whose > .tap-face") == [], size


def test_what_is_said_about_an_ace_is_in_view_when_it_is_said(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(viewport={"width": 360, "height": 640}, locale=LONGER_WORDS)
    page.goto("/check?variant=frustration-rummy&contract=2")
    tap_cards(page, "♥ A 3 4 2 K K K")
    said = page.locator("#strip.legal")
    expect(said).to_contain_text("3.")  # the ace goes before it
    expect(page.locator("#announced")).to_have_text(re.compile(r"^\w.*3\."))  # without a sign
    assert not_in_view(page, f"{SAID}, .key, .tray.active") == []
    assert said.evaluate("one => one.scrollHeight <= one.clientHeight")
    assert said.evaluate(_LINES) <= 4
    page.set_viewport_size({"width": 844, "height": 390})
    assert not_in_view(page, "#verdict .verdict-word, .reason > .sentence, .key") == []


def test_the_key_that_takes_a_card_back_is_as_tall_as_the_others_beside_a_long_verdict(
    phone: Page,
) -> None:
    phone.goto("/check?variant=frustration&contract=2&m=A+3+4+2&m=K+K+K")
    undo, rank = phone.locator(".key[data-undo]"), phone.locator(".key[data-rank]").first
    assert phone.locator("#strip").evaluate(_LINES) > 2
    assert undo.bounding_box()["height"] == rank.bounding_box()["height"]
