"""The check for changes: nothing where nothing is new, and never more than the view would say."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from app.extensions import db
from app.store.engine import meaning_to_write
from app.store.games import StoredGame
from app.store.groups import Membership
from app.web.infrastructure.assets import assets_version
from app.web.infrastructure.logs import OTHER_METHOD, AnsweredRequest, observe
from tests.conftest import ON_SQLITE
from tests.web.test_history import text
from tests.web.test_players import ids
from tests.web_table import PlainGame


def asked(client, key: str, seen: object):
    return client.get(f"/games/{key}/live?v={seen}", headers={"HX-Request": "true"})


def version_of(game) -> int:
    with game.client.application.app_context():
        return db.session.scalar(select(StoredGame.version).where(StoredGame.key == game.key))


def test_an_unchanged_game_is_answered_with_nothing_but_the_apps_version(a_running_game):
    answer = asked(a_running_game.client, a_running_game.key, version_of(a_running_game))
    assert answer.status_code == 204
    assert answer.get_data() == b""
    assert answer.headers["X-Version"] == assets_version()


def test_a_changed_game_is_answered_with_how_it_is_now(a_running_game):
    before = version_of(a_running_game)
    a_running_game.close(2, out="Anna", Ben="15", Cleo="20")
    answer = asked(a_running_game.client, a_running_game.key, before)
    assert answer.status_code == 200
    assert "Round 3" in answer.get_data(as_text=True)


def test_who_is_called_otherwise_is_so_on_all_phones_at_once_and_the_game_goes_on(a_running_game):
    client, key = a_running_game.client, a_running_game.key
    PlainGame.started(client, "frustration", "Zoe Yan")
    player = ids(client)
    anna, zoe = (f"/players/{player[name]}" for name in ("Anna", "Zoe"))
    for address, sent, shown in (
        (f"{anna}/name", {"name": "Annika"}, ">Annika<"),
        (f"{anna}/merge", {"into": player["Zoe"]}, ">Zoe<"),
        (f"{anna}/separate", {}, ">Annika<"),
    ):
        before = version_of(a_running_game)
        assert shown not in asked(client, key, 0).get_data(as_text=True)
        assert client.post(address, data=sent).status_code == 303
        answer = asked(client, key, before)
        assert (answer.status_code, shown in answer.get_data(as_text=True)) == (200, True)
        assert asked(client, key, version_of(a_running_game)).status_code == 204
    client.post(f"{zoe}/name", data={"name": "Zoé"})
    assert asked(client, key, version_of(a_running_game)).status_code == 204
    tap = {"changed": f"{a_running_game.seats['Ben']}-typed", "seen": str(before)}
    row = {f"{a_running_game.seats['Ben']}-typed": "15"}
    assert client.post(f"/games/{key}/rounds/2/row", data=tap | row).status_code == 303
    a_running_game.close(2, out="Anna", Ben="15", Cleo="20")
    assert "Round 3" in asked(client, key, before).get_data(as_text=True)
    log = text(client.get(f"/games/{key}/activity"))
    assert "Anna is now called Annika" in log
    assert "Zoe is now called Annika" in log


@ON_SQLITE
@pytest.mark.parametrize("seen", ["", "x", "-1", "99999999999999999999"])
def test_who_asks_without_a_version_of_the_game_is_shown_the_game_or_refused(a_running_game, seen):
    answer = asked(a_running_game.client, a_running_game.key, seen)
    assert answer.status_code in (200, 400, 404)


@ON_SQLITE
def test_a_stranger_is_told_nothing_whether_or_not_the_version_is_right(app, a_running_game):
    seen = version_of(a_running_game)
    stranger = app.test_client()
    assert asked(stranger, a_running_game.key, seen).status_code == 404
    stranger.post("/games", data={"variant": "frustration", "player": ["Zoe", "Yan"]})
    assert asked(stranger, a_running_game.key, seen).status_code == 404


def test_a_phone_that_was_not_seen_lately_is_noted_though_nothing_changed(app, a_running_game):
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    with app.app_context(), meaning_to_write():
        for one in db.session.query(Membership):
            one.seen_at = long_ago
        db.session.commit()
    seen = version_of(a_running_game)
    assert asked(a_running_game.client, a_running_game.key, seen).status_code == 204
    with app.app_context():
        assert max(one.seen_at for one in db.session.query(Membership)) > long_ago


def test_a_game_is_shown_as_a_restored_copy_has_it_and_is_played_on_from_there(
    app, a_running_game, tmp_path
):
    if not app.config["SQLALCHEMY_DATABASE_URI"].startswith("sqlite"):
        pytest.skip("PostgreSQL has its own tools")
    copied = tmp_path / "copy.sqlite"
    backup, restore = (app.cli.commands[name] for name in ("backup", "restore"))
    assert app.test_cli_runner().invoke(backup, [str(copied)]).exit_code == 0
    a_running_game.close(2, out="Anna", Ben="15", Cleo="20")
    assert "Round 3" in a_running_game.page
    assert app.test_cli_runner().invoke(restore, [str(copied)]).exit_code == 0
    a_running_game.close(2, out="Ben", Anna="35", Cleo="20")
    seat = a_running_game.seats["Anna"]
    edited = a_running_game.client.get(f"/games/{a_running_game.key}/rounds/2")
    assert f'id="typed-{seat}" name="{seat}-typed" value="35"' in edited.get_data(as_text=True)
    standings = re.search(rf'id="row-{seat}".*?class="score">([^<]+)<', a_running_game.page, re.S)
    assert int(standings[1].replace("−", "-")) > 0


@ON_SQLITE
def test_a_check_that_finds_nothing_new_is_told_to_the_log_and_the_measurements(a_running_game):
    told: list[AnsweredRequest] = []
    app, seen = a_running_game.client.application, version_of(a_running_game)
    observe(app, told.append)
    try:
        for _ in range(20):
            assert asked(a_running_game.client, a_running_game.key, seen).status_code == 204
    finally:
        app.extensions["meldkeeper_observers"].remove(told.append)
    assert [(one.address_pattern, one.status) for one in told] == [("/games/<key>/live", 204)] * 20


@ON_SQLITE
def test_invented_methods_are_counted_as_one(a_running_game):
    told: list[AnsweredRequest] = []
    app = a_running_game.client.application
    observe(app, told.append)
    try:
        for invented in ("FOO", "BAR", "QUERY", "PROPFIND"):
            a_running_game.client.open("/history", method=invented)
    finally:
        app.extensions["meldkeeper_observers"].remove(told.append)
    assert [(one.method, one.status) for one in told] == [(OTHER_METHOD, 405)] * 4


@pytest.mark.postgresql
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_whoever_asks_over_a_connection_that_was_lost_is_answered(app, postgres, a_running_game):
    client, key, seen = a_running_game.client, a_running_game.key, version_of(a_running_game)
    field = f"{a_running_game.seats['Ben']}-typed"
    tap = {"changed": field, field: "5"}
    for status, ask in {
        204: lambda: asked(client, key, seen),
        200: lambda: client.get(f"/games/{key}"),
        303: lambda: client.post(f"/games/{key}/rounds/2/row", data=tap),
    }.items():
        for _ in range(2):
            assert ask().status_code == status
            postgres.end_others("under_test")
