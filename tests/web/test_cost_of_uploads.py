"""What a stranger sends costs the server in proportion to its length, whatever is in it.

Each thing is sent as long as it may be and half as long; counted are the lines of the app that it
takes, never seconds. Most is sent by somebody without a group; files to import by somebody who just
made one. `MELDKEEPER_COST=full` sends more, and counts the bytes that are held meanwhile, too.
"""

import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.extensions import limiter
from app.rules.rule_set_transfer import LONGEST_CODE, LONGEST_FILE, to_code, to_toml
from app.rules.rule_sets import rule_set_by_id, to_dict
from tests.counting import most_bytes_of, steps_of
from tests.many_games import browser_in, play_games
from tests.rules.test_bounded_toml import WORST
from tests.walk.copying import multipart
from tests.web.test_interface import token_for
from tests.web.test_own_rule_sets import form_of

FULL = os.environ.get("MELDKEEPER_COST") == "full"
MEASURES = {"lines": (steps_of, 3_000)} | ({"bytes": (most_bytes_of, 300_000)} if FULL else {})
"""What is counted, and by how much two runs of the same may differ."""
MOST_TIMES = 2.3
LARGEST = LONGEST_FILE - 16_384 if FULL else 12_000
"""Bytes of a rule set beside what one of the app's own has."""
IMPORTED = 400_000 if FULL else 40_000
"""Bytes of a file to import. 16 MB are allowed, which would take hours to count."""
FIELDS = 900
"""Of a form, which may have a thousand."""

sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def rules_with(**changed: Any) -> bytes:
    plain = to_dict(rule_set_by_id("frustration"))
    return json.dumps({**plain, **changed}).encode()


