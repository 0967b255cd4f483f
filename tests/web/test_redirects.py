"""Addresses of version 1.0.0 still lead where they led; what is to be told goes along."""

import re
from urllib.parse import quote

import pytest
from flask import Flask

from tests.web.test_invites import joined, made_link
from tests.web_table import PlainGame


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/people", "/players"),
        ("/people/7?order=name", "/players/7?order=name"),
        ("/history/bin", "/history/deleted"),
        ("/rules/own", "/rules/custom"),
        ("/rules/own/bring?r=abc", "/rules/custom/bring?r=abc"),
        ("/group/let-in", "/group/invite"),
    ],
)
def test_an_old_address_leads_to_the_new_one(client, old: str, new: str):
    answer = client.get(old)
    assert (answer.status_code, answer.location) == (301, new)


def test_the_log_of_a_game_is_its_activity(a_running_game: PlainGame):
    answer = a_running_game.client.get(f"/games/{a_running_game.key}/log", follow_redirects=True)
    assert answer.status_code == 200
    assert answer.request.path.endswith("/activity")


@pytest.mark.parametrize("tail", ["\r\nSet-Cookie: a=b", "%é", " /x?y", "/../..//evil.test", "<b>"])
def test_an_old_address_with_any_characters_leads_to_the_new_one_with_the_same(client, tail: str):
    answer = client.get(f"/people/{quote(tail)}")
    assert (answer.status_code, answer.location) == (301, f"/players/{quote(tail)}")


def test_what_joining_has_to_tell_waits_for_a_page_that_is_seen(app, a_running_game: PlainGame):
    phone = joined(app, made_link(a_running_game, "score"))
    copy, seen, seen_again = (
        phone.get("/", headers=headers).get_data(as_text=True)
        for headers in ({"X-Copy": "yes"}, {}, {})
    )
    assert ["You joined" in page for page in (copy, seen, seen_again)] == [False, True, False]


def test_what_is_saved_of_a_phone_is_said_and_leads_back_to_where_it_came_from(a_running_game):
    phone, key = a_running_game.client, a_running_game.key
    mine = {"device": "Anna's phone", "player": ""}
    answer = phone.post("/group/me", data=mine)
    assert "Saved." in phone.get(answer.location).text
    assert "Saved." in phone.get(phone.post("/group/name", data={"name": "Us"}).location).text
    assert phone.post(f"/group/me?game={key}", data=mine).location == f"/games/{key}"
    assert f'href="/games/{key}"' in phone.get(f"/group?game={key}").text
    asked = ("/name", {"name": "Us"}), ("/milestones", {"told": "no"}), ("/links/watch", {})
    for address, fields in asked:
        answer = phone.post(f"/group{address}?game={key}", data=fields)
        assert answer.location.partition("?")[2].count(f"game={key}") == 1
    pages = ("", "/invite", "/links/watch", "/tokens")
    for page in (phone.get(f"/group{one}?game={key}").text for one in pages):
        main = page.split('id="main"')[1]
        ways = re.findall(r'(?:href|action)="(/group[^"]*)"', main)
        assert [one for one in ways if f"game={key}" not in one] == []
        assert ways or f'href="/games/{key}"' in main
    elsewhere = phone.post("/group/me?game=//evil.example/", data=mine)
    assert elsewhere.location.startswith("/group")


@pytest.mark.parametrize("taken_away_by", ["bin", "start/undo"])
def test_a_repeat_of_what_took_a_game_away_leads_home_whichever_group_is_looked_at(
    app: Flask, a_running_game: PlainGame, taken_away_by: str
):
    other = PlainGame.started(app.test_client(), "frustration", "Xaver Yves")
    assert other.client.post(made_link(a_running_game, "score")).status_code == 303
    sent = {"request_key": "of this request"}
    address = f"/games/{other.key}/{taken_away_by}"
    assert other.client.post(address, data=sent).status_code == 303
    repeated = other.client.post(address, data=sent)
    assert (repeated.status_code, repeated.location) == (303, "/")
    assert other.client.post(address, data={"request_key": "of another"}).status_code == 404
