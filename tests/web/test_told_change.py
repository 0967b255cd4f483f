"""After an act the game says in one line what was and what is, with Undo, to who did it alone."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from app.extensions import db
from app.scorebook.events.event import EVENTS
from app.store.engine import meaning_to_write
from app.store.games import LogEntry
from app.web.game_parts.ways_to_change import _OF_ROUNDS, _OF_SEATS, _PAGES
from tests.web.test_invites import joined, made_link
from tests.web_table import PlainGame, fields_of


def told(client: FlaskClient, game: PlainGame, part: str = "", language: str = "en") -> str:
    """What the strip of the game's page says, without its button."""
    spoken = {"Accept-Language": language}
    page = client.get(f"/games/{game.key}{part}", headers=spoken).get_data(as_text=True)
    strip = page.split('id="told-change"')[1].split("</div>")[0]
    return unescape("".join(re.findall(r"<p[^>]*>(.*?)</p>", strip, re.DOTALL)))


def undo_address(game: PlainGame) -> str:
    """Where the strip's Undo is sent."""
    strip = game.page.split('id="told-change"')[1].split("</div>")[0]
    address = re.search(r'action="([^"]+)"', strip)
    assert address
    return address[1]


def _void(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/dealing/2/void", data={"passed_on": "yes"})


def _choose_dealer(game: PlainGame) -> None:
    fields = {"seat": game.seats["Cleo"], "once": "yes"}
    game.client.post(f"/games/{game.key}/dealing/2/dealer", data=fields)


def _change_seats(game: PlainGame) -> None:
    order = {"player": ["Ben", "Anna", "Cleo"]}
    game.client.post(f"/games/{game.key}/dealing/2/seats", data=order)


def _leave(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/rounds/2/save", data=game.sent(Cleo="35"))
    leave = f"/games/{game.key}/players/{game.seats['Cleo']}/leave"
    game.client.post(leave, data={"cards": "counted"})


def _come_back(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/players/{game.seats['Cleo']}/leave", data={"cards": ""})
    game.client.post(f"/games/{game.key}/players", data={"name": "Cleo"})


def _stand_in(game: PlainGame) -> None:
    seat = game.seats["Cleo"]
    game.client.post(f"/games/{game.key}/players/{seat}/stand-in", data={"name": "Dora"})


def _return_to_seat(game: PlainGame) -> None:
    _stand_in(game)
    seat = game.seats["Cleo"]
    game.client.post(f"/games/{game.key}/players/{seat}/stand-in", data={"name": "Cleo"})


def _join_late(game: PlainGame) -> None:
    start = {"score": "average", "contract": "lowest"}
    game.client.post(f"/games/{game.key}/players", data={"name": "Dora", **start})


def _correct(game: PlainGame) -> None:
    fields = {"seat": game.seats["Ben"], "number": 1, "points": 10, "direction": "take_off"}
    game.client.post(f"/games/{game.key}/corrections", data=fields)


def _edit(game: PlainGame) -> None:
    page = game.client.get(f"/games/{game.key}/rounds/1").get_data(as_text=True)
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen
    sent = game.sent(out="Anna", met="Ben", Ben="20", Cleo="30") | {"seen": seen[1]}
    game.client.post(f"/games/{game.key}/rounds/1", data=sent)


def _note(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/rounds/1/note", data={"note": "The famous  misdeal "})


def _stop(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/stop", data={"result": "yes"})


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (_void, "Round 2 dealt again, the deal passes on · Dealer: Ben → Cleo"),
        (_choose_dealer, "Cleo deals round 2 only (was Ben)"),
        (_change_seats, "Seats from round 2 on: Ben, Anna and Cleo · Dealer: Ben → Cleo"),
        (_leave, "Cleo left during the round, and the cards count · Cleo: 35 points"),
        (_come_back, "Cleo came back"),
        (_stand_in, "Dora took over from Cleo"),
        (_return_to_seat, "Cleo is back"),
        (_join_late, "Dora joins you: contract 2, 7 points"),
        (_correct, "Ben: score 15 → 5 · places unchanged"),
        (_edit, "Round 1, Ben: 20 points (was 15) · Ben: score 15 → 20 · places unchanged"),
        (_note, "Note on round 1: The famous misdeal"),
        (_stop, "Stopped early, with the standings as the result"),
    ],
)
def test_each_act_says_what_was_and_what_is_and_is_undone(
    a_running_game: PlainGame, act: Callable[[PlainGame], None], words: str
):
    game, client = a_running_game, a_running_game.client
    before = client.get(f"/games/{game.key}/rounds").get_data(as_text=True)
    act(game)
    for part in ("", "", "/rounds", "/players"):  # it outlasts a reload and goes along
        assert told(client, game, part) == words
    undone = client.post(undo_address(game), data={"back": "game"})
    assert undone.location == f"/games/{game.key}"
    for language, begins, was in (("en", "Undone: ", "(was "), ("fr", "Annulé : ", "(avant")):
        what, *now = told(client, game, language=language).replace("\xa0", " ").split(" · ")
        assert (what.startswith(begins), was in what) == (True, False)
        assert begins not in "".join(now)
    if act not in (_leave, _come_back, _return_to_seat):  # which took two requests
        after = client.get(f"/games/{game.key}/rounds").get_data(as_text=True)
        assert _table(after) == _table(before)


@pytest.mark.parametrize(
    "part", ["", "/rounds", "/activity", "/players", "/corrections", "/dealing"]
)
def test_an_undo_stays_on_its_page_says_what_is_undone_and_is_restored(
    a_running_game: PlainGame, part: str
):
    game, client = a_running_game, a_running_game.client
    _edit(game)
    shown = [_table(client.get(f"/games/{game.key}/rounds").text)]
    edit = "Round 1, Ben: 20 points"
    said, buttons = [told(client, game, part)], []
    for _ in range(3):
        strip = client.get(f"/games/{game.key}{part}").text.split('id="told-change"')[1]
        (back, button), *_rest = re.findall(r'name="back" value="(\w+)">(\w+)<', strip)
        answer = client.post(undo_address(game), data={"back": back})
        assert answer.location == f"/games/{game.key}{part}"
        said.append(told(client, game, part))
        buttons.append(button)
        shown.append(_table(client.get(f"/games/{game.key}/rounds").text))
    assert buttons == ["Undo", "Restore", "Undo"]
    for words, begins in zip(said, (edit, "Undone: ", "Restored: ", "Undone: "), strict=True):
        assert words.startswith(begins)
        assert edit in words
    assert shown[0] == shown[2] != shown[1] == shown[3]


def test_an_edit_and_its_undo_say_what_they_did_to_scores_and_places(a_running_game: PlainGame):
    game, address = a_running_game, f"/games/{a_running_game.key}/rounds/1"
    seen = fields_of(game.client.get(address).text, "round")["seen"]
    sent = game.sent(out="Anna", met="Ben", Ben="45", Cleo="30") | {"seen": seen}
    game.client.post(address, data=sent)
    assert told(game.client, game).split(" · ")[1:] == [
        "Ben: score 15 → 45, place 2 → 3",
        "Cleo: place 3 → 2",
    ]
    game.client.post(undo_address(game), data={"back": "rounds"})
    assert told(game.client, game).split(" · ") == [
        "Undone: Round 1, Ben: 45 points",
        "Now: Ben: 15 points",
        "Ben: score 45 → 15, place 3 → 2",
        "Cleo: place 2 → 3",
    ]


def _changes(game: PlainGame) -> list[tuple[bool, str]]:
    """All changes, newest first: is each marked as undone, and its lines?"""
    log = game.client.get(f"/games/{game.key}/activity").text
    return [
        ("undone" in marks, unescape(" | ".join(re.findall(r'class="sentence">([^<]*)<', one))))
        for marks, one in re.findall(r'log-entry( undone)?">(.*?)</li>', log, re.DOTALL)
    ]


def test_all_changes_mark_what_is_undone_and_say_what_each_undo_was_about(
    a_running_game: PlainGame,
):
    game = a_running_game
    _edit(game)
    _note(game)
    count = len(_changes(game))
    edit, note = "Round 1, Ben: 20 points", "Note on round 1: The famous misdeal"
    undone, restored = "An earlier change undone: ", "An undone change restored: "
    now, none = " | Now: Ben: 15 points", " | Now: Note on round 1 removed"
    edited = "Ben: 20 points (was 15) | Round 1 edited"
    expected = [(False, note), (False, edited)]

    def undo(of: int) -> None:
        log = game.client.get(f"/games/{game.key}/activity").text
        items = log.split('<li class="card log-entry')[1:]
        address = re.findall(r'action="([^"]+/undo)"', items[of])[0]
        assert game.client.post(address).status_code == 303

    assert _changes(game)[:2] == expected
    undo(1)
    expected = [(False, undone + edit + now), (False, note), (True, edited)]
    assert _changes(game)[:3] == expected
    edits = game.client.get(f"/games/{game.key}/rounds").text.split('id="edits-title"')[1]
    assert "dispute undone" in edits
    undo(1)
    undo(1)
    assert _changes(game)[:5] == [
        (False, restored + edit),
        (False, undone + note + none),
        (True, undone + edit + now),
        (True, note),
        (False, edited),
    ]
    assert len(_changes(game)) == count + 3
    edits = game.client.get(f"/games/{game.key}/rounds").text.split('id="edits-title"')[1]
    assert "dispute undone" not in edits


@pytest.mark.parametrize("out", ["Cleo", "nobody"])
@pytest.mark.parametrize("contract_stays", [True, False])
@pytest.mark.parametrize("finished", [True, False])
def test_who_no_longer_goes_out_in_an_edited_round_had_laid_down_unless_that_is_unticked(
    client: FlaskClient, out: str, *, contract_stays: bool, finished: bool
):
    rules = {"rule-last_contract": "2" if finished else "10"}
    game = PlainGame.started(client, "frustration", "Anna Ben Cleo", **rules)
    for number in (1, 2):
        game.close(number, out="Anna", met="Ben" if number == 1 else "")
    seats, address = game.seats | {"nobody": "nobody"}, f"/games/{game.key}/rounds/1"
    sent = fields_of(client.get(address).text, "round") | {"out": str(seats[out])}
    if not contract_stays:
        del sent[f"{seats['Anna']}-met"]
    answer = client.post(address, data=sent)
    if answer.status_code != 303:  # that no one goes out is asked about: what was sent stays
        again = fields_of(answer.text, "round")
        assert {name: again.get(name) for name in sent} == sent
        assert (f"{seats['Anna']}-met" in again) == contract_stays
        accepted = re.findall(r'name="accepted" value="([^"]+)"', answer.text)
        answer = client.post(address, data=again | {"accepted": accepted})
    assert answer.status_code == 303
    stays, gone = "Anna laid down but didn’t go out", "Anna didn’t go out"
    words = f"Round 1, {stays if contract_stays else gone}"
    anna = [] if contract_stays else ["Anna: contracts 2 → 1"]
    cleo = [("Cleo went out", "Cleo: contracts 0 → 1"), ("No one went out",)][out == "nobody"]
    lines = re.sub(r"( · \w+:|,) place \d → \d", "", told(client, game)).split(" · ")
    end = ["The game is over: Anna wins!" if contract_stays else "Game goes on"] * finished
    assert lines == [words, cleo[0], *end, *anna, *cleo[1:]]
    edits = client.get(f"/games/{game.key}/rounds").text.split('id="edits-title"')[1]
    assert (stays if contract_stays else gone) in edits


def test_a_wrong_first_tap_on_who_went_out_is_taken_back_whole_in_the_open_round(
    a_running_game: PlainGame,
):
    game = a_running_game
    game.keep(2, out="Anna")
    assert f"{game.seats['Anna']}-met" not in fields_of(game.page, "round")
    game.keep(2, out="Ben")
    shown = fields_of(game.page, "round")
    assert [f"{game.seats[name]}-met" in shown for name in game.seats] == [False] * 3


def test_an_address_that_moves_who_went_out_shows_that_the_other_had_laid_down(
    a_running_game: PlainGame,
):
    game = a_running_game
    assert game.close(2, out="Anna", Ben="80", Cleo="80").status_code == 303
    late = f"/games/{game.key}/rounds/2?out={game.seats['Cleo']}"
    shown = fields_of(game.client.get(late).text, "round")
    assert shown[f"{game.seats['Anna']}-met"] == "on"
    assert f"{game.seats['Cleo']}-met" not in shown


def test_saving_a_round_in_which_nothing_changed_says_so_and_is_no_event(
    a_running_game: PlainGame,
):
    game = a_running_game
    address, activity = f"/games/{game.key}/rounds/1", f"/games/{game.key}/activity"
    before = game.client.get(activity).text
    sent = fields_of(game.client.get(address).text, "round") | {"reason": "Ben said so"}
    answer = game.client.post(address, data=sent)
    assert "Nothing has changed." in answer.text
    assert "Ben said so" in answer.text
    assert "edited" not in before + game.client.get(activity).text


def test_a_round_that_ends_says_what_it_came_to_and_is_reopened(a_running_game: PlainGame):
    game = a_running_game
    assert re.findall(r"<span>(.*?)</span>", told(game.client, game)) == [
        "<b>Ben deals</b> Round 1: Anna goes out.",
        "Anna\u00a0−25 · Ben\u00a0+15 · Cleo\u00a0+30",
    ]
    game.client.post(undo_address(game), data={"back": "game"})
    assert "Round 1</h2>" in game.page


def test_nobody_is_told_to_deal_after_the_last_round(client: FlaskClient):
    game = PlainGame.started(client, "points-only", "Anna Ben", **{"rule-max_deals": "1"})
    assert game.close_anyway(1, Anna="5", Ben="10").status_code == 303
    assert "deals next" in game.page
    assert re.findall(r"<span>(.*?)</span>", told(client, game))[0] == "Round 1 ended"


@pytest.mark.parametrize("reopened", [True, False])
def test_a_round_that_was_the_last_no_more_is_told_to_who_ended_it_no_more(
    app: Flask, a_running_game: PlainGame, *, reopened: bool
):
    game = a_running_game
    other = PlainGame.known(joined(app, made_link(game, "score")), game.key)
    if reopened:
        assert other.client.post(f"/games/{game.key}/rounds/1/undo").status_code == 303
    else:
        assert other.close(2, out="Cleo", Anna="110", Ben="60").status_code == 303
    assert told(game.client, game) == ""


def test_the_big_screen_says_what_the_last_round_came_to_and_who_overtook_whom(
    a_running_game: PlainGame,
):
    game, client = a_running_game, a_running_game.client
    screen = f"/games/{game.key}/screen"
    assert "overtakes" not in client.get(screen).get_data(as_text=True)
    assert game.close(2, out="Cleo", Anna="110", Ben="60").status_code == 303
    shown = client.get(screen).get_data(as_text=True)
    assert "Round 2: Cleo goes out." in shown
    assert "Cleo overtakes Ben and Anna." in shown
    assert "Ben overtakes Anna." in shown


def _tap(game: PlainGame) -> None:
    tap = {"changed": f"{game.seats['Ben']}-met", f"{game.seats['Ben']}-met": "on"}
    game.client.post(f"/games/{game.key}/rounds/2/row", data=tap)


def _join(game: PlainGame) -> None:
    dora = {"name": "Dora", "contract": "first", "score": "zero"}
    assert game.client.post(f"/games/{game.key}/players", data=dora).status_code == 303


@pytest.mark.parametrize(
    ("act", "way"),
    [
        (_void, "/dealing"),
        (_choose_dealer, "/dealing"),
        (_change_seats, "/dealing"),
        (_join, "/players"),
        (_leave, "/players"),
        (_come_back, "/players"),
        (_stand_in, "/players"),
        (_correct, "/corrections"),
        (_edit, "/rounds/1"),
        (_note, "/rounds/1"),
        (_tap, ""),
        (_stop, "/stop"),
    ],
)
def test_an_undo_that_is_refused_links_to_where_it_can_be_done(
    a_running_game: PlainGame, act: Callable[[PlainGame], None], way: str
):
    game, client = a_running_game, a_running_game.client
    act(game)
    log = client.get(f"/games/{game.key}/activity").get_data(as_text=True)
    address = re.findall(r'action="([^"]+/undo)"', log)[0]
    client.post(address)
    again = client.post(address)
    assert again.status_code == 422
    page = again.get_data(as_text=True)
    assert f'<a class="button" href="/games/{game.key}{way}">' in page
    assert client.get(f"/games/{game.key}{way}").status_code == 200


def test_of_every_kind_of_event_it_is_said_where_it_can_be_done():
    beyond_its_page = {"undone", "binned", "taken_back"}
    assert {*_PAGES, *_OF_ROUNDS, *_OF_SEATS, *beyond_its_page} == set(EVENTS)


def _table(page: str) -> list[str]:
    return re.findall(r'class="(?:record-points|record-contract)">([^<]*)<', page)


def test_it_is_told_to_the_device_that_did_it_until_that_does_something_else(
    app: Flask, a_running_game: PlainGame
):
    game = a_running_game
    other = joined(app, made_link(game, "score"))
    _void(game)
    assert told(game.client, game)
    assert told(other, game) == ""
    tap = {"changed": f"{game.seats['Ben']}-met", f"{game.seats['Ben']}-met": "on"}
    other.post(f"/games/{game.key}/rounds/2/row", data=tap)
    assert told(game.client, game)
    game.client.post(
        f"/games/{game.key}/rounds/2/row", data=tap | {"changed": "out", "out": "nobody"}
    )
    assert told(game.client, game) == ""


def test_after_two_minutes_it_is_told_no_more(app: Flask, a_running_game: PlainGame):
    _void(a_running_game)
    with app.app_context(), meaning_to_write():
        db.session.execute(update(LogEntry).values(at=datetime.now(UTC) - timedelta(minutes=3)))
        db.session.commit()
    assert told(a_running_game.client, a_running_game) == ""


def test_an_undo_that_comes_too_late_is_refused_with_a_way_on(
    app: Flask, a_running_game: PlainGame
):
    game = a_running_game
    other = joined(app, made_link(game, "score"))
    _edit(game)
    address = undo_address(game)
    seen = re.search(r'name="seen" value="(\d+)"', other.get(f"/games/{game.key}/rounds/1").text)
    sent = game.sent(out="Anna", met="Ben", Ben="25", Cleo="30") | {"seen": seen[1]}
    other.post(f"/games/{game.key}/rounds/1", data=sent)
    answer = game.client.post(address, data={"back": "game"})
    assert answer.status_code == 422
    assert "That has changed again since." in answer.get_data(as_text=True)
    assert f'href="/games/{game.key}/rounds/1"' in answer.get_data(as_text=True)


def test_an_undo_of_what_the_log_lacks_since_a_backup_was_restored_says_that(
    a_running_game: PlainGame,
):
    game = a_running_game
    answer = game.client.post(f"/games/{game.key}/activity/999/undo")
    assert answer.status_code == 422
    assert "That change isn’t there anymore." in answer.get_data(as_text=True)


def test_the_evening_of_a_game_does_not_tell_what_was_done_to_the_game(a_running_game: PlainGame):
    _stop(a_running_game)
    assert told(a_running_game.client, a_running_game)
    evening = a_running_game.client.get(f"/evenings/{a_running_game.key}")
    assert evening.status_code == 200
    assert "told-change" not in evening.text


def _finished(client: FlaskClient, *, stopped: bool) -> PlainGame:
    game = PlainGame.started(
        client, "aggravation-rummy", "Anna Ben Cleo", **{"rule-last_contract": "2"}
    )
    for number, typed in [(1, "10"), (2, "90")][: 1 if stopped else 2]:
        assert game.close_anyway(number, out="Anna", Ben=typed, Cleo="90").status_code == 303
    if stopped:
        _stop(game)
    return game


@pytest.mark.parametrize("stopped", [True, False])
def test_a_game_that_is_over_is_edited_and_that_undone_as_in_the_middle_of_it(
    client: FlaskClient, *, stopped: bool
):
    game = _finished(client, stopped=stopped)
    edit = f"/games/{game.key}/rounds/1"
    sent = fields_of(client.get(edit).text, "round") | {f"{game.seats['Ben']}-typed": "20"}
    assert client.post(edit, data=sent).location.startswith(f"/games/{game.key}/rounds#")
    was, now = (10, 20) if stopped else (100, 110)
    assert told(client, game, "/rounds") == (
        "Round 1, Ben: 20 points (was 10) · The game is over: Anna wins!"
        f" · Ben: score {was} → {now} · places unchanged"
    )
    assert client.post(undo_address(game), data={"back": "rounds"}).status_code == 303
    undone = "Undone: Round 1, Ben: 20 points · Now: Ben: 10 points"
    undone += f" · Ben: score {now} → {was}"
    assert told(client, game, "/rounds") == f"{undone} · places unchanged"
    assert client.post(undo_address(game)).status_code == 303
    assert "Anna wins!" in game.page


def test_a_stopped_game_that_an_edit_ends_was_played_to_its_end(client: FlaskClient):
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "2"})
    for number, name in ((1, "Ben"), (2, "Anna")):
        assert game.close_anyway(number, out=name).status_code == 303
    _stop(game)
    edit = f"/games/{game.key}/rounds/2"
    sent = fields_of(client.get(edit).text, "round") | {"out": str(game.seats["Ben"])}
    assert client.post(edit, data=sent).status_code == 303
    assert "The game is over: Ben wins!" in told(client, game, "/rounds")
    assert "Stopped early" not in game.page
    assert client.post(undo_address(game)).status_code == 303
    assert "Game goes on" in told(client, game)
