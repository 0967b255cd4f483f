"""Anything sent to any address: no fault of ours, and nothing kept that a form could not have sent.

The addresses are the app's own list, so that a new one is tried without being named here; fields
are those of the pages' forms. `MELDKEEPER_HOSTILE` says how many requests; `make fuzz` sends
10,000 of them.
"""

import os
import random
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Text, select
from werkzeug.routing import Rule

from app.actions.people import read_name
from app.extensions import db
from app.scorebook import faults
from app.store.base import Base
from app.store.games import KeptGame
from app.store.groups import Player
from app.store.queries.games import table_of, with_closed_rounds
from tests.web_table import PlainGame

HOW_MANY = int(os.environ.get("MELDKEEPER_HOSTILE", "600"))
SEED = int(os.environ.get("MELDKEEPER_SEED", "8"))

VALUES = (
    "", " ", "0", "1", "2", "3", "-1", "-0", "+1", "1.5", "1e9", "9" * 9, "9" * 19, "9" * 400,
    str(2**31), str(2**63), "٣", "²", "on", "nobody", "None", "null", "NaN", "true",
    "\x00", "a\x00b", "\ud800", "\u202e\u200b", "İ", "ß" * 40, "🂡" * 20, "e\u0301",
    "\r\n\r\nX: y", "'", '"', "--", ";", "' OR 1=1 --", "%", "%s", "%(x)s", "{0}", "{name}",
    "{{7*7}}", "<script>alert(1)</script>", "../../etc/passwd", "javascript:alert(1)",
    "//evil.test", "http://evil.test", "[]", "{}", "[" * 500, '{"a":' * 200, "10+5+15", "10+", "-5",
    "5h 6h 2c 8h", "5h " * 400, "JK" * 50, "Anna", "anna", "A" * 41, "A" * 5000, "add", "up:0",
    "up:99", "remove:-1", "lot-seats", "add:<b>", "frustration", "aggravation-rummy", "watch",
    "score", "manage", "met", "typed", "counted", "out", "first_down", "seats", "standing", "yes",
    "no", "x,y,z", ",", "1-met", "2-typed",
)  # fmt: skip
HEADERS = (
    {}, {}, {}, {"HX-Request": "true"}, {"HX-Request": "true"}, {"HX-Boosted": "true"},
    {"Accept-Language": "fr,\x7f;q=x"}, {"Referer": "http://evil.test/"}, {"Origin": "null"},
    {"User-Agent": ""}, {"X-Forwarded-For": "1.2.3.4, evil"}, {"If-None-Match": "*"},
    {"Range": "bytes=9-1"}, {"Content-Type": "application/json"}, {"Cookie": "meldkeeper=\x01;;=="},
)  # fmt: skip


