"""htmx is given the part of the page that it swaps; everybody else the page that includes it."""

import re
from html import unescape

import pytest
from flask import Flask

from tests.web.test_invites import joined, made_link
from tests.web_table import PlainGame, fields_of

HTMX = {"HX-Request": "true"}
NEWS = re.compile(r'<ul class="news">\s*<li>')


def text(answer) -> str:
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("address", ["", "/players", "/rounds/1"])
def test_the_fragment_is_the_part_that_the_page_includes(a_running_game, address):
    where = f"/games/{a_running_game.key}{address}"
    page = a_running_game.client.get(where)
    part = a_running_game.client.get(where, headers=HTMX)
    assert "<html" in text(page)
    assert "<html" not in text(part)
    assert "HX-Request" in page.headers["Vary"]


@pytest.mark.parametrize("because", ["HX-History-Restore-Request", "HX-Boosted"])
def test_a_page_restored_from_history_or_loaded_by_its_link_is_whole(a_running_game, because):
    headers = {**HTMX, because: "true"}
    assert "<html" in text(
        a_running_game.client.get(f"/games/{a_running_game.key}", headers=headers)
    )


def send_tap(game, number: int, **sent):
    address = f"/games/{game.key}/rounds/{number}/row"
    return game.client.post(address, data=sent, headers=HTMX)


def test_a_tap_is_kept_and_answered_with_the_game_as_it_stands_now(a_running_game):
    ben = a_running_game.seats["Ben"]
    answer = send_tap(a_running_game, 2, changed=f"{ben}-met", **{f"{ben}-met": "on"})
    assert answer.status_code == 200
    assert f'id="said-{ben}"' in text(answer)
    assert 'name="seen"' in text(answer)
    assert a_running_game.sent()[f"{ben}-met"] == "on"


def test_a_tap_is_told_as_news_what_came_since_it_was_shown_whatever_was_read(
    app: Flask, a_running_game: PlainGame
):
    """By what is news, the end of a round is held up: what was shown before it is none."""
    game = a_running_game
    ben, cleo = game.seats["Ben"], game.seats["Cleo"]
    read = re.search(r'data-version="(\d+)"', game.page)[1]
    other = joined(app, made_link(game, "score"))
    typed = {"changed": f"{ben}-typed", f"{ben}-typed": "15"}
    other.post(f"/games/{game.key}/rounds/2/row", data=typed)
    tap = {"changed": f"{cleo}-met", f"{cleo}-met": "on", "seen": read}
    assert NEWS.search(text(send_tap(game, 2, **tap, v=read)))
    assert not NEWS.search(text(send_tap(game, 2, **tap, v=str(int(read) + 1))))


def test_an_odd_penalty_is_offered_the_sums_next_to_it(a_running_game):
    ben = a_running_game.seats["Ben"]
    answer = send_tap(a_running_game, 2, changed=f"{ben}-typed", **{f"{ben}-typed": "12"})
    assert 'data-value="10"' in text(answer)
    assert 'data-value="15"' in text(answer)


def test_counted_cards_fill_the_penalty(a_running_game):
    ben = a_running_game.seats["Ben"]
    answer = send_tap(a_running_game, 2, changed=f"{ben}-counted", **_counted(ben, 2, 0, 0, 1))
    assert 'value="35"' in text(answer)


def test_counting_back_to_no_card_leaves_the_penalty_blank(a_running_game):
    ben = a_running_game.seats["Ben"]
    send_tap(a_running_game, 2, changed=f"{ben}-counted", **_counted(ben, 2, 0, 0, 1))
    send_tap(a_running_game, 2, changed=f"{ben}-counted", **_counted(ben, 0, 0, 0, 0))
    assert a_running_game.sent()[f"{ben}-typed"] == ""


def _counted(seat: int, *numbers: int) -> dict[str, str]:
    """All the counts of a row, as a phone sends them together."""
    return {f"{seat}-counted-{place}": str(number) for place, number in enumerate(numbers)}


def test_a_tap_on_a_round_that_was_closed_meanwhile_is_offered_as_a_correction(a_running_game):
    ben = a_running_game.seats["Ben"]
    answer = send_tap(a_running_game, 1, changed=f"{ben}-typed", **{f"{ben}-typed": "25"})
    assert answer.status_code == 409
    assert "Ben: 25 points" in text(answer)
    address = f"/games/{a_running_game.key}/rounds/1?{ben}-typed=25"
    assert address in text(answer)
    assert 'value="25"' in text(a_running_game.client.get(address))


def offered(game, number: int, **tap: str) -> dict[str, str]:
    """What the form says to which a tap leads that came when its round had ended."""
    said = text(send_tap(game, number, **tap))
    address = unescape(re.search(r'href="(/games/[^"]+)"', said)[1])
    return fields_of(text(game.client.get(address)), "round")


def test_every_late_tap_stands_in_the_form_that_corrects_its_round(client):
    game = PlainGame.started(client, "garbage-rummy", "Anna Ben", **{"rule-last_contract": "1"})
    anna, ben = (str(game.seats[name]) for name in ("Anna", "Ben"))
    dealt = re.search(r"\d+-exact_deal", game.page)[0]
    entered = {**game.sent(out="Anna", met="Anna Ben", Ben="15"), "first_down": anna}
    assert game.close(1, entered).status_code == 303
    taps = {dealt: "on", "first_down": ben, "out": "nobody", f"{ben}-met": "", f"{anna}-met": ""}
    for name, value in taps.items():
        assert offered(game, 1, changed=name, **{name: value}).get(name, "") == value


@pytest.mark.parametrize("changed", ["", "x", "1-penalty", "999-typed", "out", "x-met"])
def test_a_tap_on_nothing_is_refused(a_running_game, changed):
    assert send_tap(a_running_game, 2, changed=changed).status_code == 400


def test_a_tap_on_a_row_where_nobody_sits_says_so(a_running_game):
    answer = send_tap(a_running_game, 2, changed="999-met", **{"999-met": "on"})
    assert answer.status_code == 422
    assert "That player isn’t in this round." in text(answer)


BOOSTED = {**HTMX, "HX-Boosted": "true"}


@pytest.mark.parametrize(
    ("address", "posted", "only_posted"),
    [
        ("/data/import", {}, True),
        ("/games", {"variant": "frustration"}, True),
        ("/players/0/name", {"name": ""}, True),
        ("/join", {"code": "1"}, False),
    ],
)
def test_an_address_that_cannot_be_loaded_anew_does_not_come_into_the_history(
    a_running_game, address, posted, only_posted
):
    client = a_running_game.client
    assert (client.get(address).status_code in (404, 405)) is only_posted
    answer = client.post(address, data=posted, headers=BOOSTED)
    assert answer.status_code >= 400
    assert answer.headers.get("HX-Push-Url") == ("false" if only_posted else None)
