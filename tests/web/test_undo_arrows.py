"""All changes: each arrow undoes the very change that it stands beside, or is not there."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from tests.web.test_told_change import told, undo_address
from tests.web_table import PlainGame, fields_of


def _ends(game: PlainGame) -> None:
    game.close(2, out="Ben", Anna="25", Cleo="40")


def _reopens(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/rounds/2/undo")


def _enters(points: str) -> Callable[[PlainGame], None]:
    return lambda game: game.keep(2, Ben=points)


def _notes(note: str) -> Callable[[PlainGame], None]:
    address = "/games/{}/rounds/1/note"
    return lambda game: game.client.post(address.format(game.key), data={"note": note})


def _deals(name: str) -> Callable[[PlainGame], None]:
    def choose(game: PlainGame) -> None:
        fields = {"seat": game.seats[name], "once": "yes"}
        game.client.post(f"/games/{game.key}/dealing/2/dealer", data=fields)

    return choose


def _voids(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/dealing/2/void", data={"passed_on": "no"})


def _corrects(game: PlainGame, *, remove: bool = False) -> None:
    fields = {"seat": game.seats["Ben"], "number": 1, "points": 10, "direction": "add"}
    address = f"/games/{game.key}/corrections"
    if not remove:
        game.client.post(address, data=fields)
        return
    page = game.client.get(address).text
    action = re.findall(rf'action="({address}/[^"]+)"', page)[0]
    form = page.split(f'action="{action}"')[1].split("</form>")[0]
    game.client.post(action, data=dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)))


def _uncorrects(game: PlainGame) -> None:
    _corrects(game, remove=True)


def _stands_in(name: str) -> Callable[[PlainGame], None]:
    def take_over(game: PlainGame) -> None:
        address = f"/games/{game.key}/players/{game.seats['Cleo']}/stand-in"
        game.client.post(address, data={"name": name})

    return take_over


def _leaves(game: PlainGame) -> None:
    leave = f"/games/{game.key}/players/{game.seats['Cleo']}/leave"
    game.client.post(leave, data={"cards": ""})


def _returns(game: PlainGame) -> None:
    game.client.post(f"/games/{game.key}/players", data={"name": "Cleo"})


def _items(game: PlainGame) -> list[tuple[str, bool, str]]:
    """All changes, newest first: where each is undone, or "", is it undone, and what."""
    log = game.client.get(f"/games/{game.key}/activity").text
    return [
        (
            "".join(re.findall(r'action="([^"]+/undo)"', one)),
            bool(marks),
            unescape(" ".join(re.findall(r'class="sentence">([^<]*)<', one))),
        )
        for marks, one in re.findall(r'log-entry( undone)?">(.*?)</li>', log, re.DOTALL)
    ]


DONE_TWICE = {
    "a round ends": (_ends, _reopens),
    "points": (_enters("30"), _enters("0")),
    "a note": (_notes("famous"), _notes("")),
    "a dealer": (_deals("Cleo"), _deals("Ben")),
    "dealt again": (_voids, lambda _game: None),
    "extra points": (_corrects, _uncorrects),
    "a stand-in": (_stands_in("Dora"), _stands_in("Cleo")),
    "who leaves": (_leaves, _returns),
}


@pytest.mark.parametrize(("act", "back"), DONE_TWICE.values(), ids=DONE_TWICE)
def test_what_is_done_taken_back_by_hand_and_done_again_is_undone_as_what_was_done_last(
    a_running_game: PlainGame,
    act: Callable[[PlainGame], None],
    back: Callable[[PlainGame], None],
):
    game, begun = a_running_game, len(_items(a_running_game))
    act(game)
    back(game)
    act(game)
    done = _items(game)
    assert len(done) >= begun + 2
    assert done[0][0], "what was done last can be undone"
    first = len(done) - begun - 1
    assert not done[first][0], "what was done first comes later"
    marks = [undone for _address, undone, _what in done]
    for place, (address, _undone, what) in enumerate(done):
        if not address:
            continue
        assert game.client.post(address).status_code == 303, what
        shown = _items(game)
        now = [undone for _address, undone, _what in shown[-len(done) :]]
        assert now == [was or number == place for number, was in enumerate(marks)], what
        if not shown[0][0]:  # a round ends anew
            return
        assert game.client.post(shown[0][0]).status_code == 303, what


def test_what_ended_a_round_before_it_ended_again_is_not_undone_by_its_old_address(
    a_running_game: PlainGame,
):
    game = a_running_game
    _ends(game)
    address = _items(game)[0][0]
    _reopens(game)
    _ends(game)
    refused = game.client.post(address)
    assert refused.status_code == 422
    assert "That has changed again since." in refused.text
    assert not any(undone for _address, undone, _what in _items(game))
    assert "Round 3" in game.page


def test_points_of_a_round_that_ended_are_put_right_by_editing_the_round(
    a_running_game: PlainGame,
):
    game = a_running_game
    game.keep(2, Cleo="40")
    address = _items(game)[0][0]
    _ends(game)
    page = game.client.post(address).text
    assert "This can’t be undone alone: round 2 has ended and counts on it." in unescape(page)
    assert f'<a class="button" href="/games/{game.key}/rounds/2">Edit round 2</a>' in page


def test_an_undo_of_who_went_out_says_of_each_player_what_follows(a_running_game: PlainGame):
    game, address = a_running_game, f"/games/{a_running_game.key}/rounds/1"
    sent = fields_of(game.client.get(address).text, "round") | {"out": str(game.seats["Ben"])}
    sent |= {f"{game.seats['Ben']}-typed": "", f"{game.seats['Anna']}-typed": "15"}
    assert game.client.post(address, data=sent).status_code == 303
    game.client.post(undo_address(game), data={"back": "game"})
    words = told(game.client, game)
    assert words.startswith("Undone: Round 1, Anna laid down but didn’t go out, 15 points · ")
    assert "Now: Anna went out, points removed · " in words
    assert "Ben didn’t go out, 15 points" in words
    assert "not laid down" not in _items(game)[0][2]


@pytest.mark.parametrize("passed_on", ["yes", "no"])
def test_a_round_dealt_again_after_something_was_entered_says_so_and_is_undone(
    a_running_game: PlainGame, passed_on: str
):
    game = a_running_game
    game.keep(2, out="Ben", Anna="25")
    before = _entered(game)
    game.client.post(f"/games/{game.key}/dealing/2/void", data={"passed_on": passed_on})
    assert told(game.client, game).startswith("Round 2 dealt again")
    assert _entered(game) != before
    game.client.post(undo_address(game), data={"back": "game"})
    assert _entered(game) == before


def _entered(game: PlainGame) -> dict[str, str]:
    fields = fields_of(game.page, "round")
    return {name: one for name, one in fields.items() if name[0].isdigit() or name == "out"}