@dataclass
class Hostile:
    """Makes requests of what the app itself offers, and of what nobody would send by mistake."""

    chance: random.Random
    game: PlainGame
    other: str
    """The key of a game of another group."""
    fields: list[str] = field(default_factory=list)

    def send(self, client: FlaskClient, rule: Rule) -> tuple[str, Any]:
        """A request to an address of that pattern, and what it was answered."""
        chance = self.chance
        method = chance.choice(sorted(rule.methods or {"GET"}))
        address = self.address(rule)
        headers = chance.choice(HEADERS)
        query = self.form(3) if chance.random() < 0.5 else {}
        told = f"{method} {address!r} {headers} ?{query}"
        if method == "POST":
            body = self.body()
            told += f" {body}"
            answer = client.open(
                address, method=method, query_string=_sendable(query), headers=headers, **body
            )
        else:
            answer = client.open(
                address, method=method, query_string=_sendable(query), headers=headers
            )
        return told, answer

    def address(self, rule: Rule) -> str:
        """An address of that pattern; most of the time one that leads somewhere."""

        def part(found: re.Match[str]) -> str:
            return str(self.value_for(found[2], "int" in (found[1] or "")))

        return re.sub(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>", part, rule.rule)

    def value_for(self, name: str, number: bool) -> object:
        chance = self.chance
        if name == "key" and chance.random() < 0.8:
            return chance.choice([self.game.key] * 5 + [self.other, "abc", "A" * 100])
        if number:
            return chance.choice([0, 1, 2, 3, *self.game.seats.values(), 2**31, 2**63, 10**30])
        if name == "variant_id" and chance.random() < 0.7:
            return chance.choice(["frustration", "aggravation-rummy", "garbage-rummy"])
        value = chance.choice(VALUES)
        return re.sub(r"[^\w .,:+-]", "_", value.encode("utf-8", "replace").decode())[:300] or "_"

    def body(self) -> dict[str, Any]:
        chance = self.chance
        shape = chance.random()
        if shape < 0.8:
            return {"data": _sendable(self.form(12))}
        if shape < 0.85:
            return {"data": chance.randbytes(300), "content_type": "multipart/form-data"}
        if shape < 0.9:
            kind = "application/x-www-form-urlencoded"
            return {"data": b"a=%ff&%00=%zz&=&&changed=%c3%28&" + b"x" * 200, "content_type": kind}
        if shape < 0.95:
            return {"data": "[" * 1000, "content_type": "application/json"}
        return {"data": {f"f{number}": "1" for number in range(1200)}}

    def form(self, most: int) -> dict[str, list[str]]:
        """Some fields of the pages' forms, each with a value of its kind or a hostile one."""
        chance = self.chance
        chosen = chance.sample(self.fields, min(len(self.fields), chance.randint(0, most)))
        return {
            name: [chance.choice(VALUES) for _ in range(chance.choice((1, 1, 1, 2)))]
            for name in chosen
        }


def _sendable(form: dict[str, list[str]]) -> dict[str, list[bytes]]:
    return {
        name: [value.encode("utf-8", "surrogatepass") for value in values]
        for name, values in form.items()
    }


def fields_of(client: FlaskClient, addresses: list[str]) -> list[str]:
    """The names of all fields of the forms on these pages, and those that no field has."""
    pages = []
    for address in addresses:
        with client.get(address) as answer:
            pages.append(answer.get_data(as_text=True))
    found = {name for page in pages for name in re.findall(r'\sname="([^"]+)"', page)}
    return sorted(found | {"changed", "v", "order", "accepted", "seen", "unknown", "__proto__"})


@pytest.mark.timeout(120 + HOW_MANY // 5)
def test_whatever_is_sent_nothing_of_ours_breaks(app: Flask, a_running_game: PlainGame):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.testing = False
    game = a_running_game
    stranger = app.test_client()
    other = PlainGame.started(app.test_client(), "frustration", "Dora Emil").key
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]
    pages = [rule.rule.replace("<key>", game.key) for rule in rules if "GET" in rule.methods]
    plain = [page for page in pages if "<" not in page]
    fields = fields_of(game.client, [*plain, "/games/new/frustration"])
    hostile = Hostile(random.Random(SEED), game, other, fields)
    broken = []
    for number in range(HOW_MANY):
        client = stranger if number % 6 == 0 else game.client
        told, answer = hostile.send(client, rules[number % len(rules)])
        answer.get_data()
        answer.close()
        if answer.status_code >= 500:
            broken.append(f"{answer.status_code}: {told}"[:600])
    assert broken == []
    with app.app_context():
        check_what_is_kept()


def check_what_is_kept() -> None:
    """Everything kept could have been kept by a person who used the forms as they are."""
    session = db.session()
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            length = getattr(column.type, "length", None)
            if length:
                assert all(len(text or "") <= length for text in session.scalars(select(column)))
            if isinstance(column.type, Text):
                assert all("\x00" not in (text or "") for text in session.scalars(select(column)))
    for name in session.scalars(select(Player.name)):
        assert read_name(name) == name
    for game_id in session.scalars(select(KeptGame.id)):
        table = table_of(session, game_id)
        assert table.board.standings
        for number, played in enumerate(table.game.rounds, start=1):
            entered = {one: table.entered[one] for one in range(1, number)}
            before = with_closed_rounds(table.game, entered)
            assert faults(before, played, table.names) == ()
