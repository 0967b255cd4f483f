"""Requests as nobody would send them by mistake, made of what the app itself offers.

Addresses are the app's own list; field names come from the pages' forms, the interface's schemas
and the source of the views; ids are those that exist, of both groups; texts are as long as each
column and one more or less. So what is added to the app is tried without being named here.
"""

import json
import random
import re
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import String, func, select
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from app.config import TOP
from app.extensions import db
from app.store.base import Base
from app.store.games import StoredGame, StoredRound
from app.store.groups import StoredRuleSet, Upload
from app.web.api.operations import openapi
from tests.web.two_groups import AGroup

LIMITS = sorted(
    {
        column.type.length
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, String) and column.type.length
    }
)
VALUES = (
    "", " ", "0", "1", "2", "3", "-1", "-0", "+1", "1.5", "1e9", "9" * 9, "9" * 19, "9" * 79,
    "9" * 400, str(2**31), str(2**63), "9999", "٣", "²", "on", "nobody", "None", "null", "NaN",
    "\x00", "a\x00b", "\ud800", "a\x07b", "\x85", "\u202e\u200b", "İ", "ß" * 40, "🂡" * 20,
    "e\u0301", "\r\n\r\nX: y", "'", '"', "--", ";", "' OR 1=1 --", "%", "%s", "%(x)s", "{0}",
    "{name}", "{{7*7}}", "<script>alert(1)</script>", "../../etc/passwd", "javascript:alert(1)",
    "//evil.test", "http://evil.test", "[]", "{}", "[" * 500, '{"a":' * 200, "10+5+15", "10+",
    "5++5", "10 5", "-5", "--5", "5h 6h 2c 8h", "5h " * 400, "JK" * 50, "Anna", "anna", "Dora",
    "A" * 5000, "Anna, Ben, Cleo", "add", "up:0", "up:99", "remove:-1", "lot-seats", "add:<b>",
    "frustration", "aggravation-rummy", "watch", "score", "manage", "met", "typed", "counted",
    "out", "first_down", "seats", "standing", "yes", "no", "x,y,z", ",", "1-met", "2-typed",
    "wild_limit=none", "wild_swap=forbid",
)  # fmt: skip
NUMBERS = (0, -1, 1, 2, 3, 9999, 2**31 - 1, 2**31, 2**63, 10**400, True, 1.5, None, "huge")
HEADERS = (
    {}, {}, {}, {"HX-Request": "true"}, {"HX-Request": "true"}, {"HX-Boosted": "true"},
    {"Accept-Language": "fr,\x7f;q=x"}, {"Referer": "http://evil.test/"}, {"Origin": "null"},
    {"User-Agent": ""}, {"X-Forwarded-For": "1.2.3.4, evil"}, {"If-None-Match": "*"},
    {"Range": "bytes=9-1"}, {"Content-Type": "application/json"}, {"Cookie": "meldkeeper=\x01;;=="},
)  # fmt: skip
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
ENDINGS = (
    "groups.leave",
    "groups.remove_device",
    "tokens.revoke",
    "history.delete",
    "groups.switch_group",
)
"""What ends a group's doings for good has its turn less often."""
SELDOM = ("/language", "/leave", "/put-out", "/revoke", "/bin", "/look")
Fields = list[tuple[str, str]]


@cache
def described(app: Flask) -> dict[str, Any]:
    """The interface as it describes itself."""
    answer = app.test_client().get("/api/v1/openapi.json").json
    assert answer
    return dict(answer)


@cache
def names_that_are_read() -> set[str]:
    """The names of fields that views ask for, and those that the interface's schemas declare."""
    source = "\n".join(file.read_text() for file in (TOP / "app/web").rglob("*.py"))
    asked = re.findall(r'\.(?:get|getlist)\(\s*"([^"]+)"|\w\["([^"]+)"\]', source)
    declared = {
        name
        for schema in openapi()["components"]["schemas"].values()
        for name in schema["properties"]
    }
    return declared | {name for pair in asked for name in pair if name}


