"""`make screenshots`: every screen of the running app, in each language and size, light and dark.

The pictures go into .screenshots/, which git ignores; those that the README shows go into .readme/.
"""

import os
import sys
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.__main__ import find_browser
from tests.browser import readme_pictures
from tests.browser.every_screen import SCREENS, Evening, Screen
from tests.browser.links import Ways, go_by_taps, ways_from_home
from tests.browser.looking import still
from tests.browser.phones import ARGUMENTS, LANGUAGES, LIMIT, PHONE, serving

TOP = Path(__file__).parent.parent.parent
FOLDER = TOP / ".screenshots"
README = TOP / ".readme"
SIZES = ((360, 640), (390, 844), (844, 390), (1280, 800))


def main() -> int:
    browser_path = find_browser()
    if browser_path is None:
        print("No browser could be found or installed.")
        return 1
    for folder in (FOLDER, README):
        folder.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS)
        evening = Evening.at(address)
        for language in LANGUAGES:
            take_all(browser, evening, language)
        readme_pictures.take(browser, Evening.at(address), README)
        browser.close()
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {os.path.relpath(FOLDER)}")
    return 0


def take_all(browser: Browser, evening: Evening, language: str) -> None:
    """Take every screen in one language, reached by taps from Home, in every size and light."""
    seen_by: dict[str, BrowserContext] = {}
    ways: dict[str, Ways] = {}
    for screen in SCREENS:
        if screen.who not in seen_by:
            options = {**PHONE, "locale": LANGUAGES[language]}
            seen_by[screen.who] = browser.new_context(base_url=evening.address, **options)
            seen_by[screen.who].set_default_timeout(LIMIT)
            evening.let_in(seen_by[screen.who], screen.who)
            ways[screen.who] = ways_from_home(evening.client(screen.who), evening.address)
        page = seen_by[screen.who].new_page()
        screen.open(page, evening, partial(go_by_taps, ways=ways[screen.who]))
        take(page, screen, language)
        page.close()


def take(page: Page, screen: Screen, language: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            still(page)
            page.screenshot(path=FOLDER / f"{screen.name}-{language}-{width}-{scheme}.png")


if __name__ == "__main__":
    sys.exit(main())
