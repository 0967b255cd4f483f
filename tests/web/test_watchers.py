"""A device that can only watch leaves its group for a new one only where its page said so."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from app.extensions import db, limiter
from app.rules.rule_set_transfer import to_code
from app.rules.rule_sets import rule_set_by_id
from app.store.groups import Group
from app.web.infrastructure.access import LEFT_GROUP
from tests.test_routes import WHO, addresses
from tests.web.hostile import Fields, FormsOfPage
from tests.web.test_invites import joined, made_link, text
from tests.web_table import PlainGame, fields_of

Sent = tuple[str, Fields]


@pytest.fixture(autouse=True)
def _nobody_tried_before(app: Flask):
    with app.app_context():
        limiter.reset()


def pages(app: Flask, client: FlaskClient, key: str) -> Iterator[str]:
    """All pages that a device sees whose addresses name no game but that one, or nothing."""
    shared = to_code(rule_set_by_id("frustration"))
    asked = [("GET", f"/rules/custom/bring?r={shared}")]
    asked += [("GET", "/rules/custom/new?base=frustration")]
    for endpoint in WHO:
        asked += addresses(app, endpoint, key)
    for method, address in asked:
        if method == "GET":
            with client.get(address) as answer:
                yield text(answer) if answer.mimetype == "text/html" else ""


def forms(app: Flask, client: FlaskClient, key: str) -> list[Sent]:
    """The forms of all pages that a device sees, one of those alike."""
    found = [one for page in pages(app, client, key) for one in FormsOfPage(page).forms if one[0]]
    alike = {(where, *sorted({name for name, _ in fields})): fields for where, fields in found}
    return [(where, fields) for (where, *_names), fields in alike.items()]


def groups(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count(Group.id)))


def sends(app: Flask, client: FlaskClient, form: Sent) -> bool:
    """Send a form with its fields as they stand; did that make a group?"""
    before = groups(app)
    where, fields = form
    client.post(where, data={name: [v for n, v in fields if n == name] for name, _ in fields})
    return groups(app) > before


def test_no_request_of_a_watcher_makes_a_group_unless_its_page_said_so(app, a_running_game):
    """Whatever form is sent, also one that a page offered to another device, or before."""
    game = a_running_game
    watch = made_link(game, "watch")
    offered = forms(app, app.test_client(), game.key) + forms(app, game.client, game.key)
    making = {where for where, fields in offered if sends(app, app.test_client(), (where, fields))}
    assert making >= {"/games", "/rules/custom/new", "/rules/custom/keep", "/data"}
    for where, fields in offered:
        limiter.reset()
        assert not sends(app, joined(app, watch), (where, fields)), where


@pytest.mark.parametrize("role", ["watch", "score"])
@pytest.mark.parametrize("over", [False, True])
def test_no_page_offers_what_its_device_is_refused(app, a_running_game, role: str, over: bool):
    game = a_running_game
    if over:
        game.client.post(f"/games/{game.key}/stop", data={"result": "standings"})
    link = made_link(game, role)
    refused = set()
    for where, fields in forms(app, joined(app, link), game.key):
        if "request_key" not in dict(fields):  # what only asks
            continue
        limiter.reset()
        sent = {name: [value for n, value in fields if n == name] for name, _ in fields}
        if joined(app, link).post(where, data=sent).status_code in (401, 403):
            refused.add(where)
    assert refused == set()


def test_each_page_on_which_a_watcher_would_leave_the_group_says_so(app, a_running_game):
    game = a_running_game
    watcher = joined(app, made_link(game, "watch"))
    telling = 0
    for page in pages(app, watcher, game.key):
        told = re.findall(r"This device can only watch in <b>My group</b>, so .*? of its own", page)
        assert bool(told) == (LEFT_GROUP in page)
        telling += bool(told)
    assert telling == 4  # the choice of a game, the new game, a new rule set, one to import


def test_a_watcher_is_told_and_then_has_a_group_of_its_own(app, a_running_game):
    game = a_running_game
    game.client.post("/group/name", data={"name": "Family"})
    watcher = joined(app, made_link(game, "watch"))
    page = text(watcher.get("/games/new/frustration"))
    assert "Start in a new group" in page
    assert ">Ben<" not in page  # the players of the new group are new
    sent = fields_of(page, "new-game") | {"typed": "Ben, Zoe"}
    own = watcher.post("/games", data=sent).location
    assert watcher.get(own).status_code == 200
    assert game.client.get(own).status_code == 404
    again = app.test_client()
    assert "left_group" not in text(again.get("/games/new/frustration"))
    other = joined(app, made_link(game, "watch"))
    elsewhere = sent | {"left_group": str(int(sent["left_group"]) + 1)}
    assert other.post("/games", data=elsewhere).status_code == 403


def test_home_offers_a_new_game_to_who_can_score_and_to_who_is_in_no_group(app, a_running_game):
    game = a_running_game
    clients = {role: joined(app, made_link(game, role)) for role in ("watch", "score", "manage")}
    clients["none"] = app.test_client()
    homes = {role: text(client.get("/")) for role, client in clients.items()}
    assert {role for role, home in homes.items() if 'href="/games/new"' in home} == {
        "score", "manage", "none",
    }  # fmt: skip
    assert "This device can only watch" in homes["watch"]
    assert "This device can only watch" not in homes["score"] + homes["none"]


def test_a_watcher_of_a_group_without_games_is_offered_none_to_try(app):
    manager = app.test_client()
    manager.post("/data")
    page = text(manager.post("/group/invite", data={"role": "watch"}))
    code = re.search(r'class="code"[^>]*>([^<]+)<', page)[1]
    watcher = app.test_client()
    watcher.post("/join", data={"code": code})
    assert "Real cards" in text(watcher.get("/"))
    assert 'action="/games"' not in text(watcher.get("/"))


def test_who_only_watches_is_told_to_see_the_house_rules_and_not_to_change_them(app, client):
    rules = {"rule-last_contract": "2"}
    game = PlainGame.started(client, "frustration", "Anna Ben", **rules)
    watcher = joined(app, made_link(game, "watch"))
    assert "See and change them" in game.page
    watched = text(watcher.get(f"/games/{game.key}"))
    assert ">See them<" in watched
    assert "See and change them" not in watched
