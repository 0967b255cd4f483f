"""Every screen of the app, and one table whose evening fills them all.

The walk in `test_every_screen.py`, the pictures and Lighthouse go by this list.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import BrowserContext, Page

from tests.servers import Http
from tests.web_table import PlainGame, fields_of

NAMES = "Anna Ben Cleo Maximilian-Alexander-Konstantin-Friedric"
Who = Literal["host", "guest", "stranger"]
"""The phone that set the table up, one that may only watch, and one that was let in nowhere."""

_POINTS = {
    "called": "Uno",
    "rule-win": "highest_score",
    "rule-score_limit": "500",
    "rule-below_zero": "true",
}
_DISPUTE = {"ask": "contract", "contract": 2, "m": ["3H 2D 2C 2S", "9H 9D 9C"]}


@dataclass
class Evening:
    """A table after an evening: games of all sorts, phones, links, rules of their own.

    `places` are what addresses of screens name in braces.
    """

    address: str
    host: Http
    guest: Http
    places: Mapping[str, str]

    @classmethod
    def at(cls, address: str) -> "Evening":
        """Play it on the server at that address."""
        port = urlsplit(address).port
        assert port
        host, guest = Http(port), Http(port)
        running, ended = _running_game(host), _ended_game(host)
        for stopped in (True, False):
            _counted_game(host, stopped)
        links = {role: invite_link(host, role) for role in ("watch", "score")}
        guest.get("/games/new")
        guest.post(links["watch"])
        host.post(f"/players/{_person(host, 'Ben')}/name", {"name": "Benedikt"})
        host.post("/group/tokens", {"name": "The club's display", "role": "watch"})
        host.post(f"/games/{ended.key}/share", {"shared": "yes"})
        binned = PlainGame.started(host, "frustration", "Anna Ben")
        host.post(f"/games/{binned.key}/bin")
        record = _page(host, f"/games/{ended.key}/rounds")
        shared = re.search(r"/results/([\w-]+)", record)
        own = _own_rules(host)
        passed_on = re.search(r'value="[^"]*(/rules/custom/bring\?r=[^"]+)"', own[1])
        assert shared
        assert passed_on
        places = {
            "game": running.key,
            "crowded": _crowded_game(host).key,
            "ended": ended.key,
            "points": PlainGame.started(host, "points-only", NAMES, **_POINTS).key,
            "person": _person(host, "Anna"),
            "seat": str(running.seats["Anna"]),
            "taken_over": str(ended.seats["Cleo"]),
            "shared": shared[1],
            "link": links["score"],
            "removed": _removed_device(host, Http(port), links["watch"]),
            "own": own[0],
            "passed_on": passed_on[1],
            "past": _past_game(host),
            "year": str(datetime.now(UTC).astimezone().year),
        }
        return cls(address, host, guest, places)

    def client(self, who: Who) -> Http:
        """The browser without scripts of whoever it is."""
        if who == "stranger":
            return Http(urlsplit(self.address).port or 0)
        return self.guest if who == "guest" else self.host

    def let_in(self, context: BrowserContext, who: Who) -> None:
        """Let a browser be the one of whoever it is."""
        if who == "stranger":
            return
        pairs = [pair.partition("=") for pair in self.client(who).cookies.split("; ")]
        context.add_cookies(
            [{"name": name, "value": value, "url": self.address} for name, _, value in pairs]
        )


def _past_game(host: Http) -> str:
    seats = {"p0-player": "Anna", "p0-place": "1", "p1-player": "Cleo", "p1-place": "2"}
    day = {"date": "2024-12-31", "rules": "frustration"}
    return host.post("/data/past-game", day | seats).location.split("/")[2]


def _running_game(host: Http) -> PlainGame:
    game = PlainGame.started(host, "aggravation-rummy", NAMES)
    last = NAMES.rsplit(maxsplit=1)[-1]
    for number in range(1, 6):
        typed = {"Ben": str(5 * number), "Cleo": "30", last: str(25 + 10 * number)}
        assert game.close(number, out="Anna", met="Ben", **typed).status_code == 303
    third = f"/games/{game.key}/rounds/3"
    edited = {f"{game.seats['Ben']}-typed": "45", "reason": "two cards were overlooked"}
    assert host.post(third, fields_of(_page(host, third), "round") | edited).status_code == 303
    host.post(f"{third}/note", {"note": "The famous misdeal: Cleo dealt herself 14 cards"})
    question = urlencode({**_DISPUTE, "variant": "aggravation-rummy", "game": game.key}, doseq=True)
    ruled = {
        "question": question,
        "decided": "let it count this once",
        "asked_by": game.seats["Ben"],
    }
    assert host.post(f"/games/{game.key}/rulings", ruled).status_code == 303
    field_name = f"{game.seats['Ben']}-typed"
    tap = {"changed": field_name, field_name: "12"}
    host.post(f"/games/{game.key}/rounds/6/row", tap, {"HX-Request": "true"})
    return game


def _crowded_game(host: Http) -> PlainGame:
    """Six, of whom three are entered, and one has a name that breaks nowhere."""
    game = PlainGame.started(host, "aggravation-rummy", f"{NAMES} {'W' * 40} Emil")
    game.keep(1, out="Cleo", met="Ben", Ben="15", Emil="130")
    return game


def _counted_game(host: Http, stopped: bool) -> None:
    """One of places by contracts, beside which points are counted, and which Cleo left."""
    game = PlainGame.started(host, "frustration", "Anna Ben Cleo", **{"rule-keep_score": "yes"})
    assert game.close_anyway(1, out="Anna", met="Ben", Ben="15", Cleo="60").status_code == 303
    leave = f"/games/{game.key}/players/{game.seats['Cleo']}/leave"
    assert host.post(leave, {"cards": ""}).status_code == 303
    if stopped:
        assert host.post(f"/games/{game.key}/stop").status_code == 303


def _ended_game(host: Http) -> PlainGame:
    game = PlainGame.started(host, "aggravation-rummy", "Anna Ben Cleo")
    number = 0
    while "/close" in game.page:
        number += 1
        typed = {"Ben": "85", "Cleo": str(55 + 5 * number)}
        assert game.close(number, out="Anna", **typed).status_code == 303
        if number == 1:
            stand_in = f"/games/{game.key}/players/{game.seats['Cleo']}/stand-in"
            assert host.post(stand_in, {"name": NAMES.rsplit(maxsplit=1)[-1]}).status_code == 303
    return game


def invite_link(host: Http, role: str) -> str:
    """The path of a new link that lets devices in."""
    host.post(f"/group/links/{role}")
    shown = re.search(r"(/join/[\w-]+)", _page(host, f"/group/links/{role}"))
    assert shown
    return shown[1]


def _removed_device(host: Http, device: Http, link: str) -> str:
    """A device that joined and was removed again."""
    device.get("/games/new")
    device.post(link)
    number = max(re.findall(r"/group/devices/(\d+)/put-out", _page(host, "/group")), key=int)
    assert host.post(f"/group/devices/{number}/put-out").status_code == 303
    return number


def _person(host: Http, name: str) -> str:
    found = re.search(
        rf'/players/(\d+)"(?:(?!/players/).)*?>\s*{name}<', _page(host, "/players"), re.DOTALL
    )
    assert found
    return found[1]


def _own_rules(host: Http) -> tuple[str, str]:
    form = fields_of(_page(host, "/rules/custom/new?base=frustration"), "rule-set")
    kept = host.post(
        "/rules/custom/new?base=frustration", {**form, "name": "Grandma's Frustration"}
    )
    assert kept.status_code == 303, kept.get_data(as_text=True)
    key = kept.location.rstrip("/").rpartition("/")[2].partition("?")[0]
    return key, _page(host, f"/rules/custom/{key}")


def _page(host: Http, address: str) -> str:
    return host.get(address).get_data(as_text=True)


Step = Callable[[Page], None]
Go = Callable[[Page, str], object]


@dataclass(frozen=True)
class Screen:
    """One screen: where it is, and what is done there before it looks like this."""

    name: str
    address: str
    step: Step | None = None
    who: Who = "host"

    def open(self, page: Page, evening: Evening, go: Go = Page.goto) -> None:
        """Go there and do what is to be done."""
        go(page, self.address.format_map(evening.places))
        if self.step is not None:
            self.step(page)


def _tap(selector: str, *more: str) -> Step:
    def tap(page: Page) -> None:
        for one in (selector, *more):
            page.locator(one).first.click()

    return tap


def _typed_rules(page: Page) -> None:
    page.locator("#contract-1").fill("2 sets of 3 and a hat")
    page.locator("#contract-2").fill("3x5")
    page.locator("#said-contract-1.wrong").wait_for()


def _seated(page: Page) -> None:
    page.locator("#typed").fill(", ".join(NAMES.split()))
    page.locator("#typed").press("Enter")
    page.locator(".pair").wait_for()


def _this_is_ben(page: Page) -> None:
    game = page.url
    page.goto("/group")
    page.locator("[name=player]").select_option(label="Benedikt")
    with page.expect_response("**/group/me"):
        page.locator("form:has([name=player]) button").first.click()
    page.goto(game)


def _wrong_code(page: Page) -> None:
    page.locator("[name=code]").fill("123456")
    page.locator("main form button").first.click()
    page.locator(".fault").wait_for()


def _faulty_file(page: Page) -> None:
    text = b"date,rule set,player,place,score\n2026-13-40,Frustration,Anna,1,12\n,,,,\n"
    page.locator("[type=file]").set_input_files(
        {"name": "our scores.csv", "mimeType": "text/csv", "buffer": text}
    )
    page.locator("form:has([type=file]) button").first.click()
    page.locator(".understood").wait_for()


def _faulty_past_game(page: Page) -> None:
    page.locator("#p0-player").fill(NAMES.rsplit(maxsplit=1)[-1][:40])
    page.locator("#p1-place").fill("first")
    page.locator("#past-game .button").click()
    page.locator(".fault").first.wait_for()


def _lacking(page: Page) -> None:
    for field in page.locator(".penalty-field:visible").all():
        field.fill("")
    page.locator("#save-round").click()
    page.locator(".said .fault").wait_for()


def _shown_code(page: Page) -> None:
    page.locator(".choice").first.click()
    page.locator(".code").wait_for()


def _code_of_its_own(page: Page) -> None:
    page.locator("form:has([name=own]) button").click()
    page.locator("#own-code").wait_for()


SCREENS = (
    Screen("home-empty", "/", who="stranger"),
    Screen("group-new", "/group/new", who="stranger"),
    Screen("choose", "/games/new", _tap(".more > summary")),
    Screen("new", "/games/new/aggravation-rummy"),
    Screen("tour-offered", "/games/new/frustration-rummy", _tap("#tour summary"), who="stranger"),
    Screen("new-seated", "/games/new/aggravation-rummy", _seated),
    Screen("house-rules", "/games/new/garbage-rummy", _tap(".panel > .fold > summary")),
    Screen("new-points", "/games/new/points-only"),
    Screen("home", "/"),
    Screen("game", "/games/{game}"),
    Screen("game-mine", "/games/{game}", _this_is_ben),
    Screen("game-standing", "/games/{game}?order=standing"),
    Screen("game-counting", "/games/{game}", _tap(".counting summary")),
    Screen("game-faults", "/games/{game}", _tap("#close-round")),
    Screen("game-crowded", "/games/{crowded}"),
    Screen("game-watched", "/games/{game}", who="guest"),
    Screen("game-over", "/games/{ended}"),
    Screen("game-points", "/games/{points}"),
    Screen("big-screen", "/games/{game}/screen"),
    Screen("players", "/games/{game}/players"),
    Screen("stop", "/games/{game}/stop"),
    Screen("corrections", "/games/{game}/corrections"),
    Screen("game-house-rules", "/games/{game}/house-rules?about=wild_limit"),
    Screen("holder", "/games/{ended}/corrections/seat/{taken_over}"),
    Screen("dealing", "/games/{game}/dealing"),
    Screen("log", "/games/{game}/activity"),
    Screen("record", "/games/{game}/rounds"),
    Screen("record-over", "/games/{ended}/rounds"),
    Screen("edit", "/games/{game}/rounds/2"),
    Screen("edit-faults", "/games/{game}/rounds/2", _lacking),
    Screen("note", "/games/{game}/rounds/note"),
    Screen("edit-over", "/games/{ended}/rounds/2"),
    Screen("check-empty", "/check?variant=frustration-rummy-board&contract=2", who="stranger"),
    Screen("check-legal", "/check?variant=frustration&contract=1&m=5H+5D+2S&m=9H+9D+9C"),
    Screen("check-illegal", "/check?variant=frustration&ask=meld&kind=set&m=8H+8D+2S+2C+2D"),
    Screen(
        "check-hand",
        "/check?variant=aggravation-rummy&ask=hand&contract=2&m=5H+5D+5C+3S+4H+5S+6D+7C+7D+7H",
    ),
    Screen(
        "check-lay-off", "/check?variant=garbage-rummy&ask=layoff&kind=run&m=5H+6H+7H+8H&add=2C"
    ),
    Screen("check-swap", "/check?variant=twelve-step-rummy&ask=swap&kind=run&m=5H+JK+7H+8H&add=6H"),
    Screen(
        "dispute",
        "/check?variant=aggravation-rummy&contract=2&m=3H+2D+2C+2S&m=9H+9D+9C&game={game}",
        _tap("#verdict summary >> nth=-1"),
    ),
    Screen("check-whose", "/check?variant=aggravation-rummy&game={crowded}"),
    Screen("rule-sets", "/rules", who="stranger"),
    Screen("tour", "/rules/carioca/tour"),
    Screen("contract-explained", "/games/{game}/rules?contract=6"),
    Screen("faq", "/rules/frustration?words=ace"),
    Screen("faq-house-rules", "/rules/aggravation-rummy?rule-run_suit=same"),
    Screen("rule-sheet", "/rules/garbage-rummy/sheet"),
    Screen("own-rules-empty", "/rules/custom", who="stranger"),
    Screen("own-rules", "/rules/custom"),
    Screen("own-form", "/rules/custom/new?base=frustration", _typed_rules),
    Screen("own-form-points", "/rules/custom/new?base=points-only"),
    Screen("told-change", "/rules/custom/{own}/change"),
    Screen("own-rule-set", "/rules/custom/{own}"),
    Screen("own-bring", "/rules/custom/bring", who="stranger"),
    Screen("own-brought", "{passed_on}", who="stranger"),
    Screen("history", "/history"),
    Screen("history-none-found", "/history?words=xyz"),
    Screen("records", "/history/records"),
    Screen("evenings", "/evenings"),
    Screen("evening", "/evenings/{ended}"),
    Screen("seasons", "/seasons"),
    Screen("season", "/seasons/{year}"),
    Screen("season-new", "/seasons/new"),
    Screen("season-edit", "/seasons/{year}/edit"),
    Screen("bin", "/history/deleted"),
    Screen("shared", "/results/{shared}", who="stranger"),
    Screen("people", "/players"),
    Screen("person", "/players/{person}"),
    Screen("milestones", "/players/{person}/milestones"),
    Screen("person-mark", "/players/{person}", _tap("#mark summary")),
    Screen("data", "/data"),
    Screen("past-game", "/data/past-game"),
    Screen("past-game-edit", "/data/past-game/{past}"),
    Screen("past-game-faults", "/data/past-game", _faulty_past_game),
    Screen("data-faults", "/data", _faulty_file),
    Screen("group", "/group"),
    Screen("rulings", "/group/rulings"),
    Screen("removed-device", "/group/devices/{removed}/out"),
    Screen("link", "/group/links/score"),
    Screen("let-in", "/group/invite"),
    Screen("let-in-code", "/group/invite", _shown_code),
    Screen("own-code", "/group", _code_of_its_own),
    Screen("tokens", "/group/tokens"),
    Screen("join", "/join", who="stranger"),
    Screen("join-wrong", "/join", _wrong_code, who="stranger"),
    Screen("join-link", "{link}", who="stranger"),
    Screen("join-link-in", "{link}"),
    Screen("interface", "/api/v1/"),
    Screen("offline", "/offline"),
    Screen("error-403", "/group/invite", who="guest"),
    Screen("error-404", "/nowhere"),
    Screen("error-410", "/join/an-old-link", who="stranger"),
)

NO_SCREENS = {
    "assets.show": "a file",
    "games.stream": "nothing",
    "offline.worker": "a script",
    "offline.manifest": "a file",
    "static": "a file",
    "data.schema": "a file",
    "data.export_json": "a file",
    "data.export_csv": "a file",
    "rulesets.download": "a file",
    "history.picture": "a picture",
    "evenings.picture": "a picture",
    "seasons.picture": "a picture",
    "evenings.calendar": "a file",
    "tables.download": "a file",
    "history.shared_picture": "a picture",
    "games.live": "a part of a screen",
    "groups.joined_devices": "a part of a screen",
    "checker.verdict": "a part of a screen",
    "games.preview_house_rules": "a part of a screen",
    "checker.from_game": "leads to the checker",
    "faq.show_for_game": "leads to the Q&A",
    "groups.leave": "leads to the start",
}
"""Addresses that answer a question but are no screens of their own, and why."""
