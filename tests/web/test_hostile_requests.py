"""Anything sent to any address: no fault of ours, and nothing kept that could not be meant.

`MELDKEEPER_HOSTILE` says how many requests, others on each database; `make fuzz` sends 10,000 of
them. What is sent stands in `hostile.py`.
"""

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient
from sqlalchemy import JSON, Text, delete, select
from sqlalchemy.orm import Session, aliased

from app.actions.players import read_name
from app.exchange.files import parse_json, read_document, serialize
from app.extensions import db, limiter
from app.scorebook.faults import find_round_faults
from app.scorebook.round_results import before_round
from app.store.base import Base
from app.store.games import (
    LogEntry,
    RecordedRuling,
    StoredEntry,
    StoredGame,
    StoredRound,
    StoredSeat,
)
from app.store.groups import Group, Membership, Player
from app.store.queries.export import load_group_document
from app.store.queries.games import load_game
from tests.web.hostile import Hostile, Told
from tests.web.two_groups import AGroup, a_group
from tests.web_table import PlainGame

HOW_MANY = int(os.environ.get("MELDKEEPER_HOSTILE", "200"))
SEED = int(os.environ.get("MELDKEEPER_SEED", "8"))
IN_ONE_WORLD = 200
"""Requests to one pair of groups: after more of them little of the groups is left."""
OURS, THEIRS = "Anna Ben Cleo", "Wendelin Xanthe Yorick"
SECRET = "Zyxwvut"


