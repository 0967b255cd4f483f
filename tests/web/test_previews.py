"""Previews of files: what an import would do, kept for a while until somebody says yes."""

import json
import re
import zlib

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actions import uploads
from app.extensions import db
from app.store.engine import meaning_to_write
from app.store.groups import Upload
from tests.many_games import browser_in, play_games
from tests.web.test_data import PAPER, an_evening, brought_in, exported, sent
from tests.web.test_history import text
from tests.web_table import PlainGame


def test_a_preview_changes_nothing(app: Flask, client: FlaskClient):
    an_evening(client)
    other = browser_in(app, play_games(app, 0))
    page = text(sent(other, exported(client)))
    assert "2 new games" in page
    assert "4 new players – Anna, Ben, Cleo, Dora" in page
    assert "No games yet." in text(other.get("/history"))


def test_a_game_that_two_servers_changed_otherwise_differs_though_both_changed_it_once(
    app: Flask, client: FlaskClient
):
    here = PlainGame.started(client, "frustration", "Anna Ben")
    other = browser_in(app, play_games(app, 0))
    brought_in(other, exported(client))
    there = PlainGame.known(other, re.search(r'href="/games/(\w+)"', text(other.get("/")))[1])
    assert "differ" not in text(sent(other, exported(client)))
    here.keep(1, out="Anna", Ben="15")
    there.keep(1, out="Anna", Ben="20")
    ours, theirs = (json.loads(exported(group))["games"][0] for group in (client, other))
    assert ours["version"] == theirs["version"]
    for group, file in ((other, exported(client)), (client, exported(other))):
        assert "1 of them differs; yours stays as it is" in text(sent(group, file))
    assert "differ" not in text(sent(client, exported(client)))


def test_who_was_merged_is_no_player_of_their_own_in_a_preview(app: Flask, client: FlaskClient):
    PlainGame.started(client, "frustration", "Anna Ann Ben")
    document = json.loads(exported(client))
    document["games"] = []
    for one in document["players"]:
        one["merged_into"] = "Anna" if one["name"] == "Ann" else None
    other = browser_in(app, play_games(app, 0))
    page = text(sent(other, json.dumps(document)))
    assert "2 new players – Anna, Ben" in page
    brought_in(other, json.dumps(document))
    again = text(sent(other, json.dumps(document)))
    assert "2 known players – Anna, Ben" in again
    assert "Nothing in this file is new." in again
    old = text(
        sent(
            other,
            json.dumps(
                {
                    **document,
                    "players": [
                        {**one, "merged_into": None}
                        for one in document["players"]
                        if one["name"] == "Ann"
                    ],
                }
            ),
        )
    )
    assert "1 known player – Anna<" in old


def test_a_file_that_another_group_sent_is_not_brought_in(app: Flask, client: FlaskClient):
    an_evening(client)
    one, other = (browser_in(app, play_games(app, 0)) for _ in range(2))
    page = text(sent(one, exported(client)))
    address = re.search(r'action="(/data/import/[^"]+)"', page)[1]
    assert other.post(address).status_code == 409


def files_waiting(app: Flask) -> list[Upload]:
    with app.app_context():
        return list(db.session.scalars(select(Upload).order_by(Upload.created_at)))


def preview_address(client: FlaskClient, content: str) -> str:
    return re.search(r'action="(/data/import/[^"]+)"', text(sent(client, content)))[1]


def past(score: int) -> str:
    """A table of past results whose content depends on the score."""
    lines = [f"{place},{score + place}" for place in (1, 2)]
    both = zip(("Anna", "Ben"), lines, strict=True)
    played = "\n".join(f"2025-12-31,Frustration Rummy,{name},{line}" for name, line in both)
    return f"date,rule set,player,place,score\n{played}"


def test_a_file_that_is_looked_at_again_is_kept_once(app, client):
    PlainGame.started(client, "frustration", "Anna Ben")
    addresses = {preview_address(client, past(10)) for _ in range(3)}
    assert len(addresses) == len(files_waiting(app)) == 1
    other = browser_in(app, play_games(app, 0))
    assert preview_address(other, past(10)) not in addresses


@pytest.mark.parametrize("bound", ["_MOST_FILES_OF_A_GROUP", "MOST_BYTES_OF_A_GROUP", "MOST_BYTES"])
def test_newer_previews_replace_the_oldest_and_who_says_yes_to_one_of_those_is_told(
    app, client, monkeypatch, bound
):
    PlainGame.started(client, "frustration", "Anna Ben")
    first = preview_address(client, past(0))
    size = len(files_waiting(app)[0].content)
    most = 3 if bound == "_MOST_FILES_OF_A_GROUP" else 3 * size + size // 2
    monkeypatch.setattr(uploads, bound, most)
    later = [preview_address(client, past(score)) for score in (100, 200, 300)]
    assert len(files_waiting(app)) == 3
    gone = client.post(first)
    assert gone.status_code == 409
    page = text(gone)
    assert "This preview is gone" in page
    assert "Nothing was imported" not in page
    assert "Fix this" not in page
    assert {client.post(address).status_code for address in later} == {303}


def test_the_newest_preview_is_kept_however_large_it_is(client, monkeypatch):
    PlainGame.started(client, "frustration", "Anna Ben")
    monkeypatch.setattr(uploads, "MOST_BYTES", 1)
    assert client.post(preview_address(client, past(0))).status_code == 303


def test_a_file_that_an_update_made_faulty_since_its_preview_is_refused_with_its_lines(app, client):
    an_evening(client)
    address = re.search(r'action="(/data/import/[^"]+)"', text(sent(client, PAPER, "old.csv")))[1]
    with app.app_context(), meaning_to_write():
        upload = db.session.scalars(select(Upload)).one()
        upload.content = zlib.compress(PAPER.replace("31.12.2024", "31.13.2024").encode())
        db.session.commit()
    answer = client.post(address)
    assert answer.status_code == 422
    assert "31.13.2024" in text(answer)
