"""Another program plays by the JSON interface what phones show on their pages."""

import copy
import io
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings

from app.rules.judge import UnreadableQuestion
from app.rules.judge_questions import answer_question
from app.rules.rule_sets import rule_set_by_id, to_dict
from tests.web_table import PlainGame

ROLES = ("watch", "score", "manage")


@dataclass
class Program:
    """Another program with a token; it has no cookies and is given none."""

    client: FlaskClient
    token: str

    def ask(self, method: str, address: str, status: int = 200, key: str = "", **sent: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        if key:
            headers["Idempotency-Key"] = key
        json = sent or None if method != "GET" else None
        answer = self.client.open(f"/api/v1{address}", method=method, headers=headers, json=json)
        assert answer.status_code == status, answer.get_data(as_text=True)
        assert status == 404 or "Set-Cookie" not in answer.headers
        return answer.json if answer.data else None


def token_for(manager: FlaskClient, role: str, name: str = "Scoreboard") -> str:
    """The secret of a token that a manager just made."""
    answer = manager.post("/group/tokens", data={"role": role, "name": name})
    return re.search(r'value="([\w-]{43})"', answer.get_data(as_text=True))[1]


@pytest.fixture
def manager(client: FlaskClient) -> FlaskClient:
    """A phone that manages a group with a game in it."""
    PlainGame.started(client, "frustration", "Anna Ben")
    return client


@pytest.fixture
def program(app: Flask, manager: FlaskClient) -> Program:
    return Program(app.test_client(), token_for(manager, "manage"))


def test_a_program_plays_a_whole_game_and_reads_the_standings_that_the_page_shows(
    program: Program, manager: FlaskClient
):
    started = program.ask(
        "POST",
        "/games",
        201,
        rule_set="carioca",
        players=["Anna", "Ben", "Cleo"],
        house_rules={"last_contract": 3},
    )
    key, (anna, ben, cleo) = started["key"], [one["seat"] for one in started["standings"]]
    game = f"/games/{key}"
    program.ask("PUT", f"{game}/rounds/1/rows/{anna}", went_out=True)
    program.ask("PUT", f"{game}/rounds/1/rows/{ben}", met=True, points="10+5")
    rows = [{"seat": cleo, "points": "20"}]
    (few,) = program.ask("POST", f"{game}/rounds/1/close", 422, rows=rows)["doubts"]
    assert few["message"] == "All 11 cards count at least 25, not 20. Did Cleo lay down?"
    program.ask("POST", f"{game}/rounds/1/close", rows=[{"seat": cleo, "points": "30"}])
    for number in (2, 3):
        rows = [
            {"seat": cleo, "went_out": True},
            {"seat": ben, "met": True, "points": "10"},
            {"seat": anna, "met": True, "points": "5"},
        ]
        stands = program.ask("POST", f"{game}/rounds/{number}/close", rows=rows)
    assert stands["over"]
    scores = {one["player"]: one["score"] for one in stands["standings"]}
    assert scores == {"Anna": 10, "Ben": 35, "Cleo": 30}
    assert stands["winners"] == [anna]
    shown = manager.get(f"/games/{key}").get_data(as_text=True)
    assert "Anna wins!" in shown
    places = re.findall(r'standing-name">([^<]+)<', shown)
    assert [name.strip() for name in places] == ["Anna", "Cleo", "Ben"]
    rounds = program.ask("GET", f"{game}/rounds")
    assert [one["number"] for one in rounds] == [1, 2, 3]
    assert program.ask("GET", f"{game}/standings") == stands
    log = manager.get(f"/games/{key}/activity").get_data(as_text=True)
    assert "Scoreboard" in log


def test_points_that_a_program_sends_blank_are_none(program: Program, manager: FlaskClient):
    started = program.ask("POST", "/games", 201, rule_set="carioca", players=["Anna", "Ben"])
    key, anna = started["key"], started["standings"][0]["seat"]
    for points in (" 30 ", "  "):
        program.ask("PUT", f"/games/{key}/rounds/1/rows/{anna}", points=points)
    log = manager.get(f"/games/{key}/activity").get_data(as_text=True)
    assert "points removed (was 30)" in log


def test_what_cannot_be_recorded_is_told_with_its_place_and_doubts_can_be_accepted(program):
    started = program.ask("POST", "/games", 201, rule_set="carioca", players=["Anna", "Ben"])
    anna, ben = (one["seat"] for one in started["standings"])
    close = f"/games/{started['key']}/rounds/1/close"
    blank = program.ask("POST", close, 422, rows=[{"seat": anna, "went_out": True}])
    assert blank["faults"][0]["code"] == "penalty_blank"
    assert blank["faults"][0]["seat"] == ben
    rows = [{"seat": anna, "points": "50"}, {"seat": ben, "points": "50"}]
    doubt = program.ask("POST", close, 422, rows=rows)["doubts"][0]
    assert doubt["message"] == "No one went out in this round. Is that right?"
    program.ask("POST", close, rows=rows, accepted=[doubt["mark"]])
    program.ask("POST", close, 409, rows=rows, accepted=[doubt["mark"]])
    program.ask("POST", f"/games/{started['key']}/rounds/1/undo")
    edited = {"rows": rows, "accepted": [doubt["mark"]], "seen": 1}
    assert program.ask("POST", close, 409, **edited)["version"] > 1


def test_a_repeat_with_the_same_key_changes_nothing(program: Program):
    sent = {"rule_set": "frustration", "players": ["Anna", "Ben"]}
    first = program.ask("POST", "/games", 201, key="once", **sent)
    assert program.ask("POST", "/games", 201, key="once", **sent)["key"] == first["key"]
    assert len(program.ask("GET", "/games")["games"]) == 2


def test_everything_goes_out_as_the_document_that_the_shell_writes(program: Program):
    document = program.ask("GET", "/export")
    assert [one["name"] for one in document["players"]] == ["Anna", "Ben"]
    assert len(document["games"]) == 1


def test_rule_sets_are_kept_changed_judged_by_and_removed(program: Program):
    document = to_dict(rule_set_by_id("frustration")) | {"name": "By program"}
    kept = program.ask("POST", "/rule-sets", 201, document=document)
    assert (kept["kind"], kept["name"]) == ("own", "By program")
    address = f"/rule-sets/{kept['id']}"
    document["contracts"] = {"value": ["s2 s2"], "decision": "ours"}
    document.pop("last_contract")
    changed = program.ask("PUT", address, document=document, seen=kept["version"])
    assert changed["document"]["contracts"]["value"] == ["s2 s2"]
    program.ask("PUT", address, 409, document=document, seen=kept["version"])
    question = {"ask": "contract", "contract": 1, "melds": ["5H 5D", "9S 9C"]}
    assert program.ask("POST", "/judge", variant=kept["id"], **question)["legal"]
    program.ask("DELETE", address, 204)
    program.ask("GET", address, 404)
    assert len(program.ask("GET", "/rule-sets")) == 14


@pytest.mark.parametrize(
    ("method", "address", "sent", "status"),
    [
        ("POST", "/judge", {"ask": "sing", "variant": "frustration"}, 422),
        ("POST", "/judge", {"ask": "score", "variant": "none"}, 404),
        ("POST", "/judge", {"ask": "score", "variant": "frustration"}, 422),
        ("POST", "/judge", {"ask": "score", "variant": "frustration", "house_rules": 3}, 422),
        ("POST", "/rule-sets", {"document": {"name": "x"}}, 422),
        ("POST", "/rule-sets", {"document": 3}, 422),
        ("POST", "/games", {"rule_set": "frustration", "players": ["Anna"]}, 422),
        ("POST", "/games", {"rule_set": "frustration", "players": ["A", "B"], "x": 1}, 422),
        ("POST", "/games", {"rule_set": "none", "players": ["A", "B"]}, 404),
        ("GET", "/games/nothere", {}, 404),
        ("GET", "/nowhere", {}, 404),
    ],
)
def test_bad_input_is_told_in_json(program: Program, method, address, sent, status):
    told = program.ask(method, address, status, **sent)
    assert told["status"] == status
    assert told["message"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_of_a_list_the_faulty_item_is_told_and_no_number_of_items_that_are_not_read(
    program: Program, place: int
) -> None:
    names: list[object] = ["Anna", "Ben", "Cleo"]
    names[place] = 7
    told = program.ask("POST", "/games", 422, rule_set="frustration", players=names)
    (within,) = told["errors"].values()
    assert list(within) == ["players"]
    assert list(within["players"]) == [str(place)]


@pytest.mark.parametrize(
    "spoiled",
    [{"house_rules": {"twos": "sometimes"}}, {"house_rules": 3}, {"contract": 99}],
    ids=["a house rule", "house rules", "a contract"],
)
def test_what_is_wrong_with_a_question_is_told_as_in_the_file_interface(
    program: Program, spoiled: dict[str, Any]
) -> None:
    question = {"ask": "contract", "variant": "frustration", "contract": 1, "melds": [], **spoiled}
    (fault,) = program.ask("POST", "/judge", 422, **question)["faults"]
    with pytest.raises(UnreadableQuestion) as unreadable:
        answer_question(question)
    assert fault["field"] == unreadable.value.field
    assert fault["message"] == str(unreadable.value.phrase)


SENT_AS_OTHER_THAN_JSON = {
    "as curl -d sends it": {"data": "{}", "content_type": "application/x-www-form-urlencoded"},
    "fields of a form": {"data": {"met": "on"}},
    "a form with a file": {"data": {"file": (io.BytesIO(b"{}"), "rows.json")}},
    "text": {"data": "{}", "content_type": "text/plain"},
    "called nothing": {"data": "{}"},
}


@pytest.mark.parametrize("kind", SENT_AS_OTHER_THAN_JSON)
def test_a_body_that_is_not_called_json_is_refused_by_every_address_that_takes_one(
    program: Program, kind: str
):
    paths = program.client.get("/api/v1/openapi.json").json["paths"]
    (game,) = program.ask("GET", "/games")["games"]
    before = program.ask("GET", f"/games/{game['key']}")
    operations = {
        (method, path): one
        for path, methods in paths.items()
        for method, one in methods.items()
        if method != "parameters"
    }
    takes_body = {where for where, one in operations.items() if "requestBody" in one}
    assert takes_body == {where for where, one in operations.items() if "415" in one["responses"]}
    headers = {"Authorization": f"Bearer {program.token}"}
    for method, path in takes_body:
        address = re.sub(r"{\w+}", "1", path.replace("{key}", game["key"]))
        sent = copy.deepcopy(SENT_AS_OTHER_THAN_JSON[kind])
        answer = program.client.open(address, method=method, headers=headers, **sent)
        assert answer.status_code == 415, (method, path)
        told = answer.json["errors"]["headers"]["Content-Type"]
        assert told == ["Send the body as application/json."]
    assert len(takes_body) > 10
    assert program.ask("GET", f"/games/{game['key']}") == before


def test_a_token_opens_its_own_group_alone_and_only_until_it_is_revoked(app, manager, program):
    stranger = app.test_client()
    PlainGame.started(stranger, "frustration", "Dora Emil")
    theirs = Program(app.test_client(), token_for(stranger, "manage"))
    key = program.ask("GET", "/games")["games"][0]["key"]
    theirs.ask("GET", f"/games/{key}", 404)
    assert key not in str(theirs.ask("GET", "/games"))
    manager.post("/group/tokens/1/revoke")
    program.ask("GET", "/games", 401)
    theirs.ask("GET", "/games")


def test_of_a_game_that_was_kept_on_paper_a_program_reads_the_evening_and_milestones_alone(
    program: Program, manager: FlaskClient
):
    paper = b"date,rule set,player,place,score\n2025-12-31,Frustration Rummy,Anna,1,\n"
    paper += b"2025-12-31,Frustration Rummy,Ben,2,\n"
    looked = manager.post("/data/import", data={"file": (io.BytesIO(paper), "old.csv")})
    manager.post(re.search(r'action="(/data/import/[^"]+)"', looked.get_data(as_text=True))[1])
    *_newer, last = program.ask("GET", "/evenings")["evenings"]
    evening = program.ask("GET", f"/evenings/{last['key']}")
    assert evening["winners"] == ["Anna"]
    (game,) = evening["games"]
    assert game["on_paper"]
    address = f"/games/{game['key']}"
    (first_win,) = program.ask("GET", f"{address}/milestones")["milestones"]
    assert first_win["player"] == "Anna"
    assert program.ask("PUT", f"{address}/evening", mark="begins")["key"] == last["key"]
    for part in ("", "/standings", "/rounds"):
        program.ask("GET", f"{address}{part}", 404)
    program.ask("POST", f"{address}/stop", 422, result=True)
    program.ask("PUT", f"{address}/rounds/1", 404, rows=[])


def test_a_program_leaves_games_of_an_evening_out_of_seasons_and_lets_them_count_again(
    program: Program,
):
    (game,) = program.ask("GET", "/games")["games"]
    assert not game["left_out"]
    program.ask("POST", f"/games/{game['key']}/rounds/1/close", rows=[], nobody_out=True)
    program.ask("POST", f"/games/{game['key']}/stop", result=True)
    seasons = f"/evenings/{game['key']}/seasons"
    for left_out in ([game["key"]], []):
        evening = program.ask("PUT", seasons, left_out=left_out)
        assert [one["left_out"] for one in evening["games"]] == [bool(left_out)]
        assert evening["evening"]["left_out"] == len(left_out)
        assert program.ask("GET", "/games")["games"] == evening["games"]
    program.ask("PUT", seasons, 404, left_out=["another"])


def test_a_program_reads_edits_and_removes_what_the_group_decided(
    program: Program, manager: FlaskClient
):
    key = program.ask("GET", "/games")["games"][0]["key"]
    asked = "ask=contract&contract=1&m=3H+3D+3C&variant=frustration"
    manager.post(f"/games/{key}/rulings", data={"question": asked, "decided": "Fine."})
    (ruling,) = program.ask("GET", "/rulings")["rulings"]
    assert (ruling["game"], ruling["round"], ruling["decided"]) == (key, 1, "Fine.")
    assert "3H" in ruling["question"]
    assert ruling["verdict"]
    address, seen = f"/games/{key}/rulings/{ruling['id']}", {"decided": "Fine.", "reason": ""}
    edited = program.ask("PUT", address, decided="Not fine.", reason="Too few", seen=seen)
    assert edited == ruling | {"decided": "Not fine.", "reason": "Too few"}
    (fault,) = program.ask("PUT", address, 422, decided="Fine.", seen=seen)["faults"]
    assert fault["message"] == "That ruling has changed since. Look at it again."
    assert program.ask("GET", "/rulings") == {"rulings": [edited], "older": None}
    program.ask("DELETE", address, 204)
    assert program.ask("GET", "/rulings")["rulings"] == []
    program.ask("PUT", address, 404, decided="Fine.")
    program.ask("DELETE", address, 404)


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer guess", "Basic eDp5", "bearer"])
def test_without_a_token_nothing_is_told_not_even_with_a_managers_cookie(manager, header):
    for method, address in (("GET", "/games"), ("POST", "/judge"), ("GET", "/rule-sets")):
        headers = {"Authorization": header} if header else {}
        answer = manager.open(f"/api/v1{address}", method=method, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_every_address_of_the_interface_refuses_each_weaker_role(app: Flask, manager):
    tokens = {role: token_for(manager, role) for role in ROLES}
    key = re.search(r"/games/(\w{12})", manager.get("/").get_data(as_text=True))[1]
    checked = 0
    for rule in app.url_map.iter_rules():
        role = getattr(app.view_functions[rule.endpoint], "role", None)
        if not rule.endpoint.startswith("api_") or role is None:
            continue
        with app.test_request_context():
            values = dict.fromkeys(rule.arguments, 1) | {"key": key}
            address = app.url_for(rule.endpoint, **values)
        method = next(iter(rule.methods - {"HEAD", "OPTIONS"}))
        for weaker in ROLES[: role - 1]:
            headers = {"Authorization": f"Bearer {tokens[weaker]}"}
            answer = app.test_client().open(address, method=method, headers=headers, json={})
            assert answer.status_code == 403, (rule.endpoint, weaker)
            checked += 1
    assert checked >= 12


def test_a_manager_names_each_token_and_its_secret_is_shown_once(manager: FlaskClient):
    secret = token_for(manager, "score", "<b>Wall</b>")
    shown = manager.get("/group/tokens").get_data(as_text=True)
    assert "&lt;b&gt;Wall&lt;/b&gt;" in shown
    assert secret not in shown
    answer = manager.post("/group/tokens", data={"role": "score", "name": " "})
    assert answer.status_code == 422
    assert "what the token is for" in answer.get_data(as_text=True)


def test_the_page_reads_what_the_document_describes(client: FlaskClient):
    document = client.get("/api/v1/openapi.json").json
    shown = client.get("/api/v1/").get_data(as_text=True)
    assert document["openapi"] == "3.1.0"
    for path, methods in document["paths"].items():
        for method in {"get", "post", "put", "delete"} & set(methods):
            assert f"{method.upper()} {path}" in shown


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_whatever_is_sent_to_the_interface_is_answered_as_it_is_described(
    app: Flask, program: Program
):
    import schemathesis  # here alone: to read it takes a second, and each process reads this file

    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    headers = {"Authorization": f"Bearer {program.token}", "Accept-Encoding": "identity"}
    checks = [
        schemathesis.checks.not_a_server_error,
        schemathesis.checks.response_schema_conformance,
        schemathesis.checks.content_type_conformance,
    ]
    for result in schema.get_all_operations():
        operation = result.ok()

        @settings(
            max_examples=8, deadline=None, derandomize=True, suppress_health_check=HealthCheck
        )
        @given(case=operation.as_strategy())
        def fuzzed(case):
            case.call_and_validate(headers=headers, checks=checks)

        fuzzed()


def test_json_that_is_nested_too_deeply_is_refused(program: Program):
    headers = {"Authorization": f"Bearer {program.token}", "Content-Type": "application/json"}
    for address in ("/api/v1/judge", "/api/v1/games"):
        answer = program.client.post(address, headers=headers, data="[" * 20_000)
        assert answer.status_code == 400
        assert answer.json["message"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_who_only_asks_waits_for_nobody_who_writes(app, program):
    """On SQLite one may write at a time; a question that is sent like a form needs no such turn."""
    browser = app.test_client()
    file = app.config["SQLALCHEMY_DATABASE_URI"].removeprefix("sqlite:///")
    question = {"variant": "frustration", "ask": "meld", "kind": "set", "cards": "5H 5D 5C"}
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert program.ask("POST", "/judge", **question)["legal"]
        for address in ("/games/new/frustration", "/games/new/frustration/effect"):
            assert browser.post(address, data={"arrange": "add:Anna"}).status_code == 200
        draft = {"base": "frustration", "contract": ["s3 s3"], "arrange": "look"}
        assert browser.post("/rules/custom/draft", data=draft).status_code == 200
        pasted = browser.post("/rules/custom/bring", data={"link": "nothing"})
        assert pasted.status_code == 422


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_every_fault_of_a_body_is_told_with_its_place_but_of_unknown_fields_one(
    program: Program,
):
    headers = {"Authorization": f"Bearer {program.token}"}
    body: dict[str, Any] = {"rule_set": "frustration", "players": ["Anna", 5], "first_dealer": 99}
    told = program.client.post("/api/v1/games", headers=headers, json=body).json
    assert told["errors"]["json"] == {
        "players": {"1": ["Enter text of 40 characters or fewer."]},
        "first_dealer": ["Enter a whole number from 0 to 11."],
    }
    unknown = {f"x{number}": 0 for number in range(20_000)}
    told = program.client.post("/api/v1/games", headers=headers, json=unknown).json
    assert len(told["errors"]["json"]) < 10
