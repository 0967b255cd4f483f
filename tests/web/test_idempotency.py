"""A request that is sent again with its idempotency key is carried out once, at every door."""

import io
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.actions.groups import JoiningBrowser, Role, admit
from app.actions.requests import LONGEST_KEY
from app.extensions import db
from app.rules.rule_sets import rule_set_by_id, to_dict
from app.store.base import Base
from app.store.engine import meaning_to_write
from app.store.groups import IdempotencyKey
from tests.actions.table import NOON
from tests.conftest import ON_SQLITE
from tests.web.test_interface import token_for
from tests.web.test_invites import shown_code
from tests.web.test_own_rule_sets import form_of
from tests.web_table import PlainGame, fields_of

OWN_PHONE = "sets something of this phone alone, and a repeat sets the same"
COMES_IN = "a phone that is in stays in; who is not in yet is nobody whose key could be known"
CODE = "a repeat ends the code that nobody saw and shows a new one; only a hash of it is kept"

WITHOUT_A_KEY = {
    "games.claim_player": OWN_PHONE,
    "groups.edit_device": OWN_PHONE,
    "groups.switch_group": OWN_PHONE,
    "groups.dismiss_way_back": OWN_PHONE,
    "groups.leave": "a phone that left is out: a repeat is answered as anybody's who is not in",
    "groups.show_code": CODE,
    "groups.end_code": "names one code of this phone; one that is over stays over",
    "invites.join_by_code": COMES_IN,
    "invites.join_by_link": COMES_IN,
    "data.begin": "a phone that is in a group stays in it",
    "groups.set_up": "a phone that is in a group stays in it",
    "data.preview": "keeps a file for a day until somebody says yes, and that takes a key",
    "groups.dismiss_removals": "sets a cookie",
    "language.choose": "sets a cookie",
    "faq.skip_tour": "sets a cookie",
}
"""The changes that take no key, and what a repeat of such a request meets."""


def changing(app: Flask) -> set[str]:
    """The endpoints that change something."""
    return {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.methods & {"POST", "PUT", "DELETE", "PATCH"}
        and not hasattr(app.view_functions[rule.endpoint], "changes_nothing")
    }


@dataclass
class World:
    """A running group: its game is in round 2, two phones manage it, and a program has a token."""

    app: Flask
    client: FlaskClient
    game: PlainGame
    token: str

    def send(self, step: "Step", key: str) -> TestResponse:
        """Send a step's request with that key, through the door that it is for."""
        if step.endpoint.startswith("api_"):
            headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key}
            address = f"/api/v1{step.address}"
            return self.client.open(address, method=step.method, headers=headers, json=step.sent)
        return self.client.post(step.address, data={**step.sent, "request_key": key})

    def content(self) -> dict[str, list[Any]]:
        """All that is kept, but for when a phone was seen; PostgreSQL has rows in any order."""
        with self.app.app_context():
            return {
                table.name: sorted((tuple(row) for row in db.session.execute(kept)), key=repr)
                for table in Base.metadata.sorted_tables
                for kept in [select(*(one for one in table.columns if one.name != "seen_at"))]
            }

    def first(self, question: str) -> Any:
        """The one value that a query finds."""
        with self.app.app_context():
            return db.session.connection().exec_driver_sql(question).scalar()


@dataclass
class Step:
    """A request that changes something; a program's has a method."""

    endpoint: str
    address: str
    sent: dict[str, Any]
    method: str = "POST"


@pytest.fixture
def world(app: Flask, a_running_game: PlainGame) -> World:
    client = a_running_game.client
    with app.app_context(), meaning_to_write():
        admit(db.session(), JoiningBrowser("Another phone"), 1, Role.MANAGE, NOON)
        db.session.commit()
    return World(app, client, a_running_game, token_for(client, "manage"))


