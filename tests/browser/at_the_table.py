"""What people do at the table, said in their words, done on a phone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import APIResponse, Locator, Page, expect

from app.rules.rule_sets import shipped_rule_sets
from tests.builders import who_laid_down
from tests.servers import Http
from tests.waiting import wait_on_page
from tests.web_table import PlainGame


@dataclass
class GameOnPhone:
    """A game on one phone. `taps` counts what the fingers did."""

    page: Page
    taps: int = field(default=0)

    def start(self, variant_name: str, names: str) -> None:
        """Begin a game by a plain request and open it."""
        rule_set = next(one for one in shipped_rule_sets().values() if one.name == variant_name)
        began = sent(self.page, "/games", {"variant": rule_set.id, "player": names.split()})
        self.page.goto(began.headers["location"])

    def set_up(self, variant_name: str, names: str) -> None:
        """From the first page into a running game, by taps."""
        page = self.page
        page.goto("/")
        self.tap(page.get_by_role("link", name="New game"))
        name = page.locator(".variant-name").and_(page.get_by_text(variant_name, exact=True))
        expect(name).to_be_attached()
        if not name.is_visible():  # an edition, behind the details of its game
            self.tap(page.locator(".variant-card").filter(has=name).locator("summary").first)
        self.tap(name)
        page.get_by_label("Add players").fill(", ".join(names.split()))
        self.tap(page.get_by_role("button", name="Start game"))
        expect(page.get_by_role("heading", name="Round 1")).to_be_visible()

    @property
    def plain(self) -> PlainGame:
        """This game in the same phone's hands, by plain requests."""
        parts = urlsplit(self.page.url)
        cookies = {one["name"]: one["value"] for one in self.page.context.cookies()}
        client = Http(parts.port or 0).with_cookies(cookies)
        return PlainGame.known(client, parts.path.rpartition("/")[2])

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.tap()

    def row(self, name: str) -> Locator:
        return self.page.locator("li.row").filter(has=self.page.locator(".row-name", has_text=name))

    def goes_out(self, name: str) -> None:
        self.tap(self.row(name).get_by_text("Went out"))

    def meets(self, name: str) -> None:
        self.tap(self.row(name).get_by_text("Laid down"))

    def has_left_over(self, name: str, points: int | str) -> None:
        self.page.get_by_label(f"Points for {name}").fill(str(points))

    def close(self, number: int) -> None:
        self.tap(self.page.locator(f"#close-round[hx-post$='/rounds/{number}/close']"))

    def play(self, number: int, out: str = "", met: str = "", **penalties: int | str) -> None:
        """One round, from the first tap to the next round or the result.

        Who has few points left laid down.
        """
        if out:
            self.goes_out(out)
        for name in who_laid_down(out, met, penalties).split():
            self.meets(name)
        for name, points in penalties.items():
            self.has_left_over(name, points)
        self.close(number)
        expect(self.page.get_by_role("button", name=f"Reopen round {number}")).to_be_visible()

    def from_menu(self, name: str) -> None:
        """Follow a link of the game's menu."""
        menu = self._menu()
        menu.locator("> summary").tap()
        menu.get_by_role("link", name=name, exact=True).tap()

    def switch(self, name: str) -> None:
        """Switch what the game's menu sets for this device."""
        menu = self._menu()
        for words in ("Menu", "This device"):
            menu.locator("summary", has_text=words).tap()
        menu.get_by_label(name).tap()
        menu.locator("> summary").tap()

    def _menu(self) -> Locator:
        """The game's own menu: the page left a moment ago may have one too."""
        return self.page.locator(".menu", has=self.page.locator("#menu-see"))

    def from_person(self, name: str, link: str) -> None:
        """Follow a link of what a player's name opens."""
        self.row(name).locator(".row-head").tap()
        self.page.get_by_role("group", name=name, exact=True).get_by_role("link", name=link).tap()

    def count_cards_of(self, name: str) -> None:
        """Open the steppers in the row's field of points."""
        self.tap(self.row(name).locator(".counting > summary"))

    def contract_of(self, name: str) -> str:
        return self.row(name).locator(".contract-number").inner_text()

    def score_of(self, name: str) -> int:
        text = self.row(name).locator(".score").inner_text().replace("−", "-")
        return int(text.split()[0])


def sent(phone: Page, path: str, fields: Mapping[str, Any]) -> APIResponse:
    """What is answered to a form of that phone's browser, sent without a page."""
    token = re.search(r'name="csrf-token" content="([^"]+)"', phone.request.get("/join").text())
    assert token
    headers = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": token[1]}
    return phone.request.post(
        path, data=urlencode(fields, doseq=True), headers=headers, max_redirects=0
    )


def settled(phone: Page) -> Page:
    """A phone on which the worker is at work before anything else is done."""
    phone.goto("/")
    phone.evaluate("navigator.serviceWorker.ready.then(() => null)")
    return phone


def let_in(host: Page, other: Page, role: str) -> None:
    """Let another phone into the host's game by a code, without their pages; it opens the game."""
    game = urlsplit(host.url).path
    shown = sent(host, "/group/invite", {"role": role, "game": game.rpartition("/")[2]}).text()
    code = re.search(r'class="code"[^>]*>([^<]+)<', shown)
    assert code
    assert sent(other, "/join", {"code": code[1]}).headers["location"] == game
    other.goto(game)


def let_in_by_taps(host: Page, other: Page, role: str) -> None:
    """Let another phone in across the table; both end at the game."""
    game = host.url
    host.goto("/group/invite")
    host.get_by_role("button", name=role).tap()
    code = host.locator(".code").inner_text()
    other.goto("/join")
    other.get_by_label("Code").fill(code)
    other.get_by_role("button", name="Join").tap()
    other.wait_for_url(f"**{urlsplit(game).path}")
    host.goto(game)


def hears_nothing_new(page: Page) -> None:
    """From now on a page is told that what it shows is the newest, until it is unrouted."""
    version = page.locator("meta[name=version]").get_attribute("content") or ""
    page.route("**/live*", lambda route: route.fulfill(status=204, headers={"X-Version": version}))


def finger_on(button: Locator) -> None:
    """Tap once where it is, as a finger does that sees it; the page is not moved for it."""
    expect(button).to_be_in_viewport(ratio=1)
    box = button.bounding_box()
    assert box is not None
    button.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def reads(page: Page) -> None:
    """What a page shows stands there long enough to be read."""
    begun = page.evaluate("performance.now()")
    wait_on_page(page, "(begun) => performance.now() > begun + 1000", begun)


def all_is_sent(page: Page) -> None:
    """Nothing waits to be sent, or the person is asked about it: no answer moves what is tapped."""
    wait_on_page(
        page,
        """() => JSON.parse(localStorage.getItem("meldkeeper-outbox") ?? "[]").length === 0
            || document.querySelector("#unsent").textContent""",
    )


def is_the_phone_of(page: Page, name: str) -> None:
    """Say whose phone this is, and come back to the game."""
    game = page.url
    page.goto("/group")
    page.get_by_label("This is the device of").select_option(label=name)
    with page.expect_response("**/group/me"):
        page.get_by_role("button", name="Save").tap()
    page.goto(game)
