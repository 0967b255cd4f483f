"""`make screenshots`: every screen of the running app, on a phone, light and dark.

The pictures go into .screenshots/, which git ignores; those that the README shows go into .readme/.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.__main__ import find_browser
from tests.browser.at_the_table import GameOnPhone
from tests.browser.phones import ARGUMENTS, PHONE, serving

TOP = Path(__file__).parent.parent.parent
FOLDER = TOP / ".screenshots"
SHOWN_IN_README = ("new", "entry", "check", "result")


class Camera:
    """Takes pictures of one phone in one colour scheme."""

    def __init__(self, page: Page, scheme: str) -> None:
        self.page, self.scheme = page, scheme

    def take(self, name: str) -> None:
        self.page.wait_for_timeout(300)
        self.page.screenshot(path=FOLDER / f"{name}-{self.scheme}.png")
        self.take_in_french(name)
        if self.scheme == "light" and name in SHOWN_IN_README:
            self.page.screenshot(path=TOP / ".readme" / f"{name}.png")

    def take_in_french(self, name: str) -> None:
        """The same address as a French phone shows it; what is only half typed is not there."""
        page = self.page.context.new_page()
        page.set_extra_http_headers({"Accept-Language": "fr"})
        page.goto(self.page.url)
        page.wait_for_timeout(200)
        page.screenshot(path=FOLDER / f"{name}-{self.scheme}-fr.png", full_page=True)
        page.close()


def an_evening(camera: Camera) -> None:
    """One game of Aggravation Rummy to its end, with all screens on the way."""
    page = camera.page
    page.goto("/")
    camera.take("home-empty")
    page.goto("/games/new")
    camera.take("choose")
    card = page.locator(".variant-card")
    card.filter(has=page.get_by_text("Aggravation Rummy", exact=True)).tap()
    page.get_by_label("Add players").fill("Anna, Ben, Cleo, Dominique")
    page.get_by_role("button", name="Add", exact=True).tap()
    camera.take("new")
    page.get_by_text("House rules").tap()
    page.get_by_text("Melds", exact=True).tap()
    camera.take("house-rules")
    page.get_by_role("button", name="Start the game").tap()
    page.get_by_role("heading", name="Round 1").wait_for()
    camera.take("game")
    rounds(GameOnPhone(page), camera)
    page.get_by_role("button", name="Undo closing round 7").wait_for()
    page.wait_for_timeout(300)
    camera.take("result")
    page.goto("/")
    camera.take("home")
    the_judge(camera)
    own_rules(camera)
    page.goto("/nowhere")
    camera.take("error")


def the_judge(camera: Camera) -> None:
    """The checker, the rulings and the rule sheet."""
    page = camera.page
    page.goto("/check?variant=frustration-rummy-board&contract=2")
    camera.take("check-empty")
    page.locator('[data-suit="H"]').tap()
    for rank in ("5", "6", "JK", "8", "9", "9", "2"):
        page.locator(f'[data-rank="{rank}"]').tap()
    camera.take("check")
    page.goto("/check?variant=frustration&ask=meld&kind=set&m=8H+8D+2S+2C+2D")
    camera.take("check-illegal")
    page.goto(
        "/check?variant=aggravation-rummy&ask=hand&contract=2&m=5H+5D+5C+3S+4H+5S+6D+7C+7D+7H"
    )
    camera.take("check-hand")
    page.goto("/check?variant=twelve-step-rummy&ask=swap&kind=run&owner=other&position=2")
    camera.take("check-swap")
    page.goto("/rules")
    camera.take("rule-sets")
    page.goto("/rules/frustration?words=ace")
    camera.take("rulings")
    page.goto("/rules/garbage-rummy/sheet")
    camera.take("sheet")


def own_rules(camera: Camera) -> None:
    """Rules of the table's own: typed, kept, passed on, brought in."""
    page = camera.page
    page.goto("/rules/own")
    camera.take("own-empty")
    page.goto("/rules/own/new?base=frustration")
    page.locator("#contract-1").fill("2 sets of 3 and a hat")
    page.locator("#contract-2").fill("3x5")
    page.locator("#said-contract-1.wrong").wait_for()
    page.locator("#contracts").scroll_into_view_if_needed()
    camera.take("own-form")
    page.locator("#contract-1").fill("2x3 + R4")
    page.locator("#said-contract-2.odd").wait_for()
    page.locator("#changes").scroll_into_view_if_needed()
    camera.take("own-changes")
    page.get_by_role("button", name="Keep these rules").tap()
    page.get_by_role("img", name="QR code of the link").scroll_into_view_if_needed()
    camera.take("own-rules")
    page.goto(page.locator("input[readonly]").input_value())
    camera.take("own-brought")


def rounds(game: GameOnPhone, camera: Camera) -> None:
    page = game.page
    game.close(1)
    page.locator(".fault").first.wait_for()
    camera.take("faults")
    for number in range(1, 8):
        game.goes_out("Anna")
        for name in ("Ben",) * (number % 2) + ("Cleo",) * (number % 3 > 0):
            game.meets(name)
        game.has_left_over("Ben", "10+5")
        game.has_left_over("Cleo", "12" if number == 2 else "20")
        game.has_left_over("Dominique", 25 + 5 * number)
        if number == 3:
            game.row("Dominique").get_by_text("Count cards").tap()
            camera.take("count")
        page.wait_for_timeout(900)
        page.evaluate("scrollTo(0, 0)")
        if number == 5:
            camera.take("entry")
        game.close(number)
        if number == 2:
            page.get_by_role("button", name="Close anyway").wait_for()
            camera.take("doubt")
            page.get_by_role("button", name="Close anyway").tap()
        page.get_by_role("button", name=f"Undo closing round {number}").wait_for()
        if number == 4:
            screens_beside(page, camera)


def screens_beside(page: Page, camera: Camera) -> None:
    page.get_by_role("link", name="Standing").tap()
    camera.take("standing")
    page.get_by_role("link", name="Rounds").tap()
    camera.take("rounds")
    page.locator("#round-2").get_by_text("Mend").tap()
    camera.take("mend")
    page.get_by_role("link", name="Back").tap()
    page.get_by_role("link", name="Back to the game").tap()
    page.get_by_role("link", name="Players").tap()
    camera.take("players")
    page.get_by_role("link", name="Back to the game").tap()


@contextmanager
def phone(browser: Browser, address: str, scheme: str) -> Iterator[Page]:
    context = browser.new_context(base_url=address, color_scheme=scheme, **PHONE)
    yield context.new_page()
    context.close()


def main() -> int:
    browser_path = find_browser()
    if browser_path is None:
        print("No browser could be found or installed.")
        return 1
    FOLDER.mkdir(exist_ok=True)
    (TOP / ".readme").mkdir(exist_ok=True)
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS)
        for scheme in ("light", "dark"):
            with phone(browser, address, scheme) as page:
                an_evening(Camera(page, scheme))
        browser.close()
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {os.path.relpath(FOLDER)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
