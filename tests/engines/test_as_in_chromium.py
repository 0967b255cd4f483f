"""In short what `tests/browser` draws at length in Chromium: all ways in, and two bad networks."""

from contextlib import ExitStack
from functools import partial
from random import Random
from urllib.parse import urljoin

from tests.bad_network import BadNetwork
from tests.browser.bad_evening import Evening as BadEvening
from tests.browser.bad_phones import PhoneOnBadNetwork
from tests.browser.every_screen import SCREENS, Evening, invite_link
from tests.browser.links import UNFOLD, html_at, layout_of, links_of
from tests.browser.looking import BOXES, RESTS
from tests.engines.conftest import Started
from tests.engines.engine import Engine
from tests.engines.test_every_engine import be_let_in, start
from tests.servers import Http, Production
from tests.waiting import wait_until

FIND = f"""(href) => {{
  const links = [...document.querySelectorAll(`a[href="${{href}}"]`)];
  document.querySelector("[data-way]")?.removeAttribute("data-way");
  ({UNFOLD})(links);
  const link = links.find((one) => one.checkVisibility({{ visibilityProperty: true }}));
  link?.setAttribute("data-way", "");
  document.querySelector("main").dataset.left = "";
  return Boolean(link);
}}"""
THERE = "return Boolean(document.querySelector('main:not([data-left])'))"
FROM = ("choose", "home", "game", "history")
STEPS = 6
QUIET = "() => { document.querySelector('#told-change')?.replaceChildren(); }"
MARK = "() => { document.querySelector('main').dataset.left = ''; }"


def ways(evening: Evening) -> dict[str, list[str]]:
    """Of some screens a link for each layout to which none of those before leads."""
    found: dict[str, tuple[str, str]] = {}
    known: dict[str, str | None] = {}
    for screen in SCREENS:
        if screen.name in FROM:
            address = screen.address.format_map(evening.places)
            html = html_at(evening.host, address)
            for href in links_of(html, address, evening.address):
                place = urljoin(address, href.partition("#")[0])
                if place not in known:
                    known[place] = layout_of(html_at(evening.host, place))
                layout = known[place]
                if layout is not None and layout != layout_of(html):
                    found.setdefault(layout, (address, href))
    leads: dict[str, list[str]] = {}
    for address, href in found.values():
        leads.setdefault(address, []).append(href)
    return leads


def boxes(window: Engine) -> list[str]:
    """Where everything that is shown stands once nothing moves, without what is told for a time."""
    window.wait_for(f"return ({RESTS})()")
    window.evaluate(QUIET)
    found: list[str] = window.evaluate(BOXES)
    return found


def test_a_page_looks_the_same_whichever_link_led_to_it(window: Engine, evening: Evening) -> None:
    be_let_in(window, evening)
    shown: dict[tuple[str, str], list[str]] = {}
    for address, hrefs in ways(evening).items():
        window.open(address)
        before = boxes(window)
        for href in hrefs:
            if not window.evaluate(FIND, href):
                continue
            window.tap("[data-way]")
            window.wait_for(THERE)
            shown[address, href] = boxes(window)
            window.evaluate(MARK)
            window.command("Back")
            window.wait_for(THERE)
            assert boxes(window) == before, f"back to {address} from {href}"
    for (address, href), there in shown.items():
        window.open(urljoin(address, href))
        assert there == boxes(window), f"{href} from {address}"
    print(f"{len(shown)} links walked, and back")
    assert len(shown) >= 5


def test_what_phones_show_is_had_or_marked_and_the_later_word_wins(
    started: Started, server: Production
) -> None:
    with ExitStack() as stack:
        phones, windows = [], []
        for name in ("host", "far"):
            network = stack.enter_context(BadNetwork(server.port, f"1 {name}"))
            windows.append(stack.enter_context(started(network.address)))
            loads = partial(load, windows[-1], server.port)
            phones.append(PhoneOnBadNetwork(windows[-1], network, wait_until, loads))
        host, far = windows
        start(host, "shanghai-rummy", "Anna, Ben, Cleo")
        address = "/games/" + host.url.rpartition("/")[2]
        far.open(invite_link(phone_of(host, server.port), "score"))
        far.tap("main form button")
        far.see("main:not([data-left])")
        far.open(address)
        BadEvening(server.folder / "meldkeeper.sqlite", phones, Random("1")).play(STEPS)


def phone_of(window: Engine, port: int) -> Http:
    """The phone of a window, without scripts and without a bad network."""
    return Http(port).with_cookies({c["name"]: c["value"] for c in window.command("GetCookies")})


def load(window: Engine, port: int, path: str) -> str:
    """What the server has at a path for the phone of a window."""
    return phone_of(window, port).get(path).get_data(as_text=True)