def steps(world: World) -> Iterator[Step]:
    """A request for each endpoint that takes a key; each is good when its turn comes."""
    game, client = world.game, world.client
    at, seats = f"/games/{game.key}", game.seats
    anna, ben, cleo = seats["Anna"], seats["Ben"], seats["Cleo"]
    tap = {"changed": f"{ben}-typed", f"{ben}-typed": "65"}
    rows = [{"seat": anna, "went_out": True}, {"seat": ben, "points": "70"}]
    rows.append({"seat": cleo, "points": "75"})
    yield Step("rounds.take_tap", f"{at}/rounds/2/row", tap)
    yield Step("rounds.save", f"{at}/rounds/2/save", game.sent(Cleo="25"))
    yield Step("rounds.end_round", f"{at}/rounds/2/close", game.sent(out="Anna"))
    yield Step("rounds.reopen_round", f"{at}/rounds/2/undo", {})
    mended = fields_of(client.get(f"{at}/rounds/1").get_data(as_text=True), "round")
    yield Step("rounds.edit_round", f"{at}/rounds/1", {**mended, f"{cleo}-typed": "35"})
    yield Step("api_games.set_row", f"{at}/rounds/2/rows/{cleo}", {"points": "20"}, "PUT")
    yield Step("api_games.end_round", f"{at}/rounds/2/close", {"rows": rows})
    rows[1]["points"] = "80"
    yield Step("api_games.edit_round", f"{at}/rounds/2", {"rows": rows}, "PUT")
    yield Step("api_games.reopen_round", f"{at}/rounds/2/undo", {})
    wrong = {"round": 1, "seat": ben, "points": 25, "reason": "Wrong lay-down"}
    yield Step("api_games.correct_score", f"{at}/corrections", wrong)
    yield Step("api_games.remove_correction", f"{at}/corrections", wrong, "DELETE")
    sent = {"number": "1", "seat": str(ben), "points": "25", "direction": "take_off"}
    yield Step("corrections.correct_score", f"{at}/corrections", sent)
    sent = {"number": "1", "seat": str(ben), "points": "-25", "reason": ""}
    yield Step("corrections.remove_correction", f"{at}/corrections/remove", sent)
    yield Step("rounds.note_round", f"{at}/rounds/1/note", {"note": "The famous misdeal"})
    yield Step("api_games.note_round", f"{at}/rounds/1/note", {"note": "It was fun"}, "PUT")
    yield Step("groups.switch_milestones", "/group/milestones", {"told": "no"})
    yield Step("evenings.mark", f"{at}/evening", {"mark": "begins"})
    evening = f"/evenings/{game.key}/seasons"
    yield Step("evenings.leave_out", evening, {"left_out": game.key})
    yield Step("api_statistics.leave_out", evening, {"left_out": []}, "PUT")
    season = {"name": "Winter", "since": "2026-01-01", "evenings": "2", "measure": "wins"}
    yield Step("seasons.make", "/seasons/new", {**season, "place_points": "3, 1"})
    key = world.first("SELECT key FROM seasons")
    yield Step("seasons.change", f"/seasons/{key}/edit", {**season, "place_points": "2, 1"})
    yield Step("seasons.leave_out", f"/seasons/{key}/leave-out", {"evening": game.key})
    yield Step("seasons.settle", f"/seasons/{key}/settle", {"anew": "yes"})
    yield Step("seasons.remove", f"/seasons/{key}/remove", {})
    yield Step("api_statistics.mark", f"{at}/evening", {"mark": "joins"}, "PUT")
    by_program = {"name": "Spring", "since": "2026-03-01", "evenings": 2}
    yield Step("api_statistics.make_season", "/seasons", by_program)
    at_season = f"/seasons/{world.first('SELECT key FROM seasons')}"
    by_program["evenings"] = 3
    yield Step("api_statistics.change_season", at_season, by_program, "PUT")
    yield Step("api_statistics.settle_season", f"{at_season}/settle", {"decide_anew": True})
    yield Step("api_statistics.remove_season", at_season, {}, "DELETE")
    player = world.first("SELECT max(id) FROM players")
    mark = {"color": "5", "shape": "3", "sign": "AB"}
    yield Step("players.change_mark", f"/players/{player}/mark", mark)
    other = f"/games/{PlainGame.started(world.client, 'frustration', 'Anna Ben').key}"
    changed = {"field": "wild_limit", "switch": "none", "number": "1"}
    yield Step("rulings.change_house_rule", f"{other}/house-rules", changed)
    yield Step("corrections.keep_points", f"{other}/corrections/keep/1", {"keep": "yes"})
    yield Step("api_games.keep_points", f"{other}/rounds/1/points", {"keep": False}, "PUT")
    yield Step("api_games.void_round", f"{at}/rounds/2/void", {"reason": "misdeal"})
    yield Step("dealing.void_deal", f"{at}/dealing/2/void", {"passed_on": "yes"})
    yield Step("api_games.choose_dealer", f"{at}/rounds/2/dealer", {"seat": anna}, "PUT")
    yield Step("dealing.choose_dealer", f"{at}/dealing/2/dealer", {"seat": ben, "once": "yes"})
    order = {"order": [ben, anna, cleo]}
    yield Step("api_games.change_seats", f"{at}/rounds/2/seats", order, "PUT")
    yield Step("dealing.change_seats", f"{at}/dealing/2/seats", {"player": ["Cleo", "Ben", "Anna"]})
    yield Step("api_games.stop", f"{at}/stop", {"result": True})
    yield Step("api_games.reopen", f"{at}/reopen", {})
    yield Step("games.stop", f"{at}/stop", {"result": "no"})
    yield Step("games.play_on", f"{at}/reopen", {})
    yield Step("api_games.join", f"{at}/players", {"name": "Dora", "score": 0})
    dora = world.first("SELECT max(id) FROM seats")
    yield Step("api_games.stand_in", f"{at}/players/{dora}", {"name": "Finn"}, "PUT")
    yield Step("games.stand_in", f"{at}/players/{dora}/stand-in", {"name": "Dora"})
    sent = {"name": "Dana", "instead_of": "Dora"}
    yield Step("corrections.correct_holder", f"{at}/corrections/seat/{dora}", sent)
    holder = f"{at}/players/{dora}/holder"
    yield Step("api_games.correct_holder_of", holder, {"name": "Dora"}, "PUT")
    yield Step("api_games.leave", f"{at}/players/{dora}", {}, "DELETE")
    yield Step("games.join", f"{at}/players", {"name": "Emil", "score": 0})
    yield Step("games.leave", f"{at}/players/{world.first('SELECT max(id) FROM seats')}/leave", {})
    undo = f"{at}/activity/{world.first('SELECT max(version) FROM log')}/undo"
    yield Step("activity.undo", undo, {})
    asked = "ask=contract&contract=2&m=3H+2D+2C+2S&m=9H+9D+9C&variant=aggravation-rummy"
    ruled = {"question": asked, "decided": "It counts."}
    yield Step("checker.record_ruling", f"{at}/rulings", ruled)
    ruling = f"{at}/rulings/{world.first('SELECT max(id) FROM recorded_rulings')}"
    seen = {"decided_seen": "It counts.", "reason_seen": ""}
    yield Step("rulings.edit", ruling, {"decided": "It does not.", **seen})
    said = {"decided": "It counts.", "seen": {"decided": "It does not.", "reason": ""}}
    yield Step("api_rulings.edit_ruling", ruling, said, "PUT")
    yield Step("api_rulings.remove_ruling", ruling, {}, "DELETE")
    client.post(f"{at}/activity/{world.first('SELECT max(version) FROM log')}/undo")
    yield Step("rulings.remove", f"{ruling}/remove", {})
    yield Step("history.describe", f"{at}/about", {"title": "A long evening"})
    yield Step("history.archive", f"{at}/archive", {"archived": "yes"})
    yield Step("history.share", f"{at}/share", {"shared": "no"})
    yield Step("games.rematch", f"{at}/rematch", {})
    again = f"/games/{world.first('SELECT key FROM games ORDER BY id DESC')}"
    yield Step("games.undo_start", f"{again}/start/undo", {})
    yield Step("history.delete", f"{at}/bin", {})
    yield Step("history.restore", f"/history/deleted/{game.key}", {})
    yield Step("games.start", "/games", {"variant": "frustration", "player": ["Fay", "Gus"]})
    yield Step("api_games.start", "/games", {"rule_set": "frustration", "players": ["Hal", "Ida"]})
    yield Step("games.keep_rules", "/games/new/frustration/rules", {"rule-last_contract": "3"})
    yield from rule_set_steps(world)
    yield from group_steps(world)


