"""What a phone is for, in other engines than Chromium: WebKit, which is Safari's, and Firefox.

`make test` drives WebKit where it is installed, `make browsers` drives both.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.browser.every_screen import SCREENS, Evening
from tests.engines.engine import Engine
from tests.servers import Production

SEATS = 'return [...document.querySelectorAll("[id^=row-]")].map((row) => row.id.slice(4))'


@contextmanager
def no_errors(window: Engine) -> Iterator[None]:
    """Nothing that scripts raise is new at the end."""
    before = window.noted("error")
    yield
    assert window.noted("error") == before


def start(window: Engine, variant: str, names: str) -> list[str]:
    """From the first page into a game; returns its seats."""
    window.open("/")
    window.tap('a.primary[href="/games/new"]')
    window.tap(f'a[href="/games/new/{variant}"]')
    window.type("#typed", names)
    window.tap('#new-game .dock [type="submit"]')
    window.see("#close-round")
    seats: list[str] = window.run(SEATS)
    return seats


def be_let_in(window: Engine, evening: Evening) -> None:
    """Be the phone that set the table up."""
    window.open("/")
    for pair in evening.host.cookies.split("; "):
        name, _, value = pair.partition("=")
        window.command("AddCookie", cookie={"name": name, "value": value, "path": "/"})


def play(window: Engine, number: int, seats: list[str]) -> None:
    """The first goes out, the second lays the early contracts too, all others have points."""
    out, met, *_others = seats
    window.wait_for("return document.querySelector('#round')?.action.endsWith(arguments[0])",
                    f"/rounds/{number}/close")  # fmt: skip
    window.tap(f'label[for="out-{out}"]')
    if number < 4:
        window.tap(f'label[for="met-{met}"]')
    for seat in seats[1:]:
        window.type(f"#typed-{seat}", str(55 + 5 * number))
    window.tap("#close-round")


def test_a_whole_game_is_played_and_a_round_edited(window: Engine) -> None:
    with no_errors(window):
        seats = start(window, "aggravation-rummy", "Anna, Ben, Cleo")
        key = window.run("return location.pathname")
        for number in (1, 2, 3):
            play(window, number, seats)
        window.wait_for("return document.querySelector('#round')?.action.includes('/rounds/4/')")
        window.open(f"{key}/rounds/2")
        window.type(f"#typed-{seats[2]}", "95")
        window.tap("#save-round")
        window.wait_for("return location.pathname.endsWith('/rounds')")
        window.open(key)
        for number in (4, 5, 6, 7):
            play(window, number, seats)
        window.wait_for("return document.querySelector('#game')?.innerText.includes('Anna wins')")


def test_a_press_holds_though_the_words_of_its_button_change_meanwhile(window: Engine) -> None:
    out, *others = start(window, "aggravation-rummy", "Anna, Ben, Cleo")
    window.tap(f'label[for="out-{out}"]')
    for other in others:
        window.type(f"#typed-{other}", "65")
    window.press("#close-round")
    window.run(  # as an answer does that knows less than what is typed, and what follows it
        "document.querySelector('#close-round').firstChild.data = '1 player’s points missing';"
        "document.querySelector('#game').dispatchEvent(new Event('live:after', { bubbles: true }));"
    )
    window.let_go()
    window.wait_for("return document.querySelector('#round')?.action.endsWith('/rounds/2/close')")


def test_the_screen_is_asked_to_stay_on_by_a_tap_in_a_game(window: Engine) -> None:
    if not window.run("return 'wakeLock' in navigator"):
        pytest.skip("this engine has no wake lock")
    before = len(window.noted("awake"))
    seats = start(window, "frustration", "Anna, Ben")
    window.tap(f'label[for="met-{seats[0]}"]')
    window.wait_for(
        "return JSON.parse(sessionStorage.getItem('tests-noted') ?? '[]')"
        ".filter(([kind]) => kind === 'awake').length > arguments[0]",
        before,
    )


def test_cards_are_entered_by_keypad_and_judged(window: Engine) -> None:
    with no_errors(window):
        window.open("/check?variant=frustration-rummy&ask=meld&kind=set&size=any")
        for suit in "SHD":
            window.tap(f'[data-suit="{suit}"]')
            window.tap('[data-rank="8"]')
        window.see("#verdict.legal")


def test_taps_that_wait_for_a_restarting_server_are_kept(
    window: Engine, server: Production
) -> None:
    seats = start(window, "frustration", "Anna, Ben, Cleo")
    server.stop()
    try:
        for seat in seats[:2]:
            window.tap(f'label[for="met-{seat}"]')
        window.wait_for("return JSON.parse(localStorage.getItem('meldkeeper-outbox')).length === 2")
    finally:
        server.start()
    window.wait_for("return JSON.parse(localStorage.getItem('meldkeeper-outbox')).length === 0")
    window.command("Refresh")
    met = "return [...document.querySelectorAll('.tap-met')].map((one) => one.checked)"
    assert window.run(met) == [True, True, False]


def test_no_screen_is_wider_than_the_phone_and_no_script_fails(
    window: Engine, evening: Evening
) -> None:
    be_let_in(window, evening)
    wide = {}
    with no_errors(window):
        for screen in SCREENS:
            if screen.step is None and screen.who == "host":
                window.open(screen.address.format_map(evening.places))
                over = window.run("return document.documentElement.scrollWidth - innerWidth")
                wide[screen.name] = over
    assert {name: over for name, over in wide.items() if over > 0} == {}
