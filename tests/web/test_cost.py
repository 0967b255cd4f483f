"""What is asked of the server costs it in proportion to its size, however large a game may become.

A game is made as large as it may be (`app.scorebook.limits`), in each way by itself and in all of
them, at half that size and as small as can be; brought in, looked at on every page, changed,
undone, taken out and brought in again. Calls of functions are counted, never seconds.
`MELDKEEPER_COST=full` does it at full size; else a part of it is looked at, a tenth as large.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete

from app.extensions import db, limiter
from app.rules.rule_sets import rule_set_by_id, to_dict, with_house_rules
from app.scorebook import limits
from app.store.engine import meaning_to_write
from app.store.games import StoredGame
from tests.counting import calls_of
from tests.many_games import browser_in, play_games
from tests.walk.copying import exported, multipart
from tests.web.test_interface import token_for

FULL = os.environ.get("MELDKEEPER_COST") == "full"
KEY = "abcdefghjkmn"
AT = datetime(2026, 11, 20, tzinfo=UTC)
MOST = {
    "rounds": limits.MOST_ROUNDS - 2,
    "corrections": limits.MOST_CORRECTIONS - 2,
    "void deals": limits.MOST_DECISIONS - 2,
    "dealers": limits.MOST_DECISIONS - 2,
    "seat changes": limits.MOST_DECISIONS - 2,
    "rule changes": limits.MOST_RULE_CHANGES - 2,
    "stand-ins": limits.MOST_STAND_INS - 2,
    "absences": limits.MOST_ABSENCES - 2,
    "rulings": limits.MOST_RULINGS - 2,
    "log": limits.MOST_LOG_ENTRIES // 10,
    "players": limits.MOST_PLAYERS - 20,
}
"""Each way to be large, and how large; room is left for what is done then."""
LARGE = MOST if FULL else {name: max(6, most // 10) for name, most in MOST.items()}
WAYS = [*LARGE, "all together"] if FULL else ["rounds", "players", "all together"]
SEATS = 6
SLACK = 6_000
"""Calls by which two runs of the same may differ: templates and statements made once."""

Counts = dict[str, int]


def document_of(sizes: dict[str, int]) -> dict[str, Any]:
    """A group with one game of these sizes, which goes on."""
    house = {"keep_score": "yes", "max_deals": 0}
    rules = with_house_rules(rule_set_by_id("frustration-rummy"), house)
    rounds = max(2, *(sizes[name] for name in ("rounds", "dealers", "seat changes", "stand-ins")))
    rounds = max(rounds, sizes["rule changes"], 2 * sizes["absences"] + 1)
    order = list(range(1, SEATS + 1))
    names = [f"P{number}" for number in range(SEATS + sizes["stand-ins"] + sizes["players"])]
    seats: list[dict[str, Any]] = [
        {"player": names[n], "deals_first": n == 0} for n in range(SEATS)
    ]
    seats[1]["stand_ins"] = [
        {"from_round": n + 1, "player": names[SEATS + n]} for n in range(sizes["stand-ins"])
    ]
    seats[2]["missed"] = [{"first": 2 * n, "last": 2 * n} for n in range(1, sizes["absences"] + 1)]
    game = {
        "key": KEY,
        "rules": "r",
        "version": sizes["log"] + 1,
        "started_at": AT.isoformat(),
        "seats": seats,
        "rounds": [round_of(number) for number in range(1, rounds + 1)],
        "rulings": [
            {"round": 1, "at": AT.isoformat(), "question": "ask=meld", "verdict": "Legal"}
            for _ in range(sizes["rulings"])
        ],
        "rule_changes": [
            {"from_round": n, "field": "run_suit", "value": ("same", "any")[n % 2]}
            for n in range(1, sizes["rule changes"] + 1)
        ],
        "course": {
            "voids": [{"number": 1, "dealer": 1} for _ in range(sizes["void deals"])],
            "dealers": [{"number": n, "seat": 1} for n in range(1, sizes["dealers"] + 1)],
            "seat_changes": [
                {"number": n, "before": order} for n in range(1, sizes["seat changes"] + 1)
            ],
            "corrections": [
                {"number": 1, "seat": 1, "points": 5} for _ in range(sizes["corrections"])
            ],
        },
        "log": [
            {"version": n, "at": later(n), "kind": "closed", "round": n % rounds + 1}
            for n in range(1, sizes["log"] + 1)
        ],
    }
    return {
        "format": "meldkeeper-group",
        "version": 1,
        "group": {"name": "Large"},
        "players": [{"name": name, "since": AT.isoformat()} for name in names],
        "rule_sets": {"r": to_dict(rules)},
        "games": [game],
    }


def later(minutes: int) -> str:
    return (AT + timedelta(minutes=minutes)).isoformat()


def round_of(number: int) -> dict[str, Any]:
    rows = [{"seat": seat, "penalty": 5 * seat} for seat in range(1, SEATS + 1)]
    return {"number": number, "closed_at": AT.isoformat(), "nobody_out": True, "rows": rows}


def sizes_of(way: str, share: float) -> dict[str, int]:
    """As large as that share of it in one way, or in all."""
    return {
        name: int(most * share) if way in (name, "all together") else 0
        for name, most in LARGE.items()
    }


def costs(app: Flask, document: dict[str, Any]) -> Counts:
    """How many calls each thing takes that is done with a document and its game."""
    counts: Counts = {}
    manager = browser_in(app, play_games(app, 0))
    sent = json.dumps(document).encode()

    def done(what: str, work: Callable[[], Any], *good: int) -> Any:
        limiter.reset()
        answers: list[Any] = []
        counts[what] = calls_of(lambda: answers.append(work()))
        (answer,) = answers
        if good:
            said = answer.get_data(as_text=True)
            assert answer.status_code in good, (what, answer.status_code, said[-3000:])
        return answer

    def bring_in(phone: FlaskClient, what: str, content: bytes) -> None:
        shown = done(
            f"preview {what}", lambda: phone.post("/data/import", **multipart(content)), 200
        )
        address = re.search(r'action="(/data/import/[^"]+)"', shown.get_data(as_text=True))
        assert address
        done(f"import {what}", lambda: phone.post(address[1]), 303)

    bring_in(manager, "", sent)
    token = {"Authorization": f"Bearer {token_for(manager, 'manage')}"}
    page = manager.get(f"/games/{KEY}").get_data(as_text=True)
    seats = [int(one) for one in re.findall(r'id="row-(\d+)"', page)]
    number = len(document["games"][0]["rounds"]) + 1
    for address in sorted(addresses(app, seats[0], number - 1)):
        headers = token if address.startswith("/api/") else {}
        answer = done(f"GET {address}", partial(manager.get, address, headers=headers))
        assert answer.status_code < 500, address
    of_game = f"/games/{KEY}"

    def post(what: str, data: dict[str, Any]) -> None:
        done(what, partial(manager.post, f"{of_game}{what}", data=data), 303)

    first = seats[0]
    post(f"/rounds/{number}/row", {"changed": f"{first}-met", f"{first}-met": "on"})
    post("/corrections", {"number": "1", "seat": str(first), "points": "25", "direction": "add"})
    post("/players", {"name": "Zoe", "score": "0", "contract": "1"})
    undo = re.search(
        r'action="([^"]+/undo)"', manager.get(f"{of_game}/activity").get_data(as_text=True)
    )
    assert undo
    done("undo", lambda: manager.post(undo[1]), 303)
    done("export", lambda: exported(manager))
    other = exported(manager)
    other["games"][0]["key"] = KEY[::-1]
    bring_in(browser_in(app, play_games(app, 0)), "again", json.dumps(other).encode())
    return counts


def addresses(app: Flask, seat: int, number: int) -> Iterator[str]:
    """Every address that answers GET and whose parts are known here."""
    known = {"key": KEY, "number": number, "seat": seat, "variant_id": "frustration-rummy"}
    for rule in app.url_map.iter_rules():
        kept = not rule.rule.startswith(("/static", "/metrics"))
        if kept and "GET" in (rule.methods or ()) and rule.arguments <= known.keys():
            yield re.sub(r"<(?:\w+(?:\([^)]*\))?:)?(\w+)>", lambda m: str(known[m[1]]), rule.rule)


@pytest.mark.parametrize("way", WAYS)
def test_twice_as_large_costs_at_most_twice_as_much(app: Flask, way: str):
    costs(app, document_of(sizes_of(way, 0.2)))  # what is made once is made now
    remove_game(app)
    found = []
    for share in (0, 0.5, 1):
        found.append(costs(app, document_of(sizes_of(way, share))))
        remove_game(app)
    none, half, full = found
    by_address = {re.sub(r"\d+", "N", what): count for what, count in none.items()}
    worse = {}
    for (what, much), less in zip(full.items(), half.values(), strict=True):
        least = min(less, by_address[re.sub(r"\d+", "N", what)])
        if much > 2.3 * less or much - less > 2.3 * (less - least) + SLACK:
            worse[what] = (least, less, much)
        if FULL:
            print(f"{way:14} {what:40} {least:9} {less:9} {much:9} {much / less:.2f}")
    assert not worse, worse


def remove_game(app: Flask) -> None:
    """So that the next group can have a game of that key."""
    with app.app_context(), meaning_to_write():
        db.session.execute(delete(StoredGame))
        db.session.commit()
