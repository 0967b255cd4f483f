"""A picture is handed to the share sheet as a PNG, or saved as one where there is none."""

import re
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import GameOnPhone

SHEET = """
  window.shared = [];
  navigator.canShare = ({ files }) => files.every((one) => one.type === "image/png");
  navigator.share = async ({ files, title }) => {
    const bytes = new Uint8Array(await files[0].arrayBuffer());
    window.shared.push({ name: files[0].name, title, bytes: [...bytes] });
    document.documentElement.dataset.shared = "yes";
  };
"""
NO_SHEET = "delete Navigator.prototype.canShare; delete Navigator.prototype.share;"


def _assert_is_picture(content: bytes) -> None:
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert width == 1200
    assert height >= 630
    assert len(content) > 10_000  # something is drawn


@pytest.mark.provokes(cut_off=True)
@pytest.mark.parametrize("sheet", [True, False], ids=["share sheet", "none"])
def test_a_result_an_evening_and_a_season_are_shared_as_a_picture(
    new_phone: Callable[..., Page], sheet: bool
) -> None:
    page = new_phone()
    page.add_init_script(SHEET if sheet else NO_SHEET)
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    game.play(1, "Anna", Ben=25, Cleo=30)
    key = re.search(r"/games/(\w+)", page.url)
    assert key
    page.goto(f"/games/{key[1]}/stop")
    page.locator("[name=result][value=yes]").tap()
    day = datetime.now(UTC).date()
    for address, button, name, title in (
        (f"/games/{key[1]}", "Share result", rf"meldkeeper-{day}", "Anna wins!"),
        (f"/evenings/{key[1]}", "Share evening", rf"meldkeeper-{day}", "Anna wins!"),
        (f"/seasons/{day.year}", "Share picture", rf"meldkeeper-{day.year}", str(day.year)),
    ):
        page.goto(address)
        share = page.get_by_role("link", name=button)
        if sheet:
            share.tap()
            page.locator("html[data-shared]").wait_for()
            (got,) = page.evaluate("window.shared")
            assert (got["name"], got["title"]) == (f"{name}.png", title)
            _assert_is_picture(bytes(got["bytes"]))
        else:
            with page.expect_download() as saved:
                share.tap()
            assert saved.value.suggested_filename == f"{name}.png"
            _assert_is_picture(Path(saved.value.path()).read_bytes())
            expect(page.get_by_role("link", name="Picture saved")).to_be_visible()
            expect(page.locator("#announced")).to_contain_text("Picture saved")
    page.route("**/*.svg*", lambda route: route.abort("internetdisconnected"))
    page.reload()
    page.get_by_role("link", name="Share picture").tap()
    expect(page.locator("#announced")).to_have_text("The picture couldn’t be made. Try again.")


DENIED = "navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));"
NOTHING = "document.execCommand = () => false;"


@pytest.mark.parametrize(
    ("denial", "words"),
    [("", "Copied"), (DENIED, "Copied"), (DENIED + NOTHING, "Selected, not copied yet")],
)
def test_what_became_of_a_copy_is_said(
    new_phone: Callable[..., Page], denial: str, words: str
) -> None:
    page = new_phone()
    page.add_init_script(denial)
    game = GameOnPhone(page)
    game.start("Aggravation Rummy", "Anna Ben Cleo")
    page.goto("/group/links/watch")
    page.locator("main").get_by_role("button").first.tap()
    button = page.locator("[data-copy]")
    button.tap()
    expect(button).to_have_text(words)
    expect(page.locator("#announced")).to_have_text(words)


def test_a_mark_that_was_saved_says_so_and_closes_its_choice(phone: Page) -> None:
    GameOnPhone(phone).start("Aggravation Rummy", "Anna Ben Cleo")
    phone.goto("/players")
    phone.get_by_role("link", name="Ben").tap()
    choice = phone.locator("#mark")
    choice.locator("summary").tap()
    phone.get_by_role("button", name="teal").tap()
    expect(phone.locator("#announced")).to_have_text("Saved.")
    expect(choice).to_have_attribute("open", "")
    phone.get_by_label("Initials or an emoji").fill("BN")
    choice.get_by_role("button", name="Use").tap()
    expect(choice).not_to_have_attribute("open", "")
    expect(phone.locator(".done")).to_have_text("Saved.")
    expect(phone.locator(".done")).to_be_in_viewport()