def rule_set_steps(world: World) -> Iterator[Step]:
    form, document = form_of("frustration"), to_dict(rule_set_by_id("frustration"))
    yield Step("rulesets.make", "/rules/custom/new", {**form, "name": "Ours"})
    own = world.first("SELECT key FROM rule_sets WHERE name = 'Ours'")
    yield Step("rulesets.save", f"/rules/custom/{own}/change", {**form, "name": "New", "seen": "1"})
    yield Step("rulesets.remove", f"/rules/custom/{own}/remove", {})
    yield Step("rulesets.restore", f"/rules/custom/{own}/bring-back", {})
    shown = world.client.get(f"/rules/custom/{own}/file.json").get_data(as_text=True)
    yield Step("rulesets.save_import", "/rules/custom/keep", {"document": shown})
    kept = {"document": document}
    yield Step("api_rule_sets.keep_rule_set", "/rule-sets", kept)
    change = {**kept, "seen": 2}
    yield Step("api_rule_sets.change_rule_set", f"/rule-sets/{own}", change, "PUT")
    yield Step("api_rule_sets.remove_rule_set", f"/rule-sets/{own}", {}, "DELETE")


def group_steps(world: World) -> Iterator[Step]:
    fay = world.first("SELECT id FROM players WHERE name = 'Fay'")
    ida = world.first("SELECT id FROM players WHERE name = 'Ida'")
    yield Step("players.add", "/players", {"name": "Gus"})
    yield Step("players.rename", f"/players/{fay}/name", {"name": "Faye"})
    yield Step("players.archive", f"/players/{fay}/archive", {"archived": "yes"})
    yield Step("players.merge", f"/players/{fay}/merge", {"into": str(ida)})
    yield Step("players.separate", f"/players/{fay}/separate", {})
    yield Step("groups.rename", "/group/name", {"name": "Thursday"})
    yield Step("groups.replace_link", "/group/links/watch", {})
    other = world.first("SELECT max(id) FROM devices")
    out = f"/group/devices/{other}"
    yield Step("groups.change_role", f"{out}/role", {"role": "score"})
    yield Step("groups.remove_device", f"{out}/put-out", {})
    yield Step("groups.remove_invitees", f"{out}/put-out-let-in", {})
    yield Step("groups.replace_group_links", f"{out}/replace-links", {})
    yield Step("groups.undo_removal", f"{out}/restore", {})
    yield Step("tokens.make", "/group/tokens", {"name": "Wall", "role": "watch"})
    wall = world.first("SELECT max(id) FROM tokens")
    yield Step("tokens.revoke", f"/group/tokens/{wall}/revoke", {})
    paper = b"date,rule set,player,place,score\n2025-12-31,Frustration Rummy,Anna,1,\n"
    paper += b"2025-12-31,Frustration Rummy,Ben,2,\n"
    looked = world.client.post("/data/import", data={"file": (io.BytesIO(paper), "old.csv")})
    found = re.search(r'action="(/data/import/[^"]+)"', looked.get_data(as_text=True))
    assert found, looked.get_data(as_text=True)
    yield Step("data.import_file", found[1], {})
    seats = {"p0-player": "Anna", "p0-place": "1", "p1-player": "Ben", "p1-place": "2"}
    typed = {"date": "2025-12-30", "rules": "Frustration Rummy", **seats}
    yield Step("past_games.add", "/data/past-game", typed)
    past = world.first("SELECT key FROM games WHERE on_paper ORDER BY id DESC")
    edited = typed | {"p0-player": "Cleo"}
    yield Step("past_games.save", f"/data/past-game/{past}", edited)


