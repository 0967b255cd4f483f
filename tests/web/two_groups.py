"""Groups in which everything happened that can: games, rulings, rule sets, phones, tokens."""

import json
import re
from dataclasses import dataclass

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.extensions import db
from app.rules.rule_sets import rule_set_by_id, to_dict
from app.store.games import StoredGame
from tests.web_table import PlainGame

ROLES = ("watch", "score", "manage")


@dataclass
class AGroup:
    """A group with a game in round 2, a game that is over, and a way in for everybody."""

    id: int
    manager: FlaskClient
    scorer: FlaskClient
    watcher: FlaskClient
    tokens: dict[str, str]
    games: list[str]
    seats: list[int]
    """Of the game in round 2."""


def a_group(app: Flask, names: str, mark: str) -> AGroup:
    """A group of its own, whose texts all bear the mark."""
    manager = app.test_client()
    first, second, third = names.split()
    game = PlainGame.started(manager, "aggravation-rummy", names)
    game.close(1, out=first, **{second: "15", third: "30"})
    drafts = game.sent(out=second, met=first, **{first: "10", third: "5"})
    drafts |= {f"{game.seats[third]}-met": "on", "title": mark}
    manager.post(f"/games/{game.key}/rounds/2/save", data=drafts)
    over = PlainGame.started(
        manager, "frustration", f"{first} {mark}2", **{"rule-last_contract": "1"}
    )
    over.close(1, out=first)
    manager.post(f"/games/{over.key}/share", data={"shared": "yes"})
    for key in (game.key, over.key):
        manager.post(f"/games/{key}/about", data={"title": mark, "note": f"{mark} note"})
    manager.post("/group/name", data={"name": mark})
    question = "ask=meld&kind=set&m=5H+5D+5C"
    ruled = {"question": question, "decided": mark, "reason": mark}
    manager.post(f"/games/{game.key}/rulings", data=ruled)
    manager.post("/rules/custom/keep", data={"document": _own_rules(mark)})
    scorer, watcher = app.test_client(), app.test_client()
    for client, role in ((scorer, "score"), (watcher, "watch")):
        page = manager.post("/group/invite", data={"role": role}).get_data(as_text=True)
        code = re.search(r'class="code"[^>]*>([^<]+)<', page)
        assert code
        assert client.post("/join", data={"code": code[1]}).status_code == 303
        client.post("/group/me", data={"device": mark})
    tokens = {role: _token(manager, role, mark) for role in ROLES}
    with app.app_context():
        group = db.session.scalars(
            select(StoredGame.group_id).where(StoredGame.key == game.key)
        ).one()
    games = [game.key, over.key]
    return AGroup(group, manager, scorer, watcher, tokens, games, [*game.seats.values()])


def _token(manager: FlaskClient, role: str, name: str) -> str:
    answer = manager.post("/group/tokens", data={"role": role, "name": name})
    secret = re.search(r'value="([\w-]{43})"', answer.get_data(as_text=True))
    assert secret
    return secret[1]


def _own_rules(mark: str) -> str:
    return json.dumps({**to_dict(rule_set_by_id("frustration")), "name": mark})
