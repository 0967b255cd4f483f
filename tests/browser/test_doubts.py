"""What is doubted where a round was to end: answered where it stands, and asked while it is so."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone, let_in


@pytest.fixture
def doubted(game: GameOnPhone) -> GameOnPhone:
    """A round that was to end, with three players of whom it looks as if they laid down."""
    game.start("Aggravation Rummy", "Anna Ben Cleo Dora")
    game.goes_out("Anna")
    for name in ("Ben", "Cleo", "Dora"):
        game.has_left_over(name, 25)
    game.close(1)
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
    expect(doubted.page.get_by_role("button", name="End round anyway")).to_be_visible()
    doubts.get_by_role("button", name="Yes").tap()
    expect(doubts).to_have_count(0)
    doubted.close(1)
    expect(doubted.page.get_by_role("button", name="Reopen round 1")).to_be_visible()


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
