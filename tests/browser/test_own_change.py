"""What one did is told once, with Undo, beside whatever other devices do; the next tap ends it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, let_in


def test_what_one_did_stays_with_its_undo_until_the_next_tap(
    phone: Page, new_phone: Callable[..., Page]
) -> None:
    game = GameOnPhone(phone)
    game.start("Frustration", "Anna Ben Cleo")
    other = new_phone()
    let_in(phone, other, "Can score")
    game.from_menu("Void round")
    phone.get_by_role("button", name="Pass the deal to Ben").tap()
    own, said = phone.locator("#own-change"), phone.locator("#announced")
    words = "Round 1 void, the deal passes on · Dealer: Anna → Ben"
    expect(own).to_contain_text(words)
    expect(said).to_have_text(words)
    other.reload()
    expect(other.locator("#own-change")).to_be_empty()
    GameOnPhone(other).meets("Cleo")
    expect(game.row("Cleo").locator(".tap-met")).to_be_checked()
    expect(own).to_contain_text(words)
    phone.reload()
    expect(own).to_contain_text(words)
    expect(phone.locator("#own-change [data-announce]")).to_have_count(0)
    game.meets("Ben")
    expect(own).to_be_empty()
    game.from_menu("Void round")
    phone.get_by_role("button", name="Ben deals again").tap()
    own.get_by_role("button", name="Undo").tap()
    expect(own).to_contain_text("Undone: round 1 void")
    expect(game.row("Ben").locator(".tap-met")).to_be_checked()
    game.play(1, "Anna")
    expect(own).to_be_empty()
    phone.get_by_role("button", name="Reopen round 1").tap()
    expect(own).to_have_text("Round 1 reopened")