def nested(size: int, opening: str, closing: str) -> bytes:
    return (opening * (size // len(opening)) + closing * (size // len(opening))).encode()


def game_of(**parts: Any) -> dict[str, Any]:
    return {"key": "a", "rules": "r", "version": 1, "started_at": "2026-01-01T00:00:00Z", **parts}


def group_of(**parts: Any) -> bytes:
    heading = {"format": "meldkeeper-group", "version": 1, "group": {"name": "G"}}
    return json.dumps({**heading, **parts}).encode()


RULE_SETS: dict[str, Callable[[int], bytes]] = {
    **{
        f"TOML, {name}": lambda size, make=make: make(size).encode() for name, make in WORST.items()
    },
    "TOML of a real rule set": lambda size: (
        to_toml(rule_set_by_id("frustration")) + "#" + "x" * size
    ).encode(),
    "nested lists": lambda size: nested(size // 2, "[", "]"),
    "nested tables": lambda size: b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6),
    "unknown fields": lambda size: json.dumps({f"f{n}": 1 for n in range(size // 11)}).encode(),
    "the same field": lambda size: b"{" + b'"name": "a",' * (size // 12) + b'"id": "x"}',
    "contracts": lambda size: rules_with(contracts={"value": ["s3 s3"] * (size // 9)}),
    "a long contract": lambda size: rules_with(contracts={"value": ["s3 " * (size // 3)]}),
    "answers": lambda size: rules_with(faq={f"q{n}": "a" for n in range(size // 12)}),
    "digits": lambda size: b'{"deal": {"value": ' + b"9" * (size - 30) + b"}}",
    "text": lambda size: rules_with(summary="é" * (size // 6)),
}

FILES: dict[str, Callable[[int], bytes]] = {
    "nested lists": lambda size: nested(size // 2, "[", "]"),
    "nested tables": lambda size: b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6),
    "unknown parts": lambda size: group_of(**{f"f{n}": 1 for n in range(size // 11)}),
    "players without a name": lambda size: group_of(players=[{}] * (size // 4)),
    "the same player": lambda size: group_of(players=[player("A")] * (size // 60)),
    "players": lambda size: group_of(players=[player(f"P{n}") for n in range(size // 60)]),
    "merged players": lambda size: group_of(
        players=[player(f"P{n}", merged_into=f"P{n + 1}") for n in range(size // 80)]
    ),
    "games that are no games": lambda size: group_of(games=[{}] * (size // 4)),
    "games with the same key": lambda size: group_of(games=[game_of(seats=[])] * (size // 100)),
    "rounds that are no rounds": lambda size: group_of(games=[game_of(rounds=[1] * (size // 3))]),
    "an entry of the log with much in it": lambda size: group_of(
        games=[game_of(log=[{"after": {f"f{n}": 1 for n in range(size // 11)}}])]
    ),
    "rule sets that are none": lambda size: group_of(
        rule_sets={f"r{n}": {} for n in range(size // 11)}
    ),
    "past results": lambda size: table(past_result(n, 1 + n % 28) for n in range(size // 32)),
    "past results of one day": lambda size: table(past_result(n, 1) for n in range(size // 32)),
    "lines without a meaning": lambda size: table("x," for _ in range(size // 3)),
    "one long line": lambda size: table(["x" * size]),
    "a heading of many columns": lambda size: ("date," * (size // 5)).encode(),
    "quotes": lambda size: table(['"a"' * (size // 3)]),
}  # fmt: skip


def player(name: str, **more: str) -> dict[str, str]:
    return {"name": name, "since": "2026-01-01T00:00:00Z", **more}


def table(lines: Any) -> bytes:
    return "\n".join(["date,rule set,player,place,score", *lines]).encode()


def past_result(number: int, day: int) -> str:
    return f"2024-01-{day:02},Frustration,P{number},{number % 9 + 1},"


def form(**sent: Any) -> Mapping[str, Any]:
    return form_of("frustration", **sent)


FORMS: dict[str, tuple[str, Callable[[int], Mapping[str, Any]]]] = {
    "contract words": ("/rules/custom/draft", lambda n: form(contract=["set of 3 and " * n * 15])),
    "contracts": ("/rules/custom/draft", lambda n: form(contract=["set of 3"] * (n * 9 // 10))),
    "a contract of a letter": ("/rules/custom/new", lambda n: form(contract=["s" * n * 100])),
    "fields": ("/rules/custom/draft", lambda n: {f"f{k}": "1" for k in range(n * 9 // 10)}),
    "players": ("/games", lambda n: {"variant": "frustration", "player": ["A"] * (n * 9 // 10)}),
    "names": ("/games", lambda n: {"variant": "frustration", "player": ["A" * n * 90] * 2}),
    "house rules": ("/games/new/frustration/effect", lambda n: {"rule-decks": "9" * n * 100}),
    "a code": ("/join", lambda n: {"code": "1" * n * 100}),
    "a link": ("/rules/custom/bring", lambda n: {"link": "x?r=" + code(n * 5)}),
    "a rule set": ("/rules/custom/keep", lambda n: {"document": "[" * n * 200}),
}
QUESTIONS: dict[str, Callable[[int], str]] = {
    "cards of a meld": lambda n: f"/check/verdict?ask=meld&kind=set&m={'5H+' * (n * 60 // 1000)}",
    "cards that are none": lambda n: f"/check/verdict?ask=hand&m={'zz+' * n}",
    "melds": lambda n: "/check/verdict?ask=contract&" + "m=5H+5D+5C&" * (n * 40 // 1000),
    "parts of a question": lambda n: "/check/verdict?ask=meld&" + "m=5H&" * n,
    "words of a search": lambda n: f"/rules/frustration?words={'wild+' * n}",
    "one word of a search": lambda n: f"/rules/frustration?words={'w' * 5 * n}",
    "a rule set's code": lambda n: f"/rules/custom/bring?r={code(n * LONGEST_CODE // 1000)}",
    "a language": lambda n: f"/check?variant={'x' * n}",
}  # fmt: skip


def code(size: int) -> str:
    """A rule set as a code, with so many letters after it, or cut off there."""
    return (to_code(rule_set_by_id("carioca")) + "A" * size)[:size]


def grows_too_much(
    send: Callable[[int], TestResponse], send_nothing: Callable[[], TestResponse]
) -> list[str]:
    """What of it grows faster than what is sent, beside what it takes to be told of a fault."""

    def sent(size: int) -> None:
        limiter.reset()
        answer = send(size) if size else send_nothing()
        assert answer.status_code < 500, answer.status_code
        answer.get_data()

    sent(1000)  # what is made once is made
    found = []
    for what, (count, slack) in MEASURES.items():
        none, half, full = (count(partial(sent, size)) for size in (0, 500, 1000))
        if full - none > MOST_TIMES * max(0, half - none) + slack:
            found.append(f"{none}, {half}, {full} {what}")
    return found


@sqlite
def test_a_rule_set_that_is_brought_in(client: FlaskClient) -> None:
    worse = {}
    for name, make in RULE_SETS.items():
        for where in ("bring", "keep"):

            def send(content: bytes) -> TestResponse:
                if where == "keep":  # noqa: B023 (called at once)
                    return client.post("/rules/custom/keep", data={"document": content})
                data = {"file": (BytesIO(content), "rules.toml")}
                return client.post("/rules/custom/bring", data=data)

            if found := grows_too_much(
                lambda size: send(make(size * LARGEST // 1000)),  # noqa: B023
                lambda: send(b"x"),
            ):
                worse[name, where] = found
    assert not worse


@sqlite
def test_a_file_of_a_group_or_of_past_results_that_is_looked_at(app: Flask) -> None:
    client, worse = browser_in(app, play_games(app, 0)), {}

    def send(content: bytes) -> TestResponse:
        return client.post("/data/import", **multipart(content))

    for name, make in FILES.items():
        if found := grows_too_much(
            lambda size: send(make(size * IMPORTED // 1000)),  # noqa: B023
            lambda: send(b"x"),
        ):
            worse[name] = found
    assert not worse


@sqlite
def test_a_form_or_a_question(client: FlaskClient) -> None:
    worse = {}
    for name, (address, make) in FORMS.items():
        if found := grows_too_much(
            lambda size: client.post(address, data=make(size)),  # noqa: B023
            lambda: client.post(address),  # noqa: B023
        ):
            worse[name] = found
    for name, ask in QUESTIONS.items():
        if found := grows_too_much(
            lambda size: client.get(ask(size)),  # noqa: B023
            lambda: client.get(ask(0)),  # noqa: B023
        ):
            worse[name] = found
    assert not worse


@sqlite
@pytest.mark.parametrize("what", ["judge", "rule-sets"])
def test_a_document_that_a_program_sends(app: Flask, what: str) -> None:
    manager, worse = browser_in(app, play_games(app, 0)), {}
    headers = {"Authorization": f"Bearer {token_for(manager, 'manage')}"}
    program = app.test_client()

    def send(content: bytes) -> TestResponse:
        body, kind = b'{"document": ' + content + b"}", "application/json"
        return program.post(f"/api/v1/{what}", data=body, headers=headers, content_type=kind)

    for name, make in RULE_SETS.items():
        if not name.startswith("TOML") and (
            found := grows_too_much(
                lambda size: send(make(size * LARGEST // 1000)),  # noqa: B023
                lambda: send(b"1"),
            )
        ):
            worse[name] = found
    assert not worse