@ON_SQLITE
def test_every_request_that_takes_a_key_is_done_once_and_its_key_is_good_for_no_other(
    world: World,
):
    walked = []
    for step in steps(world):
        key = f"for {step.endpoint}"
        gone = step.endpoint in {"history.delete", "games.undo_start"}  # leads to the start
        done = world.send(step, key)
        assert done.status_code < 400, (step, done.get_data(as_text=True))
        kept = world.content()
        assert key in [sent for _sender, sent, *_more in kept["idempotency_keys"]], step
        repeat = world.send(step, key)
        assert repeat.status_code == done.status_code, (step, repeat.get_data(as_text=True))
        if step.endpoint == "seasons.leave_out":  # what counts already is not told anew
            assert done.location.startswith(repeat.location), step
        elif not gone:
            assert repeat.location == done.location, step
        another = world.send(replace(step, address=f"{step.address}?other=1"), key)
        assert another.status_code == (404 if gone else 422), (step, another.get_data(as_text=True))
        if another.is_json:
            assert another.json["faults"][0]["code"] == "key_reused"
        elif not gone:
            assert "already saved with other values" in another.get_data(as_text=True)
        assert world.content() == kept, step
        walked.append(step.endpoint)
    assert changing(world.app) - set(walked) == WITHOUT_A_KEY.keys()
    assert len(set(walked)) == len(walked)


