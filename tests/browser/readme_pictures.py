"""The four pictures of the README: an evening of four friends, as a phone shows it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

from tests.browser.at_the_table import GameOnPhone
from tests.browser.every_screen import Evening
from tests.browser.looking import still
from tests.browser.phones import PHONE
from tests.web_table import PlainGame

_NAMES = "Anna Ben Cleo Dora"
_ROUNDS = (
    ("Anna", "Ben Dora", {"Ben": "15", "Cleo": "75", "Dora": "20"}),
    ("Dora", "Anna", {"Anna": "10", "Ben": "85", "Cleo": "70"}),
    ("Cleo", "Anna Dora", {"Anna": "25", "Ben": "80", "Dora": "5"}),
    ("Ben", "Cleo Dora", {"Anna": "75", "Cleo": "15", "Dora": "50"}),
    ("Dora", "Anna Ben Cleo", {"Anna": "5", "Ben": "10", "Cleo": "25"}),
    ("Anna", "Cleo Dora", {"Ben": "65", "Cleo": "10", "Dora": "15"}),
    ("Dora", "Anna Ben", {"Anna": "20", "Ben": "15", "Cleo": "90"}),
)
"""Who went out, who else laid down, and what the others had left; the last one ends the game."""
_HAND = {
    "variant": "aggravation-rummy",
    "ask": "hand",
    "contract": 2,
    "m": "5H 5D 5C 3S 4H 5S 6D 7C 7D 7H",
}


@dataclass(frozen=True)
class Picture:
    """A picture: its file, its page, what is done there first, and by which light."""

    name: str
    address: str
    scheme: Literal["light", "dark"] = "light"
    step: Callable[[Page], None] | None = None


def take(browser: Browser, evening: Evening, folder: Path) -> None:
    """Play an evening and take the pictures into a folder."""
    running, ended = _played(evening, _ROUNDS[:4]), _played(evening, _ROUNDS)
    pictures = (
        Picture("round", f"/games/{running}", step=_enter),
        Picture("check", "/check?" + urlencode(_HAND), scheme="dark"),
        Picture("result", f"/games/{ended}"),
        Picture("record", f"/games/{running}/rounds", scheme="dark", step=_show_rounds),
    )
    context = browser.new_context(base_url=evening.address, **{**PHONE, "locale": "en-US"})
    evening.let_in(context, "host")
    for picture in pictures:
        page = context.new_page()
        page.emulate_media(color_scheme=picture.scheme)
        page.goto(picture.address)
        if picture.step:
            picture.step(page)
        still(page)
        page.screenshot(path=folder / f"{picture.name}.png")
        page.close()
    context.close()


def _played(evening: Evening, rounds: tuple[tuple[str, str, dict[str, str]], ...]) -> str:
    game = PlainGame.started(evening.host, "aggravation-rummy", _NAMES)
    for number, (out, met, typed) in enumerate(rounds, start=1):
        assert game.close(number, out=out, met=met, **typed).status_code == 303
    return game.key


def _enter(page: Page) -> None:
    game = GameOnPhone(page)
    game.goes_out("Dora")
    game.meets("Anna")
    game.has_left_over("Anna", "15")
    game.has_left_over("Ben", "80")
    page.mouse.click(1, 1)


def _show_rounds(page: Page) -> None:
    page.locator("section", has=page.locator(".record")).evaluate(
        "one => { const { bottom } = document.querySelector('.page-head').getBoundingClientRect();"
        "  scrollTo(0, one.getBoundingClientRect().top - bottom + scrollY - 8); }"
    )