class FormsOfPage(HTMLParser):
    """The forms of a page: where each is sent, with which fields as they stand."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, Fields]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((of.get("action", ""), []))
        if not self.forms:
            return
        where, fields = self.forms[-1]
        other = of.get("formaction") or of.get("data-tap-address")
        if other and other != where:
            self.forms.insert(-1, (other, fields))
        is_choice = of.get("type") in ("checkbox", "radio") and "checked" not in of
        if "name" in of and tag in ("input", "textarea", "select", "button") and not is_choice:
            fields.append((of["name"], of.get("value", "on" if tag == "input" else "")))
        if tag == "option" and fields and "selected" in of:
            fields[-1] = (fields[-1][0], of.get("value", ""))


@dataclass
class Told:
    """One request and its answer."""

    what: str
    endpoint: str
    method: str
    status: int
    body: str


@dataclass
class Hostile:
    """Sends to the addresses of the app what a group's devices and programs could send."""

    app: Flask
    chance: random.Random
    ours: AGroup
    theirs: AGroup
    ids: list[int] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    boldness: float = 0.1
    """How much of a request is spoiled: with too much of it nothing is ever taken."""

    def __post_init__(self) -> None:
        self.rules = [rule for rule in self.app.url_map.iter_rules() if rule.endpoint != "static"]
        keeping = [one for one in self.rules if {"POST", "PUT", "DELETE"} & set(one.methods or ())]
        of_rounds = [one for one in keeping if "/rounds/" in one.rule]
        turns = [one for one in self.rules if one.endpoint not in ENDINGS]
        turns = turns * 2 + keeping + of_rounds * 8
        self.turns = self.chance.sample(turns, len(turns))
        self.described = described(self.app)
        self.stranger = self.app.test_client()
        with self.app.app_context():
            session = db.session()
            counted = {
                number
                for table in Base.metadata.sorted_tables
                for column in table.primary_key
                for number in session.scalars(select(column))
                if isinstance(number, int)
            }
            columns = (StoredGame.key, StoredRuleSet.key, Upload.key)
            self.keys = [key for column in columns for key in session.scalars(select(column))]
        self.ids = sorted(counted)
        rows = [f"{seat}-{name}" for seat in self.ids for name in ("met", "typed", "counted-0")]
        self.names = sorted(names_that_are_read()) + self.chance.sample(rows, min(len(rows), 30))
        self.names += ["unknown", "__proto__"]

    # What is sent

    def send(self, number: int) -> Told:
        """The request of that number: each address has its turn."""
        rule = self.turns[number % len(self.turns)]
        api = rule.rule.startswith("/api/") and "<path" not in rule.rule
        usual = sorted((rule.methods or {"GET"}) - {"HEAD", "OPTIONS"})
        method = self.chance.choice(usual if self.chance.random() < 0.9 else METHODS)
        if api:
            return self._by_program(rule, method)
        if method == "POST" and self.chance.random() < 0.6:
            return self._by_form(rule)
        return self._at_random(rule, method)

    def _by_form(self, rule: Rule) -> Told:
        """A form as a page of the app has it, with a few of its fields bent."""
        client = self._client()
        pages = [one for one in self.rules if "GET" in (one.methods or ())]
        beside = [one for one in pages if one.rule.split("/")[1] == rule.rule.split("/")[1]]
        with client.get(self.address(self.chance.choice(beside or pages))) as answer:
            forms = FormsOfPage(answer.get_data(as_text=True)).forms
        forms = [one for one in forms if not any(word in one[0] for word in SELDOM)]
        if not forms:
            return self._at_random(rule, "POST")
        where, fields = self.chance.choice(forms)
        form = self._bent(fields)
        if where.endswith("/row"):
            form["changed"] = [self.chance.choice(["first_down", *form])]
        return self._ask(client, "POST", where, {"data": _sendable(form)})

    def _bent(self, fields: Fields) -> dict[str, list[str]]:
        form: dict[str, list[str]] = {}
        for name, value in fields:
            form.setdefault(name, []).append(value)
        for _ in range(self.chance.choice((0, 1, 1, 2, 3))):
            name = self.chance.choice(sorted(form) or ["unknown"])
            match self.chance.randrange(5):
                case 0:
                    form[self.chance.choice(self.names)] = [self.text()]
                case 1:
                    form.pop(name, None)
                case 2:
                    form.setdefault(name, []).append(self.text())
                case _:
                    form[name] = [self.text()]
        return form

    def _by_program(self, rule: Rule, method: str) -> Told:
        """A body as the interface's description has it, with a few of its fields bent."""
        role = self.chance.choice(("manage",) * 9 + ("score", "watch"))
        self.boldness = self.chance.choice((0.02, 0.1, 0.4))
        headers = {"Authorization": f"Bearer {self.ours.tokens[role]}"}
        path = re.sub(r"<(?:\w+(?:\([^)]*\))?:)?(\w+)>", r"{\1}", rule.rule)
        told = self.described["paths"].get(path, {}).get(method.lower(), {})
        content = told.get("requestBody", {}).get("content", {}).get("application/json")
        body: dict[str, Any] = {}
        if content:
            sent = self._of_schema(content["schema"])
            # Python itself writes no number of so many digits.
            written = json.dumps(sent).replace('"huge"', "9" * 5000)
            body = {"data": written, "content_type": "application/json"}
        elif self.chance.random() < 0.2:
            body = {"data": "[" * 1000, "content_type": "application/json"}
        query = self._form(2) if method == "GET" else {}
        client = self.app.test_client()
        body["headers"] = headers
        return self._ask(client, method, self.address(rule), body, query)

    def _of_schema(self, schema: dict[str, Any], name: str = "") -> Any:
        """A value of that JSON schema, most of the time."""
        if self.chance.random() < self.boldness / 5:
            return self.chance.choice((None, [], {}, "x", *NUMBERS))
        if "anyOf" in schema:
            schema = schema["anyOf"][0]
        if "$ref" in schema:
            components = self.described["components"]["schemas"]
            return self._of_schema(components[schema["$ref"].rsplit("/", 1)[1]], name)
        kind = schema.get("type", "object")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "boolean":
            return self.chance.random() < (0.1 if name == "went_out" else 0.3)
        if kind == "integer":
            return self.number(name)
        if kind == "array":
            many = self.chance.choice((0, 1, 1, 2, 2, 2, 13))
            return [self._of_schema(schema["items"], name) for _ in range(many)]
        return self._plausible(name, schema) if kind == "string" else self._object(schema)

    def _object(self, schema: dict[str, Any]) -> dict[str, Any]:
        inner = schema.get("properties", {})
        sent = {
            one: self._of_schema(inner[one], one)
            for one in sorted(inner)
            if one in schema.get("required", ()) or self.chance.random() < 0.5
        }
        if self.chance.random() < self.boldness / 5 or (not inner and self.chance.random() < 0.5):
            sent[self.text()] = self.text()
        return sent

    def _plausible(self, name: str, schema: dict[str, Any]) -> str:
        if "enum" in schema and self.chance.random() > self.boldness:
            return str(self.chance.choice(schema["enum"]))
        likely = {
            "points": ("5", "10", "10+5", "", "", "", ""),
            "rule_set": ("frustration", "carioca"),
        }
        likely["players"] = ("Anna", "Ben", "Cleo", "Emil")
        likely["variant"] = likely["rule_set"]
        if name in likely and self.chance.random() > self.boldness:
            return self.chance.choice(likely[name])
        return self.text()

    def _at_random(self, rule: Rule, method: str) -> Told:
        query = self._form(3) if self.chance.random() < 0.5 else {}
        body = {} if method in ("GET", "HEAD") else self._body()
        return self._ask(self._client(), method, self.address(rule), body, query)

    def _body(self) -> dict[str, Any]:
        shape = self.chance.random()
        if shape < 0.8:
            return {"data": _sendable(self._form(12))}
        if shape < 0.85:
            return {"data": self.chance.randbytes(300), "content_type": "multipart/form-data"}
        if shape < 0.9:
            kind = "application/x-www-form-urlencoded"
            return {"data": b"a=%ff&%00=%zz&=&&changed=%c3%28&" + b"x" * 200, "content_type": kind}
        if shape < 0.95:
            return {"data": "[" * 1000, "content_type": "application/json"}
        return {"data": {f"f{number}": "1" for number in range(1200)}}

    def _form(self, most: int) -> dict[str, list[str]]:
        chosen = self.chance.sample(self.names, self.chance.randint(0, most))
        return {
            name: [self.text() for _ in range(self.chance.choice((1, 1, 1, 2)))] for name in chosen
        }

    # Of what it is made

    def text(self) -> str:
        """A text that a field may be given: of its kind, too long by one, or spoiled."""
        match self.chance.randrange(6):
            case 0:
                length = self.chance.choice(LIMITS) + self.chance.choice((-1, 0, 1))
                return self.chance.choice(("x", "é", "🂡", "1+", "x ")) * length
            case 1 | 2:
                return str(self.chance.choice(self.ids))
            case 3:
                return self.chance.choice(self.keys)
            case _:
                return self.chance.choice(VALUES)

    def number(self, name: str = "") -> object:
        """A number that a field may be given: an id of ours, of theirs, or none at all."""
        if name == "seen" and self.chance.random() < 0.9:
            return None
        if name in ("version", "first_dealer", "score", "contract", "position"):
            return self.chance.choice((*NUMBERS[:5], 0, 0, 0))
        if self.chance.random() < self.boldness / 2:
            return self.chance.choice(NUMBERS)
        return self.chance.choice(self.ids + list(self.ours.seats) * 2)

    def address(self, rule: Rule) -> str:
        """An address of that pattern; most of the time one that leads somewhere."""

        def part(found: re.Match[str]) -> str:
            return str(self._piece(found[2], "int" in (found[1] or "")))

        return re.sub(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>", part, rule.rule)

    def _piece(self, name: str, number: bool) -> object:
        chance = self.chance
        if name == "key" and chance.random() < 0.9:
            usual = [self.ours.games[0]] * 20 + self.ours.games
            return chance.choice([*usual, *self.theirs.games, "abc", "A" * 100])
        if number:
            likely = [self._open_round()] if name == "number" else self.ids
            return chance.choice([*likely * 60, *self.ids, 0, 2**31, 10**30])
        if name == "variant_id" and chance.random() < 0.7:
            return chance.choice(["frustration", "aggravation-rummy", "garbage-rummy"])
        if name in ("own", "rule_set", "binned", "upload") and chance.random() < 0.7:
            return chance.choice(self.keys)
        if name in ("role", "kind") and chance.random() < 0.7:
            return chance.choice(["watch", "score", "manage", "toml", "json"])
        value = self.text()
        return re.sub(r"[^\w .,:+-]", "_", value.encode("utf-8", "replace").decode())[:300] or "_"

    def _open_round(self) -> int:
        """The number of the open round of our game, or of the one before it, to be edited."""
        with self.app.app_context():
            closed = db.session.scalar(
                select(func.count(StoredRound.id))
                .join(StoredGame, StoredGame.id == StoredRound.game_id)
                .where(StoredGame.key == self.ours.games[0], StoredRound.closed_at.is_not(None))
            )
        return (closed or 0) + self.chance.choice((1, 1, 0))

    def _client(self) -> FlaskClient:
        group = self.ours
        known = [group.manager] * 6 + [group.scorer, group.scorer, group.watcher, self.stranger]
        return self.chance.choice(known)

    def _ask(
        self,
        client: FlaskClient,
        method: str,
        address: str,
        body: dict[str, Any],
        query: dict[str, list[str]] | None = None,
    ) -> Told:
        headers = {**self.chance.choice(HEADERS), **body.pop("headers", {})}
        what = f"{method} {address!r} {headers} ?{query} {body}"
        if query:  # an address from a form has its own
            body["query_string"] = _sendable(query)
        answer = client.open(address, method=method, headers=headers, **body)
        text = answer.get_data(as_text=True)
        answer.close()
        return Told(what[:700], self._endpoint(address, method), method, answer.status_code, text)

    def _endpoint(self, address: str, method: str) -> str:
        try:
            return str(self.app.url_map.bind("").match(urlsplit(address).path, method)[0])
        except HTTPException:
            return ""


def _sendable(form: dict[str, list[str]]) -> dict[str, list[bytes]]:
    return {
        name: [value.encode("utf-8", "surrogatepass") for value in values]
        for name, values in form.items()
    }