@ON_SQLITE
@pytest.mark.parametrize("key", ["", "k" * (LONGEST_KEY + 1), "a\tb", "clé", "\x7f"])
def test_a_key_that_is_none_is_refused_before_anything_is_done(world: World, key: str):
    before = world.content()
    joining = f"/games/{world.game.key}/players"
    by_form = world.send(Step("games.join", joining, {"name": "Dora", "score": 0}), key)
    assert by_form.status_code == 400
    as_header = key.encode().decode("latin-1")
    told = world.send(Step("api_games.join", joining, {"name": "Dora", "score": 0}), as_header)
    assert told.status_code == 400
    assert str(LONGEST_KEY) in told.json["errors"]["headers"]["Idempotency-Key"][0]
    assert world.content() == before


def test_keys_that_differ_in_their_last_character_alone_are_two(world: World):
    joining = f"/games/{world.game.key}/players"
    for door in ("games.join", "api_games.join"):
        for last in "ab":
            step = Step(door, joining, {"name": f"{door[:3]}{last}", "score": 0})
            assert world.send(step, "k" * (LONGEST_KEY - 1) + last).status_code < 400
    assert world.first("SELECT count(*) FROM seats") == 7


def made_by(answer: TestResponse) -> str:
    """The key of the game or rule set that a request made."""
    if not answer.is_json:
        return str(answer.location)
    return str(answer.json.get("key") or answer.json["id"])


