"""An invite that is opened by a device of its group, or of another."""

import re

from tests.web.test_invites import joined, made_link, text
from tests.web_table import PlainGame


def test_who_is_in_already_is_led_on_unless_a_link_lets_them_do_more(app, a_running_game):
    more, less = made_link(a_running_game, "score"), made_link(a_running_game, "watch")
    phone = joined(app, less)
    assert "You’re invited" in text(phone.get(more))
    for member, link in ((phone, less), (a_running_game.client, more)):
        page = text(member.get(link))
        assert "You’re in already." in page
        assert f'href="/games/{a_running_game.key}">Go to the game' in page
        assert "You’re invited" not in page
    a_running_game.client.post(f"/games/{a_running_game.key}/stop", data={"result": "yes"})
    assert 'href="/">Go to Home' in text(phone.get(less))
    other = app.test_client()
    PlainGame.started(other, "frustration", "Zoe Yan")
    assert "You’re invited" in text(other.get(less))


def test_who_invites_is_told_of_a_phone_that_was_known_in_another_group_before(app, client):
    phone = app.test_client()
    PlainGame.started(phone, "frustration", "Zoe Yan")
    game = PlainGame.started(client, "frustration", "Anna Ben")
    page = text(client.post("/group/invite", data={"role": "score"}))
    code = re.search(r'class="code"[^>]*>([^<]+)<', page)[1]
    asks, shows = re.search(r'data-live="([^"]+)" data-version="(\d+)"', page).groups()
    assert phone.post("/join", data={"code": code}).location == f"/games/{game.key}"
    assert " joined" in text(client.get(f"{asks}&v={shows}"))


def test_the_app_on_a_home_screen_joins_by_a_code_that_its_own_device_shows(app, a_running_game):
    host, group = a_running_game.client, text(a_running_game.client.get("/group"))
    assert "Show a code for the app" in group
    assert re.search(r'name="own" value="yes">\s*<button[^>]* name="role" value="score">', group)
    for role, may_invite in (("score", 403), ("manage", 200)):
        page = text(host.post("/group/invite", data={"role": role, "own": "yes"}))
        assert ('name="role" value="manage"' in page) == (role == "score")  # a tap away
        code = re.search(r'id="own-code" readonly value="(\w{6})"', page)[1]
        assert 'class="qr"' in page
        installed = app.test_client()
        to_game = f"/games/{a_running_game.key}"
        assert installed.post("/join", data={"code": code}).location == to_game
        assert installed.get("/group/invite").status_code == may_invite
