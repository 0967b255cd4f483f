"""A device is removed from a group: by name, with a way back, and it is told so, nobody else."""

import re

import pytest
from flask import Flask

from app.extensions import db, limiter
from app.store.groups import Membership
from app.store.queries.access import devices_of
from tests.web.test_invites import joined, made_link, text
from tests.web_table import PlainGame


@pytest.fixture(autouse=True)
def _nobody_tried_before(app: Flask):
    with app.app_context():
        limiter.reset()


def put_out(game: PlainGame, name: str) -> str:
    """Remove the only other device, or the one of that name; answers what is said of it."""
    page = text(game.client.get("/group"))
    number = re.search(rf"<b>{name}</b>.*?/group/devices/(\d+)/put-out", page, re.DOTALL)[1]
    return game.client.post(f"/group/devices/{number}/put-out").location


@pytest.mark.parametrize("role", ["watch", "score", "manage"])
def test_a_removal_is_told_by_name_and_its_undo_gives_the_same_access_back(
    app, a_running_game, role
):
    game = a_running_game
    phone = joined(app, made_link(game, role))
    cleo = re.search(r'value="(\d+)"\s*>Cleo', text(phone.get("/group")))[1]
    phone.post("/group/me", data={"player": cleo, "device": "old iPhone"})
    before = text(phone.get("/group"))
    said = put_out(game, r"Cleo \(old iPhone\)")
    page = text(game.client.get(said))
    assert re.search(r"<b>Cleo \(old iPhone\)</b> was removed\.", page)
    undo = re.search(r'action="(/group/devices/\d+/restore)"', page)[1]
    assert phone.post(undo).status_code == 404
    assert phone.get(f"/games/{game.key}").status_code == 404
    back = game.client.post(undo)
    assert "<b>Cleo (old iPhone)</b> is back" in text(game.client.get(back.location))
    assert without_keys(text(phone.get("/group"))) == without_keys(before)
    assert phone.get(f"/games/{game.key}").status_code == 200
    assert game.client.get(said).location == "/group"
    assert game.client.post(undo).status_code == 303  # once more: nothing


def without_keys(page: str) -> str:
    return re.sub(r'(?:value|content)="[\w.-]{20,}"', "", page)


def test_undoing_a_removal_changes_nothing_for_a_device_that_came_in_again(app, a_running_game):
    game = a_running_game
    phone = joined(app, made_link(game, "manage"))
    said = put_out(game, "iPhone")
    undo = re.search(r'action="(/group/devices/\d+/restore)"', text(game.client.get(said)))[1]
    phone.post(made_link(game, "watch"))
    assert game.client.post(undo).status_code == 303
    assert "Can watch" in text(phone.get("/group"))
    assert phone.get("/group/invite").status_code == 403


def test_what_a_removed_device_made_stays_ended_when_it_is_restored(app, a_running_game):
    game = a_running_game
    phone = joined(app, made_link(game, "manage"))
    phone.post("/group/links/score")
    theirs = re.search(r"(/join/[\w-]+)", text(phone.get("/group/links/score")))[1]
    said = put_out(game, "iPhone")
    game.client.post(f"{said.removesuffix('/out')}/restore")
    assert phone.get("/group/invite").status_code == 200
    assert app.test_client().get(theirs).status_code == 410


def test_a_removed_device_and_it_alone_is_told_that_it_was_removed(app, a_running_game):
    game, removed = a_running_game, "This device was removed from the group"
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    link = made_link(game, "score")
    phone, leaver = joined(app, link), joined(app, link)
    leaver.post("/group/leave")
    put_out(game, "iPhone")
    for address in (f"/games/{game.key}", "/group", "/history"):
        answer = phone.get(address)
        assert answer.status_code == 404
        assert removed in text(answer)
        assert 'href="/join"' in text(answer)
        for asker in (app.test_client(), leaver):
            assert asker.get(address).status_code == 404
            assert removed not in text(asker.get(address))
    assert removed not in text(other.client.get(f"/games/{game.key}"))
    assert removed not in text(phone.get(f"/games/{other.key}"))
    phone.post(made_link(game, "watch"))
    assert phone.get(f"/games/{game.key}").status_code == 200
    assert removed not in text(phone.get(f"/games/{other.key}"))


def test_home_tells_a_removed_device_once_and_shows_another_group_of_its(app, a_running_game):
    game, told = a_running_game, "removed from the group <b>Family</b>"
    game.client.post("/group/name", data={"name": "Family"})
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    phone, single = app.test_client(), app.test_client()
    link = made_link(game, "score")
    phone.post(made_link(other, "watch"), headers={"User-Agent": "iPhone"})
    phone.post(link)
    single.post(link, headers={"User-Agent": "iPad"})
    single.get("/")
    assert "Anna" in text(phone.get("/"))
    said = put_out(game, "iPhone")
    put_out(game, "iPad")
    home = text(phone.get("/"))
    assert told in home
    assert "Xaver" in home
    assert "Xaver" in text(phone.get("/players"))
    assert told in text(single.get("/"))
    assert "Real cards" in text(single.get("/"))
    assert told not in text(game.client.get("/")) + text(app.test_client().get("/"))
    for client in (phone, single):
        assert client.post("/group/removal/dismiss").location == "/"
        assert told not in text(client.get("/"))
    game.client.post(f"{said.removesuffix('/out')}/restore")
    assert "Anna" in text(phone.get("/"))
    put_out(game, "iPhone")
    assert told in text(phone.get("/"))
    phone.post(link)
    assert told not in text(phone.get("/"))


def test_who_leaves_a_group_is_shown_another_one_of_theirs(app, a_running_game):
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    phone = joined(app, made_link(a_running_game, "score"))
    phone.post(made_link(other, "watch"))
    phone.post("/group/leave")
    home = text(phone.get("/"))
    assert "Anna" in home
    assert "removed from" not in home


def test_a_device_that_was_never_seen_is_listed_last(app, a_running_game):
    joined(app, made_link(a_running_game, "score"))
    with app.app_context():
        first = db.session.scalars(db.select(Membership).order_by(Membership.id)).first()
        first.seen_at = None
        db.session.commit()
        listed = devices_of(db.session(), first.group_id)
        assert [one.seen_at is None for one in listed] == [False, True]