def test_a_key_of_one_group_neither_blocks_nor_reveals_anything_to_another(app: Flask):
    doors = []
    for name in ("Anna", "Xaver"):
        client = app.test_client()
        game = PlainGame.started(client, "frustration", f"{name} Ben", request_key="the same")
        doors.append(World(app, client, game, token_for(client, "manage")))
    assert doors[0].game.key != doors[1].game.key
    kept = {"document": to_dict(rule_set_by_id("frustration"))}
    makes = [
        Step("games.start", "/games", {"variant": "frustration", "player": ["Una", "Vic"]}),
        Step("api_games.start", "/games", {"rule_set": "frustration", "players": ["Una", "Vic"]}),
        Step("rulesets.make", "/rules/custom/new", form_of("frustration")),
        Step("api_rule_sets.keep_rule_set", "/rule-sets", kept),
    ]
    for step in makes:
        key = f"a key for {step.endpoint}"
        answers = [world.send(step, key) for world in doors]
        assert {one.status_code for one in answers} <= {201, 303}
        assert len({made_by(one) for one in answers}) == 2
        assert [made_by(world.send(step, key)) for world in doors] == [*map(made_by, answers)]
    for world in doors:
        close = Step("rounds.end_round", f"/games/{world.game.key}/rounds/1/close", {})
        close.sent = world.game.sent(out="Ben")
        assert world.send(close, "closing").status_code == 303
        assert "/rounds/2/close" in world.game.page


@ON_SQLITE
def test_what_was_refused_is_not_remembered_and_may_be_mended_with_the_same_key(world: World):
    joining = f"/games/{world.game.key}/players"
    for door, name in (("games.join", "Dora"), ("api_games.join", "Emil")):
        assert (
            world.send(Step(door, joining, {"name": "Anna", "score": 0}), door).status_code == 422
        )
        assert world.send(Step(door, joining, {"name": name, "score": 0}), door).status_code < 400
        assert (
            world.send(Step(door, joining, {"name": "Anna", "score": 0}), door).status_code == 422
        )
    assert world.first("SELECT count(*) FROM seats") == 5


def test_a_tap_that_was_refused_may_be_mended_with_its_key_though_its_text_is_kept(world: World):
    typed = f"{world.game.seats['Ben']}-typed"
    address, htmx = f"/games/{world.game.key}/rounds/2/row", {"HX-Request": "true"}
    for text, status in (("5 and 10", 422), ("5+10", 200), ("5+10", 200), ("5+15", 422)):
        tap = {"changed": typed, typed: text, "request_key": "tap"}
        assert world.client.post(address, data=tap, headers=htmx).status_code == status
    assert f'name="{typed}" value="5+10"' in world.game.page


@ON_SQLITE
def test_a_repeat_with_its_values_in_another_order_is_the_same_request(world: World):
    headers = {"Authorization": f"Bearer {world.token}", "Idempotency-Key": "one"}
    headers["Content-Type"] = "application/json"
    address = f"/api/v1/games/{world.game.key}/players"
    for body in ('{"name": "Dora", "score": 5}', ' {"score":5,"name":"Dora"}'):
        assert world.client.post(address, headers=headers, data=body).status_code == 201


@ON_SQLITE
def test_a_tap_that_is_sent_again_late_and_from_a_newer_page_is_the_same_request(world: World):
    ben = world.game.seats["Ben"]
    tap = {"changed": f"{ben}-met", f"{ben}-met": "on", "request_key": "tap", "seen": "5"}
    address, htmx = f"/games/{world.game.key}/rounds/2/row", {"HX-Request": "true"}
    assert world.client.post(address, data={**tap, "shows": "6"}, headers=htmx).status_code == 200
    kept = world.content()
    again = {**tap, "late": "1", "shows": "7", "order": "standing", "warned": "points-2"}
    assert world.client.post(address, data=again, headers=htmx).status_code == 200
    assert world.content() == kept


