"""A ruling belongs to its game: to the group of that, and to the rounds that it still has."""

import html

import pytest
from flask import Flask

from app.actions.groups import Role
from app.extensions import db
from app.store.games import StoredGame
from tests.many_games import browser_in
from tests.web_table import PlainGame

ASKED = "variant=frustration&contract=1&ask=meld&kind=set&size=any&m=8H+8D+2S+2C"
CHANGES = 'value="wild_limit=fewer_than_naturals"'


@pytest.fixture
def in_two_groups(app: Flask) -> PlainGame:
    """The game of a group in which its client scores, while it looks at one where it watches."""
    other = PlainGame.started(app.test_client(), "frustration", "Cleo Dora")
    game = PlainGame.started(app.test_client(), "frustration", "Anna Ben")
    with app.app_context():
        group = {one.key: one.group_id for one in db.session.query(StoredGame)}
    client = browser_in(app, group[game.key], Role.SCORE)
    code = page_of(other, "/group/invite", role="watch").split('class="code"')[1]
    client.post("/join", data={"code": code.split(">")[1].split("<")[0]})
    game.client.post(f"/games/{game.key}/rulings", data={"question": ASKED, "decided": "No!"})
    other.client.post(f"/games/{other.key}/rulings", data={"question": ASKED, "decided": "Yes!"})
    return PlainGame(client, game.key, game.seats)


def page_of(game: PlainGame, address: str, **sent: str) -> str:
    send = game.client.post(address, data=sent) if sent else game.client.get(address)
    return html.unescape(send.get_data(as_text=True))


def test_in_a_game_its_own_group_decides_whichever_the_device_looks_at(in_two_groups: PlainGame):
    game = in_two_groups
    assert "Yes!" in page_of(game, "/group/rulings")
    for address in (f"/check?{ASKED}&game={game.key}", f"/rules/frustration?game={game.key}"):
        page = page_of(game, address)
        assert "No!" in page, address
        assert "Yes!" not in page, address
    form = page_of(game, f"/check?{ASKED}&game={game.key}").split('id="ruling"')[1]
    assert CHANGES in form
    assert "Yes!" in page_of(game, f"/check?{ASKED}")
    sent = {"question": ASKED, "decided": "", "asked_by": "99999999"}
    assert CHANGES in page_of(game, f"/games/{game.key}/rulings", **sent)


def test_a_ruling_in_a_game_that_is_over_changes_no_house_rule(client):
    game = PlainGame.started(client, "frustration", "Anna Ben", **{"rule-last_contract": "1"})
    address = f"/check?{ASKED}&game={game.key}"
    assert CHANGES in page_of(game, address)
    game.close(1, out="Anna")
    page = page_of(game, address)
    assert "Record a ruling" in page
    assert 'name="switch"' not in page
    assert "about=" not in page.split('id="verdict"')[1].split("</section>")[0]
    sent = {"question": ASKED, "decided": "No!", "switch": "wild_limit=fewer_than_naturals"}
    assert "The game is over." in page_of(game, f"/games/{game.key}/rulings", **sent)
    del sent["switch"]
    assert "No!" in page_of(game, client.post(f"/games/{game.key}/rulings", data=sent).location)