@pytest.mark.timeout(900 + HOW_MANY // 2)
def test_whatever_is_sent_nothing_of_ours_breaks(app: Flask, kind_of_database: str):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.testing = False
    chance = random.Random(f"{kind_of_database} {SEED}")
    broken: list[str] = []
    for begin in range(0, HOW_MANY, IN_ONE_WORLD):
        limiter.reset()
        with app.app_context():
            db.session.execute(delete(StoredGame))  # first: their seats name the groups' players
            db.session.execute(delete(Group))
            db.session.commit()
        ours, theirs = a_group(app, OURS, "Marked"), a_group(app, THEIRS, SECRET)
        hostile = Hostile(app, chance, ours, theirs)
        numbers = range(begin, min(begin + IN_ONE_WORLD, HOW_MANY))
        broken += sent_and_looked_at(app, hostile, numbers)
        with app.app_context():
            broken += what_cannot_be(db.session())
            for group in (ours, theirs):
                read_document(parse_json(document_of(group).encode()))
    assert not broken, "\n".join(broken)


def sent_and_looked_at(app: Flask, hostile: Hostile, numbers: range) -> Iterator[str]:
    """What was wrong about each of these requests."""
    with app.app_context():
        before, document = everything(db.session()), document_of(hostile.theirs)
    for number in numbers:
        told = hostile.send(number)
        if told.status >= 500:
            yield f"{told.status}: {told.what}"
        if SECRET in told.body or any(name in told.body for name in THEIRS.split()):
            yield f"shows another group: {told.what}"
        with app.app_context():
            after = everything(db.session())
            if may_change_nothing(told) and after != before:
                changed = [name for name in after if after[name] != before[name]]
                yield f"{told.status}, but changed {changed}: {told.what}"
            if after != before and document_of(hostile.theirs) != document:
                yield f"changed another group: {told.what}"
                document = document_of(hostile.theirs)
        before = after


def may_change_nothing(told: Told) -> bool:
    """Is it a request that only reads, or one that was refused?"""
    if told.endpoint == "rounds.take_tap" and told.status == 422:
        return False  # a penalty that cannot be read is kept as it was typed, and shown so
    return told.method in ("GET", "HEAD", "OPTIONS") or told.status >= 400


_EVERYTHING = {
    table.name: select(*(one for one in table.columns if one.name != "seen_at")).order_by(
        *table.primary_key
    )
    for table in Base.metadata.sorted_tables
}


def everything(session: Session) -> dict[str, list[Any]]:
    """All that is kept, by table; but not when a device was last seen."""
    connection = session.connection()
    return {name: list(connection.execute(rows)) for name, rows in _EVERYTHING.items()}


def document_of(group: AGroup) -> str:
    return "".join(serialize(load_group_document(db.session(), group.id)))


def what_cannot_be(session: Session) -> Iterator[str]:
    """What is kept though nobody could have meant it."""
    yield from texts_that_cannot_be(session)
    yield from seats_of_other_games(session)
    for name in session.scalars(select(Player.name)):
        if read_name(name) != name:
            yield f"the name {name!r}"
    for game_id in session.scalars(select(StoredGame.id)):
        table = load_game(session, game_id)
        assert table.status.standings
        for number, played in enumerate(table.game.rounds, start=1):
            before = before_round(table.game, number)
            yield from map(str, find_round_faults(before, played))


def texts_that_cannot_be(session: Session) -> Iterator[str]:
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            if not isinstance(column.type, Text | JSON) and not hasattr(column.type, "length"):
                continue
            length = getattr(column.type, "length", None)
            for value in session.scalars(select(column).where(column.is_not(None))):
                text = json.dumps(value, ensure_ascii=False) if length is None else str(value)
                if length is not None and len(text) > length:
                    yield f"{column} holds {len(text)} characters"
                if any(is_unfit(letter) for letter in text):
                    yield f"{column} holds {text!r}"


def is_unfit(letter: str) -> bool:
    """Is it a control character, or half a character?"""
    return (
        (ord(letter) < 32 and letter not in "\n\t")
        or 0x7F <= ord(letter) < 0xA0
        or 0xD800 <= ord(letter) < 0xE000
    )


def seats_of_other_games(session: Session) -> Iterator[str]:
    """Whatever names a seat names one of its own game; a player, one of its own group."""
    seat, player = aliased(StoredSeat), aliased(Player)
    wrong = {
        "a row": select(StoredEntry.id)
        .join(StoredRound, StoredEntry.round_id == StoredRound.id)
        .join(seat, StoredEntry.seat_id == seat.id)
        .where(seat.game_id != StoredRound.game_id),
        "who was first down": select(StoredRound.id)
        .join(seat, StoredRound.first_down == seat.id)
        .where(seat.game_id != StoredRound.game_id),
        "who asked": select(RecordedRuling.id)
        .join(seat, RecordedRuling.asking_seat_id == seat.id)
        .where(seat.game_id != RecordedRuling.game_id),
        "the log": select(LogEntry.id)
        .join(seat, LogEntry.seat_id == seat.id)
        .where(seat.game_id != LogEntry.game_id),
        "a seat": select(seat.id)
        .join(StoredGame, StoredGame.id == seat.game_id)
        .join(player, player.id == seat.player_id)
        .where(player.group_id != StoredGame.group_id),
        "a phone's player": select(Membership.id)
        .join(player, player.id == Membership.player_id)
        .where(player.group_id != Membership.group_id),
    }
    for what, found in wrong.items():
        if session.scalars(found).first() is not None:
            yield f"{what} belongs to another game or group"


PART = "--a\r\nContent-Disposition: form-data{}\r\n\r\ny\r\n--a--"
BODIES = (
    ("multipart/form-data; boundary=a", PART.format("").encode()),
    ("multipart/form-data; boundary=a", PART.format('; filename="x"').encode()),
    ("multipart/form-data; boundary=a", PART.format('; name="\x00"; filename="../x"').encode()),
    ("multipart/form-data; boundary=", b"x"),
    ("application/x-www-form-urlencoded", b"%ff=%00&=&%"),
    ("application/json", b'{"a": [\xff'),
)


def test_a_body_that_no_browser_sends_breaks_no_address(app: Flask, client: FlaskClient):
    app.config["PROPAGATE_EXCEPTIONS"], app.testing = False, False
    chance = random.Random(SEED)
    game = PlainGame.started(client, "frustration", "Anna Ben")
    values = {"key": game.key, "variant_id": "frustration", "role": "watch"}
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "groups.leave" or "POST" not in rule.methods:
            continue
        with app.test_request_context():
            address = url_for(rule.endpoint, **dict.fromkeys(rule.arguments, 1) | values)
        for kind, body in chance.sample(BODIES, 2):
            answer = client.post(address, data=body, content_type=kind)
            assert answer.status_code < 500, (address, kind, body)