@ON_SQLITE
def test_what_one_request_undid_is_not_done_again_by_a_repeat_of_another(world: World):
    """A repeat changes nothing even where the state would allow it again."""
    at = f"/games/{world.game.key}"
    steps = [
        Step(
            "rounds.end_round",
            f"{at}/rounds/2/close",
            world.game.sent(out="Anna", Ben="5", Cleo="5"),
        ),
        Step("rounds.reopen_round", f"{at}/rounds/2/undo", {}),
        Step("history.archive", f"{at}/archive", {"archived": "yes"}),
        Step("history.archive", f"{at}/archive", {"archived": "no"}),
        Step("history.delete", f"{at}/bin", {}),
        Step("history.restore", f"/history/deleted/{world.game.key}", {}),
        Step("groups.rename", "/group/name", {"name": "One"}),
        Step("groups.rename", "/group/name", {"name": "Other"}),
    ]
    done = [world.send(step, f"key {place}").status_code for place, step in enumerate(steps)]
    kept = world.content()
    assert [
        world.send(step, f"key {place}").status_code for place, step in enumerate(steps)
    ] == done
    assert max(done) < 400
    assert world.content() == kept


def at_once(
    app: Flask, send: Callable[[FlaskClient], TestResponse], phone: FlaskClient
) -> list[Any]:
    """The answers to one request that one phone sends four times at the same moment."""
    together = Barrier(4)
    cookie = phone.get_cookie("meldkeeper")
    assert cookie

    def carry_out(_place: int) -> TestResponse:
        client = app.test_client()
        client.set_cookie("meldkeeper", cookie.value)
        together.wait()
        return send(client)

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(carry_out, range(4)))


def test_a_repeat_that_overtakes_the_first_waits_and_is_answered_the_same(world: World):
    at = f"/games/{world.game.key}"
    sent = world.game.sent(out="Anna", Ben="5", Cleo="10") | {"request_key": "close"}
    start = {"variant": "frustration", "player": ["Dora", "Emil"], "request_key": "start"}
    before = world.first("SELECT count(*) FROM games")
    for address, form in ((f"{at}/rounds/2/close", sent), ("/games", start)):
        answers = at_once(
            world.app, lambda phone, to=address, by=form: phone.post(to, data=by), world.client
        )
        assert {one.status_code for one in answers} == {303}
        assert len({one.location for one in answers}) == 1
    assert world.first("SELECT count(*) FROM games") == before + 1
    assert world.first("SELECT count(*) FROM log WHERE kind = 'closed' AND round_number = 2") == 1


def test_a_fresh_browser_that_asks_again_is_the_same_device_in_the_same_group(world: World):
    fresh, form = world.app.test_client(), {"variant": "frustration", "player": ["Dora", "Emil"]}
    fresh.get("/games/new")
    told = at_once(
        world.app, lambda phone: phone.post("/games", data=form | {"request_key": "1"}), fresh
    )
    told.append(fresh.post("/games", data=form | {"request_key": "1"}))
    assert {one.status_code for one in told} == {303}
    assert len({one.location for one in told}) == 1
    code = shown_code(world.game, "score")
    guest = world.app.test_client()
    guest.get("/join")
    came = at_once(world.app, lambda phone: phone.post("/join", data={"code": code}), guest)
    assert {one.status_code for one in came} == {303}
    names = ("groups", "games", "devices", "memberships")
    assert [world.first(f"SELECT count(*) FROM {name}") for name in names] == [2, 2, 4, 4]


@ON_SQLITE
def test_the_interface_describes_the_key_of_every_request_that_changes_something(app: Flask):
    paths = app.test_client().get("/api/v1/openapi.json").json["paths"]
    told = [
        [one["name"] for one in operation.get("parameters", []) if one["in"] == "header"]
        for path, methods in paths.items()
        for method, operation in methods.items()
        if method in ("post", "put", "delete") and path != "/api/v1/judge"
    ]
    assert told == [["Idempotency-Key"]] * sum(name.startswith("api_") for name in changing(app))


@ON_SQLITE
def test_a_key_is_kept_under_the_hash_of_its_senders_secret(world: World):
    with world.app.app_context():
        senders = db.session.scalars(select(IdempotencyKey.sender)).all()
        secrets = db.session.connection().exec_driver_sql("SELECT secret_hash FROM devices")
        assert set(senders) <= {row[0] for row in secrets}
        assert all(len(sender) == 64 for sender in senders)
